"""A question as the engine takes it, and the conversation that it belongs to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from daypack.text.storable import text_hash
from daypack.types import VectorMode

if TYPE_CHECKING:
    from daypack.filters import Filter
    from daypack.ports import Revise, Viewer
    from daypack.types import Query, SearchStats, Turn


class Question(NamedTuple):
    """The conditions under which a text is asked. The last four are for doors that answer in their own way."""

    mode: VectorMode = VectorMode.AUTO
    condition: Filter | None = None
    """The records that may answer; None for all that the viewer sees."""
    stats: SearchStats | None = None
    """The facts of the refresh before the question, to which those of the search are added."""
    revised: Revise | None = None
    """Revises the candidates before the answer is chosen from them."""
    history: tuple[Turn, ...] = ()
    """The turns of the conversation before the question, oldest first."""
    query: Query | None = None
    """Asked instead of the query that the text makes; its answer is never empty for lack of relevance."""
    by_words: bool = False
    """The words of such a query tell whether its answer is weak, as they do for a text."""
    depth: int | None = None
    """Candidates of a pack; None for the packer's own number."""


PLAIN = Question()


class Conversation(NamedTuple):
    """The asker of a pack, and the ID of the pack before it: "" begins a conversation, None asks for no ID in the
    text. `beyond` sees all that any question of the asker may show; None sees no more than `viewer`.
    """

    viewer: Viewer
    after: str | None = None
    beyond: Viewer | None = None

    @property
    def asker(self) -> str:
        """A digest of the viewer, so that the table of sent packs holds no name."""
        return text_hash(json.dumps(self.viewer))
