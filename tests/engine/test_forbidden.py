"""What the source may not hold: a shell, evaluated text, pickles, transactions that begin without a lock,
calls home.
"""

from __future__ import annotations

import ast
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import daypack

SOURCE = Path(daypack.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

CALLS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "os.system",
    "os.popen",
    "pickle.load",
    "pickle.loads",
    "marshal.loads",
    "yaml.load",
    "shelve.open",
}
SPEAKS = {"embed/endpoint.py", "doors/knowledge/web.py", "surfaces/http/listen.py", "surfaces/team/remote.py"}
PICKLES = {"crew.py"}  # sent to, and read from, processes of this program alone, through their pipes
MODULES = {"pickle", "marshal", "shelve", "telnetlib", "ftplib", "smtplib", "requests", "httpx"}


def name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES])
def test_no_shell_no_evaluated_text_no_pickle(path: Path) -> None:
    allowed = {"pickle", "pickle.loads"} if path.relative_to(SOURCE).as_posix() in PICKLES else set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            call = name_of(node.func)
            assert call not in CALLS - allowed, f"line {node.lineno}"
            for keyword in node.keywords:
                assert keyword.arg not in ("shell", "allow_pickle") or (
                    isinstance(keyword.value, ast.Constant) and not keyword.value.value
                ), f"line {node.lineno}"
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] != ["HTTPStatus"]
            else []
        )
        assert not (MODULES - allowed) & {name.partition(".")[0] for name in names}
        # Only the endpoint, the fetching of pages and a team that the user follows, each off until somebody names
        # it, may speak to others, and a server listens.
        if path.relative_to(SOURCE).as_posix() not in SPEAKS:
            assert not {"socket", "http", "urllib"} & {name.partition(".")[0] for name in names} or {
                "urllib.parse"
            } >= set(names), names


def test_the_only_plain_begin_is_that_of_a_reader() -> None:
    """A transaction that reads first and writes later fails at once under contention, whatever the busy
    timeout.
    """
    found = [
        (path.name, node.value)
        for path in FILES
        for node in _not_compared(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.upper() in {"BEGIN", "BEGIN DEFERRED", "BEGIN TRANSACTION"}
    ]
    assert found == [("database.py", "BEGIN")]


def _not_compared(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module, without those that a value is compared with: calendars have lines that say BEGIN."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.Compare):
            yield from _not_compared(node)


def test_the_suite_itself_is_offline() -> None:
    with socket.socket() as reaching, pytest.raises(AssertionError, match="offline"):
        reaching.connect(("192.0.2.1", 80))
