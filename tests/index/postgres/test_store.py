"""A store on a server gives the answers of a store in a file, byte for byte."""

from __future__ import annotations

import gc
import json
import os
import shutil
import struct
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import support
from daypack import Daypack
from daypack.errors import NotAStore, StoreBusy, StoreClosed, StoreError, StoreVersionMismatch
from daypack.index.postings.packed import unpack
from daypack.types.servers import OnlyForFiles, ServerAddress, StoreUnreachable, holds_password, shown
from team_server import PASSWORD

NOW = 1_760_000_000.0
ROOT = Path(__file__).resolve().parents[3]
QUESTIONS = (
    "why does every attempt carry the same idempotency key?",
    "refund",
    "path:docs/runbook.md who is on call",
    "`verify_signature` webhook",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "pay", tmp_path / "pay")
    return tmp_path / "pay"


def opened(store: Path | str, root: Path) -> Daypack:
    return Daypack.open(store, root=root, settings=support.WORDS, clock=lambda: NOW)


def value_of(daypack: Daypack, key: str) -> str | None:
    return next((memory.value for memory in daypack.memories.list().memories if memory.key == key), None)


@pytest.fixture
def both(project: Path, new_store: Callable[[], str]) -> Iterator[tuple[Daypack, Daypack]]:
    """The same project in a file and on a server."""
    with opened(project / ".daypack", project) as file, opened(new_store(), project) as server:
        for one in (file, server):
            one.files.add(project)
        yield file, server


@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
def test_packs_are_equal_byte_for_byte(both: tuple[Daypack, Daypack], shape: str) -> None:
    for question in QUESTIONS:
        ours, theirs = (one.pack(question, budget=400, shape=shape).text for one in both)  # type: ignore[arg-type]
        assert ours == theirs


def test_searches_filters_and_citations_are_equal(both: tuple[Daypack, Daypack]) -> None:
    file, server = both
    for narrow in (
        {},
        {"kind": "code"},
        {"source": "docs/**"},
        {"language": "python"},
        {"source": "src/*/*.py"},
    ):
        found = [one.search("retry refunds", **narrow) for one in (file, server)]  # type: ignore[arg-type]
        first, second = ([(c.chunk.id, c.chunk.uri, c.score) for c in one.candidates] for one in found)
        assert first == second and first
    for reference in ("docs/retries.md:25-28", "docs/runbook.md", "3"):
        assert file.get(reference) == server.get(reference)


def test_both_count_the_same_writes(both: tuple[Daypack, Daypack]) -> None:
    file, server = both
    assert file.engine.store.sequences() == server.engine.store.sequences()


def test_a_changed_file_leaves_the_same_rows(both: tuple[Daypack, Daypack], project: Path) -> None:
    (project / "docs" / "retries.md").write_text("# Retries\n\nNothing is retried any more.\n")
    (project / "docs" / "runbook.md").unlink()
    for one in both:
        report = one.files.refresh()
        assert (report.updated, report.removed) == (1, 1)
    file, server = both
    assert file.engine.store.counts() == server.engine.store.counts()
    assert file.pack("retries", budget=300).text == server.pack("retries", budget=300).text
    assert [check for check in server.check(deep=True) if check.verdict.value != "ok"] == []


def test_the_text_of_a_renamed_file_counts_as_sent_in_both(
    both: tuple[Daypack, Daypack], project: Path
) -> None:
    first = [one.pack(QUESTIONS[0], budget=400, after="") for one in both]
    name = Path(first[0].excerpts[0].citation.uri)
    (project / name).rename(project / name.with_name(f"renamed{name.suffix}"))
    for one in both:
        one.files.refresh()
    ours, theirs = (
        one.pack(QUESTIONS[0], budget=400, after=sent.id) for one, sent in zip(both, first, strict=True)
    )
    assert ours.text == theirs.text
    assert ours.chain is not None
    assert (ours.chain.changed, ours.chain.removed) == ((), ())


def test_memories_documents_and_sources_answer_alike(both: tuple[Daypack, Daypack]) -> None:
    said = []
    for one in both:
        one.memories.remember("release/cadence", "every second Tuesday")
        one.memories.remember("release/cadence", "every Tuesday")
        one.memories.remember("team/lead", "Ada\0with a NUL")
        one.documents.create("orders", indexes=["total"])
        orders = one.documents.collection("orders")
        orders.insert([{"_id": n, "total": n / 2, "city": "Oslo" if n % 2 else "Ürümqi"} for n in range(20)])
        said.append(
            (
                [(memory.key, memory.value) for memory in one.memories.list().memories],
                [document["_id"] for document in orders.find({"total": {"$gt": 3, "$lte": 7.5}})],
                [document["_id"] for document in orders.find({"city": {"$regex": "^Ü"}}, limit=3)],
                orders.count({"$or": [{"total": 2}, {"city": {"$size": 2}}]}),
                one.pack("when do we release?", budget=200).text,
            )
        )
    assert said[0] == said[1]


