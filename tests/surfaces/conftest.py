from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from server import Page, served

from daypack import Daypack
from daypack.doors.sessions.types import Did, Said, Step
from support import PAY, WORDS, copy_of_pay, daypack

TEAS = b"""[
    {"_id": 1, "name": "Sencha", "year": 2021, "tags": ["green"], "text": "Steamed leaves, bright and grassy."},
    {"_id": 2, "name": "Assam", "year": 2019, "tags": ["black"], "text": "A strong leaf, taken with milk."},
    {"_id": 3, "name": "Gyokuro", "year": 2021, "tags": ["green", "shade"], "text": "Shaded for three weeks before the harvest."}
]"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """examples/pay, indexed, with memories."""
    folder = copy_of_pay(tmp_path_factory.mktemp("page"))
    (folder / "pyproject.toml").touch()
    daypack("add", ".", "--vectors", "all", cwd=folder)
    daypack("remember", "release/cadence", "we release on Thursdays", cwd=folder)
    daypack(
        "memory",
        "remember",
        "release/cadence",
        "we release on Tuesdays <script>alert(1)</script>",
        cwd=folder,
    )
    daypack("remember", "web/claim", "the page says so", "--source", "https://example.org", cwd=folder)
    daypack("docs", "insert", "teas", "-", cwd=folder, input=TEAS)
    daypack("docs", "index", "teas", "year", cwd=folder)
    daypack("source", "store", "decision_outcome", "Refunds keep one key for all attempts.", cwd=folder)
    with Daypack.open(folder / ".daypack", settings=WORDS) as store:
        store.sessions.add_steps(
            [
                Step(
                    "s1",
                    time.time() - 7200,
                    Said("user", "Make refunds survive a provider that is down."),
                    "k1",
                ),
                Step(
                    "s1",
                    time.time() - 5400,
                    Said("user", "We decided to keep one key for all attempts."),
                    "k2",
                ),
                Step(
                    "s1",
                    time.time() - 3600,
                    Did("Bash", {"command": "git commit -m 'One key'"}, "1 file changed", failed=False),
                    "k3",
                ),
            ]
        )
    cases = json.loads((PAY.parent / "pay_suite.json").read_text())["cases"]
    suite = {
        "name": "pay",
        "cases": [{name: value for name, value in case.items() if name != "token_budget"} for case in cases],
    }
    (folder.parent / "suite.json").write_text(json.dumps(suite))
    for budget in (100, 300, 900):
        daypack("eval", "run", "../suite.json", "--budget", str(budget), "--name", f"at-{budget}", cwd=folder)
    daypack(
        "eval",
        "run",
        "../suite.json",
        "--budget",
        "300",
        "--packing",
        "prefix",
        "--name",
        "prefix-300",
        cwd=folder,
    )
    return folder


@pytest.fixture
def embedded(project: Path) -> Path:
    """The project with every vector made.

    Else a server's background makes the last of them between two packs that are compared.
    """
    daypack("add", ".", "--vectors", "all", cwd=project)
    return project


@pytest.fixture(scope="module")
def page(project: Path) -> Iterator[Page]:
    with served(project, "--tools", "all", "--access", "dangerous") as found:
        yield found
