"""Ignore files, read as git reads them: each entry is judged alone, and the last matching line decides.

    .daypackignore  >  .ignore  >  .gitignore  >  .git/info/exclude        the order of the kinds of files
    deeper folder   >  shallower folder                                    within one kind
    later line      >  earlier line                                        within one file

The kind decides before the depth, as in ripgrep, because `.daypackignore` must override git's files. A walk checks each
folder and does not enter an ignored one, so a file below an ignored folder cannot be re-included. Patterns are translated to
regular expressions with atomic groups, so even a hostile pattern with thirty stars takes linear time.

No library is used, because only judging entry by entry prunes exactly (`build/**` leaves `build` itself open for
`!build/keep`). The tests compare the results with `git check-ignore`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from daypack.doors.reading.gitdirs import begin_of
from daypack.system import NO_LINK

IGNORE_FILE_NAMES = (".daypackignore", ".ignore", ".gitignore")  # an earlier one overrides the later ones
MAX_IGNORE_FILE_BYTES = 1 << 20  # the rest of a longer file is not read

_SPECIAL = frozenset("*?[\\")
_POSIX_CLASSES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NAMED_CLASS = re.compile(r"\[:([^\]]*):\]")


class Rule(NamedTuple):
    """One line of an ignore file. `negated` lines re-include."""

    source: str  # the file as it is shown to users
    line: int  # 1-based
    pattern: str  # as written
    negated: bool
    folders_only: bool
    on_path: bool  # matches the path below the file's folder, otherwise the bare name
    regex: re.Pattern[str]

    @property
    def reads(self) -> bool:
        """True for a line that asks for a file. Those of git say that a file is tracked: most of its `!package-lock.json`
        and `!gradle-wrapper.jar` are for no reader.
        """
        return self.negated and not self.source.endswith((".gitignore", ".git/info/exclude"))

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}"


class IgnoreFile:
    """The rules of one ignore file, and the folder to which they are relative.

    Most entries match no rule, so a quick test of all rules together comes first: a set of names, a tuple of endings, and
    one joined expression for the other rules.
    """

    __slots__ = ("_endings", "_literals", "_names", "_paths", "base", "kind", "rules")

    def __init__(self, base: str, kind: str, rules: Sequence[Rule]) -> None:
        self.base = base if base.endswith("/") else base + "/"  # absolute
        self.kind = kind
        self.rules = tuple(reversed(rules))
        literals: set[str] = set()
        endings: list[str] = []
        names: list[str] = []
        paths: list[str] = []
        for rule in rules:
            body = _body(rule.pattern)
            if rule.on_path:
                paths.append(rule.regex.pattern)
            elif not _SPECIAL.intersection(body):
                literals.add(body)
            elif body[0] == "*" and not _SPECIAL.intersection(body[1:]):
                endings.append(body[1:])
            else:
                names.append(rule.regex.pattern)
        self._literals = frozenset(literals)
        self._endings = tuple(endings)
        self._names = _join(names)
        self._paths = _join(paths)

    def decide(self, path: str, name: str, *, is_folder: bool) -> Rule | None:
        """The rule that decides on an entry; None when no line matches. `path` is absolute."""
        below = path[len(self.base) :]
        if not (
            name in self._literals
            or name.endswith(self._endings)
            or (self._names is not None and self._names.fullmatch(name))
            or (self._paths is not None and self._paths.fullmatch(below))
        ):
            return None
        for rule in self.rules:
            if rule.folders_only and not is_folder:
                continue
            if rule.regex.fullmatch(below if rule.on_path else name):
                return rule
        return None


Layers = tuple[IgnoreFile, ...]
"""All ignore files that apply in one folder, the strongest first."""


def decide(layers: Layers, path: str, name: str, *, is_folder: bool) -> Rule | None:
    """The rule that ignores or re-includes an entry; None when no ignore file matches."""
    for file in layers:
        rule = file.decide(path, name, is_folder=is_folder)
        if rule is not None:
            return rule
    return None


def with_files(layers: Layers, deeper: Iterable[IgnoreFile]) -> Layers:
    """The layers for a deeper folder, by kind, then by depth, the deeper ones first."""
    return tuple(sorted((*deeper, *layers), key=lambda file: _ORDER[file.kind]))


def without_git(layers: Layers) -> Layers:
    """The layers that also apply inside a nested repository: those of `.daypackignore` and `.ignore`, not those of git."""
    return tuple(file for file in layers if file.kind not in (".gitignore", "exclude"))


_ORDER = {"rules": 0, **{name: 1 + index for index, name in enumerate(IGNORE_FILE_NAMES)}, "exclude": 9}


def read_ignore_file(path: str, *, base: str, kind: str, shown: str) -> IgnoreFile | None:
    """Parse an ignore file; None when it is not a plain file, or has no rules. Links are not followed."""
    rules = parse(read_text(path), source=shown)
    return IgnoreFile(base, kind, rules) if rules else None


def read_text(path: str) -> str:
    """The first megabyte of a plain file; "" for anything else. Links are not followed."""
    return begin_of(path, MAX_IGNORE_FILE_BYTES, flags=NO_LINK).decode("utf-8", "surrogateescape")


def parse(text: str, *, source: str) -> list[Rule]:
    """The rules of an ignore file, in order; lines that cannot match are left out."""
    rules = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        rule = parse_line(line.removesuffix("\r"), source=source, number=number)
        if rule is not None:
            rules.append(rule)
    return rules


def parse_line(line: str, *, source: str, number: int = 1) -> Rule | None:
    line = _strip_trailing_spaces(line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    glob = line[1:] if negated else line
    folders_only = glob.endswith("/")
    if folders_only:
        glob = glob[:-1]
    on_path = "/" in glob
    regex = _translate(glob.removeprefix("/"), on_path=on_path)
    if regex is None:
        return None
    return Rule(source, number, line, negated, folders_only, on_path, re.compile(regex, re.DOTALL))


def _body(pattern: str) -> str:
    """The glob of a pattern that matches bare names."""
    return pattern.removeprefix("!").removesuffix("/")


def _join(patterns: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.DOTALL) if patterns else None


def _strip_trailing_spaces(line: str) -> str:
    """The line without trailing spaces, unless a backslash quotes them; tabs stay, as in git."""
    end = len(line)
    while end and line[end - 1] == " ":
        backslashes = len(line[: end - 1]) - len(line[: end - 1].rstrip("\\"))
        if backslashes % 2:
            break
        end -= 1
    return line[:end]


# Tokens of a glob, from which the regular expression is assembled.
_STAR, _SLASH, _ANY_FOLDERS, _ANYTHING = "*", "/", "**/", "**"


def _translate(glob: str, *, on_path: bool) -> str | None:
    """A regular expression for `fullmatch`; None for a glob that cannot match.

    All stars of a segment but the last, and all `**/` but the last, are atomic lazy groups: the earliest match of the next
    part is always good enough, because a later star can match the rest.
    """
    if not glob:
        return None
    tokens = _tokens(glob, on_path=on_path)
    if tokens is None:
        return None
    chunks: list[list[str]] = [[]]  # between `**/`
    anything = False
    for token in tokens:
        if token == _ANY_FOLDERS:
            chunks.append([])
        elif token == _ANYTHING:
            anything = True  # always the last token
        else:
            chunks[-1].append(token)
    out = [_chunk(chunks[0])]
    for index, chunk in enumerate(chunks[1:], 1):
        last = index == len(chunks) - 1 and not anything
        out.append(f"(?:[^/]*/)*{_chunk(chunk)}" if last else f"(?>(?:[^/]*/)*?{_chunk(chunk)})")
    if anything:
        out.append(".*")
    return "".join(out)


def _chunk(tokens: list[str]) -> str:
    out: list[str] = []
    segment: list[str] = [""]
    for token in [*tokens, ""]:
        if token in (_SLASH, ""):
            out.append(segment[0])
            out.extend(f"(?>[^/]*?{fixed})" for fixed in segment[1:-1])
            if len(segment) > 1:
                out.append(f"[^/]*{segment[-1]}")
            out.append(token)
            segment = [""]
        elif token == _STAR:
            segment.append("")
        else:
            segment[-1] += token
    return "".join(out)


def _tokens(glob: str, *, on_path: bool) -> list[str] | None:
    tokens: list[str] = []
    # git removes the literal head before it searches for `**`, so a `**` directly after the head counts as the beginning of
    # a segment.
    head = next((position for position, char in enumerate(glob) if char in _SPECIAL), len(glob))
    index = 0
    while index < len(glob):
        if glob[index] == "*":
            opens = on_path and (index == head or glob[index - 1] == "/")
            token, index = _stars(glob, index, opens=opens)
            tokens.append(token)
            continue
        read = _token(glob, index)
        if read is None:
            return None
        token, index = read
        tokens.append(token)
    return tokens


def _stars(glob: str, start: int, *, opens: bool) -> tuple[str, int]:
    """(the token of one or more stars, the index after it); stars that open a segment of a path may stand for folders."""
    end = start
    while glob.startswith("*", end):
        end += 1
    if not opens or end - start == 1 or glob[end : end + 1] not in ("", "/"):
        return _STAR, end
    return (_ANYTHING, end) if end == len(glob) else (_ANY_FOLDERS, end + 1)


def _token(glob: str, index: int) -> tuple[str, int] | None:
    """(a token other than stars, the index after it); None for an unclosed bracket, and a backslash at the end."""
    if glob[index] == "?":
        return "[^/]", index + 1
    if glob[index] == "[":
        return _bracket(glob, index)
    char, after = _character(glob, index)
    return (_SLASH if char == "/" else re.escape(char), after) if char else None


def _character(glob: str, index: int) -> tuple[str, int]:
    """(the character at an index, or the one that a backslash there escapes, the index after it); "" at the end."""
    if glob.startswith("\\", index):
        index += 1
    return glob[index : index + 1], index + 1


def _bracket(glob: str, start: int) -> tuple[str, int] | None:
    """The expression for a `[...]`, and the index after it; None for an unclosed one."""
    negated = glob.startswith(("!", "^"), start + 1)
    index = first = start + 1 + negated
    parts: list[str] = []
    previous = ""
    while index == first or not glob.startswith("]", index):
        if glob.startswith("-", index) and previous and glob[index + 1 : index + 2] not in ("", "]"):
            high, index = _character(glob, index + 1)
            if not high:
                return None
            if previous <= high:
                parts.append(f"{re.escape(previous)}-{re.escape(high)}")
            previous = ""
        elif (named := _NAMED_CLASS.match(glob, index)) is not None:
            if named[1] not in _POSIX_CLASSES:
                return None  # git ignores the whole pattern
            parts.append(_POSIX_CLASSES[named[1]])
            index, previous = named.end(), ""
        else:
            previous, index = _character(glob, index)
            if not previous:
                return None
            parts.append(re.escape(previous))
    members = "".join(parts)
    # A bracket never matches the separator, even when it is negated.
    if not members:
        return ("[^/]" if negated else "(?!)"), index + 1
    return (f"[^/{members}]" if negated else f"(?!/)[{members}]"), index + 1
