"""Nobody reads, changes or counts what belongs to another person or project, whatever they say of themselves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support_probes import CANARY, MARK, OTHER_PROJECT, PRIVATE, TEAM_VERBS, marked, probes
from support_team import TeamServer, serving

from daypack.surfaces.toolsets import verbs
from daypack.verbs import Access
from daypack.verbs.notes import Reach
from support import Clock

IDENTITY = re.compile(r"user|owner|person|author|account|tenant|project|member|^path$|^url$|^root$")


async def filled(server: TeamServer) -> None:
    for number, (verb, arguments) in enumerate(PRIVATE):
        done = await server.ask("ana@pay", verb, marked(arguments, "pay", "ana", number))
        assert done.status == 200, (verb, done.text)
    for number, (verb, arguments) in enumerate(OTHER_PROJECT):
        done = await server.ask("carol@ship", verb, marked(arguments, "ship", "carol", number))
        assert done.status == 200, (verb, done.text)
    for verb, arguments in (
        ("remember", {"key": "diary/day", "value": "ben walks the dog"}),
        ("insert", {"collection": "teas", "document": {"_id": 1, "name": "Sencha"}}),
    ):
        assert (await server.ask("ben@pay", verb, arguments)).status == 200


SPOOFS: list[Mapping[str, str]] = [
    {},
    {"Daypack_Project": "ship"},
    {"Daypack_Project": "../ship"},
    {"X_Forwarded_User": "ana", "X_Remote_User": "ana", "Daypack_User": "ana", "Daypack_Owner": "ana"},
    {"Cookie": "daypack-8377=guess"},
]


@pytest.mark.slow
def test_no_probe_of_any_verb_reaches_another_person_or_project(tmp_path: Path) -> None:
    async def probe() -> int:
        count = 0
        async with serving(tmp_path / "team") as server:
            await filled(server)
            before = await everything_of_ana(server)
            for name in TEAM_VERBS:
                for arguments in probes(name):
                    for who, headers in (("ben", {}), ("ben@pay", {}), ("rita", {})):
                        done = await server.ask(who, name, arguments, **headers)
                        count += 1
                        assert done.status in (200, 403, 404, 422), (name, arguments, done.text)
                        assert MARK.findall(done.text) == [], (name, arguments, who, done.text)
                for spoof in SPOOFS:
                    done = await server.ask("ben", name, probes(name)[0], **spoof)
                    count += 1
                    assert MARK.findall(done.text) == [], (name, spoof, done.text)
                    if spoof.get("Daypack_Project"):
                        assert (done.status, done.data["code"]) == (403, "not_a_member"), (name, spoof)
            assert await everything_of_ana(server) == before, "somebody changed what is ana's"
        return count

    assert asyncio.run(probe()) > 1_500


async def everything_of_ana(server: TeamServer) -> list[Any]:
    found = []
    for verb, arguments in (
        ("list_memories", {}),
        ("memory_history", {"key": "diary/day"}),
        ("list_sources", {}),
        ("list_sources", {"session_id": "s1"}),
        ("get_preferences", {"workflow": "reply"}),
    ):
        done = await server.ask("ana@pay", verb, arguments)
        assert done.status == 200
        assert CANARY in done.text, (verb, arguments)
        # ben may write to the memories and texts that the project shares
        own = re.sub(r'"(accessed_at|recalls|total|tokens?)": ?[^,}]*', "", done.text)
        found.append([part for part in re.findall(r"\{[^{}]*\}", own) if CANARY in part])
    return found


def test_the_canaries_are_there_for_their_owners(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "team") as server:
            await filled(server)
            assert len((await everything_of_ana(server))[0]) > 0
            found = await server.ask("carol", "find", {"collection": CANARY})
            assert CANARY in found.text
            found = await server.ask("carol", "pack", {"query": f"what is a {CANARY}?"})
            assert f"global {CANARY}" in found.text
            assert f"all about the {CANARY}" in found.text

    asyncio.run(look())


def test_no_verb_of_a_team_takes_a_name_or_a_place(tmp_path: Path) -> None:
    """A new parameter that names a person, a project or a file needs a decision: `Reach`, or the list here."""
    harmless = {("code_pack", "path"), ("symbols", "path"), ("find", "projection")}  # over stored names
    taken = [
        (name, one.name)
        for name, verb in TEAM_VERBS.items()
        for one in verb.parameters
        if IDENTITY.search(one.name)
        and (name, one.name) not in harmless
        and not one.name.startswith("include_")
    ]
    assert taken == []
    marked = {(name, one.name) for name, verb in verbs().items() for one in verb.parameters if one.reach}
    assert ("retrieve_context", "user_id") in marked
    assert {one.reach for verb in verbs().values() for one in verb.parameters} == {None, *Reach}


def test_no_verb_of_a_team_runs_commands_or_reaches_another_machine() -> None:
    assert {"ctx_batch_execute", "ctx_fetch_and_index"}.isdisjoint(TEAM_VERBS)
    assert {name for name, verb in verbs().items() if verb.fetches}.isdisjoint(TEAM_VERBS)


def test_a_role_bounds_the_verbs(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            for name, verb in TEAM_VERBS.items():
                for who, allowed in (
                    ("rita", Access.READ),
                    ("will", Access.WRITE),
                    ("ben", Access.DANGEROUS),
                ):
                    done = await server.ask(who, name, {})
                    if allowed.allows(verb.access):
                        assert done.status in (200, 404, 422), (who, name, done.text)
                    else:
                        assert (done.status, done.data["code"]) == (403, "role_too_low"), (
                            who,
                            name,
                            done.text,
                        )
                        assert "ask an administrator" in done.data["detail"]

    asyncio.run(ask())


def test_a_server_that_only_reads_offers_no_write_to_anybody(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team", ceiling=Access.READ) as server:
            assert (await server.ask("ana@pay", "remember", {"key": "a", "value": "b"})).status == 404
            assert (await server.ask("ana@pay", "status")).status == 200

    asyncio.run(ask())


def test_without_a_token_that_counts_nothing_is_answered(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            for name in TEAM_VERBS:
                assert (await server.ask("nobody", name, {})).status == 401
                assert (await server.ask("ben", name, {}, Authorization="")).status == 401
            store_token = tmp_path / "team" / "token"
            store_token.write_text("x" * 43)
            assert (await server.ask("ben", "status", {}, Authorization=f"Bearer {'x' * 43}")).status == 401
            with server.admin() as dp:
                (ours,) = [one for one in dp.team.tokens() if one.person == "ben" and not one.project]
                assert (await server.ask("ben", "status")).status == 200
                dp.team.revoke_token(ours.id)
            ended = await server.ask("ben", "status")
            assert (ended.status, ended.data["code"]) == (401, "token_ended")

    asyncio.run(ask())


def test_who_has_several_projects_names_one(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            asked = await server.ask("ana", "status")
            assert (asked.status, asked.data["code"]) == (403, "not_a_member")
            assert "pay, ship" in asked.data["detail"]
            assert (await server.ask("ana", "status", Daypack_Project="ship")).status == 200

    asyncio.run(ask())


# ---------------------------------------------------------------- any two people, any operations

WORDS = ["kettle", "teapot", "ledger", "oolong", "budget", "harbour"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
KEYS = st.sampled_from(["tea/kind", "tea/pot", "money"])
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), st.fixed_dictionaries({"key": KEYS, "value": TEXTS})),
        st.tuples(st.just("forget"), st.fixed_dictionaries({"key": KEYS})),
        st.tuples(
            st.just("store_source"),
            st.fixed_dictionaries(
                {
                    "kind": st.just("decision_outcome"),
                    "text": TEXTS,
                    "scope": st.sampled_from(["user", "session"]),
                }
            ),
        ),
        st.tuples(
            st.just("upsert_source"),
            st.fixed_dictionaries({"source_key": KEYS, "text": TEXTS, "scope": st.just("user")}),
        ),
        st.tuples(
            st.just("update_preference"),
            st.fixed_dictionaries({"workflow": st.just("reply"), "name": st.just("note"), "value": TEXTS}),
        ),
        st.tuples(st.just("pack"), st.fixed_dictionaries({"query": TEXTS, "after": st.just("")})),
        st.tuples(st.just("recall"), st.fixed_dictionaries({"key": KEYS})),
    ),
    max_size=6,
)
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list_memories", {}), ("list_tags", {}), ("recall", {"key": "tea/kind"}), ("memory_history", {"key": "tea/pot"}),
    ("search", {"queries": ["kettle teapot", "oolng budget"]}), ("pack", {"query": "the ledger of the harbour", "budget": 500}),
    ("pack_context", {"topic": "oolong kettle"}), ("list_sources", {}), ("source_stats", {}),
    ("retrieve_context", {"query": "budget ledger"}), ("assemble_context", {"query": "kettle harbour"}), ("get_preferences", {}),
    ("relate_memories", {"key": "money"}), ("session_timeline", {}),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(mine=OPERATIONS, theirs=OPERATIONS, shared=st.lists(TEXTS, max_size=2))
def test_a_person_sees_what_they_would_see_with_nobody_beside_them(
    tmp_path_factory: pytest.TempPathFactory,
    mine: list[tuple[str, dict[str, Any]]],
    theirs: list[tuple[str, dict[str, Any]]],
    shared: list[str],
) -> None:
    async def seen(folder: Path, *, alone: bool) -> list[str]:
        found, clock = [], Clock()
        async with serving(folder, clock=clock) as server:
            for number, text in enumerate(shared):
                await server.ask("will", "remember", {"key": f"team/{number}", "value": text, "shared": True})
            for number in range(max(len(mine), len(theirs))):
                clock.now += 60
                if not alone and number < len(theirs):
                    await server.ask("ana@pay", *theirs[number])
                    await server.ask("carol", *theirs[number])
                if number < len(mine):
                    done = await server.ask("ben", *mine[number])
                    found.append(f"{done.status} {done.text}")
            for verb, arguments in LOOKS:
                done = await server.ask("ben", verb, arguments)
                found.append(f"{verb} {done.status} {done.text}")
        return [scrubbed(text) for text in found]

    alone = asyncio.run(seen(tmp_path_factory.mktemp("alone") / "t", alone=True))
    beside = asyncio.run(seen(tmp_path_factory.mktemp("beside") / "t", alone=False))
    assert beside == alone


def scrubbed(text: str) -> str:
    """An answer without IDs, which are random or only say how much was ever written, without the tokens of those, and without
    the times of the last reading: a shared memory has one for all.
    """
    text = re.sub(r"Pack \w+\]", "PACK", text)
    text = re.sub(r"(\w+_id\"): ?\d+", r"\1:_", text)
    text = re.sub(
        r'"(id|ids|pack|record_id|number|chunk_id|used|tokens?|accessed_at)": ?(\[[^\]]*\]|"[^"]*"|[\d.]+|null)',
        r'"\1":_',
        text,
    )
    return re.sub(r"@[0-9a-f]{3}\b", "@HASH", re.sub(r"\b[0-9a-f]{16,64}\b", "HASH", text))