def test_a_question_with_a_time_and_the_begin_of_a_text_are_answered_alike(
    both: tuple[Daypack, Daypack],
) -> None:
    for one in both:
        one.memories.remember("cache/kind", "Redis")
    ours, theirs = (
        (
            one.pack("which cache did we use at the end of 2025?", budget=200).text,
            one.search("which cache did we use last year?").candidates,
        )
        for one in both
    )
    assert ours == theirs


def test_a_tag_with_a_nul_is_found_and_spoils_no_other_filter(both: tuple[Daypack, Daypack]) -> None:
    tags = ["a\0b", "back\\u0000slash", "\0\0", "\\\0"]
    for one in both:
        one.records.add([{"id": f"r{n}", "text": f"kettle {n}", "tags": [tag]} for n, tag in enumerate(tags)])
        for number, tag in enumerate(tags):
            assert [found.chunk.uri for found in one.search("kettle", tag=tag).candidates] == [f"r{number}"]


def test_a_second_connection_sees_what_the_first_wrote(project: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    with opened(url, project) as first, opened(url, project) as second:
        first.memories.remember("a", "one thing")
        assert value_of(second, "a") == "one thing"
        second.memories.forget("a")
        assert not first.search("thing").candidates


def test_what_a_colleague_embedded_is_not_embedded_again(
    project: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    """Equal texts have one vector, whoever adds them, from whatever machine and under whatever path."""
    url = new_store()
    with opened(url, project) as mine:
        mine.files.add(project)
        assert mine.embed() > 0
    other = tmp_path / "elsewhere"
    shutil.copytree(project / "docs", other / "handbook")
    with opened(url, other) as theirs:
        report = theirs.files.add(other / "handbook")
        assert report.added > 3 and not report.removed
        assert theirs.embed() == 0


def test_a_writer_that_waits_too_long_is_told_that_the_store_is_busy(
    project: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    with opened(url, project) as first, opened(url, project) as second:
        with (
            first.engine.store.writing(),
            pytest.raises(StoreBusy),
            second.engine.store.writing(busy_seconds=0.05),
        ):
            pass
        with second.engine.store.writing():
            pass


def test_a_writer_that_was_told_busy_many_times_writes_at_last(
    project: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    with opened(url, project) as first, opened(url, project) as second:
        with first.engine.store.writing():
            for _ in range(6):
                with pytest.raises(StoreBusy), second.engine.store.writing(busy_seconds=0.01):
                    pass
        with second.engine.store.writing(busy_seconds=0.01) as db:
            db.execute("DELETE FROM tomb")


def test_a_read_keeps_its_state_while_others_write(project: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    with opened(url, project) as first, opened(url, project) as second:
        with first.engine.store.reading() as db:
            before = db.execute("SELECT count(*) FROM memory").get
            second.memories.remember("a", "x")
            assert db.execute("SELECT count(*) FROM memory").get == before
        assert value_of(first, "a") == "x"


def test_a_lost_connection_is_opened_again_for_a_read_and_a_write(
    project: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    with opened(url, project) as daypack:
        daypack.memories.remember("a", "x")
        _end_session(url, daypack)
        assert value_of(daypack, "a") == "x"
        _end_session(url, daypack)
        with daypack.engine.store.writing() as db:
            db.execute("UPDATE memory SET recalls = 7")


def test_a_read_goes_on_after_a_question_that_failed_or_was_never_asked(
    project: Path, new_store: Callable[[], str]
) -> None:
    with opened(new_store(), project) as daypack:
        daypack.memories.remember("a", "x")
        store = daypack.engine.store
        with pytest.raises(StoreError), store.reading() as db:
            db.execute("SELECT 1 FROM nowhere")
        with store.reading():
            pass
        with store.reading() as db:
            assert db.execute("SELECT current_setting('transaction_isolation')").get == "repeatable read"
            assert db.execute("SELECT current_setting('transaction_read_only')").get == "on"
        assert value_of(daypack, "a") == "x"


def test_a_session_that_is_lost_between_two_reads_is_opened_again_without_a_word(
    project: Path, new_store: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    url = new_store()
    with opened(url, project) as daypack:
        store = daypack.engine.store
        for _ in range(3):
            with store.reading() as db:
                pid = db.execute("SELECT pg_backend_pid()").get
            lost = weakref.ref(db.held)  # type: ignore[attr-defined]
            with psycopg.connect(url.partition("?")[0], autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            with store.reading() as db:
                assert db.execute("SELECT pg_backend_pid()").get != pid
                assert db.execute("SELECT pg_backend_pid()").get
            gc.collect()
            assert lost() is None
            assert caplog.records == []


def test_a_write_whose_connection_is_lost_says_so_and_leaves_nothing(
    project: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    with opened(url, project) as daypack:
        daypack.memories.remember("a", "x")
        with pytest.raises(StoreUnreachable), daypack.engine.store.writing() as db:
            db.execute("UPDATE memory SET recalls = 7")
            _end_session(url, daypack)
            db.execute("UPDATE memory SET recalls = 8")
        with daypack.engine.store.reading() as db:
            assert db.execute("SELECT recalls FROM memory").get == 0


def _end_session(url: str, daypack: Daypack) -> None:
    pid = daypack.engine.store.db.execute("SELECT pg_backend_pid()").get
    with psycopg.connect(url.partition("?")[0], autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_a_schema_of_another_program_is_left_alone(project: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    schema = url.partition("schema=")[2]
    with psycopg.connect(url.partition("?")[0], autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}")
        db.execute(f"CREATE TABLE {schema}.theirs (a int)")
        with pytest.raises(NotAStore):
            opened(url, project)
        assert db.execute("SELECT count(*) FROM pg_tables WHERE schemaname = %s", [schema]).fetchone() == (1,)


def test_postings_of_a_former_version_are_packed(project: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    with opened(url, project) as daypack:
        daypack.files.add(project)
        answer = daypack.pack(QUESTIONS[0], budget=400).text
        with daypack.engine.store.writing() as db:
            rows = list(db.execute("SELECT segment_id, term, data FROM posting ORDER BY segment_id, term"))
            for segment_id, term, data in rows:
                former = zip(*unpack([data])[:2], strict=True)
                wide = b"".join(struct.pack("<II", *each) for each in former)
                db.execute(
                    "UPDATE posting SET data = ? WHERE segment_id = ? AND term = ?", (wide, segment_id, term)
                )
            db.execute("UPDATE daypack_schema SET version = 15")
    with opened(url, project) as daypack:
        assert daypack.pack(QUESTIONS[0], budget=400).text == answer
        with daypack.engine.store.reading() as db:
            found = list(db.execute("SELECT segment_id, term, data FROM posting ORDER BY segment_id, term"))
            assert found == rows


def test_folders_and_skipped_files_of_a_former_version_keep_their_roots(
    project: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    (project / "docs" / "a.bin").write_bytes(b"\0" * 100)
    with opened(url, project) as daypack:
        daypack.files.add(project / "docs", project / "src")
        with daypack.engine.store.writing() as db:
            statements = ("SELECT * FROM folder ORDER BY 1, 2", "SELECT * FROM skipped ORDER BY 1, 2")
            before = [list(db.execute(statement)) for statement in statements]
            for statement in (
                "ALTER TABLE folder DROP CONSTRAINT folder_pkey",
                "UPDATE folder SET path = source || char(10) || path",
                "ALTER TABLE folder ADD PRIMARY KEY (path)",
                "ALTER TABLE skipped DROP CONSTRAINT skipped_pkey",
                "ALTER TABLE skipped ADD PRIMARY KEY (uri)",
                "UPDATE daypack_schema SET version = 17",
            ):
                db.execute(statement)
    with opened(url, project) as daypack:
        with daypack.engine.store.reading() as db:
            assert [list(db.execute(statement)) for statement in statements] == before
            assert all(before)
        assert all(found.fresh for found in daypack.files.check().values())


def test_a_newer_store_is_refused(project: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    with opened(url, project) as daypack, daypack.engine.store.writing() as db:
        db.execute("UPDATE daypack_schema SET version = 99")
    with pytest.raises(StoreVersionMismatch):
        opened(url, project)


def test_what_only_files_can_do_names_the_tools_of_the_server(
    project: Path, new_store: Callable[[], str]
) -> None:
    with opened(new_store(), project) as daypack:
        with pytest.raises(OnlyForFiles, match="pg_dump --format=custom --schema=own_"):
            daypack.backup(project.parent / "backup")
        assert not (project.parent / "backup").exists()
    with pytest.raises(StoreClosed):
        daypack.memories.list()


def test_questions_to_a_store_on_a_server_leave_no_folder_in_the_working_folder(
    project: Path, new_store: Callable[[], str]
) -> None:
    url, work = new_store(), project.parent / "work"
    (work / "below").mkdir(parents=True)
    assert _run(project, url, "remember", "lead", "Ada").returncode == 0
    for arguments in (["recall", "lead"], ["search", "lead"], ["status"], ["doctor"], ["code", "symbols"]):
        said = _run(work, url, *arguments)
        assert "Traceback" not in said.stderr
    assert [*work.iterdir()] == [work / "below"]
    (work / "cases.json").write_text(
        '[{"name": "lead", "query": "who is the lead?", "expected_terms": ["Ada"]}]'
    )
    said = _run(work, url, "eval", "run", "cases.json", "--name", "first")
    assert said.returncode == 0, said.stderr
    assert (work / ".daypack" / ".gitignore").read_text() == "*\n"
    assert (work / ".daypack").stat().st_mode & 0o777 == 0o700


# ---------------------------------------------------------------- the password


def test_no_name_of_a_store_shows_a_password() -> None:
    for url in (
        "postgresql://ada:s3cret@db.example:5432/team?schema=shop",
        "postgresql://ada@db.example/team?password=s3cret&schema=shop",
        "postgresql://ada:s3cret@a:1,b:2/team?target_session_attrs=any&sslpassword=s3cret",
    ):
        assert holds_password(url)
        assert "s3cret" not in shown(url) + repr(ServerAddress(url, Path())) + str(ServerAddress(url, Path()))


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["status", "--json"], 0),
        (["doctor"], 0),
        (["config"], 0),
        (["pack", "refunds", "--json"], 1),  # nothing is in the store
        (["backup", "../copies"], 3),
        (["restore", "../copies"], 3),
        (["repair"], 3),
    ],
)
def test_no_command_says_the_password(
    project: Path, new_store: Callable[[], str], arguments: list[str], status: int
) -> None:
    done = _run(project, new_store(), *arguments)
    assert done.returncode == status, done.stderr
    assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "broken",
    [
        lambda url: url.replace("canary-", "canary-no"),  # wrong
        lambda url: url.replace("127.0.0.1:", "127.0.0.1:1"),
        lambda url: url.replace("/daypack?", "/nowhere?"),
        lambda url: url.replace("?schema=", "?sslmode=odd&schema="),
        lambda url: url.replace("?schema=", "?nonsense=1&schema="),
        lambda url: url.replace("?schema=own", "?schema=Not-A-Name"),
    ],
)
def test_no_failure_says_the_password(
    project: Path, new_store: Callable[[], str], broken: Callable[[str], str]
) -> None:
    done = _run(project, broken(new_store()), "search", "x", "--json")
    assert done.returncode == 3, done.stderr
    assert set(json.loads(done.stderr)["error"]) == {"code", "message"}
    assert PASSWORD not in done.stdout + done.stderr
    assert "canary" not in done.stdout + done.stderr


def test_an_unknown_option_of_the_url_is_named(project: Path, new_store: Callable[[], str]) -> None:
    done = _run(project, new_store().replace("?schema=", "?nonsense=1&schema="), "status")
    assert "has an unknown option nonsense; write postgresql://" in done.stderr


def test_a_password_in_an_argument_is_refused(project: Path, server_url: str) -> None:
    for arguments in (["--store", server_url, "status"], ["status", "--store", server_url]):
        done = _run(project, "", *arguments)
        assert done.returncode == 2
        assert "~/.pgpass" in done.stderr and PASSWORD not in done.stderr


def _run(project: Path, store: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    named = {"DAYPACK_STORE": store} if store else {}
    return subprocess.run(
        [sys.executable, "-m", "daypack", *arguments],
        cwd=project,
        env={**support.environment(), **named, "HOME": os.fspath(project.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_error_of_a_closed_server_is_typed(project: Path) -> None:
    with pytest.raises(StoreError, match="does not answer"):
        opened("postgresql://nobody@127.0.0.1:9/none", project)


def test_rows_that_a_server_refuses_raise_one_error_and_log_none(
    new_store: Callable[[], str], project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(new_store(), project) as server, pytest.raises(StoreError, match="division"):  # noqa: SIM117
        with server.engine.store.writing("noted") as db:
            rows = (("x" * 2_000 + str(number), number - 5_000) for number in range(20_000))
            db.executemany(
                "INSERT INTO meta (key, value) SELECT ?, CAST(1 / CAST(? AS INTEGER) AS TEXT)", rows
            )
    assert not caplog.records
