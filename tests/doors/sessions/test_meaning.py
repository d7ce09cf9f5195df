"""What steps mean, by the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from daypack.doors.sessions.meaning.events import events_of, marks_in
from daypack.doors.sessions.types import Category as C
from daypack.doors.sessions.types import Did, Said


@pytest.mark.parametrize(
    ("who", "sentence", "expected"),
    [
        ("user", "The page must load within 200 ms.", {C.CONSTRAINT}),
        ("user", "Never change the order of the columns.", {C.CONSTRAINT}),
        ("user", "Let's use SQLite for that.", {C.DECISION}),
        ("user", "We'll keep the old names.", {C.DECISION}),
        ("user", "Must it load within 200 ms?", set()),
        ("user", "Show me the file.", set()),
        ("assistant", "We decided against Redis.", {C.DECISION, C.REJECTED}),
        ("assistant", "I'll use a spool file.", {C.DECISION}),
        ("assistant", "I'll look at the file now.", set()),
        ("assistant", "I tried a lock, but two hooks waited for each other.", {C.REJECTED}),
        ("assistant", "I am blocked by the missing test data.", {C.BLOCKER}),
        ("assistant", "You must see it to believe it.", set()),
    ],
)
def test_a_sentence_is_marked_by_how_it_reads(who: str, sentence: str, expected: set[C]) -> None:
    assert {mark.category for mark in marks_in(f"Hello there. {sentence} Thanks.", who)} == expected


def test_a_mark_is_the_sentence_and_nothing_else() -> None:
    text = "Fine.\n\n- It must not take longer than v1.2 does. And then?\n```\nyou must not read this\n```\n> never mind this\n"
    assert [text[mark.start : mark.end] for mark in marks_in(text, "user")] == [
        "It must not take longer than v1.2 does."
    ]


@pytest.mark.parametrize(
    ("tool", "given", "category", "subject"),
    [
        ("Edit", {"file_path": "a.py", "new_string": "x"}, C.FILE, "a.py"),
        ("mcp__editor__write_file", {"path": "a.py", "content": "x"}, C.FILE, "a.py"),
        ("Bash", {"command": "git commit -m x"}, C.GIT, "git commit -m x"),
        ("Bash", {"command": "git status"}, C.COMMAND, "git status"),
        ("Bash", {"command": "cd a && pytest -q"}, C.TEST, "cd a && pytest -q"),
        ("Bash", {"command": "MODE=a npx jest price"}, C.TEST, "MODE=a npx jest price"),
        ("Bash", {"command": "timeout 60 uv run pytest"}, C.TEST, "timeout 60 uv run pytest"),
        ("Bash", {"command": "./gradlew test"}, C.TEST, "./gradlew test"),
        ("Bash", {"command": "env A=1 git commit"}, C.GIT, "env A=1 git commit"),
        ("shell", {"command": ["bash", "-lc", "npm install left"]}, C.ENVIRONMENT, "npm install left"),
        ("shell_command", {"command": "cargo test"}, C.TEST, "cargo test"),
        ("Read", {"file_path": "a.py"}, C.READ, "a.py"),
        ("Grep", {"pattern": "retry", "path": "src"}, C.READ, "retry in src"),
        ("WebFetch", {"url": "https://example.org"}, C.WEB, "https://example.org"),
        ("ExitPlanMode", {"plan": "1. Paint"}, C.PLAN, ""),
        ("Sing", {"song": "la"}, C.TOOL, ""),
    ],
)
def test_a_call_is_what_its_tool_and_its_command_say(
    tool: str, given: dict[str, Any], category: C, subject: str
) -> None:
    (event,) = events_of(Did(tool, given, "ok", False))
    assert (event.category, event.subject) == (category, subject)


def test_a_patch_is_a_change_of_each_of_its_files() -> None:
    patch = "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** Update File: old.py\n@@\n-a\n+b\n*** Delete File: gone.py\n*** End Patch"
    events = events_of(Did("apply_patch", {"input": patch}, "ok", False))
    assert [(event.text.split("\n")[0], event.subject) for event in events] == [
        ("Created new.py", "new.py"),
        ("Edited old.py", "old.py"),
        ("Deleted gone.py", "gone.py"),
    ]


@pytest.mark.parametrize("moved", ["", "\n*** Move to: bell.c"])
@pytest.mark.parametrize(
    "given",
    [
        lambda patch: {"command": patch},
        lambda patch: {"command": ["apply_patch", patch]},
        lambda patch: {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}\nEOF"]},
        lambda patch: {"patch": patch},
        lambda patch: {"patchText": patch},
    ],
)
def test_a_patch_is_read_from_every_field_that_holds_one(
    given: Callable[[str], dict[str, Any]], moved: str
) -> None:
    patch = f"*** Begin Patch\n*** Update File: lamp.c{moved}\n@@\n-a\n+b\n*** End Patch"
    path = "bell.c" if moved else "lamp.c"
    (event,) = events_of(Did("apply_patch", given(patch), "Success", False))
    assert (event.category, event.subject) == (C.FILE, path)
    assert event.text == ("Moved lamp.c to bell.c\nb" if moved else "Edited lamp.c\nb")
    (error,) = events_of(Did("apply_patch", given(patch), "no such context", True))
    assert (error.category, error.subject) == (C.ERROR, path)


@pytest.mark.parametrize("tool", ["apply_patch", "shell"])
@pytest.mark.parametrize("patch", ["*** Begin Patch\n*** End Patch", "*** Begin Patch"])
def test_a_patch_of_no_file_changes_none(tool: str, patch: str) -> None:
    assert events_of(Did(tool, {"command": ["apply_patch", patch]}, "ok", False)) == []
    assert events_of(Did(tool, {"input": patch, "command": patch}, "ok", False)) == []


def test_what_failed_is_an_error_and_what_it_printed_is_nobodys_word() -> None:
    command, error = events_of(Did("Bash", {"command": "make"}, "Exit code 2\nno rule", None))
    assert (command.category, error.category, error.subject, error.trust.value) == (
        C.COMMAND,
        C.ERROR,
        "make",
        "untrusted",
    )
    assert [
        event.category
        for event in events_of(Did("Edit", {"file_path": "a.py", "new_string": "x"}, "not found", True))
    ] == [C.ERROR]


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>",
        "Caveat: The messages below were generated",
        "<environment_context>x</environment_context>",
        " ",
        "<system-reminder>be nice</system-reminder>",
    ],
)
def test_what_a_program_wrote_in_a_persons_name_is_no_prompt(text: str) -> None:
    assert events_of(Said("user", text)) == []


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("Done.\n\nNext steps:\n1. Paint the mast.\n2. Oil the rudder\n   twice.\n\nBye.", "Next steps:\n1. Paint the mast.\n2. Oil the rudder\n   twice."),
        ("## Next steps\n\n- Paint the mast\n\n- Oil the rudder\n\nBye.", "Next steps\n\n- Paint the mast\n\n- Oil the rudder"),
        ("**Remaining work:**\n- [ ] Paint the mast", "Remaining work:**\n- [ ] Paint the mast"),
        ("Next: paint the mast. Then oil the rudder.\nBye.", "Next: paint the mast. Then oil the rudder."),
        ("Done. TODO: 1. Paint the mast. 2. Oil it.", "TODO: 1. Paint the mast. 2. Oil it."),
        ("Left: the rudder", "Left: the rudder"),
        ("Still open: the rudder", "Still open: the rudder"),
        ("What's next:\nthe rudder,\nthe mast\n\nBye.", "What's next:\nthe rudder,\nthe mast"),
        ("Next steps:\n```\nmake\n```", None),
        ("Next, I paint the mast.", None),
        ("The next version left port.", None),
        ("Next steps:", None),
    ],
)  # fmt: skip
def test_a_plan_has_its_steps(text: str, plan: str | None) -> None:
    plans = [text[mark.start : mark.end] for mark in marks_in(text, "assistant") if mark.category is C.PLAN]
    assert plans == ([] if plan is None else [plan])


def test_a_constraint_that_begins_a_list_reaches_to_its_end() -> None:
    text = "You must keep these limits:\n- at most 3 retries\n- 50 ms\n\nThanks."
    (mark,) = marks_in(text, "user")
    assert text[mark.start : mark.end] == "You must keep these limits:\n- at most 3 retries\n- 50 ms"


def test_a_long_list_ends_with_a_whole_line() -> None:
    text = "Next steps:\n" + "".join(f"{n}. Paint mast {n}\n" for n in range(100))
    (mark,) = marks_in(text, "assistant")
    assert text[: mark.end].endswith(" 32")


def test_an_answer_to_a_question_is_a_decision() -> None:
    asked = {"questions": [{"question": "Which colour?", "options": [{"label": "green"}]}]}
    assert events_of(Did("AskUserQuestion", asked)) == []
    (event,) = events_of(Did("AskUserQuestion", asked, "User answered: green", False))
    assert (event.category, event.author) == (C.DECISION, "user")


def test_a_long_turn_keeps_its_begin_and_its_end() -> None:
    (event,) = events_of(Said("user", "begin " + "x " * 20_000 + "end"))
    assert len(event.text) < 8_100
    assert event.text.startswith("begin")
    assert event.text.endswith("end")


@pytest.mark.parametrize("failed", [None, False])
def test_a_line_of_colons_in_an_output_holds_nothing_up(failed: bool | None) -> None:
    (event,) = events_of(Did("Bash", {"command": "cat a.rst"}, ":" * 60 + "\ntext", failed))
    assert event.category is C.COMMAND


@pytest.mark.parametrize("output", ["rejected by user", "exec::run: patch rejected by the user."])
def test_an_answer_that_says_no_more_than_that_a_person_refused_is_a_refusal(output: str) -> None:
    (event,) = events_of(Did("Bash", {"command": "make"}, output))
    assert event.category is C.REJECTED
