"""A question for the tests of a thing is answered by tests, also where the thing has more of its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

FILES = {
    "src/interceptors.py": '"""Interceptors."""\n\n\ndef interceptors(interceptor):\n    """The interceptors of an interceptor."""\n    return interceptor\n',
    "docs/interceptors.md": "# Interceptors\n\nInterceptors are chained. Read the tests of interceptors.\n",
    "tests/test_interceptors.py": "def test_order():\n    assert chain(1, 2) == [2, 1]  # interceptors\n",
}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where are the tests of interceptors?", "tests/test_interceptors.py"),
        ("Where are interceptors chained?", "docs/interceptors.md"),
        ("Where are interceptors?", "src/interceptors.py"),
    ],
)
def test_the_test_is_first_where_it_is_asked_for(tmp_path: Path, question: str, first: str) -> None:
    files = project(tmp_path / "files", FILES)
    with Daypack.open(tmp_path / "s", root=files, settings=WORDS) as daypack:
        daypack.files.add(files)
        [best] = daypack.search(question, limit=1).candidates
    assert best.chunk.reference.startswith(first)
