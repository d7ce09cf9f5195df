"""`daypack source benchmark-jsonl`: one suite of questions put to one set of records, both from files."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from daypack.settings import Settings
from daypack.surfaces.cli.seeds import EMBEDDERS
from daypack.verbs.command import BadUsage, Command
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.evaluate.runs import Rate

BEGINNING = 1_790_000_000.0  # Unix seconds; any moment will do


def _backend(text: str) -> str:
    """An embedder, by our name or that of Context Bucket."""
    return EMBEDDERS.get(text, text)


def benchmark_jsonl(
    dataset: Annotated[Path, Positional()],
    cases: Annotated[Path, Positional()],
    *,
    data_root: Annotated[
        Path, "A store for the benchmark alone.", Flag("--store", metavar="FOLDER", seed="--data-root")
    ],
    output_dir: Annotated[
        Path,
        "The folder for benchmark-result.json and benchmark-report.html.",
        Flag("--out -o", metavar="FOLDER", seed="--output-dir"),
    ],
    suite_name: Annotated[
        str, "Name of the run.", Flag("--name", metavar="NAME", read="path", seed="--suite-name")
    ] = "benchmark",
    limit: Annotated[int, "Number of retrieved items that count.", Range(1, 1000), Flag("--limit -n")] = 6,
    token_budget: Annotated[
        int, "For questions without a budget.", Flag("--budget -b", read="tokens", seed="--token-budget")
    ] = 1200,
    embedder: Annotated[
        str, "minilm or hashing.", Flag(metavar="NAME", read=_backend, seed="--embedding-backend")
    ] = "minilm",
) -> dict[str, Any]:
    """Store the records of DATASET (JSON lines), ask the questions of CASES (JSON), and judge the answers."""
    from daypack.api import Daypack
    from daypack.doors.sources.retrieval.benchmark import ask, ingest
    from daypack.evaluate.benchmark import judged, prefix_hit, read_cases, read_rows, searched_text

    rows, suite = read_rows(dataset), read_cases(cases, token_budget=token_budget)
    # A clock that moves by a second a look: IDs and ages are the same in every run.
    clock = itertools.count(BEGINNING, 1.0).__next__
    with Daypack.open(data_root, settings=Settings(embedder=embedder), clock=clock) as daypack:
        skipped, pruned = ingest(daypack.sources, rows)
        asked = [(case, ask(daypack.sources, case, limit=limit)) for case in suite.cases]
    verdicts = [
        judged(case, answer.keys, searched_text(case, answer.texts, answer.assembled))
        for case, answer in asked
    ]
    rates = {
        "retrieval": _rate(one.hit for one in verdicts),
        "assembly": _rate(one.assembled for one in verdicts),
        "prefix": _rate(prefix_hit(case, answer.keys) for case, answer in asked),
    }
    # A key that comes again replaces its record.
    kept = Counter(row["source_key"] for row in rows) - Counter(key for key, _ in skipped)
    result_path, report_path = output_dir / "benchmark-result.json", output_dir / "benchmark-report.html"
    result = {
        "suite_name": suite_name, "dataset_path": str(dataset), "cases_path": str(cases), "data_root": str(data_root),
        "output_dir": str(output_dir), "runtime_seconds": round(sum(a.retrieve_ms + a.assemble_ms for _, a in asked) / 1000, 3),
        "imported_records": len(kept), "skipped_records": [{"source_key": key, "reason": why} for key, why in skipped],
        "pruned_records_total": pruned, "total_cases": len(asked),
        "retrieval_hits": rates["retrieval"].hits, "assembly_hits": rates["assembly"].hits,
        **{f"{name}_hit_rate": round(rate.value, 6) if rate.judged else None for name, rate in rates.items()},
        "cases": [
            {
                "name": case.name, "query_text": case.query, "retrieval_hit": verdict.hit, "assembly_hit": verdict.assembled,
                "expected_source_keys": [*case.keys], "retrieved_source_keys": [*answer.keys], "tokens_used": answer.tokens,
            }
            for (case, answer), verdict in zip(asked, verdicts, strict=True)
        ],
        "result_path": str(result_path), "report_path": str(report_path),
    }  # fmt: skip
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        result_path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        report_path.write_text(_page(result), encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"{output_dir} cannot be written ({error.strerror})") from None
    return result


def _rate(verdicts: Iterable[bool | None]) -> Rate:
    """The share of true verdicts among those that were given."""
    from daypack.evaluate.runs import Rate

    given = [verdict for verdict in verdicts if verdict is not None]
    return Rate(sum(given), len(given))


def _page(result: Mapping[str, Any]) -> str:
    """The result as one HTML page."""
    from daypack.evaluate.report.html_parts import document, escaped

    title = f"Benchmark of sources: {escaped(result['suite_name'])}"
    return document(title, [f"<h1>{title}</h1>", *_body(result)], made_by="daypack source benchmark-jsonl")


def _body(result: Mapping[str, Any]) -> Iterator[str]:
    from daypack.evaluate.report.charts import rate_bar
    from daypack.evaluate.report.html_parts import card, escaped
    from daypack.evaluate.report.text import percent
    from daypack.shapes.wording import counted

    cases = result["cases"]
    kept, refused = result["imported_records"], len(result["skipped_records"])
    yield f'<p class="quiet">{counted(kept, "record")} kept, {refused:,} refused; {counted(len(cases), "case")}</p>'
    yield '<div class="cards">'
    for name, field in (
        ("retrieved by exact key", "retrieval_hit"),
        ("assembled within the budget", "assembly_hit"),
    ):
        rate = _rate(case[field] for case in cases)
        about = f"{rate.hits:,} of {counted(rate.judged, 'case')}"
        yield card(name, percent(rate.value, 1), rate_bar(rate), about)
    yield '</div><table class="cases"><thead><tr><th>case</th><th>expected</th><th>retrieved</th><th>judged</th></tr></thead><tbody>'
    for case in cases:
        verdicts = ", ".join(
            f"{name} {'yes' if case[field] else 'no'}"
            for name, field in (("retrieved:", "retrieval_hit"), ("assembled:", "assembly_hit"))
            if case[field] is not None
        )
        yield (
            f'<tr><td><p class="name">{escaped(case["name"])}</p><p class="quiet">{escaped(case["query_text"])}</p></td>'
            f'<td data-label="expected">{escaped(", ".join(case["expected_source_keys"]))}</td>'
            f'<td data-label="retrieved">{escaped(", ".join(case["retrieved_source_keys"])) or "nothing"}</td><td>{verdicts}</td></tr>'
        )
    yield "</tbody></table>"


COMMANDS = (Command(benchmark_jsonl, at="source benchmark-jsonl", opens="none"),)
