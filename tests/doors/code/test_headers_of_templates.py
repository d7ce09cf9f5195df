"""Headers of C++ with templates: their specializations, and macros and conditions that the grammar does not expect."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract


def test_a_member_of_a_specialization_is_none_of_the_namespace(tmp_path: Path) -> None:
    files = {
        "tide.h": "namespace port {\ntemplate <typename T> struct Gauge {\n  int level(T t);\n};\nint level(int a);\n}\n",
        "low.h": '#include "tide.h"\nnamespace port {\ntemplate <> struct Gauge<Low> {\n  int level(Low low) {\n    return 1;\n  }\n};\n}\n',
        "use.cc": '#include "low.h"\nint go() {\n  return port::level(2);\n}\n',
    }
    with opened(tmp_path / "app", files) as dp:
        calls = [edge for edge in dp.code.edges("use.cc") if edge.relation == "calls"]
        assert [(edge.target.file, edge.target.name, edge.ambiguous) for edge in calls] == [
            ("tide.h", "port.level", False)
        ]


@pytest.mark.parametrize(
    "head",
    [
        "template <typename T> PORT_INLINE int level(T t) {",
        "template <typename T,\n          PORT_ENABLE_IF(is_low<T>::value || !is_low<const T>::value)>\nint level(T t) {",
        "PORT_EXPORT PORT_PURE int level(int t) {",
        "#if __has_include(<tide.h>) && PORT\n#  include <tide.h>\n#endif\nint level(int t) {",
        '#if defined(PORT) && PORT_HAS_INCLUDE("tide.h")\n#  define LOW\n#endif\nint level(int t) {',
        "int level(int t) {\n  if PORT_CONSTEXPR (t > 1)\n    return 2;",
    ],
)
def test_a_function_is_found_behind_a_macro_or_condition(head: str) -> None:
    symbols = extract(
        f"int before() {{\n  return 1;\n}}\n{head}\n  return 1;\n}}\nint after() {{\n  return 1;\n}}\n", "cpp"
    ).symbols
    functions = {
        symbol.qualified: (symbol.kind.value, symbol.parent) for symbol in symbols if symbol.name != "LOW"
    }
    assert functions == dict.fromkeys(("before", "level", "after"), ("function", -1))


def test_members_behind_macros_are_those_of_their_class() -> None:
    text = "class Tide {\n public:\n  PORT_CONSTEXPR Tide(int a) : a_(a) {\n    go();\n  }\n  PORT_CONSTEXPR explicit Tide(long a) noexcept : a_(a) {}\n  PORT_CONSTEXPR void operator+=(int by) {\n    a_ += by;\n  }\n  int level() {\n    return a_;\n  }\n};\n"
    assert [
        (one.qualified, one.end_line) for one in extract(text, "cpp").symbols if one.name in ("Tide", "level")
    ] == [("Tide", 13), ("Tide.level", 12)]


def test_a_member_of_a_container_is_not_surely_that_of_the_only_class_with_its_name(tmp_path: Path) -> None:
    files = {
        "tide.h": "class Tide {\n public:\n  void push_back(int level) {\n    go();\n  }\n  int levels() {\n    return 1;\n  }\n};\n",
        "use.cc": '#include "tide.h"\nvoid go() {\n  all().push_back(1);\n  all().levels();\n}\n',
    }
    with opened(tmp_path / "app", files) as dp:
        calls = {edge.line: edge.ambiguous for edge in dp.code.edges("use.cc") if edge.relation == "calls"}
    assert calls == {3: True, 4: False}
