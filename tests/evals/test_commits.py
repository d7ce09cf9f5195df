"""A set of questions mined from the history of a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from evals.quality.code.commits import Hunk, Repository, carried_back, mined, spans_of


def test_lines_are_carried_back_through_changes() -> None:
    """Two lines were put behind line 3, line 10 was replaced, lines 20 and 21 were removed."""
    hunks = [Hunk(3, 0, 2, ""), Hunk(10, 1, 1, ""), Hunk(20, 2, 0, "")]
    assert [carried_back(line, hunks) for line in (3, 4, 5, 6, 11, 12, 13, 21, 22)] == [
        3, None, None, 4, 9, None, 11, 19, 22,
    ]  # fmt: skip


def test_lines_become_spans() -> None:
    assert spans_of([7, 3, 2, 4]) == [[2, 4], [7, 7]]
    assert spans_of([]) == []


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ida", "-c", "user.email=ida@harbour.example"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_commit_becomes_a_question_about_the_tree_before(tmp_path: Path) -> None:
    folder = tmp_path / "harbour+quay"
    folder.mkdir()
    git(folder, "init", "-q")
    quay = folder / "quay.py"
    for text, message in [
        ("a = 1\nb = 2\n", "Begin the quay with two numbers"),
        ("a = 1\nb = 3\n", "Count three boats on the second pier\n\nSigned-off-by: Ida"),
        ("c = 0\na = 1\nb = 3\n", "Bump the version of everything here"),
        ("c = 0\na = 4\nb = 3\n", "Count four boats on the first pier"),
    ]:
        quay.write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", message)
    repository = Repository(folder)
    base, questions = mined(repository, 5, 10)
    assert base == repository.git("rev-parse", "HEAD~3").strip()
    assert [(one["text"], one["gold_line_spans"]) for one in questions] == [
        ("Count three boats on the second pier", {"quay.py": [[2, 2]]}),
        ("Count four boats on the first pier", {"quay.py": [[1, 1]]}),
    ]
    repository.write_tree(base, tmp_path / "tree")
    assert (tmp_path / "tree" / "quay.py").read_text() == "a = 1\nb = 2\n"


def test_a_subject_that_begins_with_fix_stays_and_the_numbers_of_issues_go(tmp_path: Path) -> None:
    folder = tmp_path / "quay"
    folder.mkdir()
    git(folder, "init", "-q")
    repository = Repository(folder)
    for message, text in [
        ("Fix the count of boats on the pier (#12)", "Fix the count of boats on the pier"),
        ("fix(pier): count boats twice\n\nFixes: #12", "fix(pier): count boats twice"),
        ("Bug in the count of boats\n\nCloses quay/pier#12, #13.", "Bug in the count of boats"),
        ("See boats in fog\n\nBug: 123\nSee: https://quay.example/12", "See boats in fog"),
        ("See boats in fog\n\nReviewed-by: Ida\nCc: Ben <ben@quay.example>", "See boats in fog"),
    ]:
        git(folder, "commit", "-q", "--allow-empty", "-m", message)
        assert repository.message("HEAD") == text
