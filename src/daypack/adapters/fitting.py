"""Texts of any origin, cut and chosen for a budget: what `FitToBudget` of each framework does.

The texts pass through one temporary store of the process, which is empty between calls. They are ranked by words and
instant vectors; no model runs.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from daypack.adapters.shared import StoreThread
from daypack.api import Daypack
from daypack.errors import InputError
from daypack.settings import Settings
from daypack.text.checks import member
from daypack.types import Budget, Excerpt, Record, Tokenizer


def fitted(
    texts: Sequence[str], query: str, *, budget: int, tokenizer: str = "o200k"
) -> list[tuple[int, Excerpt]]:
    """(index of a text, its part that is kept), best for the query first; together they count at most `budget`.

    A text stays whole, is cut to the part that the query asks for, or is dropped. Raises InputError and BadBudget.
    """
    if not isinstance(query, str) or not query.strip():
        raise InputError("the choice of texts depends on the question, and it is empty; give the query")
    counter = member(Tokenizer, tokenizer)

    def work(daypack: Daypack) -> list[tuple[int, Excerpt]]:
        named = {str(number): text for number, text in enumerate(texts) if text.strip()}
        # The API would keep what each pack shows, and rewrite the file after each call.
        engine = daypack.engine
        try:
            engine.ingestion.add(Record(name, text, door="records", uri=name) for name, text in named.items())
            pack = engine.pack(query, Budget(budget, counter))
        finally:
            engine.ingestion.remove("records", "", [*named])
        return [(int(one.citation.uri), one) for one in pack.excerpts]

    return _store(os.getpid()).ask(work)


def with_kept(metadata: Mapping[str, Any], text: str, kept: Excerpt) -> dict[str, Any]:
    """The metadata of a text once it is cut to the part `kept`.

    Lines and characters that tell the place of the text in its file then tell that of the part. Without such lines,
    those of the part in the text are `text_start_line` and `text_end_line`.
    """
    first, last, index = (metadata.get(name) for name in ("start_line", "end_line", "start_index"))
    span = kept.citation.span
    found = {**metadata, "variant": kept.variant.value, "tokens": kept.tokens}
    if type(first) is int and type(last) is int and last - first == text.removesuffix("\n").count("\n"):
        found |= {"start_line": first + span.start_line - 1, "end_line": first + span.end_line - 1}
    else:
        found |= {"text_start_line": span.start_line, "text_end_line": span.end_line}
    if type(index) is int:  # of LangChain's splitters
        found["start_index"] = index + span.start
    return found


@cache
def _store(process: int) -> StoreThread:  # a forked child has none of its parent's threads
    folder = tempfile.TemporaryDirectory(prefix="daypack-")
    found = StoreThread(lambda: Daypack.open(folder.name, settings=Settings(rescored=0, refresh=False)))
    atexit.register(lambda: folder.cleanup() if os.getpid() == process else None)
    return found
