"""The things that a query names, found in the store: files by their paths, definitions by their identifiers, lines by
stack frames, texts by quotations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from daypack.engine.retrieval.days import NO_DAYS, DaysFound, days_found
from daypack.engine.retrieval.packages import packages_named
from daypack.engine.retrieval.pages import pages_found
from daypack.engine.retrieval.releases import releases_found
from daypack.index import facts
from daypack.rank.membership import distinct, is_in
from daypack.rank.named import NO_PLACE, Named, Place
from daypack.rank.signals import FRAME_DECAY, MOST_DAYS, MOST_DEFINITIONS
from daypack.rank.texts.requirements import MANIFESTS
from daypack.rank.uses import Uses
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf, TermPostings
from daypack.text import analysis
from daypack.text.qualified_names import dotted, telling_parts
from daypack.types import Anchor, AnchorKind, Frame, Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from daypack.ports import Connection

MOST_NAMED, MOST_USING = 400, 100  # chunks; a name with more says nothing
MOST_FILES = 4  # with a path that a question names; of more, the name tells little
PATH_BOOST = 0.3
CALLED = 3.0  # weight of a plain word that is called a name, that of an identifier in a title
_OF_SETTINGS = frozenset(
    {"cfg", "conf", "env", "ini", "json", "lock", "properties", "toml", "xml", "yaml", "yml"}
)
# before a path
_TURNS_AWAY = r"(?i)\b(?:not|except|besides|outside|other than|instead of|unlike)\b[\w ]*[\"'`@]?\Z"
MOST_HOLDING = 50  # chunks that may hold a key or a quotation
READ_TOGETHER = 64  # texts that are searched for a quotation in one statement


def named_by(
    db: Connection,
    view: LexicalView,
    query: Query,
    mask: NDArray[np.bool_],
    postings_of: PostingsOf,
    corrections: Mapping[str, str],
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> Named:
    """The named things inside the mask. `corrections` maps misspelt terms of the query to terms of the store, `texts_of` reads the
    texts of chunks.
    """
    records_of = _records_of(db, view, query)
    records, frames = _named_records(query, records_of)
    if records:
        here = set(view.record_ids[view.inside(mask, records)].tolist())
        records = {record_id: boost for record_id, boost in records.items() if record_id in here}
    place = _place_asked_about(query, records_of)
    missing = [
        anchor.text
        for anchor in query.anchors
        if not (
            (anchor.kind is AnchorKind.PATH and records and anchor.text in query.paths)
            or _is_mentioned(db, view, anchor, mask, postings_of)
        )
    ]
    missing += [
        name
        for name in query.identifiers
        if name not in missing
        and not all(_is_known(db, view, part, mask, postings_of) for part in telling_parts(name))
    ]
    definitions, mentions = _definitions(db, view, query, postings_of, corrections)
    quoted = [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]
    uses = tuple(_uses(db, view, query, mask, postings_of))
    days = _days(db, view, query, mask, postings_of, texts_of)
    holding = [
        position
        for wanted in dict.fromkeys((*query.keys, *quoted, *query.numbers))
        for position in _with_all_words(wanted, mask, postings_of)
    ]
    return Named(
        definitions=definitions,
        mentions=mentions,
        uses=uses,
        records=records,
        place=place,
        frames=frames,
        quoted=tuple(quoted),
        missing=tuple(missing),
        holding=tuple(holding),
        releases=releases_found(db, view, query, mask, postings_of) if query.releases else {},
        days=days.values,
        saying=days.saying,
        pages=pages_found(db, view, query, mask, postings_of),
        manifests=_manifests(db, view, mask) if query.requirement is not None else {},
        packages=packages_named(db, view, query.title, postings_of),
    )


def _place_asked_about(query: Query, records_of: Mapping[str, Mapping[int, float]]) -> Place:
    """The files, or else the folders, that the question itself names by their path; `records_of` are the records of each path.

    A sentence beside the question ("I have cart.py open.") and a report name files beside the one that is meant, and "who calls" asks
    for others. A question that names a file of settings usually asks how to write it.
    """
    if query.is_report or query.frames or query.uses or query.asks_for_tests:
        return NO_PLACE
    title = query.title.replace("\\", "/")
    named = [path for path in query.paths if path in title and not _is_excluded(path, title)]
    if any("/" not in path and path.rpartition(".")[2] in _OF_SETTINGS for path in named):
        return NO_PLACE
    files = frozenset(id_ for path in named for id_, share in records_of[path].items() if share == 1)
    if files:
        return Place(files) if len(files) <= MOST_FILES else NO_PLACE
    folders = (path.removeprefix("./").strip("/") for path in named if "/" in path)
    return Place(frozenset(), tuple(folder for folder in folders if folder))


def _days(
    db: Connection,
    view: LexicalView,
    query: Query,
    mask: NDArray[np.bool_],
    postings_of: PostingsOf,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> DaysFound:
    """As `days_found`; none for a long stretch beside a subject, which would rank nothing and takes long to find."""
    asked = query.days
    if asked is None or not (asked.alone or asked.length <= MOST_DAYS):
        return NO_DAYS
    return days_found(db, view, asked, mask, postings_of, texts_of)


def _is_excluded(path: str, title: str) -> bool:
    """True of a path behind a word that turns away from it: "not in src/cart.py"."""
    before = title[: title.index(path)][-24:]
    return re.search(_TURNS_AWAY, before) is not None


def _manifests(db: Connection, view: LexicalView, mask: NDArray[np.bool_]) -> dict[int, float]:
    """Position → 1 for the chunks of manifests in the highest folder that has one, a half for those in the folders in it."""
    depths = {record_id: uri.count("/") for record_id, uri in facts.files_called(db, MANIFESTS).items()}
    highest = min(depths.values(), default=0)
    return {
        position: value
        for depth, value in ((highest, 1.0), (highest + 1, 0.5))
        for position in view.inside(
            mask, [record_id for record_id, own in depths.items() if own == depth]
        ).tolist()
    }


def _definitions(
    db: Connection, view: LexicalView, query: Query, postings_of: PostingsOf, corrections: Mapping[str, str]
) -> tuple[dict[str, list[int]], dict[str, float]]:
    """(identifier of the query → positions of the chunks that define it, the same identifier → its weight). A misspelt
    identifier is given as the store spells it.
    """
    definitions: dict[str, list[int]] = {}
    mentions: dict[str, float] = {}
    for name in query.called:
        for spelt, hits in _spelt_apart(db, view, name.lower().split(), postings_of).items():
            definitions[spelt], mentions[spelt] = hits, CALLED
    called = {name: CALLED for name in query.called if " " not in name}
    for mention, weight in {**called, **query.mentions}.items():
        before, dot, last = dotted(mention).rpartition(".")
        terms = analysis.expand(last) if last else ()
        if not terms:
            continue
        correction = corrections.get(terms[0])
        postings = postings_of(correction or terms[0])
        where = postings.positions[postings.tf[:, 1] > 0]
        if not 0 < len(where) <= MOST_NAMED:
            continue
        symbols = facts.symbol_names(db, view.chunk_ids[where])
        names = {int(p): symbols.get(int(view.chunk_ids[p]), "").rpartition(".")[2] for p in where}
        if correction:
            last = next((name for name in names.values() if analysis.expand(name)[:1] == (correction,)), last)
            mention = f"{before}{dot}{last}"
        hits = [position for position, name in names.items() if name == last]
        if 0 < len(hits) <= MOST_DEFINITIONS:
            definitions[mention] = hits
            mentions[mention] = max(weight, mentions.get(mention, 0.0))
    return definitions, mentions


def _spelt_apart(
    db: Connection, view: LexicalView, words: Sequence[str], postings_of: PostingsOf
) -> dict[str, list[int]]:
    """Name → positions of the chunks that define it, for names whose words a query writes with blanks between: `get meta refresh`
    for `get_meta_refresh`, `task retry` for the method `Task.retry`.
    """
    found: dict[str, list[int]] = {}
    for first in range(len(words)) if len(words) > 1 else ():
        wanted = [part for part in ("".join(words[:first]), "".join(words[first:])) if part]
        postings = postings_of(analysis.expand("_".join(words[first:]))[0])
        where = postings.positions[postings.tf[:, 1] > 0]
        if not 0 < len(where) <= MOST_NAMED:
            continue
        symbols = facts.symbol_names(db, view.chunk_ids[where])
        for position in where.tolist():
            segments = symbols.get(int(view.chunk_ids[position]), "").split(".")
            if [segment.replace("_", "").lower() for segment in segments[-len(wanted) :]] == wanted:
                found.setdefault(".".join(segments[-len(wanted) :]), []).append(position)
    return {name: hits for name, hits in found.items() if len(hits) <= MOST_DEFINITIONS}


def _uses(
    db: Connection, view: LexicalView, query: Query, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> Iterator[Uses]:
    """The uses of each name that a query asks the uses of and the store defines."""
    for qualified, all_meant in query.uses.items():
        name = qualified.rpartition(".")[2]
        terms = analysis.expand(name)
        if not terms:
            continue
        positions, tf = postings_of(terms[0])
        here = mask[positions] & view.code[positions] & ((view.flags[positions] & ChunkFlag.IMPORTS) == 0)
        positions, tf = positions[here], tf[here]
        symbols = facts.symbol_names(db, view.chunk_ids[positions[tf[:, 1] > 0][:MOST_NAMED]])
        names = {position: symbols.get(int(view.chunk_ids[position]), "") for position in positions.tolist()}
        defining = [position for position, symbol in names.items() if f".{qualified}." in f".{symbol}."]
        defining = defining or [
            position for position, symbol in names.items() if f".{name}." in f".{symbol}."
        ]
        using = positions[(tf[:, 0] > 0) & ~is_in(positions, defining)].tolist()
        if defining and 0 < len(using) <= MOST_USING:
            yield Uses(using, defining, all_meant)


def _records_of(db: Connection, view: LexicalView, query: Query) -> dict[str, dict[int, float]]:
    """The records of each path and of each stack frame's file, as `_records_at` has them."""
    return {
        path: _records_at(db, view, path) for path in {*query.paths, *(frame.path for frame in query.frames)}
    }


