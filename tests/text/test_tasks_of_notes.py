"""Tasks of notes: which lines are tasks, and which of them are open."""

from __future__ import annotations

import pytest

from daypack.text.prose.tasks import tasks_in


def said(text: str, *around: str, is_open: bool = True) -> list[str]:
    return [text[start:end] for start, end, still in tasks_in(text, *around) if still is is_open]


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] Call Ann",
        "* [ ] Call Ann",
        "2. [ ] Call Ann",
        "- [/] Call Ann",
        "  - [ ] Call Ann",
        "TODO: call Ann",
        "TODO call Ann",
        "TODO(ben): call Ann",
        "- TODO: call Ann",
        "** TODO Call Ann",
        "* WAITING Answer of Ann",
        "Action: Ben calls Ann",
        "Action item (Ben): call Ann",
        "**Action:** Ben calls Ann",
        "To-do: call Ann",
    ],
)
def test_a_line_with_an_empty_box_or_a_word_for_it_is_an_open_task(line: str) -> None:
    assert said(f"# Week\n\nIt rained.\n{line}\nIt stopped.\n") == [line]


@pytest.mark.parametrize(
    "line",
    [
        "- [x] Call Ann",
        "- [X] Call Ann",
        "- [-] Call Ann",
        "* DONE Call Ann",
        "Action: Ben calls Ann. DONE",
        "- [ ] ~~Call Ann~~",
    ],
)
def test_a_ticked_box_and_a_word_for_it_close_a_task(line: str) -> None:
    assert said(line) == []
    assert said(line, is_open=False) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "The todo list is long.",
        "Todos are kept in the book.",
        "Actions speak louder: we know.",
        "- [ ]",
        "- [Ann](ann.md)",
        "```\n- [ ] Call Ann\nTODO: call Ann\n```",
        "TODOS",
        "a TODO: in the middle",
    ],
)
def test_other_lines_are_no_tasks(text: str) -> None:
    assert tasks_in(text) == []


@pytest.mark.parametrize(
    "heading",
    ["Action items", "## Action items", "**Action items:**", "TODO", "* To-do list", "Open points:"],
)
def test_lines_below_a_heading_for_tasks_are_tasks_to_the_end_of_the_list(heading: str) -> None:
    text = f"Ann was here.\n\n{heading}\nBen: call the mayor\nAnn: order boxes. DONE\nBen: pay\n\nThe next meeting is in May.\n"
    assert said(text) == ["Ben: call the mayor", "Ben: pay"]
    assert said(text, is_open=False) == ["Ann: order boxes. DONE"]


@pytest.mark.parametrize(
    ("heading", "done"),
    [
        ("## Aufgaben", "(erledigt)"),
        ("# Offene Punkte", "(done)"),
        ("Noch zu erledigen:", "(erledigt)"),
        ("## À faire", "(fait)"),
        ("## Tareas pendientes", "(hecho)"),
        ("## Tarefas pendentes", "(feito)"),
        ("## Da fare", "(fatto)"),
        ("## Actiepunten", "(gedaan)"),
        ("## Do zrobienia", "(zrobione)"),
        ("## Что сделать", "(сделано)"),
        ("## 待办事项", "(完成)"),
        ("## やること", "(済)"),
        ("## 할 일", "(완료)"),
    ],
)
def test_headings_for_tasks_are_known_in_other_languages(heading: str, done: str) -> None:
    assert said(f"{heading}\n\n- Ann: 12 m\n- Ben: 3 m {done}\n\n## Ann\n\n- 5 m\n") == ["- Ann: 12 m"]


@pytest.mark.parametrize(
    "heading", ["## Aufgaben des Vorstands", "## Die Aufgaben", "## Faire", "## Задачник"]
)
def test_headings_with_other_words_are_none_for_tasks(heading: str) -> None:
    assert said(f"{heading}\n\n- Ann: 12 m\n") == []


