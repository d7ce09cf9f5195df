"""A question that names a file or a folder is answered from there first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daypack import Daypack
from support import WORDS, project

FEES = "# Fees\n\nLate cancellations cost a fee, and the fee of a late cancellation is rounded down to the cent.\n"
TEXTS = {
    "docs/fees.md": FEES,
    "docs/history.md": "# History\n\nIn 1998 a cancellation was free.\n",
    "README.md": "# Ferry\n\nThe ferry sells tickets.\n",
    "extras/README.md": "# Extras\n\nThe ferry sells tickets, and extra tickets for bicycles on the ferry.\n",
    "src/fees.py": 'def fee(late: bool) -> int:\n    """The fee of a late cancellation, rounded down to the cent."""\n    return 5 if late else 0\n',
    "src/old/fees.py": "def fee_of_old(late):\n    return 7  # a cancellation\n",
    "pyproject.toml": '[project]\nname = "ferry"\n',
    "docs/packaging.md": "# Packaging\n\nThe name of the project stands in pyproject.toml.\n",
    **{f"piers/{n}.md": f"# Pier {n}\n\nPier {n} is painted by two men in spring {n}.\n" for n in range(20)},
}


@pytest.fixture(scope="module")
def daypack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    folder = tmp_path_factory.mktemp("named")
    island = project(folder / "island", TEXTS)
    with Daypack.open(folder / "store", root=island, settings=WORDS) as opened:
        opened.files.add(island)
        yield opened


@pytest.mark.parametrize(
    "text",
    [
        "In docs/history.md, what did a late cancellation cost?",
        "What did a late cancellation cost? (see docs/history.md)",
        "@docs/history.md what did a late cancellation cost?",
        "what did a late cancellation cost @docs/history.md",
        "Look at docs/history.md and tell me what a late cancellation cost",
        "What did a late cancellation cost in history.md?",
        "./docs/history.md what did a late cancellation cost?",
        "What did a late cancellation cost in docs\\history.md?",
    ],
)
def test_the_named_file_stands_first(daypack: Daypack, text: str) -> None:
    assert daypack.pack(text, budget=400).excerpts[0].citation.uri == "docs/history.md"
    assert daypack.pack("What did a late cancellation cost?").excerpts[0].citation.uri != "docs/history.md"


@pytest.mark.parametrize(
    "text",
    [
        "I have docs/history.md open. What is the fee of a late cancellation?",
        "I'm working on docs/history.md. What is the fee of a late cancellation?",
        "What is the fee of a late cancellation? Not in docs/history.md.",
        "What is the fee of a late cancellation, not in docs/history.md?",
        "Outside docs/history.md, what is the fee of a late cancellation?",
    ],
)
def test_a_file_beside_the_question_holds_no_other_back(daypack: Daypack, text: str) -> None:
    assert "fees" in daypack.pack(text, budget=400).excerpts[0].citation.uri


def test_of_files_with_one_name_the_one_with_just_that_path_is_meant(daypack: Daypack) -> None:
    assert (
        daypack.pack("In README.md, which tickets does the ferry sell?").excerpts[0].citation.uri
        == "README.md"
    )
    found = daypack.pack("In extras/README.md, which tickets does the ferry sell?")
    assert found.excerpts[0].citation.uri == "extras/README.md"


def test_the_files_of_a_named_folder_stand_first(daypack: Daypack) -> None:
    asked = "what is the fee of a late cancellation?"
    assert daypack.pack(f"In src/old/, {asked}").excerpts[0].citation.uri == "src/old/fees.py"
    assert daypack.pack(f"In docs/, {asked}").excerpts[0].citation.uri == "docs/fees.md"


def test_of_a_file_of_settings_one_asks_how_to_write_it(daypack: Daypack) -> None:
    found = daypack.pack("Where do I write the name of the project in pyproject.toml?")
    assert found.excerpts[0].citation.uri == "docs/packaging.md"


def test_a_package_of_npm_is_no_file(daypack: Daypack) -> None:
    from datetime import UTC, datetime

    from daypack.query import parse_query

    now = datetime(2026, 11, 27, tzinfo=UTC)
    assert parse_query("Which version of @tanstack/query do we use?", now=now).paths in (
        (),
        ("@tanstack/query",),
    )
    assert parse_query("Explain @src/cart.py", now=now).paths == ("src/cart.py",)
