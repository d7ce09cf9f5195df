"""The head of a table is the row beside its rule."""

from __future__ import annotations

import pytest

from daypack.text.tables import column_names, head_rows, is_rule

MARKDOWN = "| Key | Action |\n|-----|:------:|\n| k1 | moves |\n| k2 | stops |"
SIMPLE = "=====  =======\nKey    Action\n=====  =======\nk1     moves"
GRID = "+-----+--------+\n| Key | Action |\n+=====+========+\n| k1  | moves  |"
YEARS = "|  | Years ended |  |\n|---|---|---|\n|  | 2025 | 2024 |\n|  | in euro |  |\n| Berths | 18 | 16 |\n|  | 2 | 4 |"
ASCIIDOC = "|===\n| Key | Action\n\n| k1 | moves\n|==="


@pytest.mark.parametrize(
    "line", ["|---|---|", "|:--|--:|", "|---+---|", "+===+===+", "===  ===", "|===", "---"]
)
def test_a_rule_has_dashes_and_no_words(line: str) -> None:
    assert is_rule(line)


@pytest.mark.parametrize("line", ["", "|  |  |", "| a-b |", "a = b", "- item"])
def test_blank_lines_empty_rows_and_text_are_not_rules(line: str) -> None:
    assert not is_rule(line)


@pytest.mark.parametrize(
    ("table", "rows"),
    [(MARKDOWN, [0, 1]), (SIMPLE, [1, 2]), (GRID, [1, 2]), (ASCIIDOC, [1]), (YEARS, [0, 1, 2, 3]), ("| k1 | moves |\n| k2 | stops |", [])],
)  # fmt: skip
def test_the_head_is_the_row_beside_a_rule_with_the_rule_below(table: str, rows: list[int]) -> None:
    assert [*head_rows(table.split("\n"))] == rows


@pytest.mark.parametrize("table", [MARKDOWN, SIMPLE, GRID, ASCIIDOC])
def test_the_names_of_columns_are_the_first_row_without_marks(table: str) -> None:
    assert column_names(table) == "Key | Action"


def test_a_table_without_rows_has_no_names() -> None:
    assert column_names("|---|---|\n\n|   |   |") == ""


def test_a_table_whose_first_column_is_always_empty_has_one_row_of_names() -> None:
    table = "|  | Berth | Boat |\n|---|---|---|\n" + "|  | 1 | Gannet |\n" * 5
    assert [*head_rows(table.split("\n"))] == [0, 1]


def test_the_names_of_columns_go_on_in_rows_below_whose_first_cell_is_empty() -> None:
    assert column_names(YEARS) == "Years ended | 2025 | 2024 | in euro"
