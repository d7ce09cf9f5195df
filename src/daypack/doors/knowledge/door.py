"""The knowledge door: texts, files, folders, web pages and command output under labels.

dp.knowledge.add_text("release notes", "…")
dp.knowledge.run(["pytest", "-q"], label="tests")
dp.search("which test fails?", source="tests")
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daypack.doors.knowledge import table
from daypack.doors.knowledge.records import (
    LONGEST_LABEL,
    check_label,
    record_of_page,
    record_of_text,
    records_of_path,
    times_of_path,
)
from daypack.doors.knowledge.types import DOOR, CommandOutput, Label, LabelUpdate
from daypack.doors.reading.process import DEFAULT_SECONDS, run_command
from daypack.engine.engine import Engine
from daypack.engine.questions import Question
from daypack.errors import CannotWrite, InputError, NotFound
from daypack.guard.arguments import checked
from daypack.guard.secrets import redact
from daypack.guard.trust import lowest
from daypack.index import vectors as vector_index
from daypack.index.postings import lexical as lexical_index
from daypack.system import path_named
from daypack.text.checks import did_you_mean, member
from daypack.text.storable import bytes_of, storable
from daypack.text.terminal_text import last_shown
from daypack.types import Budget, IngestIssue, IngestReport, Record, Trust, VectorMode

if TYPE_CHECKING:
    from daypack.doors.knowledge.web import FetchRefused, Network, Page
    from daypack.doors.reading.walk import WalkRules
    from daypack.index.rows import Prepared
    from daypack.ports import Connection
    from daypack.types import Pack

PAGE_SECONDS = 86_400.0  # a page is fresh for this time after it was fetched


@dataclass(frozen=True, slots=True)
class _PageRequest:
    """A page to fetch: the row of its label, its validators, and whether it is fresh."""

    url: str
    label: str
    before: Label | None
    validators: dict[str, str]
    fresh: bool

    def fetched(self, network: Network) -> Page | FetchRefused | None:
        """The fetched page, the refusal, or None for a fresh page."""
        from daypack.doors.knowledge.web import FetchRefused, fetch

        try:
            return None if self.fresh else fetch(self.url, network=network, known=self.validators)
        except FetchRefused as error:
            return error


@checked
class KnowledgeDoor:
    """The labels of one project. `scope` names the project in a store that several projects share, else it is ""."""

    def __init__(self, engine: Engine, root: Path, *, rules: WalkRules, scope: str = "") -> None:
        self._engine = engine
        self._store = engine.store
        self._root = root
        self._rules = rules.without(engine.store.place)._replace(project=os.path.realpath(root))
        self.scope = scope

    # ------------------------------------------------------------ add

    def add_text(
        self,
        label: str,
        text: str,
        *,
        title: str = "",
        language: str = "",
        trust: Trust | str = Trust.USER,
        origin: str = "",
    ) -> LabelUpdate:
        """Index a text under a label, and replace the label's previous texts. Raises InputError for an unprintable label."""
        name = check_label(label)
        record = record_of_text(name, bytes_of(text), language=language)
        if isinstance(record, IngestIssue):
            return LabelUpdate(name, IngestReport(issues=(record,)), changed=False)
        kept = replace(
            record, title=title or record.title, trust=self._engine.writer.bound(member(Trust, trust))
        )
        return self._replace(name, "text", origin, [kept], {}, len(text))

    def add_path(self, path: Path | str, *, label: str = "") -> LabelUpdate:
        """Index a file or a folder under a label; the default is its name. Raises InputError."""
        target = Path(os.path.abspath(path_named(path)))
        if not target.exists():
            raise InputError(f"{path} does not exist; check the path")
        name = check_label(label or target.name)
        return self._add_path(name, target, self._engine.writer.bound(Trust.USER))

    def _add_path(self, name: str, target: Path, trust: Trust) -> LabelUpdate:
        read = records_of_path(name, target, self._rules)
        done = self._replace(
            name,
            "folder" if target.is_dir() else "file",
            str(target),
            [replace(record, trust=trust) for record in read.records],
            read.times,
            sum(size for _, size in read.times.values()),
        )
        return replace(done, report=done.report._replace(issues=tuple(read.issues)))

    def add_page(
        self, url: str, *, label: str = "", force: bool = False, network: Network | None = None
    ) -> LabelUpdate:
        """Fetch a web page and index it under a label; the default is its address. Raises FetchRefused.

        A call permits the use of the network. A page that was fetched within a day is not fetched again, unless `force`; an
        older one is requested with its validators, and its stored text stays when the server reports no change.
        """
        (done,) = self.add_pages([(url, label)], force=force, network=network)
        if not isinstance(done, LabelUpdate):
            raise done
        return done

    def add_pages(
        self,
        requests: Sequence[tuple[str, str]],
        *,
        force: bool = False,
        network: Network | None = None,
        concurrency: int = 4,
    ) -> list[LabelUpdate | InputError]:
        """`add_page` for several (address, label), with `concurrency` fetches at once. The result has the error in the place of a
        refused page.
        """
        from concurrent.futures import ThreadPoolExecutor

        from daypack.doors.knowledge.web import PUBLIC

        network = network or PUBLIC

        def fetched(request: _PageRequest | InputError) -> Page | InputError | None:
            return request if isinstance(request, InputError) else request.fetched(network)

        wanted = [self._page_request(url, label, force=force, network=network) for url, label in requests]
        with ThreadPoolExecutor(max_workers=max(1, concurrency)) as pool:
            pages = [*pool.map(fetched, wanted)]
        found: list[LabelUpdate | InputError] = []
        for request, page in zip(wanted, pages, strict=True):
            if isinstance(request, InputError):
                found.append(request)
            else:
                found.append(page if isinstance(page, InputError) else self._keep_page(request, page))
        return found

    def _page_request(
        self, url: str, label: str, *, force: bool, network: Network
    ) -> _PageRequest | InputError:
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
        validators = {} if force else {key: str(value) for key, value in known.items()}
        return _PageRequest(url, name, before, validators, fresh)

    def _keep_page(self, request: _PageRequest, page: Page | None) -> LabelUpdate:
        """Store a page; None stands for a fresh page, which was not fetched."""
        before, now = request.before, self._engine.clock()
        stamp = {"etag": page.etag, "modified": page.modified} if page is not None else {}
        if before is not None and (page is None or page.unchanged):
            if page is not None:
                with self._store.writing("noted") as db:
                    table.put(db, self.scope, before._replace(checked_at=now, stamp=stamp, state="current"))
            return LabelUpdate(request.label, IngestReport(unchanged=before.records), True, changed=False)
        assert page is not None
        record = record_of_page(request.label, page)
        if isinstance(record, IngestIssue):
            return LabelUpdate(request.label, IngestReport(issues=(record,)), changed=False)
        return self._replace(request.label, "page", request.url, [record], stamp, len(page.body))

    def refresh_pages(self, *, network: Network | None = None) -> list[tuple[str, LabelUpdate | InputError]]:
        """Fetch the pages again that were last checked more than a day ago, with their validators; returns (label, outcome) for
        each. When a page is gone, its text stays, and its label is marked. A call permits the use of the network.
        """
        stale = [label for label in self.labels() if label.kind == "page" and label.state == "stale"]
        found = self.add_pages([(label.origin, label.name) for label in stale], network=network)
        for label, done in zip(stale, found, strict=True):
            if isinstance(done, InputError) and getattr(done, "gone", False):
                self._note_gone(label)
        return [(label.name, done) for label, done in zip(stale, found, strict=True)]

    def run(
        self,
        arguments: Sequence[str],
        *,
        label: str = "",
        seconds: float = DEFAULT_SECONDS,
        folder: Path | None = None,
    ) -> CommandOutput:
        """Run a command and store its whole output under a label; the default is the command. Raises CommandNotFound."""
        self._store.check_open()  # before the command runs
        command = redact(storable(" ".join(arguments))).text
        name = check_label(label or command[:LONGEST_LABEL])
        ran = run_command(arguments, folder=folder, seconds=seconds, check=self._engine.stopping.check)
        self._engine.writer.show([Trust.UNTRUSTED])
        record = record_of_text(name, ran.output, language="log")
        if isinstance(record, IngestIssue):
            return CommandOutput(ran, name, 0, (), issue=record)
        text = last_shown(record.text)
        record = replace(record, text=text, title=f"$ {command}"[:LONGEST_LABEL], trust=Trust.UNTRUSTED)
        kept = self._replace(name, "output", command, [record], {"status": ran.status}, ran.size)
        # The result has the stored text, from which secrets are removed; the last lines alone may be half of one.
        lines = [line for line in redact(storable(text)).text.splitlines() if line.strip()]
        return CommandOutput(
            ran, name, text.count("\n") + bool(text and not text.endswith("\n")), tuple(lines[-5:]), kept
        )

    def answers(self, output: CommandOutput, queries: Sequence[str], *, budget: int = 500) -> list[Pack]:
        """A pack for each query, from the output of a command; all packs together have at most `budget` tokens. They are ranked
        by words alone, because users search a log for its words.
        """
        if output.kept is None or not queries:
            return []
        from daypack.filters import All, OneOf

        only = All((OneOf("door", (DOOR,)), OneOf("scope", (self.scope,)), OneOf("uri", (output.kept.uri,))))
        question, share = Question(VectorMode.NONE, only), Budget(budget // len(queries))
        with self._engine.translating_damage():
            return [self._engine.pack(query, share, question) for query in queries]

    def _replace(
        self, name: str, kind: str, origin: str, records: Sequence[Record], stamp: dict[str, Any], size: int
    ) -> LabelUpdate:
        """Replace all records under a label in one transaction: write the new ones, remove the others."""
        now = self._engine.clock()
        # The times of files are in the stamp alone, because an unchanged file must give an unchanged record.
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
        with self._engine.translating_damage(), self._store.writing() as db:
            before = table.find(db, self.scope, name)
            fresh = [item for item in prepared if not self._is_stored(db, item)]
            gone = sorted(set(table.uids(db, self.scope, name)) - {item.record.uid for item in prepared})
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
        return LabelUpdate(name, report, before is not None, bool(fresh or removed))

    def _is_stored(self, db: Connection, item: Prepared) -> bool:
        """True for a record that is stored with the same text and facts."""
        stored = self._store.stored_record(DOOR, self.scope, item.record.uid)
        if stored is None or stored.hash != item.hash:
            return False
        return self._store.same_facts(db, stored.id, item.record, item.handling)

    # ------------------------------------------------------------ list, refresh, remove

    def labels(self, partial: str = "") -> tuple[Label, ...]:
        """The labels that contain `partial`, in any case, the latest first."""
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
        """Read the changed files and folders of labels again, and mark labels whose origin is gone; returns the changed labels."""
        return [label.name for label, trust in self._backed() if self._refresh_label(label, trust)]

    def try_refresh(self) -> list[str]:
        """`refresh`, where the store can be written; the stored texts answer otherwise. Returns why a label was not read again."""
        problems = []
        with suppress(CannotWrite):
            for label, trust in self._backed():
                try:
                    self._refresh_label(label, trust)
                except InputError as error:
                    problems.append(f"label {label.name} was not read again: {error}")
        return problems

    def _backed(self) -> list[tuple[Label, Trust]]:
        """The labels that files and folders stand behind, with their lowest trust."""
        with self._store.reading() as db:
            return [
                (label, lowest(*table.trusts(db, self.scope, label.name)))
                for label in table.labels(db, self.scope, kinds=("file", "folder"))
            ]

    def _refresh_label(self, label: Label, trust: Trust) -> bool:
        """Read a label's files again when they changed, or mark it when its origin is gone; True for a change."""
        target = Path(label.origin)
        if not target.exists():
            if label.state == "gone":
                return False
            self._note_gone(label)
        elif label.state != "gone" and times_of_path(target, self._rules) == {
            uid: tuple(stamp) for uid, stamp in label.stamp.items()
        }:
            return False
        else:
            self._add_path(label.name, target, trust)
        return True

    def _note_gone(self, label: Label) -> None:
        with self._store.writing("noted") as db:
            table.put(db, self.scope, label._replace(state="gone", checked_at=self._engine.clock()))

    def remove(self, label: str) -> int:
        """Erase a label with its texts, postings and vectors; returns the number of its records. Raises NotFound."""
        label = storable(label)
        with self._engine.translating_damage(), self._store.writing() as db:
            self._store.owe_purge(db)
            if table.find(db, self.scope, label) is None:
                known = [one.name for one in table.labels(db, self.scope)]
                step = did_you_mean(label, known, "`daypack label list` lists them")
                raise NotFound(f"no label named {label!r}", step)
            uids = table.uids(db, self.scope, label)
            vector_index.remove_records(self._store, db, DOOR, self.scope, uids)
            table.drop(db, self.scope, label)
            lexical_index.scrub(db)
        self._store.purge()
        return len(uids)
