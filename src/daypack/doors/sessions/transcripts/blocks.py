"""The blocks of a message: its text, the calls of tools that it begins, and the results of earlier calls.

    [{"type": "text", "text": "Read the page."}, {"type": "tool_result", "tool_use_id": "x", "content": "…"}]

A result is the output of its call, never the words of the message's author.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from daypack.doors.sessions.hooks.steps import response_of
from daypack.doors.sessions.transcripts.cline import of_server
from daypack.doors.sessions.transcripts.values import content_of
from daypack.doors.sessions.types import Did, Step
from daypack.shapes.loose_json import object_of, text_of

MakeStep = Callable[..., Step]
"""Makes a step of what happened, and of the key of the occurrence."""


class Calls:
    """The calls of tools so far; those in `unanswered` wait for their results."""

    def __init__(self, *, reports_failures: bool = False) -> None:
        """`reports_failures` says that a result without a report of failure means success."""
        self._reports_failures = reports_failures
        self._inputs: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self.unanswered: dict[str, Step] = {}

    def begin(self, block: Mapping[str, Any], step: MakeStep) -> None:
        call = text_of(block.get("id")) or f"#{len(self._inputs)}"  # Cursor writes neither ids nor results
        tool, tool_input = of_server(text_of(block.get("name")), object_of(block.get("input")))
        self._inputs[call] = tool, tool_input
        self.unanswered[call] = step(Did(tool, tool_input), call)

    def answer(self, block: Mapping[str, Any], step: MakeStep) -> Iterator[Step]:
        """The step of a call with its result; none when the call is not in the transcript."""
        call = text_of(block.get("tool_use_id"))
        tool, tool_input = self._inputs.get(call, ("", {}))
        output, failed = response_of(block.get("content"))
        reported = block.get("is_error")
        if isinstance(reported, bool) or self._reports_failures:
            failed = bool(reported) or bool(failed)
        self.unanswered.pop(call, None)
        if tool:
            yield step(Did(tool, tool_input, output, failed), call)


def has_calls(content: Any) -> bool:
    """True for the content of a message with a call of a tool, or a result of one."""
    blocks = content if isinstance(content, list) else [content]
    return any(
        isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result") for block in blocks
    )


def read_blocks(content: Any, calls: Calls, step: MakeStep) -> tuple[list[Step], list[str]]:
    """(the calls that a message answers, with their results; its own texts)."""
    answered: list[Step] = []
    texts: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        match block.get("type") if isinstance(block, dict) else None:
            case "tool_use":
                calls.begin(block, step)
            case "tool_result":
                answered += calls.answer(block, step)
            case _:
                texts.append(content_of(block))
    return answered, [text for text in texts if text.strip()]
