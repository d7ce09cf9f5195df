"""A crew of processes gives what one process gives, in the same order, whatever happens to its members."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any

import pytest

from daypack import Daypack, crew
from daypack.crew import spread
from daypack.doors.code import project
from daypack.engine.ingest import ingestion
from daypack.errors import DaypackError
from daypack.system import cores
from support import WORDS
from support import project as made_project

PARENT = "DAYPACK_TEST_PARENT"


def doubled(number: int) -> int:
    return 2 * number


def slow_at_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def process(_: object) -> int:
    return os.getpid()


def failing(number: int) -> int:
    raise DaypackError(f"no {number}", "take another")


def interrupted() -> Iterator[int]:
    """Items, and an interrupt by Ctrl-C for all processes of the terminal while the first ones are on their way."""
    yield from range(2)
    time.sleep(0.05)
    os.killpg(0, signal.SIGINT)
    yield 2


def dies_elsewhere(number: int) -> int:
    if os.environ.get(PARENT) != str(os.getpid()):
        os._exit(7)
    return number


def dies_at_the_third(number: int) -> int:
    if number == 2 and os.environ.get(PARENT) != str(os.getpid()):
        os._exit(7)
    return os.getpid()


def same(value: object) -> object:
    return value


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(spread(slow_at_first, range(40), processes=3)) == list(range(40))


def test_the_work_is_done_by_other_processes() -> None:
    done = set(spread(process, range(20), processes=2))
    assert os.getpid() not in done
    assert len(done) <= 2


def test_an_error_of_the_work_is_the_error_that_one_process_raises() -> None:
    with pytest.raises(DaypackError, match="no 0"):
        list(spread(failing, range(3), processes=2))


def test_work_of_a_process_that_died_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PARENT, str(os.getpid()))
    assert list(spread(dies_elsewhere, range(10), processes=2)) == list(range(10))


def test_a_process_that_died_after_an_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread failed at once at every further group, so that the program did most of them by itself."""
    monkeypatch.setenv(PARENT, str(os.getpid()))
    assert list(spread(dies_at_the_third, range(60), processes=2)).count(os.getpid()) == 1


