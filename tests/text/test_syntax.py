"""Sources as the grammars read them."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.text import syntax
from daypack.text.syntax import parse, parse_code, parser_for, without_macros

UNREAD = [
    ("class LOG_API logger {", "class         logger {"),
    ("struct LOG_API(1) sink final\n    : base {", "struct            sink final\n    : base {"),
    ("class API Tree<int> : public Node {", "class     Tree<int> : public Node {"),
    ("LOG_INLINE void logger::flush() {", "           void logger::flush() {"),
    ("  static LOG_API std::map<int, bool> levels(int a);", "  static         std::map<int, bool> levels(int a);"),
]  # fmt: skip
READ = [
    "class logger {",
    "struct FILE log;",
    "struct TIDE rise(int a);",
    "class Crane : public LIFT {",
    "LOG_INLINE logger::logger() {",  # a constructor: the macro is read as its type
    "DWORD rise(int a);",
    "FILE *opened = open(name);",
    "  RISE(tide, level);",
]


@pytest.mark.parametrize(("text", "blank"), UNREAD)
def test_macros_that_the_grammar_has_no_place_for_are_blank(text: str, blank: str) -> None:
    assert without_macros(text.encode(), "cpp").decode() == blank
    assert without_macros(text.encode(), "java").decode() == text


@pytest.mark.parametrize("text", READ)
def test_other_names_in_capitals_are_kept(text: str) -> None:
    assert without_macros(text.encode(), "cpp").decode() == text


PARTS = st.lists(st.sampled_from(["class ", "API ", "FOO(", ")", " {", "\n", "x", "< ", ">", ": ", "void "]))


@given(PARTS)
def test_no_byte_moves(parts: list[str]) -> None:
    source = "".join(parts).encode()
    read = without_macros(source, "cpp")
    assert len(read) == len(source)
    assert all(new in (old, ord(" ")) for old, new in zip(source, read, strict=True))


def test_a_file_that_was_parsed_leaves_no_part_of_itself_in_memory():
    source = b"def f(a):\n    return a\n" * 10_000
    parser = parser_for("python")
    assert parse(parser, source) is not None
    tracemalloc.start()
    try:
        for _ in range(4):
            assert parse(parser, source) is not None
        gc.collect()
        left, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < len(source) / 2


def test_a_text_larger_than_one_read_is_parsed_whole():
    source = "name = 'Grüße, 世界'\n".encode() * 4_000
    parser = parser_for("python")
    assert str(parse(parser, source).root_node) == str(parser.parse(source).root_node)


def test_the_text_of_a_node_is_there_after_another_file_was_parsed():
    source = "name = 'Grüße, 世界'\n".encode() * 4_000
    parser = parser_for("python")
    tree = parse(parser, source)
    assert parse(parser, b"other = 1\n" * 9_000) is not None
    assert tree.root_node.text == source
    assert tree.root_node.children[1].text == source[: source.index(b"\n")]


def test_a_file_whose_second_parse_takes_too_long_keeps_its_first_tree(monkeypatch: pytest.MonkeyPatch):
    source = b"void f() {\n  TRY {\n    a();\n  }\n  CATCH_ALL {\n  }\n}\n"
    plain = syntax.without_block_macros(source, "cpp")
    assert plain != source
    monkeypatch.setattr(syntax, "parse", lambda parser, text: None if text == plain else parse(parser, text))
    tree, read = parse_code(parser_for("cpp"), source, "cpp")
    assert tree is not None
    assert read == source
