"""`search --files` through the program: files as answers, each with its best part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import daypack

KETTLE = "def boil(water):\n    return heat(water, until=100)\n\n\ndef heat(water, until):\n    while water.degrees < until:\n        water.degrees += 1\n    return water\n"
LID = "def close(lid):\n    lid.open = False\n\n\ndef boil_over(lid):\n    raise OverflowError('water on the stove')\n"
GUIDE = "# Tea\n\nBoil the water first. Water that has boiled twice is flat.\n"


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    for name, text in (("kettle.py", KETTLE), ("lid.py", LID), ("guide.md", GUIDE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    daypack("add", ".", cwd=tmp_path)
    return tmp_path


def files(kitchen: Path, question: str, *options: str) -> list[dict[str, str]]:
    printed = daypack("search", question, "--vectors", "none", "--json", *options, cwd=kitchen).stdout
    found: list[dict[str, str]] = json.loads(printed)["files"]
    return found


def test_each_file_is_named_once_with_its_best_part(kitchen: Path) -> None:
    found = files(kitchen, "fix heat() so that the kettle stops at once")
    assert found[0]["uri"] == "kettle.py"
    assert found[0]["reference"] == "kettle.py:5-8"
    assert found[0]["name"] == "heat"
    assert len({file["uri"] for file in found}) == len(found)
    assert [file["score"] for file in found] == sorted((file["score"] for file in found), reverse=True)


def test_files_are_printed_in_place_of_their_parts(kitchen: Path) -> None:
    printed = daypack("search", "boil the water", "--vectors", "none", "--files", cwd=kitchen).stdout
    names = [line.split()[1] for line in printed.splitlines() if line[:2].strip().isdigit()]
    assert sorted(names) == ["guide.md", "kettle.py", "lid.py"]


def test_a_task_is_done_in_code_and_a_question_may_be_answered_by_a_page(kitchen: Path) -> None:
    assert files(kitchen, "fix boil: water boils twice")[0]["uri"] == "kettle.py"
    assert files(kitchen, "what about water that has boiled twice?")[0]["uri"] == "guide.md"


def test_as_many_files_as_asked_for(kitchen: Path) -> None:
    assert len(files(kitchen, "boil the water", "-n", "1")) == 1
