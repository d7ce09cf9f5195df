"""Starts the server that a client's settings name, as the client would, and requests its list of tools.

A desktop client is not started from a shell, so the server gets neither an activated environment nor a path of Python
modules.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from daypack.errors import DaypackError
from daypack.surfaces.install.contracts import started_by
from daypack.system import wait_readable

ANSWER_SECONDS = 60.0
_END_SECONDS = 10.0  # in which the server must end after its client has gone
_PROTOCOL = "2025-06-18"  # the version of clients that begin with a handshake
_OF_A_SHELL = ("VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME")


class ServerFails(DaypackError, code="server_fails", exit_status=1):
    """The settings are written, but the server that they name does not answer."""

    def __init__(self, client: str, why: str, step: str) -> None:
        super().__init__(f"{client} cannot use Daypack yet: {why}; {step}")


def client_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a client without an activated environment."""
    kept = {name: value for name, value in variables.items() if name not in _OF_A_SHELL}
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if folder := variables.get(name):
            paths = kept.get("PATH", "").split(os.pathsep)
            kept["PATH"] = os.pathsep.join(path for path in paths if not Path(path).is_relative_to(folder))
    return kept


def tools_of(
    client: str,
    server: Mapping[str, Any],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float = ANSWER_SECONDS,
) -> list[str]:
    """The names of the tools that `server`, an entry in the settings of `client`, lists for the project in `folder`. Raises
    ServerFails with the reason and the next step.
    """
    command = [item.replace("${workspaceFolder}", str(folder)) for item in started_by(server)]
    shown = subprocess.list2cmdline(command)
    with tempfile.TemporaryFile() as trouble:
        try:
            process = subprocess.Popen(
                _found(command, environment), cwd=folder, env={**environment, **_variables(server)},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=trouble, bufsize=0,
            )  # fmt: skip
        except FileNotFoundError:
            raise ServerFails(
                client,
                f"there is no command {command[0]} on its PATH",
                "install Daypack with pipx or `uv tool install`, then run this command again",
            ) from None
        except OSError as error:
            raise ServerFails(
                client,
                f"{command[0]} cannot be started ({error.strerror})",
                "install Daypack again, then run this command again",
            ) from None
        try:
            return _listed(process, time.monotonic() + seconds)
        except _NoAnswer as error:
            status = process.poll()
            why = f"`{shown}` {error}" + ("" if status is None else f" and ended with status {status}")
            raise ServerFails(
                client, why + _last_line(trouble), f"run `{shown}` in a terminal to see more"
            ) from None
        finally:
            _end(process)


def _variables(server: Mapping[str, Any]) -> dict[str, str]:
    """The variables that an entry sets, by the names of any client."""
    given = [server.get(name) for name in ("env", "environment")]
    return {name: str(value) for one in given if isinstance(one, dict) for name, value in one.items()}


def _found(command: list[str], environment: Mapping[str, str]) -> list[str]:
    """The command with its program as found on the client's PATH, not on that of this process."""
    import shutil

    found = shutil.which(command[0], path=environment.get("PATH", ""))
    if found is None:
        raise FileNotFoundError(command[0])
    return [found, *command[1:]]


class _NoAnswer(Exception):
    """The reason, as the end of a sentence that begins with the server's command."""


def _listed(process: subprocess.Popen[bytes], deadline: float) -> list[str]:
    assert process.stdin is not None
    params = {
        "protocolVersion": _PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "daypack install", "version": "1"},
    }
    answers = _answers(process, deadline)
    _send(process.stdin, {"id": 1, "method": "initialize", "params": params})
    _result(answers, 1)
    _send(process.stdin, {"method": "notifications/initialized"})
    _send(process.stdin, {"id": 2, "method": "tools/list", "params": {}})
    found = _result(answers, 2)
    try:
        names = [str(tool["name"]) for tool in found["tools"]]
    except (KeyError, TypeError):
        raise _NoAnswer("lists its tools in a form that is not the protocol's") from None
    if not names:
        raise _NoAnswer("lists no tools")
    return names


def _send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # the missing answer says more
        stream.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def _result(answers: Iterator[dict[str, Any]], number: int) -> dict[str, Any]:
    for answer in answers:
        if answer.get("id") == number:
            if isinstance(found := answer.get("result"), dict):
                return found
            raise _NoAnswer(f"answers with an error ({json.dumps(answer.get('error'))[:300]})")
    raise _NoAnswer("does not answer")


def _answers(process: subprocess.Popen[bytes], deadline: float) -> Iterator[dict[str, Any]]:
    """The messages of a server until it ends. Raises _NoAnswer after the deadline."""
    assert process.stdout is not None
    held = b""
    while True:
        if not wait_readable(process.stdout.fileno(), max(0.0, deadline - time.monotonic())):
            raise _NoAnswer("does not answer in time")
        block = os.read(process.stdout.fileno(), 1 << 16)
        if not block:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_END_SECONDS)
            return
        *lines, held = (held + block).split(b"\n")
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                raise _NoAnswer(f"prints {line[:80]!r} where messages are expected") from None
            if isinstance(message, dict):
                yield message


def _last_line(trouble: IO[bytes]) -> str:
    trouble.seek(0)
    lines = trouble.read().decode("utf-8", "replace").strip().splitlines()
    return f" ({lines[-1].strip()[:300]})" if lines else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server as a client does: close its input, and kill it if it does not end."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        process.wait(timeout=_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
