"""The subject of a work-flow question: the symbols that a change, a reference or a trace is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from daypack.doors.code import references
from daypack.doors.code.flows import diffs
from daypack.doors.code.graph.facts import MODULE, CodePlace
from daypack.doors.code.graph.relations import file_name
from daypack.doors.code.mentions import Place
from daypack.doors.code.project import StoredProject
from daypack.doors.code.types import SymbolRow
from daypack.query import parse_query
from daypack.text.paths import is_test_path, names_path
from daypack.types import Frame, Query

LinesOf = Callable[[str], Sequence[str]]
"""uri → the lines of a stored file."""
# the shape of a name or a path, which tells it from a word
_SHAPE = r"[_/.:#()`]\w|\w[_/:#(`]|[a-z][A-Z]|\d"
NAMED = 2.0  # the additional weight of words in changed lines


class Subject(NamedTuple):
    """The symbols and words of a question.

    `places` maps symbols to the lines of their files that matter; `depths` maps the symbols of a trace to the depth of their
    frame, 0 for the innermost. Identifiers are `removed` or `added` when only one side of a diff has them.
    """

    text: str
    places: dict[CodePlace, tuple[int, ...]]
    depths: dict[CodePlace, int]
    removed: frozenset[str]
    added: frozenset[str]
    kept: frozenset[str]
    changed: str = ""  # the removed and added lines of a diff
    renames: tuple[diffs.Rename, ...] = ()
    is_diff: bool = False
    declared: tuple[SymbolRow, ...] = ()  # definitions of languages whose relations are not read
    said: tuple[
        Place, ...
    ] = ()  # the lines that say a route, or a name which no code defines, as that of a package
    is_route: bool = False  # its places are handlers, whose names matter no more than those of what they call

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys([*(place.uri for place in self.places), *(one.old for one in self.renames)])
        )

    def query(self, *, now: datetime) -> Query:
        """The query that ranks by the question's words. It also asks for tests and pages, so that neither is ranked lower."""
        parsed = parse_query(self.text, now=now, whole=True)
        if self.changed:
            own = parse_query(f"```\n{self.changed}\n```\n", now=now, whole=True).terms
            terms = {term: weight + NAMED * own.get(term, 0.0) for term, weight in parsed.terms.items()}
            parsed = parsed._replace(terms=terms)
        return parsed._replace(anchors=(), asks_for_tests=True, asks_for_docs=True, since=None, until=None)


def subject_of(
    text: str,
    project: StoredProject,
    lines_of: LinesOf,
    spellings: references.Spellings,
    frames: Sequence[Frame] = (),
    *,
    is_trace: bool = False,
) -> Subject:
    """The subject of a diff, a trace with its frames, or a list of names, paths and path:line."""
    hunks, renames = diffs.read_diff(text), diffs.read_renames(text)
    if hunks or renames:
        return _of_diff(text, hunks, renames, project, lines_of, spellings)
    if is_trace:
        return _of_trace(text, frames, project, spellings)
    bare = {word: references.spelled(project, word.strip("`'\",;"), spellings) for word in text.split()}
    named = {word: references.places_named(project, one) for word, one in bare.items()}
    if 2 * sum(map(bool, named.values())) < len(named):  # prose, whose plain words name nothing
        named = {word: places for word, places in named.items() if re.search(_SHAPE, word)}
    found = [place for places in named.values() for place in references.of_the_code_itself(project, places)]
    places = {place: _head(project, place) for place in found}
    words = frozenset(name for place in places if (name := name_of(project, place)))
    is_one_word = len(bare) == 1 and not found
    declared = _declared(project, [word for word in bare.values() if is_one_word or re.search(_SHAPE, word)])
    for row in declared:
        place = CodePlace(row.file, MODULE)
        places[place] = (*places.get(place, ()), row.line)
    words |= {row.bare for row in declared}
    return Subject(text, places, {}, frozenset(), frozenset(), words, declared=declared)


def _declared(project: StoredProject, words: Sequence[str]) -> tuple[SymbolRow, ...]:
    """The definitions that the words name in languages whose relations are not read, each once."""
    return tuple(dict.fromkeys(row for word in words for row in references.declarations(project, word)))


