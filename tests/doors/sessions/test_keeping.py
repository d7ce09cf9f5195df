"""What is kept of a session: each event once, the important ones for good."""

from __future__ import annotations

from pathlib import Path

import labelled
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.sessions import pages
from daypack.doors.sessions.door import SessionsDoor
from daypack.doors.sessions.types import Category, Did, Noted, Said, State, Step
from daypack.errors import InputError, NotFound
from support import START, WORDS, ills

T0 = START - 7 * 86_400


def said(n: float, text: str, *, who: str = "user", session: str = "s", key: str = "") -> Step:
    return Step(session, T0 + 60 * n, Said(who, text), key or f"k{n}")


def did(
    n: float,
    tool: str,
    given: dict,
    output: str | None = None,
    *,
    failed: bool | None = None,
    session: str = "s",
) -> Step:
    return Step(session, T0 + 60 * n, Did(tool, given, output, failed), f"k{n}")


def kept(dp: Daypack, *categories: str, session: str = "all") -> list[str]:
    return [
        event.text
        for event in dp.sessions.timeline(session=session, limit=100_000, categories=categories).events
    ]


# ---------------------------------------------------------------- the cap


def test_fifty_decisions_survive_five_thousand_trivial_events(dp: Daypack) -> None:
    decisions = [said(n, f"We decided to paint ferry {n} in colour {n}.", who="assistant") for n in range(50)]
    trivial = [did(100 + n, "Read", {"file_path": f"vendor/lib_{n}.py"}) for n in range(5_000)]
    report = dp.sessions.add_steps([*decisions, *trivial])
    assert len(kept(dp, "decision")) == 50
    (session,) = dp.sessions.sessions()
    assert (session.events, session.evicted, report.evicted) == (1000, 4050, 4050)
    # … and of the trivial ones the newest are there.
    assert kept(dp, "read")[-1] == "Read vendor/lib_4999.py"
    assert "Read vendor/lib_4000.py" not in kept(dp, "read")
    assert dp.search("which colour did we decide for ferry 7", limit=3, vectors="none").candidates
    assert ills(dp) == []


@given(
    st.lists(
        st.tuples(st.sampled_from(["decision", "prompt", "file", "read"]), st.integers(0, 30)), max_size=60
    )
)
@settings(max_examples=20)
def test_nothing_goes_while_something_less_important_stays(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, int]]
) -> None:
    made = {
        "decision": lambda n, at: said(at, f"We decided on plan number {n}.", who="assistant"),
        "prompt": lambda n, at: said(at, f"Look at pier {n}"),
        "file": lambda n, at: did(at, "Write", {"file_path": f"pier_{n}.py", "content": "x"}),
        "read": lambda n, at: did(at, "Read", {"file_path": f"pier_{n}.py"}),
    }
    with Daypack.open(tmp_path_factory.mktemp("cap") / ".daypack", settings=WORDS) as dp:
        door = SessionsDoor(dp.engine, most_events=10)
        for at, (kind, n) in enumerate(history):
            door.add_steps([made[kind](n, at)])
        events = door.timeline(session="all", limit=1000).events
        distinct = {kind: len({n for other, n in history if other == kind}) for kind in made}
        assert len(events) <= 10
        left = {
            kind: sum(1 for e in events if e.category.value == {"decision": "answer"}.get(kind, kind))
            for kind in made
        }
        if distinct["decision"] + distinct["prompt"] <= 10:
            assert (left["decision"], left["prompt"]) == (distinct["decision"], distinct["prompt"])
        if left["read"]:
            assert left["file"] == distinct["file"]


# ---------------------------------------------------------------- the same again


def test_duplicates_are_counted(dp: Daypack) -> None:
    report = dp.sessions.add_steps([said(n, "Run the tests again") for n in range(4)])
    (event,) = dp.sessions.timeline().events
    assert (event.count, report.added, report.repeated) == (4, 1, 3)
    assert (event.first_at, event.last_at) == (T0, T0 + 180)


