"""Chunks of code that give a constant its value."""

from __future__ import annotations

import pytest
from texts_support import pool

from daypack.rank.texts.constants import MOST_PLACES, assigning


def giving(name: str, *texts: str) -> list[int]:
    rows = assigning([name], pool(name, texts, [True] * len(texts))).get(name)
    return [] if rows is None else rows.tolist()


@pytest.mark.parametrize(
    "line",
    [
        "RETRY_MAX = 3",
        "RETRY_MAX: Final[int] = 3",
        "    RETRY_MAX = 3",
        "#define RETRY_MAX 3",
        "#  define RETRY_MAX (10 * 60)",
        "const RETRY_MAX = 3",
        "\tRETRY_MAX time.Duration = 3",
        "export const RETRY_MAX: number = 3;",
        "pub(crate) const RETRY_MAX: usize = 3;",
        "static RETRY_MAX: &[&str] = &[",
        "        public static final int RETRY_MAX = 3;",
        "static const char *RETRY_MAX[] = {",
        "    internal const val RETRY_MAX = 3",
        "    RETRY_MAX, /* of a transfer */",
        "    RETRY_MAX(3),",
    ],
)
def test_a_line_that_gives_the_value_is_found_in_many_languages(line: str) -> None:
    assert giving("RETRY_MAX", f"first\n{line}\nlast", "wait(RETRY_MAX)") == [0]


@pytest.mark.parametrize(
    "line",
    [
        "wait(RETRY_MAX)",
        "limit = RETRY_MAX",
        "if RETRY_MAX == 3:",
        "if tries >= RETRY_MAX:",
        "return RETRY_MAX",
        "OLD_RETRY_MAX = 3",
        "RETRY_MAX_ALL = 3",
        "case RETRY_MAX => stop()",
    ],
)
def test_a_line_that_uses_the_name_is_not(line: str) -> None:
    assert giving("RETRY_MAX", line) == []


def test_a_name_in_small_letters_begins_at_the_margin() -> None:
    assert giving("retryRules", "export const retryRules = {") == [0]
    assert giving("retryRules", "    let retryRules = read()") == []


def test_a_value_goes_before_a_member_of_a_list() -> None:
    assert giving("RETRY_MAX", "all(\n    RETRY_MAX,\n)", "RETRY_MAX = 3") == [1]


def test_a_name_that_many_places_assign_is_a_variable() -> None:
    assert giving("RETRY_MAX", *["RETRY_MAX = 3"] * MOST_PLACES) != []
    assert giving("RETRY_MAX", *["RETRY_MAX = 3"] * (MOST_PLACES + 1)) == []


def test_a_page_defines_no_constant() -> None:
    assert assigning(["RETRY_MAX"], pool("RETRY_MAX", ["RETRY_MAX = 3"], [False])) == {}
