"""A call of a tool becomes events, by the category of the tool. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.sessions.hooks.capturing import clipped, failing_lines, without_middle
from daypack.doors.sessions.meaning import fields
from daypack.doors.sessions.meaning.outcomes import has_failed
from daypack.doors.sessions.meaning.tasks import tasks_in
from daypack.doors.sessions.rules import OWN_TOOLS, REFUSED, REFUSED_ALONE, SAID
from daypack.doors.sessions.types import Category, Did, Event, State
from daypack.shapes.loose_json import objects_of
from daypack.types import Trust

LONGEST_TURN, HEAD_OF_TURN = 8_000, 6_000  # characters
LONGEST_OUTPUT, _HEAD_OF_OUTPUT = 1_600, 400  # of a failed command; its end has the reason
_OF_ANSWER = (1_600, 1_200)  # characters of a tool's answer, and of its beginning
_FAILED = " failed: "  # between a call and its output in the text of an error
_SHORT_OUTPUT = 240  # characters that a line of a briefing shows
_HEAD_OF_DECISION = 1_200  # the question and the beginning of its answer
LONGEST_CHANGE = 600  # of the text written into a file
_LONGEST_SUBJECT = 200
_HASHED = 4_000  # characters of an argument
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$(?:\n\*\*\* Move to: (.+)$)?", re.MULTILINE)
_PATCH_VERBS = {"Add": "Created", "Update": "Edited", "Delete": "Deleted"}
_WRITING = frozenset({"write", "create", "write_file", "write_to_file", "create_file"})  # tools


def events_of_call(step: Did) -> list[Event]:
    """The events of a call: what it did, and an error where it failed."""
    failed = has_failed(step)
    if failed is not False and (REFUSED if failed else REFUSED_ALONE).match(step.output or ""):
        return [_refused(step)]
    if fields.category_of(step.tool) in (Category.COMMAND, Category.FILE) and (
        patch := fields.patch_of(step.input)
    ):
        step = replace(step, tool="apply_patch", input={"input": patch})
    name = step.tool.rpartition("__")[2].lower()
    match fields.category_of(name):
        case Category.TASK:
            return [] if failed else [*tasks_in(name, step)]
        case Category.FILE:
            changes = [*_file_changes(name, step.input)]
            return [_error(step, changes[0].subject if changes else "")] if failed else changes
        case Category.PLAN:
            return _plan(step)
        case Category.DECISION:
            return _decision(step)
        case Category.COMMAND:
            event = _command(step, failed=failed)
        case Category.READ:
            event = _reading(step)
            if event is None and "__" in step.tool:  # a server's tool that reads no file
                event = _other_call(step, Category.TOOL, failed=failed)
        case category:
            event = _other_call(step, category, failed=failed)
    events = [] if event is None else [event]
    return [*events, _error(step, event.subject if event else "")] if failed else events


def _error(step: Did, subject: str) -> Event:
    """A call that failed, with its output, of which neither the user nor the agent is the author."""
    call = f"`{subject}`" if subject else step.tool
    output = (step.output or "").strip()
    begin = f"{call}{_FAILED}" if output else f"{call} failed"
    text, known_by = (
        begin + shorten(output, LONGEST_OUTPUT, _HEAD_OF_OUTPUT) for shorten in (without_middle, clipped)
    )
    return Event(Category.ERROR, text, step.tool, Trust.UNTRUSTED, subject, State.OPEN, known_by=known_by)


def reason_of(subject: str, error: str) -> str:
    """The text of an error with the lines that tell why: failing lines, or else the last ones of a long output."""
    call, failed, output = error.partition(f"`{subject}`{_FAILED}" if subject else _FAILED)
    if not failed or len(output) <= _SHORT_OUTPUT:
        return error
    lines = [*dict.fromkeys(failing_lines(output))] or _last_lines(output)
    return f"{call}{failed}{' / '.join(lines)}"


def _refused(step: Did) -> Event:
    """A call that the user did not allow: it changed nothing, and it is not an error."""
    subject = fields.command_of(step.input) or fields.path_of(step.input)
    text = f"A person refused {step.tool}" + (f" `{subject}`" if subject else "")
    _, *answer = SAID.split(step.output or "", maxsplit=1)
    words = clipped(answer[0].strip(), LONGEST_OUTPUT, _HEAD_OF_OUTPUT) if answer else ""
    # The words are in the answer of a tool, so they may not be the user's.
    return Event(
        Category.REJECTED, f"{text}: {words}" if words else text, step.tool, Trust.UNTRUSTED, subject
    )


def _command(step: Did, *, failed: bool | None) -> Event | None:
    """A command with its purpose and, unless it failed, the end of its output; an error has the output of its own."""
    command = fields.command_of(step.input)
    if not command:
        return None
    purpose = fields.first_text(step.input, "description", "explanation")
    tail = _tail(step.output if not failed else None)
    text = f"$ {command}" + (f"\n# {purpose}" if purpose else "") + tail
    state = State.NONE if failed is None else State.OPEN if failed else State.DONE
    trust = Trust.UNTRUSTED if tail else Trust.AGENT
    return Event(fields.kind_of_command(command), text, step.tool, trust, command, state)


def _tail(output: str | None) -> str:
    """The failing lines of a command's output, and its last lines, which usually have the result."""
    output = output or ""
    last = _last_lines(output)
    failing = [line for line in failing_lines(output) if not any(line in shown for shown in last)]
    return "".join(f"\n{line}" for line in failing) + ("\n" + "\n".join(last)[-300:] if last else "")


