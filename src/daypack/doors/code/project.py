"""The facts of the files of a store: extracted when they are missing, read when the graph needs them."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cached_property

from daypack.crew import groups, spread
from daypack.doors.code import table
from daypack.doors.code.graph.extraction.components import COMPONENTS, extract_component
from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.extraction.pages import MANIFESTS, PAGES, extract_manifest, extract_page
from daypack.doors.code.graph.facts import FileFacts
from daypack.doors.code.graph.languages import languages
from daypack.doors.code.graph.modules import ProjectFiles
from daypack.doors.code.graph.remembered import MISSING, Recent
from daypack.doors.code.siblings import take_facts
from daypack.doors.code.types import SymbolRow
from daypack.errors import CannotWrite
from daypack.index.facts import uris_like
from daypack.index.store import Store
from daypack.ports import FILES, Progress

BATCH_FILES = 500  # whose facts one transaction writes
WORTH_A_CREW = 500  # files: a crew takes a second to start, and a file five milliseconds
KEPT_FACTS = 6_000
KEPT_NAMES = 20_000  # whose files are kept in memory


@contextmanager
def collecting_later() -> Iterator[None]:
    """Turn off Python's garbage collector: it visits all new tuples again and again, and takes half the time of a map of a
    large project.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class StoredProject:
    """One state of the files of a store, as the project of a graph. Facts are read at their first use, and kept."""

    def __init__(
        self, store: Store, unsaved: dict[str, FileFacts], before: StoredProject | None = None
    ) -> None:
        self._store = store
        self._unsaved = unsaved  # uri → facts that a read-only store cannot take
        self._named: Recent[tuple[str, bool], list[str]] = Recent(KEPT_NAMES)
        # facts by id stay valid in a later state: they belong to a text
        self._facts: Recent[int, FileFacts] = before._facts if before is not None else Recent(KEPT_FACTS)
        with store.reading() as db:
            self._ids = table.facts_of_files(db)
            uris = table.file_uris(db)
            self.generated = table.generated_files(db)
        self._uris_of: dict[int, list[str]] = {}
        for uri, facts_id in self._ids.items():
            self._uris_of.setdefault(facts_id, []).append(uri)
        self.files = ProjectFiles(uris)
        for uri in uris:
            if (
                uri.rpartition("/")[2] in MANIFESTS
                and (facts := self.facts(uri)) is not None
                and facts.module
            ):
                self.files.add_manifest(facts.module, uri.rpartition("/")[0])

    @cached_property
    def unread_languages(self) -> list[str]:
        """The languages of code in the store that have no graph, apart from those of styles, sorted."""
        with self._store.reading() as db:
            without = set(table.code_languages(db)) - {*languages(), *COMPONENTS}
        if not without:
            return []
        from daypack.chunk.languages.declarative import STYLES  # with the tables of all languages

        return sorted(without - {style.grammar for style in STYLES})

    @cached_property
    def unread(self) -> Mapping[str, str]:
        """Path → language, of the files of languages without a graph."""
        with self._store.reading() as db:
            return dict(table.files_in(db, self.unread_languages))

    @cached_property
    def unrelated(self) -> list[SymbolRow]:
        """The definitions in files of languages without a graph, which have no relations: cut as parts of their files."""
        with self._store.reading() as db:
            parts = table.named_parts(db, self.unread_languages)
        rows: list[SymbolRow] = []
        for uri, name, kind, first, last, signature in parts:
            row = SymbolRow(name, kind, uri, first, last, signature, "", in_graph=False)
            if rows and replace(rows[-1], line=first, end_line=last) == row:  # a long one has several parts
                row = replace(row, line=rows.pop().line)
            rows.append(row)
        return rows

    @cached_property
    def unrelated_by_file(self) -> Mapping[str, list[SymbolRow]]:
        """Path → its definitions without relations."""
        found: dict[str, list[SymbolRow]] = {}
        for row in self.unrelated:
            found.setdefault(row.file, []).append(row)
        return found

    @property
    def uris(self) -> list[str]:
        """The paths of the files that have facts, sorted."""
        return sorted({*self._ids, *self._unsaved})

    def facts(self, uri: str) -> FileFacts | None:
        if uri in self._unsaved:
            return self._unsaved[uri]
        facts_id = self._ids.get(uri)
        if facts_id is None:
            return None
        facts: FileFacts | None = self._facts.get(facts_id, MISSING)
        if facts is MISSING and (facts := self._facts.again(facts_id)) is MISSING:
            with self._store.reading() as db:
                facts = table.read_facts(db, [facts_id]).get(facts_id)
            if facts is not None:
                self._facts.keep(facts_id, facts)
        return facts

    def lines(self, uri: str) -> int:
        """The number of lines of a stored file."""
        stored = self._store.stored_record(FILES, "", uri)
        text = self._store.record_text(stored.id) if stored is not None else ""
        return text.count("\n") + (not text.endswith("\n"))  # a line end begins no further line

    def defining(self, name: str) -> Sequence[str]:
        return self._with(name, defining=True)

    def mentioning(self, name: str) -> Sequence[str]:
        return self._with(name, defining=False)

    def defining_like(self, part: str) -> list[str]:
        """The files that define a name that contains `part`, in any case; sorted."""
        with self._store.reading() as db:
            ids = table.files_like(db, part)
        found = {uri for facts_id in ids for uri in self._uris_of.get(facts_id, ())}
        found |= {
            uri
            for uri, facts in self._unsaved.items()
            if any(part.casefold() in name.casefold() for name in facts.defined())
        }
        return sorted(found)

    def uris_like(self, path: str) -> list[str]:
        """The files in the folder of a path, and those whose last part begins like that of the path."""
        with self._store.reading() as db:
            return [uri for uri in uris_like(db, path) if uri in self.files.uris]

    def _with(self, name: str, *, defining: bool) -> list[str]:
        key = (name, defining)
        found: list[str] = self._named.get(key, MISSING)
        if found is MISSING and (found := self._named.again(key)) is MISSING:
            with self._store.reading() as db:
                ids = table.files_with(db, name, defining=defining)
            found = [uri for facts_id in ids for uri in self._uris_of.get(facts_id, ())]
            found += [
                uri
                for uri, facts in self._unsaved.items()
                if name in facts.defined() or (not defining and name in facts.mentioned())
            ]
            found = self._named.keep(key, sorted(found))
        return found


