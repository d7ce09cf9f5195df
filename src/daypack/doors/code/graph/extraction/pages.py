"""Facts of pages and manifests: links, names in backticks, code in fences; the name of a package.

A notebook is stored as a page whose cells are fences, so its functions are extracted here too. Its cells are one program, which
imports from other files; the fences of other pages are examples, which need not belong together.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.facts import (
    MODULE,
    Binding,
    CodeSymbol,
    FileFacts,
    Import,
    Link,
    Mention,
    Statement,
)
from daypack.doors.code.graph.languages import language_of
from daypack.text.qualified_names import dotted

PAGES = frozenset({"markdown"})
MANIFESTS = frozenset({"go.mod", "package.json", "Cargo.toml", "pubspec.yaml"})
MOST_LINKS = 2_000
MOST_FENCES = 300

# ```python   ```{r fit, echo=FALSE}   ```{.julia}   ```{code-cell} ipython3
_FENCE = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[ \t]*(?:\{code(?:-cell|-block)?\}[ \t]*|\{\.?)?([\w+#.-]*)[^\n]*$", re.MULTILINE
)
# Behind the marks of a fence that is run: python cell 3   {r fit}   {code-cell} ipython3
_CELL = re.compile(r"[ \t]*(?:\{(?:code-cell\}|(?!code)[A-Za-z])|[\w+#.-]+ cell \d+[ \t]*$)")
_LINK = re.compile(
    r"\[[^\]\n]{0,300}\]\(\s*<?([^)\s>]{1,300})>?[^)\n]{0,100}\)|^ {0,3}\[[^\]\n]{1,100}\]:\s*(\S{1,300})",
    re.MULTILINE,
)
_TICKED = re.compile(r"(?<!`)`([A-Za-z_$][\w$.:#]{1,100})(?:\(\))?`(?!`)")


def extract_page(text: str, language: str) -> FileFacts:
    """The links of a Markdown page, and the facts of its fences with their lines in the page."""
    outside = list(text)
    symbols: list[CodeSymbol] = []
    mentions: list[Mention] = []
    imports: list[Import] = []
    statements: list[Statement] = []
    bindings: list[Binding] = []
    cells: Counter[str] = Counter()
    at, fences = 0, 0
    while (opening := _FENCE.search(text, at)) is not None:
        mark = opening[1]
        closing = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE).search(
            text, opening.end()
        )
        start, end = opening.end() + 1, closing.start() if closing else len(text)
        at = closing.end() if closing else len(text)
        for place in range(opening.start(), at):
            if outside[place] != "\n":
                outside[place] = " "
        spec = language_of(opening[2]) if opening[2] and fences < MOST_FENCES else None
        if spec is None or start >= end:
            continue
        fences += 1
        if _CELL.match(text, opening.end(1), opening.end()):
            cells[spec.name] += 1
        line, facts = text.count("\n", 0, start), extract(text[start:end], spec.name)
        first, statement = len(symbols), len(statements)

        def shifted(scope: int, first: int = first) -> int:
            return scope if scope == MODULE else scope + first

        symbols += [
            s._replace(
                start_line=s.start_line + line,
                line=s.line + line,
                head_line=s.head_line + line,
                end_line=s.end_line + line,
                parent=shifted(s.parent),
            )
            for s in facts.symbols
        ]
        mentions += [
            m._replace(scope=shifted(m.scope), lines=tuple(n + line for n in m.lines)) for m in facts.mentions
        ]
        imports += [i._replace(statement=i.statement + statement) for i in facts.imports]
        statements += [s._replace(line=s.line + line) for s in facts.statements]
        bindings += [b._replace(scope=shifted(b.scope)) for b in facts.bindings]
    links = _links("".join(outside))
    return FileFacts(
        language,
        tuple(symbols),
        tuple(mentions),
        tuple(imports),
        tuple(statements),
        tuple(bindings),
        links,
        cells=max(cells, key=cells.__getitem__, default=""),
    )


def _links(text: str) -> tuple[Link, ...]:
    found: dict[Link, None] = {}
    for match in _LINK.finditer(text):
        target = (match[1] or match[2]).partition("#")[0]
        if target and not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE):
            found[Link(target, text.count("\n", 0, match.start()) + 1, True)] = None
        if len(found) >= MOST_LINKS:
            break
    for match in _TICKED.finditer(text):
        name = dotted(match[1]).strip(".:")
        line = text.count("\n", 0, match.start()) + 1
        if "." in name and re.search(r"\.[a-z]{1,4}$", name) and "/" not in name and name.count(".") == 1:
            found[Link(name, line, True)] = None  # a file name: retry.py
        found[Link(name, line, False)] = None
        if len(found) >= MOST_LINKS:
            break
    return tuple(found)


def extract_manifest(text: str, name: str, language: str) -> FileFacts:
    """The name by which other files import the folder of a manifest."""
    try:
        module = _MANIFEST_NAMES[name](text)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # malformed, or without a name
        module = ""
    return FileFacts(language, module=module if isinstance(module, str) else "")


def _of_cargo(text: str) -> Any:
    manifest = tomllib.loads(text)
    return manifest.get("lib", {}).get("name") or manifest["package"]["name"]


def _after(word: str, scheme: str = "") -> Callable[[str], Any]:
    """A reader of the name behind a word at the beginning of a line, as imports write it: with a scheme."""
    pattern = re.compile(rf"^{word}\s+[\"']?([^\s\"']+)", re.MULTILINE)
    return lambda text: f"{scheme}{match[1]}" if (match := pattern.search(text)) else ""


_MANIFEST_NAMES: dict[str, Callable[[str], Any]] = {
    "go.mod": _after("module"),
    "pubspec.yaml": _after("name:", "package:"),
    "package.json": lambda text: json.loads(text)["name"],
    "Cargo.toml": _of_cargo,
}
