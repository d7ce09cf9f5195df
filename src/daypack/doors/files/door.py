"""The files door: folders and files of a disk, kept in step with it.

    add        walk the named paths, read new and changed files, remove vanished ones
    refresh    compare all known times; read changed files, and walk changed folders again

A refresh without changes costs one stat a file and folder, and reads and writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from daypack.doors.files import claims
from daypack.doors.files import table as walks
from daypack.doors.files.freshness import Freshness, changes, is_gone, may_be_read, mtime_of
from daypack.doors.files.reading import FileReader
from daypack.doors.files.roots import belongs, bounds_of, forget, is_moved, is_refused, root_name, walk_of
from daypack.doors.reading import attributes
from daypack.doors.reading.walk import DEFAULT, Walk, WalkRules, walk, why
from daypack.engine.engine import Engine
from daypack.errors import BadRecord, FilesElsewhere, NotFound
from daypack.guard.arguments import checked
from daypack.guard.paths import check_present, path_of, uid_of
from daypack.ports import FILES as DOOR
from daypack.settings.places import is_root_of, keep_root
from daypack.system import path_named
from daypack.text.storable import bytes_of
from daypack.types import IngestIssue, IngestReport, SkipReason

# Each of so many changed files is walked by itself, which costs as much as a hundred files of a walk.
FEW_FILES = 20
_NEVER = -2  # an impossible modification time


@checked
class FilesDoor:
    """Files below the folder `self.root`, with uids relative to it, and files elsewhere, with absolute uids.

    Its roots are the added folders and files, named like uids, and "." for `self.root` itself.
    """

    def __init__(self, engine: Engine, root: Path, *, rules: WalkRules = DEFAULT) -> None:
        self._engine = engine
        self._store = engine.store
        self.root = Path(os.path.realpath(root))
        self._base = str(self.root)
        self.rules = rules.without(self._store.place)
        place = Path(self.rules.store)
        self._inside = place if self.rules.store and place.is_relative_to(self.root) else None

    # ------------------------------------------------------------ add

    def add(self, *paths: Path | str, progress: Callable[[int, int], None] | None = None) -> IngestReport:
        """Index files and folders, and remember them for later refreshes.

        Raises PathNotFound, PathUnreadable and FilesElsewhere before anything is read.
        """
        targets = [self._resolved(path) for path in paths]
        report = IngestReport()
        with self._engine.translating_damage(), claims.adding(self._store.place):
            for target in targets:
                self._check_follows(self._root_name(target))
            for target in targets:
                root, place = self._root_name(target), self._store.place
                if isinstance(place, Path) and not root.startswith("/"):
                    keep_root(place, self.root)
                report += self._sync(root, keep=True, progress=progress)
        return report

    def add_text(self, text: str, *, name: str = "stdin") -> IngestReport:
        """Index a text without a file, such as standard input; the same name again replaces it."""
        if not name or not name.isprintable():
            raise BadRecord("name", "must be printable, on one line and not empty")
        from daypack.doors.reading.formats import record_from_bytes
        from daypack.guard.secrets import refuse_secret

        refuse_secret("name", name)
        record = record_from_bytes(bytes_of(text), uid=name)
        if isinstance(record, IngestIssue):
            return IngestReport(issues=(record,))
        return self._engine.ingestion.add(
            [
                replace(
                    record,
                    door="text",
                    time=self._engine.clock(),
                    size=0,
                    mtime_ns=0,
                    trust=self._engine.writer.bound(record.trust),
                )
            ]
        )

    def remove(self, root: str) -> int:
        """Forget a root, and erase its files from the store, except those of other roots; returns their number. The disk
        stays as it is. Raises NotFound.
        """
        with self._engine.translating_damage():
            return forget(self._engine, root)

    def remove_texts(self, names: Sequence[str]) -> int:
        """Erase texts that `add_text` indexed, by name; returns their number. When one name is unknown, it erases none and
        raises NotFound.
        """
        for name in names:
            if self._store.stored_record("text", "", name) is None:
                raise NotFound(
                    f"no text named {name!r}",
                    "`daypack remove` takes a folder or file that `daypack status` lists as added, or a name that `daypack add - --name` gave; a deleted file goes with the next question",
                )
        with self._engine.translating_damage():
            return self._engine.ingestion.erase("text", "", names)

    def _resolved(self, path: Path | str) -> Path:
        target = Path(os.path.abspath(path_named(path)))
        check_present(target, path)
        return target

    def _root_name(self, target: Path) -> str:
        return root_name(target, self.root)

    # ------------------------------------------------------------ refresh

    def roots(self) -> list[str]:
        return [path for path, _ in walks.roots(self._store)]

    def listing(self) -> list[walks.ListedFile]:
        """The stored files by name, with their tokens and sizes."""
        with self._engine.translating_damage(), self._store.reading() as db:
            return walks.listing(db, self._engine.visibility.visible(db))

    def skipped(self) -> list[IngestIssue]:
        """The files that the last walks did not read, by name, with the reasons."""
        with self._engine.translating_damage():
            return walks.skipped(self._store)

    def covers(self, folder: Path) -> bool:
        """True when a root is this folder, or one above it."""
        wanted = self._root_name(folder)
        return any(
            root in (".", wanted) or wanted.startswith(root.rstrip("/") + "/") for root in self.roots()
        )

    def check(self) -> dict[str, Freshness]:
        """Root → what changed on disk since the last walk. A root that the store did not read in this place is left as it is."""
        if not (roots := self.roots()):
            return {}
        times, places = walks.times(self._store), walks.places(self._store)
        return {root: self._check_root(root, times, places.get(root)) for root in roots}

    def _check_root(self, root: str, times: list[tuple[str, int, int]], place: str | None) -> Freshness:
        texts = [known for known in times if belongs(known[0], root)]
        unfit = [(uid, *file.stamp) for uid, file in walks.unfit(self._store, root).items()]
        gone, changed = changes(self._base, [*texts, *unfit])
        if not self._follows(root, place, gone, len(texts) + len(unfit)):
            return Freshness(unchecked=len(texts), elsewhere=True)
        unopened, limit = walks.unopened(self._store, root), self.rules.limit
        opened = [issue.uri for issue in unopened if may_be_read(self._base, issue, limit)]
        changed += [uid for uid in opened if not uid.endswith("/")]
        folders = walks.folders(self._store, root)  # of `place`, which may still stand as they were read
        return Freshness(
            tuple(changed),
            place != str(self._target(root))
            or any(uid.endswith("/") for uid in opened)
            or any(mtime_of(path) != mtime_ns for path, mtime_ns in folders.items()),
            missing=not os.path.lexists(self._target(root)),
            adding=_NEVER in folders.values() and claims.is_adding(self._store.place),
        )

    def _follows(self, root: str, place: str | None, gone: int, known: int) -> bool:
        """True when files of a root that was read in `place` may change and go with those on this disk: the store read
        them here, or its folder moved with most of them. Otherwise their absence says nothing. Two checkouts may ask a
        server at once, so there only `add` moves a root: each would get files of the other.
        """
        if self._is_moved(root):
            return False
        if place == str(self._target(root)):
            return True
        store = self._store.place
        if place is not None and not isinstance(store, Path):
            return False
        if isinstance(store, Path) and not root.startswith("/") and not is_root_of(store, self.root):
            return False  # `self.root` is only the working folder
        return 2 * gone <= known

    def _is_moved(self, root: str) -> bool:
        return not root.startswith("/") and is_moved(self.root, self._inside)

    def _check_follows(self, root: str) -> None:
        """Raise FilesElsewhere when an `add` of this root would drop most of the files that the store holds there."""
        places = walks.places(self._store)
        if any(places.get(one) == str(self._target(one)) for one in self.roots() if belongs(root, one)):
            return
        known = [known for known in walks.times(self._store) if belongs(known[0], root)]
        gone, _ = changes(self._base, known)
        if 2 * gone > len(known):
            raise FilesElsewhere(self._store.name, root, str(self._target(root)), len(known))

    def _target(self, root: str) -> Path:
        return path_of(self.root, root) if root != "." else self.root

    def refresh(
        self,
        seen: Mapping[str, Freshness] | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> IngestReport:
        """Bring the store in step with the disk. Without changes nothing is written.

        `seen` is a result of `check`: only roots that changed are read, and of a root in which only a few files changed,
        only these.
        """
        report = IngestReport()
        if seen is None:
            for root in self._roots_here():
                report += self._sync(root, keep=False, progress=progress)
            return report
        for root, freshness in seen.items():
            if freshness.fresh or freshness.adding:
                continue
            is_few = len(freshness.changed) <= FEW_FILES and not freshness.folders
            changed = freshness.changed if is_few and not root.startswith("/") else ()
            report += self._sync(root, keep=False, progress=progress, changed=changed)
        return report

    def read_again(self, *, progress: Callable[[int, int], None] | None = None) -> IngestReport:
        """Read every file of the roots that are on this disk, as a new store would, whether it changed or not."""
        report = IngestReport()
        with self._engine.translating_damage():
            for root in self._roots_here():
                if os.path.lexists(self._target(root)):
                    report += self._sync(root, keep=False, progress=progress, anew=True)
        return report

    def _roots_here(self) -> list[str]:
        return [root for root, freshness in self.check().items() if not freshness.elsewhere]

    # ------------------------------------------------------------ one root

    def _sync(
        self,
        root: str,
        *,
        keep: bool,
        progress: Callable[[int, int], None] | None,
        changed: Sequence[str] = (),
        anew: bool = False,
    ) -> IngestReport:
        """Bring the store in step with a root: walk it, or read only its `changed` files. With `keep` the root is kept for
        later refreshes; with `anew` unchanged files are read as well.
        """
        target = self._target(root)
        within = self._store.stored(DOOR, *bounds_of(root))
        stored = {uid: item for uid, item in within.items() if belongs(uid, root)}
        if keep and root not in self.roots():
            self._announce(root, target)
        changed = self._to_read(root, changed) if os.path.lexists(target) else ()
        seen = self._walk_of(changed, root) if changed else walk_of(target, self.root, self.rules)
        reader = FileReader(
            {self._uid(seen, file.uid): file for file in seen.files},
            attributes.Attributes(seen.root),
            self.rules,
            stored={} if anew else stored,
            purposes=walks.purposes(self._store, *bounds_of(root)),
            unfit={} if anew else walks.unfit(self._store, root),
        )
        reader.issues += [issue._replace(uri=self._uid(seen, issue.uri)) for issue in seen.issues]
        expected = sum(file.size for uid, file in reader.files.items() if anew or uid not in stored)
        report = self._engine.ingestion.add(reader.records(progress), expected=expected)
        if self._is_moved(root):  # meanwhile, so that a file which was not found may be in the moved folder
            return report
        checked = [uid for uid in changed if uid in stored] if changed else [*stored]
        removed = self._engine.ingestion.remove(DOOR, "", self._gone(root, checked, reader))
        if changed:
            self._note_changed(root, changed, reader.issues, reader.times)
        elif keep and is_refused(seen):
            walks.forget_root(self._store, root)
        else:
            self._note(root, target, seen, reader.issues, reader.times, keep=keep)
        if report.added or report.updated:
            self._engine.records_added(DOOR)
        return report._replace(
            unchanged=report.unchanged + reader.unchanged + len(stored) - len(checked),
            removed=removed,
            issues=tuple(reader.issues),
        )

    def _to_read(self, root: str, changed: Sequence[str]) -> Sequence[str]:
        """The files to read of a root with `changed` files; none when the whole root must be walked."""
        if not changed:
            return ()
        again = [
            issue.uri
            for issue in walks.skipped_of(self._store, root)
            if issue.reason is SkipReason.CHANGED_WHILE_READING
        ]
        files = [*dict.fromkeys([*changed, *again])]
        # A folder may be in the place of a root that was a file, and `.gitattributes` speaks of files that did not change.
        whole = any(uid == root or uid.rpartition("/")[2] == attributes.FILE_NAME for uid in files)
        return () if whole else files

    def _gone(self, root: str, looked: Sequence[str], reader: FileReader) -> list[str]:
        """The uids of `looked` that a root no longer has, or that cannot be read any more."""
        kept_old = {issue.uri for issue in reader.issues if issue.reason is SkipReason.CHANGED_WHILE_READING}
        unreadable = {issue.uri for issue in reader.issues} & reader.files.keys()
        return [
            uid
            for uid in looked
            if (uid not in reader.files or uid in unreadable)
            and uid not in kept_old
            and not self._elsewhere(uid, root)
        ]

    def _announce(self, root: str, target: Path) -> None:
        """Note a root before it is read, with an impossible time, so that a refresh completes it after an interrupt."""
        with self._store.writing("noted") as db:
            walks.note_root(db, root, "folder" if target.is_dir() else "file", now=self._engine.clock())
            walks.note_walk(db, root, {uid_of(str(target)): _NEVER}, (), {})

    def _elsewhere(self, uid: str, root: str) -> bool:
        """True when another root holds the same file: a file that leaves one root may stay in another."""
        return any(
            other != root
            and other != "."
            and len(other) > len(root)
            and belongs(uid, other)
            and not is_gone(path_of(self.root, uid))
            for other in self.roots()
        )

    def _walk_of(self, uids: Sequence[str], root: str) -> Walk:
        """A walk of those of these files that are there, each judged as in a walk of their root."""
        whole = Walk(self.root)
        for uid in uids:
            if is_gone(path := path_of(self.root, uid)):
                continue
            walked = walk(self.root, start=path, rules=self.rules, named=uid == root)
            whole.files += walked.files
            whole.issues += walked.issues
        return whole

    def _uid(self, seen: Walk, name: str) -> str:
        """The uid of a file that a walk names relative to its own root."""
        return name if seen.root == self.root else uid_of(f"{seen.root.as_posix()}/") + name

    def _note(
        self,
        root: str,
        target: Path,
        seen: Walk,
        issues: Sequence[IngestIssue],
        times: dict[str, tuple[int, int]],
        *,
        keep: bool,
    ) -> None:
        """Note a walk of a root, if it differs from the last one; with `keep` the root as well."""
        folders = {str(folder.path): folder.mtime_ns for folder in seen.folders}
        folders.update({str(path): mtime_ns for path, mtime_ns in seen.ignore_files})
        folders = {uid_of(path): mtime_ns for path, mtime_ns in folders.items()}
        if not seen.files:  # nothing else tells that a file is at this path again
            folders.setdefault(place := uid_of(str(target)), mtime_of(place))
        known = {issue.uri: issue for issue in walks.skipped_of(self._store, root)}
        same = (
            walks.folders(self._store, root) == folders
            and known == {issue.uri: issue for issue in issues}
            and {uid: file.stamp for uid, file in walks.unfit(self._store, root).items()} == times
            and walks.places(self._store).get(root) == str(target)
            and (not keep or root in self.roots())
        )
        if same:
            return
        with self._store.writing("noted") as db:
            if keep:
                walks.note_root(db, root, "folder" if target.is_dir() else "file", now=self._engine.clock())
            walks.note_walk(db, root, folders, issues, times)
            walks.note_place(db, root, str(target))

    def _note_changed(
        self,
        root: str,
        changed: Sequence[str],
        issues: Sequence[IngestIssue],
        times: Mapping[str, tuple[int, int]],
    ) -> None:
        """Note the issues of these files; those of others stay."""
        before = walks.skipped_of(self._store, root)
        after = [*(issue for issue in before if issue.uri not in changed), *issues]
        unfit = {uid: file.stamp for uid, file in walks.unfit(self._store, root).items()}
        noted = {uid: stamp for uid, stamp in unfit.items() if uid not in changed} | dict(times)
        same = {issue.uri: issue for issue in after} == {issue.uri: issue for issue in before}
        if same and noted == unfit:
            return
        with self._store.writing("noted") as db:
            walks.note_walk(db, root, walks.folders(self._store, root), after, noted)

    # ------------------------------------------------------------ questions

    def watch(self, *paths: Path | str, note: Callable[[str], None]) -> Iterator[IngestReport]:
        """Keep the roots of these paths in step with the disk, without end; yields a report for each change. `note` prints
        lines about the watch itself. Raises NotFound when `self.root` is moved or deleted; the store keeps its texts.
        """
        from daypack.doors.files.watching import watched

        names = [self.name_of(path) for path in paths]

        def look() -> IngestReport:
            if any(map(self._is_moved, names)):
                raise NotFound(
                    f"the watched folder {self.root} was moved or deleted",
                    "the store keeps its texts; run `daypack add --watch` where the folder is now",
                )
            return self.refresh(
                {name: freshness for name, freshness in self.check().items() if name in names}
            )

        places = {name: self._target(name) for name in names}
        yield from watched(places, look, store=self._store.folder, note=note)

    def name_of(self, path: Path | str) -> str:
        """The uri that a file has, or would have, in the store; it may be gone from the disk."""
        return self._root_name(Path(os.path.abspath(path_named(path))))

    def why(self, path: Path | str) -> IngestIssue | None:
        """The reason why a file is not indexed; None when it is, or would be at the next add."""
        target = self._resolved(path)
        uid = self._root_name(target)
        named = uid in self.roots()
        for issue in walks.skipped_of(self._store, uid) if named else walks.skipped(self._store):
            if issue.uri == uid and issue.reason not in (SkipReason.IGNORED, SkipReason.HIDDEN):
                return issue
        root = self.root if target.is_relative_to(self.root) else target.parent
        return why(root, target, rules=self.rules, named=named)

    def encoding_of(self, path: Path | str) -> str:
        """The encoding in which a stored file was read; "" for UTF-8, and for a file that is not stored."""
        return walks.encoding(self._store, self.name_of(path))

    def below(self, folder: Path | str) -> tuple[int, list[IngestIssue]]:
        """The number of stored files in a folder, and the entries in it that the last walks skipped."""
        name = self.name_of(folder)
        inside = "" if name == "." else name.rstrip("/") + "/"
        files = sum(file.uri.startswith(inside) for file in self.listing())
        return files, [issue for issue in self.skipped() if issue.uri.startswith(inside)]
