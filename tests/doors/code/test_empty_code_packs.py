"""An empty pack of code says why it is empty, and what shows something."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.code import serialize as code_data
from support import WORDS, daypack, project

CONF = '''import json


def load_config(path):
    """Read the configuration from a file."""
    with open(path) as file:
        return json.load(file)
'''


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Daypack]:
    (tmp_path / "conf.py").write_text(CONF)
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        yield dp


def test_too_few_characters_name_the_number_that_shows_something(small: Daypack) -> None:
    found = small.code.pack("load_config", max_chars=100)
    assert (found.items, found.empty_reason) == ((), "budget_too_small")
    least = found.min_chars
    assert least > 100
    assert any(f"{least:,} characters" in text for _, text in found.hints)
    assert found.next_actions[0][:2] == ("code_pack", f"max_chars={least}")
    assert code_data.pack_to_dict(found)["data"]["budget"]["min_chars"] == least
    assert small.code.pack("load_config", max_chars=least).items
    assert not small.code.pack("load_config", max_chars=least - 1).items


def test_a_pack_with_items_has_no_least_number(small: Daypack) -> None:
    assert "min_chars" not in code_data.pack_to_dict(small.code.pack("load_config"))["data"]["budget"]


def test_a_limit_of_nothing_does_not_say_that_nothing_is_relevant(small: Daypack) -> None:
    found = small.code.pack("load_config", limit=0)
    assert (found.items, found.empty_reason) == ((), "")
    assert found.hints == (("info", "no item was asked for (limit 0)"),)
    assert found.next_actions[0][:2] == ("code_pack", "limit=10")
    assert small.code.pack("no_such_name", limit=0).empty_reason == "anchor_not_found"


@pytest.mark.parametrize("question", ["", "  "])
def test_an_empty_question_is_an_error_in_the_envelope(tmp_path: Path, question: str) -> None:
    shop = project(tmp_path / "shop", {"conf.py": CONF})
    told = json.loads(daypack("code", "pack", question, cwd=shop, status=2).stdout)
    assert told["status"] == "error"
    assert told["error"] == {
        "code": "usage",
        "message": "the question is empty; see `daypack code pack --help`",
        "hint": "see `daypack code pack --help`",
        "next_actions": [],
    }
    assert not (shop / ".daypack").exists()
    usage = daypack("search", question, cwd=shop, status=2)
    assert "the question is empty; see `daypack search --help`" in usage.stderr


@pytest.mark.parametrize("query", ["load_config", "how is the configuration read?", "no_such_name"])
@pytest.mark.parametrize("paths", [{"path": "nope"}, {"include": ["*.rs"]}, {"exclude": ["*.py"]}])
@pytest.mark.parametrize("policy", ["auto", "off"])
def test_paths_without_files_are_said_and_no_name_is_called_unknown(
    small: Daypack, query: str, paths: dict[str, Any], policy: str
) -> None:
    found = small.code.pack(query, anchor_policy=policy, **paths)
    assert (found.items, found.empty_reason) == ((), "filtered_out")
    assert found.hints == (
        ("warn", "no file with code is in scope: the paths match none, or none is indexed"),
    )
    assert found.next_actions[0] == ("code_pack", query, "leave out the paths, and look in all code")
