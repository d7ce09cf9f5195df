"""The commands `daypack eval bench …`: make sets, run them against a store, draw the results; and `daypack
source benchmark-jsonl`, one run from files.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

from daypack.surfaces.cli.reading import text_argument
from daypack.surfaces.cli.seeds import EMBEDDERS
from daypack.types.modes import TokenizerName, VectorModeName
from daypack.verbs.command import BadUsage, Command, Screen, Terminal
from daypack.verbs.table import VECTORS, Flag, Positional, Range

if TYPE_CHECKING:
    from evals.bench.questions import BenchSuite
    from evals.bench.summary import Summary
    from evals.bench.worlds import Corpus

Corpora = Literal["base", "perturbed", "adversarial", "medical"]
CORPORA = ("base", "perturbed", "adversarial", "medical")


class SetOptions(TypedDict, total=False):
    """Options for the generated questions."""

    series: Annotated[int, "Series of runs.", Range(1, 1000), Flag(default=10, advanced=True)]
    runs: Annotated[
        int,
        "Runs of a series; each is of one tier.",
        Range(1, 1000),
        Flag("--runs-per-series", default=15, advanced=True),
    ]
    tiers: Annotated[
        Literal["four", "ten"], "Trivial to hard, or trivial to maximum.", Flag(default="four", advanced=True)
    ]
    seed: Annotated[int, "The seed; equal seeds make equal bytes.", Flag(default=42)]


class RunOptions(SetOptions, total=False):
    """Options of a set that is stored and questioned."""

    max_records: Annotated[
        int,
        "Keep N records of each owner, scope and kind. [default: all]",
        Range(1, 1_000_000),
        Flag(metavar="N"),
    ]
    limit: Annotated[
        int, "Number of retrieved items that count.", Range(1, 1000), Flag("--limit -n", default=6)
    ]
    ranking: Annotated[Literal["common", "weighted"], "The ranking of records.", Flag(default="common")]
    vectors: Annotated[VectorModeName, VECTORS, Flag(default="all")]
    embedder: Annotated[
        str, "minilm, hashing or folder:PATH.", Flag(metavar="NAME", read="path", default="minilm")
    ]
    tokenizer: Annotated[TokenizerName, "The tokenizer of budgets.", Flag(default="o200k")]
    out: Annotated[
        Path,
        "The folder for summaries and pages.",
        Flag("--out -o", metavar="FOLDER", default=Path("benchmark")),
    ]


def generate(
    out: Annotated[Path, "The folder to write to.", Flag("--out -o", metavar="FOLDER")] = Path("benchmark"),
    corpora: Annotated[list[Corpora] | None, "Only this record set.", Flag("--corpus")] = None,
    **sets: Unpack[SetOptions],
) -> Screen:
    """Write the sets as JSONL and their questions as JSON, for inspection or other programs."""
    _check_installed()
    from evals.bench.runner import write_sets
    from evals.bench.worlds import Corpus

    wanted = [Corpus(name) for name in corpora or CORPORA]
    made = {corpus: _suites(corpus, sets) for corpus in wanted}
    with _writing(out):
        found = write_sets(Path(text_argument(str(out))), wanted, sets["seed"], made)
    lines = (f"{path}: {number:,} {'records' if path.suffix else 'runs'}\n" for path, number in found)
    return Screen("".join(lines))


def run(
    variants: Annotated[
        list[Literal["structured", "unstructured", "mixed", "default"]] | None,
        "The form of the records; `default` is `mixed`. [repeatable; default: structured, unstructured]",
        Flag("--variant"),
    ] = None,
    corpus: Annotated[Corpora, "The record set, with its questions."] = "base",
    *,
    terminal: Terminal,
    **options: Unpack[RunOptions],
) -> Screen:
    """Keep each set in its own store, ask all its questions, and write the results: run_summary_*.json and a
    page a set, and a page that compares them.
    """
    _check_installed()
    from daypack.types import Tokenizer
    from evals.bench.page import page
    from evals.bench.runner import AskOptions, dataset_name, run_set
    from evals.bench.summary import summary_text, to_json
    from evals.bench.worlds import Corpus, Variant, rows

    of, seed, out, max_records = Corpus(corpus), options["seed"], options["out"], options.get("max_records")
    wanted = dict.fromkeys(
        Variant("mixed" if name == "default" else name) for name in variants or ("structured", "unstructured")
    )
    asking = AskOptions(
        options["limit"],
        options["ranking"],
        options["vectors"],
        options["embedder"],
        Tokenizer(options["tokenizer"]),
        max_records,
    )
    made = _suites(of, options)
    capped = "" if max_records is None else f"_{max_records}"

    def results() -> Iterator[str]:
        found: list[Summary] = []
        for variant in wanted:
            name = dataset_name(of, variant)
            with terminal.progress(name) as step:
                one = run_set(
                    rows(of, variant, seed),
                    made,
                    asking,
                    name=name,
                    variant=variant.value,
                    seed=seed,
                    progress=step,
                ).summary
            found.append(one)
            yield summary_text(one)
            tail = variant.value if of is Corpus.BASE else f"{of.value}_{variant.value}"
            yield _keep(out, f"run_summary_{tail}{capped}.json", to_json(one))
            yield _keep(out, f"report_{tail}{capped}.html", page([one]))
        if len(found) > 1:
            yield _keep(
                out, f"comparison{'' if of is Corpus.BASE else f'_{of.value}'}{capped}.html", page(found)
            )

    return Screen(results())


def report(
    summaries: Annotated[list[str], Positional(metavar="SUMMARY...", read="path")],
    out: Annotated[
        str,
        "The file to write the page to; - is standard output.",
        Flag("--out -o", metavar="FILE", read="path"),
    ] = "-",
) -> Screen:
    """Draw a page of one SUMMARY, or a page that compares several: other variants, other capacities, other
    versions.
    """
    _check_installed()
    from daypack.errors import BadRun
    from daypack.guard.inputs import NotReadable, read_file
    from evals.bench.page import page
    from evals.bench.summary import from_json

    found = []
    for path in map(Path, summaries):
        try:
            found.append(from_json(read_file(path).decode("utf-8"), path.name))
        except NotReadable as error:
            raise BadRun(path.name, f"cannot be read ({error.why})") from None
        except UnicodeDecodeError:
            raise BadRun(path.name, "is not UTF-8 text") from None
    text = page(found)
    return Screen(text if out == "-" else _keep(Path(out).parent, Path(out).name, text))


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
    """Store the records of DATASET (JSON lines), ask the questions of CASES (JSON), and judge the answers;
    `daypack eval bench generate` makes both.
    """
    _check_installed()
    from evals.bench.runner import run_jsonl

    return run_jsonl(
        dataset,
        cases,
        data_root,
        output_dir,
        suite_name=suite_name,
        limit=limit,
        token_budget=token_budget,
        embedder=embedder,
    )


def _suites(corpus: Corpus, options: SetOptions) -> list[BenchSuite]:
    from evals.bench.questions import TIERS, suites

    tiers = TIERS[options["tiers"]]
    return [
        *suites(corpus, series=options["series"], runs=options["runs"], tiers=tiers, seed=options["seed"])
    ]


def _check_installed() -> None:
    """Raise MissingExtra where the benchmark, a distribution of its own, is not installed."""
    from daypack.errors import MissingExtra

    try:
        import evals.bench  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(
            "evals", "the benchmark of sources", "run `pip install ./evals` in a checkout of Daypack"
        ) from None


def _keep(folder: Path, name: str, text: str) -> str:
    """Write a file; returns the line that reports it."""
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return f"{folder / name}\n"


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadUsage(f"{folder} cannot be written: {error.strerror}") from None


COMMANDS = (
    Command(generate, at="eval bench generate", opens="none"),
    Command(run, at="eval bench run", opens="none"),
    Command(report, at="eval bench report", opens="none"),
    Command(benchmark_jsonl, at="source benchmark-jsonl", opens="none"),
)
