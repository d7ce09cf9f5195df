"""The service as programs know it: awaited, not awaited, and a program that never closes it; and all of
Daypack awaited.
"""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from daypack import (
    AsyncDaypack,
    Daypack,
    DaypackAssembleRequest,
    DaypackRetrieveRequest,
    DaypackService,
    DaypackSourceCreate,
    SyncDaypackService,
)
from daypack.doors.files.door import FilesDoor
from daypack.errors import InputError, StoreClosed
from support import WORDS, environment

# Shaped as programs for such a service are: constructed without arguments, keyword arguments, results by
# attribute, never closed.
PROGRAM = """
    import asyncio
    from daypack import DaypackAssembleRequest, DaypackRetrieveRequest, {service}, DaypackSourceCreate

    service = {service}()

    {async_}def main():
        {await_}service.ingest_source(
            DaypackSourceCreate(
                scope="user", user_id="u1", source_key="skipper", kind="user_profile_note", text="The skipper wants short updates by e-mail.",
            )
        )
        retrieved = {await_}service.retrieve_context(DaypackRetrieveRequest(query_text="draft an update for the skipper", user_id="u1", limit=6))
        for item in retrieved.items:
            print(f"[{{item.score:.3f}}] {{item.kind}}/{{item.scope}}: {{item.text[:80]}}")
        assembled = {await_}service.assemble_context(
            DaypackAssembleRequest(query_text="draft an update for the skipper", user_id="u1", assembly_mode="drafting", token_budget=1200)
        )
        print(f"{{assembled.token_count_estimate}} tokens, {{assembled.omitted_items}} items")

    {run}
"""
AWAITED = {"service": "DaypackService", "async_": "async ", "await_": "await ", "run": "asyncio.run(main())"}
PLAIN = {"service": "SyncDaypackService", "async_": "", "await_": "", "run": "main()"}


@pytest.mark.parametrize("way", [AWAITED, PLAIN], ids=["awaited", "plain"])
def test_a_program_for_a_context_store_runs(tmp_path: Path, way: dict[str, str]) -> None:
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM).format(**way))
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first.endswith("user_profile_note/user: The skipper wants short updates by e-mail.")
    assert last.endswith(" tokens, 0 items")
    assert (tmp_path / ".daypack" / "daypack.db").exists()


def test_both_services_have_the_same_methods_with_the_same_arguments() -> None:
    def methods(service: type) -> dict[str, str]:
        found = {
            name: member
            for name, member in inspect.getmembers(service, inspect.isfunction)
            if not name.startswith("_")
        }
        return {name: str(inspect.signature(member)) for name, member in found.items()}

    assert methods(DaypackService) == methods(SyncDaypackService)
    assert all(inspect.iscoroutinefunction(getattr(DaypackService, name)) for name in methods(DaypackService))


def used(service: Any) -> dict[str, Any]:
    """What each method says, as data without ids and times."""
    ana = {"user_id": "ana"}
    asked = DaypackAssembleRequest("reply about the lease", user_id="ana")
    stored = service.store("decision_outcome", "The lease is renewed.", scope="user", **ana)
    upserted = service.upsert_source(
        "lease", DaypackSourceCreate("The lease ends in May.", scope="user", **ana)
    )
    said = {
        "stored": stored.action, "upserted": upserted.record.source_version, "got": service.get_record(stored.record.id, **ana).text,
        "listed": [item.text for item in service.list_records(**ana)], "exported": len(service.export_training(**ana)),
        "stats": service.stats(**ana)["records_by_kind"], "taught": len(service.update_workflow_preference("Dear all, in short: yes.", **ana).lessons),
        "blocks": [one["text"] for one in service.prepare_context(asked)["context_blocks"]],
        "why": [one["selection_reason"] for one in service.explain_context_selection(asked)["items"]],
        "workflow": service.prepare_task_envelope(asked).intent.workflow, "pruned": service.prune(max_records=5, **ana),
        "health": {check.verdict for check in service.health()} - {"warning"},
        "deleted": len(service.delete_source("lease", scope="user", **ana).records),
    }  # fmt: skip
    service.close()
    return said


class Waiting:
    """A service whose every call is awaited at once, in one loop."""

    def __init__(self, service: DaypackService, loop: asyncio.AbstractEventLoop) -> None:
        self._service, self._loop = service, loop

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **named: self._loop.run_until_complete(
            getattr(self._service, name)(*arguments, **named)
        )


def test_both_services_say_the_same(tmp_path: Path) -> None:
    words = {"DAYPACK_EMBEDDER": "hashing"}
    plain = used(SyncDaypackService(tmp_path / "a", environment=words))
    loop = asyncio.new_event_loop()
    try:
        awaited = used(Waiting(DaypackService(tmp_path / "b", environment=words), loop))
    finally:
        loop.close()
    assert awaited == plain
    assert plain["workflow"] == "reply"
    assert plain["health"] == {"ok"}


# ---------------------------------------------------------------- all of Daypack


