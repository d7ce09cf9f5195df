"""Aider's history of a project, as sessions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from daypack import Daypack
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Said
from daypack.types import Trust
from support import daypack, project

HISTORY = """
# aider chat started at 2026-11-02 09:00:00

> Aider v0.86.0·
> Added README.md to the chat.·
#### /add pump.py·
> Added pump.py to the chat.·

#### /ask Which colour has the pump?·
#### It must stay red.·

It is red.

#### A heading of the answer
> a quotation

> Tokens: 2k sent, 100 received.
> Cost: $0.01 message·

#### /run pytest -q·

#### Mend the pump.·

We decided to change the pump.

> Applied edit to src/pump.py·
> Commit 1a2b3c4 fix: mend the pump·

# aider chat started at 2026-11-03 10:00:00

#### Paint the ferry.·

""".replace("·", "  ")


def test_the_history_of_aider_tells_who_said_what_and_which_files_changed(tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(HISTORY)
    reading = read_transcript(path)
    assert reading.client == "aider"
    answer = "It is red.\n\n#### A heading of the answer\n> a quotation\n\n> Tokens: 2k sent, 100 received."
    assert [step.what for step in reading.steps] == [
        Said("user", "Which colour has the pump?\nIt must stay red."),
        Said("assistant", answer),
        Did("shell", {"command": "pytest -q"}),
        Said("user", "Mend the pump."),
        Said("assistant", "We decided to change the pump."),
        Did("edit", {"file_path": "src/pump.py"}, "", False),
        Said("user", "Paint the ferry."),
    ]
    assert [int(step.time) for step in reading.steps][-1] == datetime(2026, 11, 3, 10).timestamp()
    assert {step.session for step in reading.steps} == {"20261102-090000-aider", "20261103-100000-aider"}


def test_a_history_that_went_on_gets_its_new_turns(dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(HISTORY)
    assert dp.sessions.add_transcripts(path).added > 0
    path.write_text(HISTORY + "\nIt is painted.\n\n\n#### And the pier?  \n")
    report = dp.sessions.add_transcripts(path)
    assert (report.added, report.repeated) == (2, 0)


def test_an_answer_below_a_page_that_aider_read_is_untrusted(dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    page = (
        "> Add URL to the chat? (Y)es/(N)o [Yes]: y·\n> Scraping https://example.org...·\n\nIt says: red.\n\n"
    )
    path.write_text(
        HISTORY + f"\nIt is painted.\n\n#### Read https://example.org·\n{page}".replace("·", "  ")
    )
    dp.sessions.add_transcripts(path)
    trusts = {event.text: event.trust for event in dp.sessions.timeline(session="all")}
    assert "web_fetch https://example.org" in trusts
    assert (trusts["It is painted."], trusts["It says: red."]) == (Trust.AGENT, Trust.UNTRUSTED)


def test_a_line_below_a_request_that_has_not_its_form_is_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text("# aider chat started at 2026-11-02 09:00:00\n\n#### Paint it.  \nIt is painted.\n")
    assert [step.what for step in read_transcript(path).steps] == [
        Said("user", "Paint it."),
        Said("assistant", "It is painted."),
    ]


def test_the_history_of_the_project_is_found(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {".aider.chat.history.md": HISTORY})
    done = daypack("session", "import", "--yes", cwd=ferry, env={"HOME": str(tmp_path / "home")})
    assert "1 transcript of this project" in done.stderr
    assert "1 transcript, 2 sessions" in done.stdout
