"""Golden rankings: questions of every kind to one small corpus, each with the answer that it should find.

    python -m pytest tests/golden_rankings --update-golden      rewrites tests/golden/ranking; a change of ranking is reviewed as its diff

The corpus is examples/pay, a conversation about it and a few notes. Words are embedded by hashing and the
clock stands still, so the same program gives the same files on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from daypack import Daypack
from daypack.types import Candidate, EmptyReason, QueryKind, SearchResult
from support import TESTS, WORDS, copy_of_pay

NOW = datetime(2026, 11, 4, 12, tzinfo=UTC)  # a Wednesday
SHOWN = 5


# ---------------------------------------------------------------- the corpus


def turn(id: str, day: str, author: str, text: str) -> dict[str, Any]:
    time = datetime.fromisoformat(f"{day}+00:00").timestamp()
    return {
        "id": id,
        "session": id.partition("/")[0],
        "author": author,
        "time": time,
        "text": text,
        "kind": "event",
    }


RECORDS: list[dict[str, Any]] = [
    turn(
        "outage/1",
        "2026-10-14T10:05",
        "Dana",
        "northbank answers nothing but 503 since ten. I see our own retries making it worse.",
    ),
    turn(
        "outage/2",
        "2026-10-14T10:07",
        "Milo",
        "Should I pause the worker? Support has forty tickets already.",
    ),
    turn(
        "outage/3",
        "2026-10-14T10:24",
        "Dana",
        "Paused it. We wait until their status page is green, then I resume it by hand.",
    ),
    turn(
        "outage/4",
        "2026-10-14T10:40",
        "Ines",
        "Next time this must not need a human. I will write up a limit for all retries together.",
    ),
    turn(
        "planning/1",
        "2026-10-28T09:00",
        "Ines",
        "Can we drop the second amount check? It costs a row lock for every partial refund.",
    ),
    turn(
        "planning/2",
        "2026-10-28T09:04",
        "Milo",
        "No: two agents refunded the same charge in March, and only the lock caught it.",
    ),
    turn(
        "planning/3",
        "2026-10-28T09:10",
        "Ines",
        "Then we keep the lock, and raise the limit for refunds without approval from 200 to 500 euros.",
    ),
    turn("planning/4", "2026-10-28T09:12", "Dana", "Fine with me. I tell support."),
    turn(
        "standup/1",
        "2026-11-03T09:00",
        "Milo",
        "quickpay lookups take forty seconds again, I opened a ticket with them.",
    ),
    turn(
        "standup/2",
        "2026-11-03T09:03",
        "Dana",
        "I would like to move the nightly reconciliation to six in the morning.",
    ),
    {
        "id": "notes/tone",
        "kind": "memory",
        "text": "Answers to merchants never name the bank behind a payment.",
    },
    {
        "id": "notes/ja",
        "kind": "memory",
        "text": "日本の加盟店では、返金の上限は一日あたり三十万円です。上限を超える場合は承認が必要です。",
    },
    {
        "id": "notes/travel",
        "kind": "memory",
        "text": "The team meets in Lisbon in the second week of January; book trains early.",
    },
]

TRACE = """Traceback (most recent call last):
  File "/srv/app/src/pay/refunds.py", line 66, in send
    call_with_retry(lambda: provider.refund(refund.charge_id, refund.cents, key=refund.idempotency_key), policy)
  File "/srv/app/src/pay/retry.py", line 47, in call_with_retry
    raise AssertionError("a policy has at least one attempt")
AssertionError: a policy has at least one attempt
"""
TRACE_OF_OURS = """Traceback (most recent call last):
  File "/srv/app/support/views.py", line 88, in post
    refund = refunds.request(ledger, refund)
  File "/srv/app/src/pay/refunds.py", line 55, in request
    raise OverRefund(f"{refund.charge_id}: {left} cents are left")
