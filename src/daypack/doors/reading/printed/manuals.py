"""Man pages as Markdown: the macros of `man` and `mdoc` become headings, lists and code, and escapes the characters they name.

    .SH OPTIONS                          # OPTIONS
    .TP                                 (a blank line)
    \\fB\\-v\\fR, \\fB\\-\\-verbose\\fR    →   - -v, --verbose
    Say more\\&.                           Say more.

Each line of the page makes one line, blank where it was for the formatter alone, so that a citation leads to its line in the
file. Tables of tbl keep their rows as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daypack.doors.reading.office.text import escaped
from daypack.doors.reading.printed.mdoc import CALLED, mdoc_text

_REQUEST = re.compile(r"[.'][ \t]*(?P<name>\\\"|\\\}|[A-Za-z][\w]*|\.)?(?P<rest>.*)")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\ |[^\s"])(?:\\ |\S)*)')
_COMMENT = re.compile(r'\\["#].*')
_MARKED = {
    "bu": "•",
    "em": "—",
    "en": "–",
    "hy": "-",
    "mi": "-",
    "aq": "'",
    "cq": "’",
    "oq": "‘",
    "lq": "“",
    "rq": "”",
}
_MARKED |= {
    "dq": '"',
    "ga": "`",
    "ha": "^",
    "ti": "~",
    "rs": "\\",
    "co": "©",
    "rg": "®",
    "tm": "™",
    "mu": "×",
    "+-": "±",
}
_MARKED |= {
    "->": "→",
    "<-": "←",
    ">=": "≥",
    "<=": "≤",
    "!=": "≠",
    "lA": "⇐",
    "rA": "⇒",
    "at": "@",
    "sh": "#",
    "Do": "$",
}
_MARKED |= {
    "ba": "|",
    "or": "|",
    "sl": "/",
    "de": "°",
    "Aq": "'",
    "Lq": "“",
    "Rq": "”",
    "Pm": "±",
    "Ba": "|",
    "lt": "<",
    "gt": ">",
}
_ESCAPE = re.compile(
    r"\\(?:f(?:\[\w*\]|\(..|.)|s[+-]?(?:\[\d*\]|\(\d\d|\d{1,2})|[hvwXlLDoAZbC]'[^']*'|[mMFY](?:\[[^\]]*\]|\(..|.)|n[+-]?(?:\[\w+\]|\(..|.)"
    r"|\*?\[(?P<long>[^\]\s]+)\]|\*?\((?P<two>..)|\*.|(?P<one>.))"
)
_ONE = {
    "-": "-",
    "e": "\\",
    "\\": "\\",
    " ": " ",
    "~": " ",
    "0": " ",
    "'": "'",
    "`": "`",
    "t": "\t",
    ".": ".",
    "q": '"',
}
_SILENT = "&|^%/,c:!{}dupz)\n"
_PAIRS = re.compile(r"[BIR][BIR]\Z")
_PARAGRAPHS = frozenset({"PP", "LP", "P", "HP", "Lp"})
_LITERAL = {"nf": ("fi",), "EX": ("EE", "fi"), "Bd": ("Ed",), "Dl": (), "D1": ()}
MOST_TERM_LINES = 3


def render_man(text: str) -> str:
    """The page as Markdown, line by line."""
    return "\n".join(_Page(text.split("\n")).lines())


class _Page:
    def __init__(self, raw: Sequence[str]) -> None:
        self._raw = raw
        self._at = 0
        self._name = ""  # of the program, which mdoc says once
        self._base = self._inner = 0  # margins of paragraphs, and of what explains the item above
        self._margin = 0
        self._around: list[int] = []  # margins outside the blocks that are open
        self._mark = ""  # the heading or bullet that the next text gets
        self._end: tuple[str, ...] = ()  # requests that close the code that is open
        self._fence = ""
        self._open: list[bool] = []  # conditions that are open: True when their text is shown
        self._until = ""  # the line that ends a definition of a macro, or a table's head

    def lines(self) -> list[str]:
        found = []
        above = ""
        for at, raw in enumerate(self._raw):
            self._at = at
            line, above = above + raw.rstrip("\r"), ""
            if line.endswith("\\") and not line.endswith(("\\\\", "{\\")):
                above = line[:-1]  # goes on in the next line
            found.append("" if above else self._line(line))
        if self._fence:
            found.append(self._fence)
        return found

    def _line(self, raw: str) -> str:
        request = _REQUEST.fullmatch(raw) if raw[:1] in (".", "'") else None
        if self._until:
            if raw.strip() == self._until or (self._until == "TS" and raw.rstrip().endswith(".")):
                self._until = ""
            return ""
        if (request and request["name"] == "\\}") or raw.strip() == "\\}":
            if self._open:
                self._open.pop()
            return ""
        if self._open and not all(self._open):
            if raw.rstrip().endswith("\\{\\") or raw.rstrip().endswith("\\{"):
                self._open.append(False)
            return ""
        if request is None:
            return self._text(unescaped(_COMMENT.sub("", raw)))
        return self._request(request["name"] or "", request["rest"])

    def _text(self, text: str) -> str:
        if self._fence:
            return text
        if not text.strip():
            return ""
        mark, self._mark = self._mark, ""
        if mark.startswith("#"):
            return f"{mark}{text.strip()}"
        if mark:
            line = f"{' ' * self._base}{mark}{text.strip()}"
            self._margin = self._inner = self._base + 2
            return line
        return f"{' ' * self._margin}{escaped(text.strip())}"

    def _request(self, name: str, rest: str) -> str:
        if self._fence and name in self._end:
            mark, self._fence, self._end = self._fence, "", ()
            return mark
        if name in ("ie", "if", "el"):
            if rest.rstrip().endswith(("\\{\\", "\\{")):
                self._open.append(name != "ie")
            return ""
        if name in ("de", "de1", "am", "ig"):
            arguments = _arguments(rest)
            self._until = "." + (arguments[1] if len(arguments) > 1 else ".")
            return ""
        if name == "TS":
            self._until = "TS"
            return ""
        if name in ("SH", "Sh", "SS", "Ss"):
            return self._heading("# " if name in ("SH", "Sh") else "## ", _said(rest))
        if name in ("sp", "Pp"):
            return ""
        if name in _PARAGRAPHS:
            self._margin = self._inner = self._base
            self._mark = "- " if name in ("PP", "LP", "P") and self._is_term() else ""
            return ""
        if name in ("TP", "TQ"):
            self._mark = "- "
            return ""
        if name in ("IP", "It"):
            return self._item(name, rest)
        if name in ("RS", "Bl"):
            self._around.append(self._base)
            self._base = self._margin = self._inner
            return ""
        if name in ("RE", "El"):
            self._base = self._margin = self._inner = self._around.pop() if self._around else 0
            return ""
        if name in _LITERAL:
            return self._literal(name, rest)
        return self._inline(name, rest)

    def _heading(self, mark: str, title: str) -> str:
        self._base = self._inner = self._margin = 0
        self._around.clear()
        self._mark = "" if title else mark
        return f"{mark}{title}" if title else ""

    def _is_term(self) -> bool:
        """True when the text that follows is a term, which indented text explains."""
        for count, raw in enumerate(self._raw[self._at + 1 : self._at + 2 + MOST_TERM_LINES]):
            if raw.startswith((".", "'")):
                request = _REQUEST.fullmatch(raw)
                if request and request["name"] == "RS":
                    return count > 0
                if not request or not _is_font(request["name"] or ""):
                    return False
        return False

    def _item(self, name: str, rest: str) -> str:
        tag = (
            mdoc_text(_arguments(rest), self._name) if name == "It" else "".join(_arguments(rest)[:1]).strip()
        )
        self._margin = self._inner = self._base + 2
        if tag and tag not in "•-*–—o":
            return f"{' ' * self._base}- {tag}"
        self._mark = "* " if tag or name == "It" else ""
        return ""

    def _literal(self, name: str, rest: str) -> str:
        if not _LITERAL[name]:
            return self._text(mdoc_text(_arguments(rest), self._name))
        if name == "Bd" and not re.search(r"-(?:literal|unfilled)", rest):
            return ""
        if self._fence:
            return ""
        self._end = _LITERAL[name]
        below = self._raw[self._at + 1 : self._at + 400]
        ends = tuple(f".{end}" for end in self._end)
        if not any(line.replace(" ", "").startswith(ends) for line in below):
            return ""
        self._fence = "~~~~" if any("```" in line for line in below) else "```"
        return self._fence

    def _inline(self, name: str, rest: str) -> str:
        """The text of a request that sets its arguments in other letters, or "" for one to the formatter alone."""
        arguments = _arguments(rest)
        if _PAIRS.match(name):
            return self._text("".join(arguments))
        if name in ("B", "I", "R", "SM", "SB"):
            return self._text(" ".join(arguments))
        if name in ("UR", "MT", "URL"):
            return self._text(" ".join(arguments[:1]))
        if name == "Nm" and arguments and not self._name:
            self._name = arguments[0]
        if name in CALLED:
            return self._text(mdoc_text([name, *arguments], self._name))
        return ""


def _is_font(name: str) -> bool:
    return _PAIRS.match(name) is not None or name in ("B", "I", "R", "SM", "SB")


def _arguments(rest: str) -> list[str]:
    return [
        unescaped((match[1] or "").replace('""', '"') if match[2] is None else match[2])
        for match in _ARGUMENT.finditer(_COMMENT.sub("", rest))
    ]


def _said(rest: str) -> str:
    return " ".join(" ".join(_arguments(rest)).split())


def unescaped(text: str) -> str:
    """A text without the escapes of roff."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if marked := escape["long"] or escape["two"]:
        if re.fullmatch(r"u[0-9A-F]{4,6}", marked):
            character = chr(min(int(marked[1:], 16), 0x10FFFF))
            return character if character.isprintable() else ""  # not NUL, nor half of a pair
        return _MARKED.get(marked, "")
    one = escape["one"]
    return "" if one is None or one in _SILENT else _ONE.get(one, "")
