"""The commands of `daypack memory`: parse, call the memories door, print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from daypack.surfaces.cli.common import F, line, moment, note, opened, print_json, text_argument, write
from daypack.surfaces.cli.main import memory

if TYPE_CHECKING:
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.memories.types import Gone, Memory, MemoryAnswer, Receipt, Remembered


def bound(command: F) -> F:
    """Options of every memory command: which store, whose memories, and how to print."""
    options = [
        click.option("--owner", metavar="NAME", help="Whose memories; no others are seen. [default: user]"),
        click.option("--project", metavar="NAME", help="Of which project, in a store that several share."),
        click.option("--json", "as_json", is_flag=True, help="As one JSON object."),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def shared_option(command: F) -> F:
    return click.option(
        "--shared", is_flag=True, help="The memory that everybody of the project sees, instead of one's own."
    )(command)


@contextmanager
def door(
    context: click.Context, store: str | None, owner: str | None, project: str | None, *, create: bool = False
) -> Iterator[MemoriesDoor]:
    with opened(
        context,
        store,
        create=create,
        owner=owner and text_argument(owner),
        project=project and text_argument(project),
    ) as daypack:
        yield daypack.memories


def _moment_text(at: float | None) -> str:
    from daypack.shapes.wording import minute

    return "" if at is None else minute(at)


# ---------------------------------------------------------------- write


@memory.command()
@click.argument("key")
@click.argument("value")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag. [repeatable]")
@click.option("--ttl", metavar="DURATION", help="Forget it by itself after 45s, 90m, 12h, 30d or 2w.")
@click.option("--if-absent", is_flag=True, help="Only when nothing holds under the key.")
@click.option(
    "--version", metavar="TOKEN", help="Only when this is still the version that stands there; - for none."
)
@click.option("--valid-from", metavar="DATE", help="Since when it holds. [default: now]")
@click.option("--valid-to", metavar="DATE", help="Until when it holds.")
@click.option(
    "--source",
    default="",
    metavar="TEXT",
    help="Where it comes from; tool:NAME, web:NAME and URLs are untrusted by default.",
)
@click.option("--author", default="", metavar="NAME", help="Who said it.")
@click.option("--session", default="", metavar="ID", help="The conversation in which it was said.")
@click.option(
    "--trust",
    type=click.Choice(["user", "agent", "untrusted"]),
    help="Who vouches for it. [default: by the source]",
)
@click.option("--reopen", is_flag=True, help="Write to a key that was redacted.")
@shared_option
@bound
@click.pass_context
def remember(
    context: click.Context,
    /,
    key: str,
    value: str,
    tags: tuple[str, ...],
    ttl: str | None,
    if_absent: bool,
    version: str | None,
    valid_from: str | None,
    valid_to: str | None,
    source: str,
    author: str,
    session: str,
    trust: str | None,
    reopen: bool,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Remember VALUE under KEY, as in release/cadence; - reads the value from standard input.

    What held before stays in the history. Saying the same again writes nothing.
    """
    from daypack.doors.memories import serialize as memory_data
    from daypack.doors.memories.rules import seconds_of

    text = sys.stdin.buffer.read().decode("utf-8", "replace") if value == "-" else text_argument(value)
    with door(context, store, owner, project, create=True) as memories:
        done = memories.remember(
            text_argument(key),
            text,
            tags=[*map(text_argument, tags)],
            ttl_seconds=seconds_of(ttl) if ttl else None,
            if_absent=if_absent,
            version="" if version == "-" else version,
            valid_from=moment(valid_from),
            valid_to=moment(valid_to),
            source=text_argument(source),
            author=text_argument(author),
            session=text_argument(session),
            trust=trust,
            shared=shared,
            reopen=reopen,
        )
    if as_json:
        print_json(memory_data.remembered_to_dict(done))
    else:
        write(_remembered_text(done))


