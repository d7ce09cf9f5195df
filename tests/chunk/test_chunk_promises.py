"""Whatever the text and whatever it claims to be, no character is lost and none is given away twice."""

import pytest
from chunk_checks import check_promises, cut_source, cut_text
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.chunk import DATA, PROSE, TEMPLATES, cut
from daypack.chunk.code import OUTLINES
from daypack.chunk.languages import LANGUAGES
from daypack.types import Record, RecordKind

FRAGMENTS = [
    "# Title\n",
    "## Part ##\n",
    "Title\n=====\n",
    "Title\n-----\n",
    "---\n",
    "```python\n",
    "```\n",
    "~~~\n",
    "    indented\n",
    "\tcode\n",
    "- item\n",
    "* item\n  more\n",
    "1. one\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "> quote\n",
    "!!! note\n",
    '=== "Linux"\n\n',
    "    ```\n",
    "    text\n\n    ~~~\n",
    "(limits)=\n",
    "r[pay.limits]\n",
    "</details>\n",
    "@node A\n@chapter A\n",
    "@example\n",
    "@end example\n",
    "@item a\n@itemx b\n",
    "<!-- note\n",
    "-->\n",
    "[link](http://x)\n",
    ".. code-block:: c\n\n   int x;\n\n",
    "As in::\n\n   literal\n\n",
    "+---+\n| a |\n+---+\n",
    "== Part\n",
    "[source]\n----\n",
    "|===\n",
    "[[anchor]]\n",
    "* TODO headline\n:PROPERTIES:\n:ID: 1\n:END:\n",
    "#+begin_src sh\n",
    "#+end_src\n",
    ".SH NAME\n",
    ".It Fl a\n",
    ".nf\n",
    ".fi\n",
    "\n",
    "\n\n",
    "   \n",
    "\r\n",
    "\t",
    " ",
    "\x0c",
    "\x1c",
    "Some words, and more. A second sentence!\n",
    "one line " * 40 + "\n",
    "x" * 300 + "\n",
    "déjà vu — naïve\n",
    "日本語の文章。次の文。\n",
    "👩‍👩‍👧 family\n",
    "e\u0301",
    "\u0301" * 5,
    "\ud800",
    "\x00",
    "\ufeff",
    "\u2028",
    "\x85",
    '{"a": [1, {"b": "c"}], ',
    '"k\\"ey": null}\n',
    "[1, 2,\n",
    "]}",
    "}",
    '"',
    "'",
    "key: value\n",
    "list:\n  - a\n  - b\n",
    "--- \n",
    "[table]\nx = 1\n",
    "a,b,c\n1,2,3\n",
    '1,"two\nlines",3\n',
    "2024-05-01 10:00:00 INFO started\n",
    "  at frame (x.js:1)\n",
    "import os\n",
    "from a import (\n  b,\n)\n",
    "def f(x):\n    return x\n",
    "@d\nclass A(B):\n    '''Doc.'''\n    x = 1\n    def m(self): pass\n",
    "function g(a) { return a }\n",
    "const h = (a) => { return a }\n",
    "export class C { m() {} }\n",
    "func (r *R) Do() {}\n",
    "impl T for S { fn f() {} }\n",
    "#include <a.h>\n#ifdef X\nint f(void) { return 1; }\n#endif\n",
    "namespace n { class A { void f(); }; }\n",
    "void A::f() {}\n",
    "module M\n  def x; end\nend\n",
    "// comment\n",
    "# comment\n",
    "/* block\n comment */\n",
    "fn ünïcode() {}\n",
    "def naïve(): pass\n",
    "(",
    ")",
    "{",
    ";\n",
    "http {\n  listen 80; # port\n",
    "  }\n",
    "a.b = {\n  c = 1;\n};\n",
    "local x = { y:: 1 };\n",
    "|||\n  lines\n|||\n",
    "# of a target\nrule(\n    name = 'a',\n",
    '{{/* why */}}\n{{- define "a.b" -}}\n',
    "{{ if .x }}",
    "{{- end }}\n",
    "{# why #}\n{% macro m(a) %}\n",
    "{% endmacro %}\n",
    "# syntax\nFROM a AS b\n",
    "RUN x && \\\n",
    "RUN <<EOF\n",
    "EOF\n",
    "# Copyright 2026 The shop, licensed to its friends.\n" * 5,
]

