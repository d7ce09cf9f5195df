"""Filters that are none, and characters that no store can hold, on every way in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import BadDocument, BadUpdate, FilterError, NotFound
from daypack.filters import Glob, Not, OneOf, Tagged
from daypack.surfaces.toolsets import verbs
from support import daypack, project

NO_FILTERS: list[Any] = [[], 1, "x", 1.5, True, [{"a": 1}]]
HALVES: list[Any] = [
    {"a": "\ud800"},
    {"\ud800": 1},
    {"a": {"$in": ["x", "\udfff"]}},
    {"a": {"$regex": "\ud800"}},
    {"$or": [{"a": {"b\ud800": 1}}]},
    {"a": {"$elemMatch": {"\ud800": 1}}},
    {"a": {"$not": {"$eq": "\ud800"}}},
]


@pytest.fixture
def dp(dp: Daypack) -> Daypack:
    dp.documents.collection("c").insert([{"a": 1}, {"a": 2}])
    return dp


@pytest.mark.parametrize("filter", [*NO_FILTERS, *HALVES])
def test_the_library_refuses_it(dp: Daypack, filter: Any) -> None:
    c = dp.documents.collection("c")
    for ask in (
        lambda: c.find(filter),
        lambda: c.count(filter),
        lambda: c.delete(filter),
        lambda: c.explain(filter),
        lambda: c.diagnose(filter),
        lambda: c.vsearch("a", "x", filter=filter),
        lambda: c.context("a", "x", filter=filter),
        lambda: c.plan_update(filter, {"$set": {"b": 1}}),
        lambda: dp.search("x", filter=filter),
        lambda: dp.pack("x", filter=filter),
    ):
        with pytest.raises(FilterError):
            ask()
    assert c.count() == 2


@pytest.mark.parametrize("filter", [*NO_FILTERS, *HALVES])
def test_every_verb_with_a_filter_refuses_it(dp: Daypack, filter: Any) -> None:
    given = {"collection": "c", "field": "a", "query": "x", "update": {"$set": {"b": 1}}}
    asked = [one for one in verbs().values() if any(part.name == "filter" for part in one.parameters)]
    assert len(asked) > 5
    for verb in asked:
        names = {part.name for part in verb.parameters}
        with pytest.raises(FilterError) as error:
            verb(dp, {"filter": filter} | {name: value for name, value in given.items() if name in names})
        assert error.value.code == "bad_filter"
    assert dp.documents.collection("c").count() == 2


def test_a_required_filter_is_not_null(dp: Daypack) -> None:
    with pytest.raises(FilterError, match="not null"):
        verbs()["delete"](dp, {"collection": "c", "filter": None})


@pytest.mark.parametrize("condition", [Glob("\ud800"), Tagged("\ud800"), Not(OneOf("uri", ("\udfff",)))])
def test_a_tree_with_half_a_character_is_refused(dp: Daypack, condition: Any) -> None:
    with pytest.raises(FilterError, match="surrogate"):
        dp.search("x", filter=condition)


def test_updates_and_ids_with_half_a_character(dp: Daypack) -> None:
    c = dp.documents.collection("c")
    for update in (
        {"$set": {"a": "\ud800"}},
        {"$set": {"\ud800": 1}},
        {"$rename": {"a": "\ud800"}},
        {"$push": {"l": {"$each": ["\ud800"]}}},
    ):
        with pytest.raises(BadUpdate, match="surrogate"):
            c.plan_update({}, update)
    with pytest.raises(BadDocument, match="surrogate"):
        c.insert({"x": "\ud800"})
    for identity in ("\ud800", '"\\ud800"', '{"a":"\\ud800"}'):
        with pytest.raises(NotFound):
            c.get(identity)


def test_numbers_beyond_64_bits_are_the_largest(dp: Daypack) -> None:
    c = dp.documents.collection("c")
    assert len(c.find(limit=10**40)) == 2
    assert c.find(skip=10**40) == []


def test_the_terminal_says_bad_filter(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"a.md": "# Kettle\n"})
    daypack("docs", "insert", "c", '[{"a":1},{"a":2}]', cwd=shop)
    for filter in ("[]", "1", '"x"', "null", '{"a":"\\ud800"}'):
        for words in (
            ("docs", "find", "c", filter),
            ("docs", "count", "c", filter),
            ("docs", "delete", "c", filter),
            ("search", "kettle", "--filter", filter),
            ("pack", "kettle", "--filter", filter),
            ("docs", "vsearch", "c", "a", "x", "--filter", filter),
        ):
            assert '"code": "bad_filter"' in daypack(*words, "--json", cwd=shop, status=2).stderr
    assert daypack("docs", "count", "c", cwd=shop).stdout == "2\n"
