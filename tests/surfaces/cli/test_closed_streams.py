"""Streams that the caller closed, a full device behind standard output, and places that take no file."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from daypack.errors import StoreReadOnly
from daypack.surfaces.http.listen import listening
from support import command, daypack, environment, project

FULL = Path("/dev/full")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path / "shop", {"tea.md": "# Tea\n\nTea is sold by weight.\n"})


def _with(
    redirection: str, *arguments: str, cwd: Path, before: str = "", **variables: str
) -> tuple[int, str, str]:
    done = subprocess.run(
        ["sh", "-c", f'{before} "$@" {redirection}', "sh", *map(os.fsdecode, command(*arguments))],
        cwd=cwd, env=environment(**variables), stdin=subprocess.PIPE, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("arguments", [("pack", "tea"), ("search", "tea"), ("status",), ("--help",)])
def test_a_closed_standard_output_is_one_line_on_standard_error(
    shop: Path, arguments: tuple[str, ...]
) -> None:
    daypack("add", ".", cwd=shop)
    status, _, said = _with(">&-", *arguments, cwd=shop)
    assert said == "daypack: standard output cannot be written (Bad file descriptor); write elsewhere\n"
    assert status == 3


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "arguments", [("pack", "tea"), ("status", "--json"), ("--version",), ("help", "all")]
)
def test_a_full_device_behind_standard_output_is_one_line(shop: Path, arguments: tuple[str, ...]) -> None:
    daypack("add", ".", cwd=shop)
    status, _, said = _with(f"> {FULL}", *arguments, cwd=shop)
    assert said.count("\n") == 1
    assert "standard output cannot be written (No space left on device)" in said
    assert status == 3


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", [("--help",), ("pack", "--help"), ("docs",), ("--version",)])
def test_help_on_a_full_device_is_one_line_where_python_does_not_buffer(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    status, _, said = _with(f"> {FULL}", *arguments, cwd=tmp_path, PYTHONUNBUFFERED="1")
    assert said == "daypack: standard output cannot be written (No space left on device); write elsewhere\n"
    assert status == 3


@pytest.mark.parametrize(
    "arguments", [("pack", "tea"), ("status",), ("mcp",), ("--store", "/tmp/none", "doctor")]
)
def test_a_working_folder_that_was_deleted_is_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "gone").mkdir()
    status, _, said = _with("", *arguments, cwd=tmp_path / "gone", before="rmdir ../gone;")
    assert said == "daypack: the working folder was deleted; change to another folder, and run this again\n"
    assert status == 2


def test_a_reader_that_has_enough_of_a_long_list_ends_it_without_a_word(shop: Path) -> None:
    lines = [json.dumps({"_id": number, "text": "tea " * 50}) for number in range(400)]
    daypack("docs", "load", "c", "-", cwd=shop, input="\n".join(lines).encode())
    for number in range(15):
        daypack("remember", f"tea/{number}", "sold by weight", cwd=shop)
    for words in (("docs", "dump", "c"), ("memory", "export"), ("export",)):
        for reader in ("| head -n 1", "| true"):
            status, shown, said = _with(reader, *words, cwd=shop)
            assert (status, said) == (0, ""), words
        assert shown == ""
        if FULL.exists():
            status, _, said = _with(f"> {FULL}", *words, cwd=shop)
            assert said.count("\n") == 1, said
            assert status == 3


def test_a_closed_standard_error_costs_no_answer(shop: Path) -> None:
    daypack("add", ".", cwd=shop)
    assert "sold by weight" in _with("2>&-", "pack", "tea", cwd=shop)[1]
    assert _with("2>&-", "pack", cwd=shop)[0] == 2


def test_a_closed_standard_input_is_empty(shop: Path) -> None:
    status, _, said = _with("<&-", "pack", "-", cwd=shop)
    assert (status, said) == (2, "daypack: the question is empty; see `daypack pack --help`\n")
    status, _, said = _with("<&-", "add", "-", "--name", "log", cwd=shop)
    assert "log was not added: empty" in said
    assert _with("<&-", "session", "capture", cwd=shop)[0] == 0


def test_settings_that_cannot_be_written_are_named(shop: Path) -> None:
    (shop / ".claude").write_text("a file in the place of the folder")
    said = daypack(
        "install", "--client", "claude-code", cwd=shop, status=3, env={"HOME": str(shop.parent)}
    ).stderr
    assert said.endswith("); nothing was changed: check its permissions, then run this again\n")
    assert f"daypack: {shop}/.claude/skills/daypack/SKILL.md cannot be written (" in said


def test_a_server_of_a_store_that_cannot_be_made_says_so(shop: Path) -> None:
    with pytest.raises(StoreReadOnly, match="store cannot be written; make it writable"):
        listening(shop / "tea.md" / "store", address="127.0.0.1", port=0, beyond=False, names=())
