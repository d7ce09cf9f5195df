"""A tool that copies the write-ahead log continuously, as Litestream does, has every commit, and disturbs nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from daypack import Daypack
from every_door import fill, rows
from support import TESTS, WORDS, environment, ills


@pytest.mark.slow
def test_a_litestream_style_reader_has_every_commit_and_hinders_no_write(tmp_path: Path) -> None:
    store, copy = tmp_path / ".daypack", tmp_path / "copy"
    copy.mkdir(mode=0o700)
    with Daypack.open(store, settings=WORDS) as dp:
        dp.records.add([{"id": "first", "text": "before the reader came"}])
        reader = subprocess.Popen(
            [sys.executable, str(TESTS / "faults" / "wal_reader.py"), str(store), str(copy)],
            env=environment(),
        )
        try:
            deadline = time.monotonic() + 120
            while not (copy / "following").exists():
                assert reader.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
            fill(dp)  # forgets as well, which rewrites the file
            for number in range(30):
                dp.records.add([{"id": f"w{number}", "text": f"write {number} " * 500}])
            dp.backup(tmp_path / "backup")
            assert ills(dp) == []
            assert dp.engine.store.owes_purge(), "the log cannot be emptied under a reader"
            (copy / "stop").touch()
            assert reader.wait(120) == 0
        finally:
            reader.kill()
            reader.wait()
        expected = rows(store)
        assert rows(copy) == expected
        dp.memories.remember("late", "x")
        dp.memories.forget("late")
        assert not dp.engine.store.owes_purge()
    with Daypack.open(copy, root=tmp_path, settings=WORDS) as dp:
        assert ills(dp) == []
        assert dp.get("w29").text == "write 29 " * 500
        lines: list[str] = []
        dp.export(lines.append)
        assert not any('"_litestream_' in line for line in lines)
    assert Daypack.restore(tmp_path / "backup", tmp_path / "restored").backup.size
