"""Conversations whose last message needs a certain place, written from reading before anything was run.

pronoun, ellipsis, deep, task, who   the message needs the turns before it
own, switch                          it is complete, about the same subject or another one
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
COMPLETE = ("own", "switch")


class Conversation(NamedTuple):
    """The last message of a conversation, the turns before it, and the message as a careful person would complete it."""

    id: str
    kind: str
    history: tuple[str, ...]
    text: str
    rewritten: str
    row: Mapping[str, Any]  # its gold

    @property
    def group(self) -> str:
        return "complete" if self.kind in COMPLETE else "follow-up"

    @property
    def joined(self) -> str:
        """The last question and the message in one text."""
        asked = [turn.partition(": ")[2] for turn in self.history if turn.startswith("user:")]
        return f"{asked[-1]} {self.text}"


WAYS: Mapping[str, Callable[[Conversation], tuple[str, Sequence[str]]]] = {
    "alone": lambda one: (one.text, ()),
    "joined": lambda one: (one.joined, ()),
    "history": lambda one: (one.text, one.history),
    "rewritten": lambda one: (one.rewritten, ()),
}
"""Way of asking → (the text, the turns before it)."""


def conversations(name: str) -> list[Conversation]:
    """Those of a file beside this one: `code` or `everyday`."""
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Conversation(row["id"], row["kind"], tuple(row["history"]), row["text"], row["rewritten"], row)
        for row in map(json.loads, lines)
    ]