def test_the_same_steps_again_change_nothing(dp: Daypack) -> None:
    steps = [
        said(1, "Paint the funnel"),
        did(2, "Bash", {"command": "make paint"}, "done", failed=False),
        said(3, "Decision: green.", who="assistant"),
    ]
    dp.sessions.add_steps(steps)
    before = (
        kept(dp),
        dp.engine.store.sequences()[0],
        [event.count for event in dp.sessions.timeline().events],
    )
    again = dp.sessions.add_steps(steps)
    assert (again.added, again.repeated, again.known) == (0, 0, 3)
    assert (kept(dp), [event.count for event in dp.sessions.timeline().events]) == (before[0], before[2])


def test_a_hook_and_a_transcript_tell_of_the_same_prompt_once(dp: Daypack) -> None:
    dp.sessions.add_steps([Step("s", T0 + 100.2, Said("user", "Paint the funnel"))])
    report = dp.sessions.add_steps([Step("s", T0 + 104.9, Said("user", "Paint the funnel"))])
    assert (report.added, report.known) == (0, 1)
    assert dp.sessions.timeline().events[0].count == 1


def test_what_was_evicted_does_not_come_back_with_the_same_transcript(dp: Daypack) -> None:
    door = SessionsDoor(dp.engine, most_events=5)
    steps = [did(n, "Read", {"file_path": f"lib_{n}.py"}) for n in range(20)]
    door.add_steps(steps)
    assert door.add_steps(steps).added == 0
    assert kept(dp) == [f"Read lib_{n}.py" for n in range(15, 20)]


def test_a_task_changes_its_state_and_stays_one_event(dp: Daypack) -> None:
    for n, status in enumerate(["pending", "in_progress", "completed"]):
        dp.sessions.add_steps(
            [did(n, "TodoWrite", {"todos": [{"content": "Paint the funnel", "status": status}]})]
        )
    (task,) = dp.sessions.timeline().events
    assert (task.text, task.state, task.count) == ("Paint the funnel", State.DONE, 3)


def test_an_answer_says_that_an_event_is_a_task_and_whether_it_is_done(dp: Daypack) -> None:
    todo = [{"content": "Paint the funnel"}, {"content": "Oil the rudder", "status": "in_progress"}]
    dp.sessions.add_steps([did(1, "TodoWrite", {"todos": todo})])
    assert "open task] Paint the funnel" in dp.pack("paint the funnel", vectors="none").text
    assert "in progress task] Oil the rudder" in dp.pack("oil the rudder", vectors="none").text
    dp.sessions.add_steps([did(2, "TodoWrite", {"todos": [{**todo[0], "status": "completed"}, todo[1]]})])
    assert "done task] Paint the funnel" in dp.pack("paint the funnel", vectors="none").text
    assert "Oil the rudder" in dp.pack("which task is still open or in progress?", vectors="none").text


def made(n: float, number: int, what: str) -> Step:
    return did(n, "TaskCreate", {"subject": what}, f"Task #{number} created successfully: {what}")


def states(dp: Daypack) -> dict[str, str]:
    events = dp.sessions.timeline(session="all", categories=["task"]).events
    return {event.text: event.state.value for event in events}


def test_a_task_that_is_changed_by_its_number_is_done_when_the_change_says_so(dp: Daypack) -> None:
    steps = [
        made(1, 1, "Paint the funnel"),
        made(2, 2, "Oil the rudder"),
        did(3, "TaskUpdate", {"taskId": "1", "status": "in_progress"}, "Updated task #1 status"),
        did(4, "TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status"),
        did(5, "TaskUpdate", {"taskId": "2", "subject": "Oil both rudders"}, "Updated task #2 subject"),
        did(6, "TaskUpdate", {"taskId": "9", "status": "completed"}, "Task not found"),
    ]
    for step in steps:  # as hooks tell them
        dp.sessions.add_steps([step])
    assert states(dp) == {"Paint the funnel": "done", "Oil both rudders": "open"}
    assert "- [2] Oil both rudders" in dp.sessions.resume().text.partition("## Open tasks")[2]
    assert "done task] Paint the funnel" in dp.pack("paint the funnel", vectors="none").text
    again = dp.sessions.add_steps(steps)
    assert (again.added, states(dp)) == (0, {"Paint the funnel": "done", "Oil both rudders": "open"})
    dp.sessions.add_steps([did(7, "TaskUpdate", {"taskId": "2", "status": "deleted"}, "Deleted")])
    assert states(dp)["Oil both rudders"] == "dropped"
    assert ills(dp) == []


