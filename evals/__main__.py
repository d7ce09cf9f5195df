"""python -m evals: how good the answers are.

run FOLDER... [--system NAME ...] [--vectors auto|all|none] [--budgets 250,500] [--stores DIR] [--out RESULTS.jsonl | --results DIR]
score FOLDER RESULTS.jsonl...          measures of results, of any system
compare FOLDER A.jsonl B.jsonl         paired differences, A minus B
cross-validate A.jsonl B.jsonl...      what choosing among settings is worth on queries that were not looked at
knowledge FOLDER... [--stores DIR]     search of the knowledge base beside BM25, its levels, and CPU a question
relations [--public DIR] [--calls DIR] precision and recall of relations of code, on edges that were labelled by hand
definitions PROJECT... [--names N]     how often the definition of an unambiguous name comes first in a pack of code
packs PROJECT... [--packs N]           packs of code against their schema, their characters and the files that they cite
states REPOSITORY [--states N]         packs of code while git changes the files: none may cite what is not there
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from daypack.evaluate.choosing import difference, estimate, held_out
from daypack.rank.ablation import SIGNALS
from evals.arguments import MODES, command_line, kept_in, numbers
from evals.quality.answers import Options
from evals.quality.datasets import Collection, Dataset, EvalQuery, load
from evals.quality.daypack_system import store_of
from evals.quality.results import read_lines, scores, summary, with_measures, write_lines
from evals.quality.statistics import differences
from evals.quality.systems import WITH_HISTORY, label, systems
from evals.quality.tables import OF_PACKS

ABLATIONS = (
    ("bm25", "bm25_context"), ("dense", "dense_context"), ("bm25_context",), ("dense_context",),
    *((signal,) for signal in SIGNALS if not signal.startswith(("bm25", "dense"))),
)  # fmt: skip
"""Signals that are left out in turn: each arm, its view in context, and every other signal."""
BUDGETS = (250, 500, 1000, 2000, 4000)


def run(
    dataset: Dataset, system: str, options: Options, budgets: Sequence[int], stores: Path | None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A measured line of results a query, in the order of the set, and the summary of the run."""
    lines: dict[str, dict[str, Any]] = {}
    indexing, size = 0.0, 0
    # Only `all` may keep stores: the other modes are measured from an empty vector table.
    with kept_in(stores if options.vectors == "all" else None) as folder:
        for collection, queries in _by_collection(dataset):
            started = time.process_time()
            opened = systems()[system](collection, store_of(folder, dataset.name, collection), options)
            indexing += time.process_time() - started
            size = max(size, opened.size)
            try:
                for query in queries:
                    if query.history and system not in WITH_HISTORY:
                        query = replace(query, text=query.with_history)
                    lines[query.id] = opened.answer(query, budgets).line(query.id)
            finally:
                opened.close()
    measured = with_measures(dataset, list(lines.values()))
    return measured, summary(
        dataset, label(system, options), measured, size=size, index_seconds=round(indexing, 1)
    )


def _by_collection(dataset: Dataset) -> list[tuple[Collection, list[EvalQuery]]]:
    """Collections by name, so that the trees of a repository follow each other, with the queries that search
    them.
    """
    queries: dict[str, list[EvalQuery]] = {name: [] for name in sorted(dataset.collections)}
    for query in dataset.queries:
        queries[query.collection].append(query)
    return [(dataset.collections[name], found) for name, found in queries.items()]


