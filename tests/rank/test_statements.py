"""The prior of code for a report: its statements count, comments and short declarations less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.rank.texts.statements import ENOUGH, LOOSE, MOST_CALLS, TALK, call_shares, statement_priors

LOOP = "while (tries < most) {\n  tries = tries + 1;\n  send(order);\n}\n"


def prior(text: str) -> float:
    return float(statement_priors([text])[0])


@pytest.mark.parametrize(
    "comment",
    [
        "// How often to try.\n// Three by default.\n// See send.\n",
        "/**\n * How often to try.\n * Three by default.\n */\n",
        "/**\n   How often to try.\n   Three by default.\n */\n",
        "<!--\n  How often to try.\n  Three - or so.\n-->\n",
        "# How often to try.\n# Three by default.\n# See send.\n",
        "-- How often to try.\n-- Three by default.\n-- See send.\n",
        '"""How often to try.\n\nThree by default.\n"""\n',
        "    '''How often\n    to try.\n    '''\n",
        ";; How often to try.\n;; Three.\n;; See send.\n",
    ],
)
def test_a_comment_above_a_declaration_lowers_it(comment: str) -> None:
    assert prior(comment + "most = 3;\n") < prior("most = 3;\n") < prior(LOOP * 20) == 1


@pytest.mark.parametrize(
    "line", ["#include <order.h>\n", "#ifdef FAST\n", "#[derive(Clone)]\n", "*total = 3;\n", "--tries;\n"]
)
def test_a_line_of_code_that_looks_like_a_comment_is_none(line: str) -> None:
    assert prior(line * 4) == prior("tries = 3;\n" * 4)


def test_a_few_comments_cost_nothing() -> None:
    body = "send(order);\n" * ENOUGH
    assert prior(body) == 1
    assert prior("// Sends it.\n" * (ENOUGH // 4) + body) == 1


@given(st.text(alphabet="/*#-; \n\t\"'ax({", max_size=400))
def test_a_prior_is_within_its_bounds(text: str) -> None:
    lowest = (1 / ENOUGH) ** 0.05 * (1 - TALK * (1 - LOOSE))
    assert lowest - 1e-6 <= prior(text) <= 1


def test_a_body_that_calls_others_has_more_calls_than_the_line_that_names_it() -> None:
    name, field, body = (
        "class Redirect(Error):",
        "redirect: str",
        "def follow(to):\n    open(to)\n    read(to)",
    )
    shares = call_shares([name, field, body, "send(order);\n" * 90]).tolist()
    assert shares[1] == 0 < shares[0] < shares[2] < shares[3] == 1
    assert call_shares(["send(order);\n" * MOST_CALLS]).tolist() == [1]
