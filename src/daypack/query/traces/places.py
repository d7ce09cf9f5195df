"""The places that compilers, linters and test runners print.

    src/cart.ts(52,7): error TS2322: …          TypeScript, C#, F#, Visual C++
    src/cart.ts:52:7 - error TS2322: …          TypeScript on a terminal, pyright
    src/cart.py:52:7: F841 …                    ruff, flake8, pylint, RuboCop, esbuild, gcc, clang
    src/cart.ts:52:7 lint/style/noVar …         Biome, Credo
    src/cart.c:52: error: …                     compilers that print no column
    [ERROR] /src/Cart.java:[52,7] …             Maven
    e: file:///src/Cart.kt:52:7 …               Kotlin
    ERROR in ./src/cart.js 52:7                 webpack
    └─ lib/cart.ex:52:7: Cart.total/1           Elixir, Credo; miette draws ╭─[src/cart.ts:52:7]
    ** (CompileError) lib/cart.ex:52: …         Elixir
    SyntaxError: /src/cart.jsx: … (52:7)        Babel
    rspec ./spec/cart_spec.rb:52 # …            the command that runs a failed test again
    /src/cart.js ⏎ 52:7  error  …               ESLint, Stylelint: a file, then its rows

The place, or the mark of a tool and the place, begins the line. In "cart.py:52: why?" a person asks, 10:52:07 is a
time, and shop.example.com:8080 is a port. So is "John.Smith:12:30: hello" a time, and shop.cloud:8080 a port: a file
has the ending of a program or its settings, or a folder and no time behind it, unless a severity or the code of a
message follows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.text.name_sets import name_set
from daypack.text.paths import CODE_ENDINGS

# On a drive a path may have blanks; elsewhere it ends at the first, and brackets are part of it, as in app/(shop)/[id].tsx.
_PATH = (
    r"(?:file://)?(?![^\s/:]+\.(?:com|dev|internal|io|lan|local|net|org):)"
    r"((?:/?[A-Za-z]:[\\/][^:()\[\]]*?|[^\s:]+?)\.[A-Za-z]\w{0,5})"
)
_LINE, _COLUMN = r"(\d{1,7})", r"\d{1,5}"
_SEVERITY = r"(?:(?:fatal|syntax|internal compiler) )?(?:error|warning|note|hint|remark|info|information|suggestion|message)\b"
# Without a column only these tell a message from prose; those of test runners are `Failure` and `FAILED:`.
_SURE = r"(?:(?:[Ff]atal )?(?:[Ee]rror|ERROR|warning)\b|(?:note|info|hint|remark):|FAILED:|Failure$)"
_MESSAGE = (
    rf"{_PATH}:{_LINE}:{_COLUMN}(?:-{_COLUMN}|:\d{{1,7}}:{_COLUMN})?:(?= |$)"
    rf"|{_PATH}:{_LINE}:{_COLUMN}(?: -)? +(?=(?i:{_SEVERITY})|[a-z]+/[a-z]|parse |#\()"
    rf"|{_PATH}:{_LINE}:(?= {_SURE})"
    rf"|{_PATH}\({_LINE}(?:, ?{_COLUMN}){{0,3}}\) ?:? ?(?=(?i:{_SEVERITY}))"
    rf"|{_PATH}:\[{_LINE}(?:,{_COLUMN})?\]"
)
_ALONE = rf"(?:[Ff]ile: )?{_PATH}:{_LINE}:{_COLUMN}$"
_BABEL = rf"(?:\w*Error: |\[plugin:[^\]\s]+\] ){_PATH}: .*\({_LINE}:{_COLUMN}\)$"
# Before a message on any terminal: of GitHub, of builds in parallel.
_LABEL = r"(?:(?:[Ee]rror|[Ww]arning): |##\[\w+\]|\d{1,3}>)"
# Behind these marks stands a place, whatever follows.
_MARK = (
    r"(?:\[(?:ERROR|WARN|WARNING|error|warn|tsl)\] |(?:\[tsl\] )?(?:ERROR|WARNING) in |[ew]: |\*\* \(\w*Error\) |┃ +"
    r"|(?:┃ )?\[[A-Z]\] [↗→↑↘↓] |[└╰]─+ |(?:[╭┌]─+|,-+)\[ ?|(?:bin/|bundle exec )*(?:rspec|rails test|mix test) )+"
)
_MARKED = (
    rf"{_PATH}:{_LINE}(?::{_COLUMN})?(?=[:\s\]]|$)|{_PATH}(?:: )?\({_LINE}, ?{_COLUMN}\)"
    rf"|{_PATH} {_LINE}:{_COLUMN}(?:-[\d:]+)?$"
)
_FILE = rf"{_PATH}$"
# Two blanks part the columns of a table; "12:30 information about the lunch" is a note.
_ROW = rf"{_LINE}:{_COLUMN} {{2,}}(?:error\b|warning\b|info\b|[✖⚠×ℹ]) {{2,}}"
# The numbers behind a path that may be a time, and those without a column. A severity ends with a colon or has a code, as F841,
# TS2322, MD013 and C: are; "12:30: message from Ana" is a note.
_TIME = r":(?:[01]?\d|2[0-3]):[0-5]\d:?"
_NO_COLUMN = r":\d+:?"
_CODE = r"[A-Z]{1,8}-?\d{1,5}\b"
_TOLD = rf"[ :-]*(?:(?i:{_SEVERITY})(?:\[[^\]]*\])?(?::|  | {_CODE}|$)|{_CODE}|[A-Z]: )"
# Endings of languages that questions hardly name, as compilers print them.
_FURTHER_ENDINGS = name_set(
    """adb ads ads cr csx cu cuh cshtml d f f90 f95 f03 f08 fsi fsx gleam h++ hbs heex hrl hlsl glsl inl ipp lhs lean mak odin
    pas phtml podspec prisma psm1 pyw pxd rkt scm styl sv svh twig v vala vb vhd wgsl y yy l ll leex rego mill sbt sc star"""
)
_LIKELY = r"\.[A-Za-z]\w{0,5}(?::? ?[(\[]|[: ])\d|\(\d+:\d+\)$"  # quicker than the expressions


class Placed(NamedTuple):
    path: str
    line: int
    tells: bool  # the line says more than its place


def place_in(line: str, *, alone: bool) -> Placed | None:
    """The place that a line begins with; `alone` allows for a line that is nothing but a place."""
    if re.search(_LIKELY, line) is None:
        return None
    whole = line
    if (label := re.match(_LABEL, line)) is not None:
        line = line[label.end() :]
    if (mark := re.match(_MARK, line)) is not None:
        line = line[mark.end() :]
    asks = line.endswith("?") and re.search(rf"(?i:\b{_SEVERITY})", line) is None
    match = None if asks and mark is None else re.match(_MESSAGE, line)
    if match is None and mark is not None:
        match = re.match(_MARKED, line)
    if match is None and alone:
        match = re.match(_ALONE, line)
    if match is None and (match := re.match(_BABEL, whole)) is None:
        return None
    path, number = (group for group in match.groups() if group is not None)
    is_babel = match.re.pattern == _BABEL
    rest = line[match.end() :]
    if not is_babel and not _is_file(path, match[0].partition(path)[2], rest):
        return None
    return Placed(path, int(number), tells=is_babel or bool(rest.strip(" :]")))


def _is_file(path: str, numbers: str, rest: str) -> bool:
    """True for the path of a file, by its ending, its folder, the numbers behind it and the rest of the line."""
    ending = path.rpartition(".")[2].lower()
    if ending in CODE_ENDINGS or ending in _FURTHER_ENDINGS:
        return True
    if re.match(_TOLD, rest) and not re.fullmatch(_NO_COLUMN, numbers):
        return True
    return bool(re.search(r"[/\\]", path)) and not re.fullmatch(_TIME, numbers)


def file_alone(line: str) -> str:
    """The file that a line names and nothing else; "" for other lines."""
    match = re.match(_FILE, line) if line[-1:].isalnum() else None
    return match[1] if match else ""


def row_below_file(line: str) -> int:
    """The line of a row `52:7  error  …` below the name of its file; 0 for other lines."""
    match = re.match(_ROW, line) if line[:1].isdigit() else None
    return int(match[1]) if match else 0