def _runs(arguments: argparse.Namespace) -> int:
    asked = arguments.system or ["bm25", "daypack"]
    options = Options(arguments.vectors, arguments.packing, arguments.embedder, tuple(arguments.without))
    wanted = [(system, options) for system in asked]
    if arguments.ablate:
        wanted += [("daypack", replace(options, without=signals)) for signals in ABLATIONS]
    budgets = arguments.budgets
    if arguments.out is not None and len(wanted) * len(arguments.folders) > 1:
        raise SystemExit("--out takes one folder and one system; --results keeps the results of several")
    runs = 0
    for folder in arguments.folders:
        try:
            dataset = load(folder, trees=arguments.trees, history=arguments.history)
        except FileNotFoundError as error:
            print(f"passed over: {error}", file=sys.stderr)
            continue
        for system, how in wanted:
            started = time.process_time()
            lines, found = run(dataset, system, how, budgets, arguments.stores)
            if arguments.out is not None:
                write_lines(arguments.out, lines)
            if arguments.results is not None:
                place = arguments.results / dataset.name
                write_lines(place / f"{found['system']}.jsonl", lines)
                (place / f"{found['system']}.json").write_text(
                    json.dumps(found, indent=1) + "\n", encoding="utf-8"
                )
            asking = time.process_time() - started - found["index_seconds"]
            print(
                f"{_row(found)}  [{found['index_seconds']:.1f} s CPU indexing, {1000 * asking / max(len(lines), 1):.0f} ms a query]",
                flush=True,
            )
            if frames := _frames(found):
                print(f"{'':<18} {frames}", flush=True)
            runs += 1
    return 0 if runs else 1


def _scored(arguments: argparse.Namespace) -> int:
    dataset = load(arguments.folder, trees=arguments.trees)
    lines = with_measures(dataset, read_lines(arguments.results))
    found = summary(dataset, arguments.results.stem, lines)
    if arguments.out is not None:
        write_lines(arguments.out, lines)
    if arguments.json:
        print(json.dumps(found, indent=1))
        return 0
    print(_row(found))
    for name, category in found["categories"].items():
        print(f"  {name:<28} {_means(category['measures'])}  {category['scored']} queries")
    return 0


def _compared(arguments: argparse.Namespace) -> int:
    first, second = (scores(read_lines(path)) for path in (arguments.first, arguments.second))
    if not first or not second:
        empty = arguments.second if first else arguments.first
        raise SystemExit(
            f"{empty} holds no measures; `python -m evals score FOLDER {empty} --out MEASURED.jsonl` adds them"
        )
    print(
        f"{arguments.first.stem} − {arguments.second.stem}, {len(first.keys() & second.keys())} queries, paired bootstrap"
    )
    for name, found in differences(first, second).items():
        e = found.estimate
        means = [
            float(np.mean([row[name] for row in rows.values() if name in row])) for rows in (first, second)
        ]
        print(
            f"  {name:<12} {means[0]:.3f} {means[1]:.3f}  {e.mean:+.3f} [{e.low:+.3f}, {e.high:+.3f}]  p {found.p:.3f}"
        )
    return 0


def _cross_validated(arguments: argparse.Namespace) -> int:
    settings = {path.stem: _column(path, arguments.measure) for path in arguments.results}
    try:
        found = held_out(settings, arguments.folds)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    default = next(iter(settings))
    for name, values in settings.items():
        print(
            f"  {name:<28} {estimate([values[query] for query in found.values])}  chosen in {found.chosen[name]} of {arguments.folds} folds"
        )
    print(
        f"  {'held out':<28} {estimate([*found.values.values()])}  {arguments.measure}, {len(found.values)} queries"
    )
    paired = difference(found.values, settings[default])
    if paired is not None:
        e = paired.estimate
        print(
            f"  {'held out − ' + default:<28} {e.mean:+.3f} [{e.low:+.3f}, {e.high:+.3f}]  p {paired.p:.3f}"
        )
    return 0


def _column(path: Path, measure: str) -> dict[str, float]:
    """Query → value of a measure, in measured lines of one setting."""
    found = {query: row[measure] for query, row in scores(read_lines(path)).items() if measure in row}
    if not found:
        raise SystemExit(
            f"{path} holds no {measure}; `python -m evals score FOLDER {path} --out MEASURED.jsonl` adds measures"
        )
    return found


def _reported(arguments: argparse.Namespace) -> int:
    from evals.quality.report import write_report

    for path in write_report(arguments.results, arguments.out):
        print(path)
    return 0


def _row(found: dict[str, Any]) -> str:
    return f"{found['set']:<18} {found['system']:<20} {_means(found['measures'])}  {found['scored']} of {found['queries']} queries"


