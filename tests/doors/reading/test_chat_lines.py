"""Chats as WhatsApp exports them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.chats.lines import render_chat_lines
from support import WORDS

SAID = ["The crane comes on Friday.", "ok", "who tells Bo?"]


def export(form: str, days: list[int]) -> str:
    return "\n".join(
        form.format(day=day, said=said) for day, said in zip(days, SAID * len(days), strict=False)
    )


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("{day:02}/03/2026, 09:14 - Ida: {said}", "Ida, 12 Mar 2026 09:14: "),
        ("\u200e[{day:02}.03.26, 19:06:02] Ida: {said}", "Ida, 12 Mar 2026 19:06:02: "),
        ("[3/{day}/26, 9:14:02\u202fPM] Ida: {said}", "Ida, 12 Mar 2026 21:14:02: "),
        ("3/{day}/26, 12:14 AM - Ida: {said}", "Ida, 12 Mar 2026 00:14: "),
        ("{day}/3/26, 9:14 p. m. - Ida: {said}", "Ida, 12 Mar 2026 21:14: "),
        ("2026-03-{day:02} 09.14 - Ida: {said}", "Ida, 12 Mar 2026 09:14: "),
        ("2026. 03. {day:02}. 9:14 - Ida: {said}", "Ida, 12 Mar 2026 09:14: "),
        ("{day:02}-03-2026 09:14 - \u202a+49 171 5550\u202c: {said}", "+49 171 5550, 12 Mar 2026 09:14: "),
    ],
)
def test_each_message_says_who_and_when_in_any_form(form: str, shown: str) -> None:
    text = render_chat_lines(export(form, [12, 13, 14]))
    assert text is not None
    assert text.split("\n")[0] == shown + SAID[0]


def test_the_order_of_the_messages_tells_the_day_from_the_month() -> None:
    text = render_chat_lines("1/2/26, 9:14 - Ida: a\n1/3/26, 9:14 - Ida: b\n2/1/26, 9:14 - Ida: c")
    assert text is not None
    assert text.startswith("Ida, 2 Jan 2026 09:14: a\n")


def test_a_date_that_fits_two_days_stays_as_it_is_written() -> None:
    text = render_chat_lines("1/2/26, 9:14 - Ida: a\n1/2/26, 9:15 - Ida: b")
    assert text == "Ida, 1/2/26 09:14: a\nIda, 1/2/26 09:15: b"


def test_further_lines_and_notices_keep_their_places() -> None:
    lines = [
        "12/03/2026, 09:14 - Bo added Ida",
        "12/03/2026, 09:15 - Ida: The list:",
        "# ropes",
        "",
        "13/03/2026, 09:15 - Bo: ok\r",
    ]
    assert (render_chat_lines("\n".join(lines)) or "").split("\n") == [
        "12 Mar 2026 09:14: Bo added Ida",
        "Ida, 12 Mar 2026 09:15: The list:",
        "\\# ropes",
        "",
        "Bo, 13 Mar 2026 09:15: ok",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12/03/2026, 09:14 - Ida: one message",
        "The crane comes.\n12/03/2026, 09:14 - Ida: a\n12/03/2026, 09:15 - Ida: b",
        "12/03/2026, 09:14 - started\n12/03/2026, 09:15 - stopped\n12/03/2026, 09:16 - started: again",
        "12/03/2026, 09:14 - a: b\n12/03/2026, 09:15 - a: b\n" + "and a long text\n" * 30,
    ],
)
def test_other_text_is_no_chat(text: str) -> None:
    assert render_chat_lines(text) is None


@given(st.lists(st.text(alphabet="0123456789/.:,[] -aApPmM\u202f\n", max_size=40), max_size=5))
def test_any_lines_are_a_chat_or_none(lines: list[str]) -> None:
    text = "12/03/2026, 09:14 - Ida: a\n99/99/9999, 99:99 - Ida: b\n" + "\n".join(lines)
    found = render_chat_lines(text)
    assert found is None or found.count("\n") == text.count("\n")


def test_a_message_is_found_with_its_author_and_its_day_at_its_line(tmp_path: Path) -> None:
    said = ["in the office", "ok", "the train is late", "who picks up Leo?"]
    lines = [f"{n // 4 + 1}/5/26, 10:0{n % 6} - Bo: {said[n % 4]}" for n in range(100)]
    lines[50] = "13/5/26, 21:36 - Ida: The knee of Oma is operated on by Dr. Osei on 4 June at 08:15"
    (tmp_path / "Chat.txt").write_text("\n".join(lines))
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path / "Chat.txt")
        found = dp.pack("when is the knee of Oma operated on?", budget=120, vectors="none").text
        assert (
            "Ida, 13 May 2026 21:36: The knee of Oma is operated on by Dr. Osei on 4 June at 08:15" in found
        )
        assert dp.get("Chat.txt:51").text.startswith("Ida, 13 May 2026 21:36")