def test_a_number_means_the_task_that_had_it_last(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            made(1, 1, "Paint the funnel"),
            made(2, 1, "Oil the rudder"),
            did(3, "TaskUpdate", {"taskId": "1", "status": "completed"}),
        ]
    )
    assert states(dp) == {"Paint the funnel": "open", "Oil the rudder": "done"}


def test_a_task_that_its_list_no_longer_has_is_not_open(dp: Daypack) -> None:
    def listed(n: float, *tasks: tuple[str, str], **more: bool) -> Step:
        todos = [{"content": what, "status": status} for what, status in tasks]
        return did(n, "TodoWrite", {"todos": todos, **more})

    steps = [listed(1, ("Paint the funnel", "pending"), ("Oil the rudder", "in_progress"))]
    dp.sessions.add_steps(steps)
    dp.sessions.add_steps([listed(2, ("Paint the funnel", "completed"), merge=True)])
    assert states(dp) == {"Paint the funnel": "done", "Oil the rudder": "in progress"}
    steps += [listed(3, ("Paint the funnel", "completed"), ("Mend the sail", "pending"))]
    dp.sessions.add_steps(steps[1:])
    assert states(dp) == {"Paint the funnel": "done", "Oil the rudder": "dropped", "Mend the sail": "open"}
    assert "Oil the rudder" not in dp.sessions.resume().text.partition("## Done tasks")[0]
    assert "dropped task] Oil the rudder" in dp.pack("oil the rudder", vectors="none").text
    assert dp.sessions.add_steps(steps).added == 0
    assert states(dp)["Oil the rudder"] == "dropped"
    dp.sessions.add_steps([listed(4)])
    assert states(dp)["Mend the sail"] == "dropped"
    dp.sessions.add_steps([listed(5, ("Mend the sail", "in-progress"))])
    assert states(dp)["Mend the sail"] == "in progress"


@pytest.mark.parametrize("later_first", [False, True])
def test_a_task_that_a_later_session_finished_is_open_in_none(dp: Daypack, later_first: bool) -> None:
    def listed(n: float, session: str, *tasks: tuple[str, str]) -> Step:
        todos = [{"content": what, "status": status} for what, status in tasks]
        return did(n, "TodoWrite", {"todos": todos}, session=session)

    steps = [
        listed(
            1, "one", ("Paint the funnel", "in_progress"), ("Oil the rudder", "pending"), ("Sew", "completed")
        ),
        listed(
            5, "two", ("Paint the funnel", "completed"), ("Oil the rudder", "pending"), ("Sew", "pending")
        ),
    ]
    for step in reversed(steps) if later_first else steps:
        dp.sessions.add_steps([step])
    found = {
        (event.session, event.text): event.state.value
        for event in dp.sessions.timeline(session="all", categories=["task"]).events
    }
    assert found == {
        ("one", "Paint the funnel"): "done",
        ("one", "Oil the rudder"): "open",
        ("one", "Sew"): "done",
        ("two", "Paint the funnel"): "done",
        ("two", "Oil the rudder"): "open",
        ("two", "Sew"): "open",
    }
    assert "in progress" not in dp.pack("paint the funnel", vectors="none").text
    assert ills(dp) == []


def test_an_error_is_open_until_its_command_works_again(dp: Daypack) -> None:
    make = {"command": "make paint"}
    dp.sessions.add_steps([did(1, "Bash", make, "Exit code 2\nno paint", failed=True)])
    assert "Open errors" in dp.sessions.resume().text
    dp.sessions.add_steps(
        [
            did(2, "Edit", {"file_path": "Makefile", "new_string": "buy"}),
            did(3, "Bash", make, "painted", failed=False),
        ]
    )
    assert kept(dp, "fix") == ["`make paint` works again, after changes to Makefile"]
    text = dp.sessions.resume().text
    assert "Open errors" not in text
    assert "works again" in text
    dp.sessions.add_steps([did(4, "Bash", make, "Exit code 2\nno brush", failed=True)])
    assert "no brush" in dp.sessions.resume().text.partition("## Fixed")[0]


