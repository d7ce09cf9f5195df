"""`daypack memory`, as somebody types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support import daypack, on_a_terminal, project


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    folder = project(
        tmp_path / "tea", {"README.md": "# Tea\n\nWe sell tea, and the till is open until six.\n"}
    )
    daypack("remember", "release/cadence", "Weekly on Thursdays at 2pm UTC", "--tag", "release", cwd=folder)
    daypack("remember", "tea/kettle", "The kettle is copper", cwd=folder)
    return folder


def _words(*arguments: str | bytes) -> tuple[str | bytes, ...]:
    """Those of a command of memory: three stand at the top."""
    return arguments if arguments[0] in ("remember", "recall", "forget") else ("memory", *arguments)


def memory(folder: Path, *arguments: str | bytes, status: int = 0, input: bytes = b"", **env: str) -> str:
    return daypack(*_words(*arguments), cwd=folder, status=status, input=input, env=env).stdout


def data(folder: Path, *arguments: str, status: int = 0) -> dict:
    return json.loads(memory(folder, *arguments, "--json", status=status))


def test_from_remember_to_pack(tea: Path) -> None:
    assert memory(tea, "recall", "release/cadence") == "Weekly on Thursdays at 2pm UTC\n"
    assert memory(tea, "pack", "release on Thursdays") == (
        "## Context for 'release on Thursdays' (1 memory, ~29 tokens)\n- **release/cadence**: Weekly on Thursdays at 2pm UTC\n"
    )
    assert (
        memory(tea, "list")
        == "release/cadence: Weekly on Thursdays at 2pm UTC  (release)\ntea/kettle: The kettle is copper\n"
    )
    assert memory(tea, "list", "--tag", "release").count("\n") == 1
    assert memory(tea, "tags") == "     1  release\n"
    assert "copper" in memory(tea, "search", "copper kettle", "--explain")
    assert data(tea, "search", "copper kettle")["hits"][0]["signals"]["keyword"] == 1.0


def test_a_sentence_without_a_key_gets_one_from_its_first_words(tea: Path) -> None:
    fact = "The landlord reads the meter in the cellar each March."
    key = "notes/the-landlord-reads-the-meter-in-the"
    assert memory(tea, "remember", fact).startswith(f"remembered {key} (")
    assert memory(tea, "recall", key) == f"{fact}\n"
    assert "nothing was written" in memory(tea, "remember", fact)
    other = "The landlord reads the meter in the kitchen."
    assert memory(tea, "remember", other).startswith(f"remembered {key}-2 (")
    assert memory(tea, "recall", key) == f"{fact}\n"


def test_a_sentence_without_spaces_gets_a_key_too(tea: Path) -> None:
    assert memory(tea, "remember", "部署只在周二").startswith("remembered notes/部署只在周二 (")


def test_a_key_of_an_indic_sentence_has_whole_words(tea: Path) -> None:
    assert memory(tea, "remember", "मीटर हर मार्च में").startswith("remembered notes/मीटर-हर-मार्च-में (")


def test_a_key_that_is_made_from_a_sentence_holds_no_secret(tea: Path) -> None:
    said = memory(tea, "remember", "DB_PASSWORD=hunter2secret99 opens the till")
    assert "hunter2secret99" not in said + memory(tea, "list")
    assert "replaced 1 secret" in said


@pytest.mark.parametrize("words", [("tea/cup",), ("cup",), ("-",), ("The cup is blue", "--version", "-")])
def test_a_key_or_a_version_alone_is_no_memory(tea: Path, words: tuple[str, ...]) -> None:
    assert "VALUE is missing" in daypack("remember", *words, cwd=tea, status=2).stderr


def test_saying_it_again_and_saying_something_else(tea: Path) -> None:
    assert "nothing was written" in memory(tea, "remember", "tea/kettle", "The kettle is copper")
    token = data(tea, "recall", "tea/kettle")["version"]
    assert f"in place of {token}" in memory(
        tea, "remember", "tea/kettle", "The kettle is steel", "--version", token
    )
    done = daypack("remember", "tea/kettle", "The kettle is glass", "--version", token, cwd=tea, status=2)
    assert "its last version is 'The kettle is steel'" in done.stderr
    assert "nothing was written" in memory(
        tea, "remember", "tea/kettle", "The kettle is glass", "--if-absent"
    )
    assert memory(tea, "history", "tea/kettle").count("superseded") == 1
    memory(tea, "restore", "tea/kettle", token)
    assert memory(tea, "recall", "tea/kettle") == "The kettle is copper\n"


def test_another_day(tea: Path) -> None:
    memory(tea, "remember", "boss", "Ana", "--since", "2020-01-01", "--before", "2021-01-01")
    memory(tea, "recall", "boss", status=1)
    assert memory(tea, "recall", "boss", "--as-of", "2020-06-01") == "Ana\n"
    memory(tea, "recall", "boss", "--as-of", "2020-06-01", "--known-at", "2020-07-01", status=1)


def test_redacted_is_said_and_refused(tea: Path) -> None:
    assert "removed 1 version," in memory(tea, "redact", "tea/kettle", "--reason", "it is a secret")
    assert "redacted" in memory(tea, "recall", "tea/kettle", status=1)
    assert data(tea, "history", "tea/kettle", status=1)["state"] == "redacted"
    done = daypack("remember", "tea/kettle", "again", cwd=tea, status=2)
    assert "--reopen" in done.stderr
    for path in (tea / ".daypack").rglob("*"):
        assert path.is_dir() or b"copper" not in path.read_bytes()


def test_a_review(tea: Path) -> None:
    said = memory(tea, "remember", "tea/kettle", "The kettle is gold", "--source", "web:example")
    assert "waits for a review" in said
    assert "the current value stays until `daypack memory review` accepts this one" in said
    (waiting,) = data(tea, "review")["waiting"]
    version = f"tea/kettle@{waiting['version']}"
    done = daypack("memory", "review", "--accept", version, cwd=tea, status=2)
    assert "a review needs a person" in done.stderr
    assert "accepted" in on_a_terminal("memory", "review", "--accept", version, cwd=tea)
    assert memory(tea, "recall", "tea/kettle") == "The kettle is gold\n"
    assert memory(tea, "review") == ""


def test_two_owners(tea: Path) -> None:
    assert memory(tea, "list", "--owner", "ben") == ""
    done = daypack("recall", "tea/kettle", "--owner", "ben", cwd=tea, status=1)
    assert "no memory named 'tea/kettle'" in done.stderr
    assert "did you mean" not in done.stderr
    memory(tea, "recall", "tea/kettle", status=1, DAYPACK_OWNER="ben")
    for arguments in (
        ("pack", "the copper kettle"),
        ("search", "copper kettle"),
        ("get", "memory:tea/kettle"),
        ("status",),
    ):
        done = daypack(*arguments, cwd=tea, status=None, env={"DAYPACK_OWNER": "ben"})
        assert "is copper" not in done.stdout + done.stderr
        assert "memory:" not in done.stdout


def test_memories_in_the_common_pack(tea: Path) -> None:
    assert "[1 memory:tea/kettle" in daypack("pack", "copper kettle", "--in", "memories", cwd=tea).stdout
    assert "README.md" in daypack("pack", "until when is the till open?", cwd=tea).stdout
    assert "copper" not in daypack("pack", "copper kettle", "--in", "files", cwd=tea, status=None).stdout
    assert data(tea, "recall", "tea/kettle", "--no-touch")["accessed_at"] is not None


@pytest.mark.parametrize(
    "words", ["recall tea/till", "memory list", "memory search till", "memory pack till"]
)
def test_a_clone_without_a_store_shows_the_memories_that_came_with_it(tmp_path: Path, words: str) -> None:
    first, clone = (project(tmp_path / name, {"README.md": "# Tea\n"}) for name in ("first", "clone"))
    for command in ("memory share", "remember tea/till open-until-six --shared"):
        daypack(*command.split(), cwd=first)
    shutil.copytree(first / ".daypack" / "memory", clone / ".daypack" / "memory")
    assert "open-until-six" in daypack(*words.split(), cwd=clone).stdout
    assert "no store at" in daypack(*words.split(), cwd=tmp_path, status=3).stderr


def test_export_import_and_share(tea: Path, tmp_path: Path) -> None:
    lines = memory(tea, "export")
    other = project(tmp_path / "other", {"a.md": "a"})
    memory(other, "import", "-", input=lines.encode())
    assert memory(other, "export") == lines
    (tea / "CLAUDE.md").write_text("# Notes\n\n## Style\n\nShort lines.\n")
    assert "added 1" in memory(tea, "import", "CLAUDE.md")
    assert memory(tea, "recall", "CLAUDE/style") == "Short lines.\n"
    assert "memory" in memory(tea, "share")
    memory(tea, "remember", "team/day", "Thursday", "--shared")
    assert "Thursday" in (tea / ".daypack" / "memory" / "team.jsonl").read_text()
    assert memory(tea, "recall", "team/day", "--owner", "ben") == "Thursday\n"
    (tea / "AGENTS.md").write_text("# Notes\n\n## Tests\n\nRun make.\n")
    memory(tea, "import", "AGENTS.md", "--shared")
    assert memory(tea, "recall", "AGENTS/tests", "--owner", "ben") == "Run make.\n"


def test_an_export_is_known_whatever_the_name_of_its_file(tea: Path, tmp_path: Path) -> None:
    lines = memory(tea, "export")
    (tmp_path / "memories.json").write_text(lines)
    other = project(tmp_path / "other", {"a.md": "a"})
    memory(other, "import", str(tmp_path / "memories.json"))
    assert memory(other, "export") == lines


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["memories.json", "memories"])
def test_an_array_of_objects_is_imported_as_lines(tea: Path, name: str, indent: int | None) -> None:
    said = [{"key": "tea/pot", "value": "The pot is blue."}, {"key": "tea/cup", "value": "The cup is red."}]
    (tea / name).write_text(json.dumps(said, indent=indent))
    assert "added 2" in memory(tea, "import", name)
    assert memory(tea, "recall", "tea/cup") == "The cup is red.\n"
    (tea / name).write_text(json.dumps(said[0], indent=indent))
    assert "added 0, unchanged 1" in memory(tea, "import", name)


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_read_from_standard_input(tea: Path, indent: int | None) -> None:
    said = [{"key": "tea/pot", "value": "The pot is blue."}, {"key": "tea/cup", "value": "The cup is red."}]
    assert "added 2" in memory(tea, "import", "-", input=b"\n" + json.dumps(said, indent=indent).encode())
    assert memory(tea, "recall", "tea/cup") == "The cup is red.\n"


def test_a_broken_array_from_standard_input_is_one_error_with_its_place(tea: Path) -> None:
    done = daypack("memory", "import", "-", cwd=tea, status=2, input=b'[{"key": "tea/pot",\n "value": }]')
    assert "stdin" in done.stderr
    assert "line 2" in done.stderr


def test_a_wrong_entry_of_an_array_is_named_by_its_place_in_the_array(tea: Path) -> None:
    text = json.dumps([{"key": "tea/pot", "value": "The pot is blue."}, {"key": "tea/cup"}])
    (tea / "arr.json").write_text(text)
    for source, name in (("arr.json", "arr.json"), ("-", "stdin")):
        done = daypack("memory", "import", source, cwd=tea, status=1, input=text.encode())
        assert f"{name}[1]: it has no value" in done.stderr


def test_markdown_that_begins_with_a_link_is_imported_as_markdown(tea: Path) -> None:
    (tea / "NOTES.md").write_text("[Tea](tea.md) is hot.\n")
    memory(tea, "import", "NOTES.md")
    assert memory(tea, "recall", "NOTES") == "[Tea](tea.md) is hot.\n"


@pytest.mark.parametrize("text", ["[1]\n", "[" * 200_000])
def test_brackets_that_hold_no_objects_are_imported_as_markdown(tea: Path, text: str) -> None:
    (tea / "NOTES.md").write_text(text)
    assert "added 1" in memory(tea, "import", "NOTES.md")


@pytest.mark.parametrize("name", ["list.csv", "page.html", "tea.py"])
def test_a_file_of_another_format_is_not_one_memory(tea: Path, name: str) -> None:
    (tea / name).write_text("pot,blue\ncup,red\n")
    done = daypack("memory", "import", name, cwd=tea, status=2)
    assert "is not Markdown" in done.stderr
    assert "`daypack add`" in done.stderr
    assert "pot" not in memory(tea, "list")


def test_an_import_with_failed_lines_names_them_and_fails(tea: Path) -> None:
    good, bad = json.dumps({"key": "tea/pot", "value": "The pot is blue."}), '{"key": "b"'
    lines = "\n".join([good, *[bad] * 22])
    for arguments in (("import", "-"), ("import", "-", "--json")):
        done = daypack("memory", *arguments, cwd=tea, input=lines.encode(), status=1)
        assert "stdin:2: this is not JSON" in done.stderr
        assert "2 more could not be imported either" in done.stderr
        assert "stdin:22" not in done.stderr
    assert memory(tea, "recall", "tea/pot") == "The pot is blue.\n"
    assert "added 0, unchanged 1" in memory(tea, "import", "-", input=good.encode())


def test_a_write_of_nothing_shows_the_value_that_stays(tea: Path) -> None:
    said = memory(tea, "remember", "tea/kettle", "It is steel.", "--if-absent")
    assert said.startswith("nothing was written; tea/kettle has a value already (")
    assert "is copper" in said


def test_tags_stay_until_others_are_given(tea: Path) -> None:
    memory(tea, "remember", "team/day", "Thursday", "--tag", "team")
    memory(tea, "remember", "team/day", "Friday")
    assert data(tea, "recall", "team/day")["tags"] == ["team"]
    memory(tea, "remember", "team/day", "Friday", "--tag", "-")
    assert data(tea, "recall", "team/day")["tags"] == []


def test_values_from_standard_input_and_for_an_hour(tea: Path) -> None:
    memory(tea, "remember", "long", "-", "--expires", "1h", input=b"several\nlines\n")
    assert memory(tea, "recall", "long") == "several\nlines\n"


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("remember", "", "x"), "the key must be"),
        (("remember", " k", "x"), "the key must be"),
        (("remember", "a\nb", "x"), "invisible characters or line"),
        (("remember", "k", ""), "the value is empty"),
        (("remember", "k" * 600, "x"), "at most 512"),
        (("remember", "k", "x", "--expires", "soon"), "is not a valid duration"),
        (("remember", "k", "x", "--expires", "30"), "30 has no unit; write 30s, 30m, 30h, 30d or 30w"),
        (("remember", "k", "x", "--expires", "0s"), "must be above 0 seconds"),
        (("remember", "k", "x", "--since", "someday"), "'someday' is not a valid date"),
        (("remember", "k", "x", "--since", "2026-01-02", "--before", "2026-01-01"), "ends before it begins"),
        (("remember", "k", "x", "--before", "2026-01-01"), "give an earlier start or a later end"),
        (("remember", "k", "x", "--owner", "*"), "the owner '*' means all users"),
        (("remember", "k", "x", "--tag", ""), "the tag must be"),
        (("remember", "ghp_" + "a1B2c3D4e5F6" * 3, "x"), "looks like a secret"),
        (("search", "x", "--min-score", "nan"), "nan is not a number to count with"),
        (("search", "x", "--limit", "0"), "1 to 500 memories, not 0"),
        (("list", "--limit", "501"), "1 to 500 memories, not 501"),
        (("list", "--page", "nonsense"), "not a cursor"),
        (("pack", "x", "--budget", "12abc"), "not a valid int"),
        (("pack", "x", "--weights", "1,2"), None),
        (("search", "x", "--weights", "0.6,0.3,0.1"), None),
        (("search", "x", "--weights", "a,b,c"), "is not three weights"),
        (("pack", "x", "--weights", "a,b,c"), "is not three weights"),
        (("pack", "x" * 70_000), "the query has"),
        (("forget",), "say what to forget"),
        (("forget", "a", "--everything"), "one of them"),
        (("review", "--accept", "k"), "KEY@VERSION"),
        (("import", "nowhere.jsonl"), "cannot be read"),
        (("import", "nowhere"), "does not exist"),
    ],
)
def test_bad_input_is_one_line_that_says_how_to_go_on(
    tea: Path, arguments: tuple[str, ...], says: str | None
) -> None:
    done = daypack(*_words(*arguments), cwd=tea, status=2 if says else None)
    if says:
        assert says in done.stderr
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1


def test_remember_says_when_a_memory_expires(tea: Path) -> None:
    said = memory(tea, "remember", "todo/vat", "Pay VAT", "--expires", "30d")
    stored = json.loads(memory(tea, "list", "--json"))
    (found,) = [one for one in stored["memories"] if one["key"] == "todo/vat"]
    assert f", until {found['expires_at'][:10]} " in said
    assert ", until" not in memory(tea, "remember", "todo/rent", "Pay the rent")


@pytest.mark.parametrize("topic", ["?!,", "\u200b"])
def test_a_topic_without_words_is_an_empty_block(tea: Path, topic: str) -> None:
    assert "(0 memories" in memory(tea, "pack", topic, status=1)


@pytest.mark.parametrize("budget", ["0", "1", "-3", str(10**12)])
def test_budgets_are_clamped(tea: Path, budget: str) -> None:
    done = daypack("memory", "pack", "copper kettle", "--budget", budget, "--json", cwd=tea, status=None)
    block = json.loads(done.stdout)
    assert 1 <= block["budget"] <= 100_000
    assert block["tokens_used"] <= block["budget"]


def test_bytes_that_are_no_text_are_replaced_and_that_is_said(tea: Path) -> None:
    done = daypack("remember", "odd", b"caf\xe9", cwd=tea)
    assert "were replaced" in done.stderr
    assert memory(tea, "recall", "odd") == "caf�\n"


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("café au lait", "café"),
        ("cafe\u0301 au lait", "café"),
        ("お茶は緑です", "緑"),
        ("👩‍👩‍👧 family", "family"),
        ("שלום עולם", "שלום"),
    ],
)
def test_every_writing_is_found_and_comes_back_as_it_was(tea: Path, stored: str, asked: str) -> None:
    memory(tea, "remember", "odd/text", stored)
    assert memory(tea, "recall", "odd/text") == stored + "\n"
    assert stored.split()[0][:2] in memory(tea, "search", asked, "--vectors", "none")


def test_secrets_are_replaced_before_anything_is_stored(tea: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    assert "replaced 1 secret " in memory(
        tea, "remember", "ci", f"the token is {token}", "--source", f"note {token}", "--tag", f"t-{token}"
    )
    assert "[REDACTED:github_token" in memory(tea, "recall", "ci")
    for path in (tea / ".daypack").rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes()


def test_reading_without_a_store_makes_none(tmp_path: Path) -> None:
    folder = project(tmp_path / "empty", {})
    daypack("memory", "list", cwd=folder, status=3)
    assert not (folder / ".daypack").exists()


def test_the_project_is_still_indexed_by_its_first_query(tea: Path) -> None:
    """A memory was there first; that is no reason to answer from it alone."""
    assert "README.md" in daypack("pack", "when does the till close?", cwd=tea).stdout


def test_a_write_after_a_text_from_outside_says_that_it_is_untrusted(tea: Path) -> None:
    fetched = {"session_id": "s", "cwd": str(tea), "hook_event_name": "PostToolUse", "tool_name": "WebFetch"}
    page = {**fetched, "tool_input": {"url": "https://example.org"}, "tool_response": "Kettles are blue."}
    daypack("session", "capture", cwd=tea, input=json.dumps(page).encode())
    assert "it counts as untrusted; `daypack memory review`" in memory(
        tea, "remember", "tea/pot", "It is blue"
    )


def test_one_of_a_thing_is_no_plural(tea: Path) -> None:
    assert "removed 1 version, 1 chunk, " in memory(tea, "forget", "tea/kettle")


def test_a_question_about_the_past_shows_when_each_memory_held(tea: Path) -> None:
    memory(tea, "remember", "tea/supplier", "Tea comes from Uji", "--since", "2024-02-01")
    memory(tea, "remember", "tea/supplier", "Tea comes from Wazuka", "--since", "2025-03-01")
    first, second = memory(tea, "search", "where did tea come from in 2024?").splitlines()[:2]
    assert first.endswith("tea/supplier: Tea comes from Uji  (2024-02-01 to 2025-03-01)")
    assert second.endswith("tea/supplier: Tea comes from Wazuka  (since 2025-03-01)")
    assert "(2024-02-01 to 2025-03-01): Tea comes from Uji" in memory(
        tea, "pack", "where did tea come from in 2024?"
    )
    packed = daypack("pack", "where did tea come from in 2024?", cwd=tea).stdout
    assert "/supplier@2024-02-01..2025-03-01] Tea comes from Uji" in packed
    cited = daypack("get", "memory:tea/supplier@2024-02-01..2025-03-01", cwd=tea).stdout
    assert cited == "Tea comes from Uji\n"
    assert "Uji" not in memory(tea, "search", "where does tea come from?")


def test_a_part_of_a_key_leads_to_the_key(tea: Path) -> None:
    for part, key in (
        ("release", "release/cadence"),
        ("kettle", "tea/kettle"),
        ("Cadence", "release/cadence"),
    ):
        done = daypack("recall", part, cwd=tea, status=1)
        assert f"did you mean {key}?" in done.stderr


def test_a_block_of_memories_ends_its_line(tea: Path) -> None:
    for topic in ("copper kettle", "xylophone"):
        assert daypack("memory", "pack", topic, cwd=tea, status=None).stdout.endswith("\n")


def test_an_import_of_nothing_names_every_form_that_it_takes(tea: Path) -> None:
    said = daypack("memory", "import", "nope", cwd=tea, status=2).stderr
    assert "nope does not exist; name JSON lines of an export, a Markdown file, or a folder" in said


def test_a_key_without_a_value_at_a_time_is_named_in_the_command_that_lists_its_versions(tea: Path) -> None:
    daypack("remember", "tea times", "At four.", cwd=tea)
    for key, typed in (("tea/kettle", "tea/kettle"), ("tea times", "'tea times'")):
        done = daypack("recall", key, "--as-of", "2001-01-01", cwd=tea, status=1)
        assert f"; `daypack memory history {typed}` lists its versions" in done.stderr
        done = daypack("memory", "restore", key, "none", cwd=tea, status=1)
        assert f"; `daypack memory history {typed}` lists them" in done.stderr
