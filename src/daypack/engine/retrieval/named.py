"""The things that a query names, found in the store: files by their paths, definitions by their identifiers, lines by
stack frames, texts by quotations.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from daypack.engine.retrieval.days import NO_DAYS, DaysFound, days_found
from daypack.engine.retrieval.pages import pages_found
from daypack.engine.retrieval.projects import introducing, packages_named
from daypack.engine.retrieval.releases import releases_found
from daypack.engine.retrieval.scope import BODY, NAME, PATH, Scope, having
from daypack.index import facts
from daypack.rank.membership import distinct, is_in
from daypack.rank.named import NO_PLACE, Named, Place
from daypack.rank.signals import FRAME_DECAY, MOST_DAYS, MOST_DEFINITIONS
from daypack.rank.texts.requirements import STATING
from daypack.rank.uses import Uses
from daypack.rank.views import ChunkFlag, LexicalView, TermPostings
from daypack.text import analysis
from daypack.text.qualified_names import dotted, telling_parts
from daypack.types import Anchor, AnchorKind, Frame, Overview, Query, RecordKind, Requirement
from daypack.types.arrays import Ints

MOST_NAMED, MOST_USING = 2000, 100  # chunks; a name with more says nothing
MOST_FILES = 4  # with a path that a question names; of more, the name tells little
PATH_BOOST = 0.3
CALLED = 3.0  # weight of a plain word that is called a name, that of an identifier in a title
SAID = 2.0  # … of one that is the name of a type but for its capital
SAID_OF_ANY = frozenset({"work", "implement"})  # terms beside a word that a question is about
SHORTEST_SAID = 4  # letters
LONGEST_SAID = 6  # words of such a name with those that qualify it
MOST_SAID, MOST_SAYING = 4, 400  # chunks that define such a name, and that have its word in theirs
MOST_WORDS = 10  # of a question that are looked up
_OF_SETTINGS = frozenset(
    {"cfg", "conf", "env", "ini", "json", "lock", "properties", "toml", "xml", "yaml", "yml"}
)
# before a path
_TURNS_AWAY = r"(?i)\b(?:not|except|besides|outside|other than|instead of|unlike)\b[\w ]*[\"'`@]?\Z"
# of a manifest: those of the packages that are asked about, the highest, and those one and two folders below. guesses
_BY_LEVEL = (1.0, 0.5, 0.4, 0.3)
MOST_HOLDING = 50  # chunks that may hold a key or a quotation
READ_TOGETHER = 64  # texts that are searched for a quotation in one statement


def named_by(scope: Scope, query: Query, corrections: Mapping[str, str]) -> Named:
    """The named things inside the scope. `corrections` maps misspelt terms of the query to terms of the store."""
    records_of = _records_of(scope, query)
    records, frames = _named_records(query, records_of)
    if records:
        here = set(scope.view.record_ids[scope.view.inside(scope.mask, records)].tolist())
        records = {record_id: boost for record_id, boost in records.items() if record_id in here}
    place = _place_asked_about(query, records_of)
    missing = [
        anchor.text
        for anchor in query.anchors
        if not (
            (anchor.kind is AnchorKind.PATH and records and anchor.text in query.paths)
            or _is_mentioned(scope, anchor)
        )
    ]
    missing += [
        name
        for name in query.identifiers
        if name not in missing and not all(_is_known(scope, part) for part in telling_parts(name))
    ]
    definitions, mentions = _definitions(scope, query, corrections)
    quoted = [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]
    uses = tuple(_uses(scope, query))
    days = _days(scope, query)
    packages = packages_named(scope, query.title)
    holding = [
        position
        for wanted in dict.fromkeys((*query.keys, *quoted, *query.numbers))
        for position in _with_all_words(scope, wanted)
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
        releases=releases_found(scope, query) if query.releases else {},
        days=days.values,
        saying=days.saying,
        pages=pages_found(scope, query),
        manifests=_manifests(scope, query.requirement, packages.named) if query.requirement else {},
        introducing=introducing(scope, query.overview) | _remembered(scope, query)
        if query.overview is not None
        else {},
        packages=packages,
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


def _days(scope: Scope, query: Query) -> DaysFound:
    """As `days_found`; none for a long stretch beside a subject, which would rank nothing and takes long to find."""
    asked = query.days
    if asked is None or not (asked.alone or asked.length <= MOST_DAYS):
        return NO_DAYS
    return days_found(scope, asked)


def _is_excluded(path: str, title: str) -> bool:
    """True of a path behind a word that turns away from it: "not in src/cart.py"."""
    before = title[: title.index(path)][-24:]
    return re.search(_TURNS_AWAY, before) is not None


def _manifests(scope: Scope, requirement: Requirement, packages: Container[str]) -> dict[int, float]:
    """Position → value of the chunks of manifests: those in the folders of `packages`, else in the highest folder that has one, before
    those in the folders in it; and, for the version of the project, the same of files that hold nothing but a version, and of others
    that may.
    """
    stating = STATING[:1] if requirement.of else STATING
    groups = [facts.files_called(scope.db, names) for names in stating]
    groups[0] |= scope.manifests_ending()
    found: dict[int, float] = {}
    for files in groups:
        own = [record_id for record_id, uri in files.items() if uri.rpartition("/")[0] in packages]
        depths = {record_id: uri.count("/") for record_id, uri in files.items()}
        highest = min(depths.values(), default=0)
        levels = [[id_ for id_, depth in depths.items() if depth == highest + down] for down in range(3)]
        for value, records in zip(_BY_LEVEL, (own, *levels) if own else levels, strict=False):
            for position in scope.view.inside(scope.mask, records).tolist():
                found.setdefault(position, value)
    return found


def _remembered(scope: Scope, query: Query) -> dict[int, float]:
    """Position → 1 for the memories with all words of a question for a deed or a fact: what this team knows beside the README."""
    if query.overview in (Overview.INTRODUCTION, Overview.STRUCTURE):
        return {}
    is_deed = query.overview in (Overview.START, Overview.WORK)
    if len(query.terms) < (1 if is_deed else 2):  # many memories have the word "license"
        return {}
    rarest, *others = sorted(map(scope.postings_of, query.terms), key=lambda found: len(found.positions))
    whole = rarest.positions[scope.mask[rarest.positions]]
    found = _of_all(whole[scope.view.flags[whole] == 0], others)  # no files, no events
    ids = scope.view.record_ids[found].tolist()
    of = facts.record_facts(scope.db, distinct(scope.view.record_ids[found]).tolist())
    return {at: 1.0 for at, id_ in zip(found.tolist(), ids, strict=True) if of[id_].kind == RecordKind.MEMORY}


def _definitions(
    scope: Scope, query: Query, corrections: Mapping[str, str]
) -> tuple[dict[str, list[int]], dict[str, float]]:
    """(identifier of the query → positions of the chunks that define it, the same identifier → its weight). A misspelt
    identifier is given as the store spells it.
    """
    definitions: dict[str, list[int]] = {}
    mentions: dict[str, float] = {}
    for name in query.called:
        for spelt, hits in _spelt_apart(scope, name.lower().split()).items():
            definitions[spelt], mentions[spelt] = hits, CALLED
    called = {name: CALLED for name in query.called if " " not in name}
    for mention, weight in {**called, **query.mentions}.items():
        before, dot, last = dotted(mention).rpartition(".")
        terms = analysis.expand(last) if last else ()
        if not terms:
            continue
        correction = corrections.get(terms[0])
        symbols = _symbols_with(scope, correction or terms[0])
        names = {position: symbol.rpartition(".")[2] for position, symbol in symbols.items()}
        if correction:
            last = next((name for name in names.values() if analysis.expand(name)[:1] == (correction,)), last)
            mention = f"{before}{dot}{last}"
        hits = [position for position, name in names.items() if name == last]
        if 0 < len(hits) <= MOST_DEFINITIONS:
            definitions[mention] = hits
            mentions[mention] = max(weight, mentions.get(mention, 0.0))
    if not (query.about_code or query.kind.is_name):
        # "What happens when a refund times out?" is about refunds, not about the class `Refund`.
        is_subject = len(query.terms.keys() - SAID_OF_ANY) == 1
        for name, hits in _types_said(scope, query.title).items():
            is_written = f" {name}" in query.title
            if is_written or is_subject:
                definitions.setdefault(name, hits)
                mentions.setdefault(name, CALLED if is_written else SAID)
    return definitions, mentions


def _types_said(scope: Scope, title: str) -> dict[str, list[int]]:
    """Name → positions of the chunks that define it, for names of one word with a capital that a question says, in small letters
    too: "how does the router work?" and `Router`.
    """
    found: dict[str, list[int]] = {}
    words = (word.lower() for word in analysis.words(title) if word.isalpha() and word[1:].islower())
    for word in islice(dict.fromkeys(words), MOST_WORDS):
        if len(word) < SHORTEST_SAID or word in analysis.STOP_WORDS:
            continue
        where = having(scope.postings_of(next(iter(analysis.expand(word)), word)), NAME)
        where = where[scope.view.lengths[where, 1] <= LONGEST_SAID]
        for position, symbol in _symbols(scope, where).items() if 0 < len(where) <= MOST_SAYING else ():
            name = symbol.rpartition(".")[2]
            if name[:1].isupper() and name.lower() == word:
                found.setdefault(name, []).append(position)
    return {name: hits for name, hits in found.items() if len(hits) <= MOST_SAID}


def _symbols_with(scope: Scope, term: str) -> dict[int, str]:
    """Position → symbol, of chunks with a term in their names; empty when more than `MOST_NAMED` have it."""
    where = having(scope.postings_of(term), NAME)
    return _symbols(scope, where) if 0 < len(where) <= MOST_NAMED else {}


def _symbols(scope: Scope, positions: Ints) -> dict[int, str]:
    """Position → the symbol of its chunk, "" without one."""
    ids = scope.view.chunk_ids[positions]
    symbols = facts.symbol_names(scope.db, ids)
    return {at: symbols.get(id_, "") for at, id_ in zip(positions.tolist(), ids.tolist(), strict=True)}


def _spelt_apart(scope: Scope, words: Sequence[str]) -> dict[str, list[int]]:
    """Name → positions of the chunks that define it, for names whose words a query writes with blanks between: `get meta refresh`
    for `get_meta_refresh`, `task retry` for the method `Task.retry`.
    """
    found: dict[str, list[int]] = {}
    for first in range(len(words)) if len(words) > 1 else ():
        wanted = [part for part in ("".join(words[:first]), "".join(words[first:])) if part]
        term = analysis.expand("_".join(words[first:]))[0]
        for position, symbol in _symbols_with(scope, term).items():
            segments = symbol.split(".")
            if [segment.replace("_", "").lower() for segment in segments[-len(wanted) :]] == wanted:
                found.setdefault(".".join(segments[-len(wanted) :]), []).append(position)
    return {name: hits for name, hits in found.items() if len(hits) <= MOST_DEFINITIONS}


def _uses(scope: Scope, query: Query) -> Iterator[Uses]:
    """The uses of each name that a query asks the uses of and the store defines."""
    view = scope.view
    for qualified, all_meant in query.uses.items():
        name = qualified.rpartition(".")[2]
        terms = analysis.expand(name)
        if not terms:
            continue
        found = scope.postings_of(terms[0])
        positions = found.positions
        here = (
            scope.mask[positions] & view.code[positions] & ((view.flags[positions] & ChunkFlag.IMPORTS) == 0)
        )
        found = TermPostings(positions[here], found.tf[here])
        symbols = _symbols(scope, having(found, NAME)[:MOST_NAMED])
        defining = [position for position, symbol in symbols.items() if f".{qualified}." in f".{symbol}."]
        defining = defining or [
            position for position, symbol in symbols.items() if f".{name}." in f".{symbol}."
        ]
        defining = defining or _file_called(scope, found, name)
        in_text = having(found, BODY)
        using = in_text[~is_in(in_text, defining)].tolist()
        if defining and 0 < len(using) <= MOST_USING:
            yield Uses(using, defining, all_meant)


def _file_called(scope: Scope, found: TermPostings, name: str) -> list[int]:
    """The positions of the chunks of files with a name: a table or model of SQL is defined by its file, without a word in it."""
    positions = having(found, PATH)[:MOST_NAMED]
    records = scope.view.record_ids[positions].tolist()
    uris = facts.names_of(scope.db, sorted({*records}))
    called = {record for record, uri in uris.items() if uri.rpartition("/")[2].partition(".")[0] == name}
    return [at for at, record in zip(positions.tolist(), records, strict=True) if record in called]


def _records_of(scope: Scope, query: Query) -> dict[str, dict[int, float]]:
    """The records of each path and of each stack frame's file, as `_records_at` has them."""
    return {
        path: _records_at(scope, path) for path in {*query.paths, *(frame.path for frame in query.frames)}
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


def _records_at(scope: Scope, path: str) -> dict[int, float]:
    """Record id → 1 for a record of the view that a path names, 1/2 for one in a folder that it names."""
    shares = facts.records_at(scope.db, path)
    visible = set(scope.view.record_ids[scope.view.positions_in(shares)].tolist())
    return {record_id: share for record_id, share in shares.items() if record_id in visible}


def _is_mentioned(scope: Scope, anchor: Anchor) -> bool:
    """True when a text inside the mask holds the identifier, or the words of the quotation or path in their order."""
    terms = analysis.terms(anchor.text)
    if anchor.kind is AnchorKind.IDENTIFIER:
        terms = terms[:1]
    matches = [scope.postings_of(term) for term in terms]
    where = [found.positions[scope.mask[found.positions]] for found in matches]
    if not all(map(len, where)):
        return False
    if not where or anchor.kind is AnchorKind.IDENTIFIER:
        return True
    # The words are there; their sequence may not be.
    return any(
        facts.any_holds(scope.db, record_ids, anchor.text)
        for record_ids in _holding(scope.view, matches, min(where, key=len))
    )


def _is_known(scope: Scope, name: str) -> bool:
    """True when a text inside the mask holds a name, or its words as prose and options write them: `rate_limit`, "rate limit",
    `--rate-limit`.
    """
    words = analysis.parts(name)
    phrases = [joint.join(words) for joint in (" ", "-")] if len(words) > 1 else []
    forms = [Anchor(AnchorKind.IDENTIFIER, name), *(Anchor(AnchorKind.QUOTED, phrase) for phrase in phrases)]
    return any(_is_mentioned(scope, form) for form in forms)


def _with_all_words(scope: Scope, wanted: str) -> list[int]:
    """Positions of the first chunks inside the mask that have all words of a text."""
    matches = [scope.postings_of(term) for term in analysis.terms(wanted)]
    if not matches:
        return []
    rarest, *others = sorted(matches, key=lambda found: len(found.positions))
    whole = rarest.positions[scope.mask[rarest.positions]]
    return [int(position) for position in _of_all(whole, others)[:MOST_HOLDING]]


def _of_all(positions: Ints, matches: Iterable[TermPostings]) -> Ints:
    """The positions that have all of the terms with these postings."""
    for found in matches:
        positions = positions[found.rows_at(positions)[1]]
    return positions


def _holding(view: LexicalView, matches: Sequence[TermPostings], rarest: Ints) -> Iterator[list[int]]:
    """The ids of records that hold all of the terms, a few at a time; records where one chunk holds all terms come first.

    `rarest` are the positions of the rarest term.
    """
    whole = _of_all(rarest, matches)
    for first in range(0, len(whole), READ_TOGETHER):
        yield distinct(view.record_ids[whole[first : first + READ_TOGETHER]]).tolist()
    records = distinct(view.record_ids[rarest])
    records = records[~is_in(records, view.record_ids[whole])]
    for found in matches:
        if len(records) > READ_TOGETHER:
            records = records[is_in(records, view.record_ids[found.positions])]
    for first in range(0, len(records), READ_TOGETHER):
        yield records[first : first + READ_TOGETHER].tolist()
