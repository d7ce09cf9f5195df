"""`make check`: sentences that a native reader stumbles over, with the rule and a better sentence.

    python scripts/english.py             every finding as `file:line: rule: the words; try …`
    python scripts/english.py --count     findings by rule
    python scripts/english.py PATH …      only these files or folders

It reads docstrings, comments and messages of Python files, prose of Markdown files (not code, nor quotations), and the text and
comments of the page's templates and scripts. Each rule is a pattern for a habit that makes the reader solve a riddle. A pattern finds
the worst cases only; CONTRIBUTING.md has the rules of style themselves.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PYTHON, MARKDOWN, MARKUP = frozenset({".py"}), frozenset({".md"}), frozenset({".html", ".js", ".css"})
SCANNED = (
    "src",
    "scripts",
    "docs",
    "plugins",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
)
# Pages that a script makes from sources that are read themselves, records of past decisions, and this file, which quotes the riddles.
SKIPPED = ("docs/evaluation", "docs/reference", "docs/decisions", "scripts/english.py")


class Rule(NamedTuple):
    """A habit to drop: the pattern that finds it, and the sentence to write instead."""

    name: str
    pattern: re.Pattern[str]
    better: str
    docstrings_only: bool = False


def _rule(name: str, pattern: str, better: str, *, docstrings_only: bool = False) -> Rule:
    return Rule(name, re.compile(pattern), better, docstrings_only)


RULES = (
    # The reader waits for the verb to learn what the sentence is about.
    _rule(
        "what-first",
        r"(?:^|(?<=[.!?] )|(?<=[.!?]\) ))(?:What|Who|Whose|Whom|Whoever|Whatever)\b(?![^.!]*\?)",
        "begin with the noun: 'Deleted memories are erased', not 'What is forgotten is erased'",
    ),
    # A docstring names a thing or an action; a question word names neither.
    _rule(
        "question-first",
        r"^(?:Whether|Where|Why|How|Which|When|There)\b(?![^.!]*\?)",
        "begin with a noun or a verb: 'True when …', 'The reason …', 'Number of …'",
        docstrings_only=True,
    ),
    # A number behind a semicolon may be anything: an argument, a limit, the result.
    _rule(
        "bare-result",
        r"; (?:how (?:many|much)\b|their number[.,]|the number of\b[^.;()]*\.$)",
        "say that it is the result: '…; returns their number'",
        docstrings_only=True,
    ),
    # A role says more than a pronoun.
    _rule(
        "nobody",
        r"\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody|[Ee]verybody|[Aa]nybody)\b",
        "name the role: the user, the caller, other owners, no client",
    ),
    _rule(
        "of-it",
        r"\b(?:of it (?:is|was|has|can|may|must|that)\b|(?:[Aa]ll|[Nn]one|more|much|nothing|most|little|[Nn]umber|inside|what) of it\b"
        r"|of them (?:is|are|was|were|has|have)\b)",
        "repeat the noun: 'the whole file', 'no other process', 'each query is'",
    ),
    # "There is no X" is English; "X is no Y" is a translation.
    _rule(
        "is-no",
        r"(?<![Tt]here )\b(?:is|are|was|were) no (?!(?:longer|more|better|worse|less|fewer|different|other|way|doubt|bigger|larger)\b)",
        "write 'is not a …': \"'yesterday' is not a valid date\"",
    ),
    _rule(
        "that-there-is",
        r"\b(?:that|as) there (?:is|are|was|were)\b|\bthere (?:is|are) not\b",
        "use a verb: 'an unknown verb', 'every file', 'as many as exist'",
    ),
    # A subordinate clause stands where the concrete noun belongs.
    _rule(
        "what-clause",
        r"\bwhat (?:stands|stood|lies|cannot|came)\b|\b(?:of|from|in|to|with|than|for|by|at|on|into|and|or|but|as|beside|behind) what "
        r"(?:is|are|was|were|has|have|had|can|comes|belongs|follows)\b",
        "name the thing: 'of the stored text', 'unresolved references'",
    ),
    _rule(
        "is-told",
        r"\b(?:is|are|be|was|were|been|being) (?:said|told)\b",
        "say who reports it: 'the error names', 'Daypack prints', 'a note lists'",
    ),
    _rule(
        "stands",
        r"\b(?:where|that|which|it|they|nothing|something|text) (?:stands?|stood|lies|lie)\b(?! for\b| alone\b| still\b)",
        "use 'is', 'is written', 'is stored'; only posts and houses stand",
    ),
    _rule("of-ours", r"\bof ours\b|\bof theirs\b", "write 'our own …' or name it: 'an internal error'"),
    _rule(
        "calque",
        r"\b(?:in so many words|the same again|anew|as it were|in its turn|to begin with|over again|at one's)\b",
        "write 'explicitly', 'repeats', 'again'",
    ),
)


class Finding(NamedTuple):
    """A rule that a line breaks, with the words that show it."""

    path: Path
    line: int
    rule: Rule
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule.name}: '{self.words}'; {self.rule.better}"


class Prose(NamedTuple):
    """A stretch of text that people read, and the line that it begins on."""

    line: int
    text: str
    docstring: bool = False


def findings_in(path: Path, text: str) -> Iterator[Finding]:
    """Every finding in a file, in the order of its lines within each kind of prose."""
    reader = (
        python_prose if path.suffix in PYTHON else markdown_prose if path.suffix in MARKDOWN else markup_prose
    )
    for prose in reader(text):
        for rule in RULES:
            if rule.docstrings_only and not prose.docstring:
                continue
            for match in rule.pattern.finditer(_flat(prose.text)):
                line = prose.line + _lines_before(prose.text, match.start())
                yield Finding(path, line, rule, _flat(prose.text)[match.start() : match.end() + 30].strip())


def _flat(text: str) -> str:
    """The text with each run of white space as one blank."""
    return " ".join(text.split())


def _lines_before(text: str, offset: int) -> int:
    """The number of line ends before an offset of the flat text."""
    seen = 0
    for number, line in enumerate(text.split("\n")):
        seen += len(_flat(line)) + 1 if line.strip() else 0
        if seen > offset:
            return number
    return 0


def python_prose(source: str) -> Iterator[Prose]:
    """Docstrings, comments, and strings of three words or more."""
    tree = ast.parse(source)
    expressions = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            if id(node) in expressions or len(node.value.split()) > 2:
                yield Prose(node.lineno, _without_code(node.value), docstring=id(node) in expressions)
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
            if len(text.split()) > 2:
                yield Prose(node.lineno, _without_code(text))
    yield from _comments(source, tree)


def _comments(source: str, tree: ast.AST) -> Iterator[Prose]:
    """Comments; lines that follow each other in one column are one comment."""
    inside = _string_spans(tree)
    block: list[str] = []
    start = column = 0
    for number, line in enumerate(source.split("\n"), 1):
        at = line.find("#")
        while at >= 0 and any(
            first <= (number, len(line[:at].encode())) < last for first, last in inside.get(number, ())
        ):
            at = line.find("#", at + 1)
        if block and (at != column or line[:at].strip()):
            yield Prose(start, "\n".join(block))
            block = []
        if at < 0:
            continue
        if not block:
            start, column = number, at
        block.append(_without_code(line[at:].lstrip("#: ")))
    if block:
        yield Prose(start, "\n".join(block))


def _string_spans(tree: ast.AST) -> dict[int, list[tuple[tuple[int, int], tuple[int, int]]]]:
    """Line → the (begin, end) of each string on it, as (line, byte) pairs."""
    spans: dict[int, list[tuple[tuple[int, int], tuple[int, int]]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
        ):
            last = (node.end_lineno or node.lineno, node.end_col_offset or 0)
            for line in range(node.lineno, last[0] + 1):
                spans.setdefault(line, []).append(((node.lineno, node.col_offset), last))
    return spans


def markdown_prose(source: str) -> Iterator[Prose]:
    """Paragraphs, list items and table cells outside code; headings may be questions, quotations may be anything."""
    block: list[str] = []
    start = 0
    fenced = False
    for number, line in enumerate([*source.split("\n"), ""], 1):
        bare = line.strip()
        if bare.startswith("```"):
            fenced = not fenced
        begins = (
            not bare
            or bare.startswith(("#", "|", "- ", "* ", ">", "```"))
            or fenced
            or re.match(r"\d+\. ", bare) is not None
        )
        if begins and block:
            yield Prose(start, "\n".join(block))
            block = []
        if not bare or fenced or bare.startswith(("#", "```", "    ")):
            continue
        if bare.startswith("|"):
            yield from (
                Prose(number, _without_code(cell.strip())) for cell in _without_quotes(bare).split("|")
            )
            continue
        if not block:
            start = number
        block.append(_without_code(_without_quotes(re.sub(r"^(?:[-*>]|\d+\.) ", "", bare))))


def markup_prose(source: str) -> Iterator[Prose]:
    """Text of templates, and comments of scripts and style sheets."""
    for number, line in enumerate(source.split("\n"), 1):
        for text in (*re.findall(r">([^<>{}]{8,})<", line), *re.findall(r"(?://|/\*|<!--|\{#)\s(.+)", line)):
            yield Prose(number, text)


def _without_code(text: str) -> str:
    """Text whose `code` is one sign, so that a pattern never matches inside it."""
    return re.sub(r"`[^`\n]*`", "…", text)


def _without_quotes(text: str) -> str:
    """Text without quotations; the name of a test is one."""
    return re.sub(r'"[^"\n]*"|“[^”\n]*”|\[[^\]\n]*\]\([^)\n]*/test_\w+\.py\)', "…", text)


def files(names: list[str]) -> Iterator[Path]:
    """The files to read, sorted: those named, or those of the project."""
    for name in names or SCANNED:
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            inside = path.relative_to(ROOT).as_posix()
            if (
                path.suffix in PYTHON | MARKDOWN | MARKUP
                and not inside.startswith(SKIPPED)
                and path.is_file()
            ):
                yield path.relative_to(ROOT)


def main(arguments: list[str]) -> int:
    """Print the findings; 1 when there are any."""
    names = [name for name in arguments if not name.startswith("-")]
    found = [
        finding
        for path in files(names)
        for finding in findings_in(path, (ROOT / path).read_text(encoding="utf-8"))
    ]
    if "--count" in arguments:
        for name, number in Counter(finding.rule.name for finding in found).most_common():
            print(f"{number:6} {name}")
    else:
        for finding in found:
            print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
