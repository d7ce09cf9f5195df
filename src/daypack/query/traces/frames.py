"""Stack traces: file, line, function and depth of each frame.

    File "shop/cart.py", line 12, in total          Python, deepest call last
    shop/cart.py:12: in total                       pytest, deepest call last
    shop/cart.py in total(items)  ---> 12 …         IPython, deepest call last
    at total (shop/cart.js:12:5)                    JavaScript, deepest call first
    at shop.Cart.total(Cart.java:12)                Java and its relatives, deepest call first, the last "Caused by:" deepest
    shop.total(…) ⏎ /src/shop/cart.go:12 +0x1d      Go, deepest call first
    3: shop::total ⏎ at src/cart.rs:12:5            Rust, deepest call first
    #1 0x5581 in total (cart=0x0) at src/cart.c:12  debuggers and sanitizers of C, deepest call first
    #0 /src/Cart.php(12): total()                   PHP, deepest call first: the line that calls total
    (shop 0.1.0) lib/cart.ex:12: Cart.total/1       Elixir, deepest call first
    ❯ total src/cart.ts:12:5                        Vitest, deepest call first
    0 Cart.total(of:) in shop at /src/Cart.swift:12:5   Swift, deepest call first
    #0 Cart.total (package:shop/cart.dart:12:5)     Dart, deepest call first
    shop/cart.lua:12: in function 'total'           Lua, deepest call first
    Shop::Cart::total(3) called at lib/Shop.pm line 12   Perl, deepest call first: the line that calls total
    [1] total(cart::Cart) ⏎ @ Shop src/cart.jl:12   Julia, deepest call first
    total, called at src/Shop/Cart.hs:12:5 in shop  Haskell, deepest call first: the line that calls total
    3. └─shop:::total(cart) at shop/R/cart.R:12:5   R, deepest call last

and the lines of failed tests, compilers and linters that name only a place (places.py): `src/cart.c:12:5: error: …`.

Line by line, with string methods and patterns that are anchored at the line's beginning: no line takes long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from daypack.query.traces.places import file_alone, place_in, row_below_file
from daypack.query.traces.quoting import without_quoting
from daypack.text.qualified_names import dotted
from daypack.types import Frame

LONGEST_LINE = 1_000  # a frame is shorter; pasted data is not
MOST_FRAMES = 200

# Compiled late: `re` compiles and caches a pattern when the first line needs it; most questions hold no frame.
_PYTHON = r'File "([^"]+)", line (\d{1,7})(?:, in ([\w.<>]+))?'
_PYTEST = r"([^\s:]+\.pyx?):(\d{1,7}): (?:in ([\w.<>]+)$|[A-Z]\w*$)"
_IPYTHON = r"([^\s:]+\.py) in ([\w.<>]+)\("
_IPYTHON_8 = r"File ([^\s:,]+\.py):(\d{1,7}), in ([\w.<>]+)"
_IPYTHON_ARROW = r"-{2,}> ?(\d{1,7})\b"
_JAVA = r"at ([\w.$/<>]+)\((\w+\.(?:java|kt|scala|groovy|clj)):(\d{1,7})\)"
_CSHARP = r"at ([^()]+)\(.*\) in (.+):line (\d{1,7})$"
_GO = r"([^\s:]+\.go):(\d{1,7})(?::\d{1,5})?(?::? |$)"
_GO_CALL = r"(?:created by )?([\w./*()-]+?)(?:\([^()]*\)|\(\.\.\.\))?(?: in goroutine \d+)?$"
_RUST_CALL = r"\d{1,4}: (?:0x[0-9a-f]+ - )?([\w:<>]+)"
_RUST_PANIC = r"thread '[^']*' .{0,20}panicked at (?:'(.*)', )?([^\s:]+\.rs):(\d{1,7})"
_RUST_ARROW = r"--> ([^\s:]+):(\d{1,7}):\d{1,5}$"
_RUBY = r"(?:from |# )?([^\s:]+\.(?:rb|ru|rake)):(\d{1,7}):in [`'](.+?)'(?:: (.+?)(?: \(([\w:]+)\))?$)?"
_MINITEST = r"\S.* \[([^\s:\]]+\.rb):(\d{1,7})\]:?$"
_PHP_RAISED = r"(.*) in (/[^\s:]+\.php)(?::| on line )(\d{1,7})$"
_PHP_HEAD = r".*\bUncaught |Next |(?:\[[^\]]*\] )?PHP "
_PHP = r"(?:[\w ]{1,20}: )?#\d{1,4} ([^\s()]+\.php)\((\d{1,7})\): ([\w\\:>-]+)"
_PHPUNIT = r"([^\s:]+\.php):(\d{1,7})$"
_ELIXIR = r"(?:\([\w.]+ [\w.+-]+\) )?([^\s:()]+\.exs?):(\d{1,7}): (?:\(|[\w.]*?([\w?!]+)/\d)"
# gdb, lldb and the sanitizers: `#1 0x5581 in total (cart=0x0) at src/cart.c:12`, `#1 0x5581 in total /src/cart.c:12:5`
_C = (
    r"(?:\* )?(?:frame )?#\d{1,4}:? +(?:0x[0-9a-f]+ (?:in )?)?(?:[^\s`]+`)?([\w:~]+)(?: ?\(.*\)(?: const)?)?(?: \+ \d+)?"
    r" (?:at )?([^\s:()]+\.\w{1,4}):(\d{1,7})(?::\d{1,5})?(?: |$)"
)
# The same for a function with spaces in its name, as templates have: the text before the name, and the place.
_C_HEAD = r"(?:\* )?(?:frame )?#\d{1,4}:? +(?:0x[0-9a-f]+ +(?:in +)?)?(?:[^\s`<(]+`)?(?=[\w:~])"
_C_PLACE = r"([^\s:()]+\.\w{1,4}):(\d{1,7})(?::\d{1,5})?$"
_SWIFT = r"\d{1,4} (?:\[\w+\] |0x[0-9a-f]+ )*(?:static )?([\w.]+)[^ ].*? in \S+ at (\S+\.swift):(\d{1,7})"
_VITEST = r"❯ (?:(\S+) )?([^\s:]+\.\w{1,6}):(\d{1,7}):\d{1,5}$"
_VALGRIND = r"==\d+== +(?:at|by) 0x[0-9A-Fa-f]+: ([\w:~]+).* \(([^\s:()]+):(\d{1,7})\)$"
# `package:shop/cart.dart` is the file lib/cart.dart of shop.
_DART_PLACE = r"(package:\w+/|file://|)([^\s:()]+\.dart)"
_DART = rf"#\d{{1,4}} +(\S.*?) \({_DART_PLACE}:(\d{{1,7}})(?::\d{{1,5}})?\)$"
_DART_TERSE = rf"{_DART_PLACE} (\d{{1,7}})(?::\d{{1,5}})? {{2,}}(\S.*)$"
_LUA = r"(?:\.\.\.[^\s/:]*/)?([^\s:]+\.lua):(\d{1,7}): in (?:main chunk|(?:\w+ )?(?:['‘`](.+?)['’]|<.*>))"
_PERL = r"(?:([\w:]+)\(.*\) called|.*\S) at (\S+\.(?:pm|pl|t)) line (\d{1,7})(?:, <.*)?\.?$"
_JULIA = r"\[\d{1,4}\] ([\w.!]+)"
_JULIA_PLACE = r".*?(?:@ (?:\w+ )?|\bat )(\S+\.jl):(\d{1,7})$"
_HASKELL = r"([\w'.]+), called at (\S+\.l?hs):(\d{1,7}):\d{1,5} in "
_R = r"(?:\d{1,4}\. *)[│├└─ ]*(?:[\w.]+:::?)?([\w.]+)\(.* at (\S+\.[Rr]):(\d{1,7}):\d{1,5}$"
_ASSERTION = r"[^\s:]+: ([^\s:]+):(\d{1,7}): (?:[^()]*?[\s:*&])?([\w~]+)(?:\(.*\))?: Assertion "
# files of languages that print the function that a line calls
_CALLED_FROM = (".php", ".pm", ".pl", ".t", ".hs", ".lhs")
_FILE = r"File(?:name)?: (\S+\.\w{1,5})$"  # of an error page, and below it:
_LINE = r"Line(?: [Nn]umber)?: (\d{1,7})$"
_POSITION = r"(.+?):(\d{1,7})(?::\d{1,7})?$"
# Lines with a place that say more: a message, the name of a test.
_TELLING = rf"[^\s:]+\.go:\d{{1,7}}(?::\d{{1,5}})?: \S|{_MINITEST}|{_ASSERTION}"
# Frames inside a runtime or a library without its source, and the sums of a test run: their words are of no project.
_FOREIGN = (
    r"at .*\bnode:[\w/:.-]+\)?$|#\d{1,4} .* \(dart:\S+\)$|<asynchronous suspension>$|\[C\]: in |at .*\((?:Native Method|Unknown Source)\)$|\.\.\. \d{1,4} more$|#\d{1,4} \{main\}$"
    r"|#\d{1,4} +0x[0-9a-f]+ in .* from /\S+$|(?:FAIL|ok)\s+\S+\s+(?:[\d.]+s|\(cached\))$|Node\.js v[\d.]+$"
    r"|[Ss]tack (?:back)?trace:$|note: run with `RUST_BACKTRACE="
)

_HEADS = (
    "Traceback (most recent call last)", "During handling of the above exception", "The above exception was the direct cause",
    "goroutine ", "panic: ", "Caused by: ", "Exception in thread", "stack backtrace:", "thread '", "Stack trace:", "Fatal error:",
    "Uncaught ", "Unhandled ", "Segmentation fault", "E   ", "error[E", "fatal error: ", "error: ", "Error: ", "ERROR: ", "fatal: ",
    ">>> ", "----> ", "** (",
)  # fmt: skip
# Folders in which package managers install, without the scope, and the version behind a name: site-packages/shop/cart.py is shop/cart.py
# in its project, or src/shop/cart.py.
_INSTALLED = (
    r".*/(?:(?:site|dist)-packages|node_modules(?:/@[^/]+)?|perl5?(?:/(?:site_perl|vendor_perl|\d[\d.]*))+|perl5"
    r"|\.cargo/registry/src/[^/]+|gems(?=/[^/]+-\d+\.)|(?:\.pub-cache|Pub/Cache)/hosted/[^/]+)/"
)
_VERSIONED = r"([A-Za-z][\w.-]*?)-\d+(?:\.\d+)+[^/]*(?=/)"
_CAUSE = "Caused by: "
# Functions that a compiler makes of one: `lambda$total$0` of Java, `access$total`, `total$default` and, of an internal one,
# `total$shop_core` of Kotlin.
_MADE_OF = r"(?:lambda\$|access\$)?([A-Za-z_]\w*)"
_ERROR_LINE = r"(?:[\w$]+(?:\.|::|\\)){0,12}[A-Z]\w{0,80}(?:Error|Exception|Warning|Interrupt|Exit)(?::|$)"


class Trace(NamedTuple):
    """The stack traces of a text; lines are 0-based."""

    frames: tuple[Frame, ...]
    lines: frozenset[int]  # that belong to traces
    places: frozenset[int]  # those of them that hold nothing but a frame
    told: Mapping[int, str]  # number of a line that holds a frame and a message → the message


def read_trace(lines: Sequence[str]) -> Trace:
    """Every frame in the text, from any language."""
    reading = _Reading(several_lines=len(lines) > 1)
    previous = ""
    for number, raw in enumerate(lines):
        line = _line_of_trace(raw[:LONGEST_LINE], previous)
        if line:
            reading.read(number, line, previous)
        else:
            reading.end_rows()
        previous = without_quoting(line)
    return reading.trace()


def _line_of_trace(raw: str, previous: str) -> str:
    """A line without blanks around it, and without the marks that quote it where the rest is of a trace or empty."""
    line, bare = raw.strip(), without_quoting(raw)
    if bare == line or not bare or bare.startswith(_HEADS) or _names_an_error(bare):
        return bare
    is_of_trace = _upward(bare) or _downward(bare, previous) or re.match(_FOREIGN, bare)
    return bare if is_of_trace else line


class _Reading:
    """The traces of the lines read so far."""

    def __init__(self, *, several_lines: bool) -> None:
        self._several_lines = several_lines
        self._upward: list[tuple[str, int, str]] = []  # deepest call last
        # deepest call first, and a list for each exception: the one that a "Caused by:" prints later came first
        self._downward: list[list[tuple[str, int, str]]] = [[]]
        self._lines: set[int] = set()
        self._places: set[int] = set()
        self._told: dict[int, str] = {}
        self._awaiting_line = ("", "")  # file and function of an IPython frame whose line number follows
        self._file_above = ("", 0)  # a file on a line of its own, and the number of this line

    def read(self, number: int, line: str, previous: str) -> None:
        if self._is_awaited_arrow(line):
            self._lines.add(number)  # it shows the code of that line as well: not a mere place
            return
        if line.startswith(_HEADS) or ((self._several_lines or ":" in line) and _names_an_error(line)):
            self._lines.add(number)
        if line.startswith(_CAUSE):
            self._downward.append([])
        if (frame := _upward(line)) is not None:
            self._add_upward(frame)
            self._add_place(number)
        elif (frame := _downward(line, previous)) is not None:
            self._downward[-1].append(frame)
            own_lines = (
                {number - 1, number} if _needs_previous(line, previous, function=frame[2]) else {number}
            )
            self._lines |= own_lines
            if message := _message(line):
                self._told[number] = message
            elif not re.match(_TELLING, line):
                self._places |= own_lines
        elif (placed := place_in(line, alone=self._several_lines)) is not None:
            self._downward[-1].append((_without_module(placed.path), placed.line, ""))
            self._lines.add(number)
            if not placed.tells:
                self._places.add(number)
        elif re.match(_FOREIGN, line):
            self._add_place(number)
        elif self._file_above[0] and (row := row_below_file(line)):
            path, above = self._file_above
            self._downward[-1].append((path, row, ""))
            self._lines.add(number)
            self._add_place(above)
        else:
            self._file_above = (file_alone(line), number)

    def end_rows(self) -> None:
        """A blank line ends the rows below a file."""
        self._file_above = ("", 0)

    def _is_awaited_arrow(self, line: str) -> bool:
        """True for the line number of the IPython frame before, which is complete then."""
        path, function = self._awaiting_line
        if not path or not line.startswith("--") or (arrow := re.match(_IPYTHON_ARROW, line)) is None:
            return False
        self._upward.append((path, int(arrow[1]), function))
        self._awaiting_line = ("", "")
        return True

    def _add_upward(self, frame: tuple[str, int, str]) -> None:
        path, line, function = frame
        if line == 0:
            self._awaiting_line = (path, function)
        else:
            self._upward.append(frame)

    def _add_place(self, number: int) -> None:
        self._lines.add(number)
        self._places.add(number)

    def trace(self) -> Trace:
        deepest = [frame for frames in reversed(self._downward) for frame in _around(frames)]
        ordered = [*reversed(self._upward), *deepest][:MOST_FRAMES]
        depths = [*range(len(self._upward)), *range(len(deepest))]
        frames = tuple(
            Frame(_plain_path(path), line, name, depth)
            for (path, line, name), depth in zip(ordered, depths, strict=False)
        )
        with_path = tuple(frame for frame in frames if frame.path)
        return Trace(with_path, frozenset(self._lines), frozenset(self._places), self._told)


def _needs_previous(line: str, previous: str, *, function: str) -> bool:
    """True for the frame of a line whose file or function is in the line above."""
    if line.startswith("Line"):
        return True
    is_rust = line.startswith("at ") and re.match(_RUST_CALL, previous) is not None
    return bool(function) and (".go:" in line or is_rust)


def _names_an_error(line: str) -> bool:
    """True for a line that begins with the name of an exception."""
    is_likely = line[0].isalpha() and ("Error" in line or "Exception" in line)  # quicker than the expression
    return is_likely and re.match(_ERROR_LINE, line) is not None


def _upward(line: str) -> tuple[str, int, str] | None:
    """The frame of a line in a trace that ends with the deepest call, as those of Python do; line 0 when it comes later."""
    if " at " in line and (match := re.match(_R, line)):
        return match[2], int(match[3]), match[1]
    if ".py" not in line and 'File "' not in line:
        return None
    if (at := line.find('File "')) >= 0 and (match := re.match(_PYTHON, line[at:])):
        return match[1], int(match[2]), _name(match[3])
    if match := re.match(_PYTEST, line):
        return match[1], int(match[2]), _name(match[3])
    if match := re.match(_IPYTHON_8, line):
        return match[1], int(match[2]), _name(match[3])
    if match := re.match(_IPYTHON, line):
        return match[1], 0, _name(match[2])
    return None


def _downward(line: str, previous: str) -> tuple[str, int, str] | None:
    """The frame of a line in a trace that begins with the deepest call; `previous` is the line before it."""
    if line.startswith("at "):
        return _after_at(line, previous)
    if ".go:" in line and (match := re.match(_GO, line)):
        call = re.match(_GO_CALL, previous)
        name = call[1].rpartition("/")[2] if call and "." in call[1] else ""
        return match[1], int(match[2]), name.replace("(*", "").replace(")", "").partition(".")[2]
    if ".rs:" in line and (match := re.match(_RUST_PANIC, line)):
        return match[2], int(match[3]), ""
    if line.startswith("--> ") and (match := re.match(_RUST_ARROW, line)):
        return match[1], int(match[2]), ""
    if ".r" in line:
        if match := re.match(_RUBY, line):
            return match[1], int(match[2]), _name(match[3].rpartition(" in ")[2].rpartition("#")[2])
        if match := re.match(_MINITEST, line):
            return match[1], int(match[2]), ""
    if ".php" in line:
        if match := re.match(_PHP, line):
            return match[1], int(match[2]), dotted(match[3].rpartition("\\")[2])
        if match := re.match(_PHP_RAISED, line):
            return match[2], int(match[3]), ""
        if match := re.match(_PHPUNIT, line):
            return match[1], int(match[2]), ""
    if ".ex" in line and (match := re.match(_ELIXIR, line)):
        return match[1], int(match[2]), match[3] or ""
    if line.startswith("Line") and (at := re.match(_LINE, line)) and (match := re.match(_FILE, previous)):
        return match[1], int(at[1]), ""
    return _from_script(line, previous) or _from_native(line) or _from_browser(line)


def _from_script(line: str, previous: str) -> tuple[str, int, str] | None:
    """The frame in a line of Dart, Lua, Perl, Julia or Haskell."""
    if ".dart" in line:
        if match := re.match(_DART, line):
            return _of_dart(match[2], match[3]), int(match[4]), _dart_name(match[1])
        if match := re.match(_DART_TERSE, line):
            return _of_dart(match[1], match[2]), int(match[3]), _dart_name(match[4])
    if ".lua:" in line and (match := re.match(_LUA, line)):
        return match[1], int(match[2]), (match[3] or "").replace(":", ".")
    if " line " in line and (match := re.match(_PERL, line)):
        return match[2], int(match[3]), (match[1] or "").rpartition("::")[2]
    if ".jl:" in line and (match := re.match(_JULIA_PLACE, line)):
        call = re.match(_JULIA, line) or re.match(_JULIA, previous)
        return (match[1], int(match[2]), call[1]) if call else None
    if ", called at " in line and (match := re.match(_HASKELL, line)):
        return match[2], int(match[3]), match[1]
    return None


def _dart_name(called: str) -> str:
    """The name of a function around a closure, and of a constructor: `new Cart` calls `Cart.Cart`."""
    name = called.partition(".<")[0]
    made = name.removeprefix("new ")
    return f"{made}.{made}" if made != name and "." not in made else made


def _of_dart(root: str, path: str) -> str:
    return f"{root[8:]}lib/{path}" if root.startswith("package:") else path


def _message(line: str) -> str:
    """The message in a line of Ruby, PHP, Perl or Rust that says where it was raised as well, behind the name of its error; ""
    for other lines.
    """
    if ".r" in line and (match := re.match(_RUBY, line)) and match[4]:
        return f"{match[5]}: {match[4]}" if match[5] else match[4]
    if ".rs:" in line and (match := re.match(_RUST_PANIC, line)) and match[1]:
        return f"panic: {match[1]}"
    if ".php" in line and (match := re.match(_PHP_RAISED, line)) and match[1] != "thrown":
        return re.sub(_PHP_HEAD, "", match[1], count=1).strip()
    if " line " in line and (match := re.match(_PERL, line)) and not match[1]:
        return line[: match.start(2)].removesuffix(" at ").strip()
    return ""


def _after_at(line: str, previous: str) -> tuple[str, int, str] | None:
    """The frame of a line "at …" of Java, C#, JavaScript or Rust."""
    if match := re.match(_JAVA, line):
        owner, _, method = match[1].rpartition("/")[2].rpartition(".")
        package, _, class_name = owner.rpartition(".")
        path = f"{package.replace('.', '/')}/{match[2]}" if package else match[2]
        made = re.match(_MADE_OF, method)
        function = made[1] if made else method
        return path, int(match[3]), f"{class_name.partition('$')[0]}.{function}".strip(".")
    if ":line " in line and (match := re.match(_CSHARP, line)):
        return match[2], int(match[3]), ".".join(match[1].rsplit(".", 2)[-2:])
    body = line[3:].removeprefix("async ")
    # A path may have parentheses of its own, and a line that was cut off lacks the last one.
    name, opened, place = body.removesuffix(")").partition(" (")
    if not opened and body.endswith(")"):
        name, opened, place = body[:-1].rpartition("(")
    if opened:
        name = name.strip().removeprefix("new ").partition(" [as ")[0]
    else:
        name, place = "", body
        if match := re.match(_RUST_CALL, previous):
            name = match[1]
    match = re.match(_POSITION, place.strip())
    if match and ("/" in match[1] or "\\" in match[1] or "." in match[1]) and "node:" not in match[1]:
        return match[1], int(match[2]), _name(name.removeprefix("Object."))
    return None


