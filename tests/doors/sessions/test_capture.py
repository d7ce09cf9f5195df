"""What a hook calls: one event goes to the spool, whatever happens to whom."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.sessions.hooks import capturing, spool
from daypack.doors.sessions.meaning.events import events_of
from daypack.doors.sessions.types import Did, Event, Said, Step
from daypack.guard.secrets import redact
from daypack.guard.suspects import may_hold_secret
from daypack.settings.places import find_place
from support import TESTS, WORDS, command, daypack, environment, project

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def event(prompt: str, **more: object) -> bytes:
    return json.dumps(
        {"hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt": prompt, **more}
    ).encode()


def capture(folder: Path, data: bytes) -> subprocess.CompletedProcess[str]:
    return daypack("session", "capture", cwd=folder, input=data)


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return project(tmp_path / "ferry", {"README.md": "# Ferry\n\nThe ferry sails at six.\n"})


def spooled(folder: Path) -> list[dict]:
    text = (folder / ".daypack" / spool.SPOOL / spool.EVENTS).read_text()
    return [json.loads(line) for line in text.split("\n") if line]


def prompts(folder: Path) -> list[str]:
    found = json.loads(
        daypack(
            "session", "timeline", "--session", "all", "--limit", "10000", "--json", cwd=folder, status=None
        ).stdout
    )
    return [item["text"] for item in found["events"]]


def test_an_event_is_spooled_and_folded_by_the_next_command(ferry: Path) -> None:
    done = capture(ferry, event("Hide cancelled sailings"))
    assert (done.stdout, done.stderr) == ("", "")
    assert spooled(ferry)[0]["e"]["prompt"] == "Hide cancelled sailings"
    assert not (ferry / ".daypack" / "daypack.db").exists()
    assert "Hide cancelled sailings" in daypack("session", "timeline", cwd=ferry).stdout
    assert daypack("session", "list", cwd=ferry).stdout.rstrip().endswith("  Hide cancelled sailings")
    assert spool.waiting(str(ferry / ".daypack")) == []
    assert (
        "Hide cancelled sailings"
        in daypack("search", "cancelled sailings", "--in", "sessions", cwd=ferry).stdout
    )


def test_a_search_folds_as_well(ferry: Path) -> None:
    capture(ferry, event("Paint the funnel green"))
    assert "Paint the funnel green" in daypack("search", "green funnel", cwd=ferry).stdout
    # the project was indexed all the same
    assert "sails at six" in daypack("search", "when does the ferry sail", cwd=ferry).stdout


SLOW = {
    "click", "numpy", "apsw", "dataclasses", "inspect", "pathlib", "hashlib", "subprocess", "daypack.types", "daypack.settings",
}  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "more"),
    [
        ("Sail", set()),
        (
            f"The token is {TOKEN}",
            {
                f"daypack.guard.{name}"
                for name in (
                    "secrets",
                    "secret_forms",
                    "secret_names",
                    "secret_places",
                    "secret_tokens",
                    "secret_values",
                )
            },
        ),
    ],
    ids=["clean", "with a secret"],
)
def test_capture_imports_nothing_that_takes_time(ferry: Path, prompt: str, more: set[str]) -> None:
    """The CPU time itself is measured by `python -m evals.speed.sessions`; here stands what it depends on."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "daypack", "session", "capture"],
        cwd=ferry,
        input=event(prompt),
        capture_output=True,
        # the guard of the network imports more than we do
        check=True,
        env=environment(PYTHONPATH=str(TESTS.parent / "src")),
    )
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert loaded.isdisjoint(SLOW)
    ours = {name for name in loaded if name.startswith("daypack")}
    assert (
        ours
        == {
            "daypack",
            "daypack.doors",
            "daypack.doors.sessions",
            "daypack.doors.sessions.hooks",
            "daypack.doors.sessions.hooks.capturing",
            "daypack.doors.sessions.hooks.spool",
            "daypack.guard",
            "daypack.guard.suspects",
            "daypack.projects",
            "daypack.system",
        }
        | more
    )
    assert len(spooled(ferry)) == 1


