"""Files and streams that a person names: their kind and size are checked before anything is read."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from daypack.errors import InputError
from daypack.guard.inputs import NotReadable, checked_path, lines_of, opened, read_file, read_stream


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/full"])
def test_a_device_is_not_read(device: str) -> None:
    with pytest.raises(NotReadable, match="device"):
        read_file(device)
    with pytest.raises(NotReadable, match="device"), opened(device):
        pass


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(100 << 30)  # a hole
    with pytest.raises(NotReadable, match="107,374,182,400 bytes"):
        read_file(path)


def test_a_folder_a_missing_file_and_a_missing_home_are_named(tmp_path: Path) -> None:
    for path, why in (
        (str(tmp_path), "directory"),
        ("missing", "No such file"),
        ("~nobody-here/x", "No such file"),
    ):
        with pytest.raises(NotReadable, match=f"cannot be read .*{why}"):
            read_file(path)


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b'{"a":1}',))
    writer.start()
    assert read_file(tmp_path / "pipe") == b'{"a":1}'
    writer.join()


def test_a_stream_without_end_stops_at_the_limit() -> None:
    with pytest.raises(NotReadable, match="more than 10 bytes"):
        read_stream(io.BytesIO(bytes(11)), most=10)
    assert read_stream(io.BytesIO(bytes(10)), most=10) == bytes(10)
    assert [*lines_of(io.BytesIO(b"a\nbb\nc"), longest=3)] == [b"a\n", b"bb\n", b"c"]
    with pytest.raises(NotReadable, match="line of more than 3"):
        [*lines_of(io.BytesIO(b"a\nbbbb\n"), longest=3)]


@pytest.mark.parametrize("path", ["a\0b", "x" * 256, "x/" * 3000, "\ud800"])
def test_no_system_takes_these_as_paths(path: str) -> None:
    with pytest.raises(InputError, match="path"):
        checked_path(path)


def test_odd_names_are_paths() -> None:
    for path in ("", "a b", "\udcff.md", "日本.md", "x" * 255, "new\nline"):
        assert checked_path(path) == path
