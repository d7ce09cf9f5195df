"""The outcome of a call, by its own report or by its output."""

from __future__ import annotations

import re

from daypack.doors.sessions.types import Did

_EXIT = re.compile(
    r"\A(?:\s*(?:Error: )?(?:Command failed with )?(?:exit(?:ed)?(?: with)?(?: code| status)?:?|Process exited with code|Exit code:?)\s*(\d+))",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^(?:Traceback \(most recent call last\)|(?:\w+\.)*\w*Error\b.*:|error(?:\[\w+\])?:|fatal:|FAILED\b|.*: command not found$)",
    re.MULTILINE,
)


def has_failed(step: Did) -> bool | None:
    """True when a call failed, by its own report, else by its output; None when neither tells."""
    if step.failed is not None:
        return step.failed
    if step.output is None:
        return None
    if match := _EXIT.match(step.output):
        return match[1] != "0"
    return True if _TROUBLE.search(step.output[:4_000]) or _TROUBLE.search(step.output[-4_000:]) else None
