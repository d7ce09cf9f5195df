"""The everyday world is well formed, and its measures say what they are named after."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from daypack.text.analysis import STOP_TERMS, terms
from evals.quality.everyday import report, world
from evals.quality.everyday.entries import Entry, parse
from evals.quality.everyday.measures import Answered, Item, answer_tokens, holds, is_called_weak, measures
from evals.quality.everyday.world import Gold, Passage, Question

DAY = datetime(2026, 9, 1, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return world.entries()


def text_of(gold: Gold, entries: list[Entry]) -> str:
    """Words of the record behind a gold item, as it was kept last."""
    of = [e for e in entries if e.door == gold.door and (e.key == gold.key or not gold.key)]
    if not gold.key:
        of = [e for e in of if gold.quote in e.text]
        assert len(of) == 1, gold
    last = of[-1]
    return last.text or " ".join(map(str, last.head.values()))


def test_every_gold_item_is_in_the_world_once(entries: list[Entry]) -> None:
    for question in world.questions():
        for gold in (one for fact in question.gold for one in fact):
            assert text_of(gold, entries).count(gold.quote) == 1 or not gold.quote, (question.id, gold)


def test_the_world_has_all_doors_and_the_questions_that_it_promises(entries: list[Entry]) -> None:
    questions = world.questions()
    assert len(entries) >= 600
    assert {entry.door for entry in entries} == set(world.DOORS.values())
    assert Counter(q.kind for q in questions) == {
        "single": 60, "multi": 40, "paraphrased": 40, "temporal": 20, "unanswerable": 40,
    }  # fmt: skip
    assert Counter(q.half for q in questions) == {"a": 100, "b": 100}
    assert all(bool(q.gold) == (q.kind != "unanswerable") for q in questions)
    assert all(len({fact[0].door for fact in q.gold}) > 1 for q in questions if q.kind == "multi")


def test_no_record_lies_in_the_future(entries: list[Entry]) -> None:
    assert max(entry.at for entry in entries) < world.NOW


def test_paraphrased_questions_share_no_word_with_their_answer(entries: list[Entry]) -> None:
    for question in (q for q in world.questions() if q.kind == "paraphrased"):
        for gold in (one for fact in question.gold for one in fact):
            text = text_of(gold, entries)
            start, end = world.around(text, text.index(gold.quote), lines=False) if gold.quote else (0, None)
            shared = {*terms(question.text)} & {*terms(text[start:end])}
            assert shared <= STOP_TERMS, (question.id, shared - STOP_TERMS)


def test_parse_reads_texts_and_rows() -> None:
    text = "### file a/b.md 2026-09-01\n# A\n\nx\n### records\nm k | 2026-09-01 | ana | x,y | said | done\n"
    with pytest.raises(ValueError, match="too many values"):
        list(parse(text, "t"))
    found = list(parse(text.replace(" | done", ""), "t"))
    assert found == [
        Entry("files", "a/b.md", DAY, "# A\n\nx\n", {"topic": "t"}),
        Entry("memories", "k", DAY, "said", {"author": "ana", "tags": "x,y"}),
    ]


@pytest.mark.parametrize(
    ("text", "quote", "lines", "wanted"),
    [
        ("# T\n\n## H\n\none\ntwo\n\nthree", "two", False, "## H\n\none\ntwo"),
        ("one\n\ntwo\n\nthree", "two", False, "two"),
        ("a\nb\nc\nd\n", "c", True, "b\nc\nd"),
        ("a\nb\n", "a", True, "a\nb"),
        ("a\nb", "b", True, "a\nb"),
    ],
)
def test_a_passage_is_a_block_with_its_heading_or_three_lines(
    text: str, quote: str, lines: bool, wanted: str
) -> None:
    start, end = world.around(text, text.index(quote), lines=lines)
    assert text[start:end] == wanted


def test_a_passage_needs_a_quote_that_stands_once() -> None:
    texts = {"a.md": "one one", "session:x/1": "hello"}
    assert world.passage(Gold("sessions", "", "hell"), texts) == Passage("session:x/1", 0, 5, (0, 5))
    with pytest.raises(LookupError, match="2 times"):
        world.passage(Gold("files", "a.md", "one"), texts)


def test_a_quote_is_held_whole_and_a_record_for_the_most_part() -> None:
    record, quoted = Passage("m", 0, 10, (0, 10)), Passage("f", 0, 10, (4, 6))
    assert holds([Item("m", 0, 3), Item("m", 5, 8)], record)
    assert not holds([Item("m", 0, 5)], record)
    assert holds([Item("f", 4, 6)], quoted)
    assert not holds([Item("f", 0, 5), Item("f", 5, 10)], quoted)


def test_measures_of_an_answer_and_of_a_question_without_one() -> None:
    texts = {"m": "abcdefghij", "n": "x" * 10}
    fact = [Passage("m", 0, 4, (0, 4))]
    items = [Item("n", 0, 10, 10), Item("m", 0, 10, 10)]
    answer = Answered([items[1]], items, 30)
    assert answer_tokens(items, [fact, fact], texts, len) == 4
    found = measures(answer, [fact], texts, len)
    assert (found["first found"], found["first packed"], found["gold packed"]) == (1, 0, 1)
    assert (found["answer share"], found["frame an item"], found["wrongly empty"]) == (0.2, 5, 0)
    assert measures(answer._replace(weak=True), [fact], texts, len)["wrongly weak"] == 1
    nothing = measures(Answered([], [], 7), [], texts, len)
    assert nothing == {"turned away": 1, "tokens": 7, "items": 0}
    assert measures(answer, [], texts, len)["turned away"] == 0
    assert measures(answer._replace(weak=True), [], texts, len)["turned away"] == 1


def test_an_answer_is_called_weak_before_its_first_item_only() -> None:
    assert is_called_weak("# Context for: x\nweak : nothing is near\n\nfirst", "first")
    assert not is_called_weak("# Context for: weak\n\nfirst weak", "first weak")


def test_means_keep_halves_and_kinds_apart_and_compare_pairs_both() -> None:
    gold = ((Gold("memories", "k"),),)
    questions = [
        Question("a-1", "a", "t", "single", "?", gold),
        Question("a-2", "a", "t", "unanswerable", "?", (), "far"),
        Question("b-1", "b", "t", "single", "?", gold),
    ]
    old = {name: {"tokens": 1.0} for name in ("a-1", "a-2", "b-1")}
    new = {name: {"tokens": 3.0} for name in old}
    found = report.means(questions, old)
    assert found["a"]["all"]["n"] == found["a"]["far"]["n"] == found["b"]["all"]["n"] == 1
    runs = [report.results(questions, {"daypack": rows}, {}) for rows in (new, old)]
    assert "b-1" not in runs[0]["questions"]
    lines = list(report.compared(questions, runs[0], runs[1], "daypack"))
    assert {line.split()[0] for line in lines} == {"a", "b"}
    assert all("+2.000" in line for line in lines)
