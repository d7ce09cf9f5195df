"""Questions as people type them, and what is said beside an answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from daypack.tokens import counter
from daypack.types import Tokenizer
from support import TESTS, daypack, project

PAGES = {
    f"docs/{name}.md": f"# {name.title()}\n\nThe {name} of the ferry is {colour}. "
    + "It was painted in the spring, and the crew looks after it every week. " * 6
    for name, colour in (("funnel", "red"), ("railing", "white"), ("anchor", "black"), ("bell", "brass"))
}


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return project(tmp_path / "ferry", PAGES)


@pytest.mark.parametrize("verb", ["pack", "search"])
def test_words_without_quotes_are_one_question(ferry: Path, verb: str) -> None:
    apart = daypack(verb, "ferry", "funnel", "red", cwd=ferry)
    assert apart.stdout == daypack(verb, "ferry funnel red", cwd=ferry).stdout
    assert "funnel.md" in apart.stdout


def test_a_search_lists_nothing_without_a_chance_of_being_wanted(tmp_path: Path) -> None:
    daypack("remember", "deploy/owner", "Maria owns deploys until March; afterwards Jonas.", cwd=tmp_path)
    daypack("remember", "user/editor", "I use neovim with tabs of width 4.", cwd=tmp_path)
    meaning = {"DAYPACK_EMBEDDER": "minilm"}  # with hashed words every text is near
    listed = daypack("search", "who owns deploys in April?", cwd=tmp_path, env=meaning).stdout
    assert "deploy/owner" in listed and "user/editor" not in listed


@pytest.mark.parametrize("way", [("pack", "-"), ("search", "-"), ("search", "-q", "-")])
def test_a_dash_reads_the_question_from_standard_input(ferry: Path, way: tuple[str, ...]) -> None:
    typed = tuple("which funnel?" if one == "-" else one for one in way)
    assert daypack(*way, cwd=ferry, input=b"which funnel?").stdout == daypack(*typed, cwd=ferry).stdout


def test_a_code_pack_reads_its_question_from_standard_input(ferry: Path) -> None:
    done = daypack("code", "pack", "-", cwd=ferry, input=b"which funnel?")
    assert "The funnel of the ferry is red" in done.stdout


def test_nothing_on_standard_input_is_no_question(ferry: Path) -> None:
    done = daypack("pack", "-", cwd=ferry, input=b" \n", status=2)
    assert "the question is empty" in done.stderr


def test_a_report_with_a_long_log_is_answered_and_says_how_much_was_not_read(ferry: Path) -> None:
    log = "".join(f"08:{n % 60:02} worker {n} started\n" for n in range(1000))
    report = f"The funnel is red\n\nIt peels.\n\n```\n{log}```\n"
    done = daypack("pack", "-", cwd=ferry, input=report.encode())
    assert "docs/funnel.md" in done.stdout
    assert f"the last {len(report) - 8192:,} bytes of the question were not read" in done.stderr


def test_several_questions_share_the_budget_of_a_pack(ferry: Path) -> None:
    done = daypack("pack", "-q", "which funnel?", "-q", "which bell?", "--budget", "200", cwd=ferry)
    assert "docs/funnel.md" in done.stdout
    assert "docs/bell.md" in done.stdout
    assert counter(Tokenizer.O200K)(done.stdout) <= 200


def test_several_questions_of_a_search_have_headings(ferry: Path) -> None:
    done = daypack("search", "-q", "which funnel?", "-q", "which bell?", "--limit", "1", cwd=ferry)
    assert [line for line in done.stdout.splitlines() if line.startswith("#")] == [
        "# which funnel?",
        "# which bell?",
    ]
    lines = daypack("search", "--query", "funnel", "-q", "bell", "--json", cwd=ferry).stdout.splitlines()
    assert [json.loads(line)["query"] for line in lines] == ["funnel", "bell"]


def test_two_quoted_questions_are_told_about_the_option(ferry: Path) -> None:
    done = daypack("search", "which funnel?", "which bell?", cwd=ferry)
    assert "-q" in done.stderr
    assert daypack("search", "which", "funnel?", cwd=ferry).stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("pack",),
        ("pack", ""),
        ("pack", " ", ""),
        ("pack", "-q", " "),
        ("search",),
        ("search", ""),
        ("search", "-q", "funnel", "-q", ""),
        ("memory", "search", " "),
        ("memory", "pack", ""),
        ("docs", "context", "c", "f", ""),
        ("docs", "vsearch", "c", "f", " "),
        ("source", "retrieve", ""),
        ("source", "assemble", ""),
        ("run", "-q", "", "--", "true"),
    ],
)
def test_an_empty_question_is_refused_before_anything_is_made(
    ferry: Path, arguments: tuple[str, ...]
) -> None:
    done = daypack(*arguments, cwd=ferry, status=2)
    assert "the question is " in done.stderr
    assert done.stdout == ""
    assert not (ferry / ".daypack").exists()


def test_a_pack_is_the_answer_alone_and_its_remarks_stand_on_standard_error(ferry: Path) -> None:
    done = daypack("pack", "ferry funnel railing anchor bell", "--budget", "60", cwd=ferry)
    assert "Left out" not in done.stdout
    assert "Left out" in done.stderr
    quiet = daypack("pack", "ferry funnel railing anchor bell", "--budget", "60", "--quiet", cwd=ferry)
    assert quiet.stdout == done.stdout
    assert quiet.stderr == ""


def test_corrections_of_a_search_stand_on_standard_error(ferry: Path) -> None:
    done = daypack("search", "funnell railling", "--vectors", "none", cwd=ferry)
    assert "searched for" in done.stderr
    assert "searched for" not in done.stdout


def test_a_remark_that_readers_of_a_pack_need_stays_in_it(ferry: Path) -> None:
    (ferry / "docs" / "odd.md").write_text("# Odd\n\nThe \x1b[31mgangway\x1b[0m is loose.\n")
    done = daypack("pack", "gangway", "--vectors", "none", "--budget", "120", cwd=ferry)
    assert "\\u{1B}" in done.stdout


@pytest.mark.parametrize("more", [(), ("--after", "")], ids=["alone", "in a conversation"])
def test_a_weak_answer_is_called_so_below_a_budget_without_room_for_the_warning(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    root = shutil.copytree(TESTS.parent / "examples" / "pay", tmp_path / "p")
    (root / ".git").mkdir()
    daypack("add", ".", cwd=root)
    for budget, in_text in ((100, False), (2000, True)):
        done = daypack("pack", "where is the webhook signature checked?", "-b", str(budget), *more, cwd=root)
        assert "src/pay/ledger.py" in done.stdout
        assert done.stdout.startswith("Weak answer: " if in_text else "Weak answer.\n")
        assert ("Weak answer: the store says nothing about" in done.stdout) == in_text
        assert ("Weak answer: the store says nothing about" in done.stderr) != in_text
