r"""Qualified names of code as people write them, in one form: `Cart::total()`, `Cart#total`, `cart->total`, `Shop\Cart`.

The names that a grammar has taken apart are joined where they are read: `chunk.definitions`, `doors.code.graph`.
"""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"::|->|#|\\+")


def dotted(name: str) -> str:
    """The name with dots between its parts, without the parentheses of a call: `Cart.total`, `Shop.Cart`."""
    return _SEPARATORS.sub(".", name.removesuffix("()"))
