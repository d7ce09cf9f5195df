"""Numbers: texts that begin with the heading of a section whose number the question names.

    question   what does section 4.2 require?
    text       4.2. Notice of a meeting

To the index, "4.2" is a 4 and a 2, as in many other numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from daypack.rank.texts.pool import Texts
from daypack.text import analysis
from daypack.types.arrays import Floats, Ints

WITHIN = 0.8  # of 60 sections, packs of 500 tokens hold .70; .65 with 0.5, .56 with 0
_HEAD = 600  # characters: headings of higher levels may be above it
_WORD = r"(?:[^\W\d_]{3,12}[ \t\u00a0]+|§[ \t]?)?"  # "Section", "Article"


def headed(numbers: Sequence[str], texts: Texts, sections: Ints) -> Floats:
    """float32 (n,): 1 for texts other than code that begin with a section of one of the numbers, and `WITHIN` for the other
    texts of that section.
    """
    values = np.zeros(len(texts.code), dtype=np.float32)
    for number in numbers:
        places = texts.having_all(analysis.terms(number))
        places = places[~texts.code[places]]
        pattern = re.compile(
            rf"^[ \t\u00a0#=*]*{_WORD}{re.escape(number)}[.):]?(?:\**[ \t\u00a0]+(?!.*(?:\.[ \t]?){{4}})\S|[ \t]*$)",
            re.MULTILINE,
        )
        values[texts.matching(places, pattern, _HEAD)] = 1
    within = np.isin(sections, sections[values > 0]) & ~texts.code
    return np.where(within, np.maximum(values, WITHIN), values).astype(np.float32)
