"""Runs the commands that the documentation tells people to type, page by page: servers are started and ended,
web pages are fetched from a server on this machine. Console blocks are not repeated: scripts/docs.py runs
them. NOT_RUN lists the commands that cannot run, with the reason.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from written import FENCED, PAGES, ROOT, is_complete, unknown, words_of, written

from daypack import Daypack
from daypack.doors.knowledge import web
from daypack.doors.sessions.types import Did, Said, Step
from daypack.doors.sources.types import SourceDraft
from daypack.surfaces.cli.main import main
from support import WORDS, command, copy_of_pay, daypack, environment
from web_server import Handler, listening

NOT_RUN = {
    r"git clone .*|cd .*": "takes readers to their own folder",
    r"pip install (--upgrade )?'\.\[[\w-]+\]'": "asks a package index; a test checks that the extra exists",
    r"pip install \./evals": "changes the environment that runs this suite; the Makefile does it",
    r"make [a-z-]+.*": "takes minutes; a test checks that the target exists, and .ci/run runs the two for newcomers",
    r"python -m evals.*": "takes minutes, and data that is not part of the repository",
    r"git diff.*": "asks for a change that is not committed; tests/doors/code/test_work_flows.py hands diffs to these verbs",
    r"llm -.*": "asks a model; tests/adapters run its fragments and tools",
    r"daypack get manual\.pdf.*": "asks for a PDF; tests/doors/reading/test_office.py makes some and cites their pages",
    r"daypack restore .* --at yesterday": "asks for a backup of yesterday; tests/index/test_backups.py restores by time",
    r"daypack eval self-check": "takes long; docs/how-to/evaluate.md and tests/evaluate run it on little",
}
SERVER = "DAYPACK_TEST_SERVER"  # of `make test-team`
OF_FILES = (
    r"daypack (backup|restore|export|import|repair)\b.*"  # a store on a server has PostgreSQL's own tools
)
PATIENCE = 120  # seconds, on a machine that does much else
OUTSIDE = "127.0.0.2"  # stands for the web
HOOK = json.dumps(
    {"hook_event_name": "UserPromptSubmit", "session_id": "s2", "cwd": ".", "prompt": "Go on."}
).encode()
INPUTS = {"daypack session capture": HOOK, "daypack add - --label notes": b"A note about the retry budget."}
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "docs", "version": "1"}},
}  # fmt: skip


def reason(text: str) -> str:
    return next((why for form, why in NOT_RUN.items() if re.fullmatch(form, text, re.DOTALL)), "")


def in_consoles(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    return {
        line
        for _, kind, block in FENCED.findall(text)
        if kind == "console"
        for line in re.findall(r"^\$ (daypack .*)$", block, re.MULTILINE)
    }


def is_server(text: str) -> bool:
    return text.startswith(("daypack serve", "daypack mcp")) or "--watch" in text


def to_run(page: Path) -> list[str]:
    """The complete commands that scripts/docs.py does not run and the store knows, each once."""
    done = in_consoles(page)
    every = dict.fromkeys(text for text in written(page) if text.startswith("daypack") and text not in done)
    not_here = SERVER in os.environ and OF_FILES
    return [
        text
        for text in every
        if is_complete(text) and not reason(text) and not (not_here and re.fullmatch(not_here, text))
    ]


# ---------------------------------------------------------------- where it is run


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """examples/pay with whatever the pages take for granted: their files, collections, labels, memories,
    records and sessions.
    """
    folder = copy_of_pay(tmp_path_factory.mktemp("typed"))
    (folder / "notes.md").write_text("# Notes\n\nRefunds keep one key for all attempts.\n")
    (folder / "Makefile").write_text("test:\n\t@echo 'FAILED test_retry: the third attempt came too early'\n")
    documents = [
        {"_id": n, "status": "published", "year": 2018 + n, "text": f"Refund number {n} is retried."}
        for n in range(4)
    ]
    with Daypack.open(folder / ".daypack", settings=WORDS) as store:
        store.files.add(folder)
        store.documents.collection("docs").insert(documents)
        store.documents.collection("docs").vsync("text")
        if SERVER not in os.environ:
            store.engine.store.snapshot(1_790_000_000.0)
        store.memories.remember("release/cadence", "Weekly on Fridays", tags=["release"])
        store.sources.upsert("acme_report", SourceDraft("Refunds settle within 13 months."))
        store.sessions.add_steps(
            [
                Step(
                    "s1",
                    1_790_000_000.0,
                    Said("user", "We decided to keep the retry budget at ten per cent."),
                    "k1",
                ),
                Step(
                    "s1",
                    1_790_000_100.0,
                    Did("Bash", {"command": "make test"}, "FAILED test_retry", failed=True),
                    "k2",
                ),
            ]
        )
    (folder / "articles.ndjson").write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    return folder


@pytest.fixture
def project(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to work in, as the working folder of a user with an empty home."""
    folder = tmp_path / "pay"
    shutil.copytree(prepared, folder)
    (tmp_path / "home").mkdir()
    for name in {name for name in os.environ if name.startswith("DAYPACK_")} - {SERVER}:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The begin of the URLs of a small web, which is on this machine and may be fetched from."""

    class Page(Handler):
        def do_GET(self) -> None:
            page = b"<h1>Write-ahead logs</h1><p>A checkpoint moves pages back.</p>"
            self.answer(page, Content_Type="text/html")

    monkeypatch.setattr(web, "PUBLIC", web.Network(lambda *_: [OUTSIDE], lambda _: "", plain_http=True))
    with listening(Page, OUTSIDE) as server:
        yield f"http://{OUTSIDE}:{server.server_port}/"


# ---------------------------------------------------------------- how it is run


def requests_of(page: str, place: str, folder: Path, **variables: str) -> list[str]:
    """The answers to the requests of a page, which a server at `place` gives."""
    typed = [text for text in written(ROOT / "docs" / "how-to" / page) if text.startswith("curl")]
    return [
        subprocess.run(
            ["bash", "-c", text.replace("http://127.0.0.1:8377", place)],
            cwd=folder,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        ).stdout
        for text in typed
    ]


@contextmanager
def started(words: list[str], folder: Path) -> Iterator[tuple[str, str]]:
    """A program that goes on until it is interrupted, on a free port: where it serves, and what it said until
    it was ready. It must end well.
    """
    if words[0] in ("serve", "mcp"):
        words = [*words, "--port", "0"]
    settings = environment(HOME=os.environ["HOME"])
    with subprocess.Popen(
        command(*words), cwd=folder, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        silent = threading.Timer(
            PATIENCE, process.kill
        )  # ends the loop over lines if the expected one never comes
        silent.start()
        try:
            said, match = "", None
            assert process.stdout is not None
            for line in process.stdout:
                said += line
                match = re.search(r"http://(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)", line)
                if match or "Ctrl-C" in line:
                    break
            silent.cancel()
            yield f"http://127.0.0.1:{match[1]}" if match else "", said
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode in (0, 130), said + rest
            assert "Traceback" not in rest
        finally:
            silent.cancel()
            process.kill()


def goes_on(words: list[str], folder: Path) -> None:
    """Start it, see that it is there, and end it."""
    with started(words, folder) as (place, said):
        if words[0] == "serve":
            with urllib.request.urlopen(f"{place}/health", timeout=PATIENCE) as answer:
                assert answer.status == 200
        elif words[0] == "mcp":
            with pytest.raises(urllib.error.HTTPError, match="401"):  # no client is served without the token
                urllib.request.urlopen(f"{place}/mcp", timeout=PATIENCE)
        else:
            assert "watching" in said


def talks(words: list[str], folder: Path) -> None:
    """A server on standard input and output: it answers a client, and ends with it."""
    done = subprocess.run(
        command(*words),
        cwd=folder,
        env=environment(HOME=os.environ["HOME"]),
        input=f"{json.dumps(HELLO)}\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"]


def ends(text: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(INPUTS.get(text, b""))))
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code if isinstance(left.value.code, int) else 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if not all(map(is_server, to_run(page)))],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_every_command_of_a_page_runs(
    page: Path,
    project: Path,
    outside: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    wrong = {}
    for text in to_run(page):
        words = [re.sub(r"^https://[^/]+/", outside, word) for word in words_of(text)]
        if not is_server(text):
            status = ends(text, words, monkeypatch)
            said = capfd.readouterr().err
            # A name alone may report a missing argument; 1 is an answer: nothing was found, or a test failed.
            unfinished = (
                len(words) < 3 or "the question is missing" in said
            )  # a form, such as `pack --in code`
            if status not in (0, 1, *((2,) if unfinished else ())):
                wrong[text] = (status, said)
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize("text", sorted({text for page in PAGES for text in to_run(page) if is_server(text)}))
def test_every_server_of_the_pages_serves_and_ends_when_it_is_told(text: str, project: Path) -> None:
    words = words_of(text)
    if words[0] == "mcp" and "--http" not in words:
        talks(words, project)
    else:
        goes_on(words, project)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_requests_of_the_page_on_http_are_answered(project: Path) -> None:
    with started(["serve"], project) as (place, _):
        answers = requests_of("page.md", place, project)
    assert len(answers) == 2
    assert all("refund" in json.loads(answer)["text"] for answer in answers)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_requests_of_the_page_on_teams_are_answered(tmp_path: Path) -> None:
    for words in (
        "user add ana",
        "project add payments",
        "member add ana payments --role write",
        "token create ana --expires 90d",
    ):
        said = daypack("team", *words.split(), cwd=tmp_path, env={"HOME": str(tmp_path)}).stdout
    (token,) = re.findall(r"dpk_[\w-]+", said)
    with started(["serve", "--team"], tmp_path) as (place, _):
        _, pack = requests_of("team.md", place, tmp_path, TOKEN=token)
    assert "We release on Thursdays." in json.loads(pack)["text"]


# ---------------------------------------------------------------- commands that are not run


def test_what_is_neither_run_nor_a_form_stands_in_the_list_with_its_reason() -> None:
    every = [(page.name, text) for page in PAGES for text in written(page)]
    others = [(page, text) for page, text in every if not text.startswith("daypack") and not reason(text)]
    assert [(page, text.split()[0]) for page, text in others] == [
        *[("page.md", "curl")] * 2,
        *[("team.md", "curl")] * 2,
    ]
    assert [
        form for form in NOT_RUN if not any(re.fullmatch(form, text, re.DOTALL) for _, text in every)
    ] == [], "nothing in the list is gone"


def test_extras_and_targets_that_pages_name_are_there() -> None:
    every = [text for page in PAGES for text in written(page)]
    extras = {
        match for text in every for match in re.findall(r"install (?:--upgrade )?'\.\[([\w-]+)\]'", text)
    }
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert extras - set(known) == set()
    targets = {match for text in every for match in re.findall(r"^make ([a-z-]+)", text)}
    assert (
        targets
        - set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        == set()
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_that_is_written_is_one_that_there_is(page: Path) -> None:
    """Also those that leave something to the reader: `daypack get REFERENCE`."""
    assert {
        text: wrong for text in written(page) if text.startswith("daypack") and (wrong := unknown(text))
    } == {}


def test_a_command_that_there_is_not_is_noticed() -> None:
    assert unknown("daypack pakc 'a question'") == "pakc"
    assert unknown("daypack pack 'a question' --buget 5") == "--buget"
    assert unknown("daypack docs find teas '{}' --limit 3 | head") == ""
    assert unknown("daypack run --label tests -- make --anything") == ""


def test_a_command_that_leaves_something_to_the_reader_is_told_from_one_that_does_not() -> None:
    assert is_complete("daypack pack 'a question' --budget 5")
    assert is_complete("daypack status")
    assert not is_complete("daypack get")
    assert not is_complete("daypack get REFERENCE")
    assert not is_complete("daypack session import PATH…")
