"""The map of a repository: never above its budget, and the more it may say, the more it says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from code_support import opened

from daypack import Daypack, tokens
from daypack.doors.code.commands import VERB
from daypack.doors.code.graph.ranks import page_rank
from daypack.errors import InputError, NotFound
from daypack.surfaces.toolsets import verbs
from daypack.types import Tokenizer
from support import daypack

ROOT = Path(__file__).resolve().parents[3]
COUNT = tokens.counter(Tokenizer.O200K)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    """The sources of this program, which are larger than any budget that is asked for."""
    folder = tmp_path_factory.mktemp("map") / "daypack"
    with opened(folder, {}) as dp:
        shutil.copytree(
            ROOT / "src" / "daypack",
            folder / "src" / "daypack",
            ignore=shutil.ignore_patterns("__pycache__", "minilm"),
        )
        dp.files.add(folder)
        yield dp


def test_a_map_counts_at_most_its_budget_and_more_budget_shows_more(sources: Daypack) -> None:
    budgets = [*range(50, 1_000, 50), *range(1_000, 20_001, 1_000)]
    shown: set[str] = set()
    mass = 0.0
    for budget in budgets:
        found = sources.code.map(budget=budget, refresh=False)
        assert found.tokens == COUNT(found.text) <= budget
        now = {row.reference for row in found.shown}
        assert shown <= now
        assert found.mass >= mass
        shown, mass = now, found.mass
    assert len(shown) > 500


@pytest.mark.parametrize("budget", [0, 1, 7, 51, 137, 1_003, 2_999, 19_997])
def test_any_budget_is_held(sources: Daypack, budget: int) -> None:
    found = sources.code.map(budget=budget, refresh=False)
    assert found.tokens == COUNT(found.text) <= budget


def test_a_focus_comes_first(sources: Daypack) -> None:
    plain, focused = (
        sources.code.map(budget=300, focus=focus, refresh=False) for focus in ((), ("src/daypack/guard",))
    )
    inside = [sum("/guard/" in row.file for row in found.shown) for found in (plain, focused)]
    assert inside[1] > inside[0]


def test_what_is_used_most_is_shown_first(tmp_path: Path) -> None:
    files = {f"user_{n}.py": f"from base import hub\n\n\ndef use_{n}():\n    hub()\n" for n in range(8)}
    with opened(tmp_path / "app", {**files, "base.py": "def hub():\n    pass\n"}) as dp:
        assert dp.code.map(budget=20).shown[0].name == "hub"


def test_the_program_is_shown_before_code_that_was_copied_in(tmp_path: Path) -> None:
    copied = "def put():\n    pass\n\n\ndef write():\n    put()\n\n\ndef flush():\n    put()\n    write()\n"
    with opened(tmp_path / "app", {"vendor/io.py": copied, "main.py": "def run():\n    pass\n"}) as dp:
        assert dp.code.map(budget=100).shown[0].file == "main.py"
        assert dp.code.map(budget=100, focus=["vendor"]).shown[0].name == "put"


def test_ranks_are_those_of_the_definition() -> None:
    """Against the linear system r = (1 - d) b + d (A r + dangling · b), solved by hand for three nodes: 0 →
    1, 2 → 1.
    """
    ranks = page_rank(np.array([0, 2]), np.array([1, 1]), np.array([1.0, 5.0]), np.ones(3))
    begin, damping = 1 / 3, 0.85
    # Nodes 0 and 2 get what goes back to the beginning; node 1 that, and all that the others hand on.
    other = (1 - damping * 0) * begin * ((1 - damping) + damping * ranks[1])
    assert ranks[0] == pytest.approx(other, abs=1e-5)
    assert ranks[0] == pytest.approx(ranks[2], abs=1e-9)
    assert ranks[1] == pytest.approx(other + damping * 2 * other, abs=1e-5)
    assert sum(ranks) == pytest.approx(1)


def test_a_caller_is_listed_once_with_all_its_lines(tmp_path: Path) -> None:
    files = {
        "a.py": "def hub():\n    pass\n\n\ndef use():\n    hub()\n    return hub()\n",
        "b.py": "from a import hub\n\nhub()\nhub()\n",
    }
    with opened(tmp_path / "app", files) as dp:
        text = daypack("code", "callers", "hub", cwd=dp.root).stdout
    assert text == "a.py:5-7  def use()\n    called_by at a.py:6, 7\nb.py\n    called_by at b.py:3, 4\n"


def test_an_agent_reads_a_line_with_two_calls_once(tmp_path: Path) -> None:
    """A line that calls two functions of a file was listed twice: "5, 5"."""
    files = {
        "a.py": "def mast():\n    return 1\n\n\ndef sail(mast):\n    return mast\n",
        "b.py": "from a import mast, sail\n\n\ndef use():\n    return sail(mast())\n",
    }
    with opened(tmp_path / "app", files) as dp:
        verb = verbs("code")["callers"]
        found = verb.for_agent(verb(dp, {"reference": "a.py"}))["data"]["callers"]
    assert [row["called_by"] for row in found] == [["5 use:4-5"]]


def test_an_agent_reads_the_path_of_a_file_of_callers_once(tmp_path: Path) -> None:
    """Each caller had the path twice, its signature and its comment: 50 callers in a Java project were 8,400 tokens."""
    files = {
        "a.py": "class Hub:\n    def go(self):\n        pass\n\n\nclass Wheel(Hub):\n    def go(self):\n        return Hub.go(self)\n",
        "test_a.py": "from a import Hub\n\nHub().go()\nHub().go()\n\n\ndef test_go():\n    return Hub().go()\n",
    }
    with opened(tmp_path / "app", files) as dp:
        found = {
            name: verb.for_agent(verb(dp, {"reference": "Hub"}))
            for name, verb in verbs("code").items()
            if name in ("callers", "tests_for")
        }
    assert found["callers"]["data"]["callers"] == [
        {"file": "a.py", "extended_by": ["6 Wheel:6-8"], "used_by": ["8 Wheel.go:7-8"]},
        {"file": "test_a.py", "called_by": ["3, 4", "8 test_go:7-8"]},
    ]
    assert found["tests_for"]["data"]["tests"] == [{"file": "test_a.py", "tested_by": ["3", "8 test_go:7-8"]}]


def test_a_function_and_its_prototype_have_the_same_callers(tmp_path: Path) -> None:
    files = {
        "tide.h": "int rise(int a);\n",
        "tide.c": '#include "tide.h"\n\nint rise(int a) {\n  return a;\n}\n',
        "port.c": '#include "tide.h"\n\nint go(void) {\n  return rise(2);\n}\n',
        "other.c": "static int fall(int a) {\n  return a;\n}\n",
        "third.c": "static int fall(int a) {\n  return a + 1;\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        for reference in ("rise", "tide.h:1", "tide.c:3"):
            assert [row.at for row in dp.code.callers(reference)] == ["port.c:4"], reference
        assert dp.code.symbol("rise").file == "tide.c"
        with pytest.raises(InputError, match="defined in 2 places"):
            dp.code.callers("fall")


def test_a_prototype_of_several_lines_and_a_definition_of_one_are_one_function(tmp_path: Path) -> None:
    files = {
        "tide.h": "int rise(int a,\n         int b);\nint fall(void);\n",
        "tide.c": '#include "tide.h"\n\nint rise(int a,\n         int b) {\n  return a + b;\n}\nint fall(void) { return 0; }\n',
        "port.c": "#include <deep/tide.h>\n\nint go(void) {\n  return rise(2, 3) + fall();\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        for reference in ("rise", "fall", "tide.h:1", "tide.c:7"):
            assert [row.at for row in dp.code.callers(reference)] == ["port.c:4"], reference


def test_a_name_means_the_code_before_the_pages_and_examples_that_show_it(tmp_path: Path) -> None:
    files = {
        "packages/port/src/moor.ts": "export function moor(a: number): number {\n  return a\n}\n",
        "docs/moor.md": "# moor\n\n```ts\nfunction moor(a: number): number {\n  return a\n}\n```\n",
        "examples/basic/moor.ts": "export function moor() {}\nexport function onlyShown() {}\n",
        "examples/other/shown.ts": "export function onlyShown() {}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert dp.code.symbol("moor").file == "packages/port/src/moor.ts"
        assert dp.code.symbol("docs/moor.md:moor").file == "docs/moor.md"
        with pytest.raises(InputError, match="defined in 2 places"):
            dp.code.symbol("onlyShown")


def test_a_map_without_code_says_that_there_is_none(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"a.md": "# Tea\n"}) as dp:
        folder = dp.root
    done = daypack("code", "map", cwd=folder, status=1)
    assert (done.stdout, done.stderr) == (
        "",
        "daypack: nothing that is indexed here has a map; `daypack add PATH` indexes code, and `daypack search` finds code of every language\n",
    )


def test_the_commands_answer_as_text_and_as_json(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"a.py": "def hub():\n    pass\n\n\ndef use():\n    hub()\n"}) as dp:
        folder = dp.root
    text = daypack("code", "map", "--budget", "100", cwd=folder).stdout
    assert text == "a.py\n  1 def hub()\n  5 def use()\n"
    assert json.loads(daypack("code", "map", "--json", cwd=folder).stdout)["data"]["text"] == text
    assert (
        daypack("code", "callers", "hub", cwd=folder).stdout
        == "a.py:5-6  def use()\n    called_by at a.py:6\n"
    )
    assert (
        json.loads(daypack("code", "callers", "hub", "--json", cwd=folder).stdout)["data"]["callers"][0]["at"]
        == "a.py:6"
    )
    assert daypack("code", "symbols", "HUB", cwd=folder).stdout == "a.py:1-2  def hub()\n"
    assert daypack("code", "symbols", "hub", "--kind=", cwd=folder).stdout == "a.py:1-2  def hub()\n"
    assert "|module|" in daypack("code", "symbols", "--help", cwd=folder).stdout
    untested = daypack("code", "tests-for", "hub", cwd=folder, status=1)
    assert untested.stdout == ""
    assert untested.stderr.startswith("daypack: no test calls or uses it; ")
    assert "nothing calls or uses it" in daypack("code", "callers", "use", cwd=folder, status=1).stderr
    assert "did you mean hub?" in daypack("code", "related", "hubb", cwd=folder, status=1).stderr
    assert (
        "no indexed file at 'nowhere'"
        in daypack("code", "map", "--focus", "nowhere", cwd=folder, status=1).stderr
    )


def test_a_listing_that_its_limit_cuts_says_how_many_are_left_out(tmp_path: Path) -> None:
    files = {f"m{number}.py": "from hub import port\n\nport()\n" for number in range(6)}
    with opened(tmp_path / "app", {"hub.py": "def port():\n    pass\n", **files}) as dp:
        found = VERB["callers"](dp, {"reference": "port", "limit": 2})
        assert (len(found["data"]["callers"]), found["hints"]) == (
            2,
            [{"type": "info", "text": "4 more are left out; ask with a larger `limit`"}],
        )
        assert VERB["callers"](dp, {"reference": "port", "limit": 6})["hints"] == []
        said = daypack("code", "callers", "port", "--limit", "2", cwd=dp.root).stderr
    assert "4 more are left out; ask with a larger --limit" in said


def test_symbols_of_a_folder_that_is_not_indexed_are_an_error(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"src/hub.py": "def port():\n    pass\n"}) as dp:
        with pytest.raises(NotFound, match="no indexed file at 'scr'"):
            dp.code.symbols("port", path="scr")
        for path in ("", "src", "./src/", f"{dp.root}/src/hub.py"):
            assert [row.name for row in dp.code.symbols("port", path=path)] == ["port"], path
