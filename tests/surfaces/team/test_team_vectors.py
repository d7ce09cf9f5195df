"""A team server gives a vector to those alone who prove that they hold its text."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_team import TeamServer, serving

from daypack.surfaces.team import vectors as module
from daypack.surfaces.team.lines import vector_out
from daypack.team.proofs import key_of, proof_of, proves
from daypack.text.storable import text_digest

TEXT, OTHER = "the quokkaria sleeps at noon", "the quokkaria wakes at night"
MODEL = {"model": "hashing-8", "dim": 8}
VECTOR = vector_out(0.004, bytes(range(8)))


@pytest.fixture(params=["file", "server"])
def url(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "file" else str(request.getfixturevalue("new_store")())


def row(text: str) -> dict[str, Any]:
    return {"mark": text_digest(text).hex(), "key": key_of(text).hex(), **VECTOR}


async def nonce_of(server: TeamServer, who: str) -> bytes:
    return bytes.fromhex((await server.ask(who, "team/vectors/challenge")).data["nonce"])


async def taken(server: TeamServer, who: str, nonce: bytes, proofs: dict[bytes, bytes], **model: Any) -> Any:
    said = {mark.hex(): proof.hex() for mark, proof in proofs.items()}
    asked = {**MODEL, **model, "nonce": nonce.hex(), "proofs": said}
    return await server.ask(who, "team/vectors/take", asked)


def test_a_false_proof_is_answered_like_an_unknown_text(tmp_path: Path, url: str) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team", url=url) as server:
            assert (
                await server.ask("ana@pay", "team/vectors/give", {**MODEL, "vectors": [row(TEXT)]})
            ).data == {"added": 1}
            assert (await server.ask("ben", "team/vectors/give", {**MODEL, "vectors": [row(TEXT)]})).data == {
                "added": 0
            }
            mark, key = text_digest(TEXT), key_of(TEXT)
            nonce = await nonce_of(server, "ben")
            right = await taken(server, "ben", nonce, {mark: proof_of(key, nonce, mark)})
            assert right.data == {"vectors": {mark.hex(): VECTOR}}
            unknown = text_digest(OTHER)
            for build in (
                lambda nonce: {mark: secrets.token_bytes(32)},
                lambda nonce: {mark: bytes(32)},
                lambda nonce: {mark: key},  # the key itself, which is never sent for a proof
                lambda nonce: {mark: proof_of(key_of(OTHER), nonce, mark)},  # of another text
                lambda nonce: {mark: proof_of(key, nonce, unknown)},  # for another mark
                lambda nonce: {mark: proof_of(key, secrets.token_bytes(32), mark)},  # to another nonce
                lambda nonce: {
                    mark: proof_of(text_digest(TEXT), nonce, mark)
                },  # with the mark, which travels
                lambda nonce: {
                    unknown: proof_of(key_of(OTHER), nonce, unknown)
                },  # of a text that no colleague gave
            ):
                nonce = await nonce_of(server, "ben")
                found = await taken(server, "ben", nonce, build(nonce))
                assert (found.status, found.data) == (200, {"vectors": {}})

    asyncio.run(ask())


def test_a_nonce_counts_once_for_its_person_and_for_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            await server.ask("ana@pay", "team/vectors/give", {**MODEL, "vectors": [row(TEXT)]})
            mark, key = text_digest(TEXT), key_of(TEXT)
            nonce = await nonce_of(server, "ben")
            proof = {mark: proof_of(key, nonce, mark)}
            assert (await taken(server, "will", nonce, proof)).status == 400, "the nonce of another person"
            assert (await taken(server, "ben", nonce, proof)).status == 400, "and it is used up by that"
            nonce = await nonce_of(server, "ben")
            proof = {mark: proof_of(key, nonce, mark)}
            assert len((await taken(server, "ben", nonce, proof)).data["vectors"]) == 1
            assert (await taken(server, "ben", nonce, proof)).status == 400, "used"
            nonce = await nonce_of(server, "ben")
            monkeypatch.setattr(module, "SECONDS", -1.0)
            assert (await taken(server, "ben", nonce, {mark: proof_of(key, nonce, mark)})).status == 400, (
                "old"
            )

    asyncio.run(ask())


def test_vectors_stay_in_their_project_and_with_their_model(tmp_path: Path, url: str) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team", url=url) as server:
            await server.ask("ana@pay", "team/vectors/give", {**MODEL, "vectors": [row(TEXT)]})
            mark, key = text_digest(TEXT), key_of(TEXT)
            for who, model, count in (
                ("carol", {}, 0), ("ana@ship", {}, 0), ("rita", {}, 1), ("will", {"model": "another"}, 0), ("will", {"dim": 9}, 0),
            ):  # fmt: skip
                nonce = await nonce_of(server, who)
                found = await taken(server, who, nonce, {mark: proof_of(key, nonce, mark)}, **model)
                assert len(found.data["vectors"]) == count, (who, model)
            assert (
                await server.ask("rita", "team/vectors/give", {**MODEL, "vectors": [row(OTHER)]})
            ).status == 403
            assert (await server.ask("nobody", "team/vectors/challenge")).status == 401

    asyncio.run(ask())


def test_who_gives_a_false_key_takes_the_vector_from_no_one(tmp_path: Path) -> None:
    """A second key under the same mark stands beside the first: the holder of the text finds theirs."""

    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            false = {**row(TEXT), "key": secrets.token_hex(32)}
            for given_row in (false, row(TEXT)):
                await server.ask("will", "team/vectors/give", {**MODEL, "vectors": [given_row]})
            nonce, mark = await nonce_of(server, "ben"), text_digest(TEXT)
            found = await taken(server, "ben", nonce, {mark: proof_of(key_of(TEXT), nonce, mark)})
            assert found.data == {"vectors": {mark.hex(): VECTOR}}

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("verb", "changed"),
    [
        ("give", {"dim": 9}), ("give", {"model": ""}), ("give", {"dim": 0}), ("give", {"vectors": [{}]}), ("give", {"vectors": "x"}),
        ("give", {"vectors": [{**row(TEXT), "scale": float(2)}]}), ("give", {"vectors": [{**row(TEXT), "codes": "!"}]}),
        ("give", {"vectors": [{**row(TEXT), "mark": "00"}]}), ("take", {"proofs": {"00": "00"}}), ("take", {"proofs": []}),
        ("take", {"nonce": "00", "proofs": {}}), ("take", {"nonce": 7, "proofs": {}}),
    ],
)  # fmt: skip
def test_a_malformed_request_is_refused(tmp_path: Path, verb: str, changed: dict[str, Any]) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            nonce = await nonce_of(server, "ben")
            body = {**MODEL, "nonce": nonce.hex(), "vectors": [row(TEXT)], **changed}
            assert (await server.ask("ben", f"team/vectors/{verb}", body)).status == 400

    asyncio.run(ask())


@given(st.text(), st.text(), st.binary(min_size=32, max_size=32))
def test_a_proof_holds_for_its_text_alone(text: str, other: str, nonce: bytes) -> None:
    mark = text_digest(text)
    proof = proof_of(key_of(text), nonce, mark)
    assert proves(proof, key_of(text), nonce, mark)
    assert proves(proof, key_of(other), nonce, mark) == (text == other)
