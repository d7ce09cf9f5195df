"""python -m evals.quality.questions: everyday questions to real repositories, arm by arm.

run --code FOLDER --trees DIR --stores DIR [--arms auto,none] [--sets code,docs,away] [--half a|b] [--repositories cobra,gson]
    [--budgets 500,1000,4000] [--tokenizer o200k|approx] [--fresh] [--brief] [--out RESULTS.jsonl]
table RESULTS.jsonl [--brief]       means by set, half and language
compare A.jsonl B.jsonl [--arms none,auto] [--measures Gold@1000,First@1000]
                                    paired differences, B minus A, with bootstrap intervals
misses RESULTS.jsonl --code FOLDER [--arm auto] [--set code] [--budget 1000]
                                    what went wrong, in half a alone
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from daypack.types import Tokenizer
from evals.arguments import command_line, numbers, words
from evals.quality.questions.asked import Question, QuestionSet, questions
from evals.quality.questions.runs import ARMS, Record, kept, records
from evals.quality.questions.tables import brief, compared, misses, of_arm, report
from evals.quality.results import provenance, write_lines

BUDGETS = "500,1000,4000"


def _run(arguments: argparse.Namespace) -> int:
    arms = _chosen(arguments.arms, ARMS)
    asked = [question for question in questions(arguments.code) if _is_asked(question, arguments)]
    if not asked:
        raise SystemExit("no question is left: check --sets, --half and --repositories")
    budgets = arguments.budgets
    found: list[Record] = []
    started = time.perf_counter()
    for some in records(
        asked,
        arms,
        trees=arguments.trees,
        stores=arguments.stores,
        budgets=budgets,
        tokenizer=Tokenizer(arguments.tokenizer),
        fresh=arguments.fresh,
    ):
        found += some
        print(
            f"{some[0]['repository']}: {len(some)} answers, {time.perf_counter() - started:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    if arguments.out is not None:
        write_lines(arguments.out, found)
    print(f"commit {provenance()['commit']}, budgets in {arguments.tokenizer} tokens\n")
    print(brief(found) if arguments.brief else report(found, budgets))
    return 0


def _is_asked(question: Question, arguments: argparse.Namespace) -> bool:
    sets = _chosen(arguments.sets, tuple(QuestionSet))
    wanted = words(arguments.repositories)
    return (
        question.of in sets
        and arguments.half in (None, question.project.half)
        and (not wanted or any(name in question.project.repository for name in wanted))
    )


def _chosen(text: str, known: Sequence[str]) -> list[str]:
    found = words(text)
    for name in found:
        if name not in known:
            raise SystemExit(f"{name} is none of {', '.join(known)}")
    return found


def _table(arguments: argparse.Namespace) -> int:
    found = kept(arguments.results)
    budgets = sorted({int(budget) for record in found for budget in record["packs"]})
    print(brief(found) if arguments.brief else report(found, budgets))
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    names = words(arguments.measures)
    first, second = kept(arguments.first), kept(arguments.second)
    if arguments.arms is not None:
        one, _, other = arguments.arms.partition(",")
        first, second = of_arm(first, one), of_arm(second, other or one)
    for line in compared(first, second, names):
        print(line)
    return 0


def _misses(arguments: argparse.Namespace) -> int:
    texts = {question.id: (question.text, question.gold) for question in questions(arguments.code)}
    own = [
        record
        for record in kept(arguments.results)
        if record["arm"] == arguments.arm and record["set"] == arguments.set
    ]
    for line in misses(own, texts, arguments.budget):
        print(line)
    return 0


def parser() -> argparse.ArgumentParser:
    found = command_line("evals.quality.questions", __doc__)
    verbs = found.add_subparsers(required=True, metavar="VERB")
    code = argparse.ArgumentParser(add_help=False)
    code.add_argument(
        "--code",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="the set of questions about code, semble-dev",
    )

    runner = verbs.add_parser("run", parents=[code], help="ask, measure and print means")
    runner.add_argument(
        "--trees",
        type=Path,
        required=True,
        metavar="DIR",
        help="<owner>__<name>/<commit>/, by materialize.py",
    )
    runner.add_argument(
        "--stores", type=Path, required=True, metavar="DIR", help="a store a tree, made once and kept"
    )
    runner.add_argument("--fresh", action="store_true", help="remove the stores first")
    runner.add_argument("--arms", default="auto,none", help=f"of {', '.join(ARMS)}; default %(default)s")
    runner.add_argument("--sets", default="code,docs,away", help="default %(default)s")
    runner.add_argument("--half", choices=("a", "b"))
    runner.add_argument(
        "--repositories", default="", metavar="NAMES", help="parts of their names, with commas"
    )
    runner.add_argument("--budgets", type=numbers, default=BUDGETS, help="default %(default)s")
    runner.add_argument(
        "--tokenizer", default="o200k", choices=[one.value for one in Tokenizer], help="default %(default)s"
    )
    runner.add_argument("--brief", action="store_true", help="the measures that goals are set for, alone")
    runner.add_argument("--out", type=Path, metavar="RESULTS.jsonl", help="one record a question and arm")
    runner.set_defaults(do=_run)

    table = verbs.add_parser("table", help="means of kept records")
    table.add_argument("results", type=Path, metavar="RESULTS.jsonl")
    table.add_argument("--brief", action="store_true", help="the measures that goals are set for, alone")
    table.set_defaults(do=_table)

    comparer = verbs.add_parser("compare", help="paired differences of two runs, B minus A")
    comparer.add_argument("first", type=Path, metavar="A.jsonl")
    comparer.add_argument("second", type=Path, metavar="B.jsonl")
    comparer.add_argument(
        "--arms", metavar="ARM,ARM", help="an arm of A with an arm of B; else each with itself"
    )
    comparer.add_argument("--measures", default="", metavar="NAMES", help="with commas; all by default")
    comparer.set_defaults(do=_compare)

    misser = verbs.add_parser("misses", parents=[code], help="what went wrong in half a")
    misser.add_argument("results", type=Path, metavar="RESULTS.jsonl")
    misser.add_argument("--arm", default="auto")
    misser.add_argument("--set", default="code", choices=("code", "docs"))
    misser.add_argument("--budget", type=int, default=1000)
    misser.set_defaults(do=_misses)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    result: int = arguments.do(arguments)
    return result


if __name__ == "__main__":
    sys.exit(main())