def _last_lines(output: str) -> list[str]:
    return [line.rstrip() for line in output[-2_000:].splitlines() if line.strip()][-3:]


def _reading(step: Did) -> Event | None:
    """A file that was read, or a search in files."""
    searched = fields.first_text(step.input, "pattern", "query")
    subject = " in ".join(part for part in (searched, fields.path_of(step.input)) if part)[
        : fields.LONGEST_COMMAND
    ]
    return (
        Event(Category.READ, f"{step.tool} {subject}", step.tool, Trust.AGENT, subject) if subject else None
    )


def _plan(step: Did) -> list[Event]:
    text = clipped(fields.first_text(step.input, "plan"), LONGEST_TURN, HEAD_OF_TURN)
    return [Event(Category.PLAN, text, "assistant", Trust.AGENT)] if text.strip() else []


def _decision(step: Did) -> list[Event]:
    """A question of the assistant to the user: with an answer, it is a decision."""
    questions = objects_of(step.input.get("questions"))
    question = " / ".join(fields.first_text(item, "question") for item in questions)
    question = question or fields.first_text(step.input, "question")
    if not question or not step.output:
        return []
    text = clipped(f"{question}\n{step.output}", LONGEST_OUTPUT, _HEAD_OF_DECISION)
    return [Event(Category.DECISION, text, "user", Trust.USER)]


def _other_call(step: Did, category: Category, *, failed: bool | None) -> Event:
    """A call of any other tool, with its most telling argument, or all of them, and its answer: of a web page, another server,
    a sub-agent. Daypack's own answers are left out, because the store has their texts.
    """
    telling = fields.first_text(step.input, "url", "query", "description", "prompt", "path", "command")
    subject = telling[:_LONGEST_SUBJECT]
    arguments = subject or " ".join(
        f"{key}={value}" for key, value in step.input.items() if isinstance(value, str | int | float)
    )
    call = f"{step.tool} {arguments}"[: fields.LONGEST_COMMAND]
    is_whole = (len(step.input) < 2 or not telling) and call == f"{step.tool} {telling or arguments}"
    own = failed or OWN_TOOLS.search(step.tool.lower()) is not None
    sizes = (LONGEST_TURN, HEAD_OF_TURN) if category is Category.DELEGATION else _OF_ANSWER
    answer = "" if own else clipped((step.output or "").strip(), *sizes)
    return Event(
        category,
        f"{call}\n{answer}" if answer else call,
        step.tool,
        Trust.UNTRUSTED if answer else Trust.AGENT,
        subject,
        State.OPEN if failed else State.DONE if (step.output or "").strip() else State.NONE,
        # the hash tells apart calls that differ in arguments which the text leaves out
        known_by=call if is_whole and _are_short(step.input) else f"{call}\0arguments {digest(step.input)}",
    )


def _are_short(arguments: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str | int | float) for value in arguments.values())


def digest(arguments: Mapping[str, Any]) -> str:
    """A hash of the arguments, each without the part that a hook may have cut."""
    begins = {
        name: json.dumps(value, sort_keys=True, default=str)[:_HASHED] for name, value in arguments.items()
    }
    said = json.dumps(begins, sort_keys=True).encode("utf-8", "replace")
    return hashlib.blake2b(said, digest_size=8).hexdigest()


# ---------------------------------------------------------------- changes of files


def _file_changes(name: str, arguments: Mapping[str, Any]) -> Iterator[Event]:
    """An event for each file that a call writes; a patch may write several."""
    if name == "apply_patch" and (patch := fields.first_text(arguments, "input", "patch", "patchText")):
        yield from _patched(patch)
        return
    path = fields.path_of(arguments)
    if not path:
        return
    edits = arguments.get("edits")
    new = fields.first_text(
        arguments, "new_string", "new_str", "newString", "content", "file_text", "new_source", "diff"
    )
    if isinstance(edits, list):
        new = "\n…\n".join(fields.first_text(edit, "new_string") for edit in edits if isinstance(edit, dict))
    yield _file("Wrote" if name in _WRITING else "Edited", path, new, name)


def _patched(patch: str) -> Iterator[Event]:
    """An event for each file of a patch."""
    heads = [*_PATCHED.finditer(patch)]
    ends = [*(head.start() for head in heads[1:]), len(patch)]
    for head, end in zip(heads, ends, strict=False):  # a patch without files ends too
        added = "\n".join(line[1:] for line in patch[head.end() : end].splitlines() if line.startswith("+"))
        path, moved_to = head[2].strip(), (head[3] or "").strip()
        verb = f"Moved {path} to" if moved_to else _PATCH_VERBS[head[1]]
        yield _file(verb, moved_to or path, added, "apply_patch")


def _file(verb: str, path: str, new: str, tool: str) -> Event:
    return Event(
        Category.FILE,
        f"{verb} {path}" + (f"\n{new.strip()[:LONGEST_CHANGE]}" if new.strip() else ""),
        tool,
        Trust.AGENT,
        path,
    )
