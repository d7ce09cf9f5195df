"""The API as type checkers see it: `api.py` beside this says what they take and what they refuse."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import daypack
from daypack import Daypack, aio
from support import TESTS, WORDS

FILE = Path(__file__).with_name("api.py")
REFUSED = {
    number
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1)
    if line.endswith("# error")
}
SOURCE = TESTS.parent / "src"


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="no mypy: `make check` installs it")
def test_mypy_refuses_wrong_arguments_and_no_others(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", "--follow-imports=silent", str(FILE)],
        env={**os.environ, "MYPYPATH": str(SOURCE)}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    errors = re.findall(r"api\.py:(\d+): error", done.stdout)
    assert {int(number) for number in errors} == REFUSED, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("basedpyright") is None and shutil.which("pyright") is None, reason="no pyright"
)
def test_pyright_refuses_wrong_arguments_and_no_others(tmp_path: Path) -> None:
    command = shutil.which("basedpyright") or shutil.which("pyright")
    assert command is not None
    # A copy, because pyright ignores files outside the folder of its settings.
    shutil.copy(FILE, tmp_path)
    settings = {"extraPaths": [str(SOURCE)], "typeCheckingMode": "strict"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [command, "--outputjson", "--project", str(tmp_path), "--pythonpath", sys.executable],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}
    assert errors == REFUSED, found


def test_what_is_awaited_is_all_of_daypack_and_of_its_doors(tmp_path: Path) -> None:
    written = set(re.findall(r"awaited\((\w+\.\w+)\)", inspect.getsource(aio)))
    missing = set()
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        for thing in (dp, *(getattr(dp, name) for name in aio._DOORS)):
            kind = type(thing)
            missing |= {
                f"{kind.__name__}.{name}"
                for name in dir(kind)
                if not name.startswith("_") and inspect.isfunction(inspect.getattr_static(kind, name))
            }
    assert missing - {"Daypack.door", "Daypack.close", "Daypack.close_doors"} == written


def test_dir_of_the_package_lists_its_public_names_and_nothing_else() -> None:
    assert dir(daypack) == sorted(daypack.__all__)


def test_dir_of_a_store_lists_the_api_and_nothing_else(dp: Daypack) -> None:
    assert not [name for name in dir(dp) if name.startswith("_")]
    assert {"pack", "search", "get", "files", "memories", "close"} <= {*dir(dp)}
    assert {*dir(dp)} == {
        *(name for name in dir(Daypack) if not name.startswith("_")), "engine", "root", "shared",
    }  # fmt: skip
