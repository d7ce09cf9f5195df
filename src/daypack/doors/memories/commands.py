"""The commands of `daypack memory`: the screens that a terminal shows of memories."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.memories import serialize as memory_data
from daypack.doors.memories.rules import is_sentence, keys_for
from daypack.doors.memories.types import Gone
from daypack.doors.memories.verbs import VERBS, Begin, End, Key, Shared, Source, Tags
from daypack.guard.fences import one_line
from daypack.guard.inputs import lines_of, opened, read_file, read_stream
from daypack.guard.secrets import redact
from daypack.shapes.outcomes import counts_in_words, issues_to_list, secrets_replaced
from daypack.shapes.plain import pick
from daypack.shapes.strict_json import read_json
from daypack.shapes.wording import NOT_REWRITTEN, counted, held_in_words, utc_minute, weak_sentence
from daypack.system import path_named
from daypack.types import SearchStats, Trust
from daypack.verbs.command import BadUsage, Command, Screen, one_of
from daypack.verbs.table import Flag, Positional

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.memories.types import (
        ImportReport,
        Memory,
        MemoryAnswer,
        MemoryBlock,
        MemoryHistory,
        MemoryPage,
        Receipt,
        Remembered,
    )

# ---------------------------------------------------------------- write


def remember(
    daypack: Daypack,
    key: Key,
    value: Annotated[str | None, Positional(read="stdin")] = None,
    tags: Annotated[
        list[str] | None, "A tag; - for none. [default: those that it has]", Flag("--tag", metavar="TAG")
    ] = None,
    ttl: Annotated[
        float | None,
        "Forget it automatically after 45s, 90m, 12h, 30d or 2w.",
        Flag("--expires", metavar="DURATION", read="duration", retired="--ttl"),
    ] = None,
    if_absent: Annotated[bool, "Write only when the key has no value."] = False,
    version: Annotated[
        str | None,
        "Write only when this is still the current version; - for none.",
        Flag(metavar="TOKEN", read="path"),
    ] = None,
    valid_from: Annotated[float | None, "Valid from this moment on. [default: now]", Begin] = None,
    valid_to: Annotated[float | None, "Valid until this moment.", End] = None,
    source: Source = "",
    author: Annotated[str, "Author of the statement.", Flag(metavar="NAME", advanced=True)] = "",
    session: Annotated[str, "Conversation of the statement.", Flag(metavar="ID")] = "",
    trust: Annotated[
        Literal["user", "agent", "untrusted"] | None, "Party that vouches for it. [default: by the source]"
    ] = None,
    reopen: Annotated[bool, "Write to a key that was redacted.", Flag(advanced=True)] = False,
    shared: Shared = False,
) -> Remembered:
    """Remember VALUE under KEY, for example under release/cadence. A sentence alone gets a key from its first words.

    - reads the value from standard input. The previous value stays in the history. Repeating the same value writes nothing.
    """
    remember = partial(
        daypack.memories.remember,
        tags=[] if tags == ["-"] else tags,
        ttl_seconds=ttl,
        valid_from=valid_from,
        valid_to=valid_to,
        source=source,
        author=author,
        session=session,
        trust=trust,
        shared=shared,
        reopen=reopen,
    )
    if value is not None:
        return remember(key, value, if_absent=if_absent, version="" if version == "-" else version)
    if version is not None or not is_sentence(key):
        raise BadUsage(f"VALUE is missing: `daypack remember {shlex.quote(key)} VALUE`")
    return _remember_alone(remember, key)


def _remember_alone(remember: Callable[..., Remembered], text: str) -> Remembered:
    """Keeps a text under a key of its own, never in place of another value."""
    stored = redact(text).text
    tries = (remember(key, text, if_absent=True) for key in keys_for(stored))
    return next(done for done in tries if done.written or (done.memory and done.memory.value == stored))


def remembered_text(done: Remembered) -> str:
    key = one_line(done.key, 110)
    if done.waiting:
        lines = [
            f"{key} waits for a review ({done.token}): its source is not trusted; the current value stays until `daypack memory review` accepts this one"
        ]
    elif not done.written:
        current_value = f": {one_line(done.memory.value, 110)}" if done.memory else ""
        lines = [f"nothing was written; {key} has a value already ({done.token}){current_value}"]
    elif done.memory is None or done.memory.token != done.token:
        lines = [f"recorded a version of {key} ({done.token}); it is not the current value"]
    else:
        replaced = f", in place of {done.replaced}" if done.replaced else ""
        end = done.memory.version.expires_at
        until = f", until {utc_minute(end)}" if end is not None else ""
        lines = [f"remembered {key} ({done.token}){replaced}{until}"]
    if done.written and not done.waiting and done.memory and done.memory.version.trust is Trust.UNTRUSTED:
        lines.append("it counts as untrusted; `daypack memory review` accepts it")
    lines += secrets_replaced(done.redactions)
    lines += [f"similar: {one_line(item.key, 110)}: {one_line(item.value, 110)}" for item in done.similar]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- read


def recalled_screen(recalled: Memory | Gone) -> Screen:
    if isinstance(recalled, Gone):
        return Screen(_gone_text(recalled), status=1)
    return Screen(recalled.value if recalled.value.endswith("\n") else recalled.value + "\n")


def _gone_text(gone: Gone) -> str:
    reason = f": {one_line(gone.reason, 110)}" if gone.reason else ""
    return f"[{gone.state.value} {_minute(gone.at)}{reason}]\n"


def _minute(at: float | None) -> str:
    return "" if at is None else utc_minute(at)


def page_screen(page: MemoryPage, tags: Tags = None) -> Screen:
    hints = (f"there is more: --page {page.cursor}",) if page.cursor else ()
    if not page.memories and tags:
        named = " and ".join(repr(one_line(tag, 80)) for tag in tags)
        hints = (
            f"no memory has the {'tag' if len(tags) == 1 else 'tags'} {named}; `daypack memory tags` lists all of them",
        )
    elif not page.memories:
        hints = ("no memory to list; `daypack remember KEY VALUE` adds one",)
    return Screen("".join(map(_memory_line, page.memories)), hints=hints)


def _memory_line(item: Memory, also: tuple[str, ...] = ()) -> str:
    flags = [
        *([f"also {', '.join(also)}"] if also else []),
        *([held_in_words(*item.held, is_ahead=item.is_ahead)] if item.held is not None else []),
        *item.version.tags,
        *(["shared"] if item.shared else []),
        *(["untrusted"] if item.version.trust.value == "untrusted" else []),
    ]
    behind = f"  ({one_line(', '.join(flags), 110)})" if flags else ""
    return f"{one_line(item.key, 110)}: {one_line(item.value, 110)}{behind}\n"


def explained_screen(
    answer: MemoryAnswer, explain: Annotated[bool, "Show the value of each signal."] = False
) -> Screen:
    corrected = ", ".join(f"{a} → {b}" for a, b in answer.stats.corrections.items())
    notes = (f"searched for {corrected}",) if corrected else ()
    lines = []
    for rank, hit in enumerate(answer.hits, 1):
        lines.append(f"{rank:>2}. {hit.score:.3f}  {_memory_line(hit.memory, hit.also)}")
        if explain:
            semantic = "none yet" if hit.semantic is None else f"{hit.semantic:.3f}"
            lines.append(
                f"      semantic {semantic}  keyword {hit.keyword:.3f}  recency {hit.recency:.3f}  ranked {hit.ranked:.3f}\n"
            )
    none = () if answer.hits else ("no memory matches; `daypack memory list` lists all of them",)
    weak = (weak_sentence(answer.stats),) if answer.hits and answer.stats.weak else ()
    notes = (*notes, *weak, *_remarks(answer.stats))
    return Screen("".join(lines), 0 if answer.hits else 1, notes, none)


def answer_screen(answer: MemoryAnswer) -> Screen:
    return explained_screen(answer)


def _remarks(stats: SearchStats) -> tuple[str, ...]:
    time = (f"time read: {stats.time} (UTC)",) if stats.time else ()
    return (*time, *(f"degraded: {one_line(arm, 110)}" for arm in stats.degraded))


def tags_screen(counts: dict[str, int]) -> Screen:
    lines = (f"{count:>6,}  {one_line(tag, 110)}\n" for tag, count in counts.items())
    none = "no memory has a tag; `daypack remember KEY VALUE --tag TAG` gives it one"
    return Screen("".join(lines), hints=() if counts else (none,))


def history_screen(found: tuple[MemoryHistory, ...] | Gone) -> Screen:
    if isinstance(found, Gone):
        return Screen(_gone_text(found), status=1)
    lines = []
    for entry in found:
        version = entry.version
        until = f" to {_minute(version.valid_to)}" if version.valid_to is not None else ""
        origin = f"{version.trust.value}{f', {one_line(version.source, 60)}' if version.source else ''}"
        state = entry.state.value + (", in conflict" if entry.conflict else "")
        lines.append(
            f"{version.token}  {state:<10}  recorded {_minute(version.recorded_at)}, valid from {_minute(version.valid_from)}{until} ({origin})\n"
            f"    {'nothing holds' if version.value is None else one_line(version.value, 110)}\n"
        )
    return Screen("".join(lines))


def block_screen(block: MemoryBlock) -> Screen:
    none = () if block.memories else ("no memory in the block: none matches, or none fits the budget",)
    return Screen(f"{block.text}\n", 0 if block.memories else 1, _remarks(block.stats), none)


# ---------------------------------------------------------------- forget, redact, review


def forget(
    daypack: Daypack,
    key: Annotated[str, Positional()] = "",
    tag: Annotated[str, "Forget every memory that ever carried this tag.", Flag(metavar="TAG")] = "",
    source: Annotated[
        str, "Forget every value from this source; a key keeps its others.", Flag(metavar="TEXT")
    ] = "",
    everything: Annotated[bool, "Forget all memories of the owner in the project."] = False,
    shared: Shared = False,
) -> Receipt:
    """Erase a memory for good, with its history: KEY, a tag or a source."""
    return daypack.memories.forget(key, tag=tag, source=source, everything=everything, shared=shared)


def receipt_text(receipt: Receipt) -> str:
    lines = [
        *([f"{receipt.state.value} {_named(receipt.keys)}"] if receipt.keys else []),
        *([f"kept the other values of {_named(receipt.kept)}"] if receipt.kept else []),
        f"removed {counted(receipt.versions, 'version')}, {counted(receipt.chunks, 'chunk')}, {counted(receipt.postings, 'posting')}, {counted(receipt.vectors, 'vector')}",
    ]
    if not receipt.log_emptied:
        lines.append(NOT_REWRITTEN)
    lines += [f"may still hold it: {one_line(place, 200)}" for place in receipt.may_still_hold]
    return "\n".join(lines) + "\n"


def _named(keys: tuple[str, ...]) -> str:
    return ", ".join(one_line(key, 110) for key in keys[:20]) + (" …" if len(keys) > 20 else "")


def review(
    daypack: Daypack,
    accepted: Annotated[
        str, "Accept this version: it is valid from now on.", Flag("--accept", metavar="KEY@VERSION")
    ] = "",
    rejected: Annotated[str, "Reject this version.", Flag("--reject", metavar="KEY@VERSION")] = "",
    shared: Shared = False,
) -> tuple[str, Remembered] | tuple[Memory, ...]:
    """List untrusted memories that wait for a review; accept or reject one."""
    if accepted and rejected:
        raise BadUsage("--accept and --reject exclude each other")
    if not accepted and not rejected:
        return daypack.memories.review()
    key, at, version = (accepted or rejected).rpartition("@")
    if not at:
        raise BadUsage("name the version as KEY@VERSION, as `daypack memory review` shows it")
    judge = daypack.memories.accept if accepted else daypack.memories.reject
    verdict = f"{'accepted' if accepted else 'rejected'} {one_line(key, 110)}@{version}"
    return verdict, judge(key, version, shared=shared)


def review_screen(reviewed: Any) -> Screen:
    match reviewed:
        case (str() as verdict, _):
            return Screen(f"{verdict}\n")
    lines = []
    for waiting in reviewed:
        source = f" from {one_line(waiting.version.source, 60)}" if waiting.version.source else ""
        lines.append(
            f"{one_line(waiting.key, 110)}@{waiting.token}{source}\n    {one_line(waiting.value, 110)}\n"
        )
    return Screen("".join(lines), hints=() if reviewed else ("no memory waits for a review",))


def review_data(reviewed: Any) -> dict[str, Any]:
    match reviewed:
        case (str(), judged):
            return memory_data.remembered_to_dict(judged)
    return {"waiting": [*map(memory_data.memory_to_dict, reviewed)]}


# ---------------------------------------------------------------- files

MOST_ISSUES = 20  # lines and notes that are named one by one


def export(daypack: Daypack, shared: Shared = False) -> Screen:
    """Print every version as a line of JSON, sorted; `import` takes them."""
    lines: Iterator[str] = (f"{fact}\n" for fact in daypack.memories.files.export(shared=shared))
    return Screen(lines)


def import_(
    daypack: Daypack,
    path: Annotated[str, Positional(metavar="PATH", read="path")],
    prefix: Annotated[str, "Prefix of the keys of Markdown files.", Flag(metavar="KEY", advanced=True)] = "",
    shared: Shared = False,
) -> ImportReport:
    """Import JSON lines, a Markdown file or a folder of Markdown files from PATH; - reads JSON.

    The lines are those of an export, or objects with a key and a value, also as one array. Markdown is read again when it
    changes. Forgotten memories are not imported again.
    """
    files = daypack.memories.files
    if path == "-":
        piped, is_array = _piped()
        return files.import_lines(piped, shared=shared, name="stdin", is_array=is_array)
    found = _lines_in(path)
    if found is None:
        return files.import_markdown(path, prefix=prefix, shared=shared)
    lines, is_array = found
    return files.import_lines(lines, shared=shared, name=path, is_array=is_array)


def _piped() -> tuple[Iterable[str], bool]:
    """(the objects of standard input as lines, True for those of an array). Raises BadJson for a broken array."""
    lines, begin = lines_of(sys.stdin.buffer), list[bytes]()
    while not b"".join(begin).strip() and (line := next(lines, None)) is not None:
        begin.append(line)
    if not begin or not begin[-1].lstrip().startswith(b"["):
        return (line.decode("utf-8", "replace") for line in chain(begin, lines)), False
    text = b"".join(begin) + read_stream(sys.stdin.buffer)
    return map(json.dumps, read_json(text.decode("utf-8", "replace"), what="stdin")), True


def _lines_in(path: str) -> tuple[Iterable[str], bool] | None:
    """(the objects of a file of JSON as lines, True for those of an array); None for a file of other text."""
    if not path.endswith((".jsonl", ".ndjson")):
        start = _start_of(path)
        if not start.startswith((b"{", b"[")):
            return None
        try:
            whole = json.loads(read_file(path))
        except (ValueError, RecursionError):  # JSON lines, or Markdown that begins with a link
            if start.startswith(b"["):
                return None
        else:
            objects = whole if isinstance(whole, list) else [whole]
            if not all(isinstance(one, dict) for one in objects):
                return None
            return map(json.dumps, objects), objects is whole
    return _lines_of(path), False


def _start_of(path: str) -> bytes:
    if not path_named(path).is_file():  # a folder, or nothing
        return b""
    with opened(path) as stream:
        return stream.read(80).lstrip()


def _lines_of(path: str) -> Iterator[str]:
    with opened(path) as stream:
        yield from (line.decode("utf-8", "replace") for line in lines_of(stream, path))


def imported_data(report: ImportReport) -> dict[str, Any]:
    return {**pick(report, "added unchanged ended refused"), "issues": issues_to_list(report.issues)}


def imported_screen(report: ImportReport) -> Screen:
    text = f"{counts_in_words(report, 'added unchanged ended')}\n"
    refused = [f"{report.refused:,} were forgotten or redacted here, and stay so"] if report.refused else []
    shown, left = report.issues[:MOST_ISSUES], len(report.issues) - MOST_ISSUES
    issues = [f"{one_line(issue.uri, 110)}: {one_line(issue.detail, 200)}" for issue in shown]
    more = [f"{left:,} more could not be imported either"] if left > 0 else []
    return Screen(text, 1 if issues else 0, notes=(*issues, *more), hints=(*refused,))


def share(daypack: Daypack) -> str:
    """Keep the project's shared memories (`remember --shared`) in files below the store's folder, one fact a line, for git."""
    return str(daypack.memories.files.share())


def share_text(folder: str) -> str:
    return f"shared memories live in {one_line(folder, 300)}; commit that folder\n"


def share_data(folder: str) -> dict[str, str]:
    return {"folder": folder}


def _has_shared(folder: str) -> bool:
    """True when shared memories came with a clone into this folder, even if it has no store yet."""
    from daypack.doors.memories.files.shared import SHARED_FOLDER

    return any((Path(folder) / SHARED_FOLDER).rglob("*.jsonl"))


VERB = {verb.name: verb for verb in VERBS}
Owned = partial(Command, owned=True, opens=_has_shared)
COMMANDS = (
    Owned(remember, remembered_text, "remember", memory_data.remembered_to_dict, opens="created", retired=("memory remember",)),
    Owned(VERB["restore_memory"], remembered_text, help="Restore an older VERSION of KEY, as a new version."),
    Owned(VERB["recall"], recalled_screen, retired=("memory recall",), help="Show the memory under KEY.\n\nFor a forgotten or redacted memory, the message has its date, and the exit status is 1."),
    Owned(VERB["list_memories"], page_screen, help="List memories, by key."),
    Owned(VERB["search_memories"], explained_screen, help="Search memories with QUERY, by words and "
        "by meaning."),
    Owned(VERB["relate_memories"], answer_screen, help="Show the memories that KEY links to, and "
        "the nearest to it."),
    Owned(VERB["list_tags"], tags_screen, help="List all tags of memories, and how many memories each has."),
    Owned(VERB["memory_history"], history_screen, help="Show every version of KEY, newest first, "
        "with the token that `restore` takes."),
    Owned(VERB["pack_context"], block_screen, plain=memory_data.block_to_dict, help="Pack as many "
        "memories about TOPIC as fit, as one block of Markdown."),
    Owned(forget, receipt_text, "forget", memory_data.receipt_to_dict, retired=("memory forget",),
        check=one_of("say what to forget: a key, a tag, a source, or everything", "key", "tag", "source", "everything")),
    Owned(VERB["redact_memory"], receipt_text, help="Erase KEY, history included, and refuse it "
        "from then on."),
    Owned(review, review_screen, "memory review", review_data),
    Owned(export, at="memory export"),
    Owned(import_, imported_screen, "memory import", imported_data, opens="created"),
    Owned(share, share_text, "memory share", share_data, opens="created"),
)  # fmt: skip