def test_twenty_at_once_lose_nothing(ferry: Path) -> None:
    with ThreadPoolExecutor(20) as pool:
        done = [
            *pool.map(
                lambda n: subprocess.run(
                    command("session", "capture"),
                    cwd=ferry,
                    env=environment(),
                    input=event(f"Task {n}"),
                    check=False,
                ),
                range(20),
            )
        ]
    assert {item.returncode for item in done} == {0}
    assert sorted(prompts(ferry)) == sorted(f"Task {n}" for n in range(20))


def test_writers_that_meet_a_fold_lose_nothing(tmp_path: Path) -> None:
    """Folding renames the file under the writers' hands, again and again."""
    folder = str(tmp_path / ".daypack")

    def write(writer: int) -> None:
        for n in range(60):
            spool.append(
                folder,
                json.dumps(
                    {"t": 1.0, "k": f"{writer}-{n}", "e": json.loads(event(f"Task {writer} {n}"))}
                ).encode(),
            )

    with Daypack.open(folder, settings=WORDS) as dp, ThreadPoolExecutor(6) as pool:
        working = [pool.submit(write, writer) for writer in range(6)]
        added = 0
        while any(not item.done() for item in working):
            added += dp.sessions.import_spool().added
        added += dp.sessions.import_spool().added
    assert added == 6 * 60


def test_a_line_cut_in_half_loses_only_itself(ferry: Path) -> None:
    capture(ferry, event("Before the crash"))
    path = ferry / ".daypack" / spool.SPOOL / spool.EVENTS
    whole = path.read_bytes()
    capture(ferry, event("Lost in the crash"))
    size = len(whole) + (path.stat().st_size - len(whole)) // 2
    os.truncate(path, size)
    capture(ferry, event("After the crash"))
    assert prompts(ferry) == ["Before the crash", "After the crash"]


def unreadable(prompt: str, **more: object) -> bytes:
    """A line of the spool whose event has a time that no event can have."""
    line = {"t": float("nan"), "k": prompt, "e": {**json.loads(event(prompt)), **more}}
    return json.dumps(line).encode()


def test_a_captured_event_that_cannot_be_understood_is_set_aside_and_named_by_the_doctor(ferry: Path) -> None:
    store = ferry / ".daypack"
    capture(ferry, event("Paint the funnel"))
    for line in (unreadable("Ring the bell"), b'{"t": 1, "k": "half', unreadable("Oil the rudder")):
        spool.append(str(store), line)
    capture(ferry, event("Wash the deck"))
    for _ in range(2):
        assert prompts(ferry) == ["Paint the funnel", "Wash the deck"]
    assert [path.name for path in (store / spool.SPOOL).iterdir()] == [spool.SET_ASIDE]
    (said,) = (line for line in daypack("doctor", cwd=ferry).stdout.splitlines() if "hooks" in line)
    assert "3 captured events could not be understood" in said
    assert str(store / spool.SPOOL / spool.SET_ASIDE) in said
    daypack("session", "purge", "--everything", cwd=ferry)
    assert [*(store / spool.SPOOL).iterdir()] == []
    assert "hooks" not in daypack("doctor", cwd=ferry).stdout


