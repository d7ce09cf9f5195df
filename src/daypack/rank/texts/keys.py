"""Keys: the texts that hold an option, a variable or a name with hyphens letter for letter, as a question has it.

    question   where is the --dry-run option handled?
    code       flags.BoolVar(&dry, "dry-run", false, "only say what would be done")

Words are cut at hyphens and underscores, so every text about something dry that runs has the words of the option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts.pool import Texts
from daypack.text import analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ = 200  # texts that have all words of a key
# in code, on the scale of a quotation: few places read an option
MOST = 4.0


def holding(keys: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): 1 for other texts that hold one of the keys, `MOST` / √(chunks of code that hold it) for code."""
    code = texts.code
    found = np.zeros(len(code), dtype=np.float32)
    for key in keys:
        had = texts.having(analysis.terms(key))
        places = np.flatnonzero(had.all(axis=0))[: READ if len(had) else 0]
        pattern = _pattern(key)
        held = places[[pattern.search(text) is not None for text in texts.at(places)]]
        worth = np.where(code[held], MOST / max(1, int(code[held].sum())) ** 0.5, 1)
        found[held] = np.maximum(found[held], worth)
    return found


def _pattern(key: str) -> re.Pattern[str]:
    """Code names a key behind two hyphens or between quotation marks; a variable stands anywhere."""
    if "-" not in key:
        return re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
    return re.compile(rf"(?:[\"'`]|--){re.escape(key.removeprefix('--'))}(?![\w-])", re.IGNORECASE)
