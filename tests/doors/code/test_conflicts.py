"""Files with conflicts, as git leaves them in the middle of a merge."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.chunk.code import cut_code
from daypack.text.syntax import without_directives

CALC = """def add(a, b):
<<<<<<< HEAD
    return checked(a + b)
||||||| 1f3c2aa
    return a + b
=======
    return rounded(a + b)
>>>>>>> feature


def twice(a):
    return add(a, a)
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_callers_are_found_while_a_merge_has_conflicts(tmp_path: Path, ends: str) -> None:
    lib = "def checked(a):\n    return a\n\n\ndef rounded(a):\n    return a\n"
    with opened(tmp_path, {"calc.py": CALC.replace("\n", ends).encode(), "lib.py": lib}) as dp:
        rows = dp.code.callers("add")
        assert [(row.symbol.name, row.at) for row in rows] == [("twice", "calc.py:12")]
        (tmp_path / "calc.py").write_bytes(
            ("from lib import checked, rounded\n" + CALC).replace("\n", ends).encode()
        )
        for name, line in (("checked", 4), ("rounded", 8)):
            rows = dp.code.callers(name)
            assert [(row.symbol.name, row.at) for row in rows] == [("add", f"calc.py:{line}")]


def test_a_file_with_conflicts_is_cut_at_its_functions() -> None:
    rust = (
        "fn add(a: i32) -> i32 {\n<<<<<<< HEAD\n    low(a)\n=======\n    high(a)\n>>>>>>> topic\n}\n\n"
        "fn twice(a: i32) -> i32 {\n    add(a)\n}\n"
    )
    assert [draft.name for draft in cut_code(rust, "rust").drafts if draft.symbol] == ["add", "twice"]


def test_a_row_of_signs_without_a_conflict_stays() -> None:
    for text in (
        "/*\nHeading\n=======\n*/\nint x;\n",
        "s = '''\n>>>>>>> quoted\n'''\n",
        "a <<<<<<< b\n=======\n",
    ):
        assert without_directives(text.encode(), "cpp") == text.encode()
