"""`daypack run`: a command's whole output is kept, and only what answers is shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.knowledge.types import CommandOutput
from daypack.doors.reading.process import CommandNotFound, run_command
from daypack.text.terminal_text import last_shown
from support import INTERRUPTS, WORDS, command, daypack, environment, project

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


LOG = "for n in range(6000): print(f'{n:05} the pump runs at pressure {n % 17} and nothing is wrong with it')\nprint('FATAL: valve 7 is stuck'); raise SystemExit(3)"


def test_a_log_of_300_kb_costs_two_kb_of_context(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    done = daypack(
        "run", "--label", "pump", "--query", "which valve is stuck?", "--", *python(LOG), cwd=ferry, status=3
    )
    assert "valve 7 is stuck" in done.stdout
    assert len(done.stdout) < 3_000
    assert "exit 3 after" in done.stdout
    assert "6,001 lines, kept as source:pump" in done.stdout
    kept = daypack("get", "source:pump", cwd=ferry).stdout
    assert kept.count("\n") == 6001
    assert "02500 the pump runs" in kept
    assert "valve 7" in daypack("search", "stuck valve", "--path", "pump", cwd=ferry).stdout


def test_as_data_and_without_a_query(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    found = json.loads(
        daypack("run", "--json", "--query", "valve", "--", *python(LOG), cwd=ferry, status=3).stdout
    )
    assert (found["status"], found["lines"], found["stopped"], len(found["answers"])) == (3, 6001, "", 1)
    assert daypack("run", "--label", "x", "--", "echo", "hello", cwd=ferry).stdout.splitlines()[-1] == "hello"
    assert (
        "kept as source:x" in daypack("run", "--label", "x", "--", "echo", "--label", "y", cwd=ferry).stdout
    )
    empty = project(tmp_path / "empty", {})
    for folder in (ferry, empty):
        assert "cannot be run" in daypack("run", "--", "no-such-command-here", cwd=folder, status=2).stderr
    assert not (empty / ".daypack").exists()
    daypack("run", cwd=ferry, status=2)


def test_an_output_that_answers_no_question_still_shows_its_failing_and_last_lines(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    ask = ("--query", "which elephants are purple?", "--query", "who paints them?")
    short = daypack("run", "--label", "short", *ask[:2], "--", "cat", "nofile", cwd=ferry, status=1).stdout
    assert "Nothing relevant was found." in short
    assert "Last lines:\ncat: nofile: No such file or directory\n" in short
    lines = "print('0 pumps')\n" * 30 + "print('fatal: hull leaks')\n" + "print('1 valve')\n" * 30
    long = python(f"{lines}raise SystemExit(4)")
    shown = daypack("run", "--label", "long", *ask, "--", *long, cwd=ferry, status=4).stdout
    assert "fatal: hull leaks" in shown


def test_a_command_that_failed_shows_its_failing_lines_without_a_question(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    failing = LOG.replace("; raise", "\nfor n in range(40): print('cleaning up', n)\nraise")
    shown = daypack("run", "--label", "pump", "--", *python(failing), cwd=ferry, status=3).stdout
    answer, last = shown.partition("[1 source:pump:")[2].split("Last lines:")
    assert "valve 7 is stuck" in answer
    assert "cleaning up 39" not in answer
    assert last.endswith("cleaning up 39\n")
    well = daypack("run", "--label", "well", "--", *python(failing.replace("(3)", "(0)")), cwd=ferry).stdout
    assert "[1 source" not in well
    quiet = python("for n in range(40): print('cleaning up', n)\nraise SystemExit(1)")
    cut_short = ("python3", "-c", "print('ok\\n' * 30 + 'ValueError: the hull leaks'); raise SystemExit(1)")
    said = daypack("run", "--label", "leak", "--", *cut_short, cwd=ferry, status=1).stdout
    assert said.count("ValueError: the hull leaks\n") == 1, "what an excerpt shows is not shown again"
    assert "Last lines:" not in daypack("run", "--label", "quiet", "--", *quiet, cwd=ferry, status=1).stdout


def test_no_shell_reads_the_arguments(dp: Daypack, tmp_path: Path) -> None:
    hostile = ["$(touch pwned)", "a;b", "`id`", "-rf", "two\nlines", "*", "", "&& touch pwned"]
    code = "import sys, json; print(json.dumps(sys.argv[1:]))"
    output = dp.knowledge.run([*python(code), *hostile], label="args", folder=tmp_path)
    assert json.loads(dp.get("source:args").text) == hostile
    assert output.ran.status == 0
    assert not (tmp_path / "pwned").exists()


def test_a_command_that_does_not_end_is_ended_with_its_children(dp: Daypack, tmp_path: Path) -> None:
    note = tmp_path / "alive"
    child = f"import time, pathlib\nwhile True: pathlib.Path({str(note)!r}).touch(); time.sleep(0.05)"
    code = f"import subprocess, sys, time\nprint('begun', flush=True)\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(600)"
    for seconds in (2, 20, 200):  # a busy machine may need more than two seconds to start Python
        output = dp.knowledge.run(python(code), label="slow", seconds=seconds)
        assert output.ran.stopped == "its time was up"
        if note.exists():
            break
    assert output.tail == ("begun",)
    note.unlink(missing_ok=True)
    time.sleep(0.3)
    assert not note.exists()


def test_a_child_that_holds_the_pipe_does_not_hold_us(dp: Daypack) -> None:
    code = "import subprocess, sys\nprint('done', flush=True)\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(50)'])"
    output = dp.knowledge.run(python(code), label="daemon", seconds=40)
    # Held by the pipe, it would have run into its limit, before the child ends.
    assert (output.ran.status, output.ran.stopped, output.tail) == (0, "", ("done",))


def test_of_too_much_the_begin_and_the_end_are_kept(dp: Daypack) -> None:
    ran = run_command(python("for n in range(400_000): print('line', n)"), most=10_000)
    lines = ran.output.decode().splitlines()
    assert (lines[0], lines[-1]) == ("line 0", "line 399999")
    assert len(ran.output) < 10_100
    (note,) = [line for line in lines if "left out" in line]
    assert int(note.split()[1].replace(",", "")) + len(ran.output) - len(note.encode()) - 1 == ran.size
    assert all(line.startswith("line ") for line in lines if line is not note and line != note)


def test_what_is_no_text_is_not_kept(dp: Daypack) -> None:
    output = dp.knowledge.run(python("import os; os.write(1, bytes(range(256)) * 100)"), label="noise")
    assert output.kept is None
    assert output.issue is not None
    assert dp.knowledge.labels() == ()
    assert dp.knowledge.run(["true"], label="silent").issue.reason.value == "empty"


def test_secrets_are_redacted_in_what_is_kept_and_shown(dp: Daypack, tmp_path: Path) -> None:
    output = dp.knowledge.run(["echo", f"token is {TOKEN}"], label="leak")
    assert "REDACTED" in output.tail[0]
    assert TOKEN not in dp.get("source:leak").text
    for path in (tmp_path / ".daypack").rglob("*"):
        assert path.is_dir() or TOKEN.encode() not in path.read_bytes()


def test_the_last_lines_of_a_private_key_are_not_shown(dp: Daypack) -> None:
    lines = [f"{number:02}" + "Ab3/" * 15 + "Zx" for number in range(26)]
    begin, end = (f"-----{mark} RSA PRIVATE" + " KEY-----" for mark in ("BEGIN", "END"))
    text = "\n".join((begin, *lines, end))
    output = dp.knowledge.run(["printf", "%s\n", text], label="key")
    assert not [line for line in lines if any(line[:20] in shown for shown in output.tail)]
    output = dp.knowledge.run(["printf", "%s\n", begin, *lines], label="cut")
    assert not [line for line in lines if any(line[:20] in shown for shown in output.tail)]


def test_one_endless_line_of_json(dp: Daypack) -> None:
    dp.knowledge.add_text(
        "rows", json.dumps([{"n": n, "name": f"pump {n}"} for n in range(100_000)]), language="json"
    )
    (hit,) = dp.search("pump 77777", limit=1, vectors="none").candidates
    assert "77777" in hit.chunk.text
    assert len(hit.chunk.text) < 5_000


def test_a_command_that_prints_one_endless_line(dp: Daypack) -> None:
    """Of megabytes: whatever looked ahead to the end of the line from each of its characters would not be
    done today.
    """
    rows = "import json; print(json.dumps([{'n': n, 'name': f'pump {n}'} for n in range(100_000)]))"
    output = dp.knowledge.run([sys.executable, "-c", rows], label="rows")
    assert output.ran.size > 2_000_000
    (answer,) = dp.knowledge.answers(output, ["pump 77777"], budget=600)
    assert "77777" in answer.excerpts[0].text


@pytest.mark.parametrize("arguments", [[], ["\0"], ["/"], ["no-such-command-here"]])
def test_what_cannot_be_run_is_said(dp: Daypack, arguments: list[str]) -> None:
    with pytest.raises(CommandNotFound):
        dp.knowledge.run(arguments, label="x")


def test_output_is_read_as_a_terminal_showed_it() -> None:
    assert last_shown("\x1b[31mred\x1b[0m\r\n10%\r50%\r100%\nplain\n") == "red\n100%\nplain\n"
    assert last_shown("10%\r50%\r") == "50%"


TESTS = [
    f"tests/unit/test_mod_{n % 37}.py::TestThing::test_case_{n} PASSED [{n // 30:3}%]" for n in range(3_000)
]


def printed(dp: Daypack, folder: Path, lines: Sequence[str]) -> CommandOutput:
    (folder / "log").write_text("\n".join(lines))
    return dp.knowledge.run(python(f"print(open({str(folder / 'log')!r}).read())"), label="tests")


FAILING = "tests/unit/test_ledger.py::TestLedger::test_rounding FAILED [ 59%]"


@pytest.mark.parametrize(
    "query", ["which test failed?", "what went wrong?", "purple elephants", "summary please"]
)
def test_the_one_failing_line_of_3000_fits_150_tokens_whatever_the_query(
    dp: Daypack, tmp_path: Path, query: str
) -> None:
    log = [*TESTS[:1777], FAILING, *TESTS[1777:]]
    output = printed(dp, tmp_path, log)
    (found,) = dp.knowledge.answers(output, [query], budget=150)
    assert FAILING in found.text
    assert TESTS[1776] in found.text
    assert found.tokens_used <= 150
    again = dp.pack(query, source="tests", budget=150, vectors="none")
    assert FAILING in again.text


def test_a_line_that_the_query_names_is_shown_beside_the_failing_one(dp: Daypack, tmp_path: Path) -> None:
    log = [*TESTS[:1777], FAILING, *TESTS[1777:]]
    output = printed(dp, tmp_path, log)
    (found,) = dp.knowledge.answers(output, ["test_case_2500"], budget=150)
    assert "test_case_2500 PASSED" in found.text
    assert found.empty_reason is None


def test_a_log_file_has_its_failing_line_too(tmp_path: Path) -> None:
    log = [f"2026-10-05 10:00:{n % 60:02} INFO pump {n} runs at {n % 9} bar" for n in range(4_000)]
    log[2_500] = "2026-10-05 10:41:40 FATAL valve seven is stuck"
    folder = project(tmp_path / "plant", {"plant.log": "\n".join(log)})
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        for query in ("what is stuck?", "why did the plant stop?"):
            found = dp.pack(query, source="*.log", budget=150, vectors="none")
            assert "FATAL valve seven is stuck" in found.text, query


def test_the_last_lines_keep_their_columns(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    code = r"print('NAME   READY\npump\t1/1\n   \x1b[31m^~~~ here'); print('x' * 300)"
    shown = daypack("run", "--label", "pods", "--", sys.executable, "-c", code, cwd=ferry).stdout
    assert "NAME   READY\npump    1/1\n" in shown
    assert "\n   " in shown
    assert "^~~~ here" in shown
    assert "\x1b" not in shown
    assert "x" * 199 + "…\n" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
def test_a_command_that_ignores_its_end_is_killed_also_at_a_second_signal(tmp_path: Path) -> None:
    """A terminal that closes sends SIGHUP twice, and the second one left the command running."""
    begun = tmp_path / "begun"
    stays = (
        "import os, pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f" pathlib.Path({str(begun)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    process = subprocess.Popen(
        command("run", "--", sys.executable, "-c", stays),
        cwd=project(tmp_path / "ferry", {"README.md": "# Ferry\n"}),
        env=environment(),
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        if begun.exists() and begun.read_text():
            break
        time.sleep(0.1)
    process.send_signal(INTERRUPTS[-1])
    time.sleep(0.5)
    process.send_signal(INTERRUPTS[-1])
    assert process.wait(60) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
@pytest.mark.parametrize("sent", INTERRUPTS)
def test_an_interrupted_run_ends_its_command_and_says_that_its_output_is_not_kept(
    tmp_path: Path, sent: signal.Signals
) -> None:
    """It said that finished work is stored, and that the command would continue; and after SIGTERM the command ran on."""
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    begun = ferry / "begun"
    waits = (
        f"import os, pathlib, time; pathlib.Path({str(begun)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    process = subprocess.Popen(
        command("run", "--label", "slow", "--", sys.executable, "-c", waits),
        cwd=ferry,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(600):
        if begun.exists() and begun.read_text():
            break
        time.sleep(0.1)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)
    assert process.returncode == 130
    assert said.strip() == (
        "daypack: interrupted; the output of a command that was stopped is not kept; the same command starts from the beginning"
    )
    assert "no labels yet" in daypack("label", "list", cwd=ferry).stderr
