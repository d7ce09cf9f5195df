"""The program as somebody meets it for the first time: every test is one thing that they see."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from daypack import Daypack
from support import INTERRUPTS, command, daypack, environment, files_of, project
from web_server import Handler, listening

RETRY = "# Retries\n\nA failed payment is retried three times with a doubled delay.\n"
CODE = 'def refund(order):\n    """Give the money back."""\n    return order.total\n'


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(
        tmp_path / "shop",
        {"docs/retry.md": RETRY, "src/refund.py": CODE, "README.md": "# Shop\n\nIt sells tea.\n"},
    )


# ---------------------------------------------------------------- the first minute


def test_the_first_pack_in_a_repository_indexes_it_and_answers(shop: Path) -> None:
    done = daypack("pack", "how is a failed payment retried?", cwd=shop)
    assert "[1 docs/retry.md @" in done.stdout
    assert "doubled delay" in done.stdout
    assert done.stderr == ""


def test_the_first_search_in_a_subfolder_indexes_the_whole_repository(shop: Path) -> None:
    done = daypack("search", "failed payment", cwd=shop / "src")
    assert "docs/retry.md:" in done.stdout
    assert (shop / ".daypack" / "daypack.db").exists()
    assert not (shop / "src" / ".daypack").exists()


def test_the_store_is_private_and_ignored_by_git(shop: Path) -> None:
    daypack("pack", "tea", cwd=shop)
    folder = shop / ".daypack"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"
    for path in folder.glob("daypack.db*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    untracked = subprocess.run(["git", "init", "-q", "."], cwd=shop, check=True) and subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ".daypack" not in untracked.stdout


@pytest.mark.parametrize("arguments", [("pack", "tea"), ("search", "tea")])
def test_a_folder_that_is_no_project_is_left_as_it_was(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "note.txt").write_text("tea")
    done = daypack(*arguments, cwd=tmp_path / "plain", status=2)
    assert "say what to index: `daypack add PATH`" in done.stderr
    assert done.stdout == ""
    assert list(files_of(tmp_path / "plain")) == ["note.txt"]


def test_memories_answer_in_the_home_folder_whose_files_stay_unread(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The ferry is late.")
    at_home = {"HOME": str(tmp_path)}
    daypack("remember", "ferry", "The ferry leaves at noon.", cwd=tmp_path, env=at_home)
    answer = daypack("pack", "when does the ferry leave?", cwd=tmp_path, env=at_home).stdout
    assert "at noon" in answer
    assert "late" not in answer


def test_a_first_indexing_that_was_interrupted_is_finished_by_the_next_query(shop: Path) -> None:
    from daypack import Daypack

    with Daypack.open(shop / ".daypack") as half:
        half.engine.ingestion.add(iter([]))  # the store was made, and nothing more
    assert "doubled delay" in daypack("pack", "failed payment", cwd=shop).stdout


@pytest.mark.parametrize(
    ("add", "remove"),
    [
        (("add", "--label", "boats", "fold"), ("label", "remove", "boats")),
        (("add", "-", "--name", "note.txt"), ("remove", "note.txt")),
    ],
)
def test_a_query_after_the_last_text_was_removed_does_not_index_the_project(
    shop: Path, add: tuple[str, ...], remove: tuple[str, ...]
) -> None:
    (shop / "fold").mkdir()
    (shop / "fold" / "a.md").write_text("The boat is red.\n")
    (shop / "z.txt").write_text("The boat has another, secret plan.\n")
    daypack(*add, cwd=shop, input=b"The boat is red.\n")
    daypack(*remove, cwd=shop)
    done = daypack("search", "boat", cwd=shop, status=1)
    assert "boat is red" not in done.stdout
    assert "secret plan" not in done.stdout
    assert json.loads(daypack("status", "--json", cwd=shop).stdout)["records"] == 0


def test_get_and_status_without_a_store_say_how_to_make_one(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"a.md": "tea"})
    for arguments in (("get", "a.md:1"), ("status",), ("doctor",), ("reindex",)):
        done = daypack(*arguments, cwd=shop, status=3)
        assert "no store at" in done.stderr
        assert "daypack add ." in done.stderr
    assert not (shop / ".daypack").exists()


# ---------------------------------------------------------------- asking wrongly


def test_an_unknown_command_is_answered_with_the_one_that_was_meant(shop: Path) -> None:
    done = daypack("serch", "x", cwd=shop, status=2)
    assert "Did you mean 'search'?" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("tried", "meant"),
    [
        (("index", "."), "`daypack add PATH`"),
        (("session", "search", "tea"), "`daypack search QUESTION --in sessions`"),
        (("docs", "import", "teas.json"), "`daypack docs load COLLECTION FILE`"),
        (("docs", "update", "teas"), "`daypack docs plan-update COLLECTION FILTER UPDATE`"),
        (("docs", "export", "teas"), "`daypack docs dump COLLECTION`"),
        (("docs", "list"), "`daypack docs inspect`"),
    ],
)
def test_a_word_of_other_tools_is_answered_with_the_command_that_does_it(
    shop: Path, tried: tuple[str, ...], meant: str
) -> None:
    done = daypack(*tried, cwd=shop, status=2)
    assert f"Did you mean {meant}? See `daypack" in done.stderr


def test_forget_says_its_choices_before_it_looks_for_a_store(tmp_path: Path) -> None:
    done = daypack("forget", cwd=tmp_path, status=2)
    assert "say what to forget: a key, a tag, a source, or everything" in done.stderr


def test_status_says_that_files_came_or_an_add_was_interrupted(shop: Path) -> None:
    daypack("add", ".", cwd=shop)
    (shop / "late.md").write_text("Oolong arrived late.")
    status = daypack("status", cwd=shop).stdout
    assert "files came or went since; the next query reads them" in status


def test_an_unknown_option_is_one_line_that_names_it(shop: Path) -> None:
    done = daypack("pack", "tea", "--budgt", "10", cwd=shop, status=2)
    assert "--budgt" in done.stderr
    assert "--budget" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("pack",),
        ("get",),
        ("add",),
        ("search", "x", "--limit", "-1"),
        ("pack", "x", "--format", "yaml"),
        ("pack", "x", "--since", "soon"),
    ],
)
def test_wrong_arguments_end_with_2_and_one_line(shop: Path, arguments: tuple[str, ...]) -> None:
    done = daypack(*arguments, cwd=shop, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith("daypack: ")
    assert done.stderr.count("\n") == 1
    assert not (shop / ".daypack").exists()


def test_nothing_found_ends_with_1_and_says_so(shop: Path) -> None:
    done = daypack("pack", "zeppelin mooring procedure", "--vectors", "none", cwd=shop, status=1)
    assert "Nothing relevant was found." in done.stdout
    assert daypack("search", "zeppelin", "--vectors", "none", cwd=shop, status=1).stdout
    assert "daypack search" in daypack("get", "nowhere.md:1-2", cwd=shop, status=1).stderr


def test_a_path_that_does_not_exist_is_named(shop: Path) -> None:
    done = daypack("add", "nowhere", cwd=shop, status=2)
    assert "nowhere does not exist" in done.stderr


def test_errors_are_json_when_json_was_asked_for(shop: Path) -> None:
    for arguments, code, status in (
        (("pack", "tea", "--budget", "-1", "--json"), "bad_budget", 2),
        (("serch", "--json"), "usage", 2),
        (("get", "nowhere", "--json"), "store_not_found", 3),
        (("search", "x" * 70_000, "--json"), "query_too_long", 2),
    ):
        done = daypack(*arguments, cwd=shop, status=status)
        assert json.loads(done.stderr)["error"]["code"] == code
        assert done.stdout == ""


def test_help_and_version_answer_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    for arguments in (("--help",), ("pack", "--help"), ("--version",)):
        assert "daypack" in daypack(*arguments, cwd=tmp_path / "x").stdout.lower()
    assert list((tmp_path / "x").iterdir()) == []


def test_the_module_runs_as_the_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "daypack", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("daypack ")


# ---------------------------------------------------------------- pipes and terminals


def test_a_pipe_gets_no_colour_no_progress_and_nothing_on_stderr(shop: Path) -> None:
    for arguments in (("add", "."), ("pack", "tea"), ("search", "tea"), ("status",), ("doctor",)):
        done = daypack(*arguments, cwd=shop, env={"FORCE_COLOR": "", "TERM": "xterm-256color"})
        assert "\x1b" not in done.stdout + done.stderr
        assert "\r" not in done.stdout + done.stderr
        assert done.stderr == ""


def test_a_reader_that_goes_away_ends_the_program_quietly(shop: Path) -> None:
    project(
        shop / "big",
        {f"{n}.md": f"# Tea {n}\n\n" + "Tea is served in many cups and pots. " * 40 for n in range(60)},
    )
    daypack("add", ".", cwd=shop)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command("search", "tea", "--limit", "1000", "--json", "--vectors", "none"),
        cwd=shop,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


def test_standard_input_is_indexed_under_its_name(shop: Path) -> None:
    daypack("add", "-", "--name", "log", cwd=shop, input=b"the kettle exploded\n")
    assert "log:1" in daypack("search", "kettle", cwd=shop).stdout
    assert daypack("get", "log", cwd=shop).stdout == "the kettle exploded\n"
    assert (
        "added 0, updated 0, unchanged 1"
        in daypack("add", "-", "--name", "log", cwd=shop, input=b"the kettle exploded\n").stdout
    )


def test_json_answers_are_one_object_a_query(shop: Path) -> None:
    lines = daypack("search", "-q", "tea", "-q", "refund", "--json", cwd=shop).stdout.splitlines()
    assert [json.loads(line)["query"] for line in lines] == ["tea", "refund"]
    assert json.loads(daypack("pack", "tea", "--json", cwd=shop).stdout)["items"][0]["uri"] == "README.md"
    assert json.loads(daypack("status", "--json", cwd=shop).stdout)["records"] == 3
    assert (
        json.loads(daypack("get", "src/refund.py:1", "--json", cwd=shop).stdout)["text"]
        == "def refund(order):"
    )


# ---------------------------------------------------------------- living with it


def test_a_query_after_an_edit_answers_from_the_new_text(shop: Path) -> None:
    daypack("pack", "tea", cwd=shop)
    (shop / "README.md").write_text("# Shop\n\nIt sells coffee from Harar.\n")
    assert "coffee from Harar" in daypack("pack", "harar coffee", cwd=shop).stdout
    assert "sells tea" not in daypack("pack", "coffee from harar, or tea", cwd=shop).stdout


def test_a_removed_file_leaves_the_index_at_the_next_query(shop: Path) -> None:
    daypack("pack", "tea", cwd=shop)
    (shop / "docs" / "retry.md").unlink()
    daypack("search", "failed payment doubled delay", "--vectors", "none", cwd=shop, status=1)
    assert json.loads(daypack("status", "--json", cwd=shop).stdout)["records"] == 2


def test_a_citation_of_a_text_that_changed_says_so(shop: Path) -> None:
    item = json.loads(daypack("pack", "refund money", "--json", cwd=shop).stdout)["items"][0]
    reference = f"{item['ref']}@{item['hash'][:8]}"
    assert daypack("get", reference, cwd=shop).stderr == ""
    (shop / "src" / "refund.py").write_text("def refund(order):\n    return 0\n")
    done = daypack("get", reference, cwd=shop)
    assert "changed since it was indexed" in done.stderr


def test_two_terminals_may_make_the_store_at_once(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop", {f"{n}.md": f"# Tea {n}\n\nCup number {n} of tea.\n" for n in range(40)}
    )
    running = [
        subprocess.Popen(
            command("pack", "cup of tea", "--quiet"),
            cwd=shop,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        for _ in range(4)
    ]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
        assert b"of tea" in out
    assert json.loads(daypack("status", "--json", cwd=shop).stdout)["records"] == 40
    daypack("check", "--deep", cwd=shop)


class SlowModel(Handler):
    """An embedding service that counts what it is asked and lets the test know."""

    asked: list[int]
    enough: threading.Event
    pause = 0.0

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        if len(texts) > 1:
            self.asked.append(len(texts))
            if len(self.asked) == 3:
                self.enough.set()
            time.sleep(self.pause)
        data = [{"index": n, "embedding": [1.0, float(len(text)), 2.0]} for n, text in enumerate(texts)]
        self.answer(json.dumps({"data": data}).encode())


@pytest.fixture
def service() -> Iterator[ThreadingHTTPServer]:
    handler = type("Handler", (SlowModel,), {"asked": [], "enough": threading.Event()})
    with listening(handler) as server:
        yield server


@pytest.mark.parametrize("interrupt", INTERRUPTS)
def test_row_30_an_interrupted_embedding_keeps_what_it_has_and_goes_on_at_the_next_run(
    tmp_path: Path, service: ThreadingHTTPServer, interrupt: signal.Signals
) -> None:
    shop = project(
        tmp_path / "shop",
        {f"{n}.md": f"# Tea {n}\n\nCup number {n} of {'very ' * n} hot tea.\n" for n in range(500)},
    )
    handler = service.RequestHandlerClass
    handler.pause = 0.2
    env = {
        "DAYPACK_EMBEDDER": f"endpoint:http://127.0.0.1:{service.server_port}",
        "DAYPACK_EMBEDDER_MODEL": "cups",
    }
    process = subprocess.Popen(
        command("add", ".", "--vectors", "all"),
        cwd=shop,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**env),
    )
    assert handler.enough.wait(120)
    process.send_signal(interrupt)
    _, err = process.communicate(timeout=120)
    assert b"Traceback" not in err
    assert process.returncode == 130
    assert (
        err.strip()
        == b"daypack: interrupted; finished work is stored, run the same command again to continue"
    )
    daypack("check", "--deep", cwd=shop)
    facts = json.loads(daypack("status", "--json", cwd=shop, env=env).stdout)
    assert 0 < facts["vectors_missing"] < facts["chunks"]
    handler.pause, before = 0.0, len(handler.asked)
    report = json.loads(daypack("add", ".", "--vectors", "all", "--json", cwd=shop, env=env).stdout)
    assert report["unchanged"] == 500
    assert report["embedded"] == facts["vectors_missing"] == sum(handler.asked[before:])
    assert json.loads(daypack("status", "--json", cwd=shop, env=env).stdout)["vectors_missing"] == 0


# ---------------------------------------------------------------- without an extra


@pytest.mark.parametrize(
    "words",
    [
        ("--store", "postgresql://a@b/c", "status"),
        ("--store", "postgresql://a@b/c", "pack", "tea"),
        ("store", "migrate", ".daypack", "postgresql://a@b/c"),
        ("--store", "postgresql://a@b/c", "serve", "--team"),
    ],
)
def test_a_server_without_its_driver_names_the_extra_to_install(shop: Path, words: tuple[str, ...]) -> None:
    Daypack.open(shop / ".daypack").close()
    without = "import sys; sys.modules['psycopg'] = None; from daypack.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", without, *words],
        cwd=shop,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 2
    assert "the PostgreSQL driver psycopg, which is not installed" in done.stderr
