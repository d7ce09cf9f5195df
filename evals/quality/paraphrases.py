"""python -m evals.quality.paraphrases [--vectors auto|all|none] [--budget 500] [--curve]

150 facts in all doors of one fresh store, asked in other words, and 150 questions that the store cannot answer
(`paraphrases.jsonl`, written before anything was tuned on them). Prints how many of the first have their fact in the
pack, how many of the second get the empty answer or are called weak, and the same for the first ten facts in a store of their own.

With --curve: both rates by the cosine below which an answer is called irrelevant.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.doors.sources.types import SourceDraft, SourceScope
from daypack.rank import chance
from evals.arguments import MODES, command_line

QUESTIONS = Path(__file__).with_suffix(".jsonl")
FIRST = 10
CURVE = (0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46)
NOON = 1_790_000_000.0


class Fact(NamedTuple):
    """A text, the door that keeps it, and a question for it that shares hardly a word."""

    door: str
    text: str
    question: str


class Outcome(NamedTuple):
    """Questions whose fact is in the pack, by door, and questions with the empty answer."""

    answered: Counter[str]
    turned_away: int
    wrongly_empty: int
    called_weak: int  # of the questions without an answer
    wrongly_weak: int


def questions() -> tuple[list[Fact], list[str]]:
    """The facts, and the questions that none of them answers."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    facts = [Fact(row["door"], row["text"], row["question"]) for row in rows if "text" in row]
    return facts, [row["question"] for row in rows if "text" not in row]


def keep(dp: Daypack, number: int, fact: Fact, folder: Path) -> None:
    """Put a fact into its door, as a user of that door would."""
    name = f"{fact.door}-{number}"
    match fact.door:
        case "memories":
            dp.memories.remember(name, fact.text)
        case "labels":
            dp.knowledge.add_text(name, fact.text)
        case "documents":
            dp.documents.collection("notes").insert({"_id": name, "text": fact.text})
        case "sources":
            dp.sources.ingest(SourceDraft(fact.text, scope=SourceScope.USER, source_key=name))
        case "sessions":
            dp.sessions.add_steps([Step("monday", NOON + 60 * number, Said("user", fact.text))])
        case "files":
            (folder / f"{name}.md").write_text(fact.text + "\n", encoding="utf-8")
        case other:
            raise ValueError(f"no door {other!r}")


@contextmanager
def store_of(facts: Sequence[Fact]) -> Iterator[Daypack]:
    """A fresh store of these facts, without any vector that its doors did not make."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        with Daypack.open(root / ".daypack", root=root, clock=lambda: NOON + 1e6) as dp:
            for number, fact in enumerate(facts):
                keep(dp, number, fact, root)
            dp.files.add(root)
            yield dp


def ask(dp: Daypack, facts: Sequence[Fact], foreign: Sequence[str], vectors: Any, budget: int) -> Outcome:
    answered: Counter[str] = Counter()
    wrongly_empty = wrongly_weak = turned_away = called_weak = 0
    for fact in facts:
        pack = dp.pack(fact.question, budget=budget, vectors=vectors)
        answered[fact.door] += fact.text in " ".join(pack.text.split())
        wrongly_empty += pack.empty_reason is not None
        wrongly_weak += pack.weak
    for question in foreign:
        pack = dp.pack(question, budget=budget, vectors=vectors)
        turned_away += pack.empty_reason is not None
        called_weak += pack.weak
    return Outcome(answered, turned_away, wrongly_empty, called_weak, wrongly_weak)


def main(argv: Sequence[str] | None = None) -> None:
    parser = command_line("evals.quality.paraphrases", __doc__)
    parser.add_argument("--vectors", action="append", choices=MODES)
    parser.add_argument("--budget", type=int, default=500, help="tokens of a pack; default %(default)s")
    parser.add_argument(
        "--curve", action="store_true", help="both rates for other bounds of the empty answer"
    )
    arguments = parser.parse_args(argv)
    facts, foreign = questions()
    print(
        f"{len(facts)} facts, {len(foreign)} questions without an answer, packs of {arguments.budget} tokens"
    )
    usual = chance.FAR_COSINE
    for vectors in arguments.vectors or MODES:
        with store_of(facts[:FIRST]) as dp:
            ten = ask(dp, facts[:FIRST], [], vectors, arguments.budget)
        with store_of(facts) as dp:
            for bound in (usual, *(CURVE if arguments.curve and vectors != "none" else ())):
                chance.FAR_COSINE = bound
                found = ask(dp, facts, foreign, vectors, arguments.budget)
                own = [
                    n / len(facts) for n in (found.answered.total(), found.wrongly_empty, found.wrongly_weak)
                ]
                away = [n / len(foreign) for n in (found.turned_away, found.called_weak)]
                print(
                    f"{vectors:5} cosine {bound:.2f}: answered {own[0]:.3f}, wrongly empty {own[1]:.3f}, weak {own[2]:.3f}; "
                    f"without an answer: empty {away[0]:.3f}, weak {away[1]:.3f}",
                    flush=True,
                )
                if bound == usual:
                    doors = (
                        f"{door} {found.answered[door]}" for door in dict.fromkeys(f.door for f in facts)
                    )
                    print(f"      of the first ten {ten.answered.total()}; of each door {', '.join(doors)}")
        chance.FAR_COSINE = usual


if __name__ == "__main__":
    main()
