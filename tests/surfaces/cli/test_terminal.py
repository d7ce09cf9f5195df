"""What a terminal gets beside the text: colour, a pager, progress. A pipe gets none of it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from daypack.surfaces.cli import terminal
from daypack.surfaces.cli.main import cli
from support import command, daypack, environment, on_a_terminal, project

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    pages = {f"docs/page-{n}.md": f"# Page {n}\n\nTea number {n} is green.\n" for n in range(40)}
    return project(tmp_path / "shop", pages)


def test_a_short_answer_has_colour_and_no_pager(shop: Path) -> None:
    shown = on_a_terminal("search", "tea", "--limit", "2", cwd=shop, PAGER="false")
    assert "\x1b[36mdocs/page-" in shown
    plain = on_a_terminal("search", "tea", "--limit", "2", cwd=shop, PAGER="false", NO_COLOR="1")
    assert ESCAPE.search(plain) is None
    assert " 1. docs/page-" in plain


def test_a_stored_text_does_not_drive_a_terminal_and_reaches_a_pipe_as_it_is(shop: Path) -> None:
    driving = "hello \x1b]0;pwn\x07 C:\\kangaroo\r\nand on\n"
    (shop / "e.md").write_bytes(driving.encode())
    daypack("add", ".", cwd=shop)
    daypack("remember", "c", driving, cwd=shop)
    daypack("docs", "insert", "d", '[{"_id": 1, "text": "\u200b"}]', cwd=shop)
    for words in (("get", "e.md"), ("recall", "c"), ("docs", "dump", "d")):
        shown = on_a_terminal(*words, cwd=shop, NO_COLOR="1")
        assert shown.replace("\r\n", "\n").replace("\n", "").isprintable(), shown
    assert r"hello \u{1B}]0;pwn\u{7} C:\kangaroo" in on_a_terminal("get", "e.md", cwd=shop)
    piped = subprocess.run(
        command("get", "e.md"), cwd=shop, env=environment(), capture_output=True, check=True
    )
    assert piped.stdout == driving.encode()


def test_a_long_answer_is_handed_to_the_pager_that_is_named(shop: Path) -> None:
    assert "lines 81" in on_a_terminal(
        "search", "tea", "--limit", "40", cwd=shop, PAGER="""awk 'END {print "lines", NR + 1}'"""
    )
    for variables in ({"NO_PAGER": "1", "PAGER": "false"}, {"PAGER": ""}):
        assert " 40. docs/page-" in ESCAPE.sub(
            "", on_a_terminal("search", "tea", "--limit", "40", cwd=shop, **variables)
        ).replace("\n40.", "\n 40.")


def test_the_whole_name_of_a_result_is_painted_also_where_it_has_blanks() -> None:
    text = " 1. notes/The  blue notebook.md:3-6  0.455  (untrusted)  Tides\n    a line\n 2. a.md:1-2  1.000\n"
    assert terminal.painted(text, "results") == (
        " 1. \x1b[36mnotes/The  blue notebook.md:3-6\x1b[0m  0.455  (untrusted)  Tides\n    a line\n"
        " 2. \x1b[36ma.md:1-2\x1b[0m  1.000\n"
    )


def test_what_is_quoted_in_fences_keeps_its_colour() -> None:
    text = "[1 a.md:1-3 @123]\n````\n[9 not ours]\n```\n[2 x]\n````\n[3 :4]\n# prose\n"
    assert terminal.painted(text, "pack") == text.replace(
        "[1 a.md:1-3 @123]", "\x1b[36m[1 a.md:1-3 @123]\x1b[0m"
    ).replace("[3 :4]", "\x1b[36m[3 :4]\x1b[0m")
    assert terminal.painted(text, "") == text


def test_headers_in_a_fence_that_texts_share_have_their_colour() -> None:
    text = "Prose.\n\n```\n[1 a.py:1 @123]\nx\n\n[2 :4]\ny\n```\n\n[3 b.md:1 @123]\n```\n[4 z]\n```\n"
    painted = terminal.painted(text, "pack")
    assert [line for line in painted.split("\n") if "\x1b[36m" in line] == [
        f"\x1b[36m{line}\x1b[0m" for line in ("[1 a.py:1 @123]", "[2 :4]", "[3 b.md:1 @123]")
    ]


def test_a_bar_appears_after_a_second_with_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    bar = terminal._Bar("embedding")
    bar.step(1, 100)
    assert capsys.readouterr().err == ""
    now[0] = 2.0
    bar.step(50, 100)
    bar._shown.refresh()
    columns = bar._shown.get_renderable()
    bar.close()
    (task,) = bar._shown.tasks
    assert (task.completed, task.total, task.fields["rate"]) == (50, 100, "25/s")
    assert columns is not None


def test_a_terminal_shows_how_far_the_first_reading_of_relations_is(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "till.py").write_text("def ring():\n    return count()\n\n\ndef count():\n    return 1\n")
    monkeypatch.chdir(shop)
    monkeypatch.setattr(terminal, "PATIENCE", -1.0)
    monkeypatch.setattr(terminal.sys.stderr, "isatty", lambda: True)
    shown = []
    for words in (["add", "."], ["code", "callers", "count"], ["code", "callers", "count"]):
        cli.main(words, standalone_mode=False)
        shown.append(ESCAPE.sub("", capsys.readouterr().err))
    assert ["reading relations" in err for err in shown] == [False, True, False]


@pytest.mark.parametrize("quiet", [False, True])
def test_a_pipe_sees_no_bar(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    terminal.be_quiet(quiet)
    try:
        with terminal.progress("indexing") as step:
            assert step is None
        assert capsys.readouterr().err == ""
    finally:
        terminal.be_quiet(False)
