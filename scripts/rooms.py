"""Draw the house from its imports, and say where it breaks its own rules.

    python scripts/rooms.py              floors, arrows and sizes; exit status 1 when a rule is broken
    python scripts/rooms.py --arrows     … with every arrow between rooms and the files that make it

A room is a file or folder directly below src/daypack; `doors/reading` is a room of its own, because every
door may read with it. An arrow is an import at run time, wherever in a file it is. Type-only imports draw no
arrow, but count where files form a circle. Modules that are named in strings (the registry of doors) draw
none either: that is how the core stays free of them. A room's floor is one above the highest room that it
imports.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "daypack"
MOST_FLOORS = 11
MOST_ROOT_FILES = 9
MOST_FILES, MOST_FOLDER_LINES, MOST_LINES = 20, 3_000, 450

CORE = (
    "types", "errors", "ports", "text", "system", "projects", "crew", "query", "chunk", "filters", "rank", "pack", "tokens", "embed", "guard", "shapes", "index", "settings",
    "engine", "verbs", "evaluate",
)  # fmt: skip
PURE = ("query", "chunk", "filters", "rank", "pack", "tokens", "embed", "guard")
GROUND = ("types", "errors", "ports", "text", "system", "projects", "crew")
BEHIND = ("query", "chunk", "rank", "pack", "embed", "tokens", "index", "engine")
OUTSIDE = ("api", "aio", "surfaces", "adapters", "__main__")
BESIDE = ("evals", "tests")  # packages that import this one


class Import(NamedTuple):
    """One file imports another; `typed` says that only type checkers do."""

    importer: str
    imported: str
    typed: bool


class House(NamedTuple):
    """The files of a package with their lines, and who imports whom."""

    lines: Mapping[str, int]  # by module name
    paths: Mapping[str, Path]
    imports: tuple[Import, ...]


def house(source: Path = SOURCE) -> House:
    """Read the package in `source` (a folder with an `__init__.py`)."""
    paths = {module_of(path, source): path for path in sorted(source.rglob("*.py"))}
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    found = {one for name, text in texts.items() for one in _imports(name, ast.parse(text), paths)}
    return House({name: text.count("\n") for name, text in texts.items()}, paths, tuple(sorted(found)))


def module_of(path: Path, source: Path) -> str:
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(importer: str, tree: ast.AST, paths: Mapping[str, Path]) -> Iterator[Import]:
    package = importer.partition(".")[0]
    typed = {
        id(inner) for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for body in node.body for inner in ast.walk(body)
    }  # fmt: skip
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.level:
            parts = importer.split(".") if paths[importer].name == "__init__.py" else importer.split(".")[:-1]
            base = ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if (top := name.partition(".")[0]) != package:
                if top in BESIDE:
                    yield Import(importer, top, id(node) in typed)
                continue
            imported = name if name in paths else name.rpartition(".")[0]
            if imported in paths and imported != importer:
                yield Import(importer, imported, id(node) in typed)


def room_of(module: str) -> str:
    """The room that a module stands in: the first name below the package, or `doors/reading`."""
    parts = module.split(".")[1:]
    if parts[:2] == ["doors", "reading"]:
        return "doors/reading"
    return parts[0] if parts else "__init__"


def door_of(module: str) -> str:
    """The door whose package a module stands in; "" for every other module."""
    parts = module.split(".")[1:]
    return parts[1] if len(parts) > 2 and parts[0] == "doors" and parts[1] != "reading" else ""


def arrows(found: House) -> dict[tuple[str, str], list[Import]]:
    """(room, room that it imports at run time) → the imports that draw the arrow."""
    drawn: dict[tuple[str, str], list[Import]] = defaultdict(list)
    for one in found.imports:
        ends = room_of(one.importer), room_of(one.imported)
        if not one.typed and ends[0] != ends[1] and one.imported not in BESIDE:
            drawn[ends].append(one)
    return dict(sorted(drawn.items()))


def circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan, 1972), each sorted."""
    after: dict[str, list[str]] = defaultdict(list)
    for start, end in edges:
        after[start].append(end)
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        open_.append(node)
        for other in after.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in open_:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = open_.index(node)
            if len(open_) - at > 1:
                found.append(sorted(open_[at:]))
            del open_[at:]

    for node in sorted(after):
        if node not in number:
            visit(node)
    return found


