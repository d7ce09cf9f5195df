"""Questions for open work list the open tasks of notes, newest first, and nothing that is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.shapes.answers import listing

NOTES = {
    "2026-11-02.md": "# Monday\n\n- [x] Order the router\n- [ ] Call the dentist\n- [ ] Send Ann the draft\n\nIt rained.\n",
    "2026-11-12.md": "# Thursday\n\n- [x] Call the dentist\n- [ ] Buy a present\n",
    "minutes/2026-10-14.txt": "Present: Ann, Ben\n\nAction items\nBen: order the boxes\nAnn: print the plan. DONE\nBen: drill the holes\n",
    "garden.md": "# Garden\n\n- [x] Prune the tree\n- [ ] Plant the bulbs\n\nThe roses stay.\n",
    ".github/pull_request_template.md": "- [ ] I ran the tests\n",
    "locales/en.yaml": "en:\n  todo:\n    save: Save\n    - all\n",
    "rules.yaml": "- source: job\n  action: keep\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Daypack]:
    for name, text in NOTES.items():
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Daypack.open(tmp_path / "store", root=tmp_path / "notes") as dp:
        dp.files.add(tmp_path / "notes")
        yield dp


def lines(pack: object) -> list[str]:
    return [line for excerpt in pack for line in excerpt.text.split("\n")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "question",
    [
        "What are my todos?",
        "What are the open action items?",
        "What is left to do?",
        "Who has to do what by Friday?",
        "Which tasks are due in December?",
        "Is anything overdue?",
        "Who still has to do something?",
        "Was ist noch zu tun?",
        "Quelles tâches sont ouvertes ?",
    ],
)
def test_a_question_for_open_work_lists_the_open_tasks_of_notes_newest_first(
    notes: Daypack, question: str
) -> None:
    assert lines(notes.pack(question)) == [
        "- [ ] Buy a present",
        "- [ ] Send Ann the draft",
        "Ben: order the boxes",
        "Ben: drill the holes",
        "- [ ] Plant the bulbs",
    ]


def test_a_search_shows_the_first_open_task_of_each_note(notes: Daypack) -> None:
    shown = listing(notes.search("What are my todos?"), heading=False, explain=False, by_file=False)
    assert [line.strip() for line in shown.splitlines()[1::2]] == [
        "- [ ] Buy a present",
        "- [ ] Send Ann the draft",
        "Ben: order the boxes",
        "- [ ] Plant the bulbs",
    ]


def test_each_task_is_cited_by_its_lines(notes: Daypack) -> None:
    for excerpt in notes.pack("What are my todos?"):
        assert notes.get(excerpt.citation.reference).text == excerpt.text


def test_a_small_budget_has_whole_tasks(notes: Daypack) -> None:
    pack = notes.pack("What are my todos?", budget=60)
    assert pack.tokens_used <= 60
    assert lines(pack)[0] == "- [ ] Buy a present"


def test_a_small_budget_has_the_first_tasks_of_a_long_list(notes: Daypack, tmp_path: Path) -> None:
    tasks = "".join(f"- [ ] chore number {n}\n- [x] chore done {n}\n" for n in range(40))
    (tmp_path / "notes" / "2026-11-28.md").write_text(f"# Chores\n\n{tasks}", encoding="utf-8")
    notes.files.add(tmp_path / "notes")
    for budget in (60, 200, 400):
        pack = notes.pack("What are my todos?", budget=budget)
        assert lines(pack)[0] == "- [ ] chore number 0"
        assert pack.tokens_used > budget * 0.7
        assert not any("done" in line for line in lines(pack))


@pytest.mark.parametrize(
    "question",
    [
        "Which tasks does Ben still have?",
        "What does Ben have to do by 4 December?",
        "What are Ben's open tasks?",
        "open tasks of Ben",
    ],
)
def test_a_subject_chooses_among_the_tasks(notes: Daypack, question: str) -> None:
    assert lines(notes.pack(question)) == ["Ben: order the boxes", "Ben: drill the holes"]


def test_a_subject_may_be_the_name_of_the_note(notes: Daypack) -> None:
    assert lines(notes.pack("What is left to do in the garden?")) == ["- [ ] Plant the bulbs"]


def test_a_question_whose_subject_no_task_has_is_ranked(notes: Daypack) -> None:
    assert any(
        "The roses stay." in excerpt.text for excerpt in notes.pack("What is left to do for the roses?")
    )


def test_a_subject_that_code_has_as_its_name_is_ranked(notes: Daypack, tmp_path: Path) -> None:
    (tmp_path / "notes" / "garden.py").write_text(
        'class Garden:\n    """Water the beds."""\n', encoding="utf-8"
    )
    notes.files.add(tmp_path / "notes")
    assert "Water the beds." in notes.pack("What is left to do in the garden?").text
    assert "The roses stay." in notes.pack("What is left to do in the garden?").text


def test_what_was_shown_before_in_a_conversation_is_not_shown_again(notes: Daypack) -> None:
    first = notes.pack("What are Ben's open tasks?", after="")
    again = notes.pack("What are my todos?", after=first.id)
    assert "Ben: order the boxes" not in again.text
    assert "- [ ] Buy a present" in again.text


def test_tasks_of_a_time_asked_for_come_first(notes: Daypack, tmp_path: Path) -> None:
    (tmp_path / "notes" / "2026-01-01.md").write_text("- [ ] Mow the lawn 2027-03-04\n", encoding="utf-8")
    notes.files.add(tmp_path / "notes")
    assert lines(notes.pack("Which tasks are due in March 2027?"))[0] == "- [ ] Mow the lawn 2027-03-04"