def test_a_call_that_cannot_be_understood_leaves_a_note_and_the_steps_around_it(
    ferry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hostile(what: object) -> list[Event]:
        if isinstance(what, Did) and what.tool == "Twist":
            raise IndexError("no such knot")
        return events_of(what)

    monkeypatch.setattr("daypack.doors.sessions.writing.events_of", hostile)
    twist = json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Twist", "session_id": "s-1"})
    with Daypack.open(ferry / ".daypack", settings=WORDS) as dp:
        where = {"DAYPACK_STORE": str(ferry / ".daypack")}
        for n, data in enumerate([event("Moor the ferry"), twist.encode(), event("Cast off")]):
            assert capturing.capture(data, environment=where, now=1_000.0 + n) == ""
        report = dp.sessions.import_spool()
        assert (report.added, report.broken) == (3, 1)
        assert [one.text for one in dp.sessions.timeline()] == [
            "Moor the ferry",
            "a call of Twist that could not be understood",
            "Cast off",
        ]
        step = Step("s-2", 2_000.0, Did("Twist"))
        assert dp.sessions.add_steps([step]).issues == (
            "1 step could not be understood (IndexError: no such knot)",
        )


def test_a_call_about_half_of_a_character_is_kept(ferry: Path) -> None:
    call = {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "\ud83d.md"}}
    capture(ferry, event("Draw an anchor", **call))
    assert prompts(ferry) == ["Edited ?.md"]


def test_of_many_lines_that_were_set_aside_the_newest_stay_and_none_twice(ferry: Path) -> None:
    folder = str(ferry / ".daypack")
    spool.append(folder, b"{}")
    lines = [b"%d " % n + b"x" * 1000 for n in range(2_000)]
    for added in (lines, lines[-20:]):
        spool.set_aside(folder, added)
    kept = (ferry / ".daypack" / spool.SPOOL / spool.SET_ASIDE).read_bytes().splitlines()
    assert kept == lines[-len(kept) :]
    assert 900 < len(kept) == spool.count_set_aside(folder) < 1_100


def test_what_was_folded_before_a_crash_is_not_folded_twice(ferry: Path) -> None:
    for n in range(3):
        capture(ferry, event(f"Task {n}"))
    folder = ferry / ".daypack" / spool.SPOOL
    copy = (folder / spool.EVENTS).read_bytes()
    assert len(prompts(ferry)) == 3
    # as if the process had died between its commit and its unlink
    (folder / "folding-0-1.jsonl").write_bytes(copy)
    found = json.loads(daypack("session", "timeline", "--json", cwd=ferry).stdout)["events"]
    assert [(item["text"], item["count"]) for item in found] == [(f"Task {n}", 1) for n in range(3)]
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize(
    "data",
    [b"", b"no json", b"[1, 2]", b'{"a": ', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "words", "list", "half", "bytes", "deep"],
)
def test_whatever_comes_in_the_agent_goes_on(ferry: Path, data: bytes) -> None:
    done = capture(ferry, data)
    assert done.stdout == ""
    assert done.stderr.startswith("daypack: not captured: ")
    assert done.stderr.count("\n") == 1


def test_outside_of_a_project_nothing_is_made(tmp_path: Path) -> None:
    done = capture(tmp_path, event("Hello"))
    assert "no project" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_the_spool_is_private_and_ignored_by_git(ferry: Path) -> None:
    capture(ferry, event("Hello"))
    store = ferry / ".daypack"
    assert (store / ".gitignore").read_text() == "*\n"
    assert [
        oct(path.stat().st_mode & 0o777)
        for path in (store, store / spool.SPOOL, store / spool.SPOOL / spool.EVENTS)
    ] == ["0o700", "0o700", "0o600"]


def test_a_secret_never_reaches_the_spool(ferry: Path) -> None:
    capture(ferry, event(f"The token is {TOKEN}, use it"))
    capture(
        ferry,
        event(
            "x", tool_input={"password": "hU7#kq9!Zw2p", "nested": [{"api_key": "Zx81kQpL0mN4vB7cR2tY6wE9"}]}
        ),
    )
    for path in (ferry / ".daypack").rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert TOKEN.encode() not in data
        assert b"hU7#kq9!Zw2p" not in data
        assert b"Zx81kQpL0mN4vB7cR2tY6wE9" not in data
    assert "[REDACTED:github_token" in spooled(ferry)[0]["e"]["prompt"]


