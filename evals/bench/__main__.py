"""python -m evals.bench: the sources door on sets that are made.

generate    write the sets as JSONL and their questions as JSON, for inspection or other programs
run         keep each set in its own store, ask all its questions, and write run_summary_*.json, a page a set, and one that compares them
report      a page of one summary, or one that compares several: other variants, other capacities, other versions
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from daypack.errors import BadRun, DaypackError
from daypack.evaluate.benchmark import BenchSuite
from daypack.guard.inputs import NotReadable, read_file
from daypack.surfaces.cli import terminal
from daypack.types import Tokenizer
from evals.arguments import MODES, command_line
from evals.bench.page import page
from evals.bench.questions import TIERS, suites
from evals.bench.runner import AskOptions, dataset_name, run_set, write_sets
from evals.bench.summary import Summary, from_json, summary_text, to_json
from evals.bench.worlds import SEED, Corpus, Variant, rows


def _suites(corpus: Corpus, asked: argparse.Namespace) -> list[BenchSuite]:
    tiers = TIERS[asked.tiers]
    return [*suites(corpus, series=asked.series, runs=asked.runs_per_series, tiers=tiers, seed=asked.seed)]


def _generate(asked: argparse.Namespace) -> None:
    wanted = [*map(Corpus, asked.corpus or [one.value for one in Corpus])]
    made = {corpus: _suites(corpus, asked) for corpus in wanted}
    for path, number in write_sets(asked.out, wanted, asked.seed, made):
        print(f"{path}: {number:,} {'records' if path.suffix else 'runs'}")


def _run(asked: argparse.Namespace) -> None:
    of, most = Corpus(asked.corpus), asked.max_records
    tokenizer = Tokenizer(asked.tokenizer)
    how = AskOptions(asked.limit, asked.ranking, asked.vectors, asked.embedder, tokenizer, most)
    made, capped = _suites(of, asked), "" if most is None else f"_{most}"
    found: list[Summary] = []
    for variant in map(Variant, dict.fromkeys(asked.variant or ("structured", "unstructured"))):
        name, tail = dataset_name(of, variant), variant.value
        with terminal.progress(name) as step:
            given = rows(of, variant, asked.seed)
            one = run_set(given, made, how, name=name, variant=variant.value, seed=asked.seed, progress=step)
        found.append(one)
        print(summary_text(one), end="")
        if of is not Corpus.BASE:
            tail = f"{of.value}_{tail}"
        _keep(asked.out / f"run_summary_{tail}{capped}.json", to_json(one))
        _keep(asked.out / f"report_{tail}{capped}.html", page([one]))
    if len(found) > 1:
        tail = "" if of is Corpus.BASE else f"_{of.value}"
        _keep(asked.out / f"comparison{tail}{capped}.html", page(found))


def _report(asked: argparse.Namespace) -> None:
    text = page([_summary(path) for path in asked.summaries])
    if asked.out is None:
        print(text, end="")
    else:
        _keep(asked.out, text)


def _summary(path: Path) -> Summary:
    try:
        return from_json(read_file(path).decode("utf-8"), path.name)
    except NotReadable as error:
        raise BadRun(path.name, f"cannot be read ({error.why})") from None
    except UnicodeDecodeError:
        raise BadRun(path.name, "is not UTF-8 text") from None


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(path)


def _parser() -> argparse.ArgumentParser:
    parser = command_line("evals.bench", __doc__)
    verbs = parser.add_subparsers(required=True)
    sets = argparse.ArgumentParser(add_help=False)
    sets.add_argument("--series", type=int, default=10)
    sets.add_argument("--runs-per-series", type=int, default=15, help="each is of one tier")
    sets.add_argument("--tiers", choices=TIERS, default="four", help="trivial to hard, or to maximum")
    sets.add_argument("--seed", type=int, default=SEED, help="equal seeds make equal bytes")
    corpora = [one.value for one in Corpus]

    maker = verbs.add_parser("generate", parents=[sets])
    maker.add_argument("--out", "-o", type=Path, default=Path("benchmark"))
    maker.add_argument("--corpus", action="append", choices=corpora, help="only this record set")
    maker.set_defaults(do=_generate)

    runner = verbs.add_parser("run", parents=[sets])
    runner.add_argument("--corpus", choices=corpora, default="base", help="the record set")
    runner.add_argument("--variant", action="append", choices=[one.value for one in Variant])
    runner.add_argument("--max-records", type=int, help="keep that many of each owner, scope and kind")
    runner.add_argument("--limit", "-n", type=int, default=6, help="retrieved items that count")
    runner.add_argument("--ranking", choices=("common", "weighted"), default="common")
    runner.add_argument("--vectors", choices=MODES, default="all")
    runner.add_argument("--embedder", default="minilm")
    runner.add_argument("--tokenizer", choices=[one.value for one in Tokenizer], default="o200k")
    runner.add_argument("--out", "-o", type=Path, default=Path("benchmark"))
    runner.set_defaults(do=_run)

    drawer = verbs.add_parser("report")
    drawer.add_argument("summaries", nargs="+", type=Path, metavar="SUMMARY")
    drawer.add_argument("--out", "-o", type=Path, help="default: standard output")
    drawer.set_defaults(do=_report)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        asked.do(asked)
    except DaypackError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
