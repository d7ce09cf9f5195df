"""A reader who types the examples of a page sees the answers of the page: its files are those of examples/pay, in a copy
that the page says how to make.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from written import FENCED, PAGES, ROOT

from daypack.settings.places import find_place
from support import PAY

COPY = re.compile(r"cp -r examples/pay .*?&& cd [^\s`]+")
NAMES = {path.relative_to(PAY).as_posix() for path in PAY.rglob("*") if path.is_file()} - {"README.md"}


def title(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


GUIDES = [page for page in PAGES if title(page).startswith(("README", "docs/how-to/", "docs/tutorial/"))]
COPYING = [page for page in PAGES if COPY.search(page.read_text(encoding="utf-8"))]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with the examples alone, in which somebody has asked a question before."""
    folder = tmp_path / "daypack"
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / ".git").mkdir()
    (folder / ".daypack").mkdir()
    (folder / ".daypack" / "daypack.db").touch()
    (tmp_path / "home").mkdir()
    return folder


@pytest.mark.parametrize("page", COPYING, ids=title)
def test_the_copy_of_a_page_is_a_project_of_its_own(page: Path, clone: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    (typed,) = set(COPY.findall(text))
    done = subprocess.run(
        ["bash", "-c", f"{typed} && pwd"],
        cwd=clone,
        env={**os.environ, "HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    copy = Path(done.stdout.strip())
    assert find_place(copy, store=None).root == copy.resolve()
    assert all((copy / name).exists() for name in NAMES)
    assert [name for name in re.findall(r"\.\./[\w-]+\.json", text) if not (copy / name).exists()] == []


@pytest.mark.parametrize("page", GUIDES, ids=title)
def test_a_page_that_shows_answers_about_the_example_says_where_to_ask(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = [block for _, kind, block in FENCED.findall(text) if kind == "console"]
    if any(name in block for name in NAMES for block in shown):
        assert page in COPYING or "In [a copy of examples/pay](index.md):" in text
