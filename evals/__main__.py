"""python -m evals run FOLDER... [--system daypack|bm25] [--vectors all|lazy|none] [--budgets 250,500] [--out RESULTS.jsonl]

Prints one line a folder and system. RESULTS holds one line a query: {"id", "ranked": [...], "packs": {"250": [...], ...}}.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from evals.datasets import Dataset, load
from evals.measures import MEASURES, interval
from evals.systems import DaypackSystem, open_system


def run(dataset: Dataset, system_name: str, options: dict[str, str], budgets: list[int], out: Path | None, store: Path) -> dict[str, float]:
    """Answer every query, write the results, and give the mean of each measure."""
    started = time.process_time()
    system = open_system(system_name, dataset, store, options if system_name == "daypack" else {})
    indexed = time.process_time() - started
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    lines = []
    started = time.process_time()
    for query in dataset.queries:
        answer = system.answer(query, budgets)
        lines.append(json.dumps({"id": query.id, "ranked": answer.ranked, "packs": answer.packs}))
        grades = dataset.qrels[query.id].grades
        if grades:
            ranked = list(dict.fromkeys(item["doc_id"] for item in answer.ranked))
            for name, measure in MEASURES.items():
                values[name].append(measure(ranked, grades))
    spent = time.process_time() - started
    if out is not None:
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    means = {name: sum(found) / len(found) for name, found in values.items()}
    low, high = interval(values["RR"])
    label = system.name if isinstance(system, DaypackSystem) else system_name
    print(
        f"{dataset.name:<20} {label:<24} "
        + "  ".join(f"{name} {mean:.3f}" for name, mean in means.items())
        + f" [{low:.3f}, {high:.3f}]  {len(values['RR'])} queries, index {indexed:.1f} s CPU, {1000 * spent / len(dataset.queries):.1f} ms CPU a query",
        flush=True,
    )
    system.close()
    return means


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runner = verbs.add_parser("run", help="answer the queries of datasets and score the rankings")
    runner.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    runner.add_argument("--system", action="append", choices=["daypack", "bm25"], help="repeat for several; default: bm25 and daypack")
    runner.add_argument("--vectors", default="lazy", choices=["all", "lazy", "none"])
    runner.add_argument("--packing", default="auto", choices=["auto", "skip", "prefix"])
    runner.add_argument("--embedder", default="minilm")
    runner.add_argument("--budgets", default="", help="comma-separated token budgets (ceil(characters / 4)) to pack for")
    runner.add_argument("--stores", type=Path, help="keep stores in this folder, so that vectors are made once")
    runner.add_argument("--out", type=Path, help="results as JSON lines; one folder and system only")
    arguments = parser.parse_args()
    budgets = [int(part) for part in arguments.budgets.split(",") if part]
    options = {"vectors": arguments.vectors, "packing": arguments.packing, "embedder": arguments.embedder}
    for folder in arguments.folders:
        dataset = load(folder)
        for name in arguments.system or ["bm25", "daypack"]:
            with tempfile.TemporaryDirectory() as temporary:
                store = (arguments.stores or Path(temporary)) / dataset.name
                run(dataset, name, options, budgets, arguments.out, store)


if __name__ == "__main__":
    main()
