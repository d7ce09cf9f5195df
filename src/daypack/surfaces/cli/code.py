"""The commands of `daypack code`: parse, call the code door, print."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from daypack.surfaces.cli.common import F, Tokens, opened, print_json, query_argument, text_argument, write
from daypack.surfaces.cli.main import code


def common(command: F) -> F:
    """Options of every command of this door."""
    options = [
        click.option("--store", metavar="FOLDER", help="The store to use."),
        click.option(
            "--refresh/--no-refresh",
            default=True,
            help="Look at the disk first, or answer from what is stored.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def enveloped(context: click.Context) -> Iterator[None]:
    """Errors as an envelope on stdout: a program that reads one shape need not know another."""
    from daypack.doors.code import serialize as code_data
    from daypack.errors import DaypackError

    try:
        yield
    except DaypackError as error:
        print_json(code_data.error_envelope(error))
        context.exit(error.exit_status)


@code.command()
@click.argument("query")
@click.option(
    "--path",
    default="",
    metavar="PATH",
    help="Only what lies in this folder or file; what stands near may lie elsewhere.",
)
@click.option(
    "--max-chars",
    type=click.IntRange(0),
    default=20_000,
    show_default=True,
    help="The most characters that the items may count.",
)
@click.option(
    "--budget",
    "-b",
    type=Tokens(),
    help="Instead of characters: the common pack, held to code and to this many tokens.",
)
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(0, 1000),
    default=10,
    show_default=True,
    help="Items that were found, without those near them.",
)
@click.option(
    "--max-related-per-primary",
    type=click.IntRange(0, 12),
    default=3,
    show_default=True,
    help="Items near each of them.",
)
@click.option(
    "--strategy",
    type=click.Choice(["direct", "extended", "deep"]),
    default="extended",
    show_default=True,
    help="Up to one, two or three steps away.",
)
@click.option(
    "--related-mode",
    type=click.Choice(["explore", "focus"]),
    default="explore",
    show_default=True,
    help="explore: whatever stands near; focus: what holds words of the query as well.",
)
@click.option("--prefer-code", "prefer", flag_value="code", help="Documentation counts half.")
@click.option("--prefer-docs", "prefer", flag_value="docs", help="Code counts half.")
@click.option("--include", multiple=True, metavar="GLOB", help="Only files that match. [repeatable]")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No files that match. [repeatable]")
@click.option(
    "--anchor-policy",
    type=click.Choice(["auto", "off"]),
    default="auto",
    show_default=True,
    help="auto: a name, path or quotation that nothing mentions gives an empty pack; off: the nearest code all the same.",
)
@click.option(
    "--profile",
    default="quality",
    show_default=True,
    metavar="NAME",
    help="fast, quality, or a TOML file of your own.",
)
@click.option(
    "--vectors",
    type=click.Choice(["lazy", "all", "none"]),
    help="Which vectors to wait for. [default: what the profile says]",
)
@click.option("--lexical", is_flag=True, help="The same as --vectors none.")
@click.option(
    "--trace", is_flag=True, help="What was considered, and what each signal said, in `meta.trace`."
)
@common
@click.pass_context
def pack(
    context: click.Context,
    /,
    query: str,
    path: str,
    budget: int | None,
    prefer: str | None,
    vectors: str | None,
    lexical: bool,
    store: str | None,
    refresh: bool,
    **given: Any,
) -> None:
    """The code that QUERY means with what stands near it, as one JSON object (Context Pack v1).

    QUERY is a question, an identifier, a path, a quotation or an error's text.
    """
    mode = "none" if lexical else vectors
    with enveloped(context):
        from daypack.doors.code import serialize as code_data

        query, path = query_argument(query), text_argument(path)
        with opened(context, store, first_use=True) as daypack:
            if budget is not None:
                source = [path] if path else [text_argument(glob) for glob in given["include"]]
                narrow: dict[str, Any] = {"source": source} if source else {}
                answer = daypack.pack(
                    query, budget=budget, door="code", vectors=mode or "lazy", refresh=refresh, **narrow
                )
                write(answer.text)
                context.exit(0 if answer.excerpts else 1)
            found = daypack.code.pack(
                query, path=path, prefer=prefer or "none", vectors=mode, refresh=refresh, **_texts(given)
            )
            print_json(code_data.pack_to_dict(found))
            context.exit(0 if found.items else 1)


def _texts(given: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [*map(text_argument, value)] if isinstance(value, tuple) else value
        for name, value in given.items()
    }


# ---------------------------------------------------------------- the graph


def _answer(context: click.Context, rows: Any, data: Any, *, as_json: bool) -> None:
    """Rows as text or as an envelope; nothing found ends with exit status 1."""
    from daypack.doors.code import serialize as code_data

    if as_json:
        print_json(data)
    else:
        write(code_data.listing(rows))
    context.exit(0 if rows else 1)


json_option = click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
reference_argument = click.argument("reference", metavar="REF")


@code.command()
@click.argument("name", default="")
@click.option("--path", default="", metavar="PATH", help="Only what lies in this folder or file.")
@click.option(
    "--kind",
    default="",
    metavar="KIND",
    help="Only this: function, method, class, struct, enum, interface, impl, type, const, variable.",
)
@click.option(
    "--limit", "-n", type=click.IntRange(0, 1000), default=100, show_default=True, help="The most symbols."
)
@json_option
@common
@click.pass_context
def symbols(
    context: click.Context,
    /,
    name: str,
    path: str,
    kind: str,
    limit: int,
    as_json: bool,
    store: str | None,
    refresh: bool,
) -> None:
    """Definitions whose names hold NAME, in any case: equal names first."""
    from daypack.doors.code import serialize as code_data

    with opened(context, store, first_use=True) as daypack:
        rows = daypack.code.symbols(
            text_argument(name), path=text_argument(path), kind=kind, limit=limit, refresh=refresh
        )
    _answer(context, rows, code_data.symbols_to_dict(rows), as_json=as_json)


@code.command()
@reference_argument
@click.option(
    "--strategy",
    type=click.Choice(["direct", "extended", "deep"]),
    default="extended",
    show_default=True,
    help="Up to how many steps away.",
)
@click.option(
    "--limit", "-n", type=click.IntRange(0, 1000), default=20, show_default=True, help="The most symbols."
)
@json_option
@common
@click.pass_context
def related(
    context: click.Context,
    /,
    reference: str,
    strategy: str,
    limit: int,
    as_json: bool,
    store: str | None,
    refresh: bool,
) -> None:
    """What stands near REF, the most relevant first.

    REF is a name (Cart, Cart.total), path:line, path:Name, or the path of a file.
    """
    from daypack.doors.code import serialize as code_data

    with opened(context, store, first_use=True) as daypack:
        rows = daypack.code.related(text_argument(reference), strategy=strategy, limit=limit, refresh=refresh)
    _answer(context, rows, code_data.near_to_dict(rows, "related"), as_json=as_json)


@code.command()
@reference_argument
@click.option(
    "--limit", "-n", type=click.IntRange(0, 1000), default=100, show_default=True, help="The most callers."
)
@json_option
@common
@click.pass_context
def callers(
    context: click.Context, /, reference: str, limit: int, as_json: bool, store: str | None, refresh: bool
) -> None:
    """Who calls, uses or extends REF, and where; what may mean another of its name comes last."""
    from daypack.doors.code import serialize as code_data

    with opened(context, store, first_use=True) as daypack:
        rows = daypack.code.callers(text_argument(reference), limit=limit, refresh=refresh)
    _answer(context, rows, code_data.near_to_dict(rows, "callers"), as_json=as_json)


@code.command("tests-for")
@reference_argument
@click.option(
    "--limit", "-n", type=click.IntRange(0, 1000), default=100, show_default=True, help="The most tests."
)
@json_option
@common
@click.pass_context
def tests_for(
    context: click.Context, /, reference: str, limit: int, as_json: bool, store: str | None, refresh: bool
) -> None:
    """The tests that call or use REF, its members, or, when none does, what calls it."""
    from daypack.doors.code import serialize as code_data

    with opened(context, store, first_use=True) as daypack:
        rows = daypack.code.tests_for(text_argument(reference), limit=limit, refresh=refresh)
    _answer(context, rows, code_data.near_to_dict(rows, "tests"), as_json=as_json)


@code.command("map")
@click.option(
    "--budget",
    "-b",
    type=Tokens(),
    default=2000,
    show_default=True,
    help="The most tokens that the map may count.",
)
@click.option(
    "--focus",
    multiple=True,
    metavar="PATH",
    help="A file or folder that the reader begins with. [repeatable]",
)
@json_option
@common
@click.pass_context
def map_(
    context: click.Context,
    /,
    budget: int,
    focus: tuple[str, ...],
    as_json: bool,
    store: str | None,
    refresh: bool,
) -> None:
    """The repository in a number of tokens: files, and in them the symbols that matter most, with signatures."""
    from daypack.doors.code import serialize as code_data

    with opened(context, store, first_use=True) as daypack:
        found = daypack.code.map(budget=budget, focus=[*map(text_argument, focus)], refresh=refresh)
    if as_json:
        print_json(code_data.map_to_dict(found))
    else:
        write(found.text)
