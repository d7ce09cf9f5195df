"""Remarkable lines of a log: failures by their levels and words, lines of a rare form, and the end.

    2026-10-05 10:00:01 INFO pump 7 at 3.4 bar        form "# INFO pump # at # bar", of 5,000 lines
    2026-10-05 10:00:02 FATAL valve "B" is stuck      FATAL
    released the emergency brake                      a form of one line

Numbers, hex, quoted values and paths are masked, so that lines of one statement have one form. Nothing here
is about one program: levels and words are those that logs of all kinds share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

FEWEST = 20  # lines; a shorter log is one group
LONGEST = 400_000  # lines; of a longer log the last ones are looked at
MOST = 24  # groups of lines
MOST_OF_FORM = 3  # failures of one form
MOST_RARE = 6
RARE = 1_000  # lines for each one of a rare form
FORMS = 0.1  # a log with more forms than this share of its lines repeats too little to tell a rare one
BEFORE, AFTER = 1, 3  # neighbours of a line
TRACE = 12  # lines of a stack trace
TAIL = 4  # lines
WIDEST = 400  # characters of a line that are looked at


class Severity(IntEnum):
    """The reason why a line is remarkable, the most telling first."""

    FATAL = 0
    ERROR = 1
    MENTION = 2
    RARE = 3
    TAIL = 4
    NONE = 5


class Group(NamedTuple):
    """Lines `first` to `end` (0-based, half-open) around a remarkable one."""

    first: int
    end: int
    severity: Severity


_MASKED = re.compile(
    r"\"[^\"]*\"|'[^']*'|\b0x[0-9A-Fa-f]+\b|\b[0-9a-fA-F]{8,}\b|(?:[\w.~-]*[/\\])+[\w.~:-]*|[+-]?\d+(?:[.,:]\d+)*"
)
_FATAL = re.compile(
    r"\b(?:FATAL|PANIC|CRITICAL|EMERG|EMERGENCY)\b|^\s*panic:|\b(?:[Ss]egmentation fault|core dumped|[Oo]ut of memory|OOMKilled)\b"
)
_ERROR = re.compile(
    r"\b(?:ERROR|ERR|FAILED|FAILURE|FAIL|SEVERE)\b|^\s*Traceback \(|\b(?:[A-Z]\w*)?(?:Error|Exception)\b(?=:)"
    r"|^\s*(?:error|fatal)\b|\bpanicked at\b|^not ok\b|[✗✘]"
    r"|\b[Ee]xit(?:ed)?(?: with)?(?: code| status)?[ :=]+[1-9]\d*\b"
)
_MENTION = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ure|ures)?|exceptions?|fatal|crash(?:ed)?|refused|denied|timed out)\b", re.I
)
_NEGATED = re.compile(
    r"\b(?:0|no|zero|without(?: any)?) (?:errors?|failures?|failed|exceptions?)\b"
    r"|\b(?:errors?|failures?|failed)\W{0,2}[:=]\s*(?:0\b|none|null|false)",
    re.I,
)
_FINE = re.compile(r"(?<!not )\b(?:PASSED|PASS|OK|passed|ok|succeeded|success)\b|[✓✔]")


def form(line: str) -> str:
    """The line without what differs between two lines of one statement."""
    return _MASKED.sub("#", line[:WIDEST].strip())


def severity(line: str) -> Severity:
    """The failure that a line reports by its level or words; NONE of most lines."""
    line = line[:WIDEST]
    if not _MENTION.search(line) and not _FATAL.search(line) and not _ERROR.search(line):
        return Severity.NONE
    line = _NEGATED.sub("", line)
    if _FATAL.search(line):
        return Severity.FATAL
    fine = _FINE.search(line) is not None
    if _ERROR.search(line) and not (fine and not re.search(r"\b(?:FAILED|FAIL|ERROR)\b", line)):
        return Severity.ERROR
    return Severity.MENTION if _MENTION.search(line) and not fine else Severity.NONE


def groups(lines: Sequence[str]) -> list[Group]:
    """The remarkable lines with their neighbours, in order and without overlaps. A short log is one group, or
    none.
    """
    shown = [n for n in range(max(0, len(lines) - LONGEST), len(lines)) if lines[n].strip()]
    if len(shown) < FEWEST:
        worst = min((severity(lines[n]) for n in shown), default=Severity.NONE)
        return [] if worst is Severity.NONE else [Group(shown[0], shown[-1] + 1, worst)]
    forms = {n: form(lines[n]) for n in shown}
    counts = Counter(forms.values())
    failing = [(severity(lines[n]), n) for n in shown]
    failing = [(how, n) for how, n in failing if how is not Severity.NONE]
    chosen: dict[int, Severity] = {}
    of_form: Counter[str] = Counter()
    if failing:  # the first failure is often the cause of the others
        first = min(failing, key=lambda found: (max(found[0], Severity.ERROR), found[1]))
        failing = [first, *sorted(failing)]
    for how, n in failing:
        if n not in chosen and of_form[forms[n]] < MOST_OF_FORM and len(chosen) < MOST - MOST_RARE - 1:
            chosen[n] = how
            of_form[forms[n]] += 1
    if len(counts) <= max(FORMS * len(shown), 3):
        rare = [n for n in shown if counts[forms[n]] <= max(1, len(shown) // RARE) and n not in chosen]
        rare.sort(key=lambda n: (counts[forms[n]], n))
        chosen.update(dict.fromkeys(rare[:MOST_RARE], Severity.RARE))
    found = [_around(lines, n, how) for n, how in chosen.items()]
    found.append(Group(shown[-min(TAIL, len(shown))], shown[-1] + 1, Severity.TAIL))
    return _joined(sorted(found))


def _around(lines: Sequence[str], at: int, how: Severity) -> Group:
    """A line with its neighbours; a stack trace to its end."""
    end = at + 1
    if lines[at].lstrip().startswith("Traceback ("):
        while end < len(lines) and end - at < TRACE and lines[end][:1] in (" ", "\t"):
            end += 1
        return Group(max(0, at - BEFORE), min(len(lines), end + 1), how)
    return Group(max(0, at - BEFORE), min(len(lines), at + 1 + AFTER), how)


def _joined(found: Sequence[Group]) -> list[Group]:
    joined: list[Group] = []
    for group in found:
        if joined and group.first < joined[-1].end:
            last = joined.pop()
            if group.end - last.first <= TRACE:
                group = Group(last.first, max(last.end, group.end), min(last.severity, group.severity))
            else:
                joined.append(last)
                group = group._replace(first=last.end)
        if group.first < group.end:
            joined.append(group)
    return joined
