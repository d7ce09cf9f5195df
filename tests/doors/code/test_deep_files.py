"""Files that nest or chain without an end, beside others of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract

TIDE = "def rise():\n    return 1\n\n\ndef go():\n    return rise()\n"


def test_a_long_chain_in_a_macro_of_rust_has_its_call() -> None:
    facts = extract("fn f() { m!(b" + "::<b>" * 1200 + "(1)); }\n", "rust")
    assert {(mention.role, mention.name) for mention in facts.mentions} == {("call", "m"), ("call", "b")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chain.rs", "fn f() { m!(b" + "::<b>" * 1200 + "(1)); }\n"),
        ("nest.py", "x = " + "(" * 1200 + "a.b" + ")" * 1200 + "\nx.c()\n"),
    ],
)
def test_one_deep_file_does_not_hide_the_callers_in_others(tmp_path: Path, name: str, text: str) -> None:
    with opened(tmp_path / "app", {"tide.py": TIDE, name: text}) as dp:
        assert [row.symbol.name for row in dp.code.callers("rise")] == ["go"]
