"""The suite of `make test-team`: the tests that it leaves out, with the reason of each, and the share that ran.

tests/team_left_out.txt lists them: a line in brackets is a reason, the lines below it are files or tests. A line that no
longer names a test fails the run. `make test-team ARGS=--left-out` runs those tests alone, to see which could come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from offline import on_a_server

LIST = Path(__file__).with_name("team_left_out.txt")
MARK = "left out on a server: "
SERVED = "opened a store on the server"


def reasons(text: str) -> Mapping[str, str]:
    """The reason for each test or file of a list."""
    found: dict[str, str] = {}
    reason = ""
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            reason = line[1:-1]
        elif line and not line.startswith("#"):
            assert reason, f"{line} stands before any reason"
            assert line not in found, f"{line} is listed twice"
            found[line] = reason
    return found


def missing(listed: Mapping[str, str], collected: Sequence[str], *, root: Path) -> list[str]:
    """The listed names that no collected test has; of files that were not collected, those that do not exist."""
    names = {test.partition("[")[0] for test in collected}
    files = {name.partition("::")[0] for name in names}

    def is_there(name: str) -> bool:
        file, _, test = name.partition("::")
        if file in files:
            return not test or name in names
        return (root / file).is_file()

    return [name for name in listed if not is_there(name)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--left-out", action="store_true", help="run only the tests that the list leaves out")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    listed = reasons(LIST.read_text())
    gone = missing(listed, [item.nodeid for item in items], root=config.rootpath)
    if gone and not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"{LIST.name} names what does not exist: {', '.join(gone)}")
    only = config.getoption("--left-out")
    for item in items:
        name = item.nodeid.partition("[")[0]
        reason = listed.get(name) or listed.get(name.partition("::")[0])
        if reason and not only:
            item.add_marker(pytest.mark.skip(reason=MARK + reason))
        elif only and not reason:
            item.add_marker(pytest.mark.skip(reason="not left out"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    before = on_a_server.opened_here
    try:
        return (yield)
    finally:
        if on_a_server.opened_here > before:
            item.user_properties.append((SERVED, True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    try:
        return (yield)
    finally:
        if folder is not None:
            on_a_server.drop_below(folder)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    stats = terminalreporter.stats
    left = Counter(
        said.partition(MARK)[2]
        for report in stats.get("skipped", ())
        if MARK
        in (said := str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr))
    )
    ran = [*stats.get("passed", ()), *stats.get("failed", ())]
    if not ran:
        return
    out = sum(left.values())
    served = sum((SERVED, True) in report.user_properties for report in ran)
    terminalreporter.section("on a PostgreSQL server")
    terminalreporter.line(
        f"{len(ran):,} of {len(ran) + out:,} tests ran, {len(ran) / (len(ran) + out):.1%}; {served:,} opened stores there themselves"
    )
    for reason, count in left.most_common():
        terminalreporter.line(f"{count:5,} left out: {reason}")
