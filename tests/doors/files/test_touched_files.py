"""The state of a file whose time changed: its content decides, as after a checkout of git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project


@pytest.mark.parametrize(
    "text", ["# The tide rises.\r\n", "key: AKIAIOSFODNN7EXAMPLQ\n", "naïve\n".encode("latin-1")]
)
def test_a_file_that_was_only_touched_is_as_indexed(tmp_path: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    root = project(tmp_path / "root", {"tide.md": data})
    beside = project(tmp_path / "beside", {"crane.md": data})
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        dp.files.add(root, beside)
        for name, file in (("tide.md", root / "tide.md"), (str(beside / "crane.md"), beside / "crane.md")):
            os.utime(file, ns=(1, 1))
            assert dp.get(name).state == "current"
            file.write_bytes(data[:-2] + b"?\n")
            assert dp.get(name).state == "changed"
            file.write_bytes(data + b"more")
            assert dp.get(name).state == "changed"
            file.unlink()
            assert dp.get(name).state == "gone"
