"""Quotas, the log and the numbers of a team server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from support_team import OPERATOR, TeamServer, serving

from daypack.surfaces.team.ledger import BOUNDS, Ledger, metrics
from daypack.team.errors import ProjectFull, TooManyWrites
from daypack.team.types import Person, Project
from support import daypack

ANA = Person(1, "ana", 0.0, None, 3)
PAY = Project(1, "pay", 0.0, 1000)


def test_a_quota_of_writes_holds_for_any_minute() -> None:
    now = [0.0]
    ledger = Ledger(lambda: now[0])
    for at in (0.0, 10.0, 20.0):
        now[0] = at
        ledger.take_write(ANA)
    now[0] = 50.0
    with pytest.raises(TooManyWrites, match=r"3 writes a minute .* try again in 10 s"):
        ledger.take_write(ANA)
    now[0] = 60.0
    ledger.take_write(ANA)
    with pytest.raises(TooManyWrites):
        ledger.take_write(ANA)
    ledger.take_write(ANA._replace(id=2))
    assert ledger.refused["writes"] == 2


def test_a_small_quota_is_shown_as_it_is(tmp_path: Path) -> None:
    for size, shown in (
        ("1", "at most 1 byte"),
        ("900", "at most 900 bytes"),
        ("5KB", "at most 5 KB"),
        ("500MB", "at most 500 MB"),
    ):
        said = daypack("team", "project", "add", f"p{size.lower()}", "--bytes", size, cwd=tmp_path)
        assert shown in said.stdout


def test_a_lowered_quota_counts_at_once() -> None:
    now = [0.0]
    ledger = Ledger(lambda: now[0])
    for _ in range(3):
        ledger.take_write(ANA)
        now[0] += 1
    with pytest.raises(TooManyWrites) as refused:
        ledger.take_write(ANA._replace(writes=1))
    assert refused.value.seconds == 59.0


def test_a_full_project_takes_no_more() -> None:
    ledger = Ledger()
    ledger.check_room(PAY, 999)
    with pytest.raises(ProjectFull, match="delete what is not needed"):
        ledger.check_room(PAY, 1000)


def test_the_histogram_counts_every_call_once() -> None:
    ledger = Ledger()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.01, 1e9):
        ledger.count("pack", 200, seconds)
    text = metrics(ledger, sizes={}, limits={}, waiting={})
    buckets = [int(count) for count in re.findall(r'_bucket\{verb="pack",le="[^"]+"\} (\d+)', text)]
    assert len(buckets) == len(BOUNDS) + 1
    assert buckets == sorted(buckets)
    assert (buckets[0], buckets[1], buckets[-2], buckets[-1]) == (2, 3, 3, 4)
    assert 'daypack_request_seconds_count{verb="pack"} 4' in text


def change(server: TeamServer, *, person: str = "", writes: int = 0, most_bytes: int = 0) -> None:
    with server.admin() as dp:
        if writes:
            dp.team.change_person(person, writes=writes)
        if most_bytes:
            dp.team.change_project("pay", most_bytes=most_bytes)


def test_a_write_too_many_is_told_when_to_come_back(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            change(server, person="ben", writes=2)
            found = [
                await server.ask("ben", "remember", {"key": f"k{number}", "value": "v"})
                for number in range(3)
            ]
            assert [one.status for one in found] == [200, 200, 429]
            assert found[2].data["code"] == "too_many_writes"
            assert int(found[2].headers["retry-after"]) > 2
            assert (await server.ask("ben", "list_memories")).status == 200, "reading has no quota"
            assert (await server.ask("will", "remember", {"key": "k", "value": "v"})).status == 200

    asyncio.run(ask())


@pytest.fixture(params=["file", "server"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of a team's store on a server, or "" for one in a folder."""
    return "" if request.param == "file" else str(request.getfixturevalue("new_store")())


