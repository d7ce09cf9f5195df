"""Tasks of an agent's list, which clients write as a whole, or one by one with numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.sessions.meaning.fields import LONGEST_COMMAND, category_of, first_text
from daypack.doors.sessions.meaning.outcomes import has_failed
from daypack.doors.sessions.types import Category, Did, Event, Noted, Said, State
from daypack.types import Trust

_LISTS = ("todos", "plan", "tasks", "todoList")
_STATES = {
    **dict.fromkeys(("completed", "complete", "done"), State.DONE),
    **dict.fromkeys(("in progress", "active"), State.ACTIVE),
    **dict.fromkeys(("deleted", "cancelled", "canceled"), State.DROPPED),
}
_NUMBER = re.compile(r"\bTask #(\w+)")


def whole_list(what: Said | Did | Noted) -> bool:
    """True for a step that writes a whole list of tasks, in which missing earlier tasks are dropped."""
    if not isinstance(what, Did) or what.input.get("merge") is True or has_failed(what):
        return False
    return category_of(what.tool) is Category.TASK and _listed(what.input) is not None


def _listed(given: Mapping[str, Any]) -> list[Any] | None:
    return next((given[name] for name in _LISTS if isinstance(given.get(name), list)), None)


def tasks_in(name: str, step: Did) -> Iterator[Event]:
    """The tasks of a list, or the task that a call creates or changes.

    Tasks that are created one by one have numbers. The last line of a subject is the number: "Paint the funnel\\n#3" is the
    subject of a new task, "\\n#3" that of a change, whose text is "" unless it renames the task. The batch finds the task of
    a number in its session.
    """
    listed = _listed(step.input)
    if listed is None:
        yield from _one_task(name, step)
        return
    for item in listed:
        if isinstance(item, dict) and (what := _subject(item)):
            yield _task(what, "", _state(item))


def _one_task(name: str, step: Did) -> Iterator[Event]:
    if name != "taskupdate":
        if what := _subject(step.input):
            made = _NUMBER.search(step.output or "")
            yield _task(what, made[1] if made else "", _state(step.input))
        return
    number = step.input.get("taskId", step.input.get("task_id"))
    what, said = first_text(step.input, "subject", "title").strip(), _status(step.input)
    if isinstance(number, str | int) and str(number) and (what or said):
        state = _state(step.input) if said else State.NONE
        yield replace(_task(what, "", state), subject=f"\n#{number}")


def _task(what: str, number: str, state: State) -> Event:
    subject = " ".join(what[:200].splitlines()) + (f"\n#{number}" if number else "")
    return Event(Category.TASK, what[:LONGEST_COMMAND], "assistant", Trust.AGENT, subject, state)


def _subject(item: Mapping[str, Any]) -> str:
    return first_text(item, "content", "step", "subject", "title", "description").strip()


def _status(item: Mapping[str, Any]) -> str:
    return first_text(item, "status", "state").replace("_", " ").replace("-", " ").lower()


def _state(item: Mapping[str, Any]) -> State:
    return _STATES.get(_status(item), State.OPEN)


def number_of(subject: str) -> str:
    """The number in a task's subject, "" for none."""
    return subject.partition("\n#")[2]


def named_of(subject: str) -> str:
    """A task's subject without the number."""
    return subject.partition("\n#")[0]
