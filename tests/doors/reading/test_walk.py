"""What a walk takes, what it passes over, and that nothing on a disk can hold it up."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.walk import ABSENT, Walk, WalkRules, looks_like_project, walk, why
from daypack.guard.paths import OutsideRoot, path_of, uid_of
from daypack.projects import project_marker
from daypack.types import SkipReason
from support import WORDS, project


def write(root: Path, *names: str, text: str = "text\n") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def uids(result: Walk) -> list[str]:
    return [found.uid for found in result.files]


def reasons(result: Walk) -> dict[str, SkipReason]:
    return {issue.uri: issue.reason for issue in result.issues}


def test_files_come_sorted_and_a_folders_files_before_its_subfolders(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/z.py", "a/b/c.py", "c.py", "B.py")
    assert uids(walk(tmp_path)) == ["B.py", "b.py", "c.py", "a/z.py", "a/b/c.py"]


def test_found_files_carry_size_and_time_and_folders_their_time(tmp_path: Path) -> None:
    write(tmp_path, "a/b.py", text="hello")
    os.utime(tmp_path / "a/b.py", ns=(5, 7_000_000_123))
    os.utime(tmp_path / "a", ns=(5, 9_000_000_456))
    result = walk(tmp_path)
    assert [(found.size, found.mtime_ns) for found in result.files] == [(5, 7_000_000_123)]
    assert [folder.path.name for folder in result.folders] == [tmp_path.name, "a"]
    assert result.folders[1].mtime_ns == 9_000_000_456


def test_tool_folders_are_one_issue_each_and_other_dot_folders_are_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        ".git/config",
        "node_modules/x/index.js",
        "src/__pycache__/a.py",
        ".github/workflows/ci.yml",
        "cache/CACHEDIR.TAG",
    )
    write(tmp_path, "env311/pyvenv.cfg", "env311/lib/a.py", "src/a.py")
    result = walk(tmp_path)
    assert uids(result) == [".github/workflows/ci.yml", "src/a.py"]
    assert reasons(result) == dict.fromkeys(
        [".git/", "node_modules/", "src/__pycache__/", "cache/", "env311/"], SkipReason.HIDDEN
    )


def test_deleted_and_earlier_versions_of_notes_are_not_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        "notes/plan.md",
        "notes/.trash/plan.md",
        "notes/.stversions/plan~20261101-101500.md",
        "notes/.obsidian/workspace.json",
        ".Trash-1000/files/plan.md",
        "journal/logseq/bak/pages/plan.md",
        "journal/logseq/.recycle/plan.md",
        "journal/logseq/config.edn",
    )
    own = ["bak/plan.md", "journal/pages/plan.md", "src/logseq/bak/plan.md", "trash/plan.md"]
    write(tmp_path, *own)
    result = walk(tmp_path)
    assert uids(result) == sorted([*own, "journal/logseq/config.edn", "notes/plan.md"])
    assert reasons(result) == dict.fromkeys(
        [
            *(".Trash-1000/", "journal/logseq/.recycle/", "journal/logseq/bak/"),
            *("notes/.obsidian/", "notes/.stversions/", "notes/.trash/"),
        ],
        SkipReason.HIDDEN,
    )


@pytest.mark.parametrize(
    "name",
    [
        *("plan.md~", "plan.md.~2~", "#plan.md#", ".#plan.md"),
        *(".~lock.budget.odt#", "~$Lease.docx", ".plan.md.swp"),
    ],
)
def test_a_backup_or_a_lock_of_an_editor_is_passed_over_and_says_so(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, "plan.md", "~plan.md", "#1 plan.md")
    result = walk(tmp_path)
    assert uids(result) == ["#1 plan.md", "plan.md", "~plan.md"]
    assert [(issue.uri, issue.reason, issue.detail) for issue in result.issues] == [
        (result.issues[0].uri, SkipReason.HIDDEN, "a backup or lock file of an editor")
    ]


def test_a_name_between_number_signs_is_a_name_where_no_file_is_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "#draft#", "notes/#plan.md#")
    assert uids(walk(tmp_path)) == ["#draft#", "notes/#plan.md#"]


NAMES_OF_TOOLS = ["#plan.md#", "app.min.js", "plan.md~", "poetry.lock", "tide_pb2.py"]


def test_a_line_of_daypackignore_brings_back_a_file_that_its_name_leaves_out(tmp_path: Path) -> None:
    write(tmp_path, "plan.md", *NAMES_OF_TOOLS)
    again = "".join(f"!{name}\n" for name in NAMES_OF_TOOLS)
    (tmp_path / ".gitignore").write_text(again)  # git speaks of what is tracked
    assert uids(walk(tmp_path)) == [".gitignore", "plan.md"]
    (tmp_path / ".daypackignore").write_text(again)
    assert uids(walk(tmp_path)) == sorted([".daypackignore", ".gitignore", "plan.md", *NAMES_OF_TOOLS])


def test_the_skill_that_daypack_wrote_for_an_agent_is_not_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        ".claude/skills/daypack/SKILL.md",
        ".claude/skills/review/SKILL.md",
        "plugin/skills/daypack/SKILL.md",
    )
    result = walk(tmp_path)
    assert uids(result) == [".claude/skills/review/SKILL.md", "plugin/skills/daypack/SKILL.md"]
    assert reasons(result) == {".claude/skills/daypack/": SkipReason.HIDDEN}


@pytest.mark.parametrize(
    "name",
    [
        *(
            ".env",
            ".env.local",
            ".ENV.production",
            "prod.env",
            ".envrc",
            "server.pem",
            "tls.key",
            "id_rsa",
            "id_ed25519",
            "id_rsa.old",
        ),
        *(
            ".npmrc",
            ".pypirc",
            ".netrc",
            "_netrc",
            "credentials",
            "credentials.json",
            "a.p12",
            "a.keystore",
            ".git-credentials",
        ),
        *(
            "client_secret_12.json",
            "service-account.json",
            "secrets.yaml",
            ".docker/config.json",
            "state.tfstate",
            ".bash_history",
        ),
    ],
)
def test_a_secret_file_is_never_found(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, ".daypackignore", text=f"!{name}\n")
    assert reasons(walk(tmp_path))[name] is SkipReason.SECRET_FILE


@pytest.mark.parametrize(
    "name",
    [
        *(".env.example", ".env.sample", ".env.template", "example.env", "id_rsa.pub"),
        *("environment.py", "secrets.py", "key.py", "config.json"),
    ],
)
def test_a_file_that_only_sounds_secret_is_read(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    assert uids(walk(tmp_path)) == [name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("package-lock.json", SkipReason.LOCK_FILE),
        ("Cargo.lock", SkipReason.LOCK_FILE),
        ("go.sum", SkipReason.LOCK_FILE),
        ("uv.lock", SkipReason.LOCK_FILE),
        ("jquery.min.js", SkipReason.MINIFIED),
        ("site.css.map", SkipReason.MINIFIED),
        ("api.pb.go", SkipReason.GENERATED),
        ("api_pb2.py", SkipReason.GENERATED),
        ("logo.PNG", SkipReason.BINARY),
    ],
)
def test_a_name_can_be_reason_enough(tmp_path: Path, name: str, reason: SkipReason) -> None:
    write(tmp_path, name)
    assert reasons(walk(tmp_path)) == {name: reason}
    found = why(tmp_path, name)
    assert found is not None
    assert found.reason is reason


def test_long_files_are_passed_over_unless_they_hold_lines_or_conversations(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "a.log", "conversations.json", "conversations-012.json", text="x" * 600 + "\n")
    result = walk(tmp_path, rules=WalkRules(max_bytes=500, max_long_bytes=1000))
    assert uids(result) == ["a.log", "conversations-012.json", "conversations.json"]
    assert [(issue.uri, issue.detail) for issue in result.issues] == [
        ("a.py", "601 bytes, at most 500 are read; DAYPACK_LARGEST_FILE_MIB=1 reads it")
    ]


def test_patterns_of_the_caller_beat_every_ignore_file(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.md", "docs/c.md")
    write(tmp_path, ".daypackignore", text="!*.md\n")
    assert uids(walk(tmp_path, rules=WalkRules(exclude=("*.md", "!docs/c.md")))) == [
        ".daypackignore",
        "a.py",
        "docs/c.md",
    ]


# ---------------------------------------------------------------- links and strange entries


def test_links_inside_the_root_are_not_read_twice_and_loops_end(tmp_path: Path) -> None:
    write(tmp_path, "real/a.py")
    (tmp_path / "alias.py").symlink_to("real/a.py")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "real/up").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    result = walk(tmp_path)
    assert uids(result) == ["real/a.py"]
    assert reasons(result) == {
        "alias.py": SkipReason.NOT_A_FILE,
        "folder": SkipReason.NOT_A_FILE,
        "real/up": SkipReason.NOT_A_FILE,
        "self": SkipReason.UNREADABLE,
    }


def test_a_link_out_of_the_root_is_outside_even_when_the_names_begin_alike(tmp_path: Path) -> None:
    write(tmp_path, "root/a.py", "root-evil/b.py")
    (tmp_path / "root/out").symlink_to(tmp_path / "root-evil")
    (tmp_path / "root/passwd").symlink_to("/etc/passwd")
    (tmp_path / "root/gone").symlink_to("nowhere")
    result = walk(tmp_path / "root")
    assert uids(result) == ["a.py"]
    assert reasons(result) == {
        "out": SkipReason.OUTSIDE_ROOT,
        "passwd": SkipReason.OUTSIDE_ROOT,
        "gone": SkipReason.UNREADABLE,
    }


def test_a_root_that_is_a_link_is_walked_at_its_real_place(tmp_path: Path) -> None:
    write(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")
    result = walk(tmp_path / "link")
    assert result.root == (tmp_path / "real").resolve()
    assert uids(result) == ["a.py"]


def test_fifos_and_sockets_are_no_files_and_do_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.py"))
        result = walk(tmp_path)
    assert {issue.uri: (issue.reason, issue.detail) for issue in result.issues} == {
        "pipe.py": (SkipReason.NOT_A_FILE, "a FIFO"),
        "s.py": (SkipReason.NOT_A_FILE, "a socket"),
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_unreadable_and_the_rest_is_found(tmp_path: Path) -> None:
    write(tmp_path, "closed/a.py", "open/b.py")
    (tmp_path / "closed").chmod(0)
    try:
        result = walk(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert uids(result) == ["open/b.py"]
    assert reasons(result) == {"closed/": SkipReason.UNREADABLE}


def test_odd_names_become_one_line_uids_that_lead_back_to_the_file(tmp_path: Path) -> None:
    names = [b"new\nline.py", b"latin-\xe9.py", b"esc\x1b[31m.py", rb"back\x0aslash.py", rb"plain\back.py"]
    names += ["ünï.py".encode(), b"nel\xc2\x85.py"]
    for name in names:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"text")
    result = walk(tmp_path)
    assert len(set(uids(result))) == len(names)
    for found in result.files:
        assert found.uid.encode("utf-8")  # no lone surrogate
        assert found.uid.splitlines() == [found.uid]
        assert path_of(result.root, found.uid) == found.path
    assert {r"new\x0aline.py", r"latin-\xe9.py", r"back\x5cx0aslash.py", r"plain\back.py", "ünï.py"} <= set(
        uids(result)
    )


def test_a_uid_that_needs_no_escape_is_the_path_itself() -> None:
    assert uid_of("src/ünï/日本.py") == "src/ünï/日本.py"


def test_row_20_paths_longer_than_the_system_takes_do_not_crash(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    name = "d" * 250
    for _ in range(20):  # 5,000 characters, made step by step because no call would take the whole path
        os.mkdir(name, dir_fd=here)
        deeper = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    result = walk(tmp_path)
    assert [issue.reason for issue in result.issues] == [SkipReason.UNREADABLE]
    os.system(f"rm -rf {tmp_path}/{name}")


# ---------------------------------------------------------------- parts of a root


def test_a_walk_can_start_at_a_folder_or_file_with_the_rules_of_the_whole_root(tmp_path: Path) -> None:
    write(tmp_path, "a/b/c.py", "a/b/d.log", "e.py")
    write(tmp_path, ".gitignore", text="*.log\n")
    assert uids(walk(tmp_path, start="a")) == ["a/b/c.py"]
    assert uids(walk(tmp_path, start=tmp_path / "a/b/c.py")) == ["a/b/c.py"]
    assert reasons(walk(tmp_path, start="a/b/d.log")) == {"a/b/d.log": SkipReason.IGNORED}
    assert reasons(walk(tmp_path, start="a/nothing.py")) == {"a/nothing.py": SkipReason.UNREADABLE}


def test_a_start_outside_the_root_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "root/a.py", "root-evil/b.py")
    with pytest.raises(OutsideRoot):
        walk(tmp_path / "root", start="../root-evil")


def test_known_folders_are_left_to_the_caller_and_new_ones_are_entered(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "old/b.py", "new/c.py", "new/deep/d.py")
    result = walk(tmp_path, start="", known={"", "old"})
    assert uids(result) == ["a.py", "new/c.py", "new/deep/d.py"]
    top = tmp_path.resolve()
    assert [folder.path for folder in result.folders] == [top, top / "new", top / "new/deep"]


def test_a_missing_root_is_an_issue(tmp_path: Path) -> None:
    assert reasons(walk(tmp_path / "gone")) == {"/": SkipReason.UNREADABLE}


def test_files_with_rules_that_were_asked_are_listed_with_their_times(tmp_path: Path) -> None:
    write(tmp_path, ".git/info/exclude", "sub/.gitignore", "sub/part/.ignore", "sub/part/a.py")
    seen = {
        path.relative_to(tmp_path.resolve()).as_posix(): time
        for path, time in walk(tmp_path / "sub/part").ignore_files
    }
    ignoring = {".daypackignore", ".ignore", ".gitignore", "sub/.daypackignore", "sub/.ignore"}
    missing = {*ignoring, ".gitattributes", "sub/.gitattributes"}  # may be made
    assert {path for path, time in seen.items() if time == ABSENT} == missing
    assert seen.keys() - missing == {".git/info/exclude", "sub/.gitignore", "sub/part/.ignore"}


# ---------------------------------------------------------------- projects


def test_a_project_is_known_by_its_marker(tmp_path: Path) -> None:
    assert project_marker(tmp_path) is None
    write(tmp_path, "go.mod")
    assert project_marker(tmp_path) == "go.mod"
    assert project_marker(tmp_path / "nowhere") is None


def test_what_is_no_project_says_why(tmp_path: Path) -> None:
    home = tmp_path / "home/ada"
    write(home, "notes/a.md", "code/pyproject.toml", "code/a.py", "code/b.py", ".git/HEAD")
    assert looks_like_project("/", home) == "it is the root of the disk"
    assert looks_like_project(home, home) == "it is your home folder"
    assert looks_like_project(tmp_path / "home", home) == "your home folder is inside it"
    assert looks_like_project(home / "notes", home) == "no marker such as .git or pyproject.toml"
    assert looks_like_project(home / "code", home, limit=2) == "more than 2 files"
    assert looks_like_project(home / "code", home) is None
    write(home, "notes/.daypack/daypack.db")
    assert looks_like_project(home / "notes", home) == "no marker such as .git or pyproject.toml"


@pytest.mark.slow
def test_row_20_twenty_thousand_files_are_walked(tmp_path: Path) -> None:
    for folder in range(200):
        (tmp_path / f"folder{folder}").mkdir()
        for file in range(100):
            (tmp_path / f"folder{folder}/file{file}.py").touch()
    write(tmp_path, ".gitignore", text="*.pyc\nbuild/\n/docs/_build\n**/tmp/**\n[Tt]humbs.db\n" * 6)
    result = walk(tmp_path)
    assert len(result.files) == 20_001


def test_a_file_or_folder_with_a_secret_in_its_name_is_not_kept(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    folder = project(
        tmp_path / "p", {f"{token}.md": "a lamp", f"{token}/a.md": "a boat", "key2.md": "an oar"}
    )
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        report = dp.files.add(folder)
        assert report.added == 1
        skipped = [issue.reason for issue in report.issues if issue.uri.startswith("[REDACTED:")]
        assert skipped == [SkipReason.SECRET_FILE] * 2
    for path in (folder / ".daypack").rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes()


@pytest.mark.parametrize("name", ["letters.zip", "letters.tar.gz", "letters.7z"])
def test_an_archive_says_that_its_files_are_read_when_it_is_unpacked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04" + bytes(200))
    [issue] = walk(tmp_path).issues
    assert issue.detail == f"by its ending .{name.rpartition('.')[2]}; unpack it, and its files are read"
