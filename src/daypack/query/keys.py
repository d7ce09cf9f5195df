"""Keys: options and variables that a question names as a person passes them to a program.

where is the --dry-run option handled?      --dry-run
what does SHOP_BANK_URL do?                 SHOP_BANK_URL
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections

MOST_KEYS = 5
_OPTION = r"(?<![\w-])--[A-Za-z]\w*(?:[-.]\w+)*"
_VARIABLE = r"(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w-])"
_KEY = re.compile(f"{_OPTION}|{_VARIABLE}")


def keys_of(sections: Sections) -> tuple[str, ...]:
    """The keys of a question, in order; none of a report, whose story names many."""
    if not sections.is_short:
        return ()
    found = dict.fromkeys(_KEY.findall(f"{sections.title}\n{sections.prose}"))
    return tuple(found)[:MOST_KEYS]
