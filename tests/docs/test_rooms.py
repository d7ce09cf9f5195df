"""The rules of ARCHITECTURE.md, held by `make rooms`: who may import whom, and how large a room may be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def rooms() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import rooms

        yield rooms
    finally:
        sys.path.remove(str(ROOT / "scripts"))


def built(folder: Path, files: dict[str, str]) -> Path:
    """A package called daypack below `folder` with these files."""
    source = folder / "daypack"
    for name, text in {"__init__.py": "", **files}.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return source


def test_the_house_keeps_every_rule(rooms: ModuleType) -> None:
    assert rooms.broken_rules(rooms.house()) == []


def test_no_files_of_evals_import_each_other_in_a_circle(rooms: ModuleType) -> None:
    found = rooms.house(ROOT / "evals")
    assert rooms.circles((one.importer, one.imported) for one in found.imports) == []


def test_every_room_stands_in_the_picture_of_the_architecture(rooms: ModuleType) -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = {rooms.room_of(name) for name in rooms.house().lines} - {"__init__"}
    assert {
        room
        for room in named
        if f"`{room}" not in page and f" {room}/" not in page and f"{room}/`" not in page
    } == set()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"a.py": "import daypack.b\n", "b.py": "def f():\n    from daypack import a\n"},
            "circle: daypack.a, daypack.b",
        ),
        (
            {
                "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from daypack.b import B\n",
                "b.py": "from daypack.a import A\n",
            },
            "circle: daypack.a, daypack.b",
        ),
        (
            {"engine/run.py": "from daypack.doors.notes import door\n", "doors/notes/door.py": ""},
            "the core knows no door",
        ),
        (
            {"doors/a/door.py": "import daypack.doors.b.door\n", "doors/b/door.py": ""},
            "doors do not know each other",
        ),
        ({"rank/a.py": "from daypack.index.b import C\n", "index/b.py": ""}, "rank/ is pure"),
        ({"engine/a.py": "from daypack.api import Daypack\n", "api.py": ""}, "engine is below api"),
        ({"surfaces/a.py": "from daypack.engine.b import C\n", "engine/b.py": ""}, "no stage behind them"),
        (
            {"surfaces/a.py": "def f():\n    from evals.bench import page\n"},
            "daypack.surfaces.a imports evals",
        ),
        ({"a.py": "import tests.support\n"}, "daypack.a imports tests: the package stands alone"),
        ({"long.py": "\n" * 451}, "has 451 lines"),
        ({f"many{number}.py": "" for number in range(9)}, "10 files stand at the root"),
        (
            {f"floor{n:02}.py": f"import daypack.floor{n + 1:02}\n" for n in range(12)} | {"floor12.py": ""},
            "13 floors",
        ),
    ],
    ids=[
        "circle",
        "typed circle",
        "core and door",
        "two doors",
        "pure",
        "upwards",
        "surface",
        "evals",
        "tests",
        "long",
        "root",
        "floors",
    ],
)
def test_a_broken_rule_is_told(rooms: ModuleType, tmp_path: Path, files: dict[str, str], said: str) -> None:
    assert any(said in line for line in rooms.broken_rules(rooms.house(built(tmp_path, files))))


def test_a_tidy_house_breaks_no_rule(rooms: ModuleType, tmp_path: Path) -> None:
    files = {
        "types.py": "",
        "rank/a.py": "from daypack.types import T\n",
        "engine/b.py": "from daypack.rank import a\n",
        "doors/reading/walk.py": "",
        "doors/notes/door.py": "from daypack.engine import b\nfrom daypack.doors.reading import walk\n",
        "api.py": "from daypack.doors.notes.door import Notes\n",
    }
    found = rooms.house(built(tmp_path, files))
    assert rooms.broken_rules(found) == []
    assert (
        rooms.floors(rooms.arrows(found), {"types", "rank", "engine", "doors", "doors/reading", "api"})["api"]
        == 5
    )
