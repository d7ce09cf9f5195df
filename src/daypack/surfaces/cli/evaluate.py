"""The commands `daypack eval …`.

This module is imported when one of them is asked for; the rest waits inside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from daypack.surfaces.cli.common import (
    Elsewhere,
    Given,
    Tokens,
    embedding,
    note,
    opened,
    print_json,
    progress,
    standing_in,
    text_argument,
    write,
)
from daypack.surfaces.cli.main import evaluate

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from daypack.api import Daypack
    from daypack.evaluate import Run

F = TypeVar("F", bound=Callable[..., Any])


class _SavedRun(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    """The name of a saved run, or its file; shells complete both."""

    name = "run"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from daypack.evaluate.run_folder import RunFolder

        found = ctx.find_root().params.get("store") or ctx.params.get("store")
        names = ["latest", *reversed(RunFolder(standing_in(Path.cwd()).place(found).store).names())]
        saved = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return saved or [CompletionItem(incomplete, type="file")]


SUITE = click.Path(path_type=Path)
RUN = _SavedRun()


def _options(command: F) -> F:
    """Options that questions are asked with."""
    options = [
        click.option("--limit", "-n", type=click.IntRange(1, 1000), default=10, show_default=True, help="Results of a search that count as found."),
        click.option("--budget", "-b", type=Tokens(), default=4000, show_default=True, help="For cases that name no token_budget."),
        click.option("--tokenizer", type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]), default="o200k", show_default=True, help="What budgets are counted in."),
        click.option("--packing", type=click.Choice(["auto", "skip", "prefix"]), default="auto", show_default=True, help="How packs are chosen."),
        *_vectors,
        click.option("--as", "name", metavar="NAME", help="What to call the saved run: a name, or a path that ends in .json. [default: by time]"),
    ]  # fmt: skip
    return _with(command, options)


_vectors = [
    click.option(
        "--vectors",
        type=click.Choice(["lazy", "all", "none"]),
        default="lazy",
        show_default=True,
        help="Which vectors to wait for.",
    ),
    click.option("--lexical", is_flag=True, help="The same as --vectors none."),
    click.option(
        "--refresh/--no-refresh", default=True, help="Look at the disk first, or ask what is stored."
    ),
]


def _asking_vectors(command: F) -> F:
    return _with(command, _vectors)


def _output(command: F) -> F:
    options = [
        click.option("--format", "-f", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="For people, or for programs."),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]  # fmt: skip
    return _with(command, options)


def _with(command: F, options: Sequence[Callable[[F], F]]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


# ---------------------------------------------------------------- run


@evaluate.command()
@click.argument("suite", type=SUITE)
@_options
@_output
@click.pass_context
def run(
    context: click.Context, /, suite: Path, form: str, as_json: bool, store: str | None, **asked: Any
) -> None:
    """Ask the cases of SUITE, a JSON file, judge the answers, and save the run.

    Exit status 0 whatever was found; `daypack eval gate` is what fails.
    """
    from daypack.evaluate import to_json
    from daypack.evaluate.report.text import run_text

    cases = _suite(suite)
    with opened(context, store, create=False) as daypack:
        done, where = _asked(daypack, cases, **asked)
    if as_json or form == "json":
        write(to_json(done))
    else:
        write(run_text(done) + f"saved as   {where}\n")


def _suite(path: Path) -> Any:
    """Read before the store is opened: a suite that is wrong is said first, and costs nothing."""
    from daypack.evaluate.run_folder import read_suite_file

    return read_suite_file(Path(text_argument(str(path))))


def _asked(
    daypack: Daypack, suite: Any, *, name: str | None, vectors: str, lexical: bool, **options: Any
) -> tuple[Run, str]:
    """A run, saved, and what it is called."""
    from daypack.evaluate.run_folder import RunFolder

    folder = RunFolder(daypack.engine.store.folder)
    folder.check(name)
    vectors = "none" if lexical else vectors
    with embedding(daypack, vectors), progress("asking") as step:
        done = daypack.evaluate(suite, vectors=vectors, progress=step, **options)
    if daypack.engine.store.read_only and name is None:
        note(
            "the store cannot be written, so the run was not saved; name a file with --as FILE.json",
            always=True,
        )
        return done, "nothing: the store cannot be written"
    done, _ = folder.save(done, name)
    return done, name or done.id


# ---------------------------------------------------------------- runs, compare, gate


@evaluate.command()
@_output
@click.pass_context
def runs(context: click.Context, form: str, as_json: bool, store: str | None) -> None:
    """The saved runs of the store, oldest first."""
    from daypack.errors import BadRun
    from daypack.evaluate.report.text import runs_text
    from daypack.shapes.plain import pick

    folder = _folder(context, store)
    found = []
    for name in folder.names():
        try:
            found.append(folder.load(name))
        except BadRun as error:
            note(str(error), always=True)
    if as_json or form == "json":
        print_json(
            [
                pick(one, "id created suite")
                | {"cases": len(one.cases)}
                | pick(one.totals, "retrieval_rate=retrieval.value pack_rate=pack.value")
                for one in found
            ]
        )
    else:
        write(runs_text(found))
    context.exit(0 if found else 1)


def _folder(context: click.Context, store: str | None) -> Any:
    """The saved runs of the store that is meant; the store itself is not opened."""
    from daypack.evaluate.run_folder import RunFolder

    given: Given = context.obj
    return RunFolder(given.place(store).store)


@evaluate.command()
@click.argument("before", type=RUN, metavar="RUN")
@click.argument("after", type=RUN, metavar="RUN")
@_output
@click.pass_context
def compare(
    context: click.Context, before: str, after: str, form: str, as_json: bool, store: str | None
) -> None:
    """What the second RUN finds worse and better than the first, case by case, with the reasons.

    A RUN is the name of a saved one, the start of it, `latest`, `latest~1` (the one before), or a file.
    """
    from daypack.evaluate import compare as compared
    from daypack.evaluate.report.text import comparison_json, comparison_text

    folder = _folder(context, store)
    found = compared(folder.load(before), folder.load(after))
    write(comparison_json(found) if as_json or form == "json" else comparison_text(found))


@evaluate.command()
@click.argument("what", type=RUN, metavar="RUN|SUITE")
@click.option(
    "--min-retrieval",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="The least share of cases whose search finds what is expected, 0 to 1.",
)
@click.option(
    "--min-pack",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="The least share of cases whose pack holds what is expected.",
)
@click.option(
    "--max-regressions",
    type=click.IntRange(0),
    metavar="N",
    help="The most cases that may be worse than in --against. [default: 0]",
)
@click.option("--against", type=RUN, metavar="RUN", help="The run to compare with.")
@_options
@_output
@click.pass_context
def gate(
    context: click.Context,
    /,
    what: str,
    min_retrieval: float | None,
    min_pack: float | None,
    max_regressions: int | None,
    against: str | None,
    form: str,
    as_json: bool,
    store: str | None,
    **asked: Any,
) -> None:
    """Exit status 1 when a run is below the given rates or has more regressions; a SUITE is asked first.

    Without a rate and without --against, every case must be found and packed.
    """
    from daypack.evaluate import gate as gated
    from daypack.evaluate.report.text import gate_json, gate_text
    from daypack.evaluate.run_folder import is_run_file

    if max_regressions is not None and against is None:
        raise click.UsageError("--max-regressions needs the run to compare with: --against RUN")
    folder = _folder(context, store)
    other = folder.load(against) if against is not None else None
    if Path(what).is_file() and not is_run_file(Path(what)):
        cases = _suite(Path(what))
        with opened(context, store, create=False) as daypack:
            judged, _ = _asked(daypack, cases, **asked)
    else:
        judged = folder.load(what)
    checks = gated(
        judged, min_retrieval=min_retrieval, min_pack=min_pack, max_regressions=max_regressions, against=other
    )
    write(gate_json(judged, checks) if as_json or form == "json" else gate_text(checks))
    context.exit(0 if all(check.passed for check in checks) else 1)


# ---------------------------------------------------------------- self-check


@evaluate.command("self-check")
@click.option(
    "--items",
    "-n",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many chunks to ask for, by up to three questions each.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which ones: equal seeds ask the same.")
@_asking_vectors
@_output
@click.pass_context
def self_check(
    context: click.Context,
    /,
    items: int,
    seed: int,
    vectors: str,
    lexical: bool,
    refresh: bool,
    form: str,
    as_json: bool,
    store: str | None,
) -> None:
    """Ask the store for its own texts, and say which retrieval arm finds them best.

    The questions are made of the texts' own words: distinctive ones, a sentence's rarest, and a sentence
    without its rarest. They favour words, so they compare arms and do not say how good the answers are. Exit
    status 1 when no question could be made.
    """
    from daypack.evaluate.report.text import self_check_json, self_check_text

    vectors = "none" if lexical else vectors
    with (
        opened(context, store, create=False) as daypack,
        embedding(daypack, vectors),
        progress("asking") as step,
    ):
        found = daypack.self_check(items=items, seed=seed, vectors=vectors, refresh=refresh, progress=step)
    write(self_check_json(found) if as_json or form == "json" else self_check_text(found))
    context.exit(0 if found.rows else 1)


# ---------------------------------------------------------------- fit-ranker


@evaluate.command("fit-ranker")
@click.argument("suite", type=SUITE, required=False)
@click.option("--dry-run", is_flag=True, help="Say what would be kept, and keep nothing.")
@click.option("--remove", is_flag=True, help="Rank by the default weights again.")
@_asking_vectors
@_output
@click.pass_context
def fit_ranker(
    context: click.Context,
    /,
    suite: Path | None,
    dry_run: bool,
    remove: bool,
    vectors: str,
    lexical: bool,
    refresh: bool,
    form: str,
    as_json: bool,
    store: str | None,
) -> None:
    """Fit a few ranking weights of this store to the cases of SUITE, and rank by them if they help.

    Every case is judged by weights that were chosen without it. Where the gain over the defaults could be
    luck (its 95 % interval reaches down to 0), the defaults stay and nothing is written. Weights of a kind of
    text need 20 cases that expect some of it.
    """
    from daypack.evaluate.report.text import fit_json, fit_text

    if remove == (suite is not None):
        raise click.UsageError("give a SUITE to fit the weights to, or --remove to go back to the defaults")
    as_json = as_json or form == "json"
    if suite is None:
        with opened(context, store, create=False) as daypack:
            removed = daypack.unfit_ranker()
        if as_json:
            print_json({"removed": removed})
        else:
            write("the default weights rank again\n" if removed else "the default weights ranked already\n")
        return
    cases, vectors = _suite(suite), "none" if lexical else vectors
    with (
        opened(context, store, create=False) as daypack,
        embedding(daypack, vectors),
        progress("fitting") as step,
    ):
        found = daypack.fit_ranker(cases, vectors=vectors, refresh=refresh, keep=not dry_run, progress=step)
        others = daypack.engine.fitted() is not None
    write(fit_json(found, kept=not dry_run) if as_json else fit_text(found, kept=not dry_run, others=others))


# ---------------------------------------------------------------- report


@evaluate.command()
@click.argument("names", type=RUN, nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    help="Where to write the page; - is standard output. [default: beside the last run, as its name.html]",
)
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def report(context: click.Context, names: tuple[str, ...], out: str | None, store: str | None) -> None:
    """Write one HTML page about each RUN given, and print where; of several, the last is compared with the
    first.

    The page needs nothing from elsewhere: no script, no font, no network.
    """
    from daypack.evaluate.report.page import page

    folder = _folder(context, store)
    text = page([folder.load(name) for name in names])
    if out == "-":
        write(text)
    else:
        path, here = folder.write_page(names[-1], text, out), Path.cwd()
        write(f"{path.relative_to(here) if path.is_relative_to(here) else path}\n")


# ---------------------------------------------------------------- bench


@evaluate.group(cls=Elsewhere, module="daypack.surfaces.cli.bench")
def bench() -> None:
    """A benchmark of sources: sets that are made from a seed, and questions in tiers."""