def _named_records(
    query: Query, records_of: Mapping[str, Mapping[int, float]]
) -> tuple[dict[int, float], tuple[Frame, ...]]:
    """(record id → boost, for files that the query names by path or stack frame; its stack frames in stored files).

    Depths are counted from the deepest frame in a stored file: the frames of libraries are not the project's.
    """
    named: dict[int, float] = {}
    depths = sorted({frame.depth for frame in query.frames if records_of[frame.path]})
    frames = [
        frame._replace(depth=depths.index(frame.depth)) for frame in query.frames if records_of[frame.path]
    ]
    for path, boost in (
        *((path, PATH_BOOST) for path in query.paths),
        *((frame.path, PATH_BOOST * FRAME_DECAY**frame.depth) for frame in frames),
    ):
        for record_id, share in records_of[path].items():
            named[record_id] = max(named.get(record_id, 0.0), boost * share)
    return named, tuple(frames)


def _records_at(db: Connection, view: LexicalView, path: str) -> dict[int, float]:
    """Record id → 1 for a record of the view that a path names, 1/2 for one in a folder that it names."""
    shares = facts.records_at(db, path)
    visible = set(view.record_ids[view.positions_in(shares)].tolist())
    return {record_id: share for record_id, share in shares.items() if record_id in visible}


