"""The image's commands and its health check, run here without a container: as the Dockerfile has them, on a free port."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import TESTS, command, environment
from team_server import free_port

DOCKERFILE = (TESTS.parent / "Dockerfile").read_text(encoding="utf-8")
PATIENCE = 120  # seconds, on a machine that does much else


def argument_list(form: str) -> list[str]:
    found = re.search(rf"^{form}(\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert found is not None
    words: list[str] = json.loads(found[1])
    return words


CHECK = argument_list("HEALTHCHECK .*CMD ")
SERVE = argument_list("CMD ")
AGENTS = ["mcp", "--http", *SERVE[2:]]


def is_healthy(port: int) -> bool:
    program = CHECK[2].replace("8377", str(port))
    return (
        subprocess.run([sys.executable, *CHECK[1:2], program], capture_output=True, check=False).returncode
        == 0
    )


@contextmanager
def running(words: list[str], port: int, folder: Path) -> Iterator[None]:
    typed = [word.replace("0.0.0.0", "127.0.0.1") for word in words] + ["--port", str(port)]
    variables = environment(DAYPACK_STORE=str(folder / "data" / "store"))
    server = subprocess.Popen(
        command(*typed), cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize("words", [SERVE, AGENTS], ids=["serve", "mcp"])
def test_the_health_check_tells_a_server_that_answers_from_none(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    port = free_port()
    assert not is_healthy(port)
    with running(words, port, tmp_path):
        deadline = time.monotonic() + PATIENCE
        while not is_healthy(port):
            assert time.monotonic() < deadline, "the server never answered"
            time.sleep(0.2)


def test_the_image_is_made_of_files_that_are_there_and_not_ignored() -> None:
    kept = {
        line[1:]
        for line in (TESTS.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    copied = {
        word
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for word in line.split()[:-1]
    }
    assert copied == kept
    assert all((TESTS.parent / name).exists() for name in kept)
    assert re.findall(r"requirements/[\w.]+", DOCKERFILE) == ["requirements/office.txt"]
    assert (TESTS.parent / "requirements" / "office.txt").exists()
