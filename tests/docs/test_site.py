"""The site of docs/: it builds without a warning, asks no other machine, and shows nothing to run that is not
run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from written import FENCED, PAGES, ROOT

from daypack.surfaces.toolsets import verbs

# commands and programs are run; the others show output or a file
RUN = {"python", "console", "text", "json", "toml"}


def test_pages_hold_no_kind_of_block_that_nothing_checks() -> None:
    """scripts/docs.py runs consoles and Python; the frameworks' page is run beside the frameworks."""
    found = {
        page.relative_to(ROOT).as_posix(): {
            kind for _, kind, _ in FENCED.findall(page.read_text(encoding="utf-8"))
        }
        for page in PAGES
    }
    assert {name: kinds - RUN - {"sh", ""} for name, kinds in found.items() if kinds - RUN - {"sh", ""}} == {}


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_asks_no_other_machine(tmp_path: Path) -> None:
    """Links, anchors and the table of contents are checked by the build: with --strict a warning fails it."""
    pytest.importorskip("material", reason="MkDocs is not installed; `make docs` does it")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={
            **os.environ,
            "NO_MKDOCS_2_WARNING": "1",
            "PYTHONPATH": os.pathsep.join((str(ROOT / "tests" / "offline"), str(ROOT / "src"))),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = [*(tmp_path / "site").rglob("*.html")]
    assert len(pages) > 40
    reference = (tmp_path / "site" / "reference" / "verbs.html").read_text(encoding="utf-8")
    assert [name for name in verbs() if f'<h3 id="{name}">' not in reference] == []
    assert "a forgotten memory and a deleted text are in no byte of the store" in (
        tmp_path / "site" / "reference" / "promises.html"
    ).read_text(encoding="utf-8")
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(
            r"""(?:\ssrc|srcset)=["']?(?:https?:)?//|<link[^>]+href=["'](?:https?:)?//|@import|url\((?:https?:)?//""",
            text,
        ), page.name
