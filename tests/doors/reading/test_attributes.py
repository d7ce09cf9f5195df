"""Purposes declared in `.gitattributes`: as git reads its lines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from daypack.doors.reading.attributes import Attributes
from support import project

FILES = {
    ".gitattributes": "\n".join(
        [
            "# linguist-generated, a comment",
            "* text=auto",
            "*.pb.ts linguist-generated",
            "/lib/ours/** -linguist-vendored",
            "lib/theirs/* linguist-vendored=true",
            "site/ linguist-documentation",
            "site/** linguist-documentation text",
            "site/code/** linguist-documentation=false",
            '"with space/*.c" linguist-generated=true',
            "*.min.css linguist-vendored linguist-generated diff",
            "!odd.c linguist-generated",
            "[attr]made linguist-generated",
            "tables/**/*.go linguist-generated",
        ]
    ),
    "sub/.gitattributes": "*.pb.ts !linguist-generated\nkept.min.css -linguist-vendored\n",
    "a.pb.ts": "x",
    "sub/b.pb.ts": "x",
    "sub/deep/c.pb.ts": "x",
    "sub/kept.min.css": "x",
    "d.min.css": "x",
    "lib/ours/e.c": "x",
    "lib/ours/deep/f.c": "x",
    "lib/theirs/g.c": "x",
    "lib/theirs/deep/h.c": "x",
    "site/i.md": "x",
    "site/code/j.py": "x",
    "with space/k.c": "x",
    "odd.c": "x",
    "tables/l.go": "x",
    "tables/deep/m.go": "x",
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_purposes_are_those_that_git_names(tmp_path: Path) -> None:
    project(tmp_path, FILES)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    names = [f"linguist-{name}" for name in ("documentation", "generated", "vendored")]
    attributes = Attributes(tmp_path)
    found = {}
    for file in FILES:
        said = subprocess.run(
            ["git", "check-attr", "-z", *names, "--", file],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.split("\0")
        git = {
            name.removeprefix("linguist-"): value in ("set", "true")
            for name, value in zip(said[1::3], said[2::3], strict=True)
            if value != "unspecified"
        }
        found[file] = attributes.purposes(str(tmp_path / file))
        assert found[file] == git, file
    assert sum(bool(one) for one in found.values()) == 11


def test_a_nested_repository_has_its_own_attributes(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            ".git/HEAD": "x",
            ".gitattributes": "*.c linguist-generated\n",
            "module/.git": "gitdir: ../.git/modules/module\n",
            "module/.gitattributes": "*.h linguist-vendored\n",
        },
    )
    attributes = Attributes(tmp_path)
    assert attributes.purposes(str(tmp_path / "src/a.c")) == {"generated": True}
    assert attributes.purposes(str(tmp_path / "module/a.c")) == {}
    assert attributes.purposes(str(tmp_path / "module/a.h")) == {"vendored": True}


def test_a_root_inside_a_repository_obeys_the_files_above_it(tmp_path: Path) -> None:
    project(
        tmp_path, {".git/HEAD": "x", ".gitattributes": "app/gen/** linguist-generated\n", "app/gen/a.c": "x"}
    )
    assert Attributes(tmp_path / "app").purposes(str(tmp_path / "app/gen/a.c")) == {"generated": True}
