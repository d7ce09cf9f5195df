"""Asking everything at once: several questions, in order of relevance or of time, narrowed, cut and
explained.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.errors import NotFound
from daypack.rank.timeline import chronological
from daypack.shapes.snippets import snippet
from daypack.text import analysis
from daypack.types import Candidate
from support import WORDS, daypack, project

T0 = 1_790_000_000.0


@pytest.fixture
def dp(tmp_path: Path) -> Iterator[Daypack]:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=lambda: T0 + 86_400) as daypack:
        yield daypack


def say(dp: Daypack, *said: tuple[str, float, str], who: str = "user") -> None:
    dp.sessions.add_steps(
        [Step(session, T0 + 60 * at, Said(who, text), f"{session}{at}") for session, at, text in said]
    )


def uris(dp: Daypack, query: str, **narrow: object) -> list[str]:
    return [c.chunk.uri for c in dp.search(query, vectors="none", **{"limit": 50, **narrow}).candidates]


# ---------------------------------------------------------------- the limit


@pytest.mark.parametrize("limit", [1, 3, 10, 25, 30])
def test_thirty_sections_under_one_heading_are_as_many_results_as_asked_for(dp: Daypack, limit: int) -> None:
    dp.knowledge.add_text(
        "tides",
        "\n\n".join(
            f"## Tide\n\nHigh water at pier {n} is {n} minutes late. " + "Mind the swell. " * 60
            for n in range(30)
        ),
        language="markdown",
    )
    assert len(uris(dp, "high water tide", limit=limit)) == limit


def test_ten_are_ten_also_of_records_alike(dp: Daypack) -> None:
    dp.records.add([{"id": f"r{n}", "text": f"The pump failed at pier {n}."} for n in range(200)])
    assert len(set(uris(dp, "pump failed", limit=10))) == 10


# ---------------------------------------------------------------- sessions


def test_a_search_looks_through_all_sessions_unless_it_is_told_otherwise(dp: Daypack) -> None:
    dp.knowledge.add_text("manual", "The funnel is painted every spring.")
    say(dp, ("old", 1, "Paint the funnel green"), ("new", 2, "Paint the funnel red"))
    assert len(uris(dp, "paint the funnel")) == len(uris(dp, "paint the funnel", session="all")) == 3
    here = ["session:" + short(dp, "new") + "/1", "source:manual"]
    assert sorted(uris(dp, "paint the funnel", other_sessions=False)) == here
    assert len(uris(dp, "paint the funnel", other_sessions=False, session="all")) == 3
    assert uris(dp, "paint the funnel", session="old") == ["session:" + short(dp, "old") + "/1"]
    assert uris(dp, "paint the funnel", session="current") == ["session:" + short(dp, "new") + "/1"]
    assert len(uris(dp, "paint the funnel", door="sessions")) == 2
    assert len(uris(dp, "paint the funnel", sort="timeline")) == 3
    with pytest.raises(NotFound):
        dp.search("paint", session="nobody")


def short(dp: Daypack, name: str) -> str:
    return next(session.short for session in dp.sessions.sessions() if session.id == name)


def test_a_pack_looks_through_all_sessions(dp: Daypack) -> None:
    say(dp, ("old", 1, "Paint the funnel green"), ("new", 2, "Paint the funnel red"))
    text = dp.pack("paint the funnel", budget=300, vectors="none").text
    assert "red" in text and "green" in text
    assert "green" not in dp.pack("paint the funnel", budget=300, vectors="none", session="current").text


def test_the_session_of_a_record_is_found_by_its_name(dp: Daypack) -> None:
    dp.records.add([{"id": "a", "text": "The pump failed.", "session": "monday", "time": T0}])
    assert uris(dp, "pump", session="monday") == ["a"]
    say(dp, ("s", 1, "Repair the pump"))
    assert uris(dp, "pump", session="monday") == ["a"]
    assert uris(dp, "pump", session="current") != ["a"]


def test_current_is_nothing_where_there_is_no_session(dp: Daypack) -> None:
    dp.knowledge.add_text("manual", "The pump is old.")
    assert uris(dp, "pump", session="current") == []


# ---------------------------------------------------------------- time


def test_a_timeline_goes_across_sessions_and_memories_in_order(dp: Daypack) -> None:
    say(dp, ("a", 1, "The retry budget is two"), ("b", 50, "The retry budget is three"))
    dp.memories.remember("retry/budget", "The retry budget is four", valid_from=T0 + 60 * 20)
    dp.knowledge.add_text("manual", "The retry budget is five")
    result = dp.search("retry budget", limit=10, sort="timeline", vectors="none")
    told = [c.chunk.text for c in result.candidates]
    assert [text.split()[-1] for text in told if text.split()[-1] != "five"] == ["two", "four", "three"]
    assert len(told) == 4


def test_of_too_many_the_best_and_the_newest_stay_and_what_was_cut_is_said(dp: Daypack) -> None:
    say(
        dp,
        *(("s", n, f"We looked at the retry budget of pier {n}") for n in range(30)),
        ("s", 40, "Unrelated words about paint"),
    )
    result = dp.search("retry budget", limit=5, sort="timeline", vectors="none")
    times = [c.chunk.time for c in result.candidates]
    assert len(times) == 5
    assert times == sorted(times)
    assert times[-4:] == [T0 + 60 * n for n in (26, 27, 28, 29)]
    assert result.notes == ("25 older results left out; ask with a larger `limit`, or `before` a date.",)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.one_of(st.none(), st.integers(0, 50))), max_size=40),
    st.integers(0, 12),
)
def test_a_timeline_holds_the_limit_and_loses_nothing_older_than_it_says(
    ranked: list[tuple[float, int | None]], limit: int
) -> None:
    candidates = [
        made(n, score, time) for n, (score, time) in enumerate(sorted(ranked, key=lambda item: -item[0]))
    ]
    shown, cut = chronological(candidates, limit)
    assert len(shown) == min(limit, len(candidates))
    times = [c.chunk.time if c.chunk.time is not None else -1.0 for c in shown]
    assert times == sorted(times)
    assert not {c.chunk.id for c in shown} & {c.chunk.id for c in cut}
    if cut and limit:
        assert candidates[0] in shown
        rest = [c for c in shown if c is not candidates[0]]
        assert all((c.chunk.time or -1) >= max((x.chunk.time or -1) for x in cut) for c in rest)


def made(n: int, score: float, time: int | None) -> Candidate:
    from daypack.types import Chunk, PieceKind, RecordKind, Span, Trust

    chunk = Chunk(
        n,
        n,
        0,
        Span(0, 1, 1, 1),
        "x",
        PieceKind.TURN,
        "",
        (),
        "",
        None,
        0,
        1,
        "",
        f"r{n}",
        "",
        RecordKind.EVENT,
        "",
        "",
        "",
        "",
        None if time is None else float(time),
        Trust.USER,
        "records",
        "",
    )
    return Candidate(chunk, score, 0.5, ())


# ---------------------------------------------------------------- kinds of content


def test_code_and_prose_are_kept_apart(dp: Daypack) -> None:
    dp.knowledge.add_text(
        "guide", "# Pump\n\nThe pump needs oil.\n\n```python\npump.oil(litres=2)\n```\n", language="markdown"
    )
    dp.knowledge.add_text("pump.py", "def oil(litres):\n    '''Give the pump oil.'''\n    return litres\n")
    code = [c.chunk.text for c in dp.search("pump oil", content="code", vectors="none").candidates]
    prose = [c.chunk.text for c in dp.search("pump oil", content="prose", vectors="none").candidates]
    assert code
    assert all("def oil" in text or "pump.oil(" in text for text in code)
    assert [text for text in prose if "needs oil" in text]
    assert not any("def oil" in text for text in prose)


# ---------------------------------------------------------------- nothing found


def test_an_empty_answer_says_what_was_searched_and_what_to_try(tmp_path: Path) -> None:
    ferry = project(
        tmp_path / "ferry",
        {"README.md": "# Ferry\n\nThe ferry sails at six.\n", "docs/pump.md": "# Pump\n\nOil it.\n"},
    )
    daypack("add", ".", cwd=ferry)
    missing = daypack("search", "quantum chromodynamics lagrangian", cwd=ferry, status=1)
    assert "Nothing relevant was found" in missing.stdout
    assert "Searched 2 of 2 chunks." in missing.stderr
    filtered = daypack("search", "ferry", "--in", "knowledge", cwd=ferry, status=1)
    assert "Searched 0 of 2 chunks: the filters left out the rest." in filtered.stderr
    daypack("search", cwd=ferry, status=2)
    for text in ("Paint the funnel green", "Hello"):
        daypack(
            "session",
            "capture",
            cwd=ferry,
            input=json.dumps(
                {"hook_event_name": "UserPromptSubmit", "session_id": text, "prompt": text}
            ).encode(),
        )
    assert "green" in daypack("search", "funnel", cwd=ferry).stdout
    daypack("search", "funnel", "--session", "current", cwd=ferry, status=1)


def test_several_questions_are_answered_one_by_one(tmp_path: Path) -> None:
    ferry = project(
        tmp_path / "ferry",
        {
            "README.md": "# Ferry\n\nThe ferry sails at six.\n",
            "docs/pump.md": "# Pump\n\nOil the pump on Mondays.\n",
        },
    )
    text = daypack(
        "search", "-q", "when does the ferry sail?", "-q", "oil the pump", "--limit", "1", cwd=ferry
    ).stdout
    first, _, second = text.partition("# oil the pump")
    assert "sails at six" in first
    assert "on Mondays" in second
    assert text.count(" 1. ") == 2


@pytest.mark.parametrize("form", [(), ("--json",), ("--explain",), ("--files",)])
def test_answers_together_count_no_more_than_their_budget(tmp_path: Path, form: tuple[str, ...]) -> None:
    from daypack.tokens import counter
    from daypack.types import Tokenizer

    count = counter(Tokenizer.O200K)
    ferry = project(
        tmp_path / "ferry",
        {f"docs/pump-{n}.md": f"# Pump {n}\n\nPump {n} is oiled on Mondays.\n" for n in range(20)},
    )
    daypack("add", ".", cwd=ferry)
    full = daypack("search", "-q", "oil the pump", "-q", "pump on Mondays", *form, cwd=ferry).stdout
    asked = ("search", "-q", "oil the pump", "-q", "pump on Mondays", *form)
    runs = [
        daypack(*asked, "--budget", str(b), cwd=ferry, status=1 if b == 20 else 0) for b in (20, 400, 100_000)
    ]
    shown = [done.stdout for done in runs]
    assert [count(text) <= b for text, b in zip(shown, (20, 400), strict=False)] == [True, True]
    assert shown[2] == full
    assert "more had no room in the budget" in (shown[1] if form == ("--json",) else runs[1].stderr)
    assert shown[1].count("pump-") < full.count("pump-")
    daypack("search", "oil", "--budget", "-1", cwd=ferry, status=2)


def test_one_misspelt_word_is_repaired_beside_words_that_are_known(dp: Daypack) -> None:
    dp.knowledge.add_text(
        "manual", "The carburettor of the ferry is cleaned in spring.\n\nThe ferry is painted in autumn."
    )
    result = dp.search("carburetor of the ferry", limit=1, vectors="none")
    assert result.stats.corrections
    assert "cleaned in spring" in result.candidates[0].chunk.text


# ---------------------------------------------------------------- snippets


@given(
    st.lists(st.sampled_from(["pump", "oil", "ferry", "the", "of", "Mondays", "🚢", "x" * 40]), max_size=80),
    st.integers(20, 200),
)
def test_a_snippet_is_a_part_of_the_text_and_no_longer_than_asked_for(words: list[str], width: int) -> None:
    text = " ".join(words)
    shown = snippet(text, frozenset(analysis.terms("pump oil")), width)
    assert len(shown) <= width + 4
    assert shown.removeprefix("… ").removesuffix(" …") in text


def test_a_snippet_is_where_the_words_stand_together() -> None:
    text = "A pump. " + "Nothing here. " * 40 + "The pump needs oil on Mondays. " + "Nothing there. " * 40
    assert "pump needs oil" in snippet(text, frozenset(analysis.terms("oil pump")), 80)


# ---------------------------------------------------------------- the profile of the tool that agents know


def test_the_ctx_profile_finds_words_by_their_stems_and_by_their_parts(dp: Daypack) -> None:
    dp.knowledge.add_text("a", "The harbourmaster logs every sailing.")
    dp.knowledge.add_text("b", "Nothing of that sort is here.")
    assert uris(dp, "sailings", ranking="ctx") == ["source:a"]
    assert uris(dp, "harbour", ranking="ctx") == ["source:a"]
    assert uris(dp, "harbourmastre", ranking="ctx") == ["source:a"]


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("master", "harbourmasters"),
        ("boat", "ferryboats"),
        ("mooring", "unmoorings"),
        ("ways", "gangways"),
        ("nation", "denationalised"),
    ],
)
def test_the_ctx_profile_finds_a_part_of_a_word_as_it_is_written_and_not_of_its_stem(
    dp: Daypack, asked: str, written: str
) -> None:
    dp.knowledge.add_text("a", f"Of {written} the log says nothing.")
    dp.knowledge.add_text("b", "The mast, the boot and the mourning of nine.")
    assert uris(dp, asked, ranking="ctx") == ["source:a"]


def test_the_ctx_profile_puts_words_that_stand_together_first(dp: Daypack) -> None:
    far = "The retry runs. " + "Other words stand here for a while. " * 8 + "The budget is small."
    near = "Other words stand here for a while. " * 8 + "The retry budget is small. It runs."
    dp.knowledge.add_text("far", far)
    dp.knowledge.add_text("near", near)
    assert uris(dp, "retry budget", ranking="ctx") == ["source:near", "source:far"]
    for candidate in dp.search("retry budget", ranking="ctx").candidates:
        assert sum(part.share for part in candidate.contributions) == pytest.approx(candidate.score)


def test_words_that_stand_together_lift_a_chunk_by_three_ranks_at_most() -> None:
    from daypack.rank.rrf import PROXIMITY, fuse

    shares = fuse({"stemmed": range(10), "trigram": range(10)})
    plain = [sum(shares[rank].values()) for rank in range(10)]
    assert [plain[0] < plain[rank] * (1 + PROXIMITY) for rank in range(1, 10)] == [True] * 3 + [False] * 6


@pytest.mark.parametrize("limit", [0, 1, 3, 10, 30])
def test_the_ctx_profile_does_not_take_chunks_of_one_title_for_one(dp: Daypack, limit: int) -> None:
    text = "\n\n".join(
        f"## Tide\n\nHigh water at pier {n} is late. " + "Mind the swell. " * 60 for n in range(30)
    )
    dp.knowledge.add_text("tides", text, language="markdown")
    assert len(uris(dp, "high water", limit=limit, ranking="ctx")) == limit


@given(st.text(max_size=60))
def test_the_ctx_profile_takes_any_question(text: str) -> None:
    from daypack.rank.rrf import containing, fuse, proximity, stands_in

    terms = analysis.terms(text)
    inside = containing(terms, ["harbourmaster", "sail", *terms])
    assert all(0 < share <= 1 for share in inside.values())
    assert all(stands_in([word], word) for word in terms if len(word) >= 3)
    assert 0 <= proximity(analysis.words(text), frozenset(terms or ["x"]), analysis.ANALYZER.__getitem__) <= 1
    assert fuse({"a": [1, 2], "b": [2]})[2] == {"a": 1 / 62, "b": 1 / 61}
