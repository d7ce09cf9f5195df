"""Conversations and sessions of a store on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Noted, Said, Step
from daypack.errors import PackNotKept
from daypack.index import sent
from support import WORDS

NOW = 1_790_000_000.0


@pytest.fixture
def server(tmp_path: Path, new_store: Callable[[], str]) -> Iterator[Daypack]:
    root = tmp_path / "ferry"
    root.mkdir()
    (root / "tides.md").write_text("# Tides\n\nHigh water is at six.\n\n## Ebb\n\nLow water is at noon.\n")
    for name in ("anchor", "beacon", "cabin"):
        (root / f"{name}.md").write_text(f"# The {name}\n\nThe {name} is checked on Monday.\n")
    with Daypack.open(new_store(), root=root, settings=WORDS, clock=lambda: NOW) as opened:
        opened.files.add(root)
        yield opened


def test_a_server_keeps_or_drops_a_conversation_as_a_whole(
    server: Daypack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent, "KEPT", 2)
    first = server.pack("when is high water?", after="")
    second = server.pack("when is low water?", after=first.id)
    for name in ("anchor", "beacon", "cabin"):
        server.pack(f"when is the {name} checked?", budget=60, after="")
    with pytest.raises(PackNotKept):
        server.pack("when is high water?", after=second.id)


def test_a_server_answers_no_question_with_itself(server: Daypack) -> None:
    question = "When is high water?"
    server.sessions.add_steps([Step("old", NOW - 90_000, Said("assistant", "The high water flag is set."))])
    server.sessions.add_steps([Step("new", NOW - 20, Noted("session startup"))])
    server.sessions.add_steps([Step("new", NOW - 10, Said("user", question))])
    found = [hit.chunk.text for hit in server.search(question)]
    assert any("six" in text for text in found)
    assert {question, "session startup"}.isdisjoint(found)
    assert server.search("what did we do in the last session?").stats.time.endswith(", the last session")
    assert server.sessions.resume().session.id == "old"
