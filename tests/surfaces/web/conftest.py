from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import Page, served


@pytest.fixture(scope="module")
def own(project: Path) -> Iterator[Page]:
    """A server of the project for one module."""
    with served(project) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium; without one the test is skipped."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; `make test-page` does it"
    )
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium is installed; `make test-page` does it")
    with driver.sync_playwright() as playing:
        opened = playing.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()