def open_errors(dp: Daypack) -> str:
    text = dp.sessions.resume(budget=2000).text
    return text.partition("## Open errors")[2].partition("\n## ")[0]


def test_a_command_in_other_clothes_settles_its_error(dp: Daypack) -> None:
    def ran(n: float, command: str, output: str, *, failed: bool) -> Step:
        return did(n, "Bash", {"command": command}, output, failed=failed)

    dp.sessions.add_steps(
        [
            ran(1, "pytest tests/test_pump.py -q", "Exit code 1\n1 failed", failed=True),
            ran(2, "cd hull && make", "Exit code 2\nno rule", failed=True),
            ran(3, "cargo test -p pump", "Exit code 101\ntest result: FAILED", failed=True),
            ran(4, "cd /srv/ferry && pytest tests/test_pump.py 2>&1 | tail -5", "2 failed", failed=False),
            ran(5, "cd deck && make", "made", failed=False),
        ]
    )
    assert [open_errors(dp).count(word) for word in ("/test_pump.py", "hull", "cargo")] == [1, 1, 1]
    dp.sessions.add_steps(
        [
            ran(
                6,
                "cd /srv/ferry && MODE=a pytest tests/test_pump.py 2>&1 | tail -5",
                "9 passed",
                failed=False,
            ),
            ran(7, "cargo test", "test result: ok. 9 passed; 0 failed", failed=False),
        ]
    )
    assert [word in open_errors(dp) for word in ("test_pump.py", "hull", "cargo")] == [False, True, False]
    assert "`pytest tests/test_pump.py -q` works again" in kept(dp, "fix")


def test_a_file_that_could_not_be_changed_is_no_open_error_once_it_was(dp: Daypack) -> None:
    edit = {"file_path": "pump.py", "old_string": "a", "new_string": "b"}
    dp.sessions.add_steps([did(1, "Edit", edit, "String to replace not found in file.", failed=True)])
    assert "pump.py" in open_errors(dp)
    assert kept(dp, "file") == []
    dp.sessions.add_steps([did(2, "Edit", edit, "Updated.", failed=False)])
    assert open_errors(dp) == ""


def test_two_commands_that_failed_under_one_name_of_a_call_are_two_errors(dp: Daypack) -> None:
    steps = [
        Step("s", T0 + n, Did("Bash", {"command": f"make {part}"}, "Exit code 2", True), "call_0")
        for n, part in enumerate(("hull", "deck"))
    ]
    dp.sessions.add_steps(steps)
    assert dp.sessions.add_steps(steps).added == 0
    assert len(kept(dp, "error")) == 2


def test_a_call_of_another_tool_settles_no_error(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            did(1, "Edit", {"file_path": "src/a.py"}, "old_string not found", failed=True),
            did(2, "Bash", {"command": "make release"}, "Exit code 2", failed=True),
            did(3, "mcp__lint__check", {"path": "src/a.py"}, "3 warnings", failed=False),
            did(4, "Task", {"description": "make release"}, "It still fails.", failed=False),
        ]
    )
    assert kept(dp, "fix") == []
    assert [word in open_errors(dp) for word in ("src/a.py", "make release")] == [True, True]
    dp.sessions.add_steps([did(5, "shell", {"command": ["make", "release"]}, "ok", failed=False)])
    dp.sessions.add_steps([did(6, "write_file", {"path": "src/a.py", "content": "x"}, "ok", failed=False)])
    assert kept(dp, "fix") == ["`make release` works again"]
    assert open_errors(dp) == ""


def test_a_look_that_found_nothing_is_no_open_error(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            did(1, "Read", {"file_path": "nope.py"}, "File does not exist.", failed=True),
            did(2, "WebFetch", {"url": "https://sea.example"}, "status code 404", failed=True),
            did(3, "Bash", {"command": "cd hull && grep -rn funnel ."}, "Exit code 1", failed=True),
            did(4, "Bash", {"command": "grep -rn funnel nowhere"}, "Exit code 2\nNo such file", failed=True),
        ]
    )
    assert kept(dp, "error")[:2] == [
        "`nope.py` failed: File does not exist.",
        "`https://sea.example` failed: status code 404",
    ]
    assert open_errors(dp).count("- [") == 1
    assert "nowhere" in open_errors(dp)


