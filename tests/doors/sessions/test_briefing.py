"""What somebody who goes on is told: within an exact budget, cited, the most needed first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import labelled
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daypack import Daypack, tokens
from daypack.doors.sessions import pages as session_pages
from daypack.doors.sessions.types import Did, Line, Noted, Said, Section, Session, Step
from daypack.errors import InputError
from daypack.types import Budget, Tokenizer
from support import WORDS


@pytest.fixture
def dp(dp: Daypack, tmp_path: Path) -> Daypack:
    dp.sessions.add_transcripts(labelled.write(tmp_path / "t.jsonl"))
    return dp


def test_the_labelled_session_is_told_in_800_tokens(dp: Daypack, golden: Callable[[str, str], None]) -> None:
    found = dp.sessions.resume(budget=800)
    assert len(labelled.FACTS) >= 20
    missing = set(labelled.FACTS) - labelled.found(found.text)
    assert len(labelled.FACTS) - len(missing) >= 18, missing
    assert found.tokens_used == tokens.counter(Tokenizer.O200K)(found.text) <= 800
    golden("sessions/resume.md.txt", found.text)


@pytest.mark.parametrize("budget", range(60, 300, 8))
def test_the_last_request_comes_before_all_else_however_small_the_budget(dp: Daypack, budget: int) -> None:
    found = dp.sessions.resume(budget=budget)
    assert found.tokens_used == tokens.counter(Tokenizer.O200K)(found.text) <= budget
    if found.sections:
        assert found.sections[0].title == "Last request"
        assert "## Last request" in found.text
    if budget >= 104:
        assert re.search(r"\(\d+ sections? left out\)\n\Z", found.text)


@pytest.mark.parametrize("page", ["resume", "snapshot"])
def test_a_page_to_go_on_with_shows_the_last_words_of_the_agent(tmp_path: Path, page: str) -> None:
    said = [
        ("user", "Work on the login page."),
        ("assistant", "The login page is done."),
        ("user", "Work on the refund page."),
        ("assistant", "The refund page is half done: the form posts, the mail is missing."),
    ]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_steps(Step("s", 60.0 * at, Said(who, text)) for at, (who, text) in enumerate(said))
        text = getattr(dp.sessions, page)().text
    assert "## Last answer" in text
    assert "The refund page is half done: the form posts, the mail is missing." in text
    assert "The login page is done." not in text


@pytest.mark.parametrize("form", ["codex", "chat"])
def test_the_labelled_session_is_told_whoever_wrote_its_transcript(tmp_path: Path, form: str) -> None:
    path = tmp_path / ("rollout-x.jsonl" if form == "codex" else "chat.json")
    path.write_text(labelled.as_codex() if form == "codex" else labelled.as_chat())
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        assert dp.sessions.add_transcripts(path).files == 1
        assert dp.sessions.add_transcripts(path).added == 0
        found = dp.sessions.resume(budget=800)
    facts = labelled.found(found.text)
    assert found.tokens_used <= 800
    assert "the last request" in facts
    if form == "codex":
        assert len(facts) >= 18, set(labelled.FACTS) - facts
        assert {"the open error", "the command that fails", "an open task", "the task in progress"} <= facts
    else:
        said = set(labelled.FACTS) - labelled.TOLD_BY_TOOLS
        assert len(facts & said) >= len(said) - 1, said - facts


def test_a_snapshot_says_how_much_there_is_of_each_kind(
    dp: Daypack, golden: Callable[[str, str], None]
) -> None:
    golden("sessions/snapshot.md.txt", dp.sessions.snapshot(budget=2000).text)
    short = dp.sessions.snapshot(budget=250)
    assert re.search(r"^## Git \(1\)$", short.text, re.MULTILINE)
    assert short.left_out > 0


def test_every_line_cites_what_it_was_taken_from(dp: Daypack) -> None:
    found = dp.sessions.resume(budget=3000)
    lines = [line for section in found.sections for line in section.lines]
    assert len(lines) > 20
    for line in lines:
        assert line.text in dp.get(line.reference).text
        assert line.reference == f"session:{found.session.short}/{line.number}"
        assert f"[{line.number}]" in found.text


@pytest.mark.parametrize("tokenizer", [*Tokenizer])
@pytest.mark.parametrize("budget", [0, 1, 5, 20, 47, 60, 100, 200, 333, 800])
def test_no_briefing_exceeds_its_budget(dp: Daypack, budget: int, tokenizer: Tokenizer) -> None:
    for found in (
        dp.sessions.resume(budget=budget, tokenizer=tokenizer),
        dp.sessions.snapshot(budget=budget, tokenizer=tokenizer),
    ):
        assert found.tokens_used == tokens.counter(tokenizer)(found.text) <= budget


@example([("Files changed", ["#"])], 49)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(session_pages.RESUME.needs)),
            st.lists(st.text(max_size=80), min_size=1, max_size=4),
        ),
        max_size=6,
        unique_by=lambda item: item[0],
    ),
    st.integers(0, 400),
)
def test_whatever_was_said_the_page_keeps_its_form_and_its_budget(
    sections: list[tuple[str, list[str]]], limit: int
) -> None:
    session = Session("s", "abc", "cli`\n# x", "", 1e9, 1e9 + 60, 7)
    made = [
        Section(title, tuple(Line(text, n, f"session:abc/{n}") for n, text in enumerate(texts)))
        for title, texts in sections
    ]
    found = session_pages.briefing(
        session, made, Budget(limit, Tokenizer.APPROX), tokens.counter(Tokenizer.APPROX), session_pages.RESUME
    )
    assert found.tokens_used <= limit
    titles = re.findall(r"^## (.*?)(?: \(.*\))?$", found.text, re.MULTILINE)
    assert titles == [
        title
        for title in session_pages.RESUME.needs
        if title in {section.title for section in found.sections}
    ]
    assert found.text.count("\n# ") == 0


@pytest.mark.parametrize("budget", [80, 100, 800])
def test_the_last_request_is_the_last_that_asks_for_something_and_the_reply_stands_below_it(
    tmp_path: Path, budget: int
) -> None:
    said = ("Fix the login page.", "Implement the CSV export of refunds with a header row.", "yes, go ahead")
    steps = [Step("s", 1_790_000_000.0 + n, Said("user", text), f"{n}") for n, text in enumerate(said)]
    wrote = (Did("Write", {"file_path": f"/srv/{n}.py", "content": "x = 1\n"}) for n in range(5))
    steps += [Step("s", 1_790_000_010.0 + n, did, f"w{n}") for n, did in enumerate(wrote)]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_steps(steps)
        sections = {
            section.title: [line.text for line in section.lines]
            for section in dp.sessions.resume(budget=800).sections
        }
        page = dp.sessions.resume(budget=budget).text
    assert sections["Last request"] == [said[1], said[2]]
    assert sections["First request"] == [said[0]]
    assert "Earlier requests" not in sections
    assert "CSV export of refunds" in page


def test_no_short_request_is_taken_for_a_reply_and_left_out(tmp_path: Path) -> None:
    said = ("Fix the login page.", "fix the tests", "Write the export of refunds.", "fix #123", "yes")
    steps = [Step("s", 1_790_000_000.0 + n, Said("user", text), f"{n}") for n, text in enumerate(said)]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_steps(steps)
        sections = {
            section.title: [line.text for line in section.lines]
            for section in dp.sessions.resume(budget=800).sections
        }
    assert sections["Last request"] == [said[2], said[4], said[3]]
    assert sections["Earlier requests"] == [said[1]]
    assert sections["First request"] == [said[0]]


def test_without_a_session_it_says_how_to_get_one(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        assert "transcripts can be imported" in dp.sessions.resume().text
        assert dp.sessions.resume(budget=2).text == ""


@pytest.mark.parametrize("form", ["resume", "snapshot"])
def test_a_page_of_all_sessions_is_refused_with_the_command_that_lists_them(dp: Daypack, form: str) -> None:
    """It showed the current session alone."""
    with pytest.raises(InputError, match=r"one session.*`daypack session timeline --session all`"):
        getattr(dp.sessions, form)(session="all")


NOW = 1_790_000_000.0


@contextmanager
def with_old_session(tmp_path: Path) -> Iterator[Daypack]:
    """A store that has the session of the day before, at the time NOW."""
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=lambda: NOW) as dp:
        dp.sessions.add_steps([Step("old", NOW - 90_000, Said("user", "Paint the funnel green."))])
        yield dp


def test_the_first_question_of_a_new_session_leaves_the_briefing_to_the_one_before(tmp_path: Path) -> None:
    with with_old_session(tmp_path) as dp:
        dp.sessions.add_steps([Step("old", NOW - 89_000, Said("assistant", "We decided to use two coats."))])
        dp.sessions.add_steps([Step("new", NOW - 20, Noted("session startup"))])
        dp.sessions.add_steps([Step("new", NOW - 10, Said("user", "Where did we leave off?"))])
        assert "two coats" in dp.sessions.resume().text
        call = Did("Bash", {"command": "git log --oneline -5"}, "abc")
        dp.sessions.add_steps([Step("new", NOW - 8, call)])
        assert "two coats" in dp.sessions.resume().text
        dp.sessions.add_steps([Step("new", NOW - 5, Said("assistant", "At the coats."))])
        assert "Where did we leave off?" in dp.sessions.resume().text


def test_the_briefing_is_of_a_session_that_was_interrupted_within_the_hour(tmp_path: Path) -> None:
    with with_old_session(tmp_path) as dp:
        dp.sessions.add_steps([Step("killed", NOW - 900, Said("user", "Oil the winch."))])
        edit = Did("Edit", {"file_path": "winch.py", "old_string": "a", "new_string": "b"}, "ok")
        dp.sessions.add_steps([Step("killed", NOW - 800, edit)])
        dp.sessions.add_steps([Step("new", NOW - 10, Said("user", "Where did we leave off?"))])
        assert "Oil the winch." in dp.sessions.resume().text


def test_the_briefing_is_of_a_compacted_session_whose_first_request_goes_on(tmp_path: Path) -> None:
    with with_old_session(tmp_path) as dp:
        dp.sessions.add_steps([Step("long", NOW - 900, Said("user", "Oil the winch."))])
        dp.sessions.add_steps([Step("long", NOW - 10, Noted("compacted (auto)"))])
        assert "Oil the winch." in dp.sessions.resume().text
