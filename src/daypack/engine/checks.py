"""A check of the doctor, in the form that the core and the doors make."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Verdict(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the store; `detail` has the finding and, where it is not well, the next step."""

    name: str
    verdict: Verdict
    detail: str


def audited(name: str, broken: int, astray: int, things: str, current: str) -> Check:
    """The check of a door with a chained audit: `broken` lines do not follow from the line before, and
    `astray` things differ from their searched copy.
    """
    if broken or astray:
        said = f"{broken} lines of the audit do not follow, {astray} {things} are not the ones that are searched: restore a backup"
        return Check(name, Verdict.DAMAGE, said)
    return Check(name, Verdict.OK, f"{current} is what is searched, and the audit is whole")
