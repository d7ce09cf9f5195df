r"""Qualified names of code as people write them, in one form: `Cart::total()`, `Cart#total`, `cart->total`, `Shop\Cart`.

The names that a grammar has taken apart are joined where they are read: `chunk.definitions`, `doors.code.graph`.
"""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"::|->|#|\\+")


def dotted(name: str) -> str:
    """The name with dots between its parts, without the parentheses of a call: `Cart.total`, `Shop.Cart`."""
    return _SEPARATORS.sub(".", name.removesuffix("()"))


def telling_parts(name: str) -> list[str]:
    """The parts that a text with the name must have. In `cart.total()` the word before the dot is a variable of the question,
    which code may call otherwise, so that the last part alone tells.
    """
    parts = dotted(name).split(".")
    return parts if "::" in name or not parts[0][:1].islower() else parts[-1:]
