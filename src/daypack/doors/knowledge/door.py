"""The knowledge door: sources under labels. Texts, files, folders, web pages, and what commands print.

    dp.knowledge.add_text("release notes", "…")
    dp.knowledge.run(["pytest", "-q"], label="tests")
    dp.knowledge.search("which test fails?", label="tests")

A label names one source; adding it again replaces all of it in one transaction, so nobody ever sees half of
it. A file or folder is looked at by every query, as those of the files door are, and read again when it
changed; of one that is gone the text stays, and that is said.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daypack.doors import KNOWLEDGE as DOOR
from daypack.doors.knowledge import table
from daypack.doors.knowledge.table import SEPARATOR, Label
from daypack.doors.reading.process import DEFAULT_SECONDS, Ran, plain, run_command
from daypack.engine.engine import Engine
from daypack.errors import InputError, NotFound, StoreBusy, StoreReadOnly
from daypack.guard.secrets import redact
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.text.storable import storable
from daypack.types import Budget, IngestIssue, IngestReport, Record, Trust, VectorMode

if TYPE_CHECKING:
    from daypack.doors.knowledge.web import Network, Page
    from daypack.doors.reading.walk import WalkRules
    from daypack.types import Pack

# under one label; more is a project, which `daypack add` without a label keeps in step file by file
MOST_FILES = 5_000
LONGEST_LABEL = 200
PAGE_SECONDS = 86_400.0  # for which a page counts as it was fetched
URI = "source:"


@dataclass(frozen=True, slots=True)
class Kept:
    """What adding a source did.

    `replaced` says that the label stood there before, `changed` that anything is new.
    """

    label: str
    report: IngestReport
    replaced: bool = False
    changed: bool = True

    @property
    def uri(self) -> str:
        return f"{URI}{self.label}"


@dataclass(frozen=True, slots=True)
class Output:
    """What a command did, and under which label its output stands; `kept` is None for output that is no text."""

    ran: Ran
    label: str
    lines: int
    tail: tuple[str, ...]  # its last lines
    kept: Kept | None = None
    issue: IngestIssue | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A page that somebody asked for: what stands under its label, what its server said of that, and whether
    that is fresh enough.
    """

    url: str
    label: str
    before: Label | None
    validators: dict[str, str]
    fresh: bool


