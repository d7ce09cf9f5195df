"""A wish is a request for a change, and names the thing that the change follows."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Besides strictCommands() I want strictOptions().", ("strictCommands", "strictOptions")),
        ("We want to read TOML too. Build it the same way YAML is read.", ("YAML",)),
        (
            "Colours need names of their own. Add hide_names, modelled on hide_values.",
            ("hide_names", "hide_values"),
        ),
        ("mail.new should have an --adapter flag, like --format.", ("--format",)),
        ("Schemas should have a primitive :bits type, handled like :binary.", ("bits", "binary")),
        ("Provide JSON instances for the type of addresses, as we do for UUID.", ("UUID",)),
    ],
)
def test_a_wish_is_a_change(text: str, names: tuple[str, ...]) -> None:
    query = parse_query(text, now=EPOCH)
    assert query.asks_for_change
    assert set(names) <= set(query.changed)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("Add a --dry-run flag to store status.", "--dry-run", {"dry", "run"}),
        ("Add an ignoreAliases option to the max-params rule.", "ignoreAliases", {"ignor", "alias"}),
        ("Add a request option max_body_size.", "max_body_size", {"max", "bodi", "size"}),
        ("Add a parameter row_padding to the store.", "row_padding", {"row", "pad"}),
        ("Add a request filter reading_time.", "reading_time", {"read", "time"}),
    ],
)
def test_the_name_of_a_thing_to_be_made_is_not_looked_for(text: str, name: str, words: set[str]) -> None:
    query = parse_query(text, now=EPOCH)
    assert name not in {*query.changed, *query.mentions, *query.keys}
    others = [
        weight for term, weight in query.terms.items() if term in {"store", "status", "rule", "request"}
    ]
    assert others
    assert all(query.terms[word] < min(others) for word in words & {*query.terms})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Let parse_query take a limit as well.", "parse_query"),
        ("Add a test for parse_query.", "parse_query"),
        ("write a test for function parse_args", "parse_args"),
        ("add a parse_query test", "parse_query"),
        ("add a UserModel serializer", "UserModel"),
        ("add a method to class HttpClient", "HttpClient"),
        ("add a limit to option max_body_size", "max_body_size"),
        ("add a check that option strict_mode is on", "strict_mode"),
        ("Add a warning when flag strict_mode is given", "strict_mode"),
        ("rename a strict_mode flag to strict", "strict_mode"),
        ("fix a load_config function that hangs", "load_config"),
    ],
)
def test_a_name_beside_such_a_word_may_exist(text: str, name: str) -> None:
    query = parse_query(text, now=EPOCH)
    assert name in query.mentions
    assert name in query.changed


@pytest.mark.parametrize(
    "text",
    [
        "How does strictCommands() differ from strictOptions()?",
        "I want to understand how flags are parsed",
        "let me know where the timeout is set",
        "give me an overview of the parser",
        "Could not read the file. Ensure it exists.",
        "write a summary of the session",
        "I need a PDF of the invoice",
        "We need NASA documents",
        "the children should get vaccinated",
        "Employees should have a bonus after two years",
        "our customers need their own login",
    ],
)
def test_other_texts_ask_for_no_change(text: str) -> None:
    query = parse_query(text, now=EPOCH)
    assert not query.asks_for_change
    assert query.changed == ()
