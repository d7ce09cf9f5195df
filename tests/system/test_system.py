"""Locks, owners and process groups of this operating system, and the folders of settings on each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daypack import Daypack, system
from daypack.doors.sessions.hooks import spool
from daypack.settings.configuration import state_folder, user_folder
from support import WORDS

HOLDER = """
import os, sys, time
from daypack.system import lock
descriptor = os.open(sys.argv[1], os.O_RDWR)
print(lock(descriptor), flush=True)
time.sleep(60)
"""
LINE = b'{"t":1.0,"k":"1-1","e":{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"Go on."}}'


def opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def test_a_lock_keeps_other_descriptors_out_until_it_is_closed(tmp_path: Path) -> None:
    one, other = opened(tmp_path / "file"), opened(tmp_path / "file")
    try:
        assert system.lock(one)
        assert not system.lock(other, wait=False)
        os.close(one)
        assert system.lock(other, wait=False)
    finally:
        os.close(other)


def test_row_38_a_lock_ends_with_its_process_even_by_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "file"
    descriptor = opened(path)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        assert not system.lock(descriptor, wait=False)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        assert system.lock(descriptor, wait=False)
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
        os.close(descriptor)


def test_a_lock_leaves_the_text_of_its_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one line\n")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    system.lock(descriptor)
    os.write(descriptor, b"another\n")
    os.close(descriptor)
    assert path.read_bytes() == b"one line\nanother\n"


def test_the_spool_is_folded_where_open_files_cannot_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daypack.doors.sessions.hooks.spool.MOVES_OPEN_FILES", False)
    monkeypatch.setattr("daypack.doors.sessions.door.MOVES_OPEN_FILES", False)
    folder = str(tmp_path / ".daypack")
    spool.append(folder, LINE)
    with Daypack.open(folder, settings=WORDS) as dp:
        assert dp.sessions.import_spool().added == 1
        assert dp.sessions.import_spool().added == 0
    assert spool.waiting(folder) == []


def test_a_spool_that_a_writer_has_open_waits_where_open_files_cannot_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daypack.doors.sessions.hooks.spool.MOVES_OPEN_FILES", False)
    folder = str(tmp_path / ".daypack")
    spool.append(folder, LINE)

    def refused(*paths: str) -> None:
        raise PermissionError(13, "The process cannot access the file", *paths)

    with monkeypatch.context() as windows:
        windows.setattr(os, "rename", refused)
        spool.take(folder)
    assert spool.waiting(folder) == [spool.EVENTS]
    spool.take(folder)
    assert [name.startswith("folding-") for name in spool.waiting(folder)] == [True]


VARIABLES = {"APPDATA": "/c/Roaming", "LOCALAPPDATA": "/c/Local"}


@pytest.mark.parametrize(
    ("platform", "variables", "settings", "state"),
    [
        ("linux", {}, "/h/.config/daypack", "/h/.local/state/daypack"),
        ("darwin", {}, "/h/.config/daypack", "/h/.local/state/daypack"),
        ("linux", {"XDG_CONFIG_HOME": "/x", "XDG_STATE_HOME": "/y"}, "/x/daypack", "/y/daypack"),
        ("win32", VARIABLES, "/c/Roaming/daypack", "/c/Local/daypack"),
        ("win32", {}, "/h/.config/daypack", "/h/.local/state/daypack"),
        ("linux", VARIABLES, "/h/.config/daypack", "/h/.local/state/daypack"),
    ],
)
def test_settings_and_state_stand_where_the_system_wants_them(
    platform: str, variables: dict[str, str], settings: str, state: str
) -> None:
    home = Path("/h")
    assert user_folder(variables, home, platform) == Path(settings)
    assert state_folder(variables, home, platform) == Path(state)