def floors(drawn: Iterable[tuple[str, str]], rooms: Iterable[str]) -> dict[str, int]:
    """The floor of each room, 1 at the bottom. `drawn` must hold no circle."""
    below: dict[str, set[str]] = {room: set() for room in rooms}
    for start, end in drawn:
        below[start].add(end)
    known: dict[str, int] = {}

    def floor(room: str) -> int:
        if room not in known:
            known[room] = 1 + max((floor(other) for other in below[room]), default=0)
        return known[room]

    for room in below:
        floor(room)
    return known


def broken_rules(found: House) -> list[str]:
    """Every rule of ARCHITECTURE.md that the house breaks, a sentence each; empty when it keeps them all."""
    drawn = arrows(found)
    said = [
        f"files import each other in a circle: {', '.join(circle)}"
        for circle in circles((one.importer, one.imported) for one in found.imports)
    ]
    room_circles = circles(drawn)
    said += [f"rooms import each other in a circle: {', '.join(circle)}" for circle in room_circles]
    for one in found.imports:
        start, end = room_of(one.importer), room_of(one.imported)
        door, other = door_of(one.importer), door_of(one.imported)
        says = f"{one.importer} imports {one.imported}"
        if one.imported in BESIDE:
            said.append(f"{says}: the package stands alone")
        if start in PURE and end not in (start, *GROUND) and not one.typed:
            said.append(f"{says}: {start}/ is pure and knows {', '.join(GROUND)}")
        if start in CORE and end.startswith("doors"):
            said.append(f"{says}: the core knows no door")
        if (start in CORE or start.startswith("doors")) and end in OUTSIDE and not one.typed:
            said.append(f"{says}: {start} is below {end}")
        if start == "surfaces" and end in BEHIND and not one.typed:
            said.append(f"{says}: surfaces call verbs and the API, no stage behind them")
        if door and other and door != other:
            said.append(f"{says}: doors do not know each other")
        if start == "doors/reading" and other:
            said.append(f"{says}: doors read with doors/reading, it knows none of them")
    if not room_circles:
        height = max(floors(drawn, {room_of(name) for name in found.lines}).values())
        if height > MOST_FLOORS:
            said.append(f"the house has {height} floors, at most {MOST_FLOORS} are wanted")
    return said + _too_large(found)


def _too_large(found: House) -> list[str]:
    folders: dict[Path, list[str]] = defaultdict(list)
    for name, path in found.paths.items():
        folders[path.parent].append(name)
    root = min(folders, key=lambda folder: len(folder.parts))
    said = [
        f"{name} has {count} lines, at most {MOST_LINES}"
        for name, count in found.lines.items()
        if count > MOST_LINES
    ]
    for folder, names in folders.items():
        lines = sum(found.lines[name] for name in names)
        if lines > MOST_FOLDER_LINES or len(names) > MOST_FILES:
            said.append(
                f"{folder.name}/ has {len(names)} files and {lines} lines directly in it, at most {MOST_FILES} and {MOST_FOLDER_LINES}"
            )
    if len(folders[root]) > MOST_ROOT_FILES:
        said.append(f"{len(folders[root])} files stand at the root of the package, at most {MOST_ROOT_FILES}")
    return said


def picture(found: House, *, with_arrows: bool = False) -> str:
    """The floors from the top down, with the files, lines and arrows of each room."""
    drawn = arrows(found)
    rooms = sorted({room_of(name) for name in found.lines})
    acyclic = not circles(drawn)
    level = floors(drawn, rooms) if acyclic else dict.fromkeys(rooms, 0)
    lines = [
        f"{len(rooms)} rooms, {len(drawn)} arrows, {max(level.values())} floors, {sum(found.lines.values()):,} lines"
    ]
    for room in sorted(rooms, key=lambda name: (-level[name], name)):
        names = [name for name in found.lines if room_of(name) == room]
        below = [end for start, end in drawn if start == room]
        lines.append(
            f"{level[room]:>3}  {room:<14} {len(names):>3} files {sum(found.lines[name] for name in names):>6,} lines  → {' '.join(below)}"
        )
        if with_arrows:
            lines += [
                f"         {one.importer} → {one.imported}"
                for (start, _), ties in drawn.items()
                if start == room
                for one in ties
            ]
    return "\n".join(lines)


def main() -> None:
    found = house()
    print(picture(found, with_arrows="--arrows" in sys.argv[1:]))
    evals = house(ROOT / "evals")
    said = broken_rules(found) + [
        f"files of evals import each other in a circle: {', '.join(circle)}"
        for circle in circles((one.importer, one.imported) for one in evals.imports)
    ]
    print("\n".join(f"broken: {line}" for line in said) or "every rule is kept")
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
