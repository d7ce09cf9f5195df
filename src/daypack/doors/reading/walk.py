"""The files below a root that are worth reading: one pass over the folders, which opens only ignore files.

    walk(root)         files to read, folders seen, and an issue for every skipped entry
    why(root, path)    the issue of one path by the same rules; None when it would be read

A folder is judged before it is entered, so `node_modules` costs one line and not forty thousand. Files come
sorted, a folder's files before its subfolders. Links are never followed: the walk meets the target of a link
inside the root at its own place, so nothing is read twice, and no loop can trap the walk.

The rules apply in this order, and the first match is the reason: kind of file · tool folders and other work trees · secret files ·
ignore files · lock files · minified · generated · binary by its ending · size.

Names become uids: posix paths below the root, in which a control character or an undecodable byte is written `\\xHH`
(and a backslash before an x is `\\x5c`), so a uid is valid Unicode on one line and leads back to the name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from daypack.doors.reading import attributes, gitdirs, ignore
from daypack.doors.reading.names import (
    HIDDEN_MARKERS,
    MOSTLY_PICTURES,
    Refusal,
    ending,
    forbidden,
    is_long,
    unwanted,
    without_secret,
)
from daypack.guard.paths import DENIED, PathUnreadable, contained, uid_of
from daypack.projects import STORE_FOLDER, project_marker
from daypack.settings.places import why_around_projects
from daypack.types import IngestIssue, SkipReason

# ---------------------------------------------------------------- nouns


class WalkRules(NamedTuple):
    """Rules of a walk that a user may change. Secret files and tool folders are always skipped."""

    max_bytes: int = 1 << 20
    max_long_bytes: int = 10 << 20  # of files that `is_long` names
    max_document_bytes: int = 50 << 20  # of MOSTLY_PICTURES
    # further patterns in gitignore's language, relative to the root; they beat every ignore file
    exclude: tuple[str, ...] = ()
    ignore_files: bool = True
    store: str = ""  # real path of the open store: each write changes its files
    # real path of a folder whose ignore files, and those below it, apply to a root inside it that is in no repository
    project: str = ""

    def limit(self, name: str) -> int:
        if ending(name) in MOSTLY_PICTURES:
            return self.max_document_bytes
        return self.max_long_bytes if is_long(name) else self.max_bytes

    def without(self, store: object) -> WalkRules:
        """These rules for walks that leave out the store at this place, if it is a folder: now, since a link to it may lead
        nowhere later.
        """
        if not isinstance(store, Path):
            return self
        return self._replace(store=str(Path(os.path.realpath(store.parent)) / store.name))

    def with_largest(self, size: int) -> WalkRules:
        """These rules, with files of any format read up to `size` bytes, or up to their own limit where that is more."""
        return self._replace(
            max_bytes=max(size, self.max_bytes),
            max_long_bytes=max(size, self.max_long_bytes),
            max_document_bytes=max(size, self.max_document_bytes),
        )

    def too_large(self, name: str, size: int) -> Refusal | None:
        """The reason to pass over a file of `size` bytes, with the next step; None for one that is read."""
        if size <= (limit := self.limit(name)):
            return None
        said = f"{size:,} bytes, at most {limit:,} are read"
        wanted = -(-size >> 20)
        if wanted <= LARGEST_MIB:
            return SkipReason.TOO_LARGE, f"{said}; DAYPACK_LARGEST_FILE_MIB={wanted} reads it"
        return SkipReason.TOO_LARGE, f"{said}, and {LARGEST_MIB} MiB by any setting; split the file"


# Of the setting: text, its parts and its tree take some twenty times a file's size in memory.
LARGEST_MIB = 64
DEFAULT = WalkRules()
ABSENT = -1  # the modification time of a file or folder that is not on disk


class FoundFile(NamedTuple):
    """A file that is worth opening, as it was when its folder was read."""

    place: str  # its path, absolute, below `root`: a `Path` of each of 100,000 files takes half a second
    uid: str  # posix, relative to the root; see `path_of` for the way back
    size: int
    mtime_ns: int
    root: Path  # real path

    @property
    def path(self) -> Path:
        return Path(self.place)


class FoundFolder(NamedTuple):
    """A folder that was read. Its time was taken before its entries: a later entry has a later time."""

    path: Path
    mtime_ns: int


@dataclass(slots=True)
class Walk:
    """The result of a walk."""

    root: Path
    files: list[FoundFile] = field(default_factory=list)
    folders: list[FoundFolder] = field(default_factory=list)
    issues: list[IngestIssue] = field(default_factory=list)
    # (path, modification time in ns) of ignore files that were read, and above `start` of `.gitattributes` and of those to come
    ignore_files: list[tuple[Path, int]] = field(default_factory=list)


# ---------------------------------------------------------------- the verbs


def walk(
    root: Path | str,
    *,
    start: Path | str | None = None,
    rules: WalkRules = DEFAULT,
    known: Container[str] = (),
    named: bool = False,
) -> Walk:
    """All files below `root`, or below `start`, a folder or a file in it, by the rules that apply there.

    With `named` a person named `start`: as a file it may be a lock file, a backup, minified or generated. Folders whose uid is in `known` are not entered, except `start`. Trouble with an entry is an issue. Raises OutsideRoot
    when `start` is not inside `root`.
    """
    result = Walk(Path(os.path.realpath(root)))
    for item in _Walker(result, rules).run(start, known, named=named):
        if isinstance(item, FoundFile):
            result.files.append(item)
        elif isinstance(item, FoundFolder):
            result.folders.append(item)
        else:
            result.issues.append(item)
    return result


def why(
    root: Path | str, path: Path | str, *, rules: WalkRules = DEFAULT, named: bool = False
) -> IngestIssue | None:
    """The issue by which a walk of `root` skips `path`; None when it does not. Opening the file may show another."""
    result = Walk(Path(os.path.realpath(root)))
    for item in _Walker(result, rules).run(path, (), named=named):
        return item if isinstance(item, IngestIssue) else None
    return None


def looks_like_project(folder: Path | str, home: Path | str | None, *, limit: int = 20_000) -> str | None:
    """The reason not to index `folder` without a request; None when it looks like a project. A store makes none: an agent may
    have remembered something there. Without `home`, the folder may be the home folder.
    """
    if home is not None and (problem := why_around_projects(folder, home)):
        return problem
    real = Path(os.path.realpath(folder))
    if not real.is_dir():
        return "it is not a folder"
    if project_marker(real) in (None, STORE_FOLDER):
        return "no marker such as .git or pyproject.toml"
    files = 0
    for seen, item in enumerate(_Walker(Walk(real), DEFAULT).run(None, ())):
        files += isinstance(item, FoundFile)
        if files > limit:
            return f"more than {limit:,} files"
        if seen > 20 * limit:  # guess: so many entries that even skipping them takes seconds
            return f"more than {seen:,} entries"
    return None


# ---------------------------------------------------------------- one walk


_Item = FoundFile | FoundFolder | IngestIssue


class _Walker:
    """One walk: its rules, and its result so far."""

    def __init__(self, result: Walk, rules: WalkRules) -> None:
        self.result = result
        self.rules = rules
        self.root = str(result.root)
        self.below = self.root if self.root.endswith("/") else self.root + "/"

    def run(self, start: Path | str | None, known: Container[str], *, named: bool = False) -> Iterator[_Item]:
        layers = self._layers_above()
        if start is None:
            yield from self._folder(self.root, layers, known)
            return
        spelled = os.path.join(self.root, os.fspath(start))  # noqa: PTH118 - a Path would drop nothing we need, but cost a resolve
        if os.path.islink(spelled):  # noqa: PTH114
            # The walk meets a link's target elsewhere; the question is about the link.
            folder = contained(self.root, os.path.dirname(spelled))  # noqa: PTH120
            target = folder / os.path.basename(spelled)  # noqa: PTH119
        else:
            try:
                target = contained(self.root, spelled)
            except PathUnreadable:
                yield self._issue(spelled, SkipReason.UNREADABLE, DENIED)
                return
        parts = target.relative_to(self.root).parts
        path = self.root
        for depth, name in enumerate(parts):
            try:
                with os.scandir(path) as entries:
                    listed = {entry.name: entry for entry in entries}
            except OSError as error:
                yield self._issue(path, SkipReason.UNREADABLE, _say(error))
                return
            layers = self._layers_over(path, layers, listed)
            path = f"{path.rstrip('/')}/{name}"
            entry = listed.get(name)
            if entry is None:
                yield self._issue(path, SkipReason.UNREADABLE, "no such file or folder")
                return
            is_last = depth == len(parts) - 1
            found = self._entry(entry, path, layers, named=named and is_last)
            if isinstance(found, _Folder):
                if hidden := self._marker_in(path):
                    yield self._issue(path, SkipReason.HIDDEN, hidden, is_folder=True)
                    return
            elif not is_last and isinstance(found, IngestIssue):
                # A parent decides; report it about the requested path.
                uri = uid_of(str(target)[len(self.below) :])
                yield IngestIssue(uri, found.reason, f"its folder {found.uri} is skipped: {found.detail}")
                return
            else:
                yield found
                return
        yield from self._folder(path, layers, known)

    # ------------------------------------------------------------ folders

    def _folder(self, top: str, layers: ignore.Layers, known: Container[str]) -> Iterator[_Item]:
        """A folder and everything below it, with a stack: paths can be two thousand folders deep."""
        stack = [(top, layers)]
        while stack:
            path, layers = stack.pop()
            try:
                mtime_ns = os.stat(path, follow_symlinks=False).st_mtime_ns
                with os.scandir(path) as entries:
                    listed = {entry.name: entry for entry in entries}
            except OSError as error:
                yield self._issue(path, SkipReason.UNREADABLE, _say(error), is_folder=True)
                continue
            if path != top:
                marker = next((text for name, text in HIDDEN_MARKERS.items() if name in listed), None)
                if ".git" in listed and gitdirs.is_other_tree(path, self._repository):
                    marker = gitdirs.OTHER_TREE
                if marker:
                    yield self._issue(path, SkipReason.HIDDEN, marker, is_folder=True)
                    continue
            yield FoundFolder(Path(path), mtime_ns)
            layers = self._layers_in(path, layers, listed)
            prefix = path if path.endswith("/") else path + "/"
            folders: list[tuple[str, ignore.Layers]] = []
            for name in sorted(listed):
                if name == STORE_FOLDER:
                    continue  # the own files of Daypack: their mention among the skipped ones would puzzle
                found = self._entry(listed[name], prefix + name, layers)
                if not isinstance(found, _Folder):
                    yield found
                elif self._uid(prefix + name) not in known:
                    folders.append((prefix + name, layers))
            stack.extend(reversed(folders))

    def _marker_in(self, path: str) -> str | None:
        if gitdirs.is_other_tree(path, self._repository):
            return gitdirs.OTHER_TREE
        return next(
            (text for name, text in HIDDEN_MARKERS.items() if os.path.lexists(f"{path}/{name}")), None
        )

    @cached_property
    def _repository(self) -> str:
        return gitdirs.repository_around(self.root)

    # ------------------------------------------------------------ entries

    def _entry(
        self, entry: os.DirEntry[str], path: str, layers: ignore.Layers, *, named: bool = False
    ) -> FoundFile | IngestIssue | _Folder:
        name = entry.name
        try:
            if entry.is_symlink():
                is_folder, plain = False, False
            else:
                is_folder = entry.is_dir(follow_symlinks=False)
                plain = is_folder or entry.is_file(follow_symlinks=False)
        except OSError as error:
            return self._issue(path, SkipReason.UNREADABLE, _say(error))
        verdict = self._by_name(name, path, layers, is_folder=is_folder, named=named)
        if verdict is not None:
            return self._issue(path, *verdict, is_folder=is_folder)
        if is_folder:
            return _FOLDER
        if not plain:
            return self._issue(path, *self._not_plain(entry, path))
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError as error:
            return self._issue(path, SkipReason.UNREADABLE, _say(error))
        if not stat.S_ISREG(found.st_mode):  # d_type may be unknown on some file systems
            return self._issue(path, SkipReason.NOT_A_FILE, _kind(found.st_mode))
        if refusal := self.rules.too_large(name, found.st_size):
            return self._issue(path, *refusal)
        return FoundFile(path, self._uid(path), found.st_size, found.st_mtime_ns, self.result.root)

    def _by_name(
        self, name: str, path: str, layers: ignore.Layers, *, is_folder: bool, named: bool
    ) -> Refusal | None:
        """The reason to skip an entry for its name alone."""
        if verdict := forbidden(name, path, is_folder=is_folder):
            return verdict
        if path == self.rules.store:
            return SkipReason.HIDDEN, "the store itself"
        rule = ignore.decide(layers, path, name, is_folder=is_folder)
        if rule is not None and not rule.negated:
            return SkipReason.IGNORED, str(rule)
        return None if is_folder or named or (rule is not None and rule.reads) else unwanted(name, path)

    def _not_plain(self, entry: os.DirEntry[str], path: str) -> Refusal:
        if not entry.is_symlink():
            try:
                return SkipReason.NOT_A_FILE, _kind(entry.stat(follow_symlinks=False).st_mode)
            except OSError as error:
                return SkipReason.UNREADABLE, _say(error)
        try:
            real = os.path.realpath(path, strict=True)
        except OSError as error:
            return SkipReason.UNREADABLE, f"a link to a missing target ({_say(error)})"
        # `below` ends with a slash, so this compares components
        if real == self.root or real.startswith(self.below):
            return (
                SkipReason.NOT_A_FILE,
                f"a link to {self._uid(real) or 'the root'}, which is read at its own place",
            )
        return SkipReason.OUTSIDE_ROOT, "a link that leaves the root"

    # ------------------------------------------------------------ ignore files

    def _layers_above(self) -> ignore.Layers:
        """Ignore files above the root up to the repository's, or else the project's, when the root is a part of one."""
        layers: ignore.Layers = ()
        if self.rules.exclude:
            parsed = ignore.parse("\n".join(self.rules.exclude), source="exclude")
            layers = (ignore.IgnoreFile(self.root, "rules", parsed),)
        if not self.rules.ignore_files:
            return layers
        above = list(Path(self.root).parents)
        in_git = not os.path.lexists(self.below + ".git")
        tops = [folder for folder in above if in_git and os.path.lexists(folder / ".git")]
        tops += [folder for folder in above if str(folder) == self.rules.project]
        if not tops:
            return layers
        for folder in reversed(above[: above.index(tops[0]) + 1]):
            names = [name for name in (*ignore.IGNORE_FILE_NAMES, ".git") if os.path.lexists(folder / name)]
            layers = self._layers_over(str(folder), layers, names)
        return layers

    def _layers_over(self, path: str, layers: ignore.Layers, names: Container[str]) -> ignore.Layers:
        """The layers of a folder above the start. Its time is not noted, so those of its files with rules are, missing or not."""
        if self.rules.ignore_files:
            missing = [name for name in ignore.IGNORE_FILE_NAMES if name not in names]
            for name in (*missing, attributes.FILE_NAME):
                self._note(f"{path}/{name}")
        return self._layers_in(path, layers, names)

    def _layers_in(self, path: str, layers: ignore.Layers, names: Container[str]) -> ignore.Layers:
        """The layers that apply to the entries of `path`."""
        if not self.rules.ignore_files:
            return layers
        deeper: list[ignore.IgnoreFile | None] = []
        if ".git" in names:
            layers = ignore.without_git(layers)
            exclude = gitdirs.exclude_file(path)
            if exclude is not None:
                deeper.append(self._read(exclude, path, "exclude", ".git/info/exclude"))
        present = (f"{path}/{name}" for name in ignore.IGNORE_FILE_NAMES if name in names)
        deeper.extend(self._read(file, path, os.path.basename(file), self._shown(file)) for file in present)  # noqa: PTH119
        files = [file for file in deeper if file is not None]
        return ignore.with_files(layers, files) if files else layers

    def _read(self, path: str, base: str, kind: str, shown: str) -> ignore.IgnoreFile | None:
        return ignore.read_ignore_file(path, base=base, kind=kind, shown=shown) if self._note(path) else None

    def _note(self, path: str) -> bool:
        """Note the time of a file whose rules apply to others; False where none is there."""
        try:
            time = os.stat(path, follow_symlinks=False).st_mtime_ns
        except OSError:
            time = ABSENT
        self.result.ignore_files.append((Path(path), time))
        return time != ABSENT

    # ------------------------------------------------------------ words

    def _uid(self, path: str) -> str:
        return uid_of(path[len(self.below) :])

    def _shown(self, path: str) -> str:
        return uid_of(path[len(self.below) :] if path.startswith(self.below) else path)

    def _issue(self, path: str, reason: SkipReason, detail: str, *, is_folder: bool = False) -> IngestIssue:
        uid = self._uid(path)
        return IngestIssue(
            (without_secret(uid) if reason is SkipReason.SECRET_FILE else uid) + ("/" if is_folder else ""),
            reason,
            detail,
        )


class _Folder:
    """Marks a folder to enter."""


_FOLDER = _Folder()


def _kind(mode: int) -> str:
    kinds: Sequence[tuple[str, bool]] = (
        ("a FIFO", stat.S_ISFIFO(mode)),
        ("a socket", stat.S_ISSOCK(mode)),
        ("a device", stat.S_ISBLK(mode) or stat.S_ISCHR(mode)),
        ("a link", stat.S_ISLNK(mode)),
    )
    return next((text for text, holds in kinds if holds), "not a regular file")


def _say(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