class KnowledgeDoor:
    """The labelled sources of one project; `scope` names it in a store that several share, and is "" in any
    other.
    """

    def __init__(self, engine: Engine, root: Path, *, rules: WalkRules, scope: str = "") -> None:
        self._engine = engine
        self._store = engine.store
        self._root = root
        self._rules = rules
        self.scope = scope

    # ------------------------------------------------------------ add

    def add_text(
        self,
        label: str,
        text: str,
        *,
        title: str = "",
        language: str = "",
        trust: Trust = Trust.USER,
        origin: str = "",
    ) -> Kept:
        """Index a text under a label, in place of what stands there.

        Raises InputError for a label that cannot be shown.
        """
        name = check_label(label)
        try:
            # bytes of standard input that are no UTF-8 come back as they were
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = storable(text).encode()
        record = self._from_bytes(name, "", data, language=language)
        if isinstance(record, IngestIssue):
            return Kept(name, IngestReport(issues=(record,)), changed=False)
        return self._replace(
            name, "text", origin, [replace(record, title=title or record.title, trust=trust)], {}, len(text)
        )

    def add_path(self, path: Path | str, *, label: str = "") -> Kept:
        """Index a file or a folder under a label, its name when none is given. Raises InputError."""
        target = Path(os.path.abspath(Path(path).expanduser()))
        if not target.exists():
            raise InputError(f"{path} does not exist; check the path")
        name = check_label(label or target.name)
        return self._add_path(name, target)

    def _add_path(self, name: str, target: Path) -> Kept:
        records, stamp, issues = self._read(name, target)
        kept = self._replace(
            name,
            "folder" if target.is_dir() else "file",
            str(target),
            records,
            stamp,
            sum(size for _, size in stamp.values()),
        )
        return replace(kept, report=replace(kept.report, issues=tuple(issues)))

    def _read(
        self, name: str, target: Path
    ) -> tuple[list[Record], dict[str, tuple[int, int]], list[IngestIssue]]:
        from daypack.doors.reading.formats import read_file
        from daypack.doors.reading.walk import walk

        inside = target.is_dir()
        seen = (
            walk(target, rules=self._rules)
            if inside
            else walk(target.parent, start=target, rules=self._rules)
        )
        if len(seen.files) > MOST_FILES:
            raise InputError(
                f"{target} holds {len(seen.files):,} files, a label at most {MOST_FILES:,}; run `daypack add {target}` without a label"
            )
        records, stamp, issues = [], {}, [*seen.issues]
        for found in seen.files:
            record = read_file(found, self._rules)
            stamp[found.uid] = (found.mtime_ns, found.size)
            if isinstance(record, IngestIssue):
                issues.append(record)
            else:
                part = record.uid if inside else ""
                records.append(replace(record, uid=_uid(name, part), uri=_uri(name, part)))
        return records, stamp, issues

    def add_page(
        self, url: str, *, label: str = "", force: bool = False, network: Network | None = None
    ) -> Kept:
        """Fetch a web page and index it under a label, its address when none is given. Raises FetchRefused.

        Whoever calls this allows it: nothing else here uses the network. A page that was fetched within a day
        is not fetched again, unless `force`; an older one is asked for with what its server said of it, and
        is kept when it did not change.
        """
        (kept,) = self.add_pages([(url, label)], force=force, network=network)
        if not isinstance(kept, Kept):
            raise kept
        return kept

    def add_pages(
        self,
        requests: Sequence[tuple[str, str]],
        *,
        force: bool = False,
        network: Network | None = None,
        concurrency: int = 4,
    ) -> list[Kept | InputError]:
        """`add_page` for several (address, label), `concurrency` of them fetched at once; of one that is
        refused why, in its place.
        """
        from concurrent.futures import ThreadPoolExecutor

        from daypack.doors.knowledge.web import PUBLIC, FetchRefused, fetch

        def fetched(asked: _Asked | InputError) -> Page | InputError | None:
            if isinstance(asked, InputError) or asked.fresh:
                return asked if isinstance(asked, InputError) else None
            try:
                return fetch(asked.url, network=network or PUBLIC, known={} if force else asked.validators)
            except FetchRefused as error:
                return error

        every = [self._asked(url, label, force=force, network=network or PUBLIC) for url, label in requests]
        with ThreadPoolExecutor(max_workers=max(1, concurrency)) as pool:
            pages = [*pool.map(fetched, every)]
        found: list[Kept | InputError] = []
        for asked, page in zip(every, pages, strict=True):
            if isinstance(asked, InputError) or isinstance(page, InputError):
                found.append(asked if isinstance(asked, InputError) else page)  # type: ignore[arg-type]
            else:
                found.append(self._keep_page(asked, page))
        return found

    def _asked(self, url: str, label: str, *, force: bool, network: Network) -> _Asked | InputError:
        from daypack.doors.knowledge.web import checked_url

        try:
            url = checked_url(url if "://" in url else f"https://{url}", network)
            name = check_label(label or url[:LONGEST_LABEL])
        except InputError as error:
            return error
        with self._store.reading() as db:
            before = table.find(db, self.scope, name)
        known = before.stamp if before is not None and before.origin == url else {}
        fresh = (
            before is not None
            and bool(known)
            and not force
            and self._engine.clock() - before.checked_at < PAGE_SECONDS
        )
        return _Asked(url, name, before, {key: str(value) for key, value in known.items()}, fresh)

    def _keep_page(self, asked: _Asked, page: Page | None) -> Kept:
        """What came of a page that was asked for; None when it was not, because it is fresh."""
        before, now = asked.before, self._engine.clock()
        stamp = {"etag": page.etag, "modified": page.modified} if page is not None else {}
        if before is not None and (page is None or page.unchanged):
            if page is not None:
                with self._store.writing("noted") as db:
                    table.put(db, self.scope, before._replace(checked_at=now, stamp=stamp, state="current"))
            return Kept(asked.label, IngestReport(unchanged=before.records), True, changed=False)
        assert page is not None
        record = self._from_page(asked.label, page)
        if isinstance(record, IngestIssue):
            return Kept(asked.label, IngestReport(issues=(record,)), changed=False)
        return self._replace(asked.label, "page", asked.url, [record], stamp, len(page.body))

    def refresh_pages(self, *, network: Network | None = None) -> list[tuple[str, Kept | InputError]]:
        """Ask for the pages that nobody asked for within a day, with what their servers said of them: (label,
        what came of it).

        Of one that is gone the text stays, and that is said. Whoever calls this allows the network.
        """
        stale = [label for label in self.sources() if label.kind == "page" and label.state == "stale"]
        found = self.add_pages([(label.origin, label.name) for label in stale], network=network)
        for label, kept in zip(stale, found, strict=True):
            if isinstance(kept, InputError) and getattr(kept, "gone", False):
                with self._store.writing("noted") as db:
                    table.put(db, self.scope, label._replace(state="gone", checked_at=self._engine.clock()))
        return [(label.name, kept) for label, kept in zip(stale, found, strict=True)]

    def _from_page(self, name: str, page: Page) -> Record | IngestIssue:
        """A page as a record, by its type rather than by the end of its address.

        What somebody wrote into the web is nobody's word here.
        """
        from daypack.doors.knowledge.web import DOCUMENT_TYPES
        from daypack.doors.reading.formats import record_from_bytes

        kind = page.content_type
        charset = kind.partition("charset=")[2].split(";")[0].strip("\"' ")
        body = page.body
        if charset and charset not in ("utf-8", "utf8"):
            with contextlib.suppress(LookupError, UnicodeDecodeError):
                body = body.decode(charset).encode()
        html = "html" in kind or body[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
        document = DOCUMENT_TYPES.get(kind.partition(";")[0].strip())
        ending = document or (
            "html"
            if html
            else "json"
            if "json" in kind
            else "xml"
            if "xml" in kind
            else "md"
            if "markdown" in kind
            else "txt"
        )
        record = record_from_bytes(body, uid=f"page.{ending}")
        if isinstance(record, IngestIssue):
            return replace(record, uri=page.url)
        title = record.title if record.title != f"page.{ending}" else ""
        return replace(record, uid=_uid(name, ""), uri=_uri(name, ""), title=title, trust=Trust.UNTRUSTED)

    def run(
        self,
        arguments: Sequence[str],
        *,
        label: str = "",
        seconds: float = DEFAULT_SECONDS,
        folder: Path | None = None,
    ) -> Output:
        """Run a command and keep its whole output under a label, the command itself when none is given.

        Raises CommandNotFound.
        """
        command = redact(storable(" ".join(arguments))).text
        name = check_label(label or command[:LONGEST_LABEL])
        ran = run_command(arguments, folder=folder, seconds=seconds)
        record = self._from_bytes(name, "", ran.output, language="log")
        if isinstance(record, IngestIssue):
            return Output(ran, name, 0, (), issue=record)
        text = plain(record.text)
        lines = [line for line in text.splitlines() if line.strip()]
        record = replace(record, text=text, title=f"$ {command}"[:LONGEST_LABEL], trust=Trust.UNTRUSTED)
        kept = self._replace(name, "output", command, [record], {"status": ran.status}, ran.size)
        # What is shown is what is stored: without secrets.
        tail = tuple(redact(storable("\n".join(lines[-5:]))).text.splitlines())
        return Output(ran, name, text.count("\n") + bool(text and not text.endswith("\n")), tail, kept)

    def answers(self, output: Output, queries: Sequence[str], *, budget: int = 500) -> list[Pack]:
        """What of a command's output answers each query, cited; together at most `budget` tokens.

        Words only: a log is asked for its words.
        """
        if output.kept is None or not queries:
            return []
        from daypack.filters import All, OneOf

        only = All((OneOf("door", (DOOR,)), OneOf("scope", (self.scope,)), OneOf("uri", (output.kept.uri,))))
        share = Budget(budget // len(queries))
        with self._engine.careful():
            return [
                self._engine.pack(query, share, mode=VectorMode.NONE, condition=only) for query in queries
            ]

    def _from_bytes(self, name: str, part: str, data: bytes, *, language: str = "") -> Record | IngestIssue:
        from daypack.doors.reading.formats import record_from_bytes

        record = record_from_bytes(data, uid=part or name)
        if isinstance(record, IngestIssue):
            return replace(record, uri=_uri(name, part))
        if language and not record.rendered:
            record = replace(record, language=language, title=record.title if record.title != name else "")
        return replace(record, uid=_uid(name, part), uri=_uri(name, part))

    def _replace(
        self, name: str, kind: str, origin: str, records: Sequence[Record], stamp: dict[str, Any], size: int
    ) -> Kept:
        """Everything under a label at once: what is new is written, what is not there any more goes."""
        now = self._engine.clock()
        # The times of files are in the stamp: another look at them must not make a record another one.
        full = [
            replace(
                record,
                door=DOOR,
                scope=self.scope,
                metadata={**record.metadata, "label": name},
                time=now,
                mtime_ns=0,
                size=0,
            )
            for record in records
        ]
        prepared = [self._engine.ingestion.prepared(record) for record in full]
        with self._engine.careful(), self._store.writing() as db:
            before = table.find(db, self.scope, name)
            fresh = []
            for item in prepared:
                stored = self._store.stored_record(DOOR, self.scope, item.record.uid)
                if (
                    stored is None
                    or stored.hash != item.hash
                    or not self._store.same_facts(db, stored.id, _at(item.record, db, stored.id))
                ):
                    fresh.append(item)
            gone = sorted(
                set(table.uids(db, DOOR, self.scope, name)) - {item.record.uid for item in prepared}
            )
            removed = self._store.remove_records(db, DOOR, self.scope, gone)
            chunks = self._engine.ingestion.put(db, fresh)
            added_at = before.added_at if before is not None and not fresh and not removed else now
            table.put(
                db,
                self.scope,
                Label(name, kind, storable(origin), added_at, now, size, len(prepared), "current", stamp),
            )
        report = IngestReport(
            added=len(fresh) if before is None else 0,
            updated=len(fresh) if before is not None else 0,
            unchanged=len(prepared) - len(fresh),
            removed=removed,
            chunks=chunks,
            bytes=sum(len(record.text) for record in records),
        )
        return Kept(name, report, before is not None, bool(fresh or removed))

    # ------------------------------------------------------------ look, remove

    def sources(self, partial: str = "") -> tuple[Label, ...]:
        """The labelled sources, latest first; those whose label holds `partial`, whatever its case."""
        with self._store.reading() as db:
            found = table.labels(db, self.scope)
        now = self._engine.clock()
        aged = (
            label._replace(state="stale")
            if label.kind == "page" and label.state != "gone" and now - label.checked_at >= PAGE_SECONDS
            else label
            for label in found
        )
        return tuple(label for label in aged if partial.casefold() in label.name.casefold())

    def refresh(self) -> list[str]:
        """Look at the files and folders behind labels; what changed is read again, what is gone is said to be.

        Labels that changed.
        """
        changed = []
        with self._store.reading() as db:
            backed = table.labels(db, self.scope, kinds=("file", "folder"))
        for label in backed:
            target = Path(label.origin)
            if not target.exists():
                if label.state != "gone":
                    with self._store.writing("noted") as db:
                        table.put(
                            db, self.scope, label._replace(state="gone", checked_at=self._engine.clock())
                        )
                    changed.append(label.name)
            elif label.state == "gone" or dict(self._now(target)) != {
                uid: tuple(stamp) for uid, stamp in label.stamp.items()
            }:
                self._add_path(label.name, target)
                changed.append(label.name)
        return changed

    def refresh_quietly(self) -> None:
        """`refresh`, where the store can be written; otherwise the answer is of what was read before."""
        try:
            self.refresh()
        except (StoreBusy, StoreReadOnly, InputError):
            return

    def _now(self, target: Path) -> Iterator[tuple[str, tuple[int, int]]]:
        from daypack.doors.reading.walk import walk

        seen = (
            walk(target, rules=self._rules)
            if target.is_dir()
            else walk(target.parent, start=target, rules=self._rules)
        )
        yield from ((found.uid, (found.mtime_ns, found.size)) for found in seen.files)

    def remove(self, label: str) -> int:
        """Remove a source for good: its texts, postings and vectors; how many records there were.

        Raises NotFound.
        """
        label = storable(label)
        with self._engine.careful(), self._store.writing() as db:
            self._store.owe_purge(db)
            if table.find(db, self.scope, label) is None:
                raise NotFound(f"the source {label}", "`daypack label list` shows the sources there are")
            uids = table.uids(db, DOOR, self.scope, label)
            hashes = {
                hash_ for uid in uids for hash_ in self._store.embed_hashes_of(db, DOOR, self.scope, uid)
            }
            removed = self._store.remove_records(db, DOOR, self.scope, uids)
            table.drop(db, self.scope, label)
            vector_index.drop_orphans(db, hashes)
            lexical_index.scrub(db, [row[0] for row in db.execute("SELECT chunk_id FROM tomb")])
        self._store.purge()
        return removed


def _at(record: Record, db: Any, record_id: int) -> Record:
    """The record as of the time that is stored: when it was read says nothing about what was read."""
    (time,) = db.execute("SELECT time FROM record WHERE id = ?", (record_id,)).fetchone()
    return replace(record, time=time)


def check_label(label: str) -> str:
    """A label as it is kept. Raises InputError."""
    name = " ".join(storable(label).split())
    if not name or len(name) > LONGEST_LABEL or not name.isprintable() or SEPARATOR in label:
        raise InputError(f"a label must be one printable line of 1 to {LONGEST_LABEL} characters")
    if redact(name).count:
        raise InputError("the label looks like a secret, and labels are shown; choose another one")
    return name


def _uid(name: str, part: str) -> str:
    return f"{name}{SEPARATOR}{part}"


def _uri(name: str, part: str) -> str:
    return f"{URI}{name}/{part}" if part else f"{URI}{name}"
