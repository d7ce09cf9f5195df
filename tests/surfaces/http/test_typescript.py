"""The generated client: current, right in its types, and at work against a server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from server import Page

from support import TESTS

HERE = Path(__file__).parent
ROOT = TESTS.parent


@pytest.fixture
def typescript(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import typescript

    return typescript


def test_the_client_is_what_the_description_makes_of_it(typescript: ModuleType) -> None:
    for name, text in typescript.files().items():
        written = (ROOT / "clients" / "typescript" / name).read_text(encoding="utf-8")
        assert written == text, f"{name} is not current; run python scripts/typescript.py"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node")
def test_the_client_works_under_node(page: Page) -> None:
    done = subprocess.run(
        ["node", str(HERE / "client.mjs"), page.base, page.token], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["name"] == "pack"
    assert 0 < seen["used"] <= 300
    assert seen["text"] > 0
    assert {"name", "text", "reference", "score"} <= seen["result"].keys()
    assert seen["status"] > 0
    assert seen["added"]["unchanged"] > 0
    assert seen["embedded"]["embedded"] >= 0
    assert seen["unknown"][:2] == [422, "bad_input"]
    assert "budget" in seen["unknown"][2]
    assert seen["missing"][:2] == seen["inEvents"][:2] == [404, "not_found"]
    assert seen["stranger"][:2] == [401, "no_token"]
    assert seen["unreachable"][:2] == [0, "unreachable"]
    assert "no server answers at http://127.0.0.1:1" in seen["unreachable"][2]
    assert "AbortError" in seen["aborted"]


def test_examples_in_the_types_can_be_used_as_they_stand(typescript: ModuleType) -> None:
    types = typescript.files()["daypack.d.mts"]
    assert "** /" not in types
    assert r"src/**\/*.py" in types, "which a string of JavaScript reads as src/**/*.py"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tsc") is None, reason="no TypeScript compiler")
def test_the_compiler_refuses_wrong_calls_and_no_others() -> None:
    done = subprocess.run(
        ["tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", str(HERE / "client_types.mts")],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
