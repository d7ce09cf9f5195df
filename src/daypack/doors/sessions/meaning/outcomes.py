"""The outcome of a call, by its report or by its output, and the failures that a success settles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from daypack.doors.sessions.meaning.fields import category_of, command_of, kind_of_command
from daypack.doors.sessions.rules import RUNNERS
from daypack.doors.sessions.types import Category, Did

_EXIT = re.compile(
    r"\A(?:\s*(?:Error: )?(?:Command failed with )?(?:exit(?:ed)?(?: with)?(?: code| status)?:?|Process exited with code|Exit code:?)\s*(\d+))",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^(?:Traceback \(most recent call last\)|(?:\w+\.)*\w*Error\b.*:|error(?:\[\w+\])?:|fatal:|FAILED\b|.*: command not found$)",
    re.MULTILINE,
)


_OF_TESTS = re.compile(
    r"^(?:--- )?FAIL\b|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b", re.MULTILINE
)
_SHORTENED = r"\|\s*(?:tail|head|grep|rg|egrep|tee|sed|awk|cat|less|cut|sort|uniq|wc)\b[^|]*"
_EXCUSED = r"(?:\|\||;)\s*(?:true|echo|printf|:)(?:\s[^|;&]*)?"
_ELSEWHERE = r"(?:2>&1|&>\s*\S+|2?>\s*\S+)"
_BEHIND = re.compile(rf"\s*(?:{_SHORTENED}|{_EXCUSED}|{_ELSEWHERE})\Z")
_HIDES_STATUS = re.compile(rf"(?:{_SHORTENED}|{_EXCUSED})\Z")
_BEFORE = re.compile(
    rf"(?:{RUNNERS})\s+|export\s+\w+=\S*\s*(?:&&|;)\s*|(?:source|\.)\s+\S*activate\s*(?:&&|;)\s*"
)
_PLACE = re.compile(r"cd\s+(\S+)\s*(?:&&|;)\s*")
_FULL = ("/", "~")
_QUIET = re.compile(r"-q+|-v+|-s|-x|--quiet|--verbose|--no-header|-r\w+|--(?:tb|color|maxfail)=\S*")
# programs whose exit status 1 is an answer: nothing found, or not equal
_ASKING = re.compile(
    r"(?:\A|[|;]|&&)\s*(?:\S*/)?(?:grep|egrep|fgrep|rg|ag|diff|cmp|test|\[|which|pgrep|git\s+(?:grep|diff))\s[^|;&]*\Z"
)


def has_failed(step: Did) -> bool | None:
    """True when a call failed by its report or else by its output, False when it succeeded, None when neither shows it.

    `pytest | tail` has the status of `tail`, so for tests whose status is hidden the output decides against a reported
    success. Exit status 1 of a search without output means that it found nothing.
    """
    command = command_of(step.input)
    if step.failed and _found_nothing(command, step.output or ""):
        return None
    if step.failed is False and step.output and _hides_status(command):
        return _trouble_in(step.output) or _OF_TESTS.search(step.output) is not None
    if step.failed is not None:
        return step.failed
    if step.output is None:
        return None
    if match := _EXIT.match(step.output):
        return match[1] != "0" and (None if _found_nothing(command, step.output) else True)
    return True if _trouble_in(step.output) else None


def _trouble_in(output: str) -> bool:
    return any(_TROUBLE.search(part) for part in (output[:4_000], output[-4_000:]))


def _found_nothing(command: str, output: str) -> bool:
    status = _EXIT.match(output)
    said = output[status.end() :] if status else output
    return not said.strip() and (not status or status[1] == "1") and _ASKING.search(command) is not None


def _hides_status(command: str) -> bool:
    return is_test(command) and "pipefail" not in command and _HIDES_STATUS.search(command) is not None


def is_test(command: str) -> bool:
    """True for a command that runs tests or checks."""
    return kind_of_command(command) is Category.TEST


class Core(NamedTuple):
    """The words of a command and its folder, without parts that only change the output."""

    words: tuple[str, ...]
    place: str  # the folder of a leading `cd`, or ""
    tests: bool

    @property
    def is_relative(self) -> bool:
        return not self.place.startswith(_FULL)


@lru_cache(maxsize=4_096)
def core_of(command: str) -> Core:
    """The core of a command: `cd /srv/ferry && A=1 pytest -q x.py 2>&1 | tail -5` runs `pytest x.py`."""
    rest, place = " ".join(command.split()), ""
    while found := _PLACE.match(rest) or _BEFORE.match(rest):
        place = found[1] if found.re is _PLACE else place
        rest = rest[found.end() :]
    while found := _BEHIND.search(rest):
        rest = rest[: found.start()]
    tests = is_test(rest)
    words = tuple(word for word in rest.split() if not (tests and _QUIET.fullmatch(word)))
    return Core(words, place, tests)


class Call(NamedTuple):
    """A call of a tool, as its events have it."""

    tool: str
    subject: str


def settles(works: Call, failed: Call) -> bool:
    """True when the success of the call `works` shows that the call `failed` would succeed now: both are the same command, or
    `works` runs the tests of `failed` and more; both change the same file; or both ask one tool for the same.
    """
    kind = category_of(works.tool)
    if kind is not category_of(failed.tool):
        return False
    if kind is Category.COMMAND:
        return works.subject == failed.subject or _runs(core_of(works.subject), core_of(failed.subject))
    return works.subject == failed.subject and (kind is Category.FILE or works.tool == failed.tool)


def _runs(new: Core, old: Core) -> bool:
    if not new.words or (new.place != old.place and not _may_be_one(new.place, old.place)):
        return False
    return new.words == old.words or (new.tests and old.words[: len(new.words)] == new.words)


def _may_be_one(one: str, other: str) -> bool:
    """True when exactly one of two folders is known, and it is a full path, so that they may be the same."""
    return not (one and other) and (one or other).startswith(_FULL)
