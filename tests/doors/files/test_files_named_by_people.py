"""A file that a person names is read although its name speaks against it; a refused one leaves no trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import NotFound
from support import WORDS, project


@pytest.mark.parametrize("name", ["plan.md~", "poetry.lock", "tide_pb2.py"])
def test_a_file_that_was_named_stays_and_follows_its_changes(tmp_path: Path, name: str) -> None:
    project(tmp_path, {name: "# The tide rises.\n", "plan.md": "# Plan\n\nWait.\n"})
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        assert daypack.files.why(tmp_path / name) is not None
        assert daypack.files.add(tmp_path / name).added == 1
        assert daypack.files.why(tmp_path / name) is None
        assert daypack.files.roots() == [".", name]
        (tmp_path / name).write_text("# The tide falls.\n")
        os.utime(tmp_path / name, ns=(1, 1))
        daypack.search("what does the tide do?")
        assert daypack.get(name).text == "# The tide falls.\n"
        daypack.files.refresh()
        daypack.files.add(tmp_path)
        assert daypack.get(name).state == "current"


def test_a_root_that_is_refused_is_not_kept(tmp_path: Path) -> None:
    project(
        tmp_path, {".env": "A=1\n", "node_modules/a/b.js": "1;\n", ".gitignore": "out\n", "out/a.md": "A\n"}
    )
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as daypack:
        report = daypack.files.add(tmp_path / ".env", tmp_path / "node_modules", tmp_path / "out")
        assert len(report.issues) == 3
        assert daypack.files.roots() == []
        (tmp_path / "long.py").write_text("# the tide\n" * 200_000)
        daypack.files.add(tmp_path / "long.py")
        assert daypack.files.roots() == ["long.py"]  # it may become short enough


def test_a_name_that_lost_its_capitals_is_found_again_by_its_former_spelling(tmp_path: Path) -> None:
    """As after a rename of Calc.py to calc.py."""
    project(tmp_path, {"calc.py": "x = 1\n", "main.py": "import calc\n", "pkg/Tide.py": "y = 1\n"})
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        for former, name in (
            ("Calc.py:1", "calc.py"),
            ("CALC.PY", "calc.py"),
            ("Pkg/tide.py", "pkg/Tide.py"),
        ):
            with pytest.raises(NotFound, match=f"did you mean {name}"):
                daypack.get(former)
        with pytest.raises(NotFound, match=r"did you mean calc\.py"):
            daypack.code.callers("Calc.py")
