"""The sources door: records of a session, of a user or of all users, versioned by key, under a policy,
retrieved and assembled for a task.

    dp.sources.ingest(SourceDraft("Prefers short e-mails.", kind="user_profile_note", scope="user", user_id="u1", source_key="profile"))
    dp.sources.retrieve(RetrieveRequest("draft a client update", user_id="u1")).items
    dp.sources.assemble(AssembleRequest("draft a client update", user_id="u1", assembly_mode="drafting")).context_text

Every call names a user and a session. Records that they may not see do not exist for them: they are in no
view, no statistic and no count (`daypack.doors.sources.retrieval.visibility`). Records that a filter or a policy excludes are left
out before anything is ranked, and counted by reason. The active version of a record is a record of the common
index, so it is ranked like any other text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from daypack import tokens
from daypack.doors.sources import rules, table
from daypack.doors.sources.arguments import DraftFields, Listing
from daypack.doors.sources.retrieval import ranking
from daypack.doors.sources.retrieval.assembly import in_sections
from daypack.doors.sources.retrieval.fitting import cuts, fitted
from daypack.doors.sources.retrieval.search import SourceSearch
from daypack.doors.sources.retrieval.visibility import DOOR
from daypack.doors.sources.settings import source_settings
from daypack.doors.sources.types import (
    AssembleRequest,
    Assembly,
    AssemblyMode,
    AuditEntry,
    ContentClass,
    ImportedSources,
    LeftOut,
    Retrieval,
    RetrieveRequest,
    Source,
    SourceAction,
    SourceDraft,
    SourceKind,
    SourcePart,
    SourceReceipt,
    SourceScope,
    SourceStatus,
    StoredSource,
    space_of,
)
from daypack.doors.sources.writing import files as source_files
from daypack.doors.sources.writing.pruning import Pruning
from daypack.engine.engine import Engine
from daypack.engine.ingest import CHUNK_TOKENIZER
from daypack.engine.limits import check_limits
from daypack.errors import CannotWrite, NotFound
from daypack.guard.arguments import checked
from daypack.guard.paths import check_present
from daypack.guard.trust import lowest
from daypack.ports import Connection, Viewer
from daypack.system import path_named
from daypack.text.checks import member
from daypack.types import Budget, IngestIssue, Tokenizer, Trust

LATEST = 10  # records of the same owner and kind that a new one is compared with
BATCH = 200  # records of an import that are written in one transaction
_TOUCH_SECONDS = 0.2  # to wait for the store when only an entry of the log is to be written


@checked
class SourcesDoor:
    """Records as one user and session see them; a call without a user id means `owner`."""

    def __init__(self, engine: Engine, *, owner: str) -> None:
        self._engine = engine
        self._store = engine.store
        self.owner = owner
        self.settings = source_settings(dict(engine.settings.of_doors))
        self._pruning = Pruning(engine)

    def close(self) -> None:
        """Rewrite the file where pruned records wait for it; the store is still open."""
        self._pruning.close()

    def _viewer(self, user_id: str | None, session_id: str | None) -> Viewer:
        return self._engine.visibility.viewer._replace(
            user_id=rules.check_name("user id", user_id) or self.owner,
            session_id=rules.check_name("session id", session_id),
        )

    # ------------------------------------------------------------ write

    def store(self, kind: SourceKind | str, text: str, **facts: Unpack[DraftFields]) -> StoredSource:
        """Store a finished text; `facts` are fields of a SourceDraft."""
        facts.setdefault("content_class", ContentClass.NORMALIZED_MEMORY)
        return self.ingest(SourceDraft(text, kind, **facts))

    def ingest(self, draft: SourceDraft) -> StoredSource:
        """Store a record. Under an existing key this is an `upsert`; without one, a record with the same
        content is returned.

        Raises InputError for a record that cannot be stored.
        """
        (stored,) = self._kept([draft])
        return stored

    def upsert(self, source_key: str, draft: SourceDraft) -> StoredSource:
        """Store a record under a key: unchanged when the active version has the same content, else as a new
        version that supersedes the old one.
        """
        key = rules.named_key(source_key, rules.KEY_TO_WRITE)
        return self.ingest(replace(draft, source_key=key))

    def revise(
        self,
        source_key: str,
        change: Callable[[Source | None, float], SourceDraft | None],
        *,
        user_id: str | None = None,
    ) -> StoredSource | None:
        """Write the next version of a user's record from its active one, in one transaction, so that
        concurrent changes are not lost. `change` is given that record, if there is one, and the time; None
        changes nothing. The next version is no more trusted than the active one, from which it is made.
        """
        viewer = self._viewer(user_id, None)
        space = space_of("user", viewer.user_id, "")
        with self._engine.translating_damage():
            with self._store.writing() as db:
                versions = table.under_key(db, space, source_key)
                before = _active(versions)
                draft = change(before, self._engine.clock())
                trust = Trust.USER if before is None else before.trust
                stored = None
                if draft is not None:
                    stored = self._written(db, rules.checked(draft, owner=viewer.user_id)[0], trust)
            self._pruning.purge()
        return stored

    def _kept(self, drafts: Sequence[SourceDraft]) -> tuple[StoredSource, ...]:
        checked = [rules.checked(draft, owner=self.owner) for draft in drafts]
        with self._engine.translating_damage():
            with self._store.writing() as db:
                stored = [replace(self._written(db, draft), redactions=count) for draft, count in checked]
            purged = self._pruning.purge(
                sum(len(source.pruned.records) for source in stored if source.pruned is not None)
            )
        return tuple(
            source if source.pruned is None else replace(source, pruned=replace(source.pruned, purged=purged))
            for source in stored
        )

    def _written(self, db: Connection, draft: SourceDraft, claimed: Trust = Trust.USER) -> StoredSource:
        now = self._engine.clock()
        user, key = draft.user_id or "", draft.source_key or ""
        space = space_of(draft.scope, user, draft.session_id or "")
        checksum = rules.checksum(draft)
        versions = table.under_key(db, space, key)
        active = _active(versions)
        same = active if key else table.same_text(db, space, checksum)
        # no other user vouches for what an agent says to all of them
        own = Trust.UNTRUSTED if draft.scope is SourceScope.GLOBAL else claimed
        trust = self._engine.writer.bound(claimed if self._engine.writer.trust is Trust.USER else own)
        if same is not None and same.content_checksum == checksum and lowest(same.trust, trust) is trust:
            return StoredSource(same, SourceAction.UNCHANGED)
        number = db.new_ids("source_item", 1).start
        item = rules.new_version(
            draft,
            space=space,
            number=number,
            version=max((item.source_version for item in versions), default=0) + 1,
            previous=active,
            tokens=tokens.counter(CHUNK_TOKENIZER)(draft.text),
            now=now,
            trust=trust,
        )
        similar = () if key else self._similar(db, space, item)
        if active is not None:
            table.supersede(db, active.id)
            self._pruning.unindex(db, [active])
        table.add(db, item, number)
        self._engine.ingestion.put(db, [self._engine.ingestion.prepared(rules.searched_record(item, space))])
        audit_id = table.audit(db, "update" if active else "create", user, {"record_ids": [item.id]}, at=now)
        action = SourceAction.UPDATED if active else SourceAction.CREATED
        pruned = self._pruning.made_room(db, space, item, self.settings.max_records)
        return StoredSource(item, action, similar=similar, pruned=pruned, audit_id=audit_id)

    def _similar(self, db: Connection, space: str, item: Source) -> tuple[str, ...]:
        words = ranking.words_of(item.text)
        earlier = table.latest(db, space, item.kind, LATEST)
        return tuple(
            record_id
            for record_id, text in earlier
            if ranking.jaccard(words, ranking.words_of(text)) >= self.settings.similar
        )

    def import_path(
        self, path: Path | str, draft: SourceDraft, *, recursive: bool = False
    ) -> ImportedSources:
        """Store the files of a folder, or one file, each under the key file:PATH; `draft` gives all other
        fields.

        A file of JSON is structured data, and of one with a JSON value a line each line is a record
        (file:PATH#LINE). Entries that the files door skips (secret, binary and ignored files) are skipped
        here. Raises PathNotFound and PathUnreadable.
        """
        target = path_named(path).absolute()
        check_present(target, path)
        stored: list[StoredSource] = []
        issues: list[IngestIssue] = []
        batch: list[SourceDraft] = []
        for item in source_files.drafts(target, draft, recursive=recursive):
            if isinstance(item, IngestIssue):
                issues.append(item)
                continue
            batch.append(item)
            if len(batch) == BATCH:
                stored += self._kept(batch)
                batch = []
        stored += self._kept(batch) if batch else ()
        return ImportedSources(tuple(stored), tuple(issues))

    # ------------------------------------------------------------ delete

    def delete(
        self,
        source_key: str,
        *,
        scope: SourceScope | str = SourceScope.SESSION,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> SourceReceipt:
        """Erase a key, or the record of an id, with every version; tombstones stay, and the text is erased
        from disk.

        Raises NotFound for records that the caller may not see.
        """
        source_key, viewer = rules.named_key(source_key), self._viewer(user_id, session_id)
        wanted = member(SourceScope, scope)
        user = rules.check_name("user id", user_id)
        owner = rules.owner_of(wanted, user, viewer.session_id, self.owner)
        space = space_of(wanted, owner, viewer.session_id)
        with self._engine.translating_damage():
            with self._store.writing() as db:
                known = table.under_key(db, space, source_key) or table.own_by_id(db, viewer, source_key)
                items = [item for item in known if item.source_status is not SourceStatus.DELETED]
                if not items:
                    scopes = table.own_scopes(db, viewer, source_key)
                    raise NotFound(
                        f"no source under the key {source_key!r} has the scope {wanted.value}",
                        f"did you mean --scope {scopes[0]}?"
                        if scopes
                        else "`daypack source list` lists those of this user and session",
                    )
                receipt = self._pruning.buried(db, viewer, items, "delete")
            return replace(receipt, purged=self._store.purge())

    def prune(
        self,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        max_records: int | None = None,
        retention_days: float | None = None,
        dry_run: bool = False,
    ) -> tuple[SourceReceipt, ...]:
        """Delete the caller's records that are older than their policy (or `retention_days`) allows, then all
        but the `max_records` of each scope and kind that were used last. Older versions do not count and go
        with theirs. A number that is not given comes from the settings, by default none: then only policies
        count.
        """
        return self._pruning.prune(
            self._viewer(user_id, session_id),
            self.settings.max_records if max_records is None else max_records,
            self.settings.retention_days if retention_days is None else retention_days,
            dry_run=dry_run,
        )

    # ------------------------------------------------------------ read

    def get(self, record_id: str, *, user_id: str | None = None, session_id: str | None = None) -> Source:
        """The record of an id, whatever its status. Raises NotFound, also for records of others."""
        viewer = self._viewer(user_id, session_id)
        with self._engine.translating_damage(), self._store.reading() as db:
            source = table.by_ids(db, viewer, [record_id]).get(record_id)
        if source is None:
            raise NotFound(f"no source has the id {record_id!r}", "`daypack source list` shows ids")
        self._show([source])
        return source

    def _show(self, records: Iterable[Source]) -> None:
        self._engine.writer.show(record.trust for record in records)

    def parts_of(self, item: Source) -> tuple[SourcePart, ...]:
        """The searched parts of a record, in order; none for an inactive one."""
        with self._engine.translating_damage(), self._store.reading():
            stored = self._store.stored_record(DOOR, item.space, item.id)
            chunks = self._store.chunks_of(stored.id) if stored is not None else []
        return tuple(
            SourcePart(
                chunk.id, chunk.ordinal, chunk.text, chunk.tokens, tuple(sorted(ranking.words_of(chunk.text)))
            )
            for chunk in chunks
        )

    def list(self, **narrow: Unpack[Listing]) -> tuple[Source, ...]:
        """The records of `listed`, which describes the arguments."""
        return self.listed(**narrow)[0]

    def listed(
        self,
        *,
        kind: SourceKind | str | None = None,
        scope: SourceScope | str | None = None,
        status: SourceStatus | str | None = SourceStatus.ACTIVE,
        source_key: str | None = None,
        limit: int = 100,
        offset: int = 0,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> tuple[tuple[Source, ...], int]:
        """Records visible to a user and session, the newest first, without the first `offset`, with `status` None of every
        status; and their number without the limit.
        """
        rules.check_limit(limit, offset)
        equal = {
            "kind": kind and member(SourceKind, kind),
            "scope": scope and member(SourceScope, scope),
            "status": status and member(SourceStatus, status),
            "source_key": source_key,
        }
        with self._engine.translating_damage(), self._store.reading() as db:
            sources, total = table.listed(db, self._viewer(user_id, session_id), equal, limit, offset)
        self._show(sources)
        return tuple(sources), total

    def stats(self, *, user_id: str | None = None, session_id: str | None = None) -> dict[str, Any]:
        """Counts of the records visible to a user and session, by kind, scope, type and status; of this
        user's pruned records by reason; and the bounds.
        """
        viewer = self._viewer(user_id, session_id)
        with self._engine.translating_damage(), self._store.reading() as db:
            statuses, pruned = table.counts(db, viewer, "status"), table.pruned(db, viewer.user_id)
            columns = ("kind", "scope", "source_type", "content_class")
            return {
                "record_count": statuses.get(SourceStatus.ACTIVE.value, 0),
                **{f"records_by_{column}": table.counts(db, viewer, column) for column in columns},
                "records_by_source_status": statuses,
                "pruned_records_total": sum(sum(groups.values()) for groups in pruned.values()),
                "pruned_by_reason": pruned,
                "max_records_per_scope_kind": self.settings.max_records,
                "retention_days": self.settings.retention_days,
            }

    def export(self, *, user_id: str | None = None, session_id: str | None = None) -> tuple[Source, ...]:
        """Every active record that is visible to a user and session, oldest first."""
        viewer = self._viewer(user_id, session_id)
        with self._engine.translating_damage(), self._store.reading() as db:
            sources = tuple(table.active(db, viewer))
        self._show(sources)
        return sources

    def audit(
        self, *, user_id: str | None = None, audit_id: int | None = None, limit: int = 100
    ) -> tuple[AuditEntry, ...]:
        """The audit log of the writes, questions and deletions of a user's scoped records, latest first: ids and counts, no text."""
        with self._engine.translating_damage(), self._store.reading() as db:
            return tuple(
                table.audited(db, self._viewer(user_id, None).user_id, audit_id=audit_id, limit=limit)
            )

    # ------------------------------------------------------------ retrieve

    def retrieve(self, request: RetrieveRequest) -> Retrieval:
        """The parts of records that answer a question, best first, for the user and session that ask."""
        rules.check_request(request, RetrieveRequest)
        return self._noted(self._retrieved(request), "retrieve")

    def _retrieved(self, request: RetrieveRequest, *, trim: bool = False) -> Retrieval:
        viewer = self._viewer(request.user_id, request.session_id)
        return SourceSearch(self._engine, self.settings, request, viewer, trim=trim).run()

    def _noted(self, retrieval: Retrieval, action: str, also: Sequence[str] = ()) -> Retrieval:
        """Log a retrieval and mark its records as used, where the store can be written; returns it."""
        self._show(item.record for item in retrieval.items)
        request, now = retrieval.request, self._engine.clock()
        viewer = self._viewer(request.user_id, request.session_id)
        ids = [*dict.fromkeys([*(item.record.id for item in retrieval.items), *also])]
        details = {
            "record_ids": ids,
            "visible": retrieval.visible,
            "excluded": dict(retrieval.excluded),
            "ranking": retrieval.ranking.value,
            "model_target": str(request.model_target),
            "session_id": viewer.session_id,
        }
        try:
            with self._store.writing("touched", busy_seconds=_TOUCH_SECONDS) as db:
                table.note_use(db, ids, now=now)
                return replace(retrieval, audit_id=table.audit(db, action, viewer.user_id, details, at=now))
        except CannotWrite:
            return retrieval

    # ------------------------------------------------------------ assemble

    def assemble(
        self, request: AssembleRequest, *, action: str = "assemble", also: Sequence[str] = ()
    ) -> Assembly:
        """Assemble the results of a question into one text, in the sections of a mode, of at most
        `token_budget` tokens with its frame.

        Items are taken in their order; one without room is cut to its most telling sentences, or left out where none has
        room, and near duplicates of a shown one are left out. `action` is the action in the log, `also` are ids of records
        that are returned beside the text.
        """
        rules.check_request(request, AssembleRequest)
        mode = member(AssemblyMode, request.assembly_mode or AssemblyMode.ASSISTANT)
        limit = Budget(request.token_budget, member(Tokenizer, request.tokenizer))
        check_limits("", limit)
        request = replace(request, assembly_mode=mode)
        retrieval = self._noted(self._retrieved(request, trim=True), action, also)
        count = tokens.counter_of_like_texts(limit.tokenizer)
        distinct, duplicates = ranking.without_near_duplicates(retrieval.items)
        texts = self._store.chunks([item.chunk_id for item in distinct])
        chosen, text, used, left = fitted(mode, distinct, limit.limit, count, cuts(request.query_text, texts))
        reasons = {LeftOut.DUPLICATE: duplicates, LeftOut.BUDGET: left, LeftOut.LOW_SCORE: retrieval.low}
        left_out = tuple((item, reason) for reason, items in reasons.items() for item in items)
        return Assembly(
            request, text, used, in_sections(mode, chosen), left_out, retrieval, retrieval.audit_id
        )


def _active(versions: Sequence[Source]) -> Source | None:
    return next((item for item in reversed(versions) if item.source_status is SourceStatus.ACTIVE), None)