def _is_mentioned(
    db: Connection, view: LexicalView, anchor: Anchor, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> bool:
    """True when a text inside the mask holds the identifier, or the words of the quotation or path in their order."""
    terms = analysis.terms(anchor.text)
    if anchor.kind is AnchorKind.IDENTIFIER:
        terms = terms[:1]
    matches = [postings_of(term) for term in terms]
    where = [positions[mask[positions]] for positions, _ in matches]
    if not all(map(len, where)):
        return False
    if not where or anchor.kind is AnchorKind.IDENTIFIER:
        return True
    # The words are there; their sequence may not be.
    return any(
        facts.any_holds(db, record_ids, anchor.text)
        for record_ids in _holding(view, matches, min(where, key=len))
    )


def _is_known(
    db: Connection, view: LexicalView, name: str, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> bool:
    """True when a text inside the mask holds a name, or its words as prose and options write them: `rate_limit`, "rate limit",
    `--rate-limit`.
    """
    words = analysis.parts(name)
    phrases = [joint.join(words) for joint in (" ", "-")] if len(words) > 1 else []
    forms = [Anchor(AnchorKind.IDENTIFIER, name), *(Anchor(AnchorKind.QUOTED, phrase) for phrase in phrases)]
    return any(_is_mentioned(db, view, form, mask, postings_of) for form in forms)


def _with_all_words(wanted: str, mask: NDArray[np.bool_], postings_of: PostingsOf) -> list[int]:
    """Positions of the first chunks inside the mask that have all words of a text."""
    rarest_first = sorted(
        (postings_of(term) for term in analysis.terms(wanted)), key=lambda matches: len(matches.positions)
    )
    if not rarest_first:
        return []
    whole = rarest_first[0].positions[mask[rarest_first[0].positions]]
    for postings in rarest_first[1:]:
        whole = whole[postings.rows_at(whole)[1]]
    return [int(position) for position in whole[:MOST_HOLDING]]


def _holding(
    view: LexicalView, matches: Sequence[TermPostings], rarest: NDArray[np.int64]
) -> Iterator[list[int]]:
    """The ids of records that hold all of the terms, a few at a time; records where one chunk holds all terms come first.

    `rarest` are the positions of the rarest term.
    """
    whole = rarest
    for postings in matches:
        whole = whole[postings.rows_at(whole)[1]]
    for first in range(0, len(whole), READ_TOGETHER):
        yield distinct(view.record_ids[whole[first : first + READ_TOGETHER]]).tolist()
    records = distinct(view.record_ids[rarest])
    records = records[~is_in(records, view.record_ids[whole])]
    for positions, _ in matches:
        if len(records) > READ_TOGETHER:
            records = records[is_in(records, view.record_ids[positions])]
    for first in range(0, len(records), READ_TOGETHER):
        yield records[first : first + READ_TOGETHER].tolist()
