"""Memories in files: exports, folders of Markdown notes, and a project's memories shared by git.

    export          one JSON line a version, sorted; importing it writes nothing that is there already
    Markdown        CLAUDE.md, MEMORY.md and notes with front matter; read again when they change
    .daypack/memory one file a first part of a key, one fact a line: what the project shares, merged by git line by line

A line says everything about a version, its token included, so two copies of a line are one version, and two
versions that were written apart stay two after a merge: the later one holds, the history shows both as in
conflict.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from daypack.doors.memories import rules, table
from daypack.doors.memories.types import GoneState, ImportReport, MemoryVersion, Verdict
from daypack.errors import DaypackError, InputError, StoreBusy, StoreReadOnly
from daypack.guard.secrets import redact
from daypack.types import SHARED, IngestIssue, SkipReason, Trust

if TYPE_CHECKING:
    import apsw

    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.memories.table import Row
from daypack.index.spaces import Space

SHARED_FOLDER = "memory"  # in the store's folder; where it is, the project's shared memories live in it
GONE_FILE = "_gone.jsonl"
BATCH = 2_000  # lines a transaction
LARGEST_NOTE = 1 << 20  # bytes of a Markdown file
MOST_NOTES = 5_000

# ---------------------------------------------------------------- lines


def line_of(key: str, version: MemoryVersion) -> str:
    """A version as one line of JSON; what is as usual is left out."""
    usual = MemoryVersion(token="", value=None, recorded_at=0, valid_from=0)
    facts: dict[str, Any] = {
        "key": key,
        "value": version.value,
        "recorded_at": version.recorded_at,
        "version": version.token,
    }
    for name in (
        "valid_from",
        "valid_to",
        "expires_at",
        "tags",
        "links",
        "source",
        "author",
        "session",
        "parent",
        "reviewed_at",
    ):
        value = getattr(version, name)
        if value != (version.recorded_at if name == "valid_from" else getattr(usual, name)):
            facts[name] = list(value) if isinstance(value, tuple) else value
    if version.trust is not Trust.USER:
        facts["trust"] = version.trust.value
    if version.verdict is not None:
        facts["verdict"] = version.verdict.value
    return _dumped(facts)


def _dumped(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, sort_keys=True)


def version_from(facts: Mapping[str, Any]) -> tuple[str, MemoryVersion]:
    """What a line says. Raises InputError."""
    key = rules.check_key(facts.get("key"))
    value = facts.get("value")
    recorded = rules.check_moment("recorded_at", facts.get("recorded_at"))
    if recorded is None:
        raise InputError("recorded_at is missing")
    start = rules.check_moment("valid_from", facts.get("valid_from"))
    labels = [
        redact(rules.check_label(name, facts.get(name, ""))).text
        for name in ("source", "author", "session", "parent")
    ]
    try:
        trust = Trust(facts.get("trust", Trust.USER))
        verdict = Verdict(facts["verdict"]) if facts.get("verdict") else None
    except ValueError as error:
        raise InputError(str(error)) from None
    links = facts.get("links", [])
    if not isinstance(links, list) or not all(isinstance(link, str) for link in links):
        raise InputError("links must be a list of strings")
    version = MemoryVersion(
        token="",
        value=None if value is None else redact(rules.check_value(value)).text,
        recorded_at=recorded,
        valid_from=recorded if start is None else start,
        valid_to=rules.check_moment("valid_to", facts.get("valid_to")),
        expires_at=rules.check_moment("expires_at", facts.get("expires_at")),
        tags=rules.check_tags(facts.get("tags", ())),
        links=tuple(links),
        source=labels[0],
        author=labels[1],
        session=labels[2],
        trust=trust,
        parent=labels[3],
        verdict=verdict,
        reviewed_at=rules.check_moment("reviewed_at", facts.get("reviewed_at")),
    )
    return key, replace(version, token=rules.token_of(key, version))


# ---------------------------------------------------------------- Markdown


@dataclass(frozen=True, slots=True)
class Note:
    """One memory of a Markdown file."""

    key: str
    value: str
    tags: tuple[str, ...] = ()


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"(\s*)([A-Za-z_][\w-]*):[ \t]*(.*)")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def notes_in(text: str, base: str) -> list[Note]:
    """The memories of a Markdown file called `base`.

    One with front matter is one memory, under its `name`; `tags` and `type` become tags. Any other is one a
    heading.
    """
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    match = _FRONT_MATTER.match(text)
    if match:
        fields = _fields(match[1])
        body = text[match.end() :].strip()
        description = " ".join(fields.get("description", []))
        value = f"{description}\n\n{body}".strip() if description and description not in body else body
        folder, _, last = base.rpartition("/")
        name = _slug(" ".join(fields.get("name", []))) or last
        kinds = [*fields.get("tags", []), *fields.get("type", [])]
        tags = tuple(sorted({tag.lstrip("#").strip() for tag in kinds} - {""}))
        return [Note(f"{folder}/{name}" if folder else name, value, tags)] if value else []
    found: dict[str, Note] = {}
    for heading, body in _sections(text):
        key = f"{base}/{heading}" if heading else base
        number = 2
        while key in found:
            key, number = f"{base}/{heading}-{number}", number + 1
        found[key] = Note(key, body)
    return [*found.values()]


def _fields(block: str) -> dict[str, list[str]]:
    """The simple part of YAML: `name: words`, `tags: [a, b]`, and lists of `- item` below a name."""
    fields: dict[str, list[str]] = {}
    name = ""
    for line in block.split("\n"):
        match = _FIELD.fullmatch(line)
        if match:
            name, value = match[2].lower(), match[3].strip()
            inner = value[1:-1].split(",") if value.startswith("[") and value.endswith("]") else [value]
            fields[name] = [item for part in inner if (item := part.strip().strip("\"'").strip())]
        elif line.strip().startswith("- ") and name:
            fields[name].append(line.strip()[2:].strip().strip("\"'"))
    return fields


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """(path of headings as a slug, text below it) of what has text."""
    trail: list[tuple[int, str]] = []
    lines: list[str] = []
    fence = ""

    def done() -> Iterator[tuple[str, str]]:
        body = "\n".join(lines).strip()
        if body:
            # The title of the file says no more than its name.
            yield "/".join(slug for level, slug in trail if level > 1 or len(trail) == 1), body

    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = _HEADING.fullmatch(line) if not fence else None
        if heading is None:
            lines.append(line)
            continue
        yield from done()
        lines = []
        level = len(heading[1])
        trail = [(at, slug) for at, slug in trail if at < level]
        trail.append((level, _slug(heading[2]) or "section"))
    yield from done()


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", text.lower()))[:80]


# ---------------------------------------------------------------- the door's files


class MemoryFiles:
    """Export, import and what is shared, for one door."""

    def __init__(self, door: MemoriesDoor) -> None:
        self._door = door
        self._busy = False  # while files are read: reading is what may lead to reading

    # ------------------------------------------------------------ export

    def export(self, *, shared: bool = False) -> Iterator[str]:
        """Every version of every key as lines of JSON, sorted by key, in the order in which they were
        recorded; no line end.
        """
        door = self._door
        with door.store.reading() as db:
            space = door.find_space(db, shared=shared)
            if space is None:
                return
            for row in table.all_rows(db, space):
                yield _dumped(
                    {
                        "key": row.key,
                        "created_at": row.created_at,
                        "accessed_at": row.accessed_at,
                        "recalls": row.recalls,
                    }
                )
                yield from (line_of(row.key, version) for version in row.versions)
            for mark, state, at, reason in table.gone_of(db, rules.mark_of(space.owner, space.project)):
                yield _dumped({"gone": mark.hex(), "state": state, "at": at, "reason": reason})

    # ------------------------------------------------------------ import

    def import_lines(self, lines: Iterable[str], *, shared: bool = False, name: str = "") -> ImportReport:
        """Bring in what `export` wrote.

        What is there already writes nothing; what was forgotten here stays forgotten.
        """
        report = ImportReport()
        batch: list[tuple[int, str]] = []
        for number, line in enumerate(lines, 1):
            if line.strip():
                batch.append((number, line))
            if len(batch) >= BATCH:
                report += self._import_batch(batch, shared=shared, name=name)
                batch = []
        return report + self._import_batch(batch, shared=shared, name=name) if batch else report

    def _import_batch(self, batch: Sequence[tuple[int, str]], *, shared: bool, name: str) -> ImportReport:
        door = self._door
        with door.store.writing() as db:
            return self._import_into(db, door.make_space(db, shared=shared), batch, name)

    def _import_into(
        self, db: apsw.Connection, space: Space, batch: Sequence[tuple[int, str]], name: str
    ) -> ImportReport:
        from daypack.doors.memories.space import Pending

        door, now = self._door, self._door.clock()
        report, issues = ImportReport(), []
        touched: dict[str, Row] = {}
        for number, line in batch:
            try:
                facts = json.loads(line)
                if not isinstance(facts, dict):
                    raise InputError("a line must be an object")
                if "gone" in facts:
                    report += self._gone_from(db, space, facts)
                    continue
                if "recorded_at" not in facts and "value" not in facts:
                    self._use_from(db, space, facts)
                    continue
                if "recorded_at" not in facts:  # written by hand
                    facts = {**facts, "recorded_at": now}
                key, version = version_from(facts)
            except (ValueError, RecursionError, DaypackError) as error:
                issues.append(IngestIssue(f"{name}:{number}", SkipReason.UNREADABLE, str(error)))
                continue
            gone = table.find_gone(db, rules.mark_of(space.owner, space.project, key), key)
            if gone is not None and (gone.state is GoneState.REDACTED or version.recorded_at <= gone.at):
                report = replace(report, refused=report.refused + 1)
                continue
            row = touched.get(key) or table.find(db, space, key)
            known = rules.head(row.versions) if row is not None else None
            by_hand = "version" not in facts and known is not None
            if (
                by_hand
                and known is not None
                and rules.same_statement(known, version, moment=rules.moment_of([known], now))
            ):
                report = replace(report, unchanged=report.unchanged + 1)
                continue
            if row is None:
                row = table.make(db, space, key, now=version.recorded_at)
            added = bool(table.add_version(db, row.id, version))
            if added:
                touched[key] = row
            elif version.verdict is not None and version.reviewed_at is not None:
                table.note_verdict(db, row.id, version.token, version.verdict, now=version.reviewed_at)
                touched[key] = row
            report = replace(report, added=report.added + added, unchanged=report.unchanged + (not added))
        pending = Pending()
        for key, row in touched.items():
            door.settled(db, row, now, pending)
            door.audit(db, "import", space, key, Trust.USER, now)
        if touched:
            door.carry_out(db, pending)
        # Uses come behind the first line of their key only when the key is there.
        return replace(report, issues=(*report.issues, *issues))

    def _use_from(self, db: apsw.Connection, space: Space, facts: Mapping[str, Any]) -> None:
        key = rules.check_key(facts.get("key"))
        created = rules.check_moment("created_at", facts.get("created_at"))
        accessed = rules.check_moment("accessed_at", facts.get("accessed_at"))
        recalls = facts.get("recalls", 0)
        if (
            created is None
            or isinstance(recalls, bool)
            or not isinstance(recalls, int)
            or not 0 <= recalls < 1 << 62
        ):
            raise InputError("created_at and recalls must be numbers")
        if table.find_gone(db, rules.mark_of(space.owner, space.project, key), key) is not None:
            return
        row = table.find(db, space, key) or table.make(db, space, key, now=created)
        table.note_use(db, row.id, created_at=created, accessed_at=accessed, recalls=recalls)

    def _gone_from(self, db: apsw.Connection, space: Space, facts: Mapping[str, Any]) -> ImportReport:
        """Forget here what was forgotten there."""
        at = rules.check_moment("at", facts.get("at"))
        reason = redact(rules.check_label("reason", facts.get("reason", ""))).text
        mark, state = bytes.fromhex(str(facts["gone"])), GoneState(facts.get("state", GoneState.FORGOTTEN))
        if at is None or len(mark) != 16:
            raise InputError("a line about what is gone needs its hash and its date")
        where = rules.mark_of(space.owner, space.project)
        known = {row[0] for row in table.gone_of(db, where)}
        victims = [
            key for key in table.keys(db, space) if rules.mark_of(space.owner, space.project, key) == mark
        ]
        for key in victims:
            row = table.find(db, space, key)
            if (
                row is not None
                and row.versions
                and row.versions[-1].recorded_at > at
                and state is GoneState.FORGOTTEN
            ):
                return ImportReport(unchanged=1)  # written again since
            self._door.remove(db, space, [key], state, reason, at)
        if mark in known:
            return ImportReport(unchanged=1)
        table.note_gone(db, mark, where, state, at=at, reason=reason)
        return ImportReport(added=1)

    # ------------------------------------------------------------ Markdown

    def import_markdown(self, path: Path | str, *, prefix: str = "") -> ImportReport:
        """Read a Markdown file, or those of a folder, and remember where: they are read again when they
        change.

        Keys are the paths of the files and their headings, below `prefix`. What vanishes from a file is
        ended, not forgotten.
        """
        root = Path(os.path.realpath(Path(path).expanduser()))
        if not root.exists():
            raise InputError(f"{path} does not exist")
        if prefix:
            rules.check_key(prefix)
        with self._door.store.writing() as db:
            space = self._door.make_space(db, shared=False)
            for path_before, kind in table.sources_like(db, space, "notes:"):
                # its memories move below the new prefix
                if path_before == str(root) and kind != f"notes:{prefix}":
                    table.drop_source(db, space, path_before, kind)
                    for name in table.sources(db, space, _notes_of(root)):
                        table.drop_source(db, space, name, _notes_of(root))
            table.note_source(db, space, str(root), f"notes:{prefix}", mtime_ns=0, size=0)
        return self._read_notes(space, root, prefix)

    def _read_notes(self, space: Space, root: Path, prefix: str) -> ImportReport:
        door, kind = self._door, _notes_of(root)
        with door.store.reading() as db:
            known = table.sources(db, space, kind)
        files = {str(path): path.stat() for path in _markdown_files(root)}
        changed = [
            name for name, status in files.items() if known.get(name) != (status.st_mtime_ns, status.st_size)
        ]
        vanished = [name for name in known if name not in files]
        report = ImportReport()
        for name in [*changed, *vanished]:
            issues: list[IngestIssue] = []
            notes: list[Note] = []
            if name in files:
                base = (
                    Path(name).relative_to(root).with_suffix("").as_posix()
                    if Path(name) != root
                    else Path(name).stem
                )
                notes = _read(Path(name), f"{prefix}/{base}" if prefix else base, issues)
            if not issues:
                report += self._write_notes(space, kind, name, notes, files.get(name))
            report += ImportReport(issues=tuple(issues))
        return report

    def _write_notes(
        self, space: Space, kind: str, name: str, notes: Sequence[Note], status: os.stat_result | None
    ) -> ImportReport:
        from daypack.doors.memories.space import Pending

        door, now, source = self._door, self._door.clock(), f"file:{name}"[:512]
        report, issues, pending = ImportReport(), [], Pending()
        with door.store.writing() as db:
            before = set(table.keys_of_source(db, space, source))
            for note in notes:
                try:
                    key = door.checked_key(note.key)
                    statement, _ = door.statement(note.value, tags=note.tags, source=source, now=now)
                except InputError as error:
                    issues.append(IngestIssue(name, SkipReason.UNREADABLE, f"{note.key[:80]}: {error}"))
                    continue
                before.discard(key)
                row = table.find(db, space, key)
                if table.find_gone(db, rules.mark_of(space.owner, space.project, key), key) is not None:
                    report = replace(report, refused=report.refused + 1)
                    continue
                known = rules.head(row.versions) if row is not None else None
                if known is not None and known.source != source and known.value is not None:
                    issues.append(
                        IngestIssue(name, SkipReason.UNREADABLE, f"{key} is in use; import with a prefix")
                    )
                    continue
                done = door.written(db, space, row, key, statement, now=now, pending=pending)
                report = replace(
                    report, added=report.added + done.written, unchanged=report.unchanged + (not done.written)
                )
            for key in sorted(before):
                row = table.find(db, space, key)
                known = rules.head(row.versions) if row is not None else None
                if row is None or known is None or known.source != source or known.value is None:
                    continue
                end = MemoryVersion(token="", value=None, recorded_at=now, valid_from=now, source=source)
                report = replace(
                    report,
                    ended=report.ended
                    + door.written(db, space, row, key, end, now=now, pending=pending).written,
                )
            door.carry_out(db, pending)
            if status is None:
                table.drop_source(db, space, name, kind)
            else:
                table.note_source(db, space, name, kind, mtime_ns=status.st_mtime_ns, size=status.st_size)
        return replace(report, issues=tuple(issues))

    # ------------------------------------------------------------ shared by git

    @property
    def folder(self) -> Path:
        """Where the project's shared memories live, when they do."""
        folder = self._door.store.folder / SHARED_FOLDER
        return folder / f"@{quote(self._door.project, safe='')}" if self._door.project else folder

    def share(self) -> Path:
        """From now on the project's shared memories live in files that git can take; the folder."""
        store = self._door.store.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        (store / ".gitignore").write_text(
            f"*\n!.gitignore\n!{SHARED_FOLDER}/\n!{SHARED_FOLDER}/**\n", encoding="utf-8"
        )
        # Lines of both sides of a merge stay: each is a version.
        (store / SHARED_FOLDER / ".gitattributes").write_text("*.jsonl merge=union -text\n", encoding="utf-8")
        with self._door.store.reading() as db:
            space = self._door.find_space(db, shared=True)
            keys = table.keys(db, space) if space is not None else []
        self.catch_up()
        self.write_shared(keys)
        return self.folder

    def write_shared(self, keys: Sequence[str], *, gone: bool = False) -> list[str]:
        """Write the files of these keys anew, from what the store holds; their names.

        Nothing where nothing is shared in files.
        """
        if not keys or not self.folder.is_dir():
            return []
        written = []
        for part in sorted({key.partition("/")[0] for key in keys}):
            with self._door.store.reading() as db:
                space = self._door.find_space(db, shared=True)
                rows = (
                    [row for row in table.all_rows(db, space) if row.key.partition("/")[0] == part]
                    if space is not None
                    else []
                )
            lines = [line_of(row.key, version) for row in rows for version in row.versions]
            name = f"{quote(part, safe='')}.jsonl"
            self._replace(name, lines)
            written.append(f"{SHARED_FOLDER}/{name}")
        if gone:
            with self._door.store.reading() as db:
                marks = table.gone_of(db, rules.mark_of(SHARED, self._door.project))
            self._replace(
                GONE_FILE,
                [
                    _dumped({"gone": m.hex(), "state": state, "at": at, "reason": why})
                    for m, state, at, why in marks
                ],
            )
            written.append(f"{SHARED_FOLDER}/{GONE_FILE}")
        return written

    def _replace(self, name: str, lines: Sequence[str]) -> None:
        path, partial = self.folder / name, self.folder / f".{name}.{os.getpid()}"
        if not lines:
            path.unlink(missing_ok=True)
            return
        partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        partial.replace(path)
        status = path.stat()
        with self._door.store.writing("touched") as db:
            table.note_source(
                db,
                self._door.make_space(db, shared=True),
                name,
                "shared",
                mtime_ns=status.st_mtime_ns,
                size=status.st_size,
            )

    # ------------------------------------------------------------ reading again

    def catch_up_quietly(self) -> None:
        try:
            self.catch_up()
        except (StoreBusy, StoreReadOnly):  # what files say newly is seen as soon as somebody can write
            return

    def catch_up(self) -> ImportReport:
        """Read again what changed in shared files and in imported notes.

        One look at their times when nothing did.
        """
        if self._busy:
            return ImportReport()
        self._busy = True
        try:
            return self._read_shared() + self._read_all_notes()
        finally:
            self._busy = False

    def _read_shared(self) -> ImportReport:
        report = ImportReport()
        if not self.folder.is_dir():
            return report
        door = self._door
        with door.store.reading() as db:
            space = door.find_space(db, shared=True)
            known = table.sources(db, space, "shared") if space is not None else {}
        for path in sorted(self.folder.glob("*.jsonl"), key=lambda path: (path.name != GONE_FILE, path.name)):
            status = path.stat()
            if path.is_symlink() or known.get(path.name) == (status.st_mtime_ns, status.st_size):
                continue
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            report += self.import_lines(lines, shared=True, name=path.name)
            with door.store.writing("touched") as db:
                table.note_source(
                    db,
                    door.make_space(db, shared=True),
                    path.name,
                    "shared",
                    mtime_ns=status.st_mtime_ns,
                    size=status.st_size,
                )
        return report

    def _read_all_notes(self) -> ImportReport:
        door = self._door
        with door.store.reading() as db:
            space = door.find_space(db, shared=False)
            roots = table.sources_like(db, space, "notes:") if space is not None else []
        report = ImportReport()
        for path, kind in roots:
            assert space is not None
            if Path(path).exists():
                report += self._read_notes(space, Path(path), kind.removeprefix("notes:"))
        return report


def _notes_of(root: Path) -> str:
    """The kind under which the files of a folder of notes are remembered."""
    return f"note:{root}"


def _markdown_files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            if (
                name.lower().endswith(".md")
                and not path.is_symlink()
                and path.is_file()
                and count < MOST_NOTES
            ):
                count += 1
                yield path


def _read(path: Path, base: str, issues: list[IngestIssue]) -> list[Note]:
    try:
        if path.stat().st_size > LARGEST_NOTE:
            issues.append(
                IngestIssue(str(path), SkipReason.TOO_LARGE, f"larger than {LARGEST_NOTE >> 20} MiB")
            )
            return []
        return notes_in(path.read_text(encoding="utf-8"), base)
    except (OSError, UnicodeDecodeError) as error:
        issues.append(IngestIssue(str(path), SkipReason.UNREADABLE, str(error)))
        return []
