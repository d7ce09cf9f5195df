"""Texts of any origin, cut and chosen for a budget: what `FitToBudget` of each framework does.

The texts pass through one temporary store of the process, which is empty between calls. They are ranked by words and
instant vectors; no model runs.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Sequence
from functools import cache

from daypack.adapters.shared import StoreThread, facts
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


def kept_lines(excerpt: Excerpt) -> dict[str, object]:
    """Facts of the part that is kept of a text."""
    found = facts(excerpt)
    return {name: found[name] for name in ("start_line", "end_line", "variant", "tokens")}


@cache
def _store(process: int) -> StoreThread:  # a forked child has none of its parent's threads
    folder = tempfile.TemporaryDirectory(prefix="daypack-")
    found = StoreThread(lambda: Daypack.open(folder.name, settings=Settings(rescored=0, refresh=False)))
    atexit.register(lambda: folder.cleanup() if os.getpid() == process else None)
    return found