def _of_diff(
    text: str,
    hunks: Sequence[diffs.Hunk],
    renames: Sequence[diffs.Rename],
    project: StoredProject,
    lines_of: LinesOf,
    spellings: references.Spellings,
) -> Subject:
    places: dict[CodePlace, tuple[int, ...]] = {}
    for path in dict.fromkeys(hunk.path for hunk in hunks):
        own = [hunk for hunk in hunks if hunk.path == path]
        # git writes paths from the top of the tree, or with --relative from the folder: the lines tell which.
        stored = {uri: lines_of(uri) for uri in _stored(path, project, spellings)}
        uri = max(stored, key=lambda uri: diffs.lines_in(own, stored[uri]), default="")
        facts = project.facts(uri)
        for number in diffs.places_of(own, stored.get(uri, ())):
            place = references.enclosing(facts, uri, number) if facts is not None else CodePlace(uri, MODULE)
            places[place] = (*places.get(place, ()), number)
    moved = tuple(filter(None, (_moved(rename, project, spellings) for rename in renames)))
    for uri in (uri for rename in moved for uri in rename if uri in project.files.uris):
        places.setdefault(CodePlace(uri, MODULE), ())
    old = diffs.words_of(
        "\n".join([*(hunk.side("-") for hunk in hunks), *(file_name(one.old) for one in moved)])
    )
    new = diffs.words_of(
        "\n".join([*(hunk.side("+") for hunk in hunks), *(file_name(one.new) for one in moved)])
    )
    changed = "\n".join(part for hunk in hunks for sign in "-+" if (part := hunk.side(sign)))
    return Subject(text, places, {}, old - new, new - old, old & new, changed, moved, is_diff=True)


def _moved(
    rename: diffs.Rename, project: StoredProject, spellings: references.Spellings
) -> diffs.Rename | None:
    """A rename with paths as names of files are written; None when neither path is stored."""
    for path in (rename.new, rename.old):
        for uri in _stored(path, project, spellings)[:1]:
            # The root of the diff is above or below that of the store.
            above, below = path[: -len(uri)], uri[: -len(path)]
            return diffs.Rename(*(f"{below}{one.removeprefix(above)}" for one in rename))
    return None


def _of_trace(
    text: str, frames: Iterable[Frame], project: StoredProject, spellings: references.Spellings
) -> Subject:
    """The functions of the frames: by name, because a trace may come from another version of the file; by line for a frame
    without a name, or with one that a compiler or test runner made up.
    """
    places: dict[CodePlace, tuple[int, ...]] = {}
    depths: dict[CodePlace, int] = {}
    for frame in frames:
        for uri in _stored(frame.path, project, spellings)[:1]:
            facts = project.facts(uri)
            last = re.split(r"[.:]", frame.function)[-1]
            if facts is None:
                continue
            named = [i for i, one in enumerate(facts.symbols) if last and one.name == last]
            around = [
                i for i in named if facts.symbols[i].start_line <= frame.line <= facts.symbols[i].end_line
            ]
            at = [CodePlace(uri, index) for index in (around or named)[:3]] or [
                references.enclosing(facts, uri, frame.line)
            ]
            for place in at:
                places.setdefault(place, (frame.line,))
                # The line at which a test failed shows the symptom; the fault is in the code that the test calls.
                if frame.function or not is_test_path(uri):
                    depths[place] = min(depths.get(place, frame.depth), frame.depth)
    return Subject(text, places, depths, frozenset(), frozenset(), diffs.words_of(text))


def _head(project: StoredProject, place: CodePlace) -> tuple[int, ...]:
    """The line of a symbol's name; none for a file."""
    facts = project.facts(place.uri)
    return (facts.symbols[place.symbol].line,) if facts is not None and place.symbol != MODULE else ()


def name_of(project: StoredProject, place: CodePlace) -> str:
    """The name of a symbol; "" for a file."""
    facts = project.facts(place.uri)
    return facts.symbols[place.symbol].name if facts is not None and place.symbol != MODULE else ""


def names_of(project: StoredProject, subject: Subject) -> set[str]:
    """The names of a subject's symbols and definitions; none for files and routes."""
    if subject.is_route:
        return set()
    named = {name_of(project, place) for place in subject.places} - {""}
    return named | {row.bare for row in subject.declared}


def _stored(path: str, project: StoredProject, spellings: references.Spellings) -> list[str]:
    """The stored files of a path, as its caller sees it first, then from the root, or from a folder above or below that; none when
    several end with it.
    """
    if known := [uri for uri in spellings(path) if uri in project.files.uris]:
        return known
    found = [uri for uri in project.files.uris if names_path(uri, path)]
    # Of the ends of a longer path the longest says most; of several files that a shorter path is the end of, none does.
    ends = [uri for uri in found if len(uri) < len(path)]
    return [max(ends, key=len)] if ends else found if len(found) == 1 else []
