"""The imports of one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daypack.doors.code.graph.extraction.source import Captures, Source, text_of
from daypack.doors.code.graph.extraction.spelling import expanded, unquoted
from daypack.doors.code.graph.facts import Import, Statement, last_segment
from daypack.text.syntax import Node

_LONGEST_STATEMENT = 1_000  # bytes


def imports_of(
    source: Source, matches: Sequence[Captures], packages: Sequence[Node]
) -> tuple[tuple[Import, ...], tuple[Statement, ...]]:
    """The imported names, and the statements that import them. The places of both, and of the package, are noted in `source`."""
    statements: dict[int, Statement] = {}  # by the start of the statement
    numbers: dict[int, int] = {}
    imports: dict[Import, None] = {}
    for captures in matches:
        node = captures["import"][0]
        start = node.start_byte
        if start not in statements:
            numbers[start] = len(numbers)
            source.imports.append((start, node.end_byte))
            written = text_of(source.content, node, _LONGEST_STATEMENT)
            statements[start] = Statement(node.start_point.row + 1, " ".join(written.split()).rstrip("; "))
        imports |= dict.fromkeys(_imports(source, captures, numbers[start]))
    source.imports.extend((node.start_byte, node.end_byte) for node in packages)
    source.imports.sort()
    with_names = {entry.statement for entry in imports if entry.item or entry.name}
    kept = [entry for entry in imports if entry.item or entry.name or entry.statement not in with_names]
    return tuple(kept), tuple(statements.values())


def _imports(source: Source, captures: Captures, statement: int) -> Iterator[Import]:
    """The names that one match imports."""
    module = unquoted(source.long_text(captures["module"][0])) if "module" in captures else ""
    module = source.spec.plain_path(module)
    alias = source.text(captures["alias"][0]) if "alias" in captures else ""
    items = [unquoted(source.text(item)) for item in captures.get("item", ())]
    if "tree" in captures:
        yield from _tree(source.long_text(captures["tree"][0]), statement)
    elif "all" in captures:
        yield Import(module, "*", "*", statement)
    elif "default" in captures:
        yield Import(module, "default", source.text(captures["default"][0]), statement)
    elif items:
        for item in items:
            if source.spec.modules == "package" and item != "*":  # use Shop\{Cart, Till as Desk}
                yield Import(f"{module}.{item}", "", alias or last_segment(item), statement)
            else:
                yield Import(module, item, alias or item, statement)
    elif source.spec.import_braces:
        for path, item, name in expanded(module):
            yield Import(path, item, alias or name, statement)
    elif module:
        yield Import(module, "", alias, statement)


def _tree(text: str, statement: int) -> Iterator[Import]:
    """The names of an import with braces that import whole modules too: a.{B, C => D, _}."""
    for path, item, name in expanded(text.partition(" ")[2].replace("=>", " as ")):
        if item in ("_", "*"):
            yield Import(path, "*", "*", statement)
        else:
            yield Import(f"{path}.{item}", "", name, statement)
