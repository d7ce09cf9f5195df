"""Steps of a session become events by the tables in `rules`. Pure.

Step(Said("user", "Keep it under 50 ms. Let's use a spool."))
    a prompt, in which a constraint and a decision are marked
Step(Did("Bash", {"command": "pytest -q"}, failed=True))
    a test run, and an error
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.sessions.hooks.capturing import clipped, failing_lines
from daypack.doors.sessions.meaning.fields import (
    LONGEST_COMMAND,
    category_of,
    command_of,
    first_text,
    path_of,
)
from daypack.doors.sessions.meaning.outcomes import has_failed
from daypack.doors.sessions.meaning.tasks import named_of, tasks_in
from daypack.doors.sessions.rules import (
    COMMANDS,
    CONTINUED,
    IMPORTANCE,
    INSERTED,
    MARK,
    MARKS,
    MOST_MARKS,
    NOT_A_PROMPT,
    OUTSIDE_COMMANDS,
    OUTSIDE_TOOLS,
    OWN_TOOLS,
    REFUSED,
    SAID,
)
from daypack.doors.sessions.types import Category, Did, Event, Mark, Noted, Said, State
from daypack.types import Trust

LONGEST_TURN, _HEAD_OF_TURN = 8_000, 6_000  # characters
LONGEST_OUTPUT, _HEAD_OF_OUTPUT = 1_600, 400  # of a failed command; its end has the reason
LONGEST_CHANGE = 600  # of the text written into a file
KNOWN_BY_SUBJECT = frozenset(
    {Category.TASK, Category.COMMAND, Category.TEST, Category.GIT, Category.ENVIRONMENT, Category.READ}
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|[.!?]+\S[^.!?\n]*)*[.!?]*")
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


def importance(category: Category, marks: Iterable[Mark] = ()) -> int:
    """The importance of an event with these marks, from 1 to 5; 1 is the most important."""
    return min(IMPORTANCE[item] for item in (category, *(mark.category for mark in marks)))


def identity(event: Event) -> str:
    """A hash that all occurrences of an event share: the state and number of a task, and the output of a command, are left out."""
    said = (
        named_of(event.subject)
        if event.category is Category.TASK
        else event.subject
        if event.category in KNOWN_BY_SUBJECT
        else f"{event.subject}\0{event.text}"
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
            return CONTINUED.match(text) is not None
        case Did():
            name = what.tool.lower()
            command = command_of(what.input)
            if OWN_TOOLS.search(name) or OWN_TOOLS.match(command):
                return MARK in (what.output or "") or OUTSIDE_COMMANDS.search(command) is not None
            return (
                "__" in name
                or OUTSIDE_TOOLS.search(name) is not None
                or OUTSIDE_COMMANDS.search(command) is not None
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
            return _did(what)
        case Noted(text):
            return [Event(Category.SESSION, text[:LONGEST_COMMAND], "session", Trust.AGENT)]


def _said(who: str, text: str) -> list[Event]:
    text = INSERTED.sub("", text).strip()
    if not text or (who == "user" and NOT_A_PROMPT.match(text)):
        return []
    text = clipped(text, LONGEST_TURN, _HEAD_OF_TURN)
    category, trust = (Category.PROMPT, Trust.USER) if who == "user" else (Category.ANSWER, Trust.AGENT)
    return [Event(category, text, who, trust, marks=marks_in(text, who))]


def marks_in(text: str, who: str) -> tuple[Mark, ...]:
    """The sentences outside of code and quotations that decide, demand, reject …, without questions."""
    found: list[Mark] = []
    for start, end in _sentences(text):
        sentence = text[start:end]
        if sentence.endswith("?"):
            continue
        seen = set()
        for rule in MARKS:
            if who in rule.who and rule.category not in seen and rule.pattern.search(sentence):
                seen.add(rule.category)
                found.append(Mark(rule.category, start, end))
        if len(found) >= MOST_MARKS:
            break
    return tuple(found[:MOST_MARKS])


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


def _did(step: Did) -> list[Event]:
    name = step.tool.rpartition("__")[2].lower()
    category = category_of(name)
    failed = has_failed(step)
    if failed and REFUSED.match(step.output or ""):
        return [_refused(step)]
    match category:
        case Category.TASK:
            return [] if failed else [*tasks_in(name, step)]
        case Category.FILE:
            events = [*_files(name, step.input)] if not failed else []
            subject = ", ".join(event.subject for event in events) or path_of(step.input)
        case Category.COMMAND:
            subject = command_of(step.input)
            category = next(
                (rule.category for rule in COMMANDS if rule.pattern.search(subject)), Category.COMMAND
            )
            about = first_text(step.input, "description", "explanation")
            ended = State.NONE if failed is None else State.OPEN if failed else State.DONE
            tail = _tail(step.output if not failed else None)
            text = f"$ {subject}" + (f"\n# {about}" if about else "") + tail
            trust = Trust.UNTRUSTED if tail else Trust.AGENT
            events = [Event(category, text, step.tool, trust, subject, ended)] if subject else []
        case Category.READ:
            subject = " in ".join(
                part for part in (first_text(step.input, "pattern", "query"), path_of(step.input)) if part
            )[:LONGEST_COMMAND]
            events = (
                [Event(category, f"{step.tool} {subject}", step.tool, Trust.AGENT, subject)]
                if subject
                else []
            )
        case Category.PLAN:
            text = clipped(first_text(step.input, "plan"), LONGEST_TURN, _HEAD_OF_TURN)
            return [Event(category, text, "assistant", Trust.AGENT)] if text.strip() else []
        case Category.DECISION:
            return _asked(step)
        case _:
            subject = first_text(step.input, "url", "query", "description", "prompt", "path", "command")[:200]
            given = subject or " ".join(
                f"{key}={value}" for key, value in step.input.items() if isinstance(value, str | int | float)
            )
            events = [
                Event(category, f"{step.tool} {given}"[:LONGEST_COMMAND], step.tool, Trust.AGENT, subject)
            ]
    if failed:
        said = clipped((step.output or "").strip(), LONGEST_OUTPUT, _HEAD_OF_OUTPUT)
        shown = f"`{subject}`" if subject else step.tool
        # Neither the user nor the agent is the author of a tool's output.
        events.append(
            Event(
                Category.ERROR,
                f"{shown} failed: {said}" if said else f"{shown} failed",
                step.tool,
                Trust.UNTRUSTED,
                subject,
                State.OPEN,
            )
        )
    return events


def _refused(step: Did) -> Event:
    """A call that the user did not allow: it changed nothing, and it is not an error."""
    about = command_of(step.input) or path_of(step.input)
    said = SAID.split(step.output or "", maxsplit=1)[1:]
    text = f"A person refused {step.tool}" + (f" `{about}`" if about else "")
    words = clipped(said[0].strip(), LONGEST_OUTPUT, _HEAD_OF_OUTPUT) if said else ""
    # The words are in the answer of a tool, so they may not be the user's.
    return Event(Category.REJECTED, f"{text}: {words}" if words else text, step.tool, Trust.UNTRUSTED, about)


def _tail(output: str | None) -> str:
    """The failing lines of a command's output, and its last lines, which usually have the result."""
    output = output or ""
    last = [line.rstrip() for line in output[-2_000:].splitlines() if line.strip()][-3:]
    told = [line for line in failing_lines(output) if not any(line in shown for shown in last)]
    return "".join(f"\n{line}" for line in told) + ("\n" + "\n".join(last)[-300:] if last else "")


