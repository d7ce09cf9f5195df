"""A server for the tests of this folder: that of `make test-team`, else one of our own."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator

import pytest

import team_server

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The URL of a running server; the tests are skipped where none can be started."""
    if (url := os.environ.get("DAYPACK_TEST_SERVER")) is not None:
        yield url
        return
    if reason := team_server.why_not():
        pytest.skip(reason)
    folder = team_server.place()
    try:
        with team_server.Server(folder) as server:
            yield server.url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def new_store(server_url: str) -> Callable[[], str]:
    """The URLs of stores that do not exist yet."""
    return lambda: f"{server_url}?schema=own_{os.getpid()}_{next(_NUMBERS)}"
