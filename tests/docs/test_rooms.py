"""The picture in ARCHITECTURE.md, section 4: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "daypack"
COMMON = {
    "frozen",
    "expressions",
    "types",
    "memory_types",
    "session_types",
    "source_types",
    "task_types",
    "code_types",
    "fitted",
    "values",
    "ports",
    "errors",
    "analysis",
    "syntax",
    "guard",
}
ROOMS = {
    "frozen": set(),
    "expressions": set(),
    "types": {"frozen"},
    "memory_types": {"types"},
    "session_types": {"types"},
    "source_types": {"types"},
    "task_types": {"source_types"},
    "code_types": {"types"},
    "fitted": {"types", "errors", "frozen"},
    "values": {"errors"},
    "memory": COMMON,
    "documents": COMMON,
    "sources": COMMON,
    "source_settings": COMMON,
    "tasks": COMMON,
    "preferences": COMMON | {"tasks"},  # its tables
    "session_rules": COMMON,
    "session": COMMON | {"session_rules"},  # its tables
    "errors": set(),
    "ports": {"types"},
    "analysis": set(),
    "syntax": set(),
    "guard": {"types", "errors", "expressions"},
    "query": COMMON,
    "chunk": COMMON,
    "filters": COMMON,
    "graph": COMMON,
    "rank": COMMON,
    "pack": COMMON,
    "shapes": COMMON,
    "evaluate": COMMON,
    "tokens": COMMON,
    "embed": COMMON,
    "index": COMMON,
    "retrieve": COMMON | {"index"},  # the stated exception
}
STAGES = {"query", "chunk", "graph", "filters", "rank", "pack", "shapes", "retrieve", "index", "embed", "tokens"}


def imports(path: Path) -> Iterator[str]:
    """The rooms of daypack that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"daypack.{alias.name}" for alias in node.names] if node.module == "daypack" else [node.module]
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


def test_the_rooms_do_not_know_the_engine_or_the_surfaces() -> None:
    inner = {"pipeline", *ROOMS}
    found = {(room, name) for room in inner for path in files_of(room) for name in imports(path)}
    assert {
        pair for pair in found if pair[1] in {"engine", "api", "surfaces", "doors", "settings", "configuration", "health", "trials"}
    } == set()


def test_a_surface_sees_no_stage_but_shapes() -> None:
    found = {name for path in files_of("surfaces") for name in imports(path)}
    assert found & (STAGES - {"shapes"}) == set()


def test_every_room_stands_in_the_table() -> None:
    """A new folder or file is put into ROOMS, or is one of those where the rooms meet."""
    meeting = {
        "__init__",
        "__main__",
        "adapters",
        "api",
        "awaited",
        "background",
        "benchmark",
        "doors",
        "embedding",
        "engine",
        "fitting",
        "fused",
        "health",
        "hooks",
        "ingestion",
        "narrowing",
        "pipeline",
        "projects",
        "references",
        "service",
        "settings",
        "standing",
        "configuration",
        "surfaces",
        "testing",
        "trials",
        "verbs",
    }
    there = {
        path.stem if path.suffix == ".py" else path.name
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))
    }
    assert there - meeting == set(ROOMS)
