"""A check of the doctor, as the core and the doors make them."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Verdict(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Check:
    """One question asked of the store; `detail` says what was found and, where it is not well, what to do."""

    name: str
    verdict: Verdict
    detail: str


def audited(name: str, broken: int, astray: int, things: str, current: str) -> Check:
    """The check of a door with a chained audit: `broken` of its lines do not follow, and `astray` things are
    stored otherwise than they are searched.
    """
    if broken or astray:
        said = f"{broken} lines of the audit do not follow, {astray} {things} are not the ones that are searched: restore a backup"
        return Check(name, Verdict.DAMAGE, said)
    return Check(name, Verdict.OK, f"{current} is what is searched, and the audit is whole")
