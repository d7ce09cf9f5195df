"""Numbers: texts that begin with the heading of a section whose number the question names.

    question   what does section 4.2 require?
    text       4.2. Notice of a meeting

To the index, "4.2" is a 4 and a 2, as in many other numbers.
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

_HEAD = 600  # characters: headings of higher levels may be above it
_WORD = r"(?:[^\W\d_]{3,12}[ \t\u00a0]+|§[ \t]?)?"  # "Section", "Article"


def headed(numbers: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): 1 for texts other than code that begin with a section of one of the numbers."""
    values = np.zeros(len(texts.code), dtype=np.float32)
    for number in numbers:
        places = texts.having_all(analysis.terms(number))
        places = places[~texts.code[places]]
        pattern = re.compile(
            rf"^[ \t\u00a0#=*]*{_WORD}{re.escape(number)}[.):]?(?:\**[ \t\u00a0]+(?!.*(?:\.[ \t]?){{4}})\S|[ \t]*$)",
            re.MULTILINE,
        )
        found = [pattern.search(text[:_HEAD]) is not None for text in texts.at(places)]
        values[places[np.asarray(found, dtype=bool)]] = 1
    return values