SECRETS = ["AKIAIOSFODNN7QRSTUVW", TOKEN, "https://ana:hunter22x@db.internal/x", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----",
           'password = "hU7#kq9!Zw2p"', "SECRET: 9f8e7d6c5b4a39281706f5e4", "client_secret=Zx81kQpL0mN4vB7cR2tY6wE9", "Authorization: Bearer abcdefgh12345678ijklmnop",
           "eyJhbGciOiJIUzI1NiIsInR5.eyJzdWIiOiIxMjM0NTY3ODkw.SflKxwRJSMeKKF2QT4fw"]  # fmt: skip


@given(st.lists(st.one_of(st.text(max_size=30), st.sampled_from(SECRETS)), max_size=6).map("".join))
def test_what_would_be_redacted_is_always_suspect(text: str) -> None:
    if redact(text).count:
        assert may_hold_secret(text)


def test_usual_prose_and_code_are_not_suspect() -> None:
    assert not may_hold_secret(
        "Please make the retry budget configurable, and run the tests again.\n\ndef main():\n    return 1\n"
    )


def test_long_values_are_cut_and_say_so(ferry: Path) -> None:
    capture(
        ferry,
        event(
            "a" + " b" * 100_000 + "z",
            tool_input={"list": [*range(10_000)], "deep": json.loads("[" * 50 + "]" * 50)},
        ),
    )
    (line,) = spooled(ferry)
    said = line["e"]["prompt"]
    assert len(said) < 13_000
    assert said.startswith("a b")
    assert said.endswith("b bz")
    assert "characters left out" in said
    assert len(json.dumps(line)) < 20_000


def test_colours_of_a_terminal_hide_neither_a_failure_nor_a_secret(ferry: Path) -> None:
    output = "\x1b]0;tests\x07\x1b[31m\x1b[1m1 failed\x1b[0m, 3 passed\nDB_PASSWORD=\x1b[32mhU7kq9Zw2p\x1b(B\x1b[m\n"
    call = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "pytest -q | tail -2"},
    }
    capture(ferry, event("Test it", **call, tool_response={"stdout": output}))
    assert spooled(ferry)[0]["e"]["tool_response"]["stdout"] == (
        "1 failed, 3 passed\nDB_PASSWORD=[REDACTED:password]\n"
    )
    with Daypack.open(ferry / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_steps([Step("s-2", 1_000.0, Did("Bash", call["tool_input"], output, False), "k")])
        for session in ("s-1", "s-2"):
            _, error = dp.sessions.timeline(session=session)
            assert error.text == (
                "`pytest -q | tail -2` failed: 1 failed, 3 passed\nDB_PASSWORD=[REDACTED:password]"
            )


def test_no_part_of_a_secret_that_a_cut_divides_is_spooled(ferry: Path) -> None:
    lines = [f"{number:02}" + "Ab3/" * 15 + "Zx" for number in range(50)]
    begin, end = (f"-----{mark} RSA PRIVATE" + " KEY-----" for mark in ("BEGIN", "END"))
    key = "\n".join((begin, *lines, end))
    log = "the ferry sails\n" * 1_200
    outputs = (
        log + key + "\n" + "done\n" * 400,
        log + "\n".join((begin, *lines, *lines)),
        "x " * 3_990 + TOKEN + log,
        log + TOKEN + " y" * 1_985,
        log + "ERROR " + "x " * 90 + TOKEN + "\n" + log,
        log + TOKEN + " x" * 40 + " ERROR" + "\n" + log,
        log + f'password = "Zx9!{"k" * 40}{"q" * 90}7u" ERROR\n' + log,
    )
    for output in outputs:
        capture(ferry, event("Go on", stdout=output))
    kept = [item["e"]["stdout"] for item in spooled(ferry)]
    assert len(kept) == len(outputs)
    for text in kept:
        assert not [line for line in lines if line[:20] in text]
        assert TOKEN[10:20] not in text
        assert "q" * 50 not in text


def test_the_failing_line_in_the_middle_of_a_long_output_is_kept(tmp_path: Path) -> None:
    lines = [f"{n:06} INFO order {n} was packed" for n in range(60_000)]
    lines.insert(30_000, "ERROR order 41 has no address, skipped")
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        event = {
            "session_id": "s",
            "cwd": str(tmp_path),
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "make orders"},
            "tool_response": {"stdout": "\n".join(lines), "stderr": ""},
        }
        assert capturing.capture(json.dumps(event).encode(), environment={}, now=1.0) == ""
        (kept,) = dp.sessions.timeline(session="all").events
    assert "ERROR order 41 has no address, skipped" in kept.text
    assert kept.text.endswith("059999 INFO order 59999 was packed")
    assert len(kept.text) < 1_000


