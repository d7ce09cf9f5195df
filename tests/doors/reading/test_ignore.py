"""git is the judge: whatever `git check-ignore` says about a random tree, we say."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from daypack.doors.reading import ignore
from daypack.doors.reading.walk import walk, why
from daypack.types import SkipReason
from support import in_the_end

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")

NAMES = ["a", "b", "ab", "foo", "bar.py", "foo.py", "x.c", "keep", "a-b", "[z]", "doc"]
PATTERNS = [
    *(
        "foo",
        "foo/",
        "/foo",
        "!foo",
        "!foo/",
        "*.py",
        "!foo.py",
        "!*.py",
        "a*",
        "*b",
        "?",
        "??",
        "[ab]",
        "[!a]",
        "[^ab]*",
    ),
    *(
        "**/foo",
        "foo/**",
        "foo/*",
        "!foo/a",
        "a/**/b",
        "**/a/**",
        "!**/keep",
        "/*",
        "!/foo",
        "/foo/*",
        "!/foo/ab",
        "*",
        "!*/",
    ),
    *(
        "**",
        "[a-f]oo",
        "a/b",
        "/a/b/",
        "!a/b",
        "foo/**/bar.py",
        "# foo",
        "\\#foo",
        "\\!foo",
        "foo  ",
        "foo\\ ",
        "\\foo",
    ),
    *(
        "fo\\o",
        "foo\\",
        "/",
        "!",
        "//",
        "[",
        "[a",
        "[z]",
        "\\[z]",
        "[[]z]",
        "[]a]",
        "[a-]*",
        "[[:alpha:]]",
        "[![:digit:]]b",
    ),
    *(
        "*.[ch]",
        "a**b",
        "fo**/bar.py",
        "***",
        "a/***/b",
        "*/b",
        "*/*/a",
        "!*/b",
        "doc/",
        "!doc/keep",
        "doc/*",
        "a?b",
        "a[!x]b",
    ),
    *("*-*", "/**/ab", "**/*.py", "!**/a/*.py", "ab\r", " foo", "\tfoo"),
]


def make_tree(root: Path, chance: random.Random, *, depth: int = 0) -> None:
    for name in chance.sample(NAMES, chance.randint(2, 5)):
        if depth < 3 and chance.random() < 0.5:
            (root / name).mkdir()
            make_tree(root / name, chance, depth=depth + 1)
        else:
            (root / name).write_text("text")
    if depth == 0 or chance.random() < 0.35:
        lines = chance.choices(PATTERNS, k=chance.randint(1, 5))
        (root / ".gitignore").write_text("\n".join(lines) + chance.choice(["\n", ""]), newline="")


def all_files(root: Path) -> list[str]:
    return sorted(
        os.path.relpath(os.path.join(folder, name), root)
        for folder, folders, names in os.walk(root)
        if ".git" not in Path(folder).relative_to(root).parts
        for name in names
    )


def ignored_by_git(root: Path, files: list[str]) -> set[str]:
    answer = subprocess.run(
        [
            "git",
            "-C",
            str(root),
            "-c",
            "core.excludesFile=/dev/null",
            "check-ignore",
            "--no-index",
            "-z",
            "--stdin",
        ],
        input="\0".join(files).encode(),
        capture_output=True,
        check=False,
    )
    assert answer.returncode in (0, 1), answer.stderr
    return {name for name in answer.stdout.decode().split("\0") if name}


def git_init(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)


@needs_git
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_a_random_tree_is_ignored_as_git_ignores_it(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    git_init(tmp_path)
    make_tree(tmp_path, chance)
    if chance.random() < 0.5:
        (tmp_path / ".git/info").mkdir(exist_ok=True)
        (tmp_path / ".git/info/exclude").write_text("\n".join(chance.choices(PATTERNS, k=2)) + "\n")
    files = all_files(tmp_path)
    kept = {found.uid for found in walk(tmp_path).files}
    assert set(files) - kept == ignored_by_git(tmp_path, files)


@needs_git
@pytest.mark.parametrize("seed", range(5))
def test_why_and_walk_agree_on_every_file(tmp_path: Path, seed: int) -> None:
    git_init(tmp_path)
    make_tree(tmp_path, random.Random(1000 + seed))
    kept = {found.uid for found in walk(tmp_path).files}
    for name in all_files(tmp_path):
        issue = why(tmp_path, name)
        assert (issue is None) == (name in kept)
        assert issue is None or issue.uri == name


@needs_git
@pytest.mark.parametrize("seed", range(8))
def test_a_root_below_the_repository_obeys_the_ignore_files_above_it(tmp_path: Path, seed: int) -> None:
    git_init(tmp_path)
    make_tree(tmp_path, random.Random(2000 + seed))
    (tmp_path / "part/deep").mkdir(parents=True, exist_ok=True)
    make_tree(tmp_path / "part/deep", random.Random(3000 + seed), depth=1)
    (tmp_path / ".gitignore").write_text("*.py\n!/part/deep/foo.py\n/part/deep/a\nx.c\n")
    (tmp_path / "part/.gitignore").write_text("!x.c\ndeep/keep\n")
    names = all_files(tmp_path / "part/deep")
    kept = {found.uid for found in walk(tmp_path / "part/deep").files}
    assert set(names) - kept == ignored_by_git(tmp_path / "part/deep", names)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def uids(root: Path) -> list[str]:
    return [found.uid for found in walk(root).files if not found.uid.rpartition("/")[2].startswith(".")]


def test_a_file_below_an_ignored_folder_cannot_be_included_again(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "build/\n!build/keep.py\n", "build/keep.py": "x", "a.py": "x"})
    assert uids(tmp_path) == ["a.py"]


def test_a_file_below_an_ignored_content_pattern_can_be_included_again(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "build/**\n!build/keep.py\n", "build/keep.py": "x", "build/other.py": "x"})
    assert uids(tmp_path) == ["build/keep.py"]


def test_our_own_ignore_file_overrules_the_others_and_ignore_overrules_gitignore(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n*.tmp\n",
            ".ignore": "!b.log\nc.py\n",
            ".daypackignore": "!c.py\n!x.tmp\nd.py\n",
            **dict.fromkeys(["a.log", "b.log", "c.py", "d.py", "x.tmp", "sub/x.tmp"], "text"),
            "sub/.gitignore": "x.tmp\n",
        },
    )
    assert uids(tmp_path) == ["b.log", "c.py", "x.tmp", "sub/x.tmp"]


def test_a_nested_repository_is_not_ruled_by_the_outer_gitignore_but_by_its_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.txt\n",
            ".git/HEAD": "ref: refs/heads/main",
            "inner/.git/info/exclude": "secretly.txt\n",
            "inner/kept.txt": "x",
            "inner/secretly.txt": "x",
            "inner/ours.md": "x",
            "outer.txt": "x",
            ".daypackignore": "ours.md\n",
        },
    )
    assert uids(tmp_path) == ["inner/kept.txt"]


def test_a_worktree_uses_the_exclude_file_of_its_repository(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "main/.git/info/exclude": "private.md\n",
            "main/.git/worktrees/tree/commondir": "../..\n",
            "tree/.git": f"gitdir: {tmp_path}/main/.git/worktrees/tree\n",
            "tree/private.md": "x",
            "tree/public.md": "x",
        },
    )
    assert uids(tmp_path / "tree") == ["public.md"]


def test_the_detail_names_file_line_and_pattern(tmp_path: Path) -> None:
    write(
        tmp_path, {"sub/.gitignore": "# generated\n*.gen.py\n", "sub/a.gen.py": "x", "sub/deep/b.gen.py": "x"}
    )
    issue = why(tmp_path, "sub/deep/b.gen.py")
    assert issue is not None
    assert (issue.reason, issue.detail) == (SkipReason.IGNORED, "sub/.gitignore:2: *.gen.py")


def test_why_names_the_folder_that_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "/out\n", "out/deep/a.py": "x"})
    issue = why(tmp_path, "out/deep/a.py")
    assert issue is not None
    assert (issue.uri, issue.detail) == ("out/deep/a.py", "its folder out/ is skipped: .gitignore:1: /out")


def test_an_ignore_file_that_is_a_link_or_a_fifo_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x", "rules": "*.py\n", "sub/b.py": "x"})
    (tmp_path / ".gitignore").symlink_to("rules")
    os.mkfifo(tmp_path / "sub/.gitignore")
    assert [uid for uid in uids(tmp_path) if uid.endswith(".py")] == ["a.py", "sub/b.py"]


def test_a_hostile_pattern_takes_no_time() -> None:
    lines = ["*a" * 40 + "b", "x/" + "**/a/" * 20 + "b", "[a-z]*" * 30 + "!"]
    file = ignore.IgnoreFile("/root", ".gitignore", ignore.parse("\n".join(lines), source=".gitignore"))
    path = "/root/x/" + "a/" * 100 + "a" * 250
    with in_the_end():
        for _ in range(20):
            assert file.decide(path, "a" * 250, is_folder=False) is None
