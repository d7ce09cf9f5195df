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
