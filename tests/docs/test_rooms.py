"""The picture in ARCHITECTURE.md, section 4: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "daypack"
GROUND = {"types", "errors", "ports", "text"}
ROOMS = {
    "types": set(),
    "errors": set(),
    "ports": {"types"},
    "text": set(),
    "guard": GROUND,
    "query": GROUND,
    "chunk": GROUND,
    "filters": GROUND,
    "pack": GROUND,
    "rank": GROUND,
    "embed": GROUND,
    "tokens": GROUND,
}


def imports(path: Path) -> Iterator[str]:
    """The rooms of daypack that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [f"daypack.{alias.name}" for alias in node.names]
                if node.module == "daypack"
                else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("daypack."))


def files_of(room: str) -> list[Path]:
    folder = SOURCE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [SOURCE / f"{room}.py"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_what_everybody_may_use_and_no_other_room(room: str) -> None:
    found = {(path.relative_to(SOURCE).as_posix(), name) for path in files_of(room) for name in imports(path)}
    assert {(path, name) for path, name in found if name != room and name not in ROOMS[room]} == set()


def test_no_room_below_the_doors_knows_the_surfaces() -> None:
    below = {*ROOMS, "rank", "shapes", "index", "engine"}
    found = {(room, name) for room in below for path in files_of(room) for name in imports(path)}
    assert {pair for pair in found if pair[1] in {"api", "surfaces", "adapters", "verbs"}} == set()