def make_facts(store: Store, progress: Progress | None = None, *, processes: int = 1) -> dict[str, FileFacts]:
    """Store the missing facts: copied from another work tree, or extracted, of many files by so many processes.

    Returns uri → facts for those that a read-only or busy store did not take.
    """
    with store.reading() as db:
        missing = table.lacking(db, {*languages(), *PAGES, *COMPONENTS}, MANIFESTS)
    missing = take_facts(store, missing)
    unsaved: dict[str, FileFacts] = {}
    batch: list[tuple[table.CodeText, FileFacts]] = []
    done = 0
    texts = ((source, store.record_text(source.record_id)) for source in missing)
    if len(missing) < WORTH_A_CREW:
        processes = 1
    with closing(spread(_facts_of_group, groups(texts, _length), processes=processes)) as extracted:
        for group in extracted:
            batch += group
            done += len(group)
            if progress is not None:
                progress(done, len(missing))
            if len(batch) >= BATCH_FILES or done == len(missing):
                if not _keep(store, batch):
                    unsaved |= _by_uri(store, batch)
                batch = []
    return unsaved


def _length(text: tuple[table.CodeText, str]) -> int:
    return len(text[1])


def _facts_of_group(group: Iterable[tuple[table.CodeText, str]]) -> list[tuple[table.CodeText, FileFacts]]:
    return [(source, _facts_of(text, source)) for source, text in group]


def _keep(store: Store, batch: Sequence[tuple[table.CodeText, FileFacts]]) -> bool:
    try:
        with store.writing(table.SEQUENCE, busy_seconds=table.BUSY_SECONDS) as db:
            table.put_facts(db, batch)
            table.drop_unused(db)
    except CannotWrite:  # the answer uses them unsaved
        return False
    return True


def _by_uri(store: Store, batch: Iterable[tuple[table.CodeText, FileFacts]]) -> dict[str, FileFacts]:
    by_hash = {(source.hash, source.language): facts for source, facts in batch}
    with store.reading() as db:
        texts = table.file_texts(db)
    return {
        text.uri: by_hash[text.hash, text.language] for text in texts if (text.hash, text.language) in by_hash
    }


def _facts_of(text: str, source: table.CodeText) -> FileFacts:
    """The facts of a file; none where it nests deeper than they can be read."""
    try:
        if (name := source.uri.rpartition("/")[2]) in MANIFESTS:
            return extract_manifest(text, name, source.language)
        if source.language in COMPONENTS:
            return extract_component(text, source.language)
        return (extract_page if source.language in PAGES else extract)(text, source.language)
    except RecursionError:
        return FileFacts(source.language)
