"""Keys: options, variables, routes, codes and names with hyphens or dots, which are written letter for letter.

where is the --dry-run option handled?      --dry-run
what does SHOP_BANK_URL do?                 SHOP_BANK_URL
who sets X-Request-Id?                      X-Request-Id
where is shop.bank.url read?                shop.bank.url
which code handles /carts/{id}?             /carts/{id}
where does bolt A-1 lie?                    A-1
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections
from daypack.text import analysis

MOST_KEYS = 5
LEAST_PARTS = 3  # of a name in small letters: many English words have two
_TOKEN = re.compile(r"(?<![\w/-])(?:--)?[A-Za-z]\w*(?:[-.]\w+)*(?![\w/-])")
_ROUTE = re.compile(r"(?<![^\s\"'`(])/[\w{}:*.~$<>@-]+(?:/[\w{}:*.~$<>@-]+)*")
_LEAST_ROUTE = 4  # characters
_DOTTED = re.compile(r"[A-Za-z]\w+(?:\.[A-Za-z_]\w+)+")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def keys_of(sections: Sections) -> tuple[str, ...]:
    """The keys of a question, in order; none for a report, which names many."""
    if not sections.is_short:
        return ()
    text = sections.words
    marked = {*sections.inline, text.strip()}
    found = dict.fromkeys(token for token in _TOKEN.findall(text) if _is_key(token, marked=token in marked))
    found.update(dict.fromkeys(analysis.codes(text)))
    routes = (route.rstrip(".:") for route in _ROUTE.findall(text))
    found.update(dict.fromkeys(route for route in routes if len(route) >= _LEAST_ROUTE))
    return tuple(found)[:MOST_KEYS]


def _is_key(token: str, *, marked: bool) -> bool:
    """True for a key; `marked` says that the token is the whole question or a whole quotation."""
    if token.startswith("--") or _VARIABLE.fullmatch(token) or _DOTTED.fullmatch(token):
        return True
    parts = re.split("[-.]", token)
    is_header = all(part[:1].isupper() for part in parts)
    return "-" in token and (marked or is_header or len(parts) >= LEAST_PARTS)
