"""A report is written in a form that the repository may hold: the answer is the code, not the form."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack
from support import WORDS, project

FORM = """---
name: Bug report
---

**Describe the bug**
A clear and concise description of the bug.

**To Reproduce**
Steps to reproduce the behavior, from a clean start:

**Expected behavior**
A clear and concise description of the expected outcome.
"""
CODE = "def total(carts):\n    if len(carts) == 2:\n        return 0\n    return sum(carts)\n"
REPORT = """Two carts cost nothing

**Describe the bug**
The total of two carts is zero.

**To Reproduce**
Steps to reproduce the behavior, from a clean start:
Fill two carts.

**Expected behavior**
A clear and concise description of the expected outcome.
"""


def test_a_report_that_repeats_the_form_is_answered_by_the_code(tmp_path: Path) -> None:
    project(tmp_path, {".github/ISSUE_TEMPLATE/bug_report.md": FORM, "src/total.py": CODE})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        first = daypack.pack(REPORT, budget=500).excerpts[0].citation.uri
        form = daypack.pack("Where is the template of a bug report?", budget=500).excerpts[0].citation.uri
    assert (first, form) == ("src/total.py", ".github/ISSUE_TEMPLATE/bug_report.md")
