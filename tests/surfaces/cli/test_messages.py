"""Messages of the command line: each says what happened and what to do next, with the right exit status."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import BadDate, InputError
from daypack.surfaces.toolsets import verbs
from support import WORDS, daypack, environment, project

NOTES = "# Kettle\nThe kettle stands beside the boiler.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path / "shop", {"notes.md": NOTES})


@pytest.fixture
def stocked(shop: Path) -> Path:
    daypack("add", ".", cwd=shop)
    return shop


# ---------------------------------------------------------------- what is not there


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recall", "nope"), "no memory named 'nope'; `daypack memory list`"),
        (("recall", "when is tea served"), "no memory named 'when is tea served'; `daypack memory search`"),
        (("memory", "history", "nope"), "no memory named 'nope'; `daypack memory list`"),
        (("forget", "nope"), "no memory named 'nope'; nothing was removed"),
        (("forget", "--tag", "nope"), "no memory tagged 'nope'"),
        (("session", "timeline", "--session", "nope"), "no session named 'nope'; no session is stored"),
        (("source", "get", "nope"), "no source has the id 'nope'; `daypack source list`"),
        (
            ("source", "delete", "nope"),
            "no source under the key 'nope' has the scope session; `daypack source list`",
        ),
        (("label", "remove", "nope"), "no label named 'nope'; `daypack label list`"),
        (("code", "callers", "nope"), "no symbol named 'nope'; `daypack code symbols`"),
        (("audit", "show", "7"), "no audit entry 7; `daypack audit list`"),
        (("docs", "apply", "nope"), "no plan 'nope'; `daypack docs plans`"),
        (("get", "nope.md"), "no record named 'nope.md'; `daypack search`"),
        (("get", "99"), "no chunk has the id 99"),
        (("memory", "search", "nope"), "no memory matches"),
        (("code", "symbols", "nope"), "no symbol found"),
    ],
)
def test_a_name_that_is_unknown_is_named_with_the_next_step(
    stocked: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in daypack(*arguments, cwd=stocked, status=1).stderr


def test_an_unknown_document_is_named_with_its_collection(stocked: Path) -> None:
    daypack("docs", "create", "teas", cwd=stocked)
    done = daypack("docs", "get", "teas", "1", cwd=stocked, status=1)
    assert "no document of teas has the _id 1; `daypack docs find teas`" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "session purge",
            "say what to purge: --session ID, --everything or --before DATE; exactly one of them",
        ),
        ("pack x --in labels", "; did you mean knowledge?"),
        ("pack x --in document", "; did you mean docs?"),
        ("pack x --in memory", "; did you mean memories?"),
        ("pack x --kind documents", "; did you mean document?"),
        ("memory pack x --ordering foo", "Invalid value for '--ordering'"),
        ("memory pack x --sort foo", "Invalid value for '--sort'"),
    ],
)
def test_a_wrong_value_is_named_as_written_with_the_probable_one(
    stocked: Path, words: str, said: str
) -> None:
    assert said in daypack(*words.split(), cwd=stocked, status=2).stderr


def test_a_door_that_is_misnamed_in_python_is_answered_with_the_right_one(stocked: Path) -> None:
    meant = r"did you mean knowledge\?"
    with Daypack.open(stocked / ".daypack", settings=WORDS) as dp, pytest.raises(InputError, match=meant):
        dp.pack("tea", door="labels")


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("code symbols zzz", "try a shorter name, or `daypack search` with other words"),
        ("code callers Kettle", "`daypack search NAME` finds mentions"),
        ("code tests-for Kettle", "`daypack code callers REF` lists its users"),
        ("code related Kettle", "`daypack search NAME` finds mentions"),
    ],
)
def test_an_empty_list_of_code_names_the_next_step(tmp_path: Path, words: str, step: str) -> None:
    shop = project(tmp_path / "shop", {"kettle.py": "class Kettle:\n    pass\n"})
    done = daypack(*words.split(), cwd=shop, status=None)
    assert done.stdout or step in done.stderr


@pytest.mark.parametrize("reference", ["notes.md:50-60", "notes.md:3"])
def test_a_line_beyond_the_end_is_refused_with_the_number_of_lines(stocked: Path, reference: str) -> None:
    done = daypack("get", reference, cwd=stocked, status=1)
    assert done.stderr == (
        f"daypack: notes.md:{reference[9:11].rstrip('-')} is beyond the last line; notes.md has 2 lines\n"
    )


def test_the_reference_of_a_whole_file_ends_at_its_last_line(stocked: Path) -> None:
    found = json.loads(daypack("get", "notes.md", "--json", cwd=stocked).stdout)
    assert (found["reference"].partition("@")[0], found["text"]) == ("notes.md:1-2", NOTES)


@pytest.mark.parametrize(
    ("option", "said"),
    [("--since", "Nothing is from 2999-01-01 or later"), ("--before", "Nothing is from before 1999-01-01")],
)
def test_a_date_that_leaves_nothing_is_repeated_as_a_date(stocked: Path, option: str, said: str) -> None:
    date = "2999-01-01" if option == "--since" else "1999-01-01"
    done = daypack("search", "tea", option, date, cwd=stocked, status=1)
    assert said in done.stdout + done.stderr


# ---------------------------------------------------------------- empty lists


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("session", "list"), "no sessions yet"),
        (("memory", "list"), "no memory to list"),
        (("memory", "list", "--tag", "tea"), "no memory has the tag 'tea'; `daypack memory tags` lists all"),
        (("memory", "tags"), "no memory has a tag"),
        (("memory", "review"), "no memory waits for a review"),
        (("label", "list"), "no labels yet"),
        (("label", "list", "tea"), "no label contains 'tea'"),
        (("docs", "plans"), "no plans"),
        (("docs", "describe"), "None yet"),
        (("session", "timeline"), "No captured event matches"),
        (("eval", "runs"), "no runs yet"),
        (("source", "list"), '"total": 0'),
        (("audit", "list"), '"entries": []'),
    ],
)
def test_an_empty_list_says_so_and_is_no_failure(
    stocked: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = daypack(*arguments, cwd=stocked)
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(
    "words", ["session list", "memory list", "memory tags", "memory review", "label list"]
)
def test_an_empty_list_as_json_is_json_alone(stocked: Path, words: str) -> None:
    done = daypack(*words.split(), "--json", cwd=stocked)
    json.loads(done.stdout)
    assert done.stderr == ""


# ---------------------------------------------------------------- documents, budgets


def test_insert_of_an_id_that_is_taken_names_the_command_that_replaces(stocked: Path) -> None:
    document = '{"_id": 1, "name": "green"}'
    daypack("docs", "insert", "teas", document, cwd=stocked)
    done = daypack("docs", "insert", "teas", document, cwd=stocked, status=2)
    assert "`daypack docs load --replace` replaces documents" in done.stderr
    assert "--replace" in daypack("docs", "load", "--help", cwd=stocked).stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("pack", "Nothing fits in 0 tokens; "),
        ("search", "nothing fits a budget of 0 o200k tokens; ask with a larger --budget"),
    ],
)
def test_a_budget_without_room_for_a_word_is_explained_beside_the_answer(
    stocked: Path, command: str, said: str
) -> None:
    done = daypack(command, "kettle", "--budget", "0", cwd=stocked, status=1)
    assert done.stdout == ""
    assert said in done.stderr


# ---------------------------------------------------------------- dates


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "kettle", "--since", "garbage"),
        ("pack", "kettle", "--before", "garbage"),
        ("session", "timeline", "--since", "garbage"),
        ("session", "purge", "--before", "garbage"),
        ("remember", "k", "v", "--since", "garbage"),
        ("recall", "k", "--as-of", "garbage"),
    ],
)
def test_a_word_that_names_no_date_is_refused_in_one_line(stocked: Path, arguments: tuple[str, ...]) -> None:
    done = daypack(*arguments, cwd=stocked, status=2)
    assert "'garbage' is not a valid date; write 2026-10-01" in done.stderr
    assert done.stderr.count("\n") == 1


def test_dates_in_words_narrow_a_search_from_the_command_line(stocked: Path) -> None:
    for since in ("yesterday", "3 days ago", "last week"):
        assert "notes.md" in daypack("search", "kettle", "--since", since, cwd=stocked).stdout
        assert "notes.md" not in daypack("search", "kettle", "--before", since, cwd=stocked, status=1).stdout


def test_dates_in_words_are_relative_to_the_clock_of_the_store(shop: Path) -> None:
    a_day = 86_400.0
    with Daypack.open(shop / ".daypack", settings=WORDS, clock=lambda: 20_000 * a_day + 5) as daypack:
        daypack.records.add([{"id": "old", "text": "The kettle is old.", "time": 19_998 * a_day}])
        assert daypack.search("kettle", since="2 days ago", refresh=False).candidates
        assert not daypack.search("kettle", since="yesterday", refresh=False).candidates
        for call in (
            lambda: daypack.search("kettle", since="garbage"),
            lambda: daypack.pack("kettle", before="garbage"),
            lambda: daypack.sessions.timeline(since="garbage"),
            lambda: daypack.sessions.purge(before="garbage"),
            lambda: daypack.memories.remember("k", "v", valid_to="garbage"),
            lambda: daypack.memories.recall("k", known_at="garbage"),
        ):
            with pytest.raises(BadDate):
                call()


# ---------------------------------------------------------------- languages


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("pyton", "no language 'pyton'; did you mean python?"),
        ("Python", "did you mean python?"),
        ("rs", "did you mean rust?"),
        ("xyzzy", "no language 'xyzzy'; the store has markdown"),
    ],
)
def test_a_language_that_nobody_knows_names_the_nearest(stocked: Path, asked: str, said: str) -> None:
    for command in ("search", "pack"):
        assert said in daypack(command, "kettle", "--language", asked, cwd=stocked, status=2).stderr


def test_a_known_language_without_files_is_no_mistake(stocked: Path) -> None:
    said = daypack("search", "kettle", "--language", "python", cwd=stocked, status=1).stdout
    assert "Nothing passed the filters. Remove a filter." in said


def test_a_language_of_records_alone_is_known(stocked: Path) -> None:
    with Daypack.open(stocked / ".daypack", settings=WORDS) as daypack:
        daypack.records.add([{"id": "x", "text": "kettle", "language": "klingon"}])
        assert daypack.search("kettle", language="klingon", refresh=False).candidates


# ---------------------------------------------------------------- doors


def test_a_part_of_a_door_names_the_option_that_takes_it(stocked: Path) -> None:
    for command in ("search", "pack"):
        said = daypack(command, "kettle", "--in", "docs:events", cwd=stocked, status=2).stderr
        assert "'docs:events' is not one of 'files'" in said
        assert "; did you mean --path docs:events?" in said
        assert "did you mean" not in daypack(command, "kettle", "--in", "c:x", cwd=stocked, status=2).stderr
    with Daypack.open(stocked / ".daypack", settings=WORDS) as opened:
        with pytest.raises(InputError, match=r"is not a door; .* did you mean source docs:events\?"):
            opened.search("kettle", door="docs:events", refresh=False)
        with pytest.raises(InputError, match=r"is not one of files.* did you mean source docs:events\?"):
            verbs()["search"](opened, {"queries": ["kettle"], "in": ["docs:events"]})


# ---------------------------------------------------------------- adding


@pytest.mark.parametrize(
    "name",
    ["a.docx", "a.pptx", "a.xlsx", "a.odt", "a.ods", "a.odp", "a.xlsm", "a.pdf", "a.epub", "a.rtf", "A.DOCX"],
)
def test_garbage_under_the_name_of_a_document_is_a_problem_and_not_indexed(shop: Path, name: str) -> None:
    (shop / name).write_text("this is no such document")
    report = json.loads(daypack("add", ".", "--json", cwd=shop).stdout)
    assert [(issue["uri"], issue["reason"]) for issue in report["issues"] if issue["uri"] == name] == [
        (name, "locked_or_damaged")
    ]
    done = daypack("add", name, cwd=shop, status=1)
    assert f"{name} was not added: locked or damaged: its bytes are not those of a" in done.stderr


def test_text_that_was_taken_from_a_document_may_keep_its_name(shop: Path) -> None:
    daypack("add", "-", "--name", "report.pdf", cwd=shop, input=b"The samovar is red.")
    assert "report.pdf" in daypack("search", "samovar", cwd=shop).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothere",), "nothere does not exist; check the path"),
        (("notes.md", "nothere"), "nothere does not exist; check the path"),
        (("nothere", "--label", "x"), "nothere does not exist; check the path"),
        (("https://example.com",), "fetching pages is off; allow it with --web"),
        (("notes.md", "notes.md", "--label", "x"), "one labelled source or one page at a time"),
        (("-", "--watch"), "--watch follows files and folders, not standard input"),
        (("https://example.com", "--watch"), "--watch follows files and folders, no labels and no pages"),
    ],
)
def test_a_refused_addition_makes_no_store(shop: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in daypack("add", *arguments, cwd=shop, status=2).stderr
    assert not (shop / ".daypack").exists()


def test_a_named_path_that_is_refused_ends_with_its_reason_and_status_1(shop: Path) -> None:
    (shop / "photo.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    done = daypack("add", "notes.md", "photo.md", cwd=shop, status=1)
    assert "added 1" in done.stdout
    assert "photo.md was not added: binary: a PNG image" in done.stderr
    assert ".git was not added: hidden" in daypack("add", ".git", cwd=shop, status=1).stderr
    daypack("add", ".", cwd=shop)


# ---------------------------------------------------------------- stores


def test_a_mistyped_store_is_made_nowhere(shop: Path) -> None:
    for command in (("add", "."), ("pack", "kettle"), ("remember", "k", "v")):
        done = daypack(*command, "--store", "missing/x", cwd=shop, status=3)
        assert f"the folder {shop / 'missing'} does not exist; check --store" in done.stderr
    assert not (shop / "missing").exists()


def test_a_question_makes_no_store_of_a_mistyped_name(shop: Path) -> None:
    for question in (("pack", "kettle"), ("search", "kettle"), ("code", "symbols", "kettle")):
        for words in ((*question, "--store", "tpyo"), ("--store", "tpyo", *question)):
            done = daypack(*words, cwd=shop, status=3)
            assert f"no store at {shop / 'tpyo'}" in done.stderr
            assert "`daypack add . --store" in done.stderr
    assert not (shop / "tpyo").exists()


def test_a_project_that_is_named_instead_of_its_store_is_pointed_at_its_store(shop: Path) -> None:
    daypack("add", ".", cwd=shop)
    store = shop / ".daypack"
    for words in (("status",), ("pack", "kettle"), ("memory", "tags"), ("serve", "--team", "--no-open")):
        said = daypack(*words, "--store", ".", cwd=shop, status=3).stderr
        assert said == f"daypack: no store at {shop}; did you mean --store {store}?\n"
    for words in (("store", "compare", ".daypack", "."), ("store", "migrate", ".", "copy")):
        said = daypack(*words, cwd=shop, status=3).stderr
        assert said == f"daypack: no store at {shop}; did you mean {store}?\n"
    assert not (shop / "copy").exists()


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("status", "run `daypack add .` in your project first"),
        ("recall tea/likes", "`daypack remember` makes one"),
        ("memory tags", "`daypack remember` makes one"),
        ("docs inspect", "`daypack docs insert` makes one"),
        ("source list", "`daypack source store` makes one"),
        ("session list", "`daypack session import` makes one"),
        ("label list", "`daypack add --label` makes one"),
        ("team user list", "`daypack team user add` makes one"),
        ("team log", "`daypack team user add` makes one"),
        ("serve --team --no-open", "`daypack team user add` makes one"),
        ("store compare a b", "name a store, such as PROJECT/.daypack"),
        ("store migrate a b", "name a store, such as PROJECT/.daypack"),
    ],
)
def test_without_a_store_each_group_names_its_own_first_step(words: str, step: str, shop: Path) -> None:
    assert daypack(*words.split(), cwd=shop, status=3).stderr.endswith(f"; {step}\n")
    assert not (shop / ".daypack").exists()


def test_a_question_makes_the_store_that_the_environment_names(shop: Path) -> None:
    done = daypack("search", "kettle", cwd=shop, env={"DAYPACK_STORE": "set"})
    assert "made the store" in done.stderr
    assert (shop / "set" / "daypack.db").exists()


def test_a_store_that_is_made_beside_others_is_announced_once(shop: Path) -> None:
    made = f"daypack: made the store {shop / 'other'}\n"
    assert daypack("add", ".", "--store", "other", cwd=shop).stderr == made
    assert daypack("add", ".", "--store", "other", cwd=shop).stderr == ""


def test_the_doctor_says_what_is_damaged_and_what_mends_it(stocked: Path) -> None:
    file = stocked / ".daypack" / "daypack.db"
    data = bytearray(file.read_bytes())
    data[100:] = bytes(len(data) - 100)
    file.write_bytes(data)
    for leftover in stocked.glob(".daypack/daypack.db-*"):
        leftover.unlink()
    assert "run `daypack repair`" in daypack("status", cwd=stocked, status=3).stderr
    said = daypack("doctor", cwd=stocked, status=1).stdout
    assert "run `daypack repair`" in said
    assert "daypack doctor" not in said


# ---------------------------------------------------------------- folders without transcripts, interrupts


def test_a_folder_without_transcripts_is_named(stocked: Path) -> None:
    (stocked / "empty").mkdir()
    done = daypack("session", "import", "empty", cwd=stocked, status=1)
    assert "no transcripts in empty; name a transcript" in done.stderr


def test_an_interrupt_while_the_program_starts_is_a_line_and_no_traceback(shop: Path) -> None:
    program = (
        "import builtins\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name == 'daypack.surfaces.cli.main':\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "from daypack.__main__ import main\n"
        "builtins.__import__ = interrupted\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shop,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "daypack: interrupted; run the same command again\n")


def test_status_of_a_folder_counts_its_files_and_lists_the_skipped_ones(shop: Path) -> None:
    (shop / "docs").mkdir(exist_ok=True)
    (shop / "docs" / "empty.md").touch()
    (shop / "docs" / "logo.png").write_bytes(b"\x89PNG")
    (shop / "new").mkdir()
    said = daypack("status", "docs", cwd=shop, status=3).stderr
    assert "no store" in said
    (shop / "docs" / "pot.md").write_text("# Pot\n\nA pot holds tea.\n")
    daypack("add", ".", cwd=shop)
    said = daypack("status", "docs", cwd=shop).stdout
    assert said == (
        "docs: 1 file indexed, 2 skipped\n  docs/empty.md  empty: no text\n"
        "  docs/logo.png  binary: by its ending .png\n"
    )
    assert "  docs/empty.md  empty: no text\n" in daypack("status", ".", cwd=shop).stdout
    assert daypack("status", "./", cwd=shop / "docs").stdout.startswith("./: 1 file indexed, 2 skipped\n")
    facts = json.loads(daypack("status", "docs", "--json", cwd=shop).stdout)
    assert (facts["files"], [one["reason"] for one in facts["skipped"]]) == (1, ["empty", "binary"])
    assert "to index it, run `daypack add new`" in daypack("status", "new", cwd=shop, status=1).stdout
    assert "hidden" in daypack("status", ".git", cwd=shop, status=1).stdout


def test_get_takes_a_path_from_the_folder_that_one_stands_in(shop: Path) -> None:
    (shop / "docs").mkdir()
    (shop / "docs" / "pot.md").write_text("# Pot\n\nA pot holds tea.\n")
    (shop / "docs" / "mug @123").write_text("# Mug\n")  # a name that ends as a citation does
    (shop / "docs" / "logo.png").write_bytes(b"\x89PNG")
    daypack("add", ".", cwd=shop)
    assert daypack("get", "pot.md:3", cwd=shop / "docs").stdout == "A pot holds tea.\n"
    assert "# Kettle" in daypack("get", "../notes.md", cwd=shop / "docs").stdout
    assert "# Mug" in daypack("get", "mug @123", cwd=shop / "docs").stdout
    said = daypack("get", "docs/logo.png:1", cwd=shop, status=1).stderr
    assert "no record named 'docs/logo.png'; `daypack status docs/logo.png` gives the reason" in said


def test_a_server_refuses_a_store_of_a_later_version_at_its_start(stocked: Path) -> None:
    with sqlite3.connect(stocked / ".daypack" / "daypack.db") as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    said = daypack("search", "kettle", cwd=stocked, status=3).stderr
    assert "is version 999" in said
    for server in (
        ("serve", "--port", "0"),
        ("serve", "--team", "--port", "0"),
        ("mcp", "--http", "--port", "0"),
    ):
        refused = daypack(*server, cwd=stocked, status=3)
        assert (refused.stdout, refused.stderr) == ("", said), server


def test_status_keeps_its_columns_apart_for_every_door(shop: Path) -> None:
    daypack("run", "echo", "tea", cwd=shop)
    assert "\n  knowledge partial, " in daypack("status", cwd=shop).stdout


def test_a_project_without_a_session_is_told_on_a_whole_line(stocked: Path) -> None:
    assert daypack("session", "resume", cwd=stocked).stdout.endswith("transcripts can be imported.\n")
