"""What Daypack's own code can reach: the modules that open connections, and those that start programs."""

from __future__ import annotations

import ast
from pathlib import Path

from support import TESTS

SOURCE = TESTS.parent / "src" / "daypack"
CONNECTING = {"socket", "ssl", "http.client", "http.server", "urllib.request", "httpx", "requests", "uvicorn", "ftplib", "smtplib"}  # fmt: skip
STARTING = {"subprocess", "webbrowser", "pty", "multiprocessing"}
STARTERS = {
    "system",
    "popen",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "posix_spawn",
    "startfile",
}


def imported(path: Path) -> set[str]:
    """Modules that a file imports anywhere, and functions that start programs, by name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Attribute) and node.attr in STARTERS:
            found.add("subprocess")
    return found


def reaching(modules: set[str]) -> set[str]:
    return {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(name == one or name.startswith(f"{one}.") for name in imported(path) for one in modules)
    }


def test_only_an_endpoint_pages_servers_and_teams_open_connections() -> None:
    assert reaching(CONNECTING) == {
        "embed/endpoint.py",
        "doors/knowledge/web.py",
        "surfaces/http/listen.py",
        "surfaces/http/connections.py",
        "surfaces/team/remote.py",
    }


def test_programs_are_started_for_known_purposes_alone() -> None:
    assert reaching(STARTING) == {
        "doors/reading/process.py",  # `daypack run` and its tool; the reader of office formats
        "doors/code/worktree.py",  # git
        "crew.py",  # Pythons that cut what a large folder holds
        "surfaces/cli/terminal.py",  # the pager
        "surfaces/cli/serving.py",  # the browser
        "surfaces/install/check.py",  # `daypack mcp`, as an agent starts it
        "system.py",  # taskkill, which ends a group of processes on Windows
    }
