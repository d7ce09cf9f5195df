"""A store that several projects share: this one without a name, another by its path, all of them as "global"."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.adapters.service import SyncDaypackService
from daypack.adapters.shared import Project
from daypack.doors.sessions.types import Said, Step
from daypack.errors import InputError
from daypack.surfaces.toolsets import offered
from daypack.verbs import Access
from support import WORDS, command, daypack, environment, project

T0 = 1_790_000_000.0


class Two:
    """Two projects and the store that they share, which lies beside, above or inside of them."""

    def __init__(self, shared: Path, ferry: Path, harbour: Path) -> None:
        self.shared, self.ferry, self.harbour = shared, ferry, harbour

    def open(self, root: Path) -> Daypack:
        return Daypack.open(self.shared / ".daypack", root=self.shared, settings=WORDS, shared=str(root))


@pytest.fixture(params=["beside", "above", "inside"])
def two(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Two]:
    ferry = project(tmp_path / "work" / "ferry", {"README.md": "# Ferry\n\nThe pump of the ferry is red.\n"})
    harbour = project(
        tmp_path / "work" / "harbour", {"README.md": "# Harbour\n\nThe pump of the harbour is blue.\n"}
    )
    shared = {"beside": tmp_path / "stores", "above": tmp_path / "work", "inside": ferry / "store"}[
        request.param
    ]
    shared.mkdir(exist_ok=True)
    found = Two(shared, ferry, harbour)
    for root, colour in ((ferry, "red"), (harbour, "blue")):
        with found.open(root) as dp:
            dp.files.add(root)
            dp.knowledge.add_text("manual", f"The pump manual has a {colour} cover.")
            dp.sessions.add_steps([Step(f"s-{colour}", T0, Said("user", f"Paint the pump {colour}"), "k")])
            dp.memories.remember("pump", f"The pump was painted {colour}.")
    yield found


def colours(dp: Daypack, **narrow: Any) -> list[str]:
    """Which project each result is of."""
    texts = [c.chunk.text for c in dp.search("pump", limit=50, vectors="none", **narrow).candidates]
    return sorted("red" if "red" in text else "blue" for text in texts)


def test_without_a_name_it_is_this_project(two: Two) -> None:
    with two.open(two.ferry) as dp:
        assert colours(dp) == ["red"] * 4  # a file, a source, a session, a memory
        assert "blue" not in dp.pack("pump", budget=2000, vectors="none").text
        assert [label.records for label in dp.knowledge.labels()] == [1]
        assert [session.id for session in dp.sessions.sessions()] == ["s-red"]


def test_another_project_is_asked_by_its_path_and_all_as_global(two: Two) -> None:
    with two.open(two.ferry) as dp:
        assert colours(dp, project=str(two.harbour)) == ["blue"] * 4
        assert colours(dp, project="global", session="all") == ["blue"] * 4 + ["red"] * 4
        assert colours(dp) == ["red"] * 4  # and then this one again
        assert colours(dp, project="global", session="all", door="files") == ["blue", "red"]
        assert "blue" in dp.pack("pump", budget=2000, vectors="none", project="global").text
        with pytest.raises(InputError, match="absolute path"):
            dp.search("pump", project="harbour")


def test_what_somebody_else_remembers_is_not_found_from_anywhere(two: Two) -> None:
    store = two.shared / ".daypack"
    with Daypack.open(store, root=two.shared, settings=WORDS, shared=str(two.harbour), owner="Ines") as hers:
        hers.memories.remember("lamp", "The lamp is green.")
    with two.open(two.harbour) as mine:
        mine.memories.remember("lamp", "The lamp is brown.", ttl_seconds=0.05)
        mine.memories.remember("wick", "The wick of the lamp is new.")
    time.sleep(0.06)
    with two.open(two.ferry) as dp:
        found = [c.chunk for c in dp.search("lamp", vectors="none", project="global").candidates]
        assert [chunk.text for chunk in found] == ["The wick of the lamp is new."]  # nor what no longer holds
        assert dp.get(str(found[0].id)).text == found[0].text
        assert dp.search("lamp", vectors="none").candidates == ()


def test_whatever_opens_a_store_finds_the_shared_one(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {
        "DAYPACK_PROJECT_DIR": str(two.shared),
        "DAYPACK_EMBEDDER": "hashing",
        "HOME": str(two.shared),
        "DAYPACK_BUDGET": "777",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(two.ferry)
    with SyncDaypackService() as service:
        assert service.daypack.shared == str(two.ferry)
        assert colours(service.daypack) == ["red"] * 4
    asked = Project(two.harbour)
    assert asked.ask(lambda daypack: daypack.shared) == str(two.harbour)
    asked.close()
    (two.ferry / "pyproject.toml").write_text("[tool.daypack]\ntokenizer = 'chars'\n", encoding="utf-8")
    said = json.loads(run(two.ferry, two.shared, "config", "show", "--json"))
    # of the project that one stands in, not of the store's folder
    assert said["tokenizer"]["value"] == "chars"
    suite = [{"name": "pump", "query": "pump", "expected_terms": ["red"]}]
    (two.ferry / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    run(two.ferry, two.shared, "eval", "run", "suite.json", "--name", "first")
    assert "first" in run(two.ferry, two.shared, "eval", "runs")
    assert not (two.ferry / ".daypack").exists()


def test_one_project_takes_nothing_from_another(two: Two) -> None:
    with two.open(two.ferry) as dp:
        dp.knowledge.remove("manual")
        dp.sessions.purge(everything=True)
    with two.open(two.harbour) as dp:
        assert colours(dp) == ["blue"] * 4


def test_a_store_of_one_project_has_no_projects(tmp_path: Path) -> None:
    root = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    with (
        Daypack.open(root / ".daypack", settings=WORDS) as dp,
        pytest.raises(InputError, match="DAYPACK_PROJECT_DIR"),
    ):
        dp.search("ferry", project="global")
    alone, shared = (
        offered(["knowledge"], Access.READ, shared=there)["ctx_search"].schema() for there in (False, True)
    )
    assert "project" not in alone["properties"]
    assert "project" in shared["properties"]
    assert set(shared["properties"]) - set(alone["properties"]) == {"project"}


# ---------------------------------------------------------------- as somebody types it


def run(root: Path, shared: Path, *arguments: str, data: bytes = b"", status: int = 0) -> str:
    """A command in a project, where the variable names the folder of a store."""
    done = subprocess.run(
        command(*arguments),
        cwd=root,
        env=environment(DAYPACK_PROJECT_DIR=str(shared)),
        input=data,
        capture_output=True,
        check=False,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode()


def test_the_command_line_shares_a_store_where_the_variable_says_so(tmp_path: Path) -> None:
    ferry = project(
        tmp_path / "ferry", {"README.md": "# Ferry\n\nThe pump of the ferry is red.\n", "src/a.md": "x\n"}
    )
    harbour = project(tmp_path / "harbour", {"README.md": "# Harbour\n\nThe pump of the harbour is blue.\n"})
    (shared := tmp_path / "stores").mkdir()
    assert "red" in run(ferry / "src", shared, "search", "pump")
    # its first use indexes it, though the store stands already
    assert "blue" in run(harbour, shared, "search", "pump")
    assert not (ferry / ".daypack").exists()
    assert "blue" not in run(ferry, shared, "search", "pump")
    assert "blue" in run(ferry, shared, "search", "pump", "--project", "global")
    assert "blue" in run(ferry, shared, "pack", "pump", "--project", str(harbour))
    for root, colour in ((ferry, "red"), (harbour, "blue")):
        event = {
            "hook_event_name": "UserPromptSubmit",
            "session_id": colour,
            "prompt": f"Paint the mast {colour}",
            "cwd": str(root),
        }
        run(tmp_path, shared, "session", "capture", data=json.dumps(event).encode())
    assert "mast blue" in run(harbour, shared, "session", "timeline")  # one fold takes in the events of both
    assert "mast red" in (told := run(ferry, shared, "session", "timeline", "--session", "all"))
    assert "blue" not in told
    assert "--project" in run(ferry, shared, "search", "--help")
    assert "--project" not in daypack("search", "--help", cwd=ferry).stdout
    daypack("search", "pump", "--project", "global", cwd=ferry, status=2)
