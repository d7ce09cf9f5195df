"""The table of verbs: what callers may write, what they are told, and that nothing is missing from the other
surfaces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.errors import DaypackError, InputError
from daypack.surfaces.cli.main import cli
from daypack.surfaces.toolsets import offered, toolsets, verbs
from daypack.verbs import Access, access_of
from daypack.verbs.table import Choices, Named, Range, Verb
from support import WORDS, copy_of_pay


def example(
    daypack: Any,
    name: Annotated[str, "A name."],
    size: Annotated[int, Range(1, 10)] = 3,
    share: Annotated[float | None, Range(0, 1)] = None,
    kinds: Annotated[list[str] | None, Named("in"), Choices(("a", "b"))] = None,
    order: Literal["up", "down"] = "up",
    facts: dict[str, Any] | None = None,
    loud: bool = False,
) -> dict[str, Any]:
    """What it does."""
    return {
        "name": name,
        "size": size,
        "share": share,
        "kinds": kinds,
        "order": order,
        "facts": facts,
        "loud": loud,
    }


EXAMPLE = Verb("example", "test", Access.READ, example, "-only here")


def test_a_signature_is_its_schema() -> None:
    assert EXAMPLE.schema() == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "A name."},
            "size": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3},
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "in": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "order": {"type": "string", "enum": ["up", "down"], "default": "up"},
            "facts": {"type": "object"},
            "loud": {"type": "boolean", "default": False},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


def test_numbers_in_strings_and_one_query_for_several_are_understood() -> None:
    from daypack.surfaces.toolsets import verbs

    assert EXAMPLE.arguments({"name": "x", "size": "7", "share": " 0.5 "}) == {
        "name": "x",
        "size": 7,
        "share": 0.5,
    }
    assert verbs()["search"].arguments({"query": "refunds"}) == {"queries": ["refunds"]}
    for wrong in ("7.5", "seven", "0x7", "", "99999999999999999999"):
        with pytest.raises(InputError, match="size must be"):
            EXAMPLE.arguments({"name": "x", "size": wrong})


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({}, "example needs name"),
        ({"name": 3}, "name must be a string, not 3"),
        ({"name": "x", "size": "big"}, "size must be a whole number, not 'big'"),
        ({"name": "x", "size": 11}, "size must be from 1 to 10, not 11"),
        ({"name": "x", "share": 2}, "share must be from 0 to 1, not 2.0"),
        ({"name": "x", "size": True}, "size must be a whole number, not true"),
        ({"name": None}, "name must be a string, not null"),
        ({"name": "x", "size": float("inf")}, "size must be a whole number, not Infinity"),
        ({"name": "x", "facts": [None, {"a": False}]}, 'facts must be an object, not [null, {"a": false}]'),
        ({"name": "x", "share": float("nan")}, "share must be a finite number"),
        ({"name": "x", "in": ["a", "c"]}, "in: 'c' is not one of a, b"),
        ({"name": "x", "in": [1]}, "in must be a list of strings; one of its items is not"),
        ({"name": "x", "order": "sideways"}, "order: 'sideways' is not one of up, down"),
        ({"name": "x", "facts": [1]}, "facts must be an object, not [1]"),
        ({"name": "x", "sise": 3}, "example has no argument 'sise'; did you mean size?"),
        ({"name": "x", "loud": 1}, "loud must be true or false, not 1"),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(given_: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        EXAMPLE(None, given_)
    assert str(error.value) == said


def test_lists_and_objects_may_come_as_agents_write_them() -> None:
    assert EXAMPLE(None, {"name": "x", "in": "a"})["kinds"] == ["a"]
    assert EXAMPLE(None, {"name": "x", "in": '["a", "b"]', "facts": '{"k": 1}'}) | {"name": "x"} == {
        "name": "x",
        "size": 3,
        "share": None,
        "kinds": ["a", "b"],
        "order": "up",
        "facts": {"k": 1},
        "loud": False,
    }
    assert EXAMPLE(None, {"name": "x", "size": 4.0, "share": 1, "facts": None})["size"] == 4


def test_several_words_of_a_list_may_come_as_one_text() -> None:
    assert EXAMPLE(None, {"name": "x", "in": "a,b"})["kinds"] == ["a", "b"]
    tags = verbs()["remember"].arguments({"key": "k", "value": "v", "tags": "fees, decision"})["tags"]
    assert tags == ["fees", "decision"]
    source = verbs()["search"].arguments({"queries": "fees", "source": "src/{a,b}/**"})["source"]
    assert source == ["src/{a,b}/**"]


def test_a_question_with_a_comma_stays_one_question() -> None:
    for one in ("how are fees, and refunds, rounded?", "timeouts, retries", "parser,lexer", "fees"):
        assert verbs()["search"].arguments({"query": one}) == {"queries": [one]}
    taken = verbs()["pack"].arguments({"query": "and why?", "history": "Yes, please"})
    assert taken["history"] == ["Yes, please"]


def test_a_history_may_be_messages_with_roles() -> None:
    asked = {"role": "user", "content": "how are fees rounded?"}
    taken = verbs()["pack"].arguments({"query": "and why?", "history": [asked, "Down."]})
    assert taken["history"] == ["how are fees rounded?", "Down."]
    with pytest.raises(InputError, match="history must be a list of strings"):
        verbs()["pack"].arguments({"query": "and why?", "history": [{"role": "user", "content": [1]}]})


@pytest.mark.parametrize(
    ("verb", "given_", "meant"),
    [
        ("search", {"q": "fees", "limit": 3}, {"queries": ["fees"], "limit": 3}),
        ("get", {"path": "src/fees.py"}, {"reference": "src/fees.py"}),
        ("pack", {"task": "round fees", "budget": 500}, {"query": "round fees", "budget": 500}),
        ("callers", {"symbol": "fee"}, {"reference": "fee"}),
        ("tests_for", {"query": "fee"}, {"reference": "fee"}),
        (
            "remember",
            {"key": "k", "value": "v", "ttlSeconds": 60},
            {"key": "k", "value": "v", "ttl_seconds": 60},
        ),
    ],
)
def test_the_one_missing_text_is_taken_from_a_name_that_agents_guess(
    verb: str, given_: dict[str, Any], meant: dict[str, Any]
) -> None:
    assert verbs()[verb].arguments(given_) == meant


@pytest.mark.parametrize(
    ("verb", "given_", "said"),
    [
        ("remember", {"key": "k", "tag": "fees"}, "did you mean tags?"),
        ("forget", {"name": "k"}, "it takes key"),
        ("remember", {"value": "v", "project": "shop"}, "remember has no argument 'project'"),
        ("remember", {"key": "k", "reason": "why"}, "remember has no argument 'reason'"),
        ("restore_memory", {"key": "k", "reason": "why"}, "restore_memory has no argument 'reason'"),
        ("get", {"path": "a.py", "lines": "1-3"}, "get has no argument 'path'"),
        ("pack", {"query": "fees", "task": "round"}, "pack has no argument 'task'"),
        ("get", {"page": 2, "path": 3}, "get has no argument 'path'"),
    ],
)
def test_a_guess_that_is_not_clear_is_refused(verb: str, given_: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        verbs()[verb].arguments(given_)


def test_lone_surrogates_become_question_marks_wherever_they_stand() -> None:
    found = EXAMPLE(None, {"name": "\ud800x", "facts": {"\udfff": ["\ud800", {"日本": "💥"}]}})
    assert (found["name"], found["facts"]) == ("?x", {"?": ["?", {"日本": "💥"}]})


def test_what_is_nested_without_end_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"a": deep}
    with pytest.raises(InputError, match="facts is nested too deeply"):
        EXAMPLE(None, {"name": "x", "facts": deep})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["name", "size", "share", "in", "order", "facts", "loud", "other"]), json_values
    )
)
def test_whatever_is_given_is_taken_or_refused_in_words(given_: dict[str, Any]) -> None:
    try:
        EXAMPLE(None, given_)
    except InputError as error:
        assert "\n" not in str(error)


# ---------------------------------------------------------------- the table that ships


@pytest.mark.parametrize("verb", verbs().values(), ids=lambda verb: verb.name)
def test_a_verb_is_described_briefly_and_its_schema_is_json(verb: Verb) -> None:
    assert 0 < len(verb.about) <= 240
    assert "\n" not in verb.about
    assert json.loads(json.dumps(verb.schema())) == verb.schema()
    assert verb.result is None or verb.result["type"] == "object"


def test_every_argument_is_described_but_two_of_the_tools_that_every_agent_pays_for() -> None:
    bare = {
        (each.name, one.name)
        for each in verbs().values()
        for one in each.parameters
        if not one.schema().get("description")
    }
    assert bare == {("pack", "format"), ("remember", "tags")}


def parts_of(schema: Any) -> Iterator[Any]:
    """A schema of an argument, and the schemas inside it."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from parts_of(inner)


