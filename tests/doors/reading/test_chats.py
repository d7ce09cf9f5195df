"""Chats as Slack, Telegram and Discord export them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.chats.exports import render_chat
from support import WORDS


def slack(text: str, who: str = "Ida Holm", at: str = "1793693700.000200") -> dict[str, Any]:
    blocks = [{"type": "rich_text", "elements": [{"type": "text", "text": text}]}]
    return {
        "type": "message",
        "user": "U01",
        "user_profile": {"real_name": who},
        "ts": at,
        "text": text,
        "blocks": blocks,
    }


TELEGRAM = {
    "name": "Quay",
    "type": "private_group",
    "id": 7,
    "messages": [
        {"id": 1, "type": "service", "date": "2026-11-03T08:00:00", "actor": "Bo", "action": "create_group"},
        {"id": 2, "type": "message", "date": "2026-11-03T08:15:00", "from": "Bo", "text": "The crane comes."},
        {
            "id": 3,
            "type": "message",
            "date": "2026-11-03T08:16:00",
            "from": "Ida",
            "text": ["See ", {"type": "bold", "text": "the plan"}, "."],
        },
    ],
}
DISCORD = {
    "guild": {"name": "Harbour"},
    "channel": {"name": "cranes"},
    "messages": [
        {
            "id": "1",
            "timestamp": "2026-11-03T10:15:00+02:00",
            "author": {"name": "bo", "nickname": "Bo"},
            "content": "Friday",
        }
    ],
}


def text_of(data: object) -> str:
    found = render_chat(json.dumps(data, indent=1))
    assert found is not None
    return found.text


def test_a_chat_of_slack_says_each_text_once_with_who_and_when() -> None:
    joined = {"type": "message", "subtype": "channel_join", "ts": "1793693701.0", "user": "U02", "text": ""}
    said = [slack("The crane &amp; the lift:\n# come <https://example.org/f|on Friday>"), joined]
    assert text_of(said) == (
        "Ida Holm, 3 Nov 2026 08:15 UTC: The crane & the lift:\n\\# come on Friday (https://example.org/f)\n"
    )


def test_a_user_of_slack_has_the_name_that_another_message_of_the_file_says() -> None:
    named = {**slack("The crane comes."), "user": "U01"}
    unnamed = {
        "type": "message",
        "user": "U01",
        "ts": "1793693760.0",
        "text": "Ask <@U01> or <@U09> in <#C1|quay>",
    }
    other = {**unnamed, "user": "U09", "ts": "1793693820.0", "text": "see <@U07|bo> &lt;@here&gt;"}
    assert text_of([named, unnamed, other]) == (
        "Ida Holm, 3 Nov 2026 08:15 UTC: The crane comes.\n\n"
        "Ida Holm, 3 Nov 2026 08:16 UTC: Ask @Ida Holm or @U09 in #quay\n\n"
        "U09, 3 Nov 2026 08:17 UTC: see @bo <@here>\n"
    )


def test_chats_of_telegram_and_discord_have_their_names() -> None:
    assert text_of(TELEGRAM) == (
        "# Quay\n\nBo, 3 Nov 2026 08:15: The crane comes.\n\nIda, 3 Nov 2026 08:16: See the plan.\n"
    )
    assert text_of(DISCORD) == "# cranes\n\nBo, 3 Nov 2026 08:15 UTC: Friday\n"


@pytest.mark.parametrize(
    "data",
    [
        {"messages": {"hello": "Hello", "ts": "1"}},
        {"messages": [{"role": "user", "content": "hello"}]},
        {"messages": []},
        [{"ts": 5, "value": 3}, {"ts": 6, "value": 4}],
        [{"type": "message", "text": "no time", "ts": None}],
    ],
)
def test_other_json_is_no_chat(data: object) -> None:
    assert render_chat(json.dumps(data)) is None


_VALUES = (
    st.none() | st.booleans() | st.text(max_size=9) | st.sampled_from(["message", "1793693700.1", "9" * 40])
)
_ITEMS = st.dictionaries(
    st.sampled_from(["type", "ts", "text", "from", "date", "author", "content"]), _VALUES
)


@given(st.lists(_ITEMS | _VALUES, max_size=4), st.booleans())
def test_any_json_is_a_chat_or_none(items: list[Any], held: bool) -> None:
    found = render_chat(json.dumps({"type": "x", "messages": items} if held else [slack("a"), *items]))
    assert found is None or found.text.endswith("\n")


def test_a_message_is_found_with_its_author_and_its_day(tmp_path: Path) -> None:
    folder = tmp_path / "export" / "quay"
    folder.mkdir(parents=True)
    said = [slack(f"Nothing new about the hull of boat {n}.") for n in range(40)]
    said.insert(20, slack("The staging crane restarts every night at 3:15.", who="Yuki Tan"))
    (folder / "2026-11-03.json").write_text(json.dumps(said, indent=4))
    with Daypack.open(tmp_path / "store", root=tmp_path / "export", settings=WORDS) as dp:
        dp.files.add(tmp_path / "export")
        found = dp.pack("when does the staging crane restart?", budget=150, vectors="none").text
    assert "Yuki Tan, 3 Nov 2026 08:15 UTC: The staging crane restarts every night at 3:15." in found


def test_a_chat_of_messenger_has_its_letters_and_names() -> None:
    """Its export writes each byte of UTF-8 as a character."""
    messages = [
        {
            "sender_name": "Ren\u00c3\u00a9e Ott",
            "timestamp_ms": 1793693700000,
            "content": "Sp\u00c3\u00a4ter \u00e2\u009a\u0093",
        },
        {"sender_name": "Ida Holm", "timestamp_ms": 1793693640000, "photos": []},
        {"sender_name": "Ida Holm", "timestamp_ms": 1793693640000, "content": "Mañana"},
    ]
    data = {"participants": [], "messages": messages, "title": "Ren\u00c3\u00a9e Ott", "magic_words": []}
    assert text_of(data) == (
        "# Renée Ott\n\nRenée Ott, 3 Nov 2026 08:15 UTC: Später ⚓\n\nIda Holm, 3 Nov 2026 08:14 UTC: Mañana\n"
    )


def test_a_chat_of_google_has_names_and_times() -> None:
    when = "Tuesday, November 3, 2026 at 8:15:00\u202fPM UTC"
    message = {"creator": {"name": "Ida Holm"}, "created_date": when, "text": "The crane comes."}
    assert text_of({"messages": [message]}) == "Ida Holm, 3 Nov 2026 20:15 UTC: The crane comes.\n"
