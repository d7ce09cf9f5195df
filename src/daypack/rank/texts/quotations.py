"""Quotations: the texts that hold a quoted string, letter for letter but for case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts.pool import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quoting(quoted: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): 1 for other texts that hold one of the strings. In code 1 / √(chunks of code that hold it), as for definitions:
    a message occurs where it is raised, "error" everywhere.
    """
    code = texts.code
    found = np.zeros(len(code), dtype=np.float32)
    if not quoted:
        return found
    folded = [text.casefold() for text in texts.at(np.arange(len(code)))]
    for wanted in {text.casefold() for text in quoted}:
        held = np.asarray([wanted in text for text in folded], dtype=bool)
        share = np.where(code, 1 / max(1, int((held & code).sum())) ** 0.5, 1.0)
        found = np.maximum(found, held * share).astype(np.float32)
    return found