pay.refunds.OverRefund: ch_1: 200 cents are left, 500 were asked for
"""


# ---------------------------------------------------------------- the questions


@dataclass(frozen=True)
class Question:
    """`target` is (uri, words of the chunk) of what should come first; None where nothing should come."""

    name: str
    text: str
    kind: QueryKind
    target: tuple[str, str] | None
    empty: EmptyReason | None = None


NATURAL, TEMPORAL = QueryKind.NATURAL, QueryKind.TEMPORAL
QUESTIONS = [
    Question("identifier", "call_with_retry", QueryKind.IDENTIFIER, ("src/pay/retry.py", "def call_with_retry")),
    Question("identifier-qualified", "RetryBudget.Allow", QueryKind.IDENTIFIER, ("worker/budget.go", "func (b *RetryBudget) Allow")),
    Question("identifier-in-a-question", "what does statusLabel show for attempts_exhausted?", NATURAL, ("web/src/refundStatus.ts", "function statusLabel")),
    Question("path", "config/retry.yaml", QueryKind.PATH, ("config/retry.yaml", "attempts: 5")),
    Question("path-and-line", "src/pay/refunds.py:55", QueryKind.PATH, ("src/pay/refunds.py", "def request")),
    Question("quoted", '"jitter matters"', QueryKind.QUOTED, ("docs/retries.md", "The jitter matters")),
    Question("trace", TRACE, QueryKind.ERROR, ("src/pay/retry.py", "def call_with_retry")),
    # no "Error" in its name: read as prose
    Question("trace-of-ours", TRACE_OF_OURS, NATURAL, ("src/pay/refunds.py", "def request")),
    Question("natural-why", "why is a refund that timed out not paid twice?", NATURAL, ("docs/refunds.md", "is not paid twice")),
    Question("natural-what-to-do", "what do I do when refunds are stuck?", NATURAL, ("docs/runbook.md", "refunds stuck in `sent`")),
    Question("natural-code", "function that gives the seconds to wait between two attempts", NATURAL, ("src/pay/retry.py", "def delay")),
    Question("natural-fact", "how long do providers keep idempotency keys?", NATURAL, ("docs/retries.md", "Providers keep keys for 24 hours")),
    Question("natural-table", "share of refunds that failed because the card account was closed", NATURAL, ("data/refund_reasons.csv", "card_closed")),
    Question("natural-notebook", "what is the long tail of refund delays made of?", NATURAL, ("notebooks/refund_delays.ipynb", "What the tail is made of")),
    Question("natural-decision", "why one key for each refund and not one for each attempt?", NATURAL, ("docs/decisions/0003-idempotency-keys.md", "One key for each refund")),
    Question("natural-note", "may I tell a merchant which bank it was?", NATURAL, ("notes/tone", "never name the bank")),
    Question("temporal-week", "what was decided last week about the limit for refunds?", TEMPORAL, ("planning/3", "from 200 to 500")),
    Question("temporal-yesterday", "what did Dana want to move yesterday?", TEMPORAL, ("standup/2", "nightly reconciliation")),
    Question("author", "what did Ines say about approval of refunds?", NATURAL, ("planning/3", "without approval")),
    Question("typo", "exponental bakoff with jiter", NATURAL, ("docs/retries.md", "The wait before attempt")),
    Question("cjk", "返金の上限はいくらですか", NATURAL, ("notes/ja", "三十万円")),
    Question("tests", "which test checks that a refusal is not tried again?", NATURAL, ("tests/test_retry.py", "def test_a_refusal_is_not_tried_again")),
    Question("nothing-relevant", "sourdough bread recipe with rye flour", NATURAL, None, EmptyReason.NOTHING_RELEVANT),
    Question("missing-anchor", "ChargebackQueue", QueryKind.IDENTIFIER, None, EmptyReason.ANCHOR_NOT_FOUND),
]  # fmt: skip


# ---------------------------------------------------------------- ask them all

ARMS = {"words alone": "none", "words and hashed vectors": "all"}
Answers = Mapping[str, Mapping[str, SearchResult]]
"""Arm → name of the question → its answer."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder = copy_of_pay(tmp_path_factory.mktemp("ranking"))
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=NOW.timestamp) as daypack:
        daypack.files.add(folder)
        daypack.records.add(RECORDS)
        daypack.embed()
        return {
            arm: {
                question.name: daypack.search(question.text, limit=200, vectors=vectors)
                for question in QUESTIONS
            }
            for arm, vectors in ARMS.items()
        }


def is_target(candidate: Candidate, question: Question) -> bool:
    return (
        question.target is not None
        and candidate.chunk.uri == question.target[0]
        and question.target[1] in candidate.chunk.text
    )


def rank_of(question: Question, answer: SearchResult) -> int | None:
    """Of the target, 1-based; None where it was not found."""
    return next(
        (rank for rank, candidate in enumerate(answer.candidates, 1) if is_target(candidate, question)), None
    )


