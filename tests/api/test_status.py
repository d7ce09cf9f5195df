"""The vectors of each door, as the status of a store reports them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.embed import open_static
from daypack.engine.embedding import Embedding
from daypack.errors import ModelUnavailable
from daypack.surfaces.cli.core import status_screen
from support import WORDS

NOTES = [{"id": f"note{number}", "text": f"kettle {number} is descaled"} for number in range(3)]


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashed words for the encoder, beside the static table of the default one."""
    try:
        table = open_static()
    except ModelUnavailable:
        pytest.skip("the model files are not built")
    monkeypatch.setattr(Embedding, "static", table)


def vectors(dp: Daypack) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dp.status()["vectors"]
    return found


@pytest.mark.usefixtures("instant")
def test_a_door_is_instant_until_the_model_has_read_all_of_it(dp: Daypack) -> None:
    assert vectors(dp) == []
    dp.records.add(NOTES)
    entry = {"door": "records", "state": "instant", "chunks": 3, "encoded": 0}
    assert vectors(dp) == [entry]
    assert "\n  records  instant, 0 of 3 by the model\n" in status_screen(dp.status()).text
    dp.embed()
    dp.memories.remember("tea", "oolong")
    assert vectors(dp) == [
        {"door": "memories", "state": "instant", "chunks": 1, "encoded": 0},
        {**entry, "state": "complete", "encoded": 3},
    ]
    assert "\n  records  complete\n" in status_screen(dp.status()).text


@pytest.mark.usefixtures("instant")
def test_a_door_that_is_embedded_in_the_background_is_complete_from_the_next_text_on(dp: Daypack) -> None:
    dp.records.add(NOTES)
    assert dp.embed_in_background().wait(60)
    entry = {"door": "records", "state": "instant", "chunks": 3, "encoded": 3}
    assert vectors(dp) == [entry]
    by_model = "instant, 3 of 3 by the model, in use after the next change"
    assert f"\n  records  {by_model}\n" in status_screen(dp.status()).text
    dp.memories.remember("tea", "oolong")
    assert {**entry, "state": "complete"} in vectors(dp)


def test_without_a_static_table_a_door_is_partial(dp: Daypack) -> None:
    dp.records.add(NOTES)
    assert [entry["state"] for entry in vectors(dp)] == ["partial"]
    dp.embed()
    assert [entry["state"] for entry in vectors(dp)] == ["complete"]


def test_a_damaged_table_leaves_the_status_readable(dp: Daypack, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(name: str) -> None:
        raise ModelUnavailable(name, "the table is damaged")

    dp.records.add(NOTES)
    dp.engine.embedding.__dict__.pop("static", None)
    monkeypatch.setattr("daypack.engine.embedding.open_static", damaged)
    assert [entry["state"] for entry in vectors(dp)] == ["partial"]


def test_a_door_names_the_scopes_of_the_viewer_and_no_others(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS, owner="ana") as ana:
        ana.memories.remember("lunch", "soup at noon")
        assert [entry.keys() & {"scope"} for entry in vectors(ana)] == [set()]
        ana.memories.remember("deploy", "thursday", shared=True)
        ana.records.add([{"id": "a", "text": "hot", "scope": "x"}, {"id": "b", "text": "cold", "scope": "y"}])
        with Daypack.open(tmp_path / "s", settings=WORDS, owner="ben") as ben:
            ben.memories.remember("lunch", "salad at one")
            ben.memories.remember("dinner", "late")
        entries = vectors(ana)
        assert [(entry["door"], entry["chunks"]) for entry in entries] == [
            ("memories", 1),
            ("memories", 1),
            ("records", 2),
        ]
        assert [entry["scope"].split("\x1f")[0] for entry in entries if "scope" in entry] == ["*", "ana"]
        assert "ben" not in str(entries)
        text = status_screen(ana.status()).text
        assert "\n  memories partial, 0 of 2 by the model\n" in text
        assert text.count("\n  memories ") == 1


def test_remarks_on_an_answer_do_not_count_chunks_that_the_model_has_not_read(dp: Daypack) -> None:
    from daypack.surfaces.cli.asking import summary_of

    dp.records.add(NOTES)
    assert "vector" not in summary_of(dp.pack("kettle", vectors="none"))
    assert "vector" not in summary_of(dp.pack("kettle"))