def _files(name: str, given: Mapping[str, Any]) -> Iterator[Event]:
    patch = first_text(given, "input", "patch")
    if name == "apply_patch" or patch.startswith("*** Begin Patch"):
        found = [*_PATCHED.finditer(patch)]
        for match, following in zip(found, [*found[1:], None], strict=True):
            body = patch[match.end() : following.start() if following else len(patch)]
            added = "\n".join(line[1:] for line in body.splitlines() if line.startswith("+"))
            yield _file(
                {"Add": "Created", "Update": "Edited", "Delete": "Deleted"}[match[1]],
                match[2].strip(),
                added,
                "apply_patch",
            )
        return
    path = path_of(given)
    if not path:
        return
    edits = given.get("edits")
    new = first_text(
        given, "new_string", "new_str", "newString", "content", "file_text", "new_source", "diff"
    )
    if isinstance(edits, list):
        new = "\n…\n".join(first_text(edit, "new_string") for edit in edits if isinstance(edit, dict))
    yield _file(
        "Wrote" if name in ("write", "create", "write_file", "write_to_file", "create_file") else "Edited",
        path,
        new,
        name,
    )


def _file(verb: str, path: str, new: str, tool: str) -> Event:
    return Event(
        Category.FILE,
        f"{verb} {path}" + (f"\n{new.strip()[:LONGEST_CHANGE]}" if new.strip() else ""),
        tool,
        Trust.AGENT,
        path,
    )


def _asked(step: Did) -> list[Event]:
    """A question of the assistant to the user: with an answer, it is a decision."""
    questions = step.input.get("questions")
    asked = (
        " / ".join(first_text(item, "question") for item in questions if isinstance(item, dict))
        if isinstance(questions, list)
        else ""
    )
    asked = asked or first_text(step.input, "question")
    if not asked or not step.output:
        return []
    return [
        Event(
            Category.DECISION, clipped(f"{asked}\n{step.output}", LONGEST_OUTPUT, 1_200), "user", Trust.USER
        )
    ]
