"""Remarkable lines of a log: failures by their levels and words, lines of a rare form, and the end.

    2026-10-05 10:00:01 INFO pump 7 at 3.4 bar        form "# INFO pump # at # bar", of 5,000 lines
    2026-10-05 10:00:02 FATAL valve "B" is stuck      FATAL
    released the emergency brake                      a form of one line

Words with digits, quoted values and paths are masked, so that lines of one statement have one form; of a line of JSON
its words stay, which name the event. Nothing here is about one program: levels and words are those that logs of all
kinds share.
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
AROUND = 400  # characters of a line and its neighbours: long ones would bury it in a small pack
TRACE = 12  # lines of a stack trace
TAIL = 4  # lines
SAMPLE = 16_384  # characters at the start of a text that tell a log
MOST_LINES = 0.6  # share of the lines
WIDEST = 400  # characters of a line that are looked at


class Severity(IntEnum):
    """The reason why a line is remarkable, the most telling first."""

    FATAL = 0
    ERROR = 1
    MENTION = 2
    WARNING = 3
    RARE = 4
    TAIL = 5
    NONE = 6


class Group(NamedTuple):
    """Lines `first` to `end` (0-based, half-open) around a remarkable one."""

    first: int
    end: int
    severity: Severity


class Urgency(NamedTuple):
    """The place of remarkable lines among those of their log, the most telling first: by severity, then by whether the log
    repeats their form.
    """

    severity: Severity
    repeated: bool


_NUMBER = r"[+-]?\b(?=\w*\d)\w+(?:[.,:](?=\w*\d)\w+)*"
_MASKED = re.compile(rf"\"[^\"]*\"|'[^']*'|\b[0-9a-fA-F]{{8,}}\b|(?:[\w.~-]*[/\\])+[\w.~:-]*|{_NUMBER}")
# of JSON the values with a digit, an @ or a slash
_MASKED_JSON = re.compile(rf"\"[^\"]*[\d@/][^\"]*\"|{_NUMBER}")
# the level that a line states: [error], level=error, "level": "error", and the numbers of bunyan and pino
_STATED = re.compile(
    r"\[(emerg|alert|crit|critical|fatal|error|err|warn|warning)\]|\b(?:level|lvl|severity)\"?\s*[=:]\s*\"?(\w+)",
    re.I,
)
_LEVELS = {
    **dict.fromkeys(
        ["emerg", "emergency", "alert", "crit", "critical", "panic", "fatal", "60"], Severity.FATAL
    ),
    **dict.fromkeys(("error", "err", "50"), Severity.ERROR),
    **dict.fromkeys(("warn", "warning", "40"), Severity.WARNING),
}
# Most lines hold none of these, and need no closer look.
_HINTS = (
    *("fatal", "panic", "crit", "emerg", "segmentation", "dumped", "memory", "oomkilled"),
    *("err", "fail", "severe", "traceback", "exception", "not ok", "✗", "✘", "exit", '" 5'),
    *("crash", "refused", "denied", "timed out", "warn"),
)
_FATAL = re.compile(
    r"\b(?:FATAL|PANIC|CRITICAL|EMERG|EMERGENCY)\b|\bFatal:|^\s*panic:"
    r"|\b(?:[Ss]egmentation fault|core dumped|[Oo]ut of memory|OOMKilled)\b"
)
_ERROR = re.compile(
    r"\b(?:ERROR|ERR|FAILED|FAILURE|FAIL|SEVERE)\b|^\s*Traceback \(|\b(?:[A-Z]\w*)?(?:Error|Exception)\b(?=:)"
    r"|^\s*(?:error|fatal)\b|^e: |\bpanicked at\b|^not ok\b|[✗✘]"
    r"|\b[Ee]xit(?:ed)?(?: with)?(?: code| status)?[ :=]+[1-9]\d*\b"
    r'|\bHTTP/[\d.]+" 5\d\d\b'  # of a web server that answers its own error
)
_WARNING = re.compile(r"\b(?:WARN|WARNING|Warning)\b|^\s*warning\b")
_MENTION = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ure|ures)?|exceptions?|fatal|crash(?:ed)?|refused|denied|timed out)\b", re.I
)
_NEGATED = re.compile(
    r"\b(?:0|no|zero|without(?: any)?) (?:errors?|failures?|failed|exceptions?)\b"
    r"|\b(?:errors?|failures?|failed)\W{0,2}[:=]\s*(?:0\b|none|null|false)",
    re.I,
)
_FINE = re.compile(r"(?<!not )\b(?:PASSED|PASS|OK|passed|ok|succeeded|success)\b|[✓✔]")


# of a log without its ending: a time of day near the start of most lines, beside what a program adds
_TIMED = re.compile(r".{0,60}?(?<!\d)\d\d:\d\d:\d\d\b")
_BY_A_PROGRAM = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|\[(?:debug|info|notice|warn|error|crit)\]"
    r"|\b[\w./-]+\[\d+\]:? |^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+Z? |\" \d{3} (?:\d+|-)(?: |$)|\blevel="
)
_JSON_LINE = re.compile(r'\{.*"(?:level|lvl|severity)"\s*:')
_JSON_TIME = re.compile(r'"(?:@?timestamp|time|ts|date)"\s*:')


def is_log(text: str) -> bool:
    """True of a text that a program wrote line by line, with times; stack traces may stand between the lines."""
    lines = [line for line in text[:SAMPLE].split("\n")[:-1] if line.strip()]
    if len(lines) < FEWEST:
        return False
    return sum(map(_is_written, lines)) >= MOST_LINES * len(lines)


def _is_written(line: str) -> bool:
    """True for a line of JSON with a level and a time, and for one with a time and the mark of a program."""
    if _JSON_LINE.match(line) and _JSON_TIME.search(line):
        return True
    return _TIMED.match(line) is not None and _BY_A_PROGRAM.search(line) is not None


def form(line: str) -> str:
    """The line without the parts in which two lines of one statement differ."""
    line = line[:WIDEST].strip()
    return (_MASKED_JSON if line.startswith("{") else _MASKED).sub("#", line)


def severity(line: str) -> Severity:
    """The failure that a line reports by its level or words; NONE of most lines."""
    line = line[:WIDEST]
    stated = Severity.NONE
    for level in _STATED.finditer(line):
        stated = min(stated, _LEVELS.get((level[1] or level[2]).lower(), Severity.NONE))
    lower = line.lower()
    if not line.startswith("e: ") and not any(hint in lower for hint in _HINTS):
        return stated
    return min(stated, _by_words(line))


def _by_words(line: str) -> Severity:
    mild = Severity.WARNING if _WARNING.search(line) else Severity.NONE
    line = _NEGATED.sub("", line)
    if _FATAL.search(line):
        return Severity.FATAL
    fine = _FINE.search(line) is not None
    if _ERROR.search(line) and not (fine and not re.search(r"\b(?:FAILED|FAIL|ERROR)\b", line)):
        return Severity.ERROR
    return Severity.MENTION if _MENTION.search(line) and not fine else mild


def urgencies(texts: Sequence[str]) -> list[Urgency]:
    """The urgency of each group of remarkable lines of one log, given in its order; the last group is its end.

    A log keeps `MOST_OF_FORM` failures of one form: as many among its remarkable lines are of a form that it repeats. A line
    that only mentions a failure, or warns, and is repeated is routine, and says less than a line of a rare form. So does a
    failure that the log repeats, after its first line: a warning that stands alone says more than a repetition.
    """
    failing = [
        [(how, form(line)) for line in text.split("\n") if (how := severity(line)) is not Severity.NONE]
        for text in texts
    ]
    counts = Counter(of_line for lines in failing for _, of_line in lines)
    found: list[Urgency] = []
    seen: set[str] = set()
    for lines in failing:
        urgent = [
            _urgency(how, repeated=counts[of_line] >= MOST_OF_FORM, again=of_line in seen)
            for how, of_line in lines
        ]
        found.append(min(urgent, default=_RARE))
        seen.update(of_line for _, of_line in lines)
    if found and not failing[-1]:
        found[-1] = Urgency(Severity.TAIL, repeated=False)
    return found


_RARE = Urgency(Severity.RARE, repeated=False)


def _urgency(how: Severity, *, repeated: bool, again: bool) -> Urgency:
    return Urgency(Severity.RARE if repeated and (again or how >= Severity.MENTION) else how, repeated)


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
        often = Counter(forms[n] for _, n in failing)
        failing.sort(key=lambda one: (one[0], often[forms[one[1]]] >= MOST_OF_FORM, one[1]))
        failing.insert(0, first)
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
    """A line with its neighbours, those after it first, as far as they are short; a stack trace to its end."""
    first, end = at, at + 1
    if lines[at].lstrip().startswith("Traceback ("):
        while end < len(lines) and end - at < TRACE and lines[end][:1] in (" ", "\t"):
            end += 1
        return Group(max(0, at - BEFORE), min(len(lines), end + 1), how)
    room = AROUND - len(lines[at])
    while end < min(len(lines), at + 1 + AFTER) and (room := room - len(lines[end])) >= 0:
        end += 1
    while first > max(0, at - BEFORE) and (room := room - len(lines[first - 1])) >= 0:
        first -= 1
    return Group(first, end, how)


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