def described(question: Question, answers: Answers) -> str:
    """A question with its answers, for a reader."""
    by_words = answers["words alone"][question.name]
    lines = [
        *(
            f"{'' if number else 'Query':<8} {line}".rstrip()
            for number, line in enumerate(question.text.splitlines())
        ),
        f"Kind     {by_words.stats.query_kind.value}",
        f'Target   {question.target[0]}, "{question.target[1]}"'
        if question.target
        else "Target   none: nothing should be found",
    ]
    if by_words.corrections_text:
        lines.append(f"Repaired {by_words.corrections_text}")
    if by_words.stats.anchors_missing:
        lines.append(f"Missing  {', '.join(by_words.stats.anchors_missing)}")
    for arm in ARMS:
        answer = answers[arm][question.name]
        rank = f"rank {rank_of(question, answer) or '-'} of {len(answer.candidates)}"
        lines += ["", f"By {arm}: {answer.empty_reason.value if answer.empty_reason else rank}"]
        for rank, candidate in enumerate(answer.candidates[:SHOWN], 1):
            chunk = candidate.chunk
            mark = " <- target" if is_target(candidate, question) else ""
            lines.append(
                f"{rank}. {candidate.score:.3f}  {chunk.uri}:{chunk.span.start_line}-{chunk.span.end_line}  {chunk.name}".rstrip()
                + mark
            )
            lines.append(
                "      " + ", ".join(f"{part.signal} {part.share:+.3f}" for part in candidate.contributions)
            )
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- compare


NUMBER = re.compile(r"-?\d\.\d{3}\b")


def settled(name: str, text: str) -> str:
    """The text, or the golden file where nothing but last digits differ: processors round the last bit of a
    sum as they like.
    """
    path = TESTS / "golden" / name
    if not path.exists():
        return text
    kept = path.read_text(encoding="utf-8")
    pairs = zip(NUMBER.findall(kept), NUMBER.findall(text), strict=False)
    alike = NUMBER.sub("#", kept) == NUMBER.sub("#", text) and all(
        abs(float(one) - float(other)) < 0.0011 for one, other in pairs
    )
    return kept if alike else text


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_a_question_is_ranked_as_it_was(
    answers: Answers, golden: Callable[[str, str], None], question: Question
) -> None:
    name = f"ranking/{question.name}.txt"
    golden(name, settled(name, described(question, answers)))
    by_words = answers["words alone"][question.name]
    assert by_words.stats.query_kind is question.kind
    assert by_words.empty_reason is question.empty


def test_how_well_all_questions_are_answered_together(
    answers: Answers, golden: Callable[[str, str], None]
) -> None:
    asked = [question for question in QUESTIONS if question.target]
    lines = []
    for arm in ARMS:
        ranks = {question.name: rank_of(question, answers[arm][question.name]) for question in asked}
        first, among_five = (
            sum(rank is not None and rank <= cutoff for rank in ranks.values()) for cutoff in (1, 5)
        )
        lines += [
            f"By {arm}",
            f"recall@1: {first} of {len(asked)} ({first / len(asked):.0%})",
            f"recall@5: {among_five} of {len(asked)} ({among_five / len(asked):.0%})",
            f"mrr: {sum(1 / rank for rank in ranks.values() if rank) / len(asked):.6f}",
            *(f"{rank or '-':>5}  {name}" for name, rank in ranks.items()),
            "",
        ]
    golden("ranking/rank_stats.txt", "\n".join(lines))


def test_every_golden_file_belongs_to_a_question() -> None:
    kept = {path.stem for path in (TESTS / "golden" / "ranking").glob("*.txt")}
    assert kept <= {"rank_stats", *(question.name for question in QUESTIONS)}


@pytest.mark.parametrize("arm", ARMS)
def test_plain_questions_find_their_answer_among_the_first_three(answers: Answers, arm: str) -> None:
    """A smoke alarm, not a benchmark: below it, something is broken."""
    asked = [question for question in QUESTIONS if question.target and question.name.startswith("natural")]
    missed = [
        question.name for question in asked if (rank_of(question, answers[arm][question.name]) or SHOWN) > 3
    ]
    assert len(missed) <= len(asked) / 5, missed


def test_the_shares_of_every_candidate_add_up_to_its_score(answers: Answers) -> None:
    for answer in (answer for arm in answers.values() for answer in arm.values()):
        for candidate in answer.candidates:
            assert sum(part.share for part in candidate.contributions) == pytest.approx(
                candidate.score, abs=1e-5
            )


def test_every_target_stands_in_the_corpus(answers: Answers) -> None:
    """The pool holds the whole of so small a corpus, so a target that nobody finds is a slip of the pen here."""
    found = answers["words and hashed vectors"]
    assert [
        question.name
        for question in QUESTIONS
        if question.target and rank_of(question, found[question.name]) is None
    ] == []
