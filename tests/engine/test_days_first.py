"""Questions that name a day find the texts that are about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.engine.retrieval import days, gather, happened
from daypack.index import facts
from support import WORDS

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC).timestamp()
DID = [
    "Planted two plum trees.",
    "Long call with the bank about the mortgage.",
    "Did the taxes of January.",
    "Cleaned the gutters on the 23rd.",
    "Baked rye bread.",
    "Met Karim; what a long day.",
    "Read about Byzantium.",
    "Went swimming, 2 km in 23 minutes.",
    "Repaired the bicycle.",
    "Wrote to Ines on 3 March.",
    "Painted the fence.",
]
FIRST = date(2026, 1, 10)
DAYS = [FIRST + timedelta(days=step) for step in range(40)]  # to 18 February


def did(step: int) -> str:
    return f"- {DID[step % 11]}\n- {DID[(step * 3 + 1) % 11]}\n"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Path, Daypack]]:
    notes = tmp_path / "notes"
    notes.mkdir()
    with Daypack.open(tmp_path / "s", root=notes, settings=WORDS, clock=lambda: NOW) as daypack:
        yield notes, daypack


def keep_diary(notes: Path, daypack: Daypack) -> None:
    for step, day in enumerate(DAYS):
        (notes / f"{day}.md").write_text(f"# {day}\n\n{did(step)}")
    daypack.files.add(notes)


def first(daypack: Daypack, question: str) -> str:
    found = daypack.search(question, limit=3)
    assert found.candidates, question
    assert not found.weak, question
    return found.candidates[0].chunk.reference


FORMS = [
    "what did I do on {day:%Y-%m-%d}?",
    "what did I do on {day.day} {day:%B %Y}?",
    "what did I do on {day:%B} {day.day}?",
    "what happened on {day:%B} {day.day}, {day:%Y}?",
    "daily note of {day.day} {day:%B}",
    "{day.day} {day:%B %Y}",
    "{day:%B} {day.day}",
    "what did I do on {day.day}.{day.month}.2026?",
    "Was habe ich am {day.day}. {german} 2026 gemacht?",
    "¿Qué hice el {day.day} de {spanish} de 2026?",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_daily_note_is_found_by_its_date_in_any_form(opened: tuple[Path, Daypack], form: str) -> None:
    notes, daypack = opened
    keep_diary(notes, daypack)
    for day in DAYS[::4]:
        german, spanish = [("Januar", "enero"), ("Februar", "febrero")][day.month - 1]
        question = form.format(day=day, german=german, spanish=spanish)
        assert first(daypack, question).startswith(f"{day}.md"), question


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("{day:%Y%m%d}.md", "{did}"),
        ("{day:%Y_%m_%d}.md", "{did}"),
        ("{day:%Y}/{day:%m}/{day:%d}.md", "{did}"),
        ("{day.day} {day:%B %Y}.md", "{did}"),
        ("note-{step}.md", "# {day:%A}, {day.day} {day:%B %Y}\n\n{did}"),
        ("note-{step}.md", "---\ndate: {day}\n---\n\n{did}"),
    ],
)
def test_the_day_may_stand_in_the_path_the_title_or_the_front_matter(
    opened: tuple[Path, Daypack], name: str, text: str
) -> None:
    notes, daypack = opened
    names = {}
    for step, day in enumerate(DAYS):
        names[day] = name.format(day=day, step=step)
        (notes / names[day]).parent.mkdir(parents=True, exist_ok=True)
        (notes / names[day]).write_text(text.format(day=day, did=did(step)))
    daypack.files.add(notes)
    for day in DAYS[::8]:
        for form in ("what did I do on {day:%Y-%m-%d}?", "what happened on {day:%B} {day.day}?"):
            assert first(daypack, form.format(day=day)).startswith(names[day])


@pytest.mark.parametrize(
    "heading", ["{day:%Y-%m-%d}", "{day.day} {day:%B %Y}", "{day:%A}, {day.day} {day:%B}"]
)
def test_a_journal_in_one_file_is_found_by_the_headings_of_its_days(
    opened: tuple[Path, Daypack], heading: str
) -> None:
    notes, daypack = opened
    sections = [f"## {heading.format(day=day)}\n\n{did(step) * 12}\n" for step, day in enumerate(DAYS)]
    (notes / "Journal.md").write_text("# Journal\n\n" + "".join(sections))
    daypack.files.add(notes)
    for day in DAYS[::8]:
        found = daypack.search(f"what did I do on {day.day} {day:%B}?", limit=3)
        assert heading.format(day=day) in found.candidates[0].chunk.text, day


def test_a_meeting_is_found_by_its_day_among_those_of_other_days(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    (notes / "2026-02-24 weekly.md").write_text(
        "# Weekly meeting 2026-02-24\n\nIn the meeting on 3 March we decide about the roof. Meeting, decided, meeting.\n"
    )
    (notes / "2026-03-03 weekly.md").write_text("# Weekly 2026-03-03\n\nThe roof is tiled in May.\n")
    daypack.files.add(notes)
    assert first(daypack, "what did we decide in the meeting on 3 March?").startswith("2026-03-03")


def test_notes_of_a_stretch_come_before_those_outside_it(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    keep_diary(notes, daypack)

    def days(question: str, count: int) -> set[str]:
        return {one.chunk.uri for one in daypack.search(question, limit=count)}

    assert days("what did I do between 3 and 5 February?", 3) == {f"2026-02-0{day}.md" for day in (3, 4, 5)}
    assert days("notes of February 2026", 18) == {f"{day}.md" for day in DAYS if day.month == 2}


def test_a_question_about_a_dated_thing_finds_the_text_that_holds_it(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    (notes / "2019-03-03.md").write_text("# 2019-03-03\n\nBaked rye bread.\n")
    (notes / "rents.md").write_text(
        "# Rents\n\nThe law of 3 March 2019 did change the deposit: at most two rents.\n"
    )
    daypack.files.add(notes)
    assert first(daypack, "what did the law of 3 March 2019 change?").startswith("rents.md")


def test_a_daily_note_is_part_of_what_happened_beside_memories(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    keep_diary(notes, daypack)
    daypack.memories.remember("seats/overbooking", "Three percent, until winter.")
    assert first(daypack, "what did I do on January 23?").startswith("2026-01-23.md")
    (notes / "2026-11-28.md").write_text("# 2026-11-28\n\nPainted the fence.\n")
    daypack.files.add(notes)
    found = [one.chunk.text for one in daypack.search("what happened today?")]
    assert "Painted the fence." in found[0]
    assert "Three percent, until winter." in found[1]


def test_a_stretch_beside_a_subject_brings_no_notes_about_other_things(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    for step, day in enumerate(DAYS):
        (notes / f"{day}.md").write_text(f"# {day}\n\n{did(step)}")
    (notes / "offsite.md").write_text("# Offsite\n\nThe offsite of this year is on the island of Föhr.\n")
    daypack.files.add(notes)
    found = daypack.search("where is the offsite of this year?")
    assert found.candidates[0].chunk.uri == "offsite.md"
    assert all(one.score < 0.3 for one in found.candidates[1:])
    karim = daypack.search("what did we tell Karim in February?", limit=2)
    assert {one.chunk.uri for one in karim} == {"2026-02-06.md", "2026-02-17.md"}


YEARS = [date(2024, 1, 1) + timedelta(days=4 * step) for step in range(266)]  # to November 2026


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("{day}.md", "# {day:%A}, {day.day} {day:%B %Y}\n\n{did}"),
        ("note-{step:03}.md", "---\ndate: {day}\n---\n\n{did}"),
        ("{day:%Y}/{day:%B}/{day:%d}.md", "{did}"),
    ],
)
def test_a_long_stretch_of_a_large_diary_brings_its_newest_days(
    opened: tuple[Path, Daypack], monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setattr(days, "MOST_READ", 100)
    monkeypatch.setattr(days, "MOST_FRONTS", 100)
    monkeypatch.setattr(gather, "MOST_OF_DAYS", 30)
    monkeypatch.setattr(happened, "DEPTH", 30)
    notes, daypack = opened
    names = {}
    for step, day in enumerate(YEARS):
        names[name.format(day=day, step=step)] = day
        (notes / name.format(day=day, step=step)).parent.mkdir(parents=True, exist_ok=True)
        (notes / name.format(day=day, step=step)).write_text(
            text.format(day=day, did=f"{did(step)}- Walked {step * 37} steps to {step:b}.\n")
        )
    daypack.files.add(notes)

    def found(question: str) -> set[date]:
        return {names[one.chunk.uri] for one in daypack.search(question, limit=20) if one.chunk.uri in names}

    def newest(year: int) -> set[date]:
        return {*[day for day in YEARS if day.year == year][-45:]}

    for question, year in (("notes of this year", 2026), ("notes of 2025", 2025), ("notes since June", 2026)):
        assert {day.year for day in found(question)} == {year}
        assert len(found(question)) >= 10
        assert len(found(question) & newest(year)) > len(found(question)) / 2
    daypack.memories.remember("seats/overbooking", "Three percent, until winter.")
    assert len(found("what happened this year?") & newest(2026)) >= 10


def test_a_long_stretch_holds_the_sections_whose_year_stands_nowhere(opened: tuple[Path, Daypack]) -> None:
    notes, daypack = opened
    sections = [f"## {day:%A}, {day.day} {day:%B}\n\n{did(step) * 12}\n" for step, day in enumerate(DAYS)]
    (notes / "Journal.md").write_text("# Journal\n\n" + "".join(sections))
    (notes / "2019.md").write_text("# 2019\n\n## 23 January\n\nBaked rye bread.\n")
    daypack.files.add(notes)
    assert {one.chunk.uri for one in daypack.search("notes of this year", limit=20)} == {"Journal.md"}


def test_a_year_beside_a_subject_reads_the_names_of_no_dated_notes(
    opened: tuple[Path, Daypack], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, daypack = opened
    keep_diary(notes, daypack)
    read = []

    def counted(*arguments: Any) -> list[facts.ChunkNames]:
        read.append(arguments)
        return chunk_names(*arguments)

    chunk_names = facts.chunk_names
    monkeypatch.setattr(facts, "chunk_names", counted)
    assert daypack.search("what did we tell Karim this year?").candidates
    assert not read
    assert daypack.search("what did we tell Karim in February?").candidates
    assert daypack.search("notes of this year").candidates
    assert len(read) == 2


@pytest.mark.parametrize("question", ["what happened on 23 January?", "what did I do on 2026-01-23?"])
def test_a_question_for_a_day_alone_has_the_note_of_the_day_alone(
    opened: tuple[Path, Daypack], question: str
) -> None:
    notes, daypack = opened
    keep_diary(notes, daypack)
    pack = daypack.pack(question)
    assert [excerpt.citation.uri for excerpt in pack] == ["2026-01-23.md"]
    assert "Time read: 2026-01-23 (UTC)." in pack.text


TASKS = {
    "lawn.md": "- [ ] Mow the lawn 📅 2026-11-30\n",
    "fence.md": "- [ ] Paint the fence 📅 2026-12-15\n",
    "count.md": "Thirty people came in November.\n",
    "insurance.md": "---\ndue: 2026-12-15\n---\n# Insurance\n\nSend the form back.\n",
    "fair.md": "The December fair has 15 stands, due to demand in 2026.\n",
    "dentist.md": "When: Thursday 3 December 2026, 11:15 to 11:45\n",
    "choir.md": "When: Friday 4 December 2026, 20:00 to 22:00\n",
    "rent.md": "The rent of 2025 was paid on December 3rd, 2025.\n",
}


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("what must I do on 30 November", "lawn.md"),
        ("what must be mown on November 30th?", "lawn.md"),
        ("what is due on 15 December 2026", "insurance.md"),
        ("which tasks are due on 15.12.2026?", "fence.md"),
        ("what is on 2026-12-03", "dentist.md"),
        ("appointments on 2026-12-04", "choir.md"),
        ("was the rent paid on 2025-12-03?", "rent.md"),
    ],
)
def test_a_date_finds_the_same_date_in_other_words(
    opened: tuple[Path, Daypack], question: str, note: str
) -> None:
    notes, daypack = opened
    for name, text in TASKS.items():
        (notes / name).write_text(text)
    daypack.files.add(notes)
    found = daypack.search(question, limit=3).candidates
    assert found[0].chunk.uri == note


def test_a_note_of_a_month_may_mention_a_day_and_a_diary_of_another_day_comes_after_it(
    opened: tuple[Path, Daypack],
) -> None:
    notes, daypack = opened
    (notes / "2026-12.md").write_text("# December 2026\n\n- 3 December: dentist\n")
    (notes / "2026-11-20.md").write_text("# 2026-11-20\n\nDentist, on 3 December 2026, dentist.\n")
    daypack.files.add(notes)
    assert first(daypack, "when is the dentist on 2026-12-03?").startswith("2026-12.md")


def test_a_day_is_found_below_many_newer_texts_that_have_its_numbers_by_chance(
    opened: tuple[Path, Daypack],
) -> None:
    notes, daypack = opened
    (notes / "a-lease.md").write_text("# Lease\n\nThe contract of the garage ends 2026-11-30.\n")
    daypack.files.add(notes)
    for step in range(100, days.MOST_SAYING + 150):
        (notes / f"note-{step:03}.md").write_text(
            f"# Note {step}\n\nUpdated 2026-11-{step % 28 + 1:02} 09:30. The contract of boat {step} ends.\n"
        )
    daypack.files.add(notes)
    for question in ("which contract ends on 30 November?", "which contract ends on 2026-11-30?"):
        best = daypack.search(question, limit=3).candidates[0]
        assert best.chunk.uri == "a-lease.md"
        assert "exact" in {one.signal for one in best.contributions}  # the day, besides its numbers
