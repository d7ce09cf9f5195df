"""The commands `daypack eval …`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict, Unpack

import click

from daypack.errors import BadRun
from daypack.surfaces.cli.reading import text_argument
from daypack.types.modes import PackingName, TokenizerName, VectorModeName
from daypack.verbs.command import FROM_THE_START, BadUsage, Command, Screen, Terminal, Unopened
from daypack.verbs.table import VECTORS, Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.evaluate import Run, Suite


def _read_suite(path: Path) -> Suite:
    """A suite, read before the store is opened, so that a faulty suite fails at once."""
    from daypack.evaluate.run_folder import read_suite_file

    return read_suite_file(Path(text_argument(str(path))))


def _saved_runs(store: Path) -> Iterable[str]:
    from daypack.evaluate.run_folder import RunFolder

    return ["latest", *reversed(RunFolder(store).names())]


RunName = Annotated[str, Positional(metavar="RUN", read="path", complete=_saved_runs)]


class VectorOptions(TypedDict, total=False):
    """Options of every command that asks questions."""

    vectors: Annotated[VectorModeName, VECTORS, Flag(default="auto", retired="--lexical=none")]
    refresh: Annotated[
        bool,
        "Answer from the store, without checking the disk.",
        Flag("--no-refresh", default=True, seed="--refresh=true"),
    ]


class OutputOptions(TypedDict, total=False):
    form: Annotated[
        Literal["table", "json"], "For people, or for programs.", Flag("--format -f", default="table")
    ]
    as_json: Annotated[bool, "The same as --format json.", Flag("--json")]


class CaseOptions(TypedDict, total=False):
    """Options for asking the cases of a suite."""

    limit: Annotated[
        int, "Number of search results that count as found.", Range(1, 1000), Flag("--limit -n", default=10)
    ]
    budget: Annotated[
        int, "For cases without a `token_budget`.", Flag("--budget -b", read="tokens", default=4000)
    ]
    tokenizer: Annotated[TokenizerName, "The tokenizer of budgets.", Flag(default="o200k")]
    packing: Annotated[PackingName, "The rule that chooses the items of a pack.", Flag(default="auto")]


class SavingOptions(TypedDict, total=False):
    name: Annotated[
        str,
        "Name of the saved run, or a path that ends in .json. [default: by time]",
        Flag("--name", metavar="NAME", read="path", retired="--as"),
    ]


class SuiteOptions(CaseOptions, VectorOptions, SavingOptions, OutputOptions, total=False):
    """Options of commands that run a suite against the store."""


class AskingOptions(VectorOptions, OutputOptions, total=False):
    """Options of commands that ask and print."""


def _is_json(options: OutputOptions) -> bool:
    return options.get("as_json", False) or options["form"] == "json"


def _vectors(daypack: Daypack, terminal: Terminal, options: VectorOptions) -> VectorModeName:
    """The mode of vectors; with `all`, every vector is made first."""
    vectors: VectorModeName = options["vectors"]
    if vectors == "all":
        with terminal.progress("embedding") as step:
            daypack.embed(progress=step)
    return vectors


# ---------------------------------------------------------------- run


def run(
    store: Unopened,
    suite: Annotated[Path, Positional()],
    *,
    terminal: Terminal,
    **options: Unpack[SuiteOptions],
) -> Screen:
    """Ask the cases of SUITE, a JSON file, judge the answers, and save the run.

    Exit status 0 for every result; use `daypack eval gate` to fail on bad results.
    """
    from daypack.evaluate import to_json
    from daypack.evaluate.report.text import run_text

    cases = _read_suite(suite)
    with store.open() as daypack:
        judged, name = _judged(daypack, cases, terminal, options)
    return Screen(to_json(judged) if _is_json(options) else run_text(judged) + f"saved as   {name}\n")


def _judged(daypack: Daypack, suite: Suite, terminal: Terminal, options: SuiteOptions) -> tuple[Run, str]:
    """A saved run, and its name."""
    from daypack.evaluate.run_folder import RunFolder

    name, folder = options.get("name"), RunFolder(daypack.engine.store.folder)
    folder.check(name, suite.name)
    vectors = _vectors(daypack, terminal, options)
    with terminal.progress("asking") as step:
        judged = daypack.evaluate(
            suite,
            limit=options["limit"],
            budget=options["budget"],
            tokenizer=options["tokenizer"],
            packing=options["packing"],
            vectors=vectors,
            refresh=options["refresh"],
            progress=step,
        )
    if daypack.engine.store.read_only and name is None:
        terminal.note(
            "the store cannot be written, so the run was not saved; name a file with --name FILE.json"
        )
        return judged, "nothing: the store cannot be written"
    judged = folder.save(judged, name)
    return judged, name or judged.id


# ---------------------------------------------------------------- runs, compare, gate


def runs(store: Unopened, *, terminal: Terminal, **options: Unpack[OutputOptions]) -> Screen:
    """List the saved runs of the store, oldest first."""
    from daypack.evaluate.report.text import runs_text
    from daypack.evaluate.run_folder import RunFolder
    from daypack.shapes.plain import pick

    folder = RunFolder(store.folder)
    saved = []
    for name in folder.names():
        try:
            saved.append(folder.load(name))
        except BadRun as error:
            terminal.note(str(error))
    data = [
        pick(saved_run, "id created suite")
        | {"cases": len(saved_run.cases)}
        | {
            f"{name}_rate": rate.value if rate.judged else None
            for name, rate in (("retrieval", saved_run.totals.retrieval), ("pack", saved_run.totals.pack))
        }
        for saved_run in saved
    ]
    text = json.dumps(data) + "\n" if _is_json(options) else runs_text(saved)
    return Screen(text)


def compare(store: Unopened, before: RunName, after: RunName, **options: Unpack[OutputOptions]) -> Screen:
    """Compare two runs case by case: the cases that the second RUN answers worse and better, with the
    reasons.

    A RUN is the name of a saved run, the start of the name, `latest`, `latest~1` (the one before), or a file.
    """
    from daypack.evaluate import compare as compared
    from daypack.evaluate.report.text import comparison_json, comparison_text
    from daypack.evaluate.run_folder import RunFolder

    folder = RunFolder(store.folder)
    comparison = compared(folder.load(before), folder.load(after))
    return Screen(comparison_json(comparison) if _is_json(options) else comparison_text(comparison))


def gate(
    store: Unopened,
    what: Annotated[str, Positional(metavar="RUN|SUITE", read="path", complete=_saved_runs)],
    min_retrieval: Annotated[
        float | None,
        "Minimum share of cases whose search finds the expected items, 0 to 1.",
        Range(0, 1),
        Flag(metavar="RATE"),
    ] = None,
    min_pack: Annotated[
        float | None,
        "Minimum share of cases whose pack holds the expected items.",
        Range(0, 1),
        Flag(metavar="RATE"),
    ] = None,
    max_regressions: Annotated[
        int | None,
        "Maximum number of cases that may be worse than in --against. [default: 0]",
        Range(0, float("inf")),
        Flag(metavar="N"),
    ] = None,
    against: Annotated[
        str | None, "The run to compare with.", Flag(metavar="RUN", read="path", complete=_saved_runs)
    ] = None,
    *,
    terminal: Terminal,
    **options: Unpack[SuiteOptions],
) -> Screen:
    """Exit with status 1 when a run is below the given rates or has more regressions; a SUITE is asked first.

    Without a rate and without --against, every case must be found and packed.
    """
    from daypack.evaluate import gate as gated
    from daypack.evaluate.report.text import gate_json, gate_text
    from daypack.evaluate.run_folder import RunFolder, is_run_file

    if max_regressions is not None and against is None:
        raise BadUsage("--max-regressions needs the run to compare with: --against RUN")
    folder = RunFolder(store.folder)
    other = folder.load(against) if against is not None else None
    if Path(what).is_file() and not is_run_file(Path(what)):
        cases = _read_suite(Path(what))
        with store.open() as daypack:
            judged, _ = _judged(daypack, cases, terminal, options)
    else:
        judged = folder.load(what)
        _refuse_asking(what)
    checks = gated(
        judged, min_retrieval=min_retrieval, min_pack=min_pack, max_regressions=max_regressions, against=other
    )
    text = gate_json(judged, checks) if _is_json(options) else gate_text(checks)
    return Screen(text, 0 if all(check.passed for check in checks) else 1)


def _refuse_asking(name: str) -> None:
    """Raise BadUsage for an option that only asking a suite follows: the answers of a saved run are as they are."""
    context = click.get_current_context()
    asking = {
        option for kind in (CaseOptions, VectorOptions, SavingOptions) for option in kind.__annotations__
    }
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        is_former = isinstance(parameter, click.Option) and parameter.hidden
        if parameter.name in asking and not is_former and given is click.core.ParameterSource.COMMANDLINE:
            option = (parameter.secondary_opts or parameter.opts)[0]
            raise BadUsage(f"{option} is for a SUITE, and {name} is a saved run; give the suite")


# ---------------------------------------------------------------- self-check, fit-ranker


def self_check(
    daypack: Daypack,
    items: Annotated[
        int,
        "Number of chunks to ask for, by up to three questions each.",
        Range(1, 100_000),
        Flag("--limit -n", retired="--items"),
    ] = 100,
    seed: Annotated[int, "The seed of the choice: equal seeds ask the same.", Range(0, 2**63 - 1)] = 0,
    *,
    terminal: Terminal,
    **options: Unpack[AskingOptions],
) -> Screen:
    """Ask the store for its own texts, and report the retrieval arm that finds them best.

    The questions are made of the texts' own words: distinctive ones, a sentence's rarest, and a sentence
    without its rarest. They favour words, so they compare arms and do not measure the quality of answers.
    Exit status 1 when no question could be made.
    """
    from daypack.evaluate.report.text import self_check_json, self_check_text

    vectors = _vectors(daypack, terminal, options)
    with terminal.progress("asking") as step:
        result = daypack.self_check(
            items=items, seed=seed, vectors=vectors, refresh=options["refresh"], progress=step
        )
    text = self_check_json(result) if _is_json(options) else self_check_text(result)
    return Screen(text, 0 if result.rows else 1)


def fit_ranker(
    store: Unopened,
    suite: Annotated[Path | None, Positional(metavar="[SUITE]")] = None,
    dry_run: Annotated[bool, "Show the weights that would be kept, and keep none."] = False,
    remove: Annotated[bool, "Go back to the default weights.", Flag("--undo", retired="--remove")] = False,
    *,
    terminal: Terminal,
    **options: Unpack[AskingOptions],
) -> Screen:
    """Fit a few ranking weights of this store to the cases of SUITE, and use them if they help.

    Each case is judged by weights that were chosen without it. Where the gain over the defaults could be luck
    (its 95 % interval reaches down to 0), the defaults stay and nothing is written. Weights for a kind of
    text need 20 cases that expect such a text.
    """
    from daypack.evaluate.report.text import fit_json, fit_text

    as_json = _is_json(options)
    if remove == (suite is not None):
        raise BadUsage("give a SUITE to fit the weights to, or --undo to go back to the defaults")
    cases = None if suite is None else _read_suite(suite)
    with store.open() as daypack:
        if cases is None:
            removed = daypack.unfit_ranker()
            message = (
                "the default weights rank again\n" if removed else "the default weights ranked already\n"
            )
            return Screen(json.dumps({"removed": removed}) + "\n" if as_json else message)
        vectors = _vectors(daypack, terminal, options)
        with terminal.progress("fitting") as step:
            fit = daypack.fit_ranker(
                cases, vectors=vectors, refresh=options["refresh"], keep=not dry_run, progress=step
            )
        others = daypack.engine.snapshots.fitted() is not None
    kept = not dry_run
    return Screen(fit_json(fit, kept=kept) if as_json else fit_text(fit, kept=kept, others=others))


# ---------------------------------------------------------------- report


def report(
    store: Unopened,
    names: Annotated[list[str], Positional(metavar="RUN...", read="path", complete=_saved_runs)],
    out: Annotated[
        str | None,
        "The file to write the page to; - is standard output. [default: beside the last run, as its "
        "name.html]",
        Flag("--out -o", metavar="FILE", read="path"),
    ] = None,
) -> Screen:
    """Write one HTML page about each RUN given, and print where; of several, the last is compared with the
    first.

    The page needs nothing from elsewhere: no script, no font, no network.
    """
    from daypack.evaluate.report.page import page
    from daypack.evaluate.run_folder import RunFolder

    folder = RunFolder(store.folder)
    text = page([folder.load(name) for name in names])
    if out == "-":
        return Screen(text)
    path, here = folder.write_page(names[-1], text, out), Path.cwd()
    return Screen(f"{path.relative_to(here) if path.is_relative_to(here) else path}\n")


NOT_SAVED = f"the run is not saved; {FROM_THE_START}"

COMMANDS = (
    Command(run, at="eval run", opens="later", interrupted=NOT_SAVED),
    Command(runs, at="eval runs", opens="later"),
    Command(compare, at="eval compare", opens="later"),
    Command(gate, at="eval gate", opens="later", interrupted=NOT_SAVED),
    Command(self_check, at="eval self-check", interrupted=f"the check is not complete; {FROM_THE_START}"),
    Command(
        fit_ranker,
        at="eval fit-ranker",
        opens="later",
        interrupted=f"the weights are as before; {FROM_THE_START}",
    ),
    Command(report, at="eval report", opens="later"),
)
