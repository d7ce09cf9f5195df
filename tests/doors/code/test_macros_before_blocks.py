"""A macro before a block, as for `try` and `catch`, ends no function."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.text.syntax import without_block_macros

HEADER = "#define JOB_TRY try\n#define JOB_CATCH catch (...)\nclass Job {\n    void run();\n    void finish();\n    void start();\n};\n"
BODY = """#include "job.hpp"

void Job::run() {
    Timer timer;
    JOB_TRY {
        start();
    } // falls through
    JOB_CATCH
    {
        report();
    }
    finish();
}

void Job::finish() {
    log();
}
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_function_continues_below_a_block_behind_a_macro(tmp_path: Path, ends: str) -> None:
    files = {"job.hpp": HEADER, "job.cpp": BODY.replace("\n", ends)}
    with opened(tmp_path / "app", files) as dp:
        rows = {row.name: (row.line, row.end_line) for row in dp.code.symbols(path="job.cpp")}
        assert rows == {"Job.run": (3, 13), "Job.finish": (15, 17)}
        assert [(row.symbol.name, row.at) for row in dp.code.callers("Job.finish")] == [
            ("Job.run", "job.cpp:12")
        ]
        assert [row.at for row in dp.code.callers("JOB_CATCH")] == ["job.cpp:8"]
        pieces = dp.search("report", vectors="none").candidates
        assert "finish();" in next(one.chunk.text for one in pieces if "report();" in one.chunk.text)


@pytest.mark.parametrize(
    "text",
    [
        "class PORT {\n  int a;\n};\n",
        "namespace PORT {\nenum LOW { A };\nstruct Quay : BASE {\n};\n}\n",
        "int f() {\n  return POINT {1, 2};\n}\n",
        "std::vector<POINT> f = { POINT(1), POINT {1, 2} };\n",
        "TEST_CASE(\"a\") {\n  SECTION(\"b\") {\n  }\n}\n",
        "void f() NOEXCEPT {\n}\n",
    ],
)  # fmt: skip
def test_a_name_before_a_brace_stays(text: str) -> None:
    assert without_block_macros(text.encode(), "cpp") == text.encode()


def test_every_other_byte_keeps_its_place() -> None:
    text = "void f() {\n  // TRY {\n  a(); /* ; */\n  TRY {\n  } CATCH_ALL\n  {\n  }\n}\n"
    plain = without_block_macros(text.encode(), "c").decode()
    assert plain == text.replace("  TRY {", "      {").replace("CATCH_ALL", " " * 9)
    assert without_block_macros(text.encode(), "python") == text.encode()
