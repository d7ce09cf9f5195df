"""Text of a programming language → its tree, by the packaged grammars, within a time limit that grows with
the text.

The cutter of code and the reader of its symbols both begin here.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from daypack.text.name_sets import name_set

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter import Parser, Tree

Node: TypeAlias = "tree_sitter.Node"
"""A node of a tree. Only a file to be parsed loads tree-sitter."""
PARSE_LIMIT_BYTES = 4 << 20
PARSE_SECONDS_PER_BYTE = 1 / 2**20
# ten times what the slowest file of 4,000 in 40 projects takes alone: on a busy machine the same work takes more of this time
PARSE_SECONDS_AT_LEAST = 1.0
READ_BYTES = 16_384

_ALSO_CALLED = {
    "python": "py python3 pyi starlark ipython ipython3",
    "javascript": "js jsx javascriptreact mjs cjs node",
    "typescript": "ts",
    "tsx": "typescriptreact",
    "go": "golang",
    "rust": "rs",
    "c": "h",
    "cpp": "c++ cc cxx hpp cuda",
    "ruby": "rb",
    "csharp": "c# cs c_sharp",
    "kotlin": "kt",
    "bash": "sh shell zsh ksh shellscript",
}
ALIASES: Mapping[str, str] = {
    alias: language for language, aliases in _ALSO_CALLED.items() for alias in aliases.split()
}


DECLARING = name_set(
    "hcl bicep sql proto thrift graphql prisma cue make cmake just dockerfile kconfig devicetree "  # read as code
    "yaml toml ini nginx properties jinja2 gotmpl"
)
"""Languages whose files declare what is: manifests, schemas, builds, settings. They answer as code does and as pages do."""


def plain_name(language: str) -> str:
    """The name of a language by any of its usual ones."""
    name = language.lower()
    return ALIASES.get(name, name)


# A macro where a grammar of C expects no word: class API Log {   INLINE void flush(…   A class whose name seems to be API
# ends in an error, and its members are functions of nothing.
_MACRO = rb"[A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,80}\))?"
_MACRO_OF_TYPE = re.compile(
    rb"(?:(?<=\bclass )|(?<=\bstruct ))"
    + _MACRO
    + rb"(?=[ \t]+[A-Za-z_]\w*(?:<[^;{}()\n]{0,200}>)?(?:[ \t]+final\b)?\s*(?:\{|:[^:;{}()][^;{}()]{0,400}\{))"
)
_MACRO_OF_FUNCTION = re.compile(
    rb"(?m)^[ \t]*(?:template[ \t]*<(?:[^<>;{}()\n]|<[^<>;{}()\n]*>){0,200}>[ \t]*)?"
    rb"(?:(?:static|extern|virtual|friend|inline|template)[ \t]+)*("
    + _MACRO
    + rb"(?:[ \t]+"
    + _MACRO
    + rb")?)(?=[ \t]+(?>(?:[A-Za-z_][\w:]*(?:<[^;{}()\n]{0,200}>)?[ \t*&]+)+)(?:[\w:~<>]+|operator[^\s\w(]{1,3})\("
    rb"|[ \t]+(?:explicit[ \t]+)?[A-Za-z_]\w*\([^;{}()]{0,300}\)(?:[ \t]*noexcept)?\s*:[^:])"
)
# A macro between `if` and its condition: if PORT_CONSTEXPR (…), if PORT_UNLIKELY(…)
_MACRO_OF_CONDITION = re.compile(rb"\bif[ \t]+([A-Z][A-Z0-9_]{2,}+)(?=[ \t]*\()")
# A macro for a parameter of a template: template <typename T, PORT_ENABLE_IF(is_tide<T>::value)>
_TEMPLATE = re.compile(rb"\btemplate\s*<")
_MACRO_OF_TEMPLATE = re.compile(
    rb",\s*+[A-Z][A-Z0-9_]{2,}+\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\)){0,200}\)){0,400}\)(?=\s*[,>])"
)
_TEMPLATE_HEAD = 600  # bytes of the parameters of a template
# A macro on lines of its own above a declaration: PORT_NAMESPACE_BEGIN above `namespace a {`, PORT_NON_NULL(3) above a
# member. The keyword behind it, or behind comments, tells it from a value of a list and from a part of an expression.
_MACROS_ALONE = re.compile(
    rb"(?m)(?<!\\\n)^(?>(?:[ \t]*+[A-Z][A-Z0-9_]{2,}+(?:\((?:[^()\n]|\([^()\n]*\)){0,120}\))?[ \t]*+\n\s*+){1,8})"
    rb"(?=(?:\s|//[^\n]*+\n|/\*[\s\S]{0,6000}?\*/)*+"
    rb"(?:namespace|class|struct|union|enum|template|typedef|using|static|inline|constexpr|virtual|explicit|friend|extern"
    rb"|public|protected|private|void|bool|char|int|long|short|unsigned|signed|float|double|auto|const)\b)"
)
# A macro for `private:`, as Q_SIGNALS: and PORT_PRIVATE_UNLESS_TESTED:
_MACRO_OF_ACCESS = re.compile(rb"(?m)^[ \t]*+[A-Z][A-Z0-9_]{2,}+[ \t]*+:[ \t]*+$")


# Conditions between the name of a class in C# and its body: #if FEATURE, : IBase, #endif. The class seemed to be FEATURE.
_DIRECTIVES_IN_HEAD = re.compile(
    rb"(?m)(?<=[\w>)])[ \t\r]*\n((?>(?:[ \t]*(?:#[^\n]*|[:,][^\n;{}()]*)\n){1,40}))(?=[ \t]*\{)"
)


def without_directives(source: bytes, grammar: str) -> bytes:
    """A source that the grammar can read, with blanks for the marks of a conflict in git, for conditions where they part a
    bracket from its end, and for signs that the grammar misreads. Every other byte keeps its place.

    In heads of C# classes; a head with an `#else` loses its bases as well. In C and C++ around a brace without its end:

        #ifdef FAST
            if (fast) { … } else {
        #endif

    Macros count as undefined: a branch under `#else` stays, and without one the first. `#if 0` loses its first branch.
    """
    source = _without_conflict_marks(source)
    if grammar == "bash":
        return _ESCAPED_COMMAND.sub(rb"\1 ", source)
    if grammar == "cpp":
        source = _MACRO_ABOVE_NAMESPACE.sub(_blank, source)
    if b"#" not in source or b"if" not in source:
        return source
    if grammar in ("c", "cpp"):
        return _without_parting_conditions(_HAS_INCLUDE.sub(_included, source))
    return _DIRECTIVES_IN_HEAD.sub(_head_blanked, source) if grammar == "csharp" else source


# The grammar takes PORT_BEGIN_NAMESPACE above `namespace tide {` for the type of a function, which then holds the whole file, and
# PORT_EXPORT above `template <…>` for a part of its name.
_MACRO_ABOVE_NAMESPACE = re.compile(
    rb"(?m)^[ \t]*+[A-Z_][A-Z0-9_]{2,}+(?=[ \t]*+\n\s*+(?:inline[ \t]+)?namespace\b|\s++template\b)"
)

# The header in a condition, `#if __has_include(<tide.h>)`, with which the grammar loses the condition and all below it.
_HAS_INCLUDE = re.compile(rb"(?i)(?<=has_include\()(?:<[^<>\n]*>|\"[^\"\n]*\")(?=\))")


def _included(found: re.Match[bytes]) -> bytes:
    """A name of the same length."""
    return b"_" * len(found[0])


# A command of a shell that no alias may replace, `\. ./tide.sh`: the grammar reads its line as words of the line above.
_ESCAPED_COMMAND = re.compile(rb"(?m)(?<!\\\n)^([ \t]*+)\\(?=[\w.])")

# The lines that a merge writes around the sides of a conflict. Without a first one, a row of signs underlines a heading.
_CONFLICT_BEGINS = re.compile(rb"(?m)^<{7}(?=[ \r\n])")
_CONFLICT_MARK = re.compile(rb"(?m)^(?:<{7}|={7}|>{7}|\|{7})(?: [^\r\n]*+)?+(?=\r?$)")


def _without_conflict_marks(source: bytes) -> bytes:
    """A source in which the sides of conflicts follow each other, so that the grammar reads both."""
    if b"<<<<<<<" not in source or (first := _CONFLICT_BEGINS.search(source)) is None:
        return source
    return source[: first.start()] + _CONFLICT_MARK.sub(_blank, source[first.start() :])


def _head_blanked(found: re.Match[bytes]) -> bytes:
    left_out = rb"[^\n]" if re.search(rb"(?m)^[ \t]*#[ \t]*el", found[1]) else rb"(?m)^[ \t]*#[^\n]*"
    lines = re.sub(left_out, _blank, found[1])
    return found[0][: found.start(1) - found.start()] + lines


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


# A directive to its end, a text whose braces are none of the code, or a brace.
# An open comment or text reaches to the end of the text or the line: to look for its end again and again takes too long.
_COMMENT = rb"//[^\n]*+|/\*(?>[\s\S]*?\*/|[\s\S]*+)"
_BRACES = re.compile(
    rb"(?m)^[ \t]*+#[ \t]*+(?P<directive>[a-z]\w*+)(?P<rest>(?:[^\\\n/]|\\(?:\r?\n|.)?|"
    + _COMMENT
    + rb"|/)*+)|"
    + _COMMENT
    + rb"|R\"(?P<mark>[^\s()\\]{0,16})\((?>[\s\S]*?\)(?P=mark)\"|[\s\S]*+)"
    rb"|\"(?:\\(?:\r?\n|.)?|[^\"\\\n])*+\"?|'(?:\\[^\n]{1,9}?|[^'\\\n])'"
    rb"|(?P<brace>[{}])"
)


# Conditions that are true, or false, where no macro is defined. `#if 0 || FAST` is neither.
_TRUE = re.compile(rb"[ \t]*!|[ \t]*1[ \t]*(?:$|[\r/])")
_NEVER = re.compile(rb"[ \t]*0[ \t]*(?:$|[\r/])")


class _Condition:
    """A condition of the preprocessor while its braces are counted: where its directives are, and the depth in each branch."""

    def __init__(self, directive: re.Match[bytes]) -> None:
        self.directives = [directive]
        self.depth = 0
        self.depths: list[int] = []
        self.parts = False

    def brace(self, sign: bytes) -> None:
        self.depth += 1 if sign == b"{" else -1
        self.parts = self.parts or self.depth < 0

    def end_branch(self, directive: re.Match[bytes]) -> None:
        self.parts = self.parts or self.depth != 0
        self.depths.append(self.depth)
        self.depth = 0
        self.directives.append(directive)

    @property
    def is_read(self) -> bool:
        """True for `extern "C" {` for C++, which the grammars read."""
        return b"__cplusplus" in self.directives[0]["rest"]

    @property
    def kept(self) -> int:
        """Return the index of the branch that stays, or the number of branches where none does."""
        condition = self.directives[0]
        if self.is_read or condition["directive"] == b"ifndef" or _TRUE.match(condition["rest"]):
            return 0
        if self.directives[-2]["directive"] == b"else":
            return len(self.depths) - 1
        return 1 if condition["directive"] == b"if" and _NEVER.match(condition["rest"]) else 0

    @property
    def depth_of_kept(self) -> int:
        return sum(self.depths[self.kept : self.kept + 1])

    def blanks(self) -> list[tuple[int, int]]:
        """All up to the branch that stays, and all below it."""
        spans = [directive.span() for directive in self.directives]
        first, last = spans[self.kept], spans[min(self.kept + 1, len(spans) - 1)]
        return [(spans[0][0], first[1]), (last[0], spans[-1][1])]


def _without_parting_conditions(source: bytes) -> bytes:
    blanks: list[tuple[int, int]] = []
    around: list[_Condition] = []
    for token in _BRACES.finditer(source):
        if (brace := token["brace"]) is not None:
            if around:
                around[-1].brace(brace)
        elif (directive := token["directive"]) in (b"if", b"ifdef", b"ifndef"):
            around.append(_Condition(token))
        elif directive is not None and around and directive.startswith((b"el", b"endif")):
            around[-1].end_branch(token)
            if directive == b"endif":
                ended = around.pop()
                if around:
                    around[-1].depth += ended.depth_of_kept
                if ended.parts and not ended.is_read:
                    blanks += ended.blanks()
    if not blanks:
        return source
    kept = bytearray(source)
    for start, end in blanks:
        kept[start:end] = re.sub(rb"[^\n]", b" ", source[start:end])
    return bytes(kept)


def without_macros(source: bytes, grammar: str) -> bytes:
    """A source that the grammar can read, with every other byte at its place: macros of C and C++ that say how a linker or
    compiler treats a class or function are blanks.

    The cutter of code does not use it: a class that only declares then came before the code that defines its members.
    """
    if grammar not in ("c", "cpp"):
        return source
    source = _MACROS_ALONE.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), source)
    source = _without_template_macros(source)
    for pattern in (_MACRO_OF_ACCESS, _MACRO_OF_TYPE):
        source = pattern.sub(lambda found: b" " * len(found[0]), source)
    for pattern in (_MACRO_OF_CONDITION, _MACRO_OF_FUNCTION):
        source = pattern.sub(
            lambda found: found[0][: found.start(1) - found.start()] + b" " * len(found[1]), source
        )
    return source


def _without_template_macros(source: bytes) -> bytes:
    """A source with blanks for the macros among the parameters of templates."""
    parts, at = [], 0
    for found in _TEMPLATE.finditer(source):
        head = source[found.end() : found.end() + _TEMPLATE_HEAD]
        if found.end() < at or (macro := _MACRO_OF_TEMPLATE.search(head)) is None:
            continue
        before = head[: macro.start()]
        if before.count(b"<") < before.count(b">") or b"(" in before or b"{" in before or b";" in before:
            continue
        start, end = found.end() + macro.start(), found.end() + macro.end()
        parts += [source[at:start], re.sub(rb"[^\n]", b" ", macro[0])]
        at = end
    return b"".join([*parts, source[at:]])


# A macro before a block where a statement begins, as TRY { … } CATCH_ALL { … }. The grammars read a literal of the type TRY,
# which ends at the first semicolon, and the function around it ends with it.
_MACRO_OF_BLOCK = re.compile(rb"\b[A-Z][A-Z0-9_]{2,}+(?=\s*+\{)")
_BESIDE_CODE = re.compile(rb"(?m)//[^\n]*+|/\*[\s\S]*?\*/|^[ \t]*+#[^\n]*+")
# Bytes before such a macro in which the statement above it ends; comments may stand between.
_BEFORE_BLOCK = 400


def without_block_macros(source: bytes, grammar: str) -> bytes:
    """A source in which macros of C and C++ before a block are blanks, with every other byte at its place."""
    if grammar not in ("c", "cpp"):
        return source

    def blank(found: re.Match[bytes]) -> bytes:
        above = _BESIDE_CODE.sub(b"", source[max(0, found.start() - _BEFORE_BLOCK) : found.end()])
        begins = above.endswith(found[0]) and above.removesuffix(found[0]).rstrip().endswith(
            (b";", b"{", b"}")
        )
        return _blank(found) if begins else found[0]

    return _MACRO_OF_BLOCK.sub(blank, source)


# The attribute above a test, or a module of tests, in the file of the code that it tests.
_TEST_MARKS: Mapping[str, re.Pattern[bytes]] = {
    "rust": re.compile(
        rb"#\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case|quickcheck|bench|cfg\s*\(\s*(?:all\s*\()?\s*test)\b"
    )
}


def is_marked_as_test(source: bytes, node: Node, grammar: str) -> bool:
    """True when an attribute above a definition marks it as a test, or as a module of tests."""
    if (mark := _TEST_MARKS.get(grammar)) is None:
        return False
    above = node.prev_named_sibling
    while above is not None and ("attribute" in above.type or "comment" in above.type):
        if mark.match(source, above.start_byte, above.end_byte):
            return True
        above = above.prev_named_sibling
    return False


def encoded(text: str) -> bytes:
    """A text in the form that parsers take.

    One byte for a lone surrogate keeps offsets countable; NUL ends the input for some grammars.
    """
    return text.encode("utf-8", "replace").replace(b"\0", b" ")


def parser_for(grammar: str) -> Parser | None:
    """A new parser of a bundled grammar, or None when it is not available.

    Parsers are cheap and not shared between threads.
    """
    try:
        import semble_grammars
    except ImportError:
        return None
    try:
        parser: Parser = semble_grammars.get_parser(grammar)
    except semble_grammars.GrammarLoadError:
        return _parser_from_temporary_folder(grammar)
    except Exception:  # an unknown platform or a changed package: lines are still a cut
        return None
    return parser


def _parser_from_temporary_folder(grammar: str) -> Parser | None:
    """The parser, with its library unpacked into a private folder: the home directory may be read-only.

    The folder is new for each process: another user could fill a well-known one with a library.
    """
    import atexit
    import os
    import shutil
    import tempfile

    import semble_grammars

    variable = "SEMBLE_GRAMMARS_CACHE_DIR"
    try:
        folder = tempfile.mkdtemp(prefix="daypack-grammars-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ[variable] = folder  # stays set, so the next grammar goes there directly
        parser: Parser = semble_grammars.get_parser(grammar)
    except Exception:
        return None
    return parser


def parse_code(parser: Parser, source: bytes, grammar: str) -> tuple[Tree | None, bytes]:
    """(tree, text that was parsed): the source, or where the grammar finds errors, the source without macros before blocks, if
    that is parsed in time.
    """
    tree = parse(parser, source)
    if tree is None or not tree.root_node.has_error:
        return tree, source
    plain = without_block_macros(source, grammar)
    again = parse(parser, plain) if plain != source else None
    return (again, plain) if again is not None else (tree, source)


class _Piece(threading.local):
    """The part of a source that the parser reads now, for each thread one.

    The binding never lets go of an object that it read from, and some grammars read a file a thousand times. So it gets the
    same object each time, with other bytes in it.
    """

    def __init__(self) -> None:
        self.read = bytearray()


_piece = _Piece()


def parse(parser: Parser, source: bytes) -> Tree | None:
    """The tree, None when parsing takes more processor time than the file is worth."""
    import time

    # The time of this thread, not the clock: a busy machine must not change how a file is cut.
    deadline = time.thread_time() + PARSE_SECONDS_AT_LEAST + len(source) * PARSE_SECONDS_PER_BYTE

    piece = _piece.read
    parsed, part = False, b""

    def read(offset: int, _point: object) -> bytes | bytearray:
        nonlocal part  # the binding reads the text of a node after it let go of it
        part = source[offset : offset + READ_BYTES]
        if parsed:  # for the text of a node, which a query compares, it takes bytes alone
            return part
        piece[:] = part
        return piece

    calls = 0

    def too_long(_offset: int, _has_error: bool) -> bool:
        nonlocal calls
        calls += 1
        # called every 150 bytes, and this clock is slow
        return calls % 32 == 1 and time.thread_time() > deadline

    try:
        return parser.parse(read, progress_callback=too_long)
    except ValueError:  # cancelled
        return None
    finally:
        parsed = True
