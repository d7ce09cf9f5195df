"""Golden files: what a pack looks like is reviewed as a diff.

python -m pytest tests/shapes --update-golden      rewrites them; `git diff` is the review
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Imported for what it does: from here on, this process and its workers connect to nothing but this machine.
import offline.sitecustomize  # noqa: F401
import team_server
from daypack import Daypack
from support import WORDS, Clock

# How fast a machine is says nothing about whether we are right, and what is right today must not be wrong by
# another draw tomorrow: the suite tries the same examples every time, and `make examples` looks for new ones.
USUAL = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
settings.register_profile("daypack", derandomize=True, **USUAL)
settings.register_profile("fuzz", derandomize=False, print_blob=True, **USUAL)
settings.load_profile("daypack")

# A shell that runs the suite in the background lets it ignore Ctrl-C, and every process that a test
# interrupts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# "Yesterday" is a day of the machine's zone; goldens and dates of tests are UTC.
os.environ["TZ"] = "UTC"
if hasattr(time, "tzset"):
    time.tzset()

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files instead of comparing with them"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("shapes/pack.md.txt", text)` compares with tests/golden/shapes/pack.md.txt, byte for byte."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            return
        if not path.exists():
            pytest.fail(f"there is no golden file {path}; run the test with --update-golden and review it")
        assert text == path.read_bytes().decode(), (
            f"{path} differs; run with --update-golden and review the diff"
        )

    return check


# ---------------------------------------------------------------- a store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def dp(tmp_path: Path, clock: Clock) -> Iterator[Daypack]:
    """An empty store, whose answers depend on words and the clock alone."""
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=clock) as daypack:
        yield daypack


# ---------------------------------------------------------------- a PostgreSQL server

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The URL of a running server: that of `make test-team`, else one of our own; where none can be started, tests that need
    one are skipped.
    """
    if (url := os.environ.get("DAYPACK_TEST_SERVER")) is not None:
        yield url
        return
    if reason := team_server.why_not():
        pytest.skip(reason)
    with team_server.alone() as server:
        yield server.url


@pytest.fixture
def new_store(server_url: str) -> Callable[[], str]:
    """The URLs of stores that do not exist yet."""
    return lambda: f"{server_url}?schema=own_{os.getpid()}_{next(_NUMBERS)}"