def test_a_full_project_can_still_be_emptied(tmp_path: Path, url: str) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team", url=url) as server:
            assert (await server.ask("ben", "remember", {"key": "k", "value": "v"})).status == 200
            change(server, most_bytes=1)
            refused = await server.ask("ben", "remember", {"key": "k2", "value": "v"})
            assert (refused.status, refused.data["code"]) == (413, "project_full")
            assert (await server.ask("ben", "forget", {"key": "k"})).status == 200

    asyncio.run(ask())


def test_the_log_says_who_did_what_and_no_text(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            await server.ask("ben", "remember", {"key": "quokka/food", "value": "quokkas eat leaves"})
            with server.admin() as dp:  # the line of a write is there before its answer
                (act, *_) = dp.team.acts(person="ben")
                assert (act.action, act.project, act.details["verb"], act.details["status"]) == (
                    "write", "pay", "remember", 200,
                )  # fmt: skip
                assert "version" in act.details
            await server.ask("ben", "search", {"queries": ["quokka"]})
            await server.ask("rita", "forget", {"key": "quokka/food"})
            await server.ask("ben", "forget", {"key": "quokka/food"})
        with server.admin() as dp:
            acts = [
                (one.person, one.action, one.details["verb"], one.details["status"])
                for one in dp.team.acts(limit=4)
            ]
            assert acts[::-1] == [
                ("ben", "write", "remember", 200), ("ben", "ask", "search", 200),
                ("rita", "remove", "forget", 403), ("ben", "remove", "forget", 200),
            ]  # fmt: skip
            assert "quokka" not in str(dp.team.acts())
            assert dp.team.broken_lines() == 0

    asyncio.run(ask())


def test_the_numbers_are_for_the_operator_who_sees_nothing_else(tmp_path: Path, url: str) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team", url=url) as server:
            server.tokens["operator"] = OPERATOR
            await server.ask("ben", "remember", {"key": "k", "value": "v"})
            await server.ask("rita", "remember", {"key": "k", "value": "v"})
            found = await server.request("GET", "/metrics", "operator")
            assert found.status == 200
            assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
            assert 'daypack_requests_total{verb="remember",status="200"} 1' in found.text
            assert 'daypack_requests_total{verb="remember",status="403"} 1' in found.text
            assert re.search(r'daypack_project_bytes\{project="pay"\} [1-9]\d+', found.text)
            for line in found.text.splitlines():
                assert re.fullmatch(r'# (HELP|TYPE) .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.]+', line), (
                    line
                )
            assert (await server.request("GET", "/metrics", "ben")).status == 403
            assert (await server.request("GET", "/metrics", "nobody")).status == 401
            for path in ("/v1/status", "/", "/mcp", "/openapi.json", "/memories"):
                assert (await server.request("GET", path, "operator")).status == 403, path
            assert (await server.request("GET", "/health", "nobody", Authorization="")).status == 200

    asyncio.run(ask())


def test_a_server_whose_people_cannot_be_read_is_not_healthy(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            (tmp_path / "team" / "daypack.db").write_bytes(b"rubbish" * 1000)
            found = await server.request("GET", "/health", "nobody", Authorization="")
            assert (found.status, found.data["code"]) == (503, "unhealthy")

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("team.example.org", "", 200),
        ("team.example.org", "https://team.example.org", 200),
        ("team.example.org:8377", "http://team.example.org:8377", 200),
        ("team.example.org", "https://evil.example", 403),
        ("team.example.org", "https://team.example.org.evil.example", 403),
        ("127.0.0.1:8377", "https://127.0.0.1:8377", 403),
        ("127.0.0.1", "", 421),
        ("evil.example", "", 421),
    ],
)
def test_a_proxy_with_tls_is_asked_by_the_name_that_was_given(
    tmp_path: Path, host: str, origin: str, status: int
) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            assert (await server.ask("ben", "list_tags", Host=host, Origin=origin)).status == status

    asyncio.run(ask())