def test_a_call_that_a_person_refused_was_rejected_and_is_no_error(dp: Daypack) -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). To tell you how to proceed, the user said:\nnever push to main"
    )
    dp.sessions.add_steps(
        [
            did(1, "Bash", {"command": "git push --force"}, refused, failed=True),
            did(2, "Edit", {"file_path": "pump.py", "new_string": "b"}, refused[:60], failed=True),
        ]
    )
    assert kept(dp, "rejected") == [
        "A person refused Bash `git push --force`: never push to main",
        "A person refused Edit `pump.py`",
    ]
    assert kept(dp, "error", "git", "file") == []
    assert "never push to main" in dp.sessions.resume().text.partition("## Rejected")[2]


def test_changed_files_are_named_from_the_folder_of_the_session_and_counted(dp: Daypack) -> None:
    files = ["/srv/ferry/pump.py", "/srv/ferry/oil/rig.py", "/srv/ferry/pump.py", "/srv/ferryman.py"]
    dp.sessions.add_steps(
        Step(
            "s",
            T0 + n,
            Did("Edit", {"file_path": path, "new_string": f"{n}"}, "", False),
            f"k{n}",
            "",
            "/srv/ferry",
        )
        for n, path in enumerate(files)
    )
    said = dp.sessions.resume().text.partition("## Files changed\n")[2].partition("\n")[0]
    assert said == "/srv/ferryman.py [4], pump.py [3] ×2, oil/rig.py [2]"


# ---------------------------------------------------------------- timeline


def test_a_timeline_keeps_the_newest_and_says_what_it_cut(dp: Daypack) -> None:
    dp.sessions.add_steps([said(n, f"Task {n}") for n in range(10)])
    found = dp.sessions.timeline(limit=3)
    assert [event.text for event in found.events] == ["Task 7", "Task 8", "Task 9"]
    assert (found.cut, found.cut_from) == (7, T0)


def test_the_advice_of_a_cut_timeline_leads_to_the_events_before(dp: Daypack) -> None:
    dp.sessions.add_steps([said(n + 0.5, f"Task {n}") for n in range(10)])
    page = pages.timeline(dp.sessions.timeline(limit=3))
    earlier = dp.sessions.timeline(session="current", limit=3, before=page.partition("`before` ")[2][:20])
    assert [event.text for event in earlier.events] == ["Task 4", "Task 5", "Task 6"]


def test_a_timeline_of_a_time_looks_through_all_sessions(dp: Daypack) -> None:
    dp.sessions.add_steps([said(1, "Old work", session="old"), said(5, "New work", session="new")])
    assert [event.text for event in dp.sessions.timeline(since=T0)] == ["Old work", "New work"]
    assert [event.text for event in dp.sessions.timeline(before=T0 + 120)] == ["Old work"]
    assert [event.text for event in dp.sessions.timeline()] == ["New work"]
    assert [event.text for event in dp.sessions.timeline(session="current", since=T0)] == ["New work"]


def test_a_search_says_that_it_left_out_other_sessions(dp: Daypack) -> None:
    said_so = (
        "Of sessions only the current one was searched; ask again with `session` all, or `sort` timeline."
    )
    dp.sessions.add_steps([said(1, "Paint the funnel", session="old")])
    assert dp.search("paint the funnel", vectors="none", other_sessions=False).notes == ()
    dp.sessions.add_steps([said(5, "Paint the rudder", session="new")])
    assert len(dp.search("paint the funnel", vectors="none").candidates) == 2
    found = dp.search("paint the funnel", vectors="none", other_sessions=False)
    assert [hit.chunk.text for hit in found.candidates] == ["Paint the rudder"]
    assert found.notes == (said_so,)
    for narrow in ({"session": "all"}, {"session": "new"}, {"door": "sessions"}):
        assert dp.search("paint", vectors="none", other_sessions=False, **narrow).notes == ()
    assert dp.search("what did we do last?", vectors="none", other_sessions=False).notes == ()