anything = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=12)), max_size=25).map("".join),
)
quick = settings(max_examples=40)


@pytest.mark.parametrize("language", sorted(PROSE))
@quick
@given(text=anything)
def test_prose_of_any_format_keeps_every_character(language, text):
    cut_text(text, language)


@pytest.mark.parametrize("language", sorted(DATA))
@quick
@given(text=anything)
def test_data_of_any_format_keeps_every_character(language, text):
    cut_text(text, language)


@pytest.mark.parametrize("language", sorted({*LANGUAGES, *OUTLINES, *TEMPLATES, "no such language"}))
@settings(quick, max_examples=20)
@given(text=anything)
def test_code_in_any_language_keeps_every_character(language, text):
    cut_source(text, language)


@pytest.mark.parametrize("kind", [RecordKind.EVENT, RecordKind.MEMORY])
@quick
@given(text=anything)
def test_turns_keep_every_character(kind, text):
    cut_text(text, "", kind)


@quick
@given(text=anything, repeats=st.integers(1, 60))
def test_long_texts_keep_every_character(text, repeats):
    for language in (
        "markdown",
        "rst",
        "asciidoc",
        "org",
        "texinfo",
        "man",
        "json",
        "yaml",
        "toml",
        "csv",
        "xml",
        "log",
    ):
        cut_text(text * repeats, language)


@pytest.mark.parametrize("language", ["", *sorted(PROSE), *sorted(DATA), *sorted(LANGUAGES)])
@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\r\n\t \x0c\r\n"])
def test_nothing_gives_no_pieces(language, text):
    for kind in RecordKind:
        assert cut(Record("a", text, kind, language=language)).pieces == ()


@pytest.mark.parametrize("language", [*sorted(PROSE), *sorted(DATA)])
def test_windows_line_ends_cut_like_others(language):
    text = "# Title\n\nSome text, a: 1\n\n- one\n- two\n\n[part]\nkey = 2\n"
    plain = cut_text(text, language)
    windows = cut_text(text.replace("\n", "\r\n"), language)
    assert [(piece.kind, piece.name, piece.span.start_line) for piece in windows.pieces] == [
        (piece.kind, piece.name, piece.span.start_line) for piece in plain.pieces
    ]


@pytest.mark.parametrize(
    "language",
    [
        "markdown",
        "rst",
        "asciidoc",
        "org",
        "texinfo",
        "man",
        "",
        "log",
        "json",
        "yaml",
        "toml",
        "csv",
        "python",
        "javascript",
        "cpp",
        "rust",
    ],
)
@pytest.mark.parametrize("bracket", ["(", "[", "{", "- ", "> ", '"', "```\n", "{[("])
def test_ten_thousand_brackets_deep_is_only_a_long_text(language, bracket):
    kind = RecordKind.CODE if language in LANGUAGES else RecordKind.DOCUMENT
    text = bracket * 10_000
    check_promises(text, cut(Record("a", text, kind, language=language)))
    closed = "[" * 10_000 + "1" + "]" * 10_000
    check_promises(closed, cut(Record("a", closed, kind, language=language)))


def test_a_text_without_line_ends_is_cut_into_even_pieces():
    text = "a few words without any stop " * 40_000
    lengths = [piece.span.end - piece.span.start for piece in cut_text(text).pieces]
    assert max(lengths) <= 1024
    assert min(lengths) >= 400


def test_a_failing_cutter_costs_the_structure_and_not_the_text(monkeypatch):
    def fails(text):
        raise RuntimeError

    monkeypatch.setitem(PROSE, "markdown", fails)
    result = cut(Record("a", "# Title\n\ntext\n", language="markdown"))
    check_promises("# Title\n\ntext\n", result)
    assert result.fallback == "cutting failed: RuntimeError"
