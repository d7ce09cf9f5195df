"""Forgetting and redacting: values go out of tables, history, index, vectors and log; a hash of the key
stays, to say that it went.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from daypack.doors.memories import rules, table
from daypack.doors.memories.space import MemorySpace, Names
from daypack.doors.memories.types import GoneState, Receipt
from daypack.errors import InputError, NotFound
from daypack.guard.secrets import redact
from daypack.index import lexical as lexical_index
from daypack.index import spaces
from daypack.index import vectors as vector_index
from daypack.index.spaces import DOOR
from daypack.types import Trust

if TYPE_CHECKING:
    import apsw

    from daypack.index.spaces import Space


class MemoryForgetting(MemorySpace):
    """Verbs that remove."""

    def forget(
        self,
        key: str = "",
        *,
        tag: str = "",
        source: str = "",
        everything: bool = False,
        shared: bool = False,
    ) -> Receipt:
        """Remove a key, whatever carries a tag, whatever comes from a source, or everything of this owner and
        project.

        All versions go, out of tables, index, vectors and log; a hash of each key stays, so that `recall` can
        say that it was forgotten, and an import does not bring it back. Raises NotFound when there is nothing
        of that sort.
        """
        if sum(map(bool, (key, tag, source, everything))) != 1:
            raise InputError("say what to forget: a key, a tag, a source, or everything; one of them")

        def chosen(db: apsw.Connection, space: Space) -> Names:
            if key:
                return [name] if table.find(db, space, name := self.checked_key(key)) else []
            if tag:
                return table.keys_with_tag(db, space, rules.check_tags([tag])[0])
            return (
                table.keys_of_source(db, space, rules.check_label("source", source))
                if source
                else table.keys(db, space)
            )

        return self._forgotten(
            chosen,
            GoneState.FORGOTTEN,
            "",
            shared=shared,
            what=key or tag or source or "any memory",
            drop=everything,
        )

    def redact(self, key: str, *, reason: str = "", shared: bool = False) -> Receipt:
        """Remove a key as `forget` does, and refuse it from then on. Raises NotFound."""
        name = self.checked_key(key)
        why = redact(rules.check_label("reason", reason)).text

        def chosen(db: apsw.Connection, space: Space) -> Names:
            return [name] if table.find(db, space, name) else []

        return self._forgotten(chosen, GoneState.REDACTED, why, shared=shared, what=name)

    def _forgotten(
        self,
        chosen: Callable[[apsw.Connection, Space], Names],
        state: GoneState,
        reason: str,
        *,
        shared: bool,
        what: str,
        drop: bool = False,
    ) -> Receipt:
        now = self._engine.clock()
        with self._engine.careful():
            with self.store.writing() as db:
                space = self.find_space(db, shared=shared)
                names = chosen(db, space) if space is not None else []
                if space is None or not names:
                    raise NotFound(what, "there is nothing to forget")
                receipt = self.remove(db, space, names, state, reason, now)
                if drop:
                    spaces.drop_space(db, space)
                self.store.owe_purge(db)
            files = self.files.write_shared(names, gone=True) if shared else []
            copies = ["the history of git, and other people's copies of these files"] if files else []
            return replace(
                receipt,
                files=tuple(files),
                log_emptied=self.store.purge(),
                may_still_hold=(*receipt.may_still_hold, *copies, *self._backups()),
            )

    def remove(
        self,
        db: apsw.Connection,
        space: Space,
        names: Sequence[str],
        state: GoneState,
        reason: str,
        now: float,
    ) -> Receipt:
        scope = spaces.scope_of(space.owner, space.project)
        versions = chunks = 0
        hashes: set[bytes] = set()
        files: set[str] = set()
        for name in names:
            row = table.find(db, space, name)
            assert row is not None
            chunks += len(found := self.store.embed_hashes_of(db, DOOR, scope, name))
            hashes.update(found)
            files.update(v.source.removeprefix("file:") for v in row.versions if v.source.startswith("file:"))
            versions += table.delete_versions(db, row)
            mark = rules.mark_of(space.owner, space.project, name)
            table.note_gone(db, mark, rules.mark_of(space.owner, space.project), state, at=now, reason=reason)
            self.audit(
                db, "redact" if state is GoneState.REDACTED else "forget", space, name, Trust.USER, now
            )
        self.store.remove_records(db, DOOR, scope, names)
        vectors = vector_index.drop_orphans(db, hashes)
        # Not of these alone: older versions lie under tombs as well, and nothing says any more which of them
        # were theirs.
        postings = lexical_index.scrub(db)
        return Receipt(
            state, now, tuple(names), versions, chunks, vectors, postings, may_still_hold=tuple(sorted(files))
        )

    def _backups(self) -> Names:
        """Copies of the store, which are not looked into."""
        folder = self.store.folder / "backup"
        return [f"backup/{path.name}" for path in sorted(folder.glob("*.db"))] if folder.is_dir() else []