def test_current_is_the_session_that_something_happened_in_last(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            said(1, "Old work", session="old"),
            said(5, "New work", session="new"),
            said(2, "More old work", session="old"),
        ]
    )
    assert kept(dp, session="current") == ["New work"]
    assert kept(dp, session="old") == ["Old work", "More old work"]
    assert len(kept(dp)) == 3
    assert SessionsDoor(dp.engine, session="old").resume().session.id == "old"
    with pytest.raises(NotFound, match="the latest are "):
        dp.sessions.timeline(session="nobody")


def test_a_session_that_only_began_is_not_the_current_one(dp: Daypack) -> None:
    dp.sessions.add_steps([said(1, "Move the pump", session="yesterday")])
    began = Step("today", T0 + 999, Noted("session startup"))
    dp.sessions.add_steps([began])
    assert dp.sessions.resume().session.id == "yesterday"
    dp.sessions.add_steps([said(1000, "Now the valve", session="today")])
    assert dp.sessions.resume().session.id == "today"


def test_the_begin_of_a_name_is_enough_when_it_says_which(dp: Daypack) -> None:
    dp.sessions.add_steps([said(1, "One", session="3f2c-one"), said(2, "Two", session="3f2d-two")])
    assert kept(dp, session="3f2c") == ["One"]
    with pytest.raises(InputError, match="2 sessions begin"):
        dp.sessions.resume(session="3f2")


def test_references_lead_to_the_whole_text(dp: Daypack) -> None:
    dp.sessions.add_steps([said(1, "Paint the funnel.\nIn green.\nUse two coats.")])
    (event,) = dp.sessions.timeline().events
    assert dp.get(event.reference).text == "Paint the funnel.\nIn green.\nUse two coats."


# ---------------------------------------------------------------- purge


def test_a_purged_session_is_in_no_byte_of_the_store(dp: Daypack, tmp_path: Path) -> None:
    dp.sessions.add_steps([said(n, f"Zanzibar plan {n}", session="secret") for n in range(30)])
    dp.sessions.add_steps([said(99, "The other session stays", session="other")])
    dp.search("zanzibar", vectors="all")
    receipt = dp.sessions.purge(session="secret")
    assert (receipt.sessions, receipt.events, receipt.log_emptied) == (1, 30, True)
    for path in (tmp_path / ".daypack").rglob("*"):
        assert path.is_dir() or b"anzibar" not in path.read_bytes()
    assert kept(dp) == ["The other session stays"]
    assert ills(dp) == []


def test_a_purge_that_a_reader_held_up_is_not_called_done_before_the_next_purge(
    dp: Daypack, tmp_path: Path
) -> None:
    dp.sessions.add_steps([said(1, "The anchor is lost", session="s")])
    with Daypack.open(dp.engine.store.place, root=tmp_path, settings=WORDS) as reader:
        with reader.engine.store.reading() as db:
            assert db.execute("SELECT count(*) FROM session_event").get
            assert not dp.sessions.purge(everything=True).log_emptied
            assert not dp.sessions.purge(everything=True).log_emptied
        assert dp.sessions.purge(everything=True).log_emptied
    assert not dp.engine.store.owes_purge()


def test_a_purge_by_date_takes_the_sessions_that_ended_before(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            said(1, "Old", session="old"),
            said(2, "Both", session="both"),
            said(900, "Both, later", session="both"),
        ]
    )
    assert dp.sessions.purge(before=T0 + 3600).sessions == 1
    assert [session.id for session in dp.sessions.sessions()] == ["both"]
    assert dp.sessions.purge(everything=True).sessions == 1
    assert dp.sessions.resume().session is None
    with pytest.raises(InputError):
        dp.sessions.purge()


def test_rebuilding_the_index_changes_no_session(dp: Daypack, tmp_path: Path) -> None:
    dp.sessions.add_transcripts(labelled.write(tmp_path / "t.jsonl"))
    before = (dp.sessions.timeline(limit=1000), dp.sessions.resume().text)
    dp.reindex()
    assert (dp.sessions.timeline(limit=1000), dp.sessions.resume().text) == before
    assert ills(dp) == []


