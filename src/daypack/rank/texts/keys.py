"""Keys: the texts that hold an option, a variable, a route or a name with hyphens or dots letter for letter, as a question has it.

    question   where is the --dry-run option handled?
    code       flags.BoolVar(&dry, "dry-run", false, "only say what would be done")

Words are cut at hyphens and underscores, so every text about something dry that runs has the words of the option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts.pool import MOST, Texts
from daypack.text import analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray


def holding(keys: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): 1 for other texts that hold one of the keys, `MOST` / √(chunks of code that hold it) for code."""
    code = texts.code
    found = np.zeros(len(code), dtype=np.float32)
    for key in keys:
        places = texts.having_all(analysis.terms(key))
        pattern = _pattern(key)
        held = places[[pattern.search(text) is not None for text in texts.at(places)]]
        worth = np.where(code[held], MOST / max(1, int(code[held].sum())) ** 0.5, 1)
        found[held] = np.maximum(found[held], worth)
    return found


def _pattern(key: str) -> re.Pattern[str]:
    """Code names a key behind two hyphens or between quotation marks; a variable and a long route or name stand anywhere."""
    if key.strip("/").count("/") or ("-" not in key and key.count(".") != 1 and key[0] != "/"):
        before = r"[\w.]" if "." in key else r"\w"
        return re.compile(rf"(?<!{before}){re.escape(key)}(?![\w-])")
    return re.compile(
        rf"(?:[\"'`]|--|^[ \t]*){re.escape(key.removeprefix('--'))}(?![\w-])", re.IGNORECASE | re.MULTILINE
    )
