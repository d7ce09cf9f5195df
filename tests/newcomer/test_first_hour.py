"""The first hour of a new user, in an empty environment from the built wheel, with every message that it prints.

tests/golden/newcomer/first_hour.txt is the terminal, and reads well: `pytest tests/newcomer --update-golden`
rewrites it. A line that begins with `!` went to standard error.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from support import TESTS

PATIENCE = 300  # seconds, on a machine that does much else
QUESTION = "why does every attempt carry the same idempotency key?"
HOOKS: tuple[Mapping[str, object], ...] = (
    {"hook_event_name": "UserPromptSubmit", "prompt": "Lower the retry budget of refunds to 5 %."},
    {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "python -m pytest tests/test_refunds.py"},
        "tool_response": {"stdout": "1 failed: test_a_refund_is_retried_three_times", "exit_code": 1},
    },
)


class Terminal:
    """A user's terminal in a project: what is typed and what is printed, with names that are the same everywhere."""

    def __init__(self, project: Path, home: Path, environment: Path) -> None:
        self.project, self.text = project, ""
        self.variables = {
            "PATH": os.pathsep.join((str(environment / "bin"), os.defpath)),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONWARNINGS": "error",
            "DAYPACK_EMBEDDER": "hashing",  # the same figures on every machine
        }
        self._names = {str(environment): "/opt/daypack", str(project): "~/pay", str(home): "~"}

    def type(self, line: str, *arguments: str, input: str = "", status: int = 0) -> str:
        """Run `daypack` with these arguments, or with the words of the line; returns standard output."""
        words = arguments or tuple(line.split()[1:])
        done = subprocess.run(
            ["daypack", *words], cwd=self.project, env=self.variables, input=input, capture_output=True,
            text=True, timeout=PATIENCE, check=False, executable=self.found(),
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, f"{line}: exit status {done.returncode}: {done.stderr}"
        self.show(line, done.stdout, done.stderr, status)
        return done.stdout

    def found(self) -> str:
        path = shutil.which("daypack", path=self.variables["PATH"])
        assert path is not None
        return path

    def show(self, line: str, out: str, err: str, status: int = 0) -> None:
        said = out + "".join(f"! {one}\n" for one in err.splitlines())
        if said and not said.endswith("\n"):
            said += "\n"
        self.text += f"$ {line}\n{self.plain(said)}" + (f"[exit status {status}]\n" if status else "") + "\n"

    def plain(self, text: str) -> str:
        for name, shown in sorted(self._names.items(), key=lambda item: -len(item[0])):
            text = text.replace(name, shown)
        for form, shown in (
            (r"daypack \d+\.\d+\.\d+", "daypack VERSION"),
            (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
            (r"key=[\w-]+", "key=KEY"),
            (r"@[0-9]{3}\b", "@HASH"),
            (r"[0-9a-f]{8}-[0-9a-f]{8}-", "HASH-"),
            (r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?", "DATE"),
            (r"(?<= )\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?=[ \]])", "DATE"),
            (r"\b[0-9a-f]{12,}\b", "ID"),
            (r"\b\d+(?:\.\d+)? (?:ms|s)\b", "TIME"),
        ):
            text = re.sub(form, shown, text)
        return text


@pytest.fixture
def terminal(installed: Path, tmp_path: Path) -> Terminal:
    home, project = tmp_path / "home", tmp_path / "home" / "pay"
    shutil.copytree(TESTS.parent / "examples" / "pay", project)
    (project / ".git").mkdir()
    return Terminal(project, home, installed)


def test_the_first_hour(terminal: Terminal, installed: Path, golden: Callable[[str, str], None]) -> None:
    project = terminal.project
    home = project.parent
    before = _files_of(home)

    terminal.show("pip install dist/daypack-VERSION-py3-none-any.whl", "", "")
    terminal.type("daypack --version")
    pack = terminal.type(f'daypack pack "{QUESTION}" --budget 300', "pack", QUESTION, "--budget", "300")
    assert "docs/retries.md:25" in pack
    terminal.type("daypack get docs/retries.md:25-28")

    remembered = ("remember", "release/cadence", "We deploy on Thursdays.")
    terminal.type(f'daypack remember {remembered[1]} "{remembered[2]}"', *remembered)
    terminal.type("daypack recall release/cadence")
    assert "Thursdays" in terminal.type(
        'daypack memory search "when do we deploy?"', "memory", "search", "when do we deploy?"
    )

    for number, event in enumerate(HOOKS):
        line = {"session_id": "first", "cwd": str(project), "tool_use_id": str(number), **event}
        terminal.type("daypack session capture", input=json.dumps(line))
    assert "5 %" in terminal.type("daypack session resume")

    assert "works: " in terminal.type("daypack install --client claude-code --hooks")
    assert "works: " in terminal.type("daypack install --client vscode --user")
    _serve(terminal)
    terminal.type("daypack uninstall --client claude-code")
    terminal.type("daypack uninstall --client vscode --user")
    assert _files_of(home) == before

    _remove(installed)
    terminal.show("pip uninstall daypack", "", "")
    golden("newcomer/first_hour.txt", terminal.text)


def _files_of(home: Path) -> set[Path]:
    """The files below the home folder, without the store, unpacked grammars, and backups of changed settings."""
    ours = (".daypack", ".cache", ".local")
    return {path for path in home.rglob("*") if not {*ours} & {*path.relative_to(home).parts}}


def _serve(terminal: Terminal) -> None:
    """Start the page, open its link as a browser does, ask for its health, and interrupt it."""
    words = ["serve", "--port", "0", "--no-open"]
    server = subprocess.Popen(
        ["daypack", *words], executable=terminal.found(), cwd=terminal.project, env=terminal.variables,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        link = server.stdout.readline()
        place = link.partition("/enter")[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with browser.open(link.strip(), timeout=PATIENCE) as page:
            assert "<title>" in page.read().decode()
        token = (terminal.project / ".daypack" / "token").read_text().strip()
        asked = urllib.request.Request(f"{place}/health", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=PATIENCE)
    finally:
        server.kill()
        server.wait()
    terminal.show(f"daypack {' '.join(words)}", link + out, err)


def _remove(environment: Path) -> None:
    """Uninstall the package; nothing of it is left in the environment."""
    python = environment / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "uninstall", "--yes", "daypack"],
        check=True,
    )
    left = [path for path in environment.rglob("*daypack*") if "__pycache__" not in path.parts]
    assert left == []


def test_the_wheel_holds_the_package_its_data_and_licences_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    source = TESTS.parent / "src"
    files = {
        path.relative_to(source).as_posix()
        for path in (source / "daypack").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    information = {name.partition("/")[2] for name in names - files}
    assert files <= names
    assert information == {
        *("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"),
        *(
            f"licenses/src/daypack/{name}"
            for name in ("embed/minilm/LICENSE", "embed/minilm/NOTICE", "tokens/NOTICE", "guard/NOTICE")
        ),
    }