def _means(measures: dict[str, Any]) -> str:
    if not measures:
        return "no query has an answer"
    shown = {name: found["mean"] for name, found in measures.items() if not name.startswith(OF_PACKS)}
    return "  ".join(f"{name} {mean:.3f}" for name, mean in shown.items())


def _frames(found: dict[str, Any]) -> str:
    """A line of what packs cost beside their texts, by budget; "" without packs that were counted."""
    columns = {
        title: " / ".join(
            f"{values['mean']:{form}}"
            for name, values in found["measures"].items()
            if name.startswith(prefix)
        )
        for prefix, title, form in (
            ("Frame@", "frame tokens an item", ".1f"),
            ("Content@", "content share", ".1%"),
        )
    }
    return "".join(f"  {title} {column}" for title, column in columns.items() if column)


def _related(arguments: argparse.Namespace) -> int:
    from evals.quality.code.edges import outcomes, public_outcomes, report

    if arguments.calls is not None:
        from evals.quality.code import call_sites

        print(call_sites.report(list(call_sites.outcomes(arguments.calls))))
        return 0
    print(report(list(outcomes() if arguments.public is None else public_outcomes(arguments.public))))
    return 0


def _knowledge(arguments: argparse.Namespace) -> int:
    from evals.quality import knowledge

    for folder in arguments.folders:
        dataset = load(folder, trees=arguments.trees)
        budgets = knowledge.BUDGETS.get(dataset.name, ())
        _, ours = run(dataset, "knowledge", Options("all"), budgets, arguments.stores)
        _, bm25 = run(dataset, "bm25", Options("none"), budgets, None)
        print(f"{dataset.name}: {ours['scored']} questions, {ours['size']:,} chunks")
        print("\n".join(knowledge.compared(dataset.name, ours, bm25)), flush=True)
    return 0


def _defined(arguments: argparse.Namespace) -> int:
    from evals.quality.code.definitions import first_definitions, report

    print(
        report([first_definitions(folder.resolve(), names=arguments.names) for folder in arguments.folders])
    )
    return 0


def _packed(arguments: argparse.Namespace) -> int:
    from evals.quality.code.packs import asked_of, report

    share, more = divmod(arguments.packs, len(arguments.folders))
    found = [
        asked_of(folder.resolve(), share + (number < more)) for number, folder in enumerate(arguments.folders)
    ]
    print(report(found))
    return 1 if any(one.faults for one in found) else 0


def _disturbed(arguments: argparse.Namespace) -> int:
    from evals.quality.code.states import report, through_states

    found = through_states(arguments.repository.resolve(), arguments.states)
    print(report(found))
    return 1 if found.wrong else 0