@pytest.mark.parametrize("verb", verbs().values(), ids=lambda verb: verb.name)
def test_a_schema_has_what_programs_refuse_a_server_without(verb: Verb) -> None:
    for name, argument in verb.schema()["properties"].items():
        for part in parts_of(argument):
            assert part.get("type"), name
            assert part["type"] != "array" or "items" in part, name
            assert "" not in part.get("enum", ["some"]), name
            bounds = [part[bound] for bound in ("minimum", "maximum") if bound in part]
            assert part["type"] != "integer" or all(type(bound) is int for bound in bounds), name


def test_an_empty_choice_is_taken_and_not_offered() -> None:
    symbols = verbs("code")["symbols"]
    assert symbols.arguments({"kind": ""}) == {"kind": ""}
    with pytest.raises(InputError, match="'klass' is not one of function, method"):
        symbols.arguments({"kind": "klass"})


@pytest.mark.parametrize("verb", verbs().values(), ids=lambda verb: verb.name)
def test_a_verb_has_a_command_or_a_reason_for_having_none(verb: Verb) -> None:
    if verb.cli.startswith("-"):
        assert len(verb.cli) > 10
        return
    command: click.Command = cli
    for word in verb.cli.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, f"{verb.name}: there is no command `daypack {verb.cli}`"
        command = found


