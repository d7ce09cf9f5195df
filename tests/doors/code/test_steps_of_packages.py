"""A step of work for a name that no code here defines, as that of a package: the places that say it, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daypack.types import Pack, Task
from tests.doors.code.code_support import opened

FILES = {
    "shop/cart.py": "import json\n\nfrom shop.prices import rounded\n\n\ndef total(items):\n    return json.dumps(rounded(sum(items)))\n",
    "shop/prices.py": "def rounded(value):\n    return round(value, 2)\n",
    "shop/posting.py": "from ferry_http import post\n\n\ndef send(letter):\n    return post('letters', letter)\n",
    "shop/letters.py": "def letter(total):\n    return f'Dear customer, http letters cost {total} by ferry'\n",
    "web/page.ts": 'import { draw } from "@shop/canvas"\n\nexport function page() {\n  return draw("http")\n}\n',
    "web/canvas.ts": "export function canvas() {\n  return 'shop canvas'\n}\n",
    "tests/test_posting.py": "import ferry_http\n\n\ndef test_send():\n    assert ferry_http\n",
}


def _asked(tmp_path: Path, task: Any, text: str) -> Pack:
    with opened(tmp_path, FILES) as dp:
        return dp.pack(text, task=task)


@pytest.mark.parametrize("task", [Task.IMPACT, Task.USES])
def test_the_places_that_import_a_package_are_the_answer(tmp_path: Path, task: Task) -> None:
    found = _asked(tmp_path, task, "ferry_http")
    assert {one.citation.uri for one in found.excerpts} == {"shop/posting.py", "tests/test_posting.py"}
    assert not found.stats.weak_because


@pytest.mark.parametrize("task", [Task.IMPACT, Task.USES])
def test_a_package_with_a_path_is_no_missing_file(tmp_path: Path, task: Task) -> None:
    found = _asked(tmp_path, task, "@shop/canvas")
    assert {one.citation.uri for one in found.excerpts} == {"web/page.ts"}


def test_tests_of_a_package_are_those_that_say_it(tmp_path: Path) -> None:
    found = _asked(tmp_path, Task.TESTS, "ferry_http")
    assert {one.citation.uri for one in found.excerpts} == {"tests/test_posting.py"}
    assert not found.stats.weak_because


@pytest.mark.parametrize("task", [Task.IMPACT, Task.USES])
def test_a_module_means_its_file(tmp_path: Path, task: Task) -> None:
    found = _asked(tmp_path, task, "shop.prices")
    assert "shop/cart.py" in {one.citation.uri for one in found.excerpts}
    assert {one.citation.uri for one in found.excerpts} <= {"shop/cart.py", "shop/prices.py"}
    assert not found.stats.weak_because


def test_the_callers_of_a_module_are_those_of_its_file(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        rows = dp.code.callers("shop.prices")
        assert {row.at for row in rows} == {row.at for row in dp.code.callers("shop/prices.py")}
    assert not rows.seen.hints