def test_every_method_and_door_may_be_awaited(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Ferry\n\nThe ferry leaves at six.\n")

    async def main() -> tuple[Any, ...]:
        async with AsyncDaypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
            await dp.files.add(tmp_path / "note.md")
            pack = await dp.pack("when does the ferry leave?", budget=200)
            await dp.memories.remember("ferry", "leaves at six")
            await dp.sources.ingest(DaypackSourceCreate("The ferry is blue.", scope="user"))
            found = await dp.sources.retrieve(DaypackRetrieveRequest("ferry"))
            counted = await dp.run(lambda daypack: daypack.status()["records"])
            return pack.text, (await dp.memories.recall("ferry")).value, found.items[0].text, counted

    text, value, source, counted = asyncio.run(main())
    assert "The ferry leaves at six." in text
    assert (value, source, counted) == ("leaves at six", "The ferry is blue.", 3)


def test_calls_that_are_made_at_once_wait_their_turn(tmp_path: Path) -> None:
    async def main() -> int:
        async with AsyncDaypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
            await asyncio.gather(
                *(
                    dp.sources.ingest(DaypackSourceCreate(f"Line {number}.", scope="user"))
                    for number in range(20)
                )
            )
            return len(await dp.sources.list())

    assert asyncio.run(main()) == 20


def test_what_goes_wrong_is_raised_where_it_is_awaited(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncDaypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
            with pytest.raises(InputError, match="the record is empty"):
                await dp.sources.ingest(DaypackSourceCreate(""))
            with pytest.raises(AttributeError, match="dance"):
                await dp.dance()
            with pytest.raises(AttributeError):
                dp._opened_twice  # noqa: B018

    asyncio.run(main())


def test_a_store_that_nobody_asked_is_not_made(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncDaypack.open(tmp_path / ".daypack", settings=WORDS):
            pass

    asyncio.run(main())
    assert not (tmp_path / ".daypack").exists()
    with Daypack.open(tmp_path / ".daypack", settings=WORDS):
        assert (tmp_path / ".daypack").exists()


def test_a_citation_is_followed_without_loading_numpy_or_the_reading_of_questions(tmp_path: Path):
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.records.add([{"id": "tea", "text": "The kettle is descaled in May."}])
        uri = dp.search("kettle").candidates[0].chunk.uri
    program = (
        "import sys; from daypack import Daypack\n"
        "with Daypack.open(sys.argv[1], create=False) as dp: print(dp.get(sys.argv[2]).text, *(name in sys.modules for name in ('numpy', 'daypack.query')))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / ".daypack"), uri]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "The kettle is descaled in May. False False\n"


def test_a_close_that_is_cancelled_closes_the_store_and_ends_its_thread(tmp_path: Path) -> None:
    async def work() -> None:
        dp = AsyncDaypack.open(tmp_path / "s", settings=WORDS)
        store = await dp.run(lambda opened: opened.engine.store)
        busy = asyncio.ensure_future(dp.run(lambda _: time.sleep(0.3)))
        await asyncio.sleep(0.05)
        closing = asyncio.ensure_future(dp.close())
        await asyncio.sleep(0.05)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await busy
        for _ in range(100):
            if store.is_closed and not any(one.is_alive() for one in dp._thread._threads):
                return
            await asyncio.sleep(0.05)
        raise AssertionError("the store, or its thread, is still there")

    asyncio.run(work())


def test_awaited_methods_tell_what_they_do_and_take() -> None:
    dp = AsyncDaypack.open("none")
    for name in ("pack", "search", "status"):
        awaited, plain = getattr(dp, name), getattr(Daypack, name)
        assert (awaited.__name__, awaited.__doc__) == (name, plain.__doc__)
        assert [*inspect.signature(awaited).parameters] == [*inspect.signature(plain).parameters][1:]
    assert dp.files.add.__doc__ == FilesDoor.add.__doc__
    assert [*inspect.signature(dp.files.add).parameters] == ["paths", "progress"]
    assert "remove_texts" in dir(dp.files)
    with pytest.raises(AttributeError, match="files has no method 'ad'"):
        dp.files.ad  # noqa: B018


def test_copies_of_a_store_are_made_and_brought_back_by_programs_that_await(tmp_path: Path) -> None:
    async def work() -> None:
        async with AsyncDaypack.open(tmp_path / "s", settings=WORDS) as dp:
            await dp.records.add([{"id": "kettle", "text": "a kettle of tea"}])
            await dp.backup(tmp_path / "b")
        assert len(await AsyncDaypack.backups(tmp_path / "b")) == 1
        assert (await AsyncDaypack.verify_backup(tmp_path / "b")) is not None
        await AsyncDaypack.restore(tmp_path / "b", tmp_path / "t")
        assert await AsyncDaypack.differences(tmp_path / "s", tmp_path / "t") == []
        async with AsyncDaypack.open(tmp_path / "t", settings=WORDS) as dp:
            assert (await dp.search("kettle")).candidates

    asyncio.run(work())


def test_a_call_after_close_says_that_the_store_is_closed(tmp_path: Path) -> None:
    async def work() -> None:
        dp = AsyncDaypack.open(tmp_path / "s", settings=WORDS)
        await dp.records.add([{"id": "kettle", "text": "a kettle of tea"}])
        await dp.close()
        await dp.close()
        for call in (dp.pack("tea"), dp.records.add([{"id": "pot", "text": "a pot of tea"}])):
            with pytest.raises(StoreClosed, match="is closed; ask inside its"):
                await call
        unused = AsyncDaypack.open(tmp_path / "s", settings=WORDS)
        await unused.close()
        with pytest.raises(StoreClosed):
            await unused.pack("tea")

    asyncio.run(work())