def test_reading_is_repeatable_and_only_what_destroys_says_so() -> None:
    for verb in verbs().values():
        assert not (verb.access is Access.READ and verb.destructive), verb.name
        assert verb.access is not Access.DANGEROUS or verb.destructive or verb.name in OPEN_WORLD, verb.name


# what is dangerous because of what it runs or fetches, not because of what it removes
OPEN_WORLD: set[str] = set()


def test_a_ceiling_hides_what_is_above_it() -> None:
    assert {*offered(["core"], Access.READ)} == {"pack", "search", "get", "status"}
    assert {*offered(["core"], Access.WRITE)} == {"pack", "search", "get", "remember", "forget", "status"}
    assert "redact_memory" not in offered(["memory"], Access.WRITE)
    assert "redact_memory" in offered(["all"], Access.DANGEROUS)


def test_access_has_aliases_and_a_wrong_one_is_told_the_list() -> None:
    assert [access_of(name) for name in ("ro", "read", "rw", "write", "read-write", "all", "dangerous")] == [
        Access.READ,
        Access.READ,
        Access.WRITE,
        Access.WRITE,
        Access.WRITE,
        Access.DANGEROUS,
        Access.DANGEROUS,
    ]
    with pytest.raises(InputError, match="unknown access 'root'; choose from read, write, dangerous"):
        access_of("root")


def test_a_toolset_that_is_not_there_is_told_which_are() -> None:
    with pytest.raises(InputError, match=f"choose from {', '.join(toolsets())}, groups, all"):
        verbs("memories")


@pytest.fixture
def pay(tmp_path: Path) -> Iterator[Daypack]:
    folder = copy_of_pay(tmp_path)
    with Daypack.open(folder / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(folder)
        yield daypack


def test_a_next_page_goes_on_where_the_budget_ended(pay: Daypack) -> None:
    question = {"query": "how are refunds retried and who is told?", "budget": 400}
    first = verbs()["pack"](pay, question)
    assert first.details["next_page"] == 2
    second = verbs()["pack"](pay, {**question, "page": 2})
    shown = [
        {i for citation in page.details["citations"] for i in citation["ids"]} for page in (first, second)
    ]
    assert all(shown)
    assert shown[0].isdisjoint(shown[1])


def test_a_verb_says_what_the_store_says(pay: Daypack) -> None:
    with pytest.raises(DaypackError):
        verbs()["get"](pay, {"reference": "no/such/file.md"})
    found = verbs()["get"](pay, {"reference": "docs/retries.md:1-3"})
    assert found.text.startswith("docs/retries.md:1-3\n```\n")
