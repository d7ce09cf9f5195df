"""A check of the doctor, in the form that the core and the doors make."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class CheckVerdict(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the store; `detail` has the finding and, where it is not well, the next step."""

    name: str
    verdict: CheckVerdict
    detail: str


def audited(name: str, broken: int, astray: int, thing: str, mend: str) -> Check:
    """The check of a chained audit: `broken` lines, and `astray` records that differ from their copy."""
    if broken or astray:
        problem = f"{broken} lines of the audit do not follow, {astray} {thing}s differ from their searched copy: {mend}"
        return Check(name, CheckVerdict.DAMAGE, problem)
    return Check(name, CheckVerdict.OK, f"every searched {thing} is current, and the audit is whole")