def _remembered_text(done: Remembered) -> str:
    key = line(done.key)
    if done.waiting:
        lines = [
            f"{key} waits for a review ({done.token}): nobody vouches for it, and what stands there stays"
        ]
    elif not done.written:
        lines = [f"{key} stands there already ({done.token}); nothing was written"]
    elif done.memory is None or done.memory.token != done.token:
        lines = [f"recorded a version of {key} ({done.token}); it is not what holds now"]
    else:
        lines = [
            f"remembered {key} ({done.token})" + (f", in place of {done.replaced}" if done.replaced else "")
        ]
    if done.redactions:
        lines.append(f"replaced {done.redactions} secrets before anything was stored")
    lines += [f"similar: {line(item.key)}: {line(item.value)}" for item in done.similar]
    return "\n".join(lines) + "\n"


@memory.command()
@click.argument("key")
@click.argument("version")
@shared_option
@bound
@click.pass_context
def restore(
    context: click.Context,
    /,
    key: str,
    version: str,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Let an older VERSION of KEY hold again, as a new version."""
    from daypack.doors.memories import serialize as memory_data

    with door(context, store, owner, project) as memories:
        done = memories.restore(text_argument(key), version, shared=shared)
    if as_json:
        print_json(memory_data.remembered_to_dict(done))
    else:
        write(_remembered_text(done))


# ---------------------------------------------------------------- read


@memory.command()
@click.argument("key")
@click.option("--as-of", metavar="DATE", help="What held then, as we know it today.")
@click.option("--known-at", metavar="DATE", help="What was known then.")
@click.option("--no-touch", is_flag=True, help="Do not count this as a use.")
@bound
@click.pass_context
def recall(
    context: click.Context,
    /,
    key: str,
    as_of: str | None,
    known_at: str | None,
    no_touch: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """What holds under KEY; of a forgotten or redacted one, that and when (exit status 1)."""
    from daypack.doors.memories import serialize as memory_data
    from daypack.doors.memories.types import Gone

    with door(context, store, owner, project) as memories:
        found = memories.recall(
            text_argument(key), as_of=moment(as_of), known_at=moment(known_at), touch=not no_touch
        )
    if as_json:
        print_json(memory_data.recalled_to_dict(found))
    elif isinstance(found, Gone):
        write(_gone_text(found))
    else:
        write(found.value if found.value.endswith("\n") else found.value + "\n")
    context.exit(1 if isinstance(found, Gone) else 0)


def _gone_text(gone: Gone) -> str:
    return f"[{gone.state.value} {_moment_text(gone.at)}{f': {line(gone.reason)}' if gone.reason else ''}]\n"


@memory.command("list")
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag. [repeatable: all of them]"
)
@click.option("--limit", "-n", type=int, default=100, show_default=True, help="Memories a page, at most 500.")
@click.option("--cursor", default="", metavar="CURSOR", help="Go on where the last page ended.")
@bound
@click.pass_context
def list_(
    context: click.Context,
    /,
    tags: tuple[str, ...],
    limit: int,
    cursor: str,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """What is remembered, by key."""
    from daypack.doors.memories import serialize as memory_data

    with door(context, store, owner, project) as memories:
        page = memories.list(tags=[*map(text_argument, tags)], limit=limit, cursor=cursor)
    if as_json:
        print_json(memory_data.page_to_dict(page))
    else:
        write("".join(_memory_line(item) for item in page.memories))
        if page.cursor:
            note(f"there is more: --cursor {page.cursor}", always=True)
    context.exit(0 if page.memories else 1)


def _memory_line(item: Memory) -> str:
    flags = [
        *item.version.tags,
        *(["shared"] if item.shared else []),
        *(["untrusted"] if item.version.trust.value == "untrusted" else []),
    ]
    behind = f"  ({line(', '.join(flags))})" if flags else ""
    return f"{line(item.key)}: {line(item.value)}{behind}\n"


@memory.command()
@click.argument("query")
@click.option("--top-k", "-n", type=int, default=10, show_default=True, help="How many, at most 500.")
@click.option(
    "--min-score", type=float, default=0.0, show_default=True, help="Only with at least this score."
)
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag. [repeatable: all of them]"
)
@click.option(
    "--ordering",
    type=click.Choice(["relevance", "recency", "relevance+recency", "auto"]),
    default="relevance+recency",
    show_default=True,
    help="What counts.",
)
@click.option("--lexical", is_flag=True, help="Words only, no model is loaded.")
@click.option("--explain", is_flag=True, help="What each signal says.")
@bound
@click.pass_context
def search(
    context: click.Context,
    /,
    query: str,
    top_k: int,
    min_score: float,
    tags: tuple[str, ...],
    ordering: str,
    lexical: bool,
    explain: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """The memories that QUERY finds, by words and by meaning."""
    with door(context, store, owner, project) as memories:
        answer = memories.search(
            text_argument(query),
            top_k=top_k,
            min_score=min_score,
            tags=[*map(text_argument, tags)],
            ordering=ordering,
            vectors="none" if lexical else "lazy",
        )
    _answered(context, answer, as_json=as_json, explain=explain)


@memory.command()
@click.argument("key")
@click.option("--top-k", "-n", type=int, default=5, show_default=True, help="How many.")
@bound
@click.pass_context
def related(
    context: click.Context,
    /,
    key: str,
    top_k: int,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """What the memory KEY links to, and what is nearest to it."""
    with door(context, store, owner, project) as memories:
        answer = memories.related(text_argument(key), top_k=top_k)
    _answered(context, answer, as_json=as_json, explain=False)


def _answered(context: click.Context, answer: MemoryAnswer, *, as_json: bool, explain: bool) -> None:
    from daypack.doors.memories import serialize as memory_data

    if as_json:
        print_json(memory_data.answer_to_dict(answer))
    else:
        lines = (
            [f"(searched for {', '.join(f'{a} → {b}' for a, b in answer.stats.corrections.items())})\n"]
            if answer.stats.corrections
            else []
        )
        for rank, hit in enumerate(answer.hits, 1):
            lines.append(f"{rank:>2}. {hit.score:.3f}  {_memory_line(hit.memory)}")
            if explain:
                semantic = "none yet" if hit.semantic is None else f"{hit.semantic:.3f}"
                lines.append(
                    f"      semantic {semantic}  keyword {hit.keyword:.3f}  recency {hit.recency:.3f}  ranked {hit.ranked:.3f}\n"
                )
        write("".join(lines))
    _say_degraded(answer.stats.degraded)
    context.exit(0 if answer.hits else 1)


def _say_degraded(degraded: tuple[str, ...]) -> None:
    for arm in degraded:
        note(f"degraded: {line(arm)}", always=True)


@memory.command()
@bound
@click.pass_context
def tags(
    context: click.Context, /, owner: str | None, project: str | None, as_json: bool, store: str | None
) -> None:
    """The tags there are, and how many memories carry each."""
    with door(context, store, owner, project) as memories:
        counts = memories.tags()
    if as_json:
        print_json({"tags": counts})
    else:
        write("".join(f"{count:>6,}  {line(tag)}\n" for tag, count in counts.items()))
    context.exit(0 if counts else 1)


@memory.command()
@click.argument("key")
@bound
@click.pass_context
def history(
    context: click.Context,
    /,
    key: str,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Every version of KEY, newest first, with the token that `restore` takes."""
    from daypack.doors.memories import serialize as memory_data
    from daypack.doors.memories.types import Gone

    with door(context, store, owner, project) as memories:
        found = memories.history(text_argument(key))
    if as_json:
        print_json(memory_data.history_to_dict(found))
    elif isinstance(found, Gone):
        write(_gone_text(found))
    else:
        for entry in found:
            version = entry.version
            until = f" to {_moment_text(version.valid_to)}" if version.valid_to is not None else ""
            said = f"{version.trust.value}{f', {line(version.source, 60)}' if version.source else ''}"
            state = entry.state.value + (", in conflict" if entry.conflict else "")
            write(
                f"{version.token}  {state:<10}  recorded {_moment_text(version.recorded_at)}, valid from {_moment_text(version.valid_from)}{until} ({said})\n"
                f"    {'nothing holds' if version.value is None else line(version.value)}\n"
            )
    context.exit(1 if isinstance(found, Gone) else 0)


# ---------------------------------------------------------------- pack


@memory.command()
@click.argument("topic")
@click.option(
    "--budget-tokens",
    "-b",
    type=int,
    default=2000,
    show_default=True,
    help="The most the block may count; 1 to 100,000, others are clamped.",
)
@click.option(
    "--ordering",
    type=click.Choice(["relevance", "recency", "relevance+recency", "auto"]),
    default="relevance+recency",
    show_default=True,
    help="What comes first; auto: the common packer's choice by value and cost.",
)
@click.option(
    "--tokenizer",
    type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
    default="approx",
    show_default=True,
    help="What the budget is counted in; approx is four characters a token.",
)
@click.option(
    "--weights",
    metavar="S,K,R",
    help="Weights of semantic, keyword and recency in the blend. [default: 0.6,0.3,0.1]",
)
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag. [repeatable: all of them]"
)
@click.option("--lexical", is_flag=True, help="Words only, no model is loaded.")
@click.option("--no-touch", is_flag=True, help="Do not count the memories in the block as used.")
@bound
@click.pass_context
def pack(
    context: click.Context,
    /,
    topic: str,
    budget_tokens: int,
    ordering: str,
    tokenizer: str,
    weights: str | None,
    tags: tuple[str, ...],
    lexical: bool,
    no_touch: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """As many memories about TOPIC as fit, as one block of Markdown."""
    from daypack.doors.memories import serialize as memory_data
    from daypack.doors.memories.rules import OrderWeights

    order = None
    if weights is not None:
        try:
            order = OrderWeights(*(float(part) for part in weights.split(",", 2)))
        except (ValueError, TypeError):
            raise click.UsageError(f"{weights!r} are no weights; write 0.6,0.3,0.1") from None
    with door(context, store, owner, project) as memories:
        block = memories.pack(
            text_argument(topic),
            budget_tokens=budget_tokens,
            ordering=ordering,
            tokenizer=tokenizer,
            weights=order,
            tags=[*map(text_argument, tags)],
            vectors="none" if lexical else "lazy",
            touch=not no_touch,
        )
    if as_json:
        print_json(memory_data.block_to_dict(block))
    else:
        write(block.text)
    _say_degraded(block.stats.degraded)
    context.exit(0 if block.memories else 1)


# ---------------------------------------------------------------- forget, redact, review


@memory.command()
@click.argument("key", required=False, default="")
@click.option("--tag", default="", metavar="TAG", help="Whatever ever carried this tag.")
@click.option("--source", default="", metavar="TEXT", help="Whatever has a version from this source.")
@click.option("--everything", is_flag=True, help="All memories of the owner in the project.")
@shared_option
@bound
@click.pass_context
def forget(
    context: click.Context,
    /,
    key: str,
    tag: str,
    source: str,
    everything: bool,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Remove KEY, a tag, a source or everything for good, history included, and say what was removed."""
    with door(context, store, owner, project) as memories:
        receipt = memories.forget(
            text_argument(key),
            tag=text_argument(tag),
            source=text_argument(source),
            everything=everything,
            shared=shared,
        )
    _receipt(receipt, as_json=as_json)


@memory.command()
@click.argument("key")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept and shown.")
@shared_option
@bound
@click.pass_context
def redact(
    context: click.Context,
    /,
    key: str,
    reason: str,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Remove KEY for good, history included, and refuse it from then on."""
    with door(context, store, owner, project) as memories:
        receipt = memories.redact(text_argument(key), reason=text_argument(reason), shared=shared)
    _receipt(receipt, as_json=as_json)


def _receipt(receipt: Receipt, *, as_json: bool) -> None:
    from daypack.doors.memories import serialize as memory_data

    if as_json:
        print_json(memory_data.receipt_to_dict(receipt))
        return
    counts = f"{receipt.versions:,} versions, {receipt.chunks:,} chunks, {receipt.postings:,} postings, {receipt.vectors:,} vectors"
    lines = [
        f"{receipt.state.value} {', '.join(map(line, receipt.keys[:20]))}{' …' if len(receipt.keys) > 20 else ''}",
        f"removed {counts}",
    ]
    if not receipt.log_emptied:
        lines.append(
            "another process was reading, so the store's files may still hold it; the next memory command that finds nobody reading removes it"
        )
    lines += [f"may still hold it: {line(place, 200)}" for place in receipt.may_still_hold]
    write("\n".join(lines) + "\n")


@memory.command()
@click.option(
    "--accept", "accepted", metavar="KEY@VERSION", help="Vouch for this version: it holds from now on."
)
@click.option("--reject", "rejected", metavar="KEY@VERSION", help="Set this version aside.")
@shared_option
@bound
@click.pass_context
def review(
    context: click.Context,
    /,
    accepted: str | None,
    rejected: str | None,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Untrusted memories that nobody has judged yet; accept or reject one of them."""
    from daypack.doors.memories import serialize as memory_data

    if accepted and rejected:
        raise click.UsageError("--accept and --reject exclude each other")
    with door(context, store, owner, project) as memories:
        if accepted or rejected:
            key, at, version = text_argument(accepted or rejected or "").rpartition("@")
            if not at:
                raise click.UsageError("name the version as KEY@VERSION, as `daypack memory review` shows it")
            judge: Callable[..., Remembered] = memories.accept if accepted else memories.reject
            done = judge(key, version, shared=shared)
            if as_json:
                print_json(memory_data.remembered_to_dict(done))
            else:
                write(f"{'accepted' if accepted else 'rejected'} {line(key)}@{version}\n")
            return
        waiting = memories.review()
    if as_json:
        print_json({"waiting": [*map(memory_data.memory_to_dict, waiting)]})
    else:
        for item in waiting:
            source = f" from {line(item.version.source, 60)}" if item.version.source else ""
            write(f"{line(item.key)}@{item.token}{source}\n    {line(item.value)}\n")
    context.exit(0 if waiting else 1)


# ---------------------------------------------------------------- files


@memory.command()
@shared_option
@click.option("--owner", metavar="NAME", help="Whose memories. [default: user]")
@click.option("--project", metavar="NAME", help="Of which project.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def export(
    context: click.Context, /, shared: bool, owner: str | None, project: str | None, store: str | None
) -> None:
    """Every version as JSON lines on standard output, sorted; `import` takes them."""
    with door(context, store, owner, project) as memories:
        for fact in memories.files.export(shared=shared):
            write(fact + "\n")


@memory.command("import")
@click.argument("path", metavar="PATH")
@click.option("--prefix", default="", metavar="KEY", help="What the keys of Markdown files begin with.")
@shared_option
@bound
@click.pass_context
def import_(
    context: click.Context,
    /,
    path: str,
    prefix: str,
    shared: bool,
    owner: str | None,
    project: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Bring in PATH: JSON lines of an export (or - for standard input), a Markdown file, or a folder of them.

    Markdown is read again when it changes. What was forgotten is not brought back.
    """
    with door(context, store, owner, project, create=True) as memories:
        if path == "-":
            report = memories.files.import_lines(
                sys.stdin.buffer.read().decode("utf-8", "replace").splitlines(), shared=shared, name="stdin"
            )
        elif path.endswith((".jsonl", ".ndjson")):
            from daypack.errors import InputError

            try:
                with open(path, encoding="utf-8", errors="replace") as lines:  # noqa: PTH123 - an argument, as it was typed
                    report = memories.files.import_lines(lines, shared=shared, name=path)
            except OSError as error:
                raise InputError(f"{path} cannot be read ({error.strerror})") from None
        else:
            report = memories.files.import_markdown(path, prefix=text_argument(prefix))
    if as_json:
        issues = [
            {"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail}
            for issue in report.issues
        ]
        print_json(
            {
                "added": report.added,
                "unchanged": report.unchanged,
                "ended": report.ended,
                "refused": report.refused,
                "issues": issues,
            }
        )
        return
    write(f"added {report.added:,}, unchanged {report.unchanged:,}, ended {report.ended:,}\n")
    if report.refused:
        note(f"{report.refused:,} were forgotten or redacted here, and stay so", always=True)
    for issue in report.issues[:20]:
        note(f"{line(issue.uri)}: {line(issue.detail, 200)}", always=True)


@memory.command()
@bound
@click.pass_context
def share(
    context: click.Context, /, owner: str | None, project: str | None, as_json: bool, store: str | None
) -> None:
    """Keep what the project shares (`remember --shared`) in files below the store's folder, one fact a line,
    for git.
    """
    with door(context, store, owner, project, create=True) as memories:
        folder = memories.files.share()
    if as_json:
        print_json({"folder": str(folder)})
    else:
        write(f"shared memories live in {line(str(folder), 300)}; commit that folder\n")
