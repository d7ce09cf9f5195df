"""Steps of a session become events by the tables in `rules`. Pure.

Step(Said("user", "Keep it under 50 ms. Let's use a spool."))
    a prompt, in which a constraint and a decision are marked
Step(Did("Bash", {"command": "pytest -q"}, failed=True))
    a test run, and an error
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from daypack.doors.sessions import rules
from daypack.doors.sessions.hooks.capturing import clipped
from daypack.doors.sessions.meaning.calls import HEAD_OF_TURN, LONGEST_TURN, events_of_call
from daypack.doors.sessions.meaning.fields import LONGEST_COMMAND, command_of
from daypack.doors.sessions.meaning.tasks import named_of
from daypack.doors.sessions.types import Category, Did, Event, Mark, Noted, Said
from daypack.types import Trust

KNOWN_BY_SUBJECT = frozenset(
    {Category.TASK, Category.COMMAND, Category.TEST, Category.GIT, Category.ENVIRONMENT, Category.READ}
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|[.!?]+\S[^.!?\n]*)*[.!?]*")


def importance(category: Category, marks: Iterable[Mark] = ()) -> int:
    """The importance of an event with these marks, from 1 to 5; 1 is the most important."""
    return min(rules.IMPORTANCE[item] for item in (category, *(mark.category for mark in marks)))


def identity(event: Event) -> str:
    """A hash that all occurrences of an event share: the state and number of a task, and the output of a command, are left out."""
    said = (
        named_of(event.subject)
        if event.category is Category.TASK
        else event.subject
        if event.category in KNOWN_BY_SUBJECT
        else f"{event.subject}\0{event.known_by or event.text}"
    )
    return hashlib.blake2b(
        f"{event.category}\0{event.author}\0{said}".encode("utf-8", "replace"), digest_size=12
    ).hexdigest()


# ---------------------------------------------------------------- trust


def reads_outside(what: Said | Did | Noted) -> bool:
    """True for a step by which a session visibly reads a text from outside the project: a web page, an answer of another
    server's tool, an untrusted text in a pack, or the summary of an earlier conversation.
    """
    match what:
        case Said("user", text):
            return rules.CONTINUED.match(text) is not None
        case Did():
            name = what.tool.lower()
            command = command_of(what.input)
            if rules.OWN_TOOLS.search(name) or rules.OWN_TOOLS.match(command):
                return rules.MARK in (what.output or "") or rules.OUTSIDE_COMMANDS.search(command) is not None
            return (
                "__" in name
                or rules.OUTSIDE_TOOLS.search(name) is not None
                or rules.OUTSIDE_COMMANDS.search(command) is not None
            )
    return False


def bounded(event: Event, *, outside: bool) -> Event:
    """The event, untrusted if an agent wrote it after its session read a text from outside; a user's words keep their trust."""
    return replace(event, trust=Trust.UNTRUSTED) if outside and event.trust is Trust.AGENT else event


# ---------------------------------------------------------------- from a step to events


def events_of(what: Said | Did | Noted) -> list[Event]:
    """The events of a step; none for text that a program wrote as the user."""
    match what:
        case Said(who, text):
            return _said(who, text)
        case Did():
            return events_of_call(what)
        case Noted(text):
            return [Event(Category.SESSION, text[:LONGEST_COMMAND], "session", Trust.AGENT)]


def _said(who: str, text: str) -> list[Event]:
    text = rules.INSERTED.sub("", text).strip()
    if not text or (who == "user" and rules.NOT_A_PROMPT.match(text)):
        return []
    text = clipped(text, LONGEST_TURN, HEAD_OF_TURN)
    category, trust = (Category.PROMPT, Trust.USER) if who == "user" else (Category.ANSWER, Trust.AGENT)
    return [Event(category, text, who, trust, marks=marks_in(text, who))]


def marks_in(text: str, who: str) -> tuple[Mark, ...]:
    """The sentences outside of code and quotations that decide, demand, reject …, without questions."""
    found: list[Mark] = []
    reached: dict[Category, int] = {}
    for start, end in _sentences(text):
        sentence = text[start:end]
        if sentence.endswith("?"):
            continue
        for rule in rules.MARKS:
            if who in rule.who and reached.get(rule.category, 0) <= start and rule.pattern.search(sentence):
                reach = _reach(text, start, end, is_plan=rule.category is Category.PLAN)
                if reach > start:
                    reached[rule.category] = reach
                    found.append(Mark(rule.category, start, reach))
        if len(found) >= rules.MOST_MARKS:
            break
    return tuple(found[: rules.MOST_MARKS])


_ITEM = r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S[^\n]*"
_LINE = r"(?![`~#>|]|[ \t]*\n)[^\n]+"
_BELOW = re.compile(  # the end of a line, and the list or the paragraph below it
    rf"[*_: \t]*\n(?:(?:[ \t]*\n)?{_ITEM}(?:\n(?:[ \t]*\n)?(?:{_ITEM}|[ \t]+\S[^\n]*))*|{_LINE}(?:\n{_LINE})*)"
)
_LONGEST_LIST = 600  # characters


def _reach(text: str, start: int, end: int, *, is_plan: bool) -> int:
    """The end of a mark: a sentence that ends in a colon, or is a heading, reaches to the end of the list below it. A plan
    reaches to the end of its line; one without any step ends where it begins.
    """
    line_end = text.find("\n", end)
    line = text[end : line_end if line_end != -1 else len(text)]
    if is_plan:
        end += len(line.rstrip())
    is_heading = text[text.rfind("\n", 0, start) + 1 : start].lstrip().startswith("#")
    if not (is_heading or text[start:end].rstrip("*_ ").endswith(":")):
        return end
    below = _BELOW.match(text, end)
    if below is None:
        return start if is_plan else end
    most = start + _LONGEST_LIST
    if below.end() <= most:
        return below.end()
    return max(end, text.rfind("\n", end, most))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    inside = False
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            inside = not inside
        elif not inside and not stripped.startswith(">") and len(line) <= 2_000:
            for match in _SENTENCE.finditer(line):
                start, end = match.span()
                while start < end and (line[start].isspace() or line[start] in "-*•#"):
                    start += 1
                while end > start and line[end - 1].isspace():
                    end -= 1
                if end - start >= 8:
                    yield at + start, at + end
        at += len(line)