def parser() -> argparse.ArgumentParser:
    found = command_line("evals", __doc__)
    verbs = found.add_subparsers(dest="verb", required=True)
    trees = argparse.ArgumentParser(add_help=False)
    trees.add_argument(
        "--trees",
        type=Path,
        metavar="DIR",
        help="the trees of sets of code, as <owner>__<name>/<commit>/ (default: FOLDER/trees)",
    )

    runner = verbs.add_parser(
        "run", parents=[trees], help="answer the queries of datasets and measure the answers"
    )
    runner.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    runner.add_argument(
        "--system", action="append", choices=systems(), help="repeat for several; default: bm25 and daypack"
    )
    runner.add_argument("--vectors", default="auto", choices=MODES)
    runner.add_argument("--packing", default="auto", choices=["auto", "skip", "prefix"])
    runner.add_argument("--embedder", default="minilm")
    runner.add_argument(
        "--history",
        action="store_true",
        help="give the turns before a question: to Daypack as `history`, to other systems before the text",
    )
    runner.add_argument("--ablate", action="store_true", help="also run daypack without each signal in turn")
    runner.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="SIGNAL",
        help="leave a signal of Daypack's ranking out, by the name that --explain shows",
    )
    runner.add_argument(
        "--budgets",
        type=numbers,
        default=",".join(map(str, BUDGETS)),
        help="token budgets (ceil(characters / 4)) to pack for; default %(default)s",
    )
    runner.add_argument(
        "--stores",
        type=Path,
        metavar="DIR",
        help="keep stores there, so that `--vectors all` makes vectors once; the other modes start without any",
    )
    runner.add_argument(
        "--out",
        type=Path,
        metavar="RESULTS.jsonl",
        help="a line of results a query; one folder and system only",
    )
    runner.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="keep lines and summaries as DIR/<set>/<system>.jsonl and .json",
    )
    runner.set_defaults(do=_runs)

    scorer = verbs.add_parser("score", parents=[trees], help="measure results of any system")
    scorer.add_argument("folder", type=Path, metavar="FOLDER")
    scorer.add_argument("results", type=Path, metavar="RESULTS.jsonl")
    scorer.add_argument("--json", action="store_true", help="with intervals")
    scorer.add_argument(
        "--out", type=Path, metavar="MEASURED.jsonl", help="the lines with what each is worth, for `compare`"
    )
    scorer.set_defaults(do=_scored)

    comparer = verbs.add_parser("compare", help="paired differences of two systems on one set")
    comparer.add_argument("first", type=Path, metavar="A.jsonl")
    comparer.add_argument("second", type=Path, metavar="B.jsonl")
    comparer.set_defaults(do=_compared)

    validator = verbs.add_parser(
        "cross-validate", help="what choosing among settings is worth on queries that were not looked at"
    )
    validator.add_argument(
        "results",
        type=Path,
        nargs="+",
        metavar="RESULTS.jsonl",
        help="measured lines, a file a setting; the first is the default",
    )
    validator.add_argument(
        "--measure",
        default="nDCG@10",
        metavar="NAME",
        help="what settings are chosen by; default %(default)s",
    )
    validator.add_argument("--folds", type=int, default=5, metavar="K", help="default %(default)s")
    validator.set_defaults(do=_cross_validated)

    knower = verbs.add_parser(
        "knowledge", parents=[trees], help="search of the knowledge base: quality beside BM25, CPU a question"
    )
    knower.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    knower.add_argument(
        "--stores", type=Path, metavar="DIR", help="keep stores there, so that vectors are made once"
    )
    knower.set_defaults(do=_knowledge)

    relater = verbs.add_parser("relations", help="relations of code against edges that were labelled by hand")
    relater.add_argument(
        "--public",
        type=Path,
        metavar="DIR",
        help="those of public projects, whose checkouts lie in DIR; without one it says how to get it",
    )
    relater.add_argument(
        "--calls",
        type=Path,
        metavar="DIR",
        help="calls of public projects in Java, C#, C, C++ and Ruby, whose checkouts lie in DIR",
    )
    relater.set_defaults(do=_related)

    definer = verbs.add_parser(
        "definitions", help="how often the definition of a name comes first in a pack of code"
    )
    definer.add_argument("folders", type=Path, nargs="+", metavar="PROJECT")
    definer.add_argument(
        "--names", type=int, default=100, metavar="N", help="names of each project; default %(default)s"
    )
    definer.set_defaults(do=_defined)

    packer = verbs.add_parser("packs", help="packs of code against what every one of them promises")
    packer.add_argument("folders", type=Path, nargs="+", metavar="PROJECT")
    packer.add_argument(
        "--packs", type=int, default=300, metavar="N", help="packs in all; default %(default)s"
    )
    packer.set_defaults(do=_packed)

    disturber = verbs.add_parser("states", help="packs of code while git changes the files")
    disturber.add_argument("repository", type=Path, metavar="REPOSITORY")
    disturber.add_argument(
        "--states",
        type=int,
        default=200,
        metavar="N",
        help="how often something is changed; default %(default)s",
    )
    disturber.set_defaults(do=_disturbed)

    reporter = verbs.add_parser("report", help="write the page of what was measured")
    reporter.add_argument(
        "results",
        type=Path,
        nargs="?",
        metavar="DIR",
        help="what `run --results DIR` kept; without it the page is drawn anew from its JSON",
    )
    reporter.add_argument(
        "--out",
        type=Path,
        default=Path("docs/evaluation"),
        metavar="DIR",
        help="where the page and its JSON lie; default %(default)s",
    )
    reporter.set_defaults(do=_reported)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    result: int = arguments.do(arguments)
    return result


if __name__ == "__main__":
    sys.exit(main())
