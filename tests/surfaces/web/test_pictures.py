"""Pictures of every view on a store of 28,000 parts and all doors: nothing blank, too wide, too heavy or hard to use.

DAYPACK_SCREENSHOTS=docs/images python -m pytest tests/surfaces/web/test_pictures.py
"""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import Page, served
from tabs import VIEWS, Tab

from daypack import Daypack
from daypack.doors.sessions.types import Did, Noted, Said, Step
from support import WORDS, daypack

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


TALKS = (  # hours ago, requests, and commands with whether they failed
    (7, ("Pay out refunds in the currency of the charge.", "Which tests cover the rounding?"), (("pytest tests/test_refunds.py", True), ("pytest tests/test_refunds.py", False))),
    (4.5, ("The worker dies when Redis restarts; find out why.", "We decided to reconnect with a growing pause."), (("docker logs worker", True), ("pytest tests/test_worker.py", False))),
    (2.6, ("Move the retry limits into config/retries.toml.", "We decided that five attempts are enough.", "Never retry a refusal."), (("ruff check src", True), ("ruff check src", False), ("git commit -m 'Read limits'", False))),
)  # fmt: skip
FACTS = {
    "team/oncall": ("Mira holds the pager until Friday.", "Jonas holds the pager until Friday.", "Mira is back on call."),
    "deploy/window": ("Deploys end at 16:00.", "Deploys end at 15:00 on Fridays."),
    "style/errors": ("Errors name the next step.",), "refunds/limit": ("Refunds above 500 need a second pair of eyes.",),
    "infra/redis": ("Redis 7.2 in eu-west-1, one replica.",), "tests/slow": ("Mark tests above two seconds as slow.",),
    "customer/acme": ("Acme is billed on the last working day.",), "api/version": ("Clients pin v3 of the API.",),
}  # fmt: skip
FILES = ("src/pay/retry.py", "src/pay/refunds.py", "config/retries.toml", "docs/retries.md")


def live_in(project: Path) -> None:
    """Give the store the sessions and memories of some days of work."""
    now = time.time()
    steps = []
    for hours, requests, commands in TALKS:
        begin, session = now - hours * 3600, f"work-{round(hours)}"
        steps.append(Step(session, begin, Noted("Session started"), "start"))
        for number, request in enumerate(requests):
            steps.append(Step(session, begin + 60 + 900 * number, Said("user", request), f"u{number}"))
            answer = f"I looked at {FILES[number]} and changed it."
            steps.append(Step(session, begin + 500 + 900 * number, Said("assistant", answer), f"a{number}"))
        for number, (command, failed) in enumerate(commands):
            output = "E   AssertionError: 2 failed" if failed else "12 passed"
            did = Did("Bash", {"command": command}, output, failed=failed)
            steps.append(Step(session, begin + 700 + 800 * number, did, f"c{number}"))
        for number in range(9):
            tool, path = ("Read", "Edit", "Read")[number % 3], FILES[number % len(FILES)]
            did = Did(tool, {"file_path": str(project / path)}, "done", failed=False)
            steps.append(Step(session, begin + 200 + 290 * number, did, f"f{number}"))
    with Daypack.open(project / ".daypack", root=project, settings=WORDS) as store:
        store.sessions.add_steps(steps)
        for key, values in FACTS.items():
            for value in values:
                store.memories.remember(key, value, tags=(key.partition("/")[0],), author="Mira")


@pytest.fixture(scope="module")
def large(project: Path) -> Iterator[Page]:
    fill(project / "lib", LIBRARIES)
    live_in(project)
    daypack("add", ".", cwd=project)
    assert json.loads(daypack("status", "--json", cwd=project).stdout)["chunks"] >= CHUNKS
    daypack("code", "map", cwd=project)  # reads the symbols of all code, once
    with served(project, "--access", "dangerous") as page:
        page.patience = 120
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
