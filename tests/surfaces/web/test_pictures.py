"""Pictures of every view on a store of 28,000 parts and all doors: nothing blank, too wide, too heavy or hard to use.

DAYPACK_SCREENSHOTS=docs/images python -m pytest tests/surfaces/web/test_pictures.py
"""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import Page, served
from tabs import VIEWS, Tab

from support import daypack

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed; `make test-page` does it"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = os.environ.get("DAYPACK_SCREENSHOTS", "")
KEPT = frozenset(
    [
        "pack-1280-dark",
        "pack-390-light",
        "compare-1280-light",
        "why-1280-light",
        "code-1280-light",
        "code-390-dark",
        "symbol-1280-dark",
        "sessions-1280-dark",
        "memories-1280-light",
        "sources-1280-light",
        "settings-1280-light",
        "documents-1280-light",
        "evaluations-1280-dark",
        "store-1280-dark",
        "get-1280-light",
    ]
)
CHUNKS, HEAVIEST = 28_000, 300_000  # parts of the store; bytes of a view with its style and script
LIBRARIES = 19_000_000  # bytes of Python source that give so many parts
pytestmark = [
    pytest.mark.skipif(not PICTURES, reason="DAYPACK_SCREENSHOTS names no folder for pictures"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed; `make test-page` does it"),
    pytest.mark.filterwarnings(
        "ignore::pytest.PytestUnraisableExceptionWarning",
        "ignore::ResourceWarning",
        "ignore::DeprecationWarning",
    ),
]


def fill(folder: Path, most: int) -> None:
    """Copy Python sources of installed packages, at most so many bytes."""
    site = Path(sysconfig.get_path("purelib"))
    size = 0
    for path in sorted(site.rglob("*.py")):
        if (size := size + path.stat().st_size) > most:
            return
        target = folder / path.relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


@pytest.fixture(scope="module")
def large(project: Path) -> Iterator[Page]:
    fill(project / "lib", LIBRARIES)
    daypack("add", ".", cwd=project)
    assert json.loads(daypack("status", "--json", cwd=project).stdout)["chunks"] >= CHUNKS
    daypack("code", "map", cwd=project)  # reads the symbols of all code, once
    with served(project, "--access", "dangerous") as page:
        page.patience = 300  # the edges between all symbols are found once
        yield page


def test_every_view_of_a_large_store_is_shown_and_none_is_blank_or_heavy(large: Page) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    static = sum(len(large.ask("GET", f"/static/{name}")[2]) for name in ("style.css", "page.js"))
    weights = {name: len(large.ask("GET", path)[2].encode()) + static for name, path in VIEWS.items()}
    assert {name: weight for name, weight in weights.items() if weight > HEAVIEST} == {}
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    with playwright.sync_playwright() as driver:
        browser: Any = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width in (1280, 390):
            for scheme in ("light", "dark"):
                tab = Tab(browser, large, viewport={"width": width, "height": 900}, color_scheme=scheme)
                for name, path in VIEWS.items():
                    shown = tab.show(path)
                    assert shown.evaluate("document.documentElement.scrollWidth") <= width, name
                    assert len(shown.inner_text("main")) > 150, name
                    found = axe.run(shown).response["violations"]
                    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], (
                        name
                    )
                    picture = f"{name}-{width}-{scheme}"
                    if picture in KEPT or os.environ.get("DAYPACK_ALL_PICTURES"):
                        shown.screenshot(path=str(folder / f"{picture}.png"))
                tab.check()
                tab.context.close()
        browser.close()
