"""Lines of mdoc, whose macros may call each other.

Op Fl v Ar file  →  [-v file]
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

_OPENS = {
    "Dq": "“”", "Qq": '""', "Sq": "‘’", "Ql": "‘’", "Op": "[]", "Oo": "[", "Pq": "()", "Bq": "[]", "Brq": "{}",
    "Aq": "<>", "Oc": "]",
}  # fmt: skip
"""Macro → the mark that it opens, and the one that closes it at the end of the line."""
_PLAIN_WORDS = frozenset({
    "Ad", "An", "Ar", "Cd", "Cm", "Dv", "Em", "Er", "Ev", "Fa", "Fd", "Fn", "Fo", "Fc", "Ft", "Ic", "In", "Li",
    "Lk", "Mt", "Nd", "Nm", "No", "Pa", "Sy", "Tn", "Va", "Vt", "Lb", "Xo", "Xc", "Ap", "At", "Bx", "Fx", "Nx",
    "Ox", "St", "Ux", "Do", "Dc", "Qo", "Qc", "So", "Sc", "Po", "Pc", "Bo", "Bc", "Bro", "Brc", "Eo", "Ec",
    "Rs", "Re", "Sx", "Ms", "Pf", "Ns", "Fl", "Xr", "Ot", "Hf", "Dx",
})  # fmt: skip
"""Macros that leave their words as they are."""
_SYSTEMS = {
    "Ux": "UNIX", "At": "AT&T UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD",
    "Dx": "DragonFly",
}  # fmt: skip
_LEFT, _RIGHT = "([{“‘", ".,;:!?)]}”’"
CALLED = _PLAIN_WORDS | _OPENS.keys()
"""Macros of running text."""


def mdoc_text(words: Sequence[str], name: str) -> str:
    """The text of a line of mdoc in the manual of a program."""
    return _MacroLine(words, name).text()


class _MacroLine:
    """A line of mdoc, whose macros may call each other."""

    def __init__(self, words: Sequence[str], name: str) -> None:
        self._left = deque(words)
        self._name = name
        self._found: list[str] = []
        self._closing: list[str] = []
        self._glued = False  # the next word continues the last one
        self._dash = False  # the next words are options

    def text(self) -> str:
        while self._left:
            self._read(self._left.popleft())
        for mark in reversed(self._closing):
            self._close(mark)
        return " ".join(self._found)

    def _read(self, word: str) -> None:
        left = self._left
        if word in _OPENS:
            self._open(word)
        elif word == "Fl":
            self._dash = True
            if not left or left[0] in _PLAIN_WORDS:
                self._add("-")
                self._dash, self._glued = False, bool(left) and left[0] == "Ns"
        elif word == "Xr" and left:
            self._add(self._page(left.popleft()))
        elif word == "Nm" and (not left or left[0] in _RIGHT):
            self._add(self._name)
        elif word == "Ns":
            self._glued = True
        elif word == "Ap":
            self._glued = True
            self._add("'")
            self._glued = True
        elif word == "Pf" and left:
            self._add(left.popleft())
            self._glued = True
        elif word in _SYSTEMS:
            self._add(_SYSTEMS[word])
        elif word in _PLAIN_WORDS:
            self._dash = False
        elif word:
            is_option = self._dash and word not in _RIGHT and word != "|"
            self._add(f"-{word}" if is_option else word)

    def _add(self, word: str) -> None:
        found = self._found
        if found and (self._glued or word[:1] in _RIGHT or found[-1][-1:] in _LEFT):
            found[-1] += word
        else:
            found.append(word)
        self._glued = False

    def _open(self, macro: str) -> None:
        marks = _OPENS[macro]
        self._add(marks[0])
        if macro != "Oc":
            self._glued = True
            self._closing.extend(marks[1:])

    def _close(self, mark: str) -> None:
        """Put a closing mark before the punctuation at the end."""
        if self._found:
            last = self._found[-1]
            end = len(last.rstrip(".,;:"))
            self._found[-1] = last[:end] + mark + last[end:]

    def _page(self, title: str) -> str:
        """The manual page that a reference names, with its section where one follows."""
        if self._left and re.fullmatch(r"\d\w*", self._left[0]):
            return f"{title}({self._left.popleft()})"
        return title
