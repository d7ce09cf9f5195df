"""`daypack pack`, `search` and `get`: what a question is answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from daypack.surfaces.cli.common import (
    SetOption,
    Tokens,
    embedding,
    found_status,
    narrow_from,
    note,
    opened,
    print_json,
    query_argument,
    query_options,
    text_argument,
    write,
)

if TYPE_CHECKING:
    from daypack.types import Pack


@click.command()
@click.argument("query")
@click.option(
    "--budget",
    "-b",
    cls=SetOption,
    type=Tokens(),
    default=4000,
    show_default=True,
    help="The most the answer may count, frame and citations included.",
)
@click.option(
    "--tokenizer",
    cls=SetOption,
    type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
    default="o200k",
    show_default=True,
    help="What the budget is counted in.",
)
@click.option(
    "--packing",
    cls=SetOption,
    type=click.Choice(["auto", "skip", "prefix"]),
    default="auto",
    show_default=True,
    help="auto: best value; skip: rank order, pass over what does not fit; prefix: stop there.",
)
@click.option(
    "--format",
    "-f",
    "shape",
    type=click.Choice(["markdown", "xml", "json", "explain"]),
    default="markdown",
    show_default=True,
    help="The shape of the answer.",
)
@click.option(
    "--page", type=click.IntRange(1, 50), default=1, help="The next page holds what this one had no room for."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--explain", is_flag=True, help="The same as --format explain: why each item is in or out.")
@query_options
@click.pass_context
def pack(
    context: click.Context,
    /,
    query: str,
    budget: int,
    tokenizer: str,
    packing: str,
    shape: str,
    page: int,
    as_json: bool,
    explain: bool,
    store: str | None,
    vectors: str,
    lexical: bool,
    refresh: bool,
    **narrow: Any,
) -> None:
    """One cited pack for QUERY from everything in the store, within an exact budget.

    In a project without a store, the project is indexed first.
    """
    narrowed = narrow_from(**narrow)
    query = query_argument(query)
    shape = "json" if as_json else "explain" if explain else shape
    # The table explains a pack; it is longer than one, and held to the budget itself it would have no room
    # for any.
    packed = "markdown" if shape == "explain" else shape
    with opened(context, store, first_use=True) as daypack:
        with embedding(daypack, vectors):
            answer = daypack.pack(
                query,
                budget=budget,
                tokenizer=tokenizer,
                packing=packing,
                shape=packed,
                vectors="none" if lexical else vectors,
                refresh=refresh,
                page=page,
                **narrowed,
            )
        write(answer.to(shape))
        note(_summary(answer))
        context.exit(found_status(answer.empty_reason, bool(answer.excerpts)))


def _summary(answer: Pack) -> str:
    stats = answer.stats
    parts = [
        f"{answer.tokens_used:,} of {answer.budget.limit:,} {answer.budget.tokenizer.value} tokens",
        f"{len(answer.excerpts)} excerpts",
    ]
    if answer.next_page:
        parts.append(f"--page {answer.next_page} shows what had no room")
    if stats.vectors_missing:
        parts.append(
            f"{stats.vectors_missing:,} of {stats.chunks:,} chunks have no vector yet (`daypack add --embed` makes them)"
        )
    if stats.stale:
        parts.append(f"{stats.stale:,} files changed since they were indexed (`daypack add` re-reads them)")
    return " · ".join(parts)


# ---------------------------------------------------------------- search


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(0, 1000),
    default=10,
    show_default=True,
    help="Results for each query.",
)
@click.option(
    "--sort",
    type=click.Choice(["relevance", "timeline"]),
    default="relevance",
    show_default=True,
    help="Best first, or as it happened, across sessions.",
)
@click.option(
    "--ranking",
    type=click.Choice(["default", "ctx"]),
    default="default",
    show_default=True,
    help="ctx: stems and parts of words fused by rank, and proximity; no vectors.",
)
@click.option(
    "--budget",
    "-b",
    type=Tokens(),
    help="The most o200k tokens that all answers may count together; the last results go first.",
)
@click.option(
    "--content-type", "content", type=click.Choice(["code", "prose"]), help="Only code, or only prose."
)
@click.option(
    "--files", "by_file", is_flag=True, help="Files instead of parts of files, each with its best part."
)
@click.option("--explain", is_flag=True, help="What each signal added to each score.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a query.")
@query_options
@click.pass_context
def search(
    context: click.Context,
    /,
    queries: tuple[str, ...],
    limit: int,
    sort: str,
    budget: int | None,
    content: str | None,
    ranking: str,
    by_file: bool,
    explain: bool,
    as_json: bool,
    store: str | None,
    vectors: str,
    lexical: bool,
    refresh: bool,
    **narrow: Any,
) -> None:
    """Ranked results for each QUERY; several questions may be asked in one call."""
    import json

    from daypack.shapes import answers

    narrowed = narrow_from(**narrow)
    asked = [query_argument(query) for query in queries]
    results = []
    with opened(context, store, first_use=True) as daypack:
        for number, query in enumerate(asked):
            with embedding(daypack, vectors):
                result = daypack.search(
                    query,
                    limit=limit,
                    vectors="none" if lexical else vectors,
                    refresh=refresh and not number,
                    sort=sort,
                    content=content,
                    ranking=ranking,
                    **narrowed,
                )
            results.append(result)

        def page(count: int) -> str:
            shown = [answers.cut(result, count) for result in results] if budget is not None else results
            if as_json:
                return "".join(f"{json.dumps(answers.of_search(result))}\n" for result in shown)
            return "".join(
                answers.listing(result, heading=len(asked) > 1, explain=explain, by_file=by_file)
                for result in shown
            )

        write(page(limit) if budget is None else daypack.fit_to_budget(budget, limit, page))
    found = any(result.candidates for result in results)
    context.exit(
        0 if found or limit == 0 else max(found_status(result.empty_reason, False) for result in results)
    )


# ---------------------------------------------------------------- get


@click.command()
@click.argument("reference")
@click.option("--json", "as_json", is_flag=True, help="Text, span, hash and state as one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def get(context: click.Context, reference: str, as_json: bool, store: str | None) -> None:
    """The exact text behind REFERENCE: path:12-40, a path, a citation, or a result's id."""
    with opened(context, store, create=False) as daypack:
        found = daypack.get(text_argument(reference))
        if as_json:
            from daypack.shapes import answers

            print_json(answers.of_found(found))
        else:
            write(found.text if found.text.endswith("\n") else found.text + "\n")
        if found.state != "current":
            note("the file changed since it was cited; this is the text that was indexed", always=True)