def test_the_three_questions_of_the_example_are_answered(dp: Daypack, tmp_path: Path) -> None:
    dp.sessions.add_transcripts(labelled.write(tmp_path / "t.jsonl"))
    for question, words in (
        ("What did we decide about the retry budget?", "retry budget of three attempts"),
        ("Which constraint did the user set on the CSV?", "never change the column order"),
        ("What was the first request this session?", "sailings that are cancelled must disappear"),
    ):
        hits = dp.search(question, limit=5, door="sessions", vectors="none").candidates
        assert any(words in hit.chunk.text for hit in hits), question


def test_categories_are_those_of_the_rules() -> None:
    from daypack.doors.sessions.rules import ASKED_AS, IMPORTANCE

    assert set(IMPORTANCE) == set(Category)
    assert set(ASKED_AS) <= set(Category)


def test_a_list_of_sessions_names_each_by_its_first_request(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [said(1, "Paint the funnel. " * 40, session="old"), said(2, "And the rudder", session="old")]
    )
    dp.sessions.add_steps([did(5, "Read", {"file_path": "pump.py"}, session="new")])
    new, old = dp.sessions.sessions()
    assert (new.id, new.request) == ("new", "")
    assert old.request.startswith("Paint the funnel.") and len(old.request) == 400
    assert [item["request"] for item in dp.sessions.sessions_as_data()] == ["", old.request]


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    "reason",
    [
        "lens.c:88: error: unknown type name beam_t",
        "error[E0425]: cannot find value `beam` in this scope",
        "npm ERR! missing script: lens",
        "FAILED tests/test_dock.py::test_mooring - AssertionError: 3 != 4",
    ],
)
def test_the_reason_in_the_middle_of_a_long_output_is_kept_and_shown_first(dp: Daypack, reason: str) -> None:
    noise = [f"cc -c f{n}.c -o f{n}.o" for n in range(400)]
    output = "\n".join([*noise[:200], reason, *noise[200:], "make: *** Stopped"])
    dp.sessions.add_steps([did(1, "Bash", {"command": "make -j8 all"}, output, failed=True)])
    (error,) = kept(dp, "error")
    assert reason in error
    assert error.endswith("make: *** Stopped")
    shown = dp.sessions.resume().text.partition("## Open errors\n")[2].splitlines()[0]
    assert shown.startswith("- [2] `make -j8 all` failed: ")
    assert reason[:9] in shown
    assert "cc -c" not in shown


def test_of_a_long_failure_without_a_known_word_the_last_lines_are_shown(dp: Daypack) -> None:
    output = "\n".join([*(f"stroke {n} of the pump" for n in range(400)), "the pump is dry"])
    dp.sessions.add_steps([did(1, "Bash", {"command": "pump"}, output, failed=True)])
    shown = dp.sessions.resume().text.partition("## Open errors\n")[2].splitlines()[0]
    assert shown.endswith("stroke 399 of the pump / the pump is dry (untrusted)")


def test_a_fix_names_files_as_the_changed_files_are_named(dp: Daypack) -> None:
    def step(n: int, tool: str, given: dict, *, failed: bool = False) -> Step:
        return Step("s", T0 + n, Did(tool, given, "x", failed), f"f{n}", folder="/srv/ferry")

    dp.sessions.add_steps(
        [
            step(1, "Bash", {"command": "make"}, failed=True),
            step(2, "Write", {"file_path": "/srv/ferry/src/pump.py", "content": "a = 2"}),
            step(3, "Write", {"file_path": "/etc/pump.conf", "content": "a = 2"}),
            step(4, "Bash", {"command": "make"}),
        ]
    )
    text = dp.sessions.resume().text
    assert "`make` works again, after changes to src/pump.py, /etc/pump.conf" in text


def test_a_question_that_names_a_client_finds_the_first_request_of_its_session(dp: Daypack) -> None:
    dp.sessions.add_steps(
        [
            Step("a", T0, Said("user", "Paint the funnel."), client="codex"),
            Step("b", T0 + 60, Said("user", "Oil the rudder."), client="chat"),
        ]
    )
    assert "Paint the funnel." in dp.pack("which sessions did codex do?", vectors="none").text