@pytest.mark.parametrize("executable", ["", "/does/not/exist"])
def test_without_a_python_to_start_the_work_is_done_here(
    monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert list(spread(doubled, range(5), processes=2)) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("program", ["/bin/echo", "/bin/cat"])
def test_a_program_that_is_no_python_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert list(spread(doubled, range(5), processes=2)) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("printed", ["x", "a line that is longer than a length"])
def test_a_python_that_prints_at_its_start_is_not_taken_for_an_answer(
    monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    monkeypatch.setattr(crew, "_START", f"print({printed!r}, flush=True); {crew._START}")
    assert list(spread(doubled, range(5), processes=2)) == [0, 2, 4, 6, 8]


def nested() -> list[object]:
    value: list[object] = []
    for _ in range(5_000):
        value = [value]
    return value


@pytest.mark.parametrize("item", [Lock(), nested()], ids=["lock", "nested"])
def test_an_item_that_cannot_travel_is_done_here(item: object) -> None:
    assert list(spread(process, [item], processes=2)) == [os.getpid()]


def test_a_consumer_that_stops_does_not_wait_for_a_slow_item() -> None:
    results = spread(time.sleep, [0, 60, 60], processes=2)
    next(results)
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 20


def test_items_are_taken_only_a_few_ahead() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = spread(doubled, items(), processes=2)
    assert next(results) == 2
    assert taken < 10
    results.close()


def test_views_of_mappings_travel() -> None:
    value = MappingProxyType({"a": 1})
    assert list(spread(same, [value], processes=2)) == [value]


SCRIPT = """
    from daypack.crew import spread
    from operator import neg
    import subprocess, sys
    {before}
    print(sum(spread(neg, range(10), processes=2)))
"""


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "script.py"
    path.write_text(textwrap.dedent(script))
    return subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        env=_environment(),
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_a_script_without_a_guard_for_its_main_part_runs_once(tmp_path: Path) -> None:
    done = run(SCRIPT.format(before="print('begun')"), tmp_path)
    assert (done.stdout.split(), done.stderr) == (["begun", "-45"], "")


def test_an_interrupt_while_the_crew_starts_prints_nothing(tmp_path: Path) -> None:
    script = """
        import os, signal
        from contextlib import suppress
        from daypack.crew import spread
        from test_crew import interrupted
        with suppress(KeyboardInterrupt):
            list(spread(abs, interrupted(), processes=2))
    """
    done = run(script, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_crew_that_cannot_import_the_package_says_nothing(tmp_path: Path) -> None:
    """As of a package that an importer of its own finds, which the new processes do not have."""
    gone = (
        "import os; sys.path[:] = [at for at in sys.path if not os.path.isdir(os.path.join(at, 'daypack'))]"
    )
    done = run(SCRIPT.format(before=gone), tmp_path)
    assert (done.stdout.split(), done.stderr) == (["-45"], "")


def test_processes_end_when_the_program_is_killed(tmp_path: Path) -> None:
    script = """
        import os, signal
        from daypack.crew import spread
        from test_crew import process
        print(*next(spread(tuple, [()] , processes=2)), *{*spread(process, range(8), processes=2)})
        running = spread(process, iter(int, 1), processes=2)
        print(next(running), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = run(script, tmp_path)
    assert done.returncode == -9
    for number in map(int, done.stdout.split()):
        _wait_for_end(number)


def _wait_for_end(number: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        if _is_zombie(number):
            return
        time.sleep(0.05)
    raise AssertionError(f"process {number} still runs")


def _is_zombie(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


FILES = {
    f"part{number}/ledger_{number}.py": f'"""Ledger {number}."""\n\n\ndef total_{number}(rows):\n'
    f'    """The sum of rows, with password = "hunter{number}secret9Z"."""\n    return sum(rows) + {number}\n'
    for number in range(30)
} | {"notes.md": "# Notes\n\nThe ledger closes at noon.\n", "broken.bin": "\0\1\2"}


@pytest.mark.skipif(cores() < 2, reason="one core has no crew")
def test_a_crew_writes_the_same_store_and_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion, "WORTH_A_CREW", 0)
    monkeypatch.setattr(project, "WORTH_A_CREW", 0)
    monkeypatch.setattr(crew, "GROUP_CHARACTERS", 300)
    monkeypatch.setattr(ingestion, "MANY_RECORDS", 0)
    root = made_project(tmp_path / "project", FILES)
    alone = _contents(tmp_path / "alone", root, 1)
    begun: list[int] = []
    made = crew._Crew

    def counted(size: int) -> crew._Crew:
        begun.append(size)
        return made(size)

    monkeypatch.setattr(crew, "_Crew", counted)
    assert _contents(tmp_path / "crew", root, 2) == alone
    assert begun == [2, 2, 2]  # to add, to extract facts, to cut again
    added: Any = alone[0]
    texts = (text for text in FILES.values() if isinstance(text, str) and "\0" not in text)
    assert added.bytes == sum(map(len, texts))  # as they were read, with their secrets
    assert added.redactions


def _contents(place: Path, root: Path, processes: int) -> tuple[object, ...]:
    with Daypack.open(
        place, root=root, settings=replace(WORDS, processes=processes), clock=lambda: 0.0
    ) as daypack:
        report = daypack.files.add(root)
        callers = daypack.code.callers("total_3")
        again = daypack.engine.reindex()
        with daypack.engine.store.reading() as db:
            tables = {
                table: [tuple(row) for row in db.execute(f"SELECT * FROM {table}")]
                for table in ("record", "chunk", "segment", "posting", "code_name")
            }
            facts = [tuple(row) for row in db.execute("SELECT hash, data FROM code_facts")]
    return report, again, str(callers), tables, facts
