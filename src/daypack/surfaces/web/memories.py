"""Views of memories: those that wait for a review, current values, and their histories."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.routing import Route

from daypack.doors.memories import serialize as memory_data
from daypack.doors.memories.types import Memory
from daypack.errors import MemoryConflict, NotFound
from daypack.guard.fences import encode, one_line
from daypack.ports import Progress
from daypack.surfaces.web.frame import Frame
from daypack.surfaces.web.shell import NeedsView
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.memories.types import Gone, MemoryHistory, Receipt

LONGEST_UNCHANGED = 400  # characters; the middle of a longer unchanged part is left out
MOST_VERSIONS, MOST_KEYS = 2_000, 150  # that a view of an earlier moment reads
STEPS = 100  # of the slider
LONGEST_COMPARED = 20_000  # characters; longer texts are shown without their differences
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def routes(frame: Frame) -> list[Route]:
    def noted(receipt: Receipt) -> str:
        return f"/memories?{urlencode({'done': frame.noted(memory_data.receipt_to_dict(receipt))})}"

    def forget(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        return noted(daypack.memories.forget(fields.get("key", ""), shared="shared" in fields))

    def redact(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        key, reason = fields.get("key", ""), fields.get("reason", "")
        return noted(daypack.memories.redact(key, reason=reason, shared="shared" in fields))

    return [
        frame.reading_page("/memories", "memories.html", read_facts),
        frame.form("/memories/forget", forget),
        frame.form("/memories/redact", redact, Access.DANGEROUS),
        frame.form("/memories/supersede", _supersede),
        frame.form("/memories/restore", _restore),
        frame.form("/memories/review", _review),
    ]


def _supersede(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    key, value, version = fields.get("key", ""), fields.get("value", ""), fields.get("version", "")
    # A correction names the version that the user saw, so that it cannot replace a newer value that the user did not see.
    expected = version if version or "new" in fields else None
    text, shared = value.replace("\r\n", "\n"), "shared" in fields
    place = _place(key, shared=shared)
    try:
        daypack.memories.remember(key, text, version=expected, shared=shared)
    except MemoryConflict as conflict:
        now = (
            f"its value is now '{one_line(conflict.value, 200)}'"
            if conflict.value is not None
            else "it has no value now"
        )
        why = "exists already" if "new" in fields else "was changed after this page was read"
        raise NeedsView(f"{key} {why}: {now}; open it to change it", (place, f"Open {key}")) from conflict
    return place


def _restore(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    key, shared = fields.get("key", ""), "shared" in fields
    daypack.memories.restore(key, fields.get("version", ""), shared=shared)
    return _place(key, shared=shared)


def _place(key: str, *, shared: bool) -> str:
    """The address of a key's history; a key may be one's own and shared at once."""
    return f"/memories?{urlencode({'key': key} | ({'shared': '1'} if shared else {}))}#history"


def _review(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    door = daypack.memories
    judge = door.accept if fields.get("verdict") == "accept" else door.reject
    judge(fields.get("key", ""), fields.get("version", ""), shared="shared" in fields)
    return "/memories"


def read_facts(daypack: Daypack, parameters: Mapping[str, str]) -> dict[str, Any]:
    """`parameters` may hold a search `q`, the `key` of a history and that it is `shared`, the `cursor` of a page, and a step `at` of the time
    since the first memory. Raises DaypackError.
    """
    door, query, key = daypack.memories, parameters.get("q", ""), parameters.get("key", "")
    waiting = door.review()
    facts: dict[str, Any] = {
        "q": query, "key": key, "waiting": waiting, "cursor": "", "step": STEPS, "steps": STEPS,
        "awaited": {entry.token for entry in waiting},
    }  # fmt: skip
    versions = door.recorded(limit=MOST_VERSIONS)
    first = versions[-1][1].recorded_at if versions else None
    if first is not None:
        facts["first"] = first
    step = parameters.get("at", "")
    if first is not None and step.isascii() and step.isdigit() and int(step[:4]) < STEPS:
        # a little later than the step's share of the time, so that the first step shows the first memory
        moment = first + (daypack.engine.clock() - first) * int(step) / STEPS + 0.001
        keys = sorted({key for key, version in versions if version.recorded_at <= moment})
        facts |= {"step": int(step), "moment": moment, "memories": _known(daypack, keys[:MOST_KEYS], moment)}
    elif query.strip():
        facts["memories"] = [hit.memory for hit in door.search(query, top_k=50).hits]
    else:
        listed = door.list(limit=50, cursor=parameters.get("cursor", ""))
        facts |= {"memories": listed.memories, "cursor": listed.cursor}
    if key:
        history, facts["shared"] = _history(door, key, "shared" in parameters)
        if isinstance(history, tuple):
            facts |= {"memory_history": _with_changes(history), "newest": history[0].version.token}
            now = next((entry.version.value or "" for entry in history if entry.state.value == "current"), "")
            # a value that needs escapes cannot be corrected by hand
            facts["now"] = now if encode(now)[0] == now else ""
        else:
            facts["gone"] = history
    return facts


def _history(door: MemoriesDoor, key: str, shared: bool) -> tuple[tuple[MemoryHistory, ...] | Gone, bool]:
    """(the history of a key, whether it is the shared one): of the wanted one, else of the other one. Raises NotFound."""
    for space in (shared, not shared):
        with suppress(NotFound):
            found = door.history(key, shared=space)
            if isinstance(found, tuple):
                return found, space
    return door.history(key), shared


def _known(daypack: Daypack, keys: Sequence[str], moment: float) -> list[Memory]:
    """The memories of these keys as they were known at a moment, in Unix seconds."""
    memories = []
    for key in keys:
        with suppress(NotFound):  # a key that had no value then
            memory = daypack.memories.recall(key, known_at=moment, touch=False)
            if isinstance(memory, Memory):
                memories.append(memory)
    return memories


def _with_changes(history: tuple[MemoryHistory, ...]) -> list[tuple[MemoryHistory, list[tuple[str, str]]]]:
    """(version, its changes), the newest first; in older versions long unchanged parts are cut."""
    before = [version.version.value or "" for version in history[1:]] + [""]
    changed = [
        (version, differences(old, version.version.value or ""))
        for version, old in zip(history, before, strict=True)
    ]
    return [changed[0], *((version, _cut(pieces)) for version, pieces in changed[1:])]


def _cut(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    compared = any(kind for kind, _ in pieces)
    return [(kind, piece if kind or not compared else _middle_left_out(piece)) for kind, piece in pieces]


def _middle_left_out(text: str) -> str:
    half = LONGEST_UNCHANGED // 2
    return (
        text
        if len(text) <= LONGEST_UNCHANGED
        else f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"
    )


def differences(old: str, new: str) -> list[tuple[str, str]]:
    """Both texts as pieces (kind, piece): "" for unchanged, "ins" for inserted, "del" for deleted. Only the new text, unchanged,
    when a text is empty or both are too long to compare.
    """
    if not old or not new or len(old) + len(new) > LONGEST_COMPARED:
        return [("", new)] if new else []
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    pieces: list[tuple[str, str]] = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("", "".join(b[k:m])))
            continue
        pieces += [("del", "".join(a[i:j]))] if j > i else []
        pieces += [("ins", "".join(b[k:m]))] if m > k else []
    return pieces
