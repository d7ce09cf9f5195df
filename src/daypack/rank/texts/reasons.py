"""Reasons: texts that say why, near the words of a question that asks why.

question   why is the pool emptied at midnight?
reason     The pool is emptied at midnight, because the bank cuts idle connections then.
no reason  def empty_pool(at: time) -> None: …
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from daypack.text import analysis
from daypack.types.arrays import Floats

NO_REASON_PRIOR = 0.7  # docs/decisions/040-reasons.md
NEAR = 250  # characters before and after a word for a reason; 120 to 500 is flat
ENOUGH = 0.5  # share of the rarity of the question's terms that is sure to be meant beside a reason. guess

# "Why should I use it?" asks for advantages.
_ASKS = re.compile(
    r"(?i)\bwhy\b(?! (?:should|would) (?:i|one|we|you)\b)|\bhow come\b|\b(?:reasons?|rationale|motivation) (?:for|behind|that)\b"
)
# of a text in lower case; each begins with letters, so that a search skips the rest of a text. Not of a name or a key called `reason`.
_GIVES = re.compile(
    r"(?:because|so that|in order to|otherwise|therefore|due to|rather than|prevent(?:s|ed|ing)?|avoids?|reasons?)\b(?! ?[:=(])"
    r"|so (?<=[,;] so )|since (?<!@since )(?!version\b|v\d)[^\W\d_]"
)


def asks_for_reason(question: str) -> bool:
    """True when a question asks why."""
    return _ASKS.search(question) is not None


def reason_priors(texts: Iterable[str], rarities: Mapping[str, float]) -> Floats:
    """The prior of each text from `NO_REASON_PRIOR` to 1: the more of the question's terms, by rarity, are near a reason."""
    enough = ENOUGH * sum(rarities.values()) or 1.0
    near = (min(1.0, _said_near_reason(text, rarities) / enough) for text in texts)
    return np.asarray([NO_REASON_PRIOR + (1 - NO_REASON_PRIOR) * share for share in near], dtype=np.float32)


def _said_near_reason(text: str, rarities: Mapping[str, float]) -> float:
    """The most rarity of the question's terms near one reason of a text; 0 for a text without a reason."""
    said = (
        rarities.keys() & analysis.terms(text[max(0, match.start() - NEAR) : match.end() + NEAR])
        for match in _GIVES.finditer(text.lower())
    )
    return max((sum(map(rarities.__getitem__, terms)) for terms in said), default=0.0)
