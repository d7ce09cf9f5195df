"""Keys: texts that hold an option, a variable, a route, a code or a name with hyphens or dots exactly as the question writes it.

    question   where is the --dry-run option handled?
    code       flags.BoolVar(&dry, "dry-run", false, "only say what would be done")

The index cuts words at hyphens and underscores, so to it every text with "dry" and "run" has the words of the option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from daypack.rank.texts.pool import MOST, Texts
from daypack.text import analysis
from daypack.types.arrays import Floats

ALONE = 5.0  # above every text that has the letter and the number of a code apart, however often


def holding(keys: Sequence[str], texts: Texts) -> Floats:
    """float32 (n,): for texts that hold one of the keys, `MOST` / √(chunks of code that hold it) in code, else 1; `ALONE` for a
    code that is the whole question.
    """
    code = texts.code
    values = np.zeros(len(code), dtype=np.float32)
    for key in keys:
        holders = texts.matching(texts.having_all(analysis.terms(key)), _pattern(key))
        if _is_code(key) and {one.term for one in texts.terms} <= {*analysis.terms(key)}:
            values[holders] = ALONE
            continue
        worth = np.where(code[holders], MOST / max(1, int(code[holders].sum())) ** 0.5, 1)
        values[holders] = np.maximum(values[holders], worth)
    return values


def _is_code(key: str) -> bool:
    return analysis.codes(key) == [key]


def _pattern(key: str) -> re.Pattern[str]:
    """The expression that finds a key: a variable, a code, a long route or a long name anywhere, any other key only behind
    two hyphens, a quotation mark or the indentation of a line.
    """
    if _is_code(key):
        hyphen = f"[{analysis.HYPHENS}]"
        spelt = hyphen.join(re.split(hyphen, key))
        return re.compile(rf"(?<![\w-]){spelt}(?![\w-])", re.IGNORECASE)
    if key.strip("/").count("/") or ("-" not in key and key.count(".") != 1 and key[0] != "/"):
        before = r"[\w.]" if "." in key else r"\w"
        return re.compile(rf"(?<!{before}){re.escape(key)}(?![\w-])")
    return re.compile(
        rf"(?:[\"'`]|--|^[ \t]*){re.escape(key.removeprefix('--'))}(?![\w-])", re.IGNORECASE | re.MULTILINE
    )