def _from_native(line: str) -> tuple[str, int, str] | None:
    """The frame in a line of a debugger, a sanitizer or an assertion of C."""
    if "#" in line[:12]:
        if match := re.match(_C, line):
            return match[2], int(match[3]), match[1]
        if (found := _of_template(line)) is not None:
            return found
    if line.startswith("==") and (match := re.match(_VALGRIND, line)):
        return match[2], int(match[3]), match[1]
    if ": Assertion " in line and (match := re.match(_ASSERTION, line)):
        return match[1], int(match[2]), match[3]
    if ".swift:" in line and (match := re.match(_SWIFT, line)):
        return match[2], int(match[3]), match[1]
    if line.startswith("❯ ") and (match := re.match(_VITEST, line)):
        return match[2], int(match[3]), _name((match[1] or "").removeprefix("Module."))
    return None


def _of_template(line: str) -> tuple[str, int, str] | None:
    """The frame of a debugger or sanitizer with spaces in the name of the function."""
    before, _, place = line.rpartition(" ")
    head, at = re.match(_C_HEAD, line), re.match(_C_PLACE, place)
    if head is None or at is None:
        return None
    depth, name = 0, ""
    for letter in before[head.end() :].removesuffix(" at"):
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter == "(":
            break
        if depth == 0 and letter != ">":
            name += letter
    return at[1], int(at[2]), name.strip().rpartition(" ")[2]


