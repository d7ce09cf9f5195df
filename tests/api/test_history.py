"""A follow-up question is answered with the messages before it, through every way to ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import InputError
from support import daypack, project

FILES = {
    "fees.py": "def round_fee(cents: float) -> int:\n    return int(cents)\n",
    "billing.py": "from fees import round_fee\n\n\ndef bill(cents: float) -> str:\n    return f'{round_fee(cents)} cents'\n",
    **{f"pier{n}.py": f"def sail{n}() -> str:\n    return 'called at pier {n}'\n" for n in range(30)},
}
BEFORE = [
    {"role": "user", "content": "How are fees rounded?"},
    {"role": "assistant", "content": "`round_fee` cuts the part of a cent off."},
]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path / "shop", FILES)


def test_search_and_pack_read_the_messages_before_a_follow_up(shop: Path) -> None:
    with Daypack.open(shop / ".daypack") as dp:
        dp.files.add(shop)
        found = dp.search("who calls it?", history=BEFORE)
        assert found.candidates[0].chunk.uri == "billing.py"
        assert dp.pack("who calls it?", budget=300, history=BEFORE).excerpts[0].citation.uri == "billing.py"
        assert dp.search("who calls it?").candidates[:1] != found.candidates[:1]


def test_a_complete_question_gets_the_same_answer_in_any_conversation(shop: Path) -> None:
    question = "Which function says that a ship called at pier 7?"
    with Daypack.open(shop / ".daypack") as dp:
        dp.files.add(shop)
        assert (
            dp.pack(question, budget=300, history=BEFORE).text
            == dp.pack(question, budget=300, history=[]).text
            == dp.pack(question, budget=300).text
        )


def test_what_does_not_read_the_messages_says_so(shop: Path) -> None:
    with Daypack.open(shop / ".daypack") as dp:
        dp.files.add(shop)
        with pytest.raises(InputError, match="leave out `ranking`"):
            dp.search("who calls it?", ranking="ctx", history=BEFORE)
        with pytest.raises(InputError, match="leave one out"):
            dp.pack("round_fee", task="uses", history=BEFORE)
        with pytest.raises(InputError, match="list of messages"):
            dp.pack("who calls it?", history="How are fees rounded?")  # type: ignore[arg-type]


def test_the_command_line_takes_each_message_with_its_own_option(shop: Path) -> None:
    history = ["--history", "How are fees rounded?", "--history", "assistant: round_fee cuts them"]
    assert "1. billing.py:" in daypack("search", "who calls it?", *history, "-n", "1", cwd=shop).stdout
    assert "round_fee(cents)" in daypack("pack", "who calls it?", *history, "-b", "200", cwd=shop).stdout
