"""The exact text behind a reference or a citation, among the records that the viewer may see."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from pathlib import PurePath, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from daypack.engine.visibility import Visibility
from daypack.errors import BadReference, NotFound
from daypack.guard.fences import one_line, unescape
from daypack.index.facts import places_of_symbol, uris_ending, uris_in, uris_like, uris_with_hash
from daypack.index.rows import WholeRecord
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.shapes.bases import is_relative
from daypack.text.checks import check_text
from daypack.text.paths import from_root
from daypack.text.references import Reference, readings_of
from daypack.text.storable import storable
from daypack.types import (
    Chunk,
    FileLines,
    Found,
    Pages,
    Span,
    checksum_of,
    cited_lines,
    cited_name,
    reference_of,
    with_hash,
)

FILES_NAMED = 3  # of a folder that was asked for
_QUOTED = r'"(.+)"([^"]*)'
# People copy it with its brackets, or without. No part behind the checksum is matched: each checksum would scan the rest.
_CITING_LINE = re.compile(r"(?:\[\d+ )?(\S.*? @\d{3})(?= |\]?\Z)")


def find(
    store: Store,
    visibility: Visibility,
    reference: str | int,
    root: PurePath | str = "",
    *,
    suggests: bool = True,
) -> Found:
    """The exact text behind `path:12-40`, `path:12` or `path`, each with or without `@hash` or the
    `@digits` of a pack, behind a chunk id (#12, or 12 where no record has that name), behind a link to a chunk or record, or behind the line of a pack that cites it.

    A path may begin with `./` or with the root, and a label of a pack with the end of one name alone.
    """
    if type(reference) is int:
        reference = f"#{reference}"  # a chunk id, as citations hold it
    check_text("the reference", reference, "path:12-40, a path, or a chunk id")
    reference = storable(str(reference))
    try:
        return _find(store, visibility, reference, suggests=suggests)
    except NotFound as error:  # a file's name may begin with a space, and so may text copied from a terminal
        bare = reference.strip()
        match = None if "\n" in bare else _CITING_LINE.match(bare)
        bare = from_root(match[1] if match else bare, root)
        missing = error
        path = from_root(_as_path(bare), root)
        for spelling in dict.fromkeys((bare, _without_quotes(bare), path)):
            if spelling != reference:
                try:
                    return _find(store, visibility, spelling, suggests=suggests)
                except NotFound as again:
                    missing = again
        # `fees.py` alone may be meant for a file of the root; behind it a log or a tool writes a line.
        is_part = not is_relative(path) and ("/" in path or any(one.first_line for one in readings_of(path)))
        if full := _in_full(store, visibility, f"/{path}" if is_part else path):
            return _find(store, visibility, full)
        raise missing from None


def _as_path(reference: str) -> str:
    """A reference whose path is written as Windows writes it, or as the URL of a file, as a path with its lines."""
    path = unquote(reference.removeprefix("file://")) if reference.startswith("file://") else reference
    return path if "/" in path else path.replace("\\", "/")


def _without_quotes(reference: str) -> str:
    r"""A reference whose name is written as packs write a name with special characters: `"plan [draft\u{5D}.md":3 @417`."""
    match = re.fullmatch(_QUOTED, reference, re.DOTALL)
    return storable(unescape(match[1]) + match[2] if match else unescape(reference))


def _in_full(store: Store, visibility: Visibility, reference: str) -> str:
    """The reference that a label below the common begin of several stands for: `/retry.py:3 @417` is `src/pay/retry.py:3 @417`.
    "" unless exactly one name ends so.
    """
    if not is_relative(reference) or _LINES_ALONE.fullmatch(reference):
        return ""
    for reading in readings_of(reference):
        with store.reading() as db:
            hidden = {*visibility.hidden_ids(db)}
            rows = [row for row in uris_ending(db, reading.name) if row[0] not in hidden]
        cited = [row for row in rows if reading.hash and _is_of(row[2], reading.hash)]
        if len(names := {uri for _, uri, _ in cited or rows}) == 1:
            return names.pop() + reference[len(reading.name) :]
    return ""


_LINES_ALONE = re.compile(r":\d+(?:-\d+)?")


class _Named(NamedTuple):
    """A reference with the visible records of its name, and the page that it names."""

    reading: Reference
    records: list[WholeRecord]
    page: str = ""


def _find(store: Store, visibility: Visibility, reference: str, *, suggests: bool = True) -> Found:
    if not reference.strip() or "\0" in reference:
        raise BadReference(reference)
    if match := re.fullmatch(r"#?(\d{1,18})", reference):
        # a record may be called 12, and the chunk is #12 all the same
        if reference[0] != "#" and (records := _visible(store, visibility, reference)):
            return _lines_of(store, _Named(Reference(reference), records))
        return _find_chunk(store, visibility, int(match.group(1)), reference)
    if match := re.fullmatch(r"daypack://(chunk|record)/(\d{1,18})", reference):
        number = int(match[2])
        if match[1] == "record":
            return find_record(store, visibility, number)
        return _find_chunk(store, visibility, number, match[2])
    named = _named(store, visibility, reference)
    if not named.records:
        name = named.reading.name
        with store.reading() as db:
            hidden = {*visibility.hidden_ids(db)}
            step = _step_for(db, reference, name, hidden) if suggests else ""
        raise NotFound(f"the store has no record named {name!r}", step)
    return _lines_of(store, named)


def _step_for(db: Connection, reference: str, name: str, hidden: Set[int]) -> str:
    """The next step for a reference whose name no record has."""
    if step := _renamed(db, reference, hidden) or _in_folder(uris_in(db, name, hidden, most=FILES_NAMED)):
        return step
    if _LINES_OF_BEFORE.match(name):
        return PATH_OF_BEFORE
    if re.fullmatch(r"\[\d+\]", name):
        return PATH_OF_ITEM
    if step := _symbols_named(db, name, hidden):
        return step
    return did_you_mean_file(name, uris_like(db, name, hidden))


def _symbols_named(db: Connection, name: str, hidden: Set[int]) -> str:
    """The next step for the name of a symbol, alone or behind its file, "" where no code defines one."""
    name = name.removesuffix("()").rstrip(":")
    # a file has a dot or is in a folder; of "fees.py::Fees::total" all behind the file is the symbol
    last = max(name.rfind(mark, 0, max(0, name.rfind(":"))) for mark in "./")
    file_end = name.index(":", last) if last >= 0 else 0
    path, symbol = name[:file_end], name[file_end:].strip(":.").replace("::", ".")
    if not re.fullmatch(r"[\w.:]+", symbol):
        return ""
    places = places_of_symbol(db, symbol, path, hidden, most=FILES_NAMED)
    named = " or ".join(one_line(reference_of(*place), 120) for place in places)
    return f"did you mean {named}, which define{'s' * (len(places) == 1)} {symbol}?" if named else ""


def _in_folder(uris: Sequence[str]) -> str:
    """The next step for the name of a folder, "" for no uris."""
    *others, last = [one_line(uri, 120) for uri in uris] or [""]
    names = f"{', '.join(others)} or {last}" if others else last
    return f"it is a folder; name a file in it, as {names}" if names else ""


def _renamed(db: Connection, reference: str, hidden: Set[int]) -> str:
    """The next step for a citation whose text has another name now, "" unless exactly one text of that kind has its hash.
    One of a thousand texts has a checksum by chance, so a file found by it must share its folder or the name in it.
    """
    reading = [*readings_of(reference)][-1]
    name, wanted = PurePosixPath(reading.name), reading.hash
    if not wanted:
        return ""
    by_checksum = len(wanted) == 3

    def is_like(path: PurePosixPath) -> bool:
        shares = path.parent == name.parent or path.name == name.name
        return path.suffix == name.suffix and (shares or not by_checksum)

    same = uris_with_hash(db, lambda found: _is_of(found, wanted))
    names = {uri for number, uri in same if number not in hidden and is_like(PurePosixPath(uri))}
    if len(names) != 1:
        return ""
    sort = "checksum" if by_checksum else "hash"
    return f"did you mean {names.pop() + reference[len(reading.name) :]}, whose text has the cited {sort}?"


MOST_PLACES = 12  # sheets that a message lists
ALIKE = 0.6  # as `difflib` takes for close
SEARCH_SHOWS = "`daypack search` shows what can be read"
_LINES_OF_BEFORE = re.compile(r"(?:\[\d+ )?:\d")
PATH_OF_ITEM = "numbers in brackets count the items of a pack; write the path beside the number"
PATH_OF_BEFORE = "write the path of the item before it in the pack, as path:12-40"


def did_you_mean_file(path: str, uris: list[str], otherwise: str = SEARCH_SHOWS) -> str:
    """`did_you_mean` for a path, which may lack the folders that the file lies in."""
    if ends := [uri for uri in uris if uri.endswith("/" + path.lstrip("/"))]:
        return f"did you mean {min(ends, key=len)}?"
    lower = path.casefold()
    near = max(uris, key=lambda uri: (_likeness(lower, uri.casefold()), _likeness(path, uri)), default="")
    return f"did you mean {near}?" if near and _likeness(lower, near.casefold()) >= ALIKE else otherwise


def _likeness(path: str, uri: str) -> float:
    """Likeness of two names, from 0 to 1, below the folders or the door that both begin with."""
    below = 0
    for at, (mine, its) in enumerate(zip(path, uri, strict=False), 1):
        if mine != its:
            break
        below = at if its in "/:" else below
    return SequenceMatcher(None, path[below:], uri[below:]).ratio()


def _named(store: Store, visibility: Visibility, reference: str) -> _Named:
    """The first reading whose name the store knows."""
    reading = Reference(reference)
    for reading in readings_of(reference):
        if reading.first_line is not None and not 0 < reading.first_line <= (reading.last_line or 0):
            raise BadReference(reference)
        if records := _visible(store, visibility, reading.name):
            return _Named(reading, records)
    for mark in re.finditer("#(?=[a-z]+=)", reading.name):  # a sheet's name may have others
        bare, page = reading.name[: mark.start()], reading.name[mark.end() :]
        records = [one for one in _visible(store, visibility, bare) if store.pages_of(one.id) is not None]
        if records:
            return _Named(reading._replace(name=bare), records, page)
    return _Named(reading, [])


def _lines_of(store: Store, named: _Named) -> Found:
    """The lines that a reference names, or its page, or the whole text."""
    name, first_line, last_line, wanted_hash = named.reading
    # Records of several scopes may share a name: a citation's hash tells which one it means.
    chosen = next((one for one in named.records if wanted_hash and _is_of(one.hash, wanted_hash)), None)
    record = chosen or named.records[0]
    uri = record.uri
    cited = "" if chosen else wanted_hash
    state = "changed" if cited else "current"
    others = () if chosen else _others(named, record)
    lines = record.text.split("\n")
    count = len(lines) - (len(lines) > 1 and not lines[-1])  # a line end begins no further line
    pages = store.pages_of(record.id)
    asked = None
    if isinstance(pages, FileLines) and first_line and last_line:
        _, text_ends = pages.in_file(1, count)
        asked = first_line, last_line
        first_line, last_line = _with_text(pages, named, asked, lines[:count])
        asked = asked[0], min(asked[1], text_ends)
    page = named.page
    if page and pages is not None:
        place = pages.find(f"#{page}")
        if place is None:
            raise NotFound(f"{uri} has no {page}", _places_of(pages, len(lines)))
        if first_line is None:
            first_line, last_line = place
        elif state == "current" and not place[0] <= first_line <= (place[1] or first_line):
            raise NotFound(
                f"line {first_line:,} of {uri} is not on {page}", f"it is on {pages.at(first_line)[1:]}"
            )
    first_line, last_line = first_line or 1, last_line or len(lines)
    if first_line > count:
        raise NotFound(
            f"{name}:{first_line} is beyond the last line", f"{uri} has {count:,} line{'s' * (count != 1)}"
        )
    last_line = min(last_line, len(lines))
    start = sum(len(line) + 1 for line in lines[: first_line - 1])
    body = "\n".join(lines[first_line - 1 : last_line])
    place_name = cited_name(uri, pages, first_line)
    last_line = min(last_line, count)
    first_line, last_line = asked or cited_lines(pages, first_line, last_line)
    return Found(
        reference_of(place_name, first_line, last_line),
        uri,
        Span(start, start + len(body), first_line, last_line),
        body,
        record.hash,
        state,
        record.trust,
        cited,
        others,
    )


def _with_text(
    pages: FileLines, named: _Named, asked: tuple[int, int], lines: Sequence[str]
) -> tuple[int, int]:
    """The lines of the text behind lines of its file. Raises NotFound where these hold none, as those of a menu or a style."""
    first, last = pages.in_text(*asked)
    filled = [number for number in range(first, min(last, len(lines)) + 1) if lines[number - 1].strip()]
    if not filled:
        text_begins, text_ends = pages.in_file(1, len(lines))
        step = f"its text is on lines {text_begins:,} to {text_ends:,}"
        if text_begins < asked[0] <= text_ends:
            step = f"the next text is on line {pages.in_file(first, first)[0]:,}"
        raise NotFound(f"{reference_of(named.reading.name, *asked)} holds no text", step)
    return filled[0], filled[-1]


def _places_of(pages: Pages | FileLines, count: int) -> str:
    """The end of a message about a page that a text of `count` lines lacks: the names of its pages, or the last of them."""
    if isinstance(pages, FileLines):
        return "cite its lines"
    if not pages.names:
        return f"its last is {pages.at(count)[1:]}"
    more = f" and {len(pages.names) - MOST_PLACES:,} more" if len(pages.names) > MOST_PLACES else ""
    return f"its {pages.unit}s are {', '.join(map(unquote, pages.names[:MOST_PLACES]))}{more}"


def _others(named: _Named, shown: WholeRecord) -> tuple[str, ...]:
    """References of the texts that share the name of the one that is shown: whole texts, for another text need not have the
    lines or the page that were asked for.
    """
    hashes = dict.fromkeys(record.hash for record in named.records if record.hash != shown.hash)
    return tuple(named.reading.name + with_hash(one) for one in hashes)


def _is_of(record_hash: str, wanted: str) -> bool:
    """True when the hash begins with these digits, or three are its checksum."""
    return checksum_of(record_hash) == wanted if len(wanted) == 3 else record_hash.startswith(wanted)


def find_record(store: Store, visibility: Visibility, record_id: int) -> Found:
    """The whole text of the record with this id. Raises NotFound."""
    with store.reading() as db:
        record = store.find_record(record_id)
        if record is None or record_id in visibility.hidden_ids(db):
            raise NotFound(f"no record has the id {record_id}", "search again")
    lines = 1 + record.text.rstrip("\n").count("\n")
    span = Span(0, len(record.text), *cited_lines(store.pages_of(record_id), 1, lines))
    return Found(record.uri, record.uri, span, record.text, record.hash, trust=record.trust)


def _visible(store: Store, visibility: Visibility, uri: str) -> list[WholeRecord]:
    """Records of that name that the viewer may see."""
    with store.reading() as db:
        records = store.find_records(uri)
        hidden = set(visibility.hidden_ids(db)) if records else set()
    return [record for record in records if record.id not in hidden]


def _find_chunk(store: Store, visibility: Visibility, chunk_id: int, reference: str) -> Found:
    with store.reading() as db:
        chunk: Chunk | None = store.chunks([chunk_id]).get(chunk_id)
        hidden = chunk is not None and chunk.record_id in visibility.hidden_ids(db)
    if chunk is None or hidden:
        raise NotFound(f"no chunk has the id {reference}", "its text was changed or deleted; search again")
    facts = chunk.reference, chunk.uri, chunk.place, chunk.text, chunk.record_hash
    return Found(*facts, trust=chunk.trust)
