"""Other spellings of a reference lead to the same text, or to the reference that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import NotFound
from support import WORDS

FEES = """class Fees:
    def of(self, amount):
        return amount // 10


def round_down(amount):
    return amount - amount % 5
"""


@pytest.fixture
def shop(tmp_path: Path) -> Daypack:
    for path, text in (
        ("src/pay/fees.py", FEES),
        ("src/pay/setup.py", "NAME = 'pay'\n"),
        ("src/stock/count.py", "def count(shelf):\n    return len(shelf)\n"),
        ("tests/count.py", "def check(shelf):\n    return bool(shelf)\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as opened:
        opened.files.add(tmp_path)
        yield opened  # type: ignore[misc]


@pytest.mark.parametrize(
    "spelling",
    [
        "src\\pay\\fees.py:6",
        "src/pay/fees.py#L6",
        "src/pay/fees.py:L6",
        "src/pay/fees.py line 6",
        "fees.py:6",
        "pay/fees.py:6",
        "pay\\fees.py:6",
        "fees.py:6:5: error",
    ],
)
def test_a_place_is_found_in_each_spelling_of_one_file(shop: Daypack, spelling: str) -> None:
    found = shop.get(spelling.removesuffix(" error").removesuffix(":"))
    assert found.reference == "src/pay/fees.py:6-6"
    assert found.text == "def round_down(amount):"


def test_the_url_of_a_file_is_its_path(shop: Daypack, tmp_path: Path) -> None:
    assert shop.get(f"file://{tmp_path}/src/pay/fees.py").text == FEES


@pytest.mark.parametrize("several", ["count.py:1", "setup.py"])
def test_a_name_that_may_mean_another_file_is_not_opened(shop: Daypack, several: str) -> None:
    with pytest.raises(NotFound, match="did you mean"):
        shop.get(several)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("round_down", "src/pay/fees.py:6-7"),
        ("round_down()", "src/pay/fees.py:6-7"),
        ("Fees.of", "src/pay/fees.py:2-3"),
        ("src/pay/fees.py::round_down", "src/pay/fees.py:6-7"),
        ("pay/fees.py:round_down", "src/pay/fees.py:6-7"),
    ],
)
def test_the_name_of_a_symbol_is_answered_with_its_place(shop: Daypack, name: str, place: str) -> None:
    with pytest.raises(NotFound) as told:
        shop.get(name)
    assert f"did you mean {place}" in str(told.value)


def test_a_symbol_behind_another_file_is_not_taken_for_that_of_its_own(shop: Daypack) -> None:
    with pytest.raises(NotFound) as told:
        shop.get("src/stock/count.py::round_down")
    assert "fees.py" not in str(told.value)


def test_the_number_of_an_item_is_answered_with_the_step_that_opens_the_item(shop: Daypack) -> None:
    with pytest.raises(NotFound, match="write the path beside the number"):
        shop.get("[3]")


@pytest.mark.parametrize("piece", [".:", "/a:", "a.:"])
def test_a_long_reference_of_nothing_but_marks_is_not_found_at_once(shop: Daypack, piece: str) -> None:
    with pytest.raises(NotFound):
        shop.get(f"{piece * 50_000}!")  # days if cubic