def test_a_decision_and_a_blocker_are_known_by_their_heads() -> None:
    for said, category in (("Decided: two retries.", "decision"), ("Blocked: the disk is full.", "blocker")):
        (event,) = events_of(Said("assistant", said))
        assert category in {mark.category for mark in event.marks}


@pytest.mark.parametrize(
    ("made", "variables"),
    [
        (["p/.git"], {}),
        (["p/.daypack/daypack.db", "p/src/.git"], {}),
        (["p/.daypack", "p/src/.git"], {}),
        (["p/.daypack"], {}),
        ([".daypack/daypack.db", "p/.git"], {}),
        ([".daypack/daypack.db", "p/package.json", "p/.daypack"], {}),
        ([".daypack/daypack.db"], {}),
        ([".git", ".daypack/daypack.db", "p/src/.git"], {}),
        (["p/.git"], {"DAYPACK_STORE": "kept"}),
        (["p/.git"], {"DAYPACK_STORE": "../kept"}),
        (["p/.git"], {"DAYPACK_PROJECT_DIR": "shared"}),
    ],
)
def test_an_event_goes_to_the_store_that_commands_use(
    tmp_path: Path, made: list[str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in made:
        (tmp_path / name).mkdir(parents=True)
    start = tmp_path / "p" / "src"
    start.mkdir(parents=True, exist_ok=True)
    place = find_place(
        start, store=variables.get("DAYPACK_STORE"), shared=variables.get("DAYPACK_PROJECT_DIR")
    )
    assert capturing.store_of({"cwd": str(start)}, variables) == str(place.folder)


def test_a_work_tree_inside_its_repository_keeps_its_own_events(tmp_path: Path) -> None:
    tree = tmp_path / "shop" / "trees" / "fix"
    tree.mkdir(parents=True)
    (tmp_path / "shop" / ".daypack").mkdir()
    (tmp_path / "shop" / ".daypack" / "daypack.db").touch()
    (tree / ".git").write_text(f"gitdir: {tmp_path}/shop/.git/worktrees/fix\n")
    assert capturing.store_of({"cwd": str(tree)}, {}) == str(tree / ".daypack")
    assert find_place(tree, store=None).root == tree


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX's")
@pytest.mark.parametrize("words", [("capture",), ("answer", "claude-code")])
def test_a_full_disk_is_told_in_words_and_the_agent_goes_on(ferry: Path, words: tuple[str, ...]) -> None:
    # A process whose files may have no byte fails to write as on a full disk; its pipes take everything.
    limited = f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); sys.argv[1:] = ['session', *{words!r}]; runpy.run_module('daypack', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=ferry,
        input=json.dumps({"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "Done."}),
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stderr == (
        "daypack: not captured: no space is left for the store; free some space, and later events are captured\n"
    )
    assert done.stdout.strip() in ("", "{}")


def test_a_spool_that_may_not_be_written_is_named(
    ferry: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(folder: str, line: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", os.path.join(folder, "spool"))

    monkeypatch.setattr(capturing, "append", refused)
    monkeypatch.chdir(ferry)
    capturing.keep(lambda: event("Hello"))
    said = capsys.readouterr().err
    assert said.startswith("daypack: not captured: ")
    assert said.endswith(
        f"{ferry.name}/.daypack/spool cannot be used (Permission denied); check its permissions\n"
    )
