"""The commands `daypack eval bench …`: make sets, put them to a store, draw what came out; and `daypack
source benchmark-jsonl`, one run from files.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daypack.surfaces.cli.common import F, Tokens, print_json, progress, text_argument, write
from daypack.surfaces.cli.evaluate import bench

if TYPE_CHECKING:
    from evals.bench.summary import Summary

CORPORA = ("base", "perturbed", "adversarial", "medical")
VARIANTS = ("structured", "unstructured", "mixed")


def _sets(command: F) -> F:
    """Options of the questions that are made."""
    options = [
        click.option("--series", type=click.IntRange(1, 1000), default=10, show_default=True, help="Series of runs."),
        click.option("--runs-per-series", "runs", type=click.IntRange(1, 1000), default=15, show_default=True, help="Runs of a series; each is of one tier."),
        click.option("--tiers", type=click.Choice(["four", "ten"]), default="four", show_default=True, help="trivial to hard, or trivial to maximum."),
        click.option("--seed", type=int, default=42, show_default=True, help="Equal seeds make equal bytes."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@bench.command()
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    default=Path("benchmark"),
    show_default=True,
    metavar="FOLDER",
    help="Where to write.",
)
@click.option(
    "--corpus", "corpora", multiple=True, type=click.Choice(CORPORA), help="Only this one. [repeatable]"
)
@_sets
def generate(out: Path, corpora: tuple[str, ...], series: int, runs: int, tiers: str, seed: int) -> None:
    """Write the sets as JSONL and their questions as JSON, to be looked at, or for other programs."""
    _check_installed()
    from evals.bench.questions import TIERS, suites
    from evals.bench.runner import write_sets
    from evals.bench.worlds import Corpus

    wanted = [Corpus(name) for name in corpora or CORPORA]
    made = {
        corpus: [*suites(corpus, series=series, runs=runs, tiers=TIERS[tiers], seed=seed)]
        for corpus in wanted
    }
    with _writing(out):
        found = write_sets(Path(text_argument(str(out))), wanted, seed, made)
    for path, number in found:
        write(f"{path}: {number:,} {'records' if path.suffix else 'runs'}\n")


@bench.command()
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice([*VARIANTS, "default"]),
    help="The form of the records; `default` is `mixed`. [repeatable; default: structured, unstructured]",
)
@click.option(
    "--corpus",
    type=click.Choice(CORPORA),
    default="base",
    show_default=True,
    help="Which records and questions.",
)
@_sets
@click.option(
    "--max-records",
    type=click.IntRange(1),
    metavar="N",
    help="Of each owner, scope and kind keep N. [default: all]",
)
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1000),
    default=6,
    show_default=True,
    help="Retrieved items that count.",
)
@click.option(
    "--ranking",
    type=click.Choice(["common", "weighted"]),
    default="common",
    show_default=True,
    help="How records are ranked.",
)
@click.option(
    "--vectors",
    type=click.Choice(["lazy", "all", "none"]),
    default="all",
    show_default=True,
    help="Which vectors to wait for.",
)
@click.option(
    "--embedder", default="minilm", show_default=True, metavar="NAME", help="minilm, hashing or folder:PATH."
)
@click.option(
    "--tokenizer",
    type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
    default="o200k",
    show_default=True,
    help="What budgets are counted in.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    default=Path("benchmark"),
    show_default=True,
    metavar="FOLDER",
    help="Where summaries and pages go.",
)
def run(
    variants: tuple[str, ...],
    corpus: str,
    series: int,
    runs: int,
    tiers: str,
    seed: int,
    out: Path,
    max_records: int | None,
    **asked: Any,
) -> None:
    """Keep each set in a store of its own, ask all its questions, and write what came out: run_summary_*.json
    and a page a set, and one that compares them.
    """
    from daypack.types import Tokenizer

    _check_installed()
    from evals.bench.page import page
    from evals.bench.questions import TIERS, suites
    from evals.bench.runner import AskOptions, dataset_name, run_set
    from evals.bench.summary import summary_text, to_json
    from evals.bench.worlds import Corpus, Variant, rows

    of = Corpus(corpus)
    wanted = dict.fromkeys(
        Variant("mixed" if name == "default" else name) for name in variants or ("structured", "unstructured")
    )
    how = AskOptions(
        asked["limit"],
        asked["ranking"],
        asked["vectors"],
        asked["embedder"],
        Tokenizer(asked["tokenizer"]),
        max_records,
    )
    made = [*suites(of, series=series, runs=runs, tiers=TIERS[tiers], seed=seed)]
    capped = "" if max_records is None else f"_{max_records}"
    found: list[Summary] = []
    for variant in wanted:
        name = dataset_name(of, variant)
        with progress(name) as step:
            one = run_set(
                rows(of, variant, seed), made, how, name=name, variant=variant.value, seed=seed, progress=step
            ).summary
        found.append(one)
        write(summary_text(one))
        tail = variant.value if of is Corpus.BASE else f"{of.value}_{variant.value}"
        _keep(out, f"run_summary_{tail}{capped}.json", to_json(one))
        _keep(out, f"report_{tail}{capped}.html", page([one]))
    if len(found) > 1:
        _keep(out, f"comparison{'' if of is Corpus.BASE else f'_{of.value}'}{capped}.html", page(found))


@bench.command()
@click.argument("summaries", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SUMMARY...")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    default="-",
    show_default=True,
    help="Where to write the page; - is standard output.",
)
def report(summaries: tuple[Path, ...], out: str) -> None:
    """Draw a page of one SUMMARY, or one that compares several: other variants, other capacities, other
    versions.
    """
    _check_installed()
    from daypack.errors import BadRun
    from evals.bench.page import page
    from evals.bench.summary import from_json

    found = []
    for path in summaries:
        try:
            found.append(from_json(path.read_text(encoding="utf-8"), path.name))
        except (OSError, UnicodeDecodeError) as error:
            raise BadRun(path.name, f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    text = page(found)
    if out == "-":
        write(text)
    else:
        _keep(Path(out).parent, Path(out).name, text)


@click.command("benchmark-jsonl")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.argument("cases", type=click.Path(path_type=Path))
@click.option(
    "--data-root",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="A store for the benchmark alone.",
)
@click.option(
    "--output-dir",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Where benchmark-result.json and benchmark-report.html go.",
)
@click.option("--suite-name", default="benchmark", show_default=True, help="What to call the run.")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1000),
    default=6,
    show_default=True,
    help="Retrieved items that count.",
)
@click.option(
    "--token-budget", type=Tokens(), default=1200, show_default=True, help="For cases that name none."
)
@click.option(
    "--embedding-backend",
    type=click.Choice(["onnx_minilm", "local_hashing"]),
    default="onnx_minilm",
    show_default=True,
    help="Which vectors.",
)
def benchmark_jsonl(
    dataset: Path,
    cases: Path,
    data_root: Path,
    output_dir: Path,
    suite_name: str,
    limit: int,
    token_budget: int,
    embedding_backend: str,
) -> None:
    """Keep the records of DATASET, JSON a line, ask the questions of CASES, JSON, and judge the answers;
    `daypack eval bench generate` makes both.
    """
    _check_installed()
    from evals.bench.runner import run_jsonl

    embedder = {"onnx_minilm": "minilm", "local_hashing": "hashing"}[embedding_backend]
    print_json(
        run_jsonl(
            dataset,
            cases,
            data_root,
            output_dir,
            suite_name=suite_name,
            limit=limit,
            token_budget=token_budget,
            embedder=embedder,
        )
    )


def _check_installed() -> None:
    """Raise MissingExtra where the benchmark, a distribution of its own, is not installed."""
    from daypack.errors import MissingExtra

    try:
        import evals.bench  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(
            "evals", "the benchmark of sources", "run `pip install ./evals` in a checkout of Daypack"
        ) from None


def _keep(folder: Path, name: str, text: str) -> None:
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    write(f"{folder / name}\n")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be written: {error.strerror}") from None
