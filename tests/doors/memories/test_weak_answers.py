"""A question that the memories do not answer gets the nearest ones with the same warning as in any other answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack, tokens
from daypack.doors.memories.serialize import answer_to_dict, block_to_dict
from daypack.doors.memories.types import Ordering
from daypack.shapes.memory_block import BlockItem, fitted
from daypack.types import Tokenizer
from support import daypack

QUESTION = "Which horses of the house drink tea?"
WARNING = "Weak answer: the store says nothing about “horses”, “drink”; these are the nearest texts."


@pytest.fixture
def tea(dp: Daypack) -> Daypack:
    dp.memories.remember("opening/hours", "The tea house opens at nine and closes at six.")
    dp.memories.remember("opening/key", "The key of the house hangs behind the green door.")
    dp.memories.remember("stock/green", "Green tea is ordered from Uji and arrives by post.")
    return dp


@pytest.mark.parametrize("ordering", [ordering.value for ordering in Ordering])
def test_a_block_begins_with_the_warning(tea: Daypack, ordering: str) -> None:
    block = tea.memories.pack(QUESTION, ordering=ordering)
    assert block.stats.weak
    assert block.memories
    assert block.text.split("\n")[1] == f"_{WARNING}_"
    assert block.tokens_used == tokens.counter(Tokenizer.APPROX)(block.text)
    assert f"~{block.tokens_used} tokens)" in block.text
    assert block_to_dict(block)["weak"] is True
    sure = tea.memories.pack("when does the tea house open?", ordering=ordering)
    assert "Weak" not in sure.text
    assert "weak" not in block_to_dict(sure)


def test_a_search_says_which_words_no_memory_has(tea: Daypack) -> None:
    found = answer_to_dict(tea.memories.search(QUESTION))
    assert [*found][:3] == ["query", "weak", "unknown"], "the warning stands before the hits"
    assert (found["weak"], found["unknown"]) == (True, ["horses", "drink"])
    assert found["hits"]
    assert "weak" not in answer_to_dict(tea.memories.search("when does the tea house open?"))


def test_memories_beside_another_are_no_weak_answer(tea: Daypack) -> None:
    tea.memories.remember("horses", "Horses of neighbours graze beside it.")
    assert not tea.memories.related("horses").stats.weak


def test_a_terminal_shows_the_warning(tea: Daypack) -> None:
    folder = tea.engine.store.folder.parent
    for verb in ("search", "pack"):
        shown = daypack(
            "memory", verb, QUESTION, "--owner", "ana", "--project", "pay", "--vectors", "none", cwd=folder
        )
        assert WARNING in shown.stdout + shown.stderr, verb


@given(
    st.lists(st.text("ab \n", min_size=1, max_size=60), min_size=1, max_size=6),
    st.integers(1, 400),
    st.sampled_from([Tokenizer.APPROX, Tokenizer.CHARS, Tokenizer.O200K]),
)
def test_the_warning_takes_the_place_of_no_memory_that_would_be_the_only_one(
    values: list[str], limit: int, tokenizer: Tokenizer
) -> None:
    items = [BlockItem(f"k{n}", value) for n, value in enumerate(values)]
    count = tokens.counter(tokenizer)
    plain = fitted("topic", items, limit, count)
    warned = fitted("topic", items, limit, count, warning=WARNING)
    assert count(warned.text) <= limit
    assert bool(warned.chosen) == bool(plain.chosen)