def _from_browser(line: str) -> tuple[str, int, str] | None:
    if (
        "@" in line
        and " " not in line
        and (match := re.match(_POSITION, line.partition("@")[2]))
        and "/" in match[1]
    ):
        # Firefox and Safari: total@https://host/cart.js:12:5
        return match[1], int(match[2]), _name(line.partition("@")[0])
    return None


def _around(frames: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """The frames, each with the function around its line. PHP, Perl and Haskell print the function that the line calls, and the
    one around it in the next frame.
    """
    after = [*frames[1:], ("", 0, "")]
    return [
        (path, line, next_name if path.endswith(_CALLED_FROM) else name)
        for (path, line, name), (_, _, next_name) in zip(frames, after, strict=False)
    ]


def _without_module(path: str) -> str:
    """The file of `Shop/Cart.swift`, as Swift writes it: the part before it is a module, not a folder."""
    return path.rpartition("/")[2] if path.endswith(".swift") and path.count("/") == 1 else path


def _name(name: str | None) -> str:
    return "" if not name or "<" in name else name


def _plain_path(path: str) -> str:
    """Without the scheme and host of a URL, the folders of an installation, and the invented file names of interpreters."""
    if path.startswith("<"):
        return ""
    if "://" in path:
        from urllib.parse import unquote, urlsplit

        try:
            path = unquote(urlsplit(path).path)
        except ValueError:
            return ""
    path = path.strip().replace("\\", "/").removeprefix("/./").removeprefix("./")
    if (installed := re.match(_INSTALLED, path)) is not None:
        return re.sub(_VERSIONED, r"\1", path[installed.end() :], count=1)
    return path
