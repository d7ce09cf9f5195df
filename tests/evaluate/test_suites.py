"""Suites as people write them, and what they are told when something is wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.errors import BadSuite
from daypack.evaluate import Expected, Expects, Require, TermsScope, parse_suite, read_suite

GOOD = {"name": "tea-price", "query": "what does tea cost?", "expected_paths": ["docs/tea.md"]}


def problem(value: object) -> str:
    with pytest.raises(BadSuite) as caught:
        read_suite(value, "tea.json")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def with_field(**fields: object) -> list[dict[str, object]]:
    return [{**GOOD, **fields}]


# ---------------------------------------------------------------- what is read


def test_a_case_is_read_with_all_that_it_expects() -> None:
    suite = parse_suite(
        json.dumps(
            {
                "schema_version": 1,
                "name": "shop",
                "cases": [
                    {
                        "name": "price",
                        "query": "what does tea cost?",
                        "category": "easy",
                        "expected_ids": ["t1"],
                        "expected_source_keys": ["tea:1"],
                        "expected_paths": ["./docs/tea.md:3-9"],
                        "expected_symbols": ["Tea.price"],
                        "expected_terms": ["per pound"],
                        "expected_terms_scope": "retrieved_records",
                        "require": "all",
                        "token_budget": 300,
                        "scope": "shop",
                        "kind": "code",
                        "since": "2026-10-01",
                    }
                ],
            }
        ),
        "tea.json",
    )
    (case,) = suite.cases
    assert suite.name == "shop"
    assert case.expected == (
        Expected(Expects.ID, "t1"),
        Expected(Expects.SOURCE_KEY, "tea:1"),
        Expected(Expects.PATH, "docs/tea.md:3-9"),
        Expected(Expects.SYMBOL, "Tea.price"),
        Expected(Expects.TERM, "per pound"),
    )
    assert (case.terms_scope, case.require, case.token_budget, case.category) == (
        TermsScope.RETRIEVED_RECORDS,
        Require.ALL,
        300,
        "easy",
    )
    assert case.filters == {"scope": "shop", "kind": ["code"], "since": 1_790_812_800.0}


def test_a_list_of_cases_is_a_suite_that_is_called_like_its_file() -> None:
    suite = read_suite([GOOD], "tea.json")
    assert suite.name == "tea.json"
    assert (suite.cases[0].require, suite.cases[0].token_budget, suite.cases[0].filters) == (
        Require.ANY,
        None,
        {},
    )


def test_suites_of_other_programs_are_read_by_their_names_of_fields() -> None:
    suite = read_suite(
        [
            {
                "id": "price",
                "query_text": "what does tea cost?",
                "intent": "facts",
                "expected_source_keys": ["tea:1"],
            }
        ],
        "tea.json",
    )
    assert (suite.cases[0].name, suite.cases[0].query, suite.cases[0].category) == (
        "price",
        "what does tea cost?",
        "facts",
    )


def test_the_digest_is_of_the_cases_and_not_of_the_layout() -> None:
    again = json.dumps({"cases": [dict(reversed(GOOD.items()))]}, indent=7)
    assert parse_suite(again, "other.json").digest == read_suite([GOOD], "tea.json").digest
    assert read_suite(with_field(token_budget=1), "tea.json").digest != read_suite([GOOD], "tea.json").digest


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "suite tea.json: cases is empty"),
        ({"name": "shop"}, "suite tea.json: cases must be a list of cases"),
        ("tea", "cases must be a list of cases"),
        (7, "cases must be a list of cases"),
        ({"cases": [GOOD], "casse": 1}, "field casse is not known; did you mean cases?"),
        ({"cases": [GOOD], "schema_version": 2}, "schema_version is 2; this program reads version 1"),
        (["tea"], "case 1 must be an object"),
        (
            with_field(expected_path=["a"]),
            "case 1 'tea-price', field expected_path is not known; did you mean expected_paths?",
        ),
        (with_field(zzz=1), "case 1 'tea-price', field zzz is not known; fields are name, query"),
        (with_field(name=""), "case 1, field name must be one line"),
        (with_field(name="a\nb"), "case 1, field name must be one line"),
        (with_field(query=" "), "case 1 'tea-price', field query must be the question"),
        (with_field(query=None), "field query must be the question"),
        (with_field(query_text="twice"), "field query_text and query say the same; keep query"),
        (
            with_field(expected_paths="docs/tea.md"),
            "field expected_paths must be a list of strings that are not empty, as ['docs/tea.md']",
        ),
        (
            with_field(expected_paths=[""]),
            "field expected_paths must be a list of strings that are not empty",
        ),
        (with_field(expected_paths=[3]), "field expected_paths must be a list of strings that are not empty"),
        (
            with_field(expected_paths=[]),
            "case 1 'tea-price' says nothing about the answer; give one of expected_ids",
        ),
        (
            with_field(expected_terms_scope="retrieved_records"),
            "field expected_terms_scope says where terms must stand, but there are no expected_terms",
        ),
        (
            with_field(expected_terms=["x"], expected_terms_scope="assembled"),
            "field expected_terms_scope 'assembled' is not one of assembled_context, retrieved_records; did you mean assembled_context?",
        ),
        (with_field(require="most"), "field require 'most' is not one of any, all"),
        (with_field(token_budget=-1), "field token_budget -1 is not a whole number of tokens"),
        (with_field(token_budget=True), "field token_budget True is not a whole number of tokens"),
        (with_field(token_budget=None), "field token_budget None is not a whole number of tokens"),
        (with_field(token_budget=2.5), "field token_budget 2.5 is not a whole number of tokens"),
        (with_field(kind="codes"), "field kind 'codes' is not one of document, code, memory, event"),
        (with_field(source=[]), "field source must be a string, or a list of strings"),
        (with_field(scope=["a"]), "field scope must be a string"),
        (with_field(since="soon"), "field since 'soon' is not a valid date"),
        (with_field(before=1e300), "field before 1e+300 is not a valid date"),
        ([GOOD, {**GOOD, "query": "again?"}], "case 2, name 'tea-price' is the name of case 1 as well"),
    ],
)
def test_a_wrong_suite_is_refused_with_case_field_and_what_may_be_meant(value: object, told: str) -> None:
    assert told in problem(value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"name": "a",}]', "suite tea.json: line 1, column 15: is not JSON"),
        ('{"cases": [\n  {"name": }\n]}', "line 2, column 12: is not JSON"),
        ("", "line 1, column 1: is not JSON"),
        ('{"name": "a"}\n{"name": "b"}', "is not JSON (extra data); a suite is one list of cases"),
        ("[" * 100_000, "is not JSON (nested deeper than 100 levels)"),
        (
            '[{"name": "a", "name": "b"}]',
            "line 1, column 16: is not JSON (the key 'name' is repeated in one object)",
        ),
        ('[{"name": "a", "token_budget": NaN}]', "line 1, column 32: is not JSON (NaN is not a JSON number)"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(BadSuite) as caught:
        parse_suite(text, "tea.json")
    assert told in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*GOOD, "cases", "kind", "since", "token_budget", "tag"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_value_is_a_suite_or_is_refused_as_one(value: object) -> None:
    try:
        suite = read_suite(value, "tea.json")
    except BadSuite:
        return
    assert suite.cases
    assert all(case.expected and case.name for case in suite.cases)
