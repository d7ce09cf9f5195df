"""Uses of the cases of an enum, of names in macros, and of several names in one declaration."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

COLOURS = "enum color { RED, GREEN };\ntypedef enum { SMALL, LARGE } size_kind;\nstruct box { enum { OPEN, SHUT } lid; };\n"
CASES: dict[str, tuple[dict[str, str], dict[str, set[str]]]] = {
    "C": (
        {
            "box.h": COLOURS,
            "box.c": '#include "box.h"\nint paint(int c) {\n  return c == RED ? LARGE : SHUT;\n}\n',
        },
        {"RED": {"box.c:3"}, "GREEN": set(), "LARGE": {"box.c:3"}, "SHUT": {"box.c:3"}},
    ),
    "C++": (
        {
            "tide.hpp": "namespace port {\nenum Tide { LOW, HIGH };\nenum class Wind { CALM, STORM };\nstruct Quay {\n  enum Kind { STONE, WOOD };\n};\n}\n",
            "quay.cpp": '#include "tide.hpp"\nnamespace port {\nbool a(Tide t) {\n  return t == LOW;\n}\nbool b(Wind w) {\n  return w == Wind::CALM;\n}\n}\n'
            "bool c(int t) {\n  return t == port::HIGH || t == port::Tide::LOW;\n}\nbool d(int k) {\n  return k == port::Quay::WOOD;\n}\nint e(int CALM) {\n  return STORM;\n}\n",
        },
        {
            "LOW": {"quay.cpp:4", "quay.cpp:11"},
            "HIGH": {"quay.cpp:11"},
            "CALM": {"quay.cpp:7"},
            "STORM": set(),
            "WOOD": {"quay.cpp:14"},
        },
    ),
    "a macro of C": (
        {
            "mask.c": "#define MASK 3\n#define OTHER 4\nstatic int helper(int x) { return x; }\n"
            "#define USE(x) ((x) & MASK) /* OTHER */\n#define SAY(OTHER) OTHER + helper(1) + \"OTHER\" + 'O'\n#error MASK\n"
        },
        {"MASK": {"mask.c:4"}, "OTHER": set(), "helper": {"mask.c:5"}},
    ),
    "a member in a macro of C": (
        {
            "sail.c": "int hoist(int x) { return x; }\nint next(int x) { return x; }\nenum reef { LOW, SIZE };\n",
            "sail.h": "#define NEXT(p) ((p)->next + p->SIZE)\n#define HOIST(c) c.store.hoist(1)\n"
            "#define MAKE(p) { .SIZE = 1, .next = p }\n#define REEF(p) hoist(LOW)\n",
        },
        {"next": set(), "SIZE": set(), "hoist": {"sail.h:4"}, "LOW": {"sail.h:4"}},
    ),
    "Swift": (
        {
            "State.swift": "enum State {\n  case idle, refreshing\n  case busy(Int)\n  case done\n  case stale\n}\nenum Other {\n  case done\n}\n",
            "Job.swift": "struct Job {\n  var state: State = .idle\n  mutating func go() {\n    state = .busy(2)\n  }\n  func isDone() -> Bool {\n    state == .done && self.state != .stale\n  }\n"
            "  func next() -> State {\n    return .refreshing\n  }\n  static func make() -> Job {\n    Job()\n  }\n}\nfunc use(s: State?, o: Unknown) {\n  take(.make())\n  let t: State? = .stale\n  switch s {\n  case .idle: return\n  case .busy(let n): return\n  }\n  o.kind = .stale\n}\n",
        },
        {
            "idle": {"Job.swift:2", "Job.swift:20"},
            "refreshing": {"Job.swift:10"},
            "busy": {"Job.swift:4", "Job.swift:21"},
            "State.done": {"Job.swift:7"},
            "Other.done": set(),
            "stale": {"Job.swift:7", "Job.swift:18"},
            "Job.make": {"Job.swift:17"},
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_uses_of_a_member_of_an_enum_are_found(tmp_path: Path, case: str) -> None:
    files, uses = CASES[case]
    with opened(tmp_path / "app", files) as dp:
        assert {name: {row.at for row in dp.code.callers(name)} for name in uses} == uses


def test_several_names_in_one_declaration_are_members_of_the_same_scope(tmp_path: Path) -> None:
    files = {"a.swift": "enum State {\n  case idle, busy(Int), done\n}\n", "b.c": "int low = 1, high = 2;\n"}
    with opened(tmp_path / "app", files) as dp:
        assert [row.name for row in dp.code.symbols()] == [
            "State",
            "State.idle",
            "State.busy",
            "State.done",
            "low",
            "high",
        ]