def test_a_task_of_a_calendar_is_open_until_it_is_completed() -> None:
    assert said(
        "## Paint\nDue: Saturday 5 December 2026\nStatus: needs-action\n\n## Dentist\nWhen: Friday\n"
    ) == ["## Paint\nDue: Saturday 5 December 2026\nStatus: needs-action"]
    assert said("## Paint\nDue: Saturday 5 December 2026\n") == ["## Paint\nDue: Saturday 5 December 2026"]
    assert said("## Paint\nDue: Saturday\nCompleted: Friday\n") == []
    assert said("## Paint\nDue: Saturday\nStatus: completed\n", is_open=False)


def test_a_list_below_a_heading_for_tasks_may_have_blank_lines_and_ends_at_the_next_heading() -> None:
    assert said("## To do\n\n- call\n\n- pay\n\n## Notes\n\n- sunny\n") == ["- call", "- pay"]
    assert said("* To do\n- call\n- pay\n* Notes\n- sunny\n") == ["- call", "- pay"]


def test_the_lines_of_a_file_for_tasks_are_tasks() -> None:
    assert said("(A) Call Ann\nx 2026-11-01 Pay\nBuy tea\n", "todo") == ["(A) Call Ann", "Buy tea"]


def test_indented_lines_go_on_with_a_task() -> None:
    text = "* TODO Call Ann\n  DEADLINE: <2026-12-03 Thu>\n* TODO Pay\n- [ ] Pack\n  - [x] tea\n  - [ ] bread\n    and butter\n"
    assert said(text) == [
        "* TODO Call Ann\n  DEADLINE: <2026-12-03 Thu>",
        "* TODO Pay",
        "- [ ] Pack",
        "  - [ ] bread\n    and butter",
    ]


def test_line_ends_of_windows_are_no_part_of_a_task() -> None:
    assert said("- [ ] Call Ann\r\n- [x] Pay\r\n") == ["- [ ] Call Ann"]


def test_a_note_with_a_date_when_it_is_due_is_a_task() -> None:
    assert said("---\ndue: 2026-12-15\n---\n# Insurance\n\nSend the form.\n") == ["due: 2026-12-15"]
    assert said("---\nstatus: done\ndue: 2026-12-15\n---\n") == []
    assert said("due: 2026-12-15\n") == []


def test_the_line_below_a_heading_is_no_task_and_does_not_end_its_list() -> None:
    assert said("Action items\n------------\n\nBen: pay\nAnn: call\n\nThe end.\n") == [
        "Ben: pay",
        "Ann: call",
    ]
    assert said("------------\n\nBen: pay\n", "Action items") == ["Ben: pay"]


def test_the_rows_of_a_table_are_tasks_without_its_head_and_those_that_say_done() -> None:
    table = "| Who | What | Status |\n|-----|:-----|--------|\n| Ann | buy paint | Done |\n| Ben | buy wood | open |\n"
    assert said(f"## Action items\n\n{table}") == ["| Ben | buy wood | open |"]
    assert said(f"## Action items\n{table}".replace("\n", "\r\n")) == ["| Ben | buy wood | open |"]
    assert said(table) == []


@pytest.mark.parametrize("word", ["None", "- none.", "n/a", "Nothing"])
def test_a_list_that_says_it_is_empty_has_no_tasks(word: str) -> None:
    assert said(f"## Open points\n\n{word}\n") == []


def test_the_front_matter_of_a_file_for_tasks_is_none() -> None:
    assert said("---\ntags: [home]\n---\n- buy tea\n", "todo") == ["- buy tea"]
    assert said("---\r\ntags: [home]\r\n---\r\n- buy tea\r\n", "todo") == ["- buy tea"]


def test_tasks_between_two_rules_are_tasks() -> None:
    assert said("---\n- [ ] buy tea\n\n---\n- [ ] pay\n") == ["- [ ] buy tea", "- [ ] pay"]


def test_a_paragraph_about_actions_is_no_task() -> None:
    assert said("## Actions\n\nActions are plain objects.\nThey say what happened.\n") == []
    assert said("## Actions\n\nBen: pay\n- call Ann\n") == ["Ben: pay", "- call Ann"]
