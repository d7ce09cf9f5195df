"""`daypack session`, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path

import labelled
import pytest

from support import daypack, project


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    folder = project(tmp_path / "ferry", {"README.md": "# Ferry\n\nThe ferry sails at six.\n"})
    daypack("session", "import", str(labelled.write(tmp_path / "t.jsonl")), cwd=folder)
    return folder


def session(folder: Path, *arguments: str, status: int = 0) -> str:
    return daypack("session", *arguments, cwd=folder, status=status).stdout


def test_from_import_to_resume(ferry: Path, tmp_path: Path) -> None:
    again = json.loads(session(ferry, "import", str(tmp_path / "t.jsonl"), "--json"))
    assert (again["files"], again["added"], again["repeated"]) == (1, 0, 0)
    assert len(labelled.found(session(ferry, "resume"))) >= 18
    assert "## Decisions" in session(ferry, "snapshot", "--budget", "400")
    assert json.loads(session(ferry, "resume", "--json", "--budget", "300"))["tokens_used"] <= 300
    assert session(ferry, "list").startswith("5b1f7c02  2026-10-05")
    lines = session(ferry, "timeline", "--kind", "decision", "--limit", "2").splitlines()
    assert lines[0].startswith("(3 older events, back to 2026-10-05")
    assert [line.split("  ")[1].split(" ", 1)[1].split(":")[0] for line in lines[1:3]] == [
        "answer+decision+rejected",
        "answer+decision",
    ]
    reference = lines[2].split("[")[1].split("]")[0]
    assert "retry budget of three" in daypack("get", f"session:5b1f7c02/{reference}", cwd=ferry).stdout


def test_the_three_questions_in_timeline_order(ferry: Path) -> None:
    text = daypack(
        "search",
        "-q",
        "What did we decide about the retry budget?",
        "-q",
        "Which constraint did the user set on the CSV export?",
        "-q",
        "What was the first request this session?",
        "--sort",
        "timeline",
        "--limit",
        "5",
        "--in",
        "sessions",
        cwd=ferry,
    ).stdout
    answers = text.split("# ")[1:]
    assert "retry budget of three attempts" in answers[0]
    assert "never change the column order" in answers[1]
    assert "sailings that are cancelled" in answers[2]
    for answer in answers:
        times = [line.strip()[:16] for line in answer.splitlines() if line.strip().startswith("2026-")]
        assert len(times) == 5
        assert times == sorted(times)


def test_nothing_to_go_on_with_is_an_answer(tmp_path: Path) -> None:
    new = project(tmp_path / "new", {"a.txt": "x"})
    assert "No session was captured here yet" in session(new, "resume")
    assert not (new / ".daypack").exists()
    assert json.loads(session(new, "resume", "--json"))["session"] is None
    daypack("session", "timeline", cwd=new, status=3)


def test_a_purge_from_the_command_line(ferry: Path) -> None:
    session(ferry, "purge", status=2)
    session(ferry, "purge", "--session", "nobody", status=1)
    assert "removed 1 session " in session(ferry, "purge", "--session", "5b1f")
    assert session(ferry, "list") == ""


def test_what_is_no_transcript_is_said(ferry: Path, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("hello")
    assert "not a transcript of a known form" in session(ferry, "import", str(tmp_path / "x.txt"), status=1)
    assert (
        "does not exist"
        in daypack("session", "import", str(tmp_path / "nothing"), cwd=ferry, status=2).stderr
    )


def test_transcripts_of_the_project_are_found_and_asked_for_once(tmp_path: Path) -> None:
    ferry, home = project(tmp_path / "ferry", {"README.md": "# Ferry\n"}), tmp_path / "home"
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(ferry))
    folder.mkdir(parents=True)
    labelled.write(folder / "one.jsonl")
    env = {"HOME": str(home)}
    refused = daypack("session", "import", cwd=ferry, input=b"n\n", env=env)
    assert "1 transcript of this project" in refused.stderr
    assert refused.stdout == ""
    assert " new, " in daypack("session", "import", cwd=ferry, input=b"y\n", env=env).stdout
    assert " 0 new," in daypack("session", "import", "--yes", cwd=ferry, env=env).stdout
