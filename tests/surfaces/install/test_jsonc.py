"""Settings in JSON: an edit adds or removes one member, and every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.surfaces.install import jsonc

SERVER = {"command": "daypack"}
PATH = ("mcpServers", "daypack")
ADDED = '"daypack": {\n      "command": "daypack"\n    }'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{\n  "mcpServers": {\n    "other": {} // about other\n  }\n}\n',
            f'{{\n  "mcpServers": {{\n    "other": {{}}, // about other\n    {ADDED}\n  }}\n}}\n',
        ),
        (
            '{\n  "mcpServers": {\n    "other": {}, /* a */ // b\n    // "off": {}\n  }\n}\n',
            f'{{\n  "mcpServers": {{\n    "other": {{}}, /* a */ // b\n    {ADDED},\n    // "off": {{}}\n  }}\n}}\n',
        ),
        (
            '{"mcpServers": {"other": {} /* about other */}}',
            '{"mcpServers": {"other": {}, /* about other */ "daypack": {\n  "command": "daypack"\n}}}',
        ),
    ],
)
def test_a_comment_stays_beside_its_member_when_one_is_added_and_removed(before: str, after: str) -> None:
    assert jsonc.put(before, PATH, SERVER) == after
    assert jsonc.drop(after, PATH) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  "a": 1, // mine\n  "daypack": {}\n}', '{\n  "a": 1 // mine\n}'),
        ('{\n  "daypack": {},\n  // about b\n  "b": 2\n}', '{\n  // about b\n  "b": 2\n}'),
        ('{\n  "a": 1,\n  // ours?\n  "daypack": {}\n  // last\n}', '{\n  "a": 1\n  // ours?\n  // last\n}'),
        ('{"a": 1, "daypack": {}, "b": 2}', '{"a": 1, "b": 2}'),
        ('{ "daypack": {} /* c */ }', "{ /* c */ }"),
        ('{ // ends with {\n"daypack": {}}', "{ // ends with {\n}"),
        ('{\r\n  "a": 1,\r\n  "daypack": {},\r\n}\r\n', '{\r\n  "a": 1,\r\n}\r\n'),
    ],
)
def test_only_the_member_goes_and_the_comments_around_it_stay(before: str, after: str) -> None:
    assert jsonc.drop(before, ("daypack",)) == after
    assert "daypack" not in jsonc.read(after).value


def test_a_file_keeps_its_line_ends_and_its_byte_order_mark() -> None:
    before = '\ufeff{\r\n  "a": 1\r\n}\r\n'
    after = jsonc.put(before, PATH, SERVER)
    assert after.startswith("\ufeff{\r\n")
    assert after.count("\n") == after.count("\r\n") > 5
    assert jsonc.drop(after, PATH[:1]) == before


@pytest.mark.parametrize("before", ["", "\ufeff", "// servers\n", "/* a */\n// b", "\n"])
def test_a_file_without_a_value_gets_an_object_below_its_comments(before: str) -> None:
    after = jsonc.put(before, PATH, SERVER)
    assert after.startswith(before.strip("\n"))
    assert jsonc.read(after).value == {"mcpServers": {"daypack": SERVER}}


def test_of_a_repeated_key_the_last_counts() -> None:
    twice = '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}'
    after = jsonc.put(twice, PATH, SERVER)
    assert jsonc.read(after).value == {"mcpServers": {"b": {}, "daypack": SERVER}}
    assert jsonc.drop(after, PATH) == twice


keys = st.text(st.characters(codec="ascii", exclude_characters='"\\\n'), min_size=1, max_size=4).filter(
    lambda key: key != "-"
)  # which puts an item into a list
values = st.recursive(
    st.none() | st.booleans() | st.integers() | keys,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(keys, values, max_size=4),
    keys,
    values,
    st.sampled_from([None, 1, 4, "\t"]),
    st.booleans(),
)
def test_what_is_put_in_is_there_and_dropping_it_gives_the_text_back(
    data: dict[str, object], key: str, value: object, indent: int | str | None, commented: bool
) -> None:
    text = json.dumps(data, indent=indent) + "\n"
    if commented and data:
        text = text.replace("{", "{ // here\n", 1)
    path = ("daypack servers", key)
    after = jsonc.put(text, path, value)
    assert jsonc.read(after).value == data | {"daypack servers": {key: value}}
    gone = jsonc.drop(after, path[:1])
    assert jsonc.read(gone).value == data
    if data:
        assert gone == text


@given(st.text(max_size=40) | st.text('{}[]":,0 /*\n', max_size=30))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        jsonc.read(text)
    except jsonc.NotJson as error:
        assert "line" in str(error) or "ends in the middle" in str(error)
