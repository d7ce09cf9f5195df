"""`daypack session`, as somebody types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import labelled
import pytest

from daypack import Daypack
from support import WORDS, daypack, project


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


def test_every_page_names_the_zone_of_its_times(ferry: Path) -> None:
    assert re.match(r"5b1f7c02  2026-10-05 \d\d:\d\d to \d\d:\d\d UTC  ", session(ferry, "list"))
    for page in ("resume", "snapshot"):
        assert re.search(r"\d\d:\d\d to \d\d:\d\d UTC, 115 events", session(ferry, page).splitlines()[0])
    lines = session(ferry, "timeline", "--limit", "3").splitlines()
    assert re.search(r"back to 2026-10-05 \d\d:\d\d UTC:", lines[0])
    assert lines[-1] == "(times are UTC; `get session:5b1f7c02/N` shows the whole of [N])"
    found = daypack("search", "retry", "--sort", "timeline", "--in", "sessions", cwd=ferry).stdout
    assert re.search(r"^ {4}2026-10-05 \d\d:\d\d UTC  ", found, re.MULTILINE)


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
    assert "`daypack session import` reads transcripts" in daypack("session", "resume", cwd=new).stderr
    assert json.loads(session(new, "resume", "--json"))["session"] is None
    daypack("session", "timeline", cwd=new, status=3)


def test_a_purge_from_the_command_line(ferry: Path) -> None:
    session(ferry, "purge", status=2)
    session(ferry, "purge", "--session", "nobody", status=1)
    assert "removed 1 session " in session(ferry, "purge", "--session", "5b1f")
    assert session(ferry, "list") == ""


def test_a_purge_names_the_backups_that_may_still_hold_the_session(ferry: Path) -> None:
    with Daypack.open(ferry / ".daypack", settings=WORDS) as dp:
        name = dp.engine.store.snapshot(1_790_000_000.0).backup.name
    assert "may still" not in session(ferry, "purge", "--session", "nobody", status=1)
    said = session(ferry, "purge", "--session", "5b1f")
    assert said.splitlines()[1:] == [
        "may still hold it: the transcripts of the agent that ran the sessions",
        f"may still hold it: backup/backups/{name}.json",
    ]


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


def kept_transcript(file: Path, client: str, folder: Path) -> None:
    """One request, as the client keeps it for a session in `folder`: in UTF-8, without escapes."""
    if client == "codex":
        said = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": f"Mend the ferry of {file.name}."}],
        }
        lines = [
            {"type": "session_meta", "payload": {"id": file.stem, "cwd": str(folder)}},
            {"type": "response_item", "payload": said},
        ]
    else:
        lines = [
            {"type": "file-history-snapshot", "messageId": "m1"},
            {
                "cwd": str(folder),
                "sessionId": file.stem,
                "type": "user",
                "uuid": "u1",
                "message": {"role": "user", "content": f"Mend the ferry of {file.name}."},
            },
        ]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def claude_folder(folder: Path) -> str:
    return re.sub("[^A-Za-z0-9]", "-", str(folder))


def test_transcripts_are_found_below_a_folder_with_a_letter_beyond_ascii_and_of_sessions_inside_the_project(
    tmp_path: Path,
) -> None:
    ferry, home = project(tmp_path / "pröj", {"sub/README.md": "# Ferry\n"}), tmp_path / "home"
    inside, other = project(ferry / "sub" / "other", {"x.txt": "x"}), tmp_path / "pröj-sub"
    daypack("remember", "captain", "Ida", cwd=inside)  # a store of its own
    for place, name in ((ferry, "a"), (ferry / "sub", "b"), (inside, "c"), (other, "d")):
        kept_transcript(home / ".codex/sessions/2026/11/28" / f"rollout-{name}.jsonl", "codex", place)
        kept_transcript(home / ".claude/projects" / claude_folder(place) / f"{name}.jsonl", "claude", place)
    done = daypack("session", "import", "--yes", cwd=ferry, env={"HOME": str(home)})
    assert "4 transcripts of this project" in done.stderr
    assert "4 sessions: 4 new" in done.stdout


@pytest.mark.parametrize(
    ("odd", "imported"),
    [
        ("a\0b", "1 session: 1 new"),
        ("x" * 300, "2 sessions: 2 new"),
    ],  # a long name could be that of a deleted folder
    ids=["a NUL", "a long name"],
)
def test_a_transcript_of_a_folder_that_cannot_be_leaves_the_others_to_import(
    tmp_path: Path, odd: str, imported: str
) -> None:
    ferry, home = project(tmp_path / "ferry", {"README.md": "# Ferry\n"}), tmp_path / "home"
    for place, name in ((ferry / odd, "a"), (ferry, "b")):
        kept_transcript(home / ".codex/sessions/2026/11/28" / f"rollout-{name}.jsonl", "codex", place)
    done = daypack("session", "import", "--yes", cwd=ferry, env={"HOME": str(home)})
    assert imported in done.stdout


def test_transcripts_are_found_where_the_user_moved_the_folders_of_agents(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    kept_transcript(tmp_path / "cx/sessions/2026/11/28/rollout-a.jsonl", "codex", ferry)
    kept_transcript(tmp_path / "cl/projects" / claude_folder(ferry) / "b.jsonl", "claude", ferry)
    moved = {"CODEX_HOME": str(tmp_path / "cx"), "CLAUDE_CONFIG_DIR": str(tmp_path / "cl")}
    env = {"HOME": str(tmp_path / "home"), **moved}
    assert "2 sessions: 2 new" in daypack("session", "import", "--yes", cwd=ferry, env=env).stdout


def cursor_place(home: Path, folder: Path) -> Path:
    return home / ".cursor/projects" / re.sub("[^A-Za-z0-9]+", "-", str(folder)).strip("-")


def kept_by_cursor(home: Path, folder: Path, name: str, *below: str) -> None:
    path = Path(cursor_place(home, folder) / "agent-transcripts", *below, f"{name}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {"role": "user", "message": {"content": [{"type": "text", "text": f"Mend the ferry of {name}."}]}}
    path.write_text(json.dumps(said) + "\n")


def mended(ferry: Path, home: Path, **env: str) -> set[str]:
    """The names in the requests that an import without a path finds."""
    daypack("session", "import", "--yes", cwd=ferry, env={"HOME": str(home), **env}, status=None)
    return {*re.findall(r"Mend the ferry of (\w+)", session(ferry, "timeline", "--session", "all"))}


@pytest.mark.parametrize("moved", [False, True])
def test_transcripts_are_found_where_cursor_keeps_them(tmp_path: Path, moved: bool) -> None:
    ferry, home = project(tmp_path / "my_ferry", {"sub dir/README.md": "# Ferry\n"}), tmp_path / "home"
    inside = project(ferry / "sub dir" / "other", {"x.txt": "x"})
    daypack("remember", "captain", "Ida", cwd=inside)  # a store of its own
    kept_by_cursor(home, ferry, "flat")
    kept_by_cursor(home, ferry, "own", "own")
    kept_by_cursor(home, ferry, "child", "own", "subagents")
    kept_by_cursor(home, ferry, "child", "subagents")
    kept_by_cursor(home, ferry / "sub dir", "sub", "sub")
    kept_by_cursor(home, inside, "inside")
    kept_by_cursor(home, ferry / "gone", "gone")
    (home / ".cursor/projects/1790000000000").mkdir()
    env = {"CURSOR_DATA_DIR": str((home / ".cursor").rename(tmp_path / "moved"))} if moved else {}
    assert mended(ferry, home, **env) == {"flat", "own", "sub"}


def test_transcripts_of_cursor_that_may_belong_to_another_folder_stay_out(tmp_path: Path) -> None:
    """Cursor gives /srv/my-ferry, /srv/my_ferry and /srv/my/ferry places of one name."""
    ferry, home = project(tmp_path / "my-ferry", {"sub/README.md": "# Ferry\n"}), tmp_path / "home"
    project(tmp_path / "my-ferry-sub", {"x.txt": "x"})
    kept_by_cursor(home, ferry, "own")
    kept_by_cursor(home, ferry / "sub", "sub")
    assert mended(ferry, home) == {"own"}
    project(tmp_path / "my" / "_" / "ferry", {"x.txt": "x"})
    kept_by_cursor(home, ferry, "late")
    assert mended(ferry, home) == {"own"}
    trusted = {"trustedAt": "2026-11-02T09:00:00Z", "workspacePath": str(ferry)}
    (cursor_place(home, ferry) / ".workspace-trusted").write_text(json.dumps(trusted))
    assert mended(ferry, home) == {"own", "late"}


def test_an_import_that_nobody_can_confirm_names_the_option_that_confirms_it(tmp_path: Path) -> None:
    """It said "interrupted; finished work is stored", though nothing ran."""
    ferry, home = project(tmp_path / "ferry", {"README.md": "# Ferry\n"}), tmp_path / "home"
    kept_transcript(home / ".claude/projects" / claude_folder(ferry) / "b.jsonl", "claude", ferry)
    done = daypack("session", "import", cwd=ferry, input=b"", env={"HOME": str(home)}, status=2)
    assert "add --yes" in done.stderr
    assert "interrupted" not in done.stderr
