"""Conditions of the preprocessor that part a brace from its end hide no function below them."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.text.syntax import without_directives

LONE = """int dump(int x) {
  switch (x) {
  case 1: {
    if (x) {
      x = 1;
    } else {
#ifdef FAST
      const char *s = "{";
      if (s) {
        x = 2;
      } else {
#endif
        double d = x;
        if (d != d) {
          x = 3;
        } else {
          x = '{';
        }
      }
#ifdef FAST
    }
#endif
    break;
  }
  case 2:
    x = 4;
    break;
  }
  return x;
}

static int below(int x) {
  return dump(x);
}
"""
HEADS = """#if FAST
int total(int a, int b) {
#else
int total(int a) {
#endif
  return a;
}

int below(void) {
  return total(1);
}
"""


@pytest.mark.parametrize(("text", "names"), [(LONE, ["dump", "below"]), (HEADS, ["total", "below"])])
@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_functions_below_a_lone_brace_are_found(
    tmp_path: Path, text: str, names: list[str], ending: str
) -> None:
    with opened(tmp_path / "app", {f"a.{ending}": text}) as dp:
        assert [row.name for row in dp.code.symbols()] == names
        assert [row.symbol.name for row in dp.code.callers(names[0])] == ["below"]
        pieces = dp.search("below", vectors="none").candidates
        assert {"below"} == {one.chunk.name for one in pieces if "below(" in one.chunk.text}


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("#if 0\n{}\n#else\n{}\n#endif", 1),
        ("#if 0 /* old */\n{}\n#else\n{}\n#endif", 1),
        ("#if 0 // old\r\n{}\r\n#elif defined(FAST)\r\n{}\r\n#endif\r", 1),
        ("#ifdef _WIN32\n{}\n#else\n{}\n#endif", 1),
        ("#if defined(_MSC_VER) && _MSC_VER < 1900\n{}\n#else\n{}\n#endif", 1),
        ("#ifdef FAST\n{}\n#elif defined(SMALL)\n#error small\n#else\n{}\n#endif", 1),
        ("#ifdef FAST\n#if 0\n#else\n{}\n#endif\n#else\n{}\n#endif", 1),
        ("#if 1\n{}\n#else\n{}\n#endif", 0),
        ("#ifndef _WIN32\n{}\n#else\n{}\n#endif", 0),
        ("#if !defined(_WIN32)\n{}\n#else\n{}\n#endif", 0),
        ("#if 0 || FAST\n{}\n#elif SMALL\n{}\n#endif", 0),
    ],
)
@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_the_branch_that_stays_is_that_without_macros(
    tmp_path: Path, condition: str, kept: int, ending: str
) -> None:
    heads = condition.format("int first(int a) {", "int second(int a, int b) {")
    text = f"{heads}\n  return a;\n}}\nint below(void) {{ return 1; }}\n"
    with opened(tmp_path / "app", {f"a.{ending}": text}) as dp:
        assert [row.name for row in dp.code.symbols()] == [("first", "second")[kept], "below"]


@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_a_note_in_a_dead_branch_is_not_read_as_code(tmp_path: Path, ending: str) -> None:
    text = "#if 0\nThis note is about { an open brace.\n#endif\nint g(void) { return 2; }\n"
    with opened(tmp_path / "app", {f"a.{ending}": text}) as dp:
        assert [row.name for row in dp.code.symbols()] == ["g"]


@pytest.mark.parametrize(
    "text",
    [
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint a(void);\n#ifdef __cplusplus\n}\n#endif\n',
        "#ifndef A_H\n#define A_H\n#if FAST\nint a(void) { return 1; }\n#else\nint a(void) { return 2; }\n#endif\n#endif\n",
        "#define BEGIN do {\n#ifdef FAST\n#define WITH(x) \\\n  if (x) {\n#endif\n",
        '#ifdef FAST\n// {\n/* { */\nchar a = \'{\';\nconst char *b = "\\"{";\n#endif\n',
        "no conditions {\n",
        "#if FAST\n{\n",
    ],
)
def test_other_conditions_stay(text: str) -> None:
    for grammar in ("c", "cpp"):
        assert without_directives(text.encode(), grammar) == text.encode()


def test_every_other_byte_keeps_its_place() -> None:
    for text in (LONE, HEADS):
        blanked = without_directives(text.encode(), "c")
        assert len(blanked) == len(text)
        assert all(new in (old, 32) for old, new in zip(text.encode(), blanked, strict=True))
    assert b"#" not in blanked
