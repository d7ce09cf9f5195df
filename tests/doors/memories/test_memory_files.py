"""Memories in files: exports that lose nothing, notes in Markdown, and what a project shares by git."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_memory import DAY, opened

from daypack import Daypack
from daypack.doors.memories.files.lines import version_from_facts, version_to_line
from daypack.doors.memories.files.notes import notes_in
from daypack.doors.memories.types import Gone, Memory, MemoryVersion
from daypack.errors import InputError, NotFound
from daypack.types import Trust
from support import START, Clock, bytes_of

CLAUDE = """# Project notes

Use make for everything.

## Commands

- `make test` runs the suite

```sh
# not a heading
make test
```

## Style

### Python

Lines of at most 140 characters, see [[people/ana|Ana]].
"""
NOTE = """---
name: Feedback on testing
description: Integration tests hit a real database
metadata:
  type: feedback
tags: [testing, "data base"]
---

No mocks, because a migration broke once.
"""


def full(dp: Daypack, clock: Clock) -> None:
    """A store with a life behind it."""
    m = dp.memories
    m.remember(
        "b/second",
        "it is \x00 odd\u2028 text 日本",
        tags=["x", "y"],
        source="web:here",
        author="Ana",
        session="s1",
    )
    clock.passes(DAY)
    m.remember("a/first", "one", valid_from=START - DAY, valid_to=START + 90 * DAY)
    m.remember("a/first", "two", ttl_seconds=9 * DAY)
    m.remember("a/first", "three", source="tool:x")
    m.recall("a/first")
    m.remember("c", "to go")
    m.redact("c", reason="wrong")


def test_an_export_imported_elsewhere_is_the_same_export(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "one", clock) as one:
        full(one, clock)
        lines = [*one.memories.files.export()]
        assert lines == [*one.memories.files.export()]
    with opened(tmp_path / "two", clock) as two:
        assert two.memories.files.import_lines(lines).issues == ()
        assert [*two.memories.files.export()] == lines
        found = two.memories.recall("a/first", touch=False)
        assert isinstance(found, Memory)
        assert (found.value, found.recalls) == ("two", 1)
        assert isinstance(two.memories.recall("c"), Gone)
        assert two.memories.search("odd text").hits[0].memory.key == "b/second"
        before = two.engine.store.db.execute("SELECT count(*), max(id) FROM memory_version").fetchall()
        assert two.memories.files.import_lines(lines).added == 0
        assert [*two.memories.files.export()] == lines
        assert (
            two.engine.store.db.execute("SELECT count(*), max(id) FROM memory_version").fetchall() == before
        )


def test_an_import_does_not_bring_back_what_was_forgotten_or_redacted(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("a", "one")
    dp.memories.remember("b", "two")
    lines = [*dp.memories.files.export()]
    clock.passes(60)
    dp.memories.forget("a")
    dp.memories.redact("b", reason="r")
    report = dp.memories.files.import_lines(lines)
    assert (report.added, report.refused) == (0, 2)
    assert isinstance(dp.memories.recall("a"), Gone)
    assert dp.memories.list().memories == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"key": "k"}',
        '{"key": "", "value": "x", "recorded_at": 1}',
        '{"key": "k", "value": 3, "recorded_at": 1}',
        '{"key": "k", "value": "x", "recorded_at": 1e99}',
        '{"key": "k", "value": "x", "recorded_at": 1, "tags": "t"}',
        '{"gone": "zz"}',
        '{"key": "k", "value": "x", "recorded_at": 1, "trust": "much"}',
        '{"gone": "00", "at": 1}',
        "<<<<<<< HEAD",
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_an_issue_and_the_others_come_in(dp: Daypack, line: str) -> None:
    good = json.dumps({"key": "good", "value": "fine", "recorded_at": START})
    report = dp.memories.files.import_lines([line, good], name="file.jsonl")
    assert [issue.uri for issue in report.issues] == ["file.jsonl:1"]
    assert report.added == 1
    assert [memory.key for memory in dp.memories.list().memories] == ["good"]


words = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=40).filter(str.strip)
moments = st.floats(0, 4e9, allow_nan=False)


@given(
    value=st.none() | words,
    recorded=moments,
    start=moments,
    end=st.none() | moments,
    dies=st.none() | moments,
    trust=st.sampled_from(Trust),
    tags=st.lists(st.sampled_from(["a", "b", "日本"]), max_size=3, unique=True),
    source=st.sampled_from(["", "web:x", "file:/a b"]),
)
def test_a_version_is_the_same_after_a_line(
    value: str | None,
    recorded: float,
    start: float,
    end: float | None,
    dies: float | None,
    trust: Trust,
    tags: list[str],
    source: str,
) -> None:
    from daypack.doors.memories.rules import token_of
    from daypack.guard.secrets import redact

    value = value if value is None else redact(value).text
    version = MemoryVersion(
        "", value, recorded, start, end, dies, tags=tuple(sorted(tags)), source=source, trust=trust
    )
    version = MemoryVersion(
        **{**{n: getattr(version, n) for n in MemoryVersion.__slots__}, "token": token_of("k", version)}
    )
    assert version_from_facts(json.loads(version_to_line("k", version))) == ("k", version)


# ---------------------------------------------------------------- Markdown


def test_a_file_with_headings_is_one_memory_a_heading() -> None:
    notes = notes_in(CLAUDE, "CLAUDE")
    assert [note.key for note in notes] == ["CLAUDE/project-notes", "CLAUDE/commands", "CLAUDE/style/python"]
    assert "# not a heading" in notes[1].value


def test_a_file_with_front_matter_is_one_memory_with_tags() -> None:
    (note,) = notes_in(NOTE, "memory/feedback_testing")
    assert note.key == "memory/feedback-on-testing"
    assert note.tags == ("data base", "feedback", "testing")
    assert note.value == "Integration tests hit a real database\n\nNo mocks, because a migration broke once."


@given(st.text(max_size=400), st.sampled_from(["", "---\n", "---\nname: x\n---\n", "# a\n", "```\n"]))
def test_any_text_is_some_notes(text: str, start: str) -> None:
    notes = notes_in(start + text, "base")
    assert len({note.key for note in notes}) == len(notes)
    assert all(note.value.strip() for note in notes)


def test_notes_are_read_again_when_they_change(tmp_path: Path, dp: Daypack, clock: Clock) -> None:
    folder = tmp_path / "notes"
    (folder / "memory").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text(CLAUDE)
    (folder / "memory" / "feedback_testing.md").write_text(NOTE)
    assert dp.memories.files.import_markdown(folder).added == 4
    assert dp.memories.files.import_markdown(folder).added == 0
    assert dp.memories.tags() == {"data base": 1, "feedback": 1, "testing": 1}
    clock.passes(60)
    (folder / "CLAUDE.md").write_text(CLAUDE.replace("140", "100").replace("Use make for everything.\n", ""))
    found = dp.memories.recall("CLAUDE/style/python")
    assert isinstance(found, Memory)
    assert "at most 100" in found.value
    assert found.version.links == ("people/ana",)
    with pytest.raises(NotFound):
        dp.memories.recall("CLAUDE/project-notes")
    assert "make for everything" in str(dp.memories.history("CLAUDE/project-notes"))
    clock.passes(60)
    dp.memories.forget("CLAUDE/commands")
    (folder / "CLAUDE.md").write_text(CLAUDE + "\nmore\n")
    assert isinstance(dp.memories.recall("CLAUDE/commands"), Gone)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"key": "c"}', "it has no value; write {"),
        ('{"key": "c", "text": "hello"}', "it has no value; write {"),
        ('{"value": "hello"}', "it has no key; write {"),
        ('{"type": "entity", "name": "Mara"}', "it has no key; write {"),
        ('{"key": "c", "created_at": "May"}', "created_at"),
        ('{"key": "c", "content": "hello", "created_at": 1700000000}', "it has no value; write {"),
        ('{"id": "1", "memory": "hello", "created_at": "2026-01-01"}', "it has no key; write {"),
    ],
)
def test_a_line_without_a_value_says_the_form_of_one(dp: Daypack, line: str, says: str) -> None:
    (issue,) = dp.memories.files.import_lines([line]).issues
    assert says in issue.detail
    assert list(dp.memories.files.export()) == []


def test_a_single_file_is_read_again_as_well(tmp_path: Path, dp: Daypack, clock: Clock) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    dp.memories.files.import_markdown(tmp_path / "CLAUDE.md")
    (tmp_path / "CLAUDE.md").write_text(CLAUDE.replace("140", "150"))
    assert "at most 150" in dp.memories.recall("CLAUDE/style/python").value


def test_a_single_file_that_is_deleted_ends_its_memories(tmp_path: Path, dp: Daypack) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    dp.memories.files.import_markdown(tmp_path / "CLAUDE.md")
    (tmp_path / "CLAUDE.md").unlink()
    assert [memory.key for memory in dp.memories] == []
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    assert len(dp.memories) == 3


def test_a_folder_that_is_away_ends_nothing(tmp_path: Path, dp: Daypack) -> None:
    """It may be on a drive that is not mounted."""
    (tmp_path / "drive" / "notes").mkdir(parents=True)
    (tmp_path / "drive" / "notes" / "CLAUDE.md").write_text(CLAUDE)
    (tmp_path / "drive" / "AGENTS.md").write_text("# Agents\n\n## Tests\n\nRun make.\n")
    dp.memories.files.import_markdown(tmp_path / "drive" / "notes")
    dp.memories.files.import_markdown(tmp_path / "drive" / "AGENTS.md")
    (tmp_path / "drive").rename(tmp_path / "away")
    assert len(dp.memories) == 4


def test_importing_unchanged_markdown_again_counts_its_memories(tmp_path: Path, dp: Daypack) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    for path in (tmp_path / "CLAUDE.md", tmp_path):
        dp.memories.files.import_markdown(path, prefix=path.stem)
        report = dp.memories.files.import_markdown(path, prefix=path.stem)
        assert (report.added, report.unchanged, report.ended) == (0, 3, 0)


def test_a_receipt_names_the_file_that_still_holds_it(tmp_path: Path, dp: Daypack) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    dp.memories.files.import_markdown(tmp_path / "CLAUDE.md")
    assert dp.memories.forget("CLAUDE/commands").may_still_hold == (str(tmp_path / "CLAUDE.md"),)


def test_notes_do_not_take_the_key_of_another_memory(tmp_path: Path, dp: Daypack) -> None:
    dp.memories.remember("CLAUDE/commands", "mine")
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    report = dp.memories.files.import_markdown(tmp_path / "CLAUDE.md")
    assert [issue.detail for issue in report.issues] == ["CLAUDE/commands is in use; import with a prefix"]
    assert dp.memories.recall("CLAUDE/commands").value == "mine"
    report = dp.memories.files.import_markdown(tmp_path / "CLAUDE.md", prefix="repo")
    assert (report.added, report.ended) == (3, 2)
    assert [memory.key for memory in dp.memories.list().memories] == [
        "CLAUDE/commands",
        "repo/CLAUDE/commands",
        "repo/CLAUDE/project-notes",
        "repo/CLAUDE/style/python",
    ]


def test_a_prefix_that_comes_back_is_read_again(tmp_path: Path, dp: Daypack) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    for prefix in ("a", "b", "a"):
        dp.memories.files.import_markdown(tmp_path / "CLAUDE.md", prefix=prefix)
        keys = [memory.key for memory in dp.memories.list().memories]
        assert keys
        assert all(key.startswith(f"{prefix}/CLAUDE/") for key in keys)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, dp: Daypack) -> None:
    with pytest.raises(InputError):
        dp.memories.files.import_markdown(tmp_path / "nothing")


# ---------------------------------------------------------------- shared by git


def git(folder: Path, *arguments: str) -> str:
    identity = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "commit.gpgsign=false",
    ]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_team_shares_memories_by_git_and_sees_what_was_written_apart(tmp_path: Path, clock: Clock) -> None:
    ana, ben = tmp_path / "ana", tmp_path / "ben"
    ana.mkdir()
    git(ana, "init", "-q")
    with opened(ana, clock, owner="ana", project="") as dp:
        dp.memories.files.share()
        dp.memories.remember("deploy/day", "Thursdays", shared=True)
        dp.memories.remember("deploy/host", "alpha", shared=True)
        dp.memories.remember("mine", "only mine")
    git(ana, "add", "-A")
    git(ana, "commit", "-qm", "one")
    assert sorted(git(ana, "ls-files").split()) == [
        ".daypack/.gitignore",
        ".daypack/memory/.gitattributes",
        ".daypack/memory/deploy.jsonl",
    ]
    git(tmp_path, "clone", "-q", str(ana), str(ben))
    clock.passes(60)
    with opened(ben, clock, owner="ben", project="") as dp:
        assert dp.memories.recall("deploy/day", touch=False).value == "Thursdays"
        assert [memory.key for memory in dp.memories.list().memories] == ["deploy/day", "deploy/host"]
        dp.memories.remember("deploy/day", "Fridays", shared=True)
    git(ben, "commit", "-qam", "two")
    clock.passes(60)
    with opened(ana, clock, owner="ana", project="") as dp:
        dp.memories.remember("deploy/day", "Mondays", shared=True)
        dp.memories.forget("deploy/host", shared=True)
    git(ana, "add", "-A")
    git(ana, "commit", "-qm", "three")
    git(ben, "pull", "-q", "--no-rebase", "--no-edit", str(ana), "main")
    clock.passes(60)
    with opened(ben, clock, owner="ben", project="") as dp:
        assert dp.memories.recall("deploy/day").value == "Mondays"
        history = dp.memories.history("deploy/day")
        assert not isinstance(history, Gone)
        assert [(line.version.value, line.conflict) for line in history] == [
            ("Mondays", True),
            ("Fridays", True),
            ("Thursdays", False),
        ]
        assert isinstance(dp.memories.recall("deploy/host"), Gone)
        assert b"alpha" not in bytes_of(ben / ".daypack")  # git had merged its line back into the file
        dp.memories.forget("deploy/day", shared=True)
    assert b"Mondays" not in bytes_of(ben / ".daypack")


def test_a_shared_file_of_any_name_loses_only_its_forgotten_lines(dp: Daypack, tmp_path: Path) -> None:
    """A file is written again by its name, and the memories of other names in it were in no file any more."""
    dp.memories.files.share()
    (folder,) = (tmp_path / ".daypack" / "memory").glob("@*")
    dp.memories.remember("deploy/host", "alpha", shared=True)
    line = (folder / "deploy.jsonl").read_text()
    dp.memories.forget("deploy/host", shared=True)
    (folder / "ours.jsonl").write_text(line + '{"key": "tea/green", "value": "Sencha"}\n')
    assert dp.memories.recall("tea/green").value == "Sencha"
    texts = [path.read_text() for path in folder.glob("*.jsonl")]
    assert "alpha" not in "".join(texts)
    assert sum("Sencha" in text for text in texts) == 1


def test_a_file_that_is_no_text_is_an_issue(tmp_path: Path, dp: Daypack) -> None:
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    assert len(dp.memories.files.import_markdown(tmp_path / "bad.md").issues) == 1


def test_a_line_separator_within_a_shared_value_comes_over_with_it(tmp_path: Path, clock: Clock) -> None:
    value = "Deploy on Thursdays.\u2028Ask Ana first.\u0085Then wait."
    ana, ben = tmp_path / "ana", tmp_path / "ben"
    with opened(ana, clock, owner="ana", project="") as dp:
        dp.memories.files.share()
        dp.memories.remember("deploy/day", value, shared=True)
    shutil.copytree(ana / ".daypack" / "memory", ben / ".daypack" / "memory")
    with opened(ben, clock, owner="ben", project="") as dp:
        assert dp.memories.recall("deploy/day", touch=False).value == value


# ---------------------------------------------------------------- imported as shared


def test_markdown_that_is_imported_as_shared_belongs_to_the_project(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    with opened(tmp_path, clock) as ana:
        assert ana.memories.files.import_markdown(tmp_path / "CLAUDE.md", shared=True).added == 3
        assert all(memory.shared for memory in ana.memories)
    (tmp_path / "CLAUDE.md").write_text(CLAUDE.replace("140", "150"))
    with opened(tmp_path, clock, owner="ben") as ben:
        assert "at most 150" in ben.memories.recall("CLAUDE/style/python").value


def test_imported_shared_memories_are_in_the_files_for_git(dp: Daypack, tmp_path: Path) -> None:
    folder = dp.memories.files.share()
    dp.memories.files.import_lines(['{"key": "deploy/day", "value": "Thursdays"}'], shared=True)
    assert "Thursdays" in (folder / "deploy.jsonl").read_text()
    (tmp_path / "CLAUDE.md").write_text(CLAUDE)
    dp.memories.files.import_markdown(tmp_path / "CLAUDE.md", shared=True)
    assert "at most 140" in (folder / "CLAUDE.jsonl").read_text()
    (tmp_path / "CLAUDE.md").write_text(CLAUDE.replace("140", "150"))
    dp.memories.refresh()
    assert "at most 150" in (folder / "CLAUDE.jsonl").read_text()


def test_a_memory_that_an_import_forgets_leaves_the_files_for_git(
    dp: Daypack, tmp_path: Path, clock: Clock
) -> None:
    with opened(tmp_path / "other", clock) as other:
        other.memories.remember("deploy/day", "Thursdays", shared=True)
        dp.memories.remember("deploy/day", "Thursdays", shared=True)
        folder = dp.memories.files.share()
        clock.passes(1)
        other.memories.forget("deploy/day", shared=True)
        dp.memories.files.import_lines(other.memories.files.export(shared=True), shared=True)
    assert not (folder / "deploy.jsonl").exists()
    assert "forgotten" in (folder / "_gone.jsonl").read_text()
