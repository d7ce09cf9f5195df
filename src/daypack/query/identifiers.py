"""The names in a question that only code has, and whether it asks for nothing else.

where is load_config called?        load_config, and nothing else
why does load_config read twice?    load_config, beside words that other texts may answer
add a parse_config for YAML         parse_config, which need not exist yet
what is PostgreSQL?                 PostgreSQL, which may be a class or a product
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from daypack.query.sections import Sections
from daypack.query.sentences import asks
from daypack.text import analysis
from daypack.text.name_sets import name_set

_HUMP = r"[A-Z]?[a-z0-9]{2,}|[A-Z]{2,}(?![a-z])"
_JOINT = r"\.|::|#|->"
# Words of a phrase or a question about the definition, use or meaning of a name.
_NOUNS = name_set(
    """callers caller calls call sites usage usages uses use users user references reference definition definitions declaration implementation
    signature docs documentation doc test tests example examples source code function functions method methods class classes constant
    variable symbol type module interface trait struct enum explain show find describe tell look please vs versus"""
)
_ASKED = _NOUNS | name_set(
    """used using called calling caller invoke invoked invokes referenced refer refers import imports imported raise raised raises throw
    thrown throws catch caught catches instantiate instantiated constructed created defined defines define declared implemented implements
    located live lives documented tested return returns returned take takes accept accepts argument arguments parameter parameters params
    work works mean means meaning purpose role difference file files line lines place places responsible exist exists every inside
    behave behaves behaviour behavior set name happens get gets need needs know us"""
)
_DENIED = name_set("not no never cannot nor n't don doesn didn isn won cannot without")


def identifiers_of(title: str, mentions: Iterable[str]) -> tuple[str, ...]:
    """The names of a title that are identifiers: snake_case, two humps, `a::b`, `a.b()`."""
    return tuple(name for name in mentions if name in title and _is_identifier(name, f"{name}(" in title))


def _is_identifier(name: str, called: bool) -> bool:
    parts = re.split(_JOINT, name)
    return (
        (called and len(parts) > 1)
        or "::" in name
        or any("_" in part.strip("_") or len(re.findall(_HUMP, part)) > 1 for part in parts)
        or (len(parts) > 1 and parts[0][:1].isupper() and parts[0][1:2].islower() and len(parts[0]) > 2)
    )


def maybe_products(title: str, identifiers: Iterable[str]) -> tuple[str, ...]:
    """The identifiers that may name a product as well, as `PostgreSQL`: humps behind a capital, neither called nor quoted."""
    return tuple(
        name
        for name in identifiers
        if name.isalnum() and name[0].isupper() and not re.search(rf"[`\"“]{name}|\b{name}\(", title)
    )


def asks_of_names_alone(sections: Sections, identifiers: Iterable[str]) -> bool:
    """True when a text asks for the definition, uses or meaning of these names, and for nothing else."""
    title = sections.title
    if sections.prose or sections.code or not identifiers:
        return False
    rest = title
    for name in sorted(identifiers, key=len, reverse=True):
        rest = rest.replace(name, " ")
    words = {word.lower() for word in analysis.words(rest)}
    beside = words - analysis.STOP_WORDS
    if not _DENIED.isdisjoint(words) or re.search(r"(?i)n['’]t\b", rest):
        return False  # tells of a failure
    return beside <= (_ASKED if asks(title) else _NOUNS)
