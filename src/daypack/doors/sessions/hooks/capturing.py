"""Captures events of a coding agent's hooks: appends one event, as JSON on standard input, to the spool.

    echo '{"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "…"}' | daypack session capture

An agent waits for its hooks, so a capture has 50 ms of CPU including the start of the process: it imports little of the
standard library, and `system`. It does not open the store; the next command that uses the store imports the spool
(`daypack.doors.sessions.door`). Failures are reported on stderr with exit status 0, because a failing hook would stop the
agent.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time

from daypack.doors.sessions.hooks.spool import append
from daypack.projects import STORE_FOLDER, home_folder, store_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_BYTES = 16 << 20  # per event; a larger input is not an event
# characters of a string in an event; a longer string keeps its beginning and its end
LONGEST_STRING = 12_000
_HEAD = 8_000
# characters behind and before a cut with which secrets are redacted, so that no part of one is left; no key has more
_REACH = 20_000
# words of failing lines in the output of programs; the number of such lines that are kept, and the characters of each
_FAILING = ("FATAL", "PANIC", "CRITICAL", "ERROR", "FAILED", "FAILURE", "Traceback", "Error:", "Exception:",
            "error:", "error[", "fatal:", "npm ERR!")  # fmt: skip
_MOST_FAILING, _LONGEST_LINE = 5, 200
_MOST_ITEMS = 400  # per list or object
_DEEPEST = 8
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main() -> int:
    """Capture one event from standard input. Returns 0 always."""
    keep(lambda: sys.stdin.buffer.read(MOST_BYTES + 1))
    return 0


def keep(read: Callable[[], bytes]) -> None:
    """Capture the event that is read, or report why not: no error may stop the agent."""
    try:
        trouble = capture(read(), environment=os.environ, now=time.time())
    except Exception as error:
        trouble = reason_of(error)
    if trouble:
        report("not captured", trouble)


def reason_of(error: Exception) -> str:
    """The failure of a hook in words, with the next step where one is known."""
    if not isinstance(error, OSError):
        return f"{type(error).__name__}: {error}"
    if error.errno in _FULL:
        return "no space is left for the store; free some space, and later events are captured"
    place = os.fsdecode(error.filename) if error.filename is not None else "the store"
    return f"{place} cannot be used ({error.strerror}); check its permissions"


def report(fault: str, reason: str) -> None:
    """Report the failure of a hook on standard error."""
    sys.stderr.write(f"daypack: {fault}: {' '.join(reason.split())}\n")


def capture(data: bytes, *, environment: Any, now: float) -> str:
    """Append an event to the spool of its project; returns the reason for a failure, or ""."""
    if len(data) > MOST_BYTES:
        return f"the event has more than {MOST_BYTES >> 20} MB"
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        return f"standard input is not JSON ({error})"
    if not isinstance(event, dict):
        return "the event is not a JSON object"
    folder = store_of(event, environment)
    if folder is None:
        return "no project found here (it would have .daypack or .git)"
    kept = _without_secrets(_bounded(event, 0))
    if not folder_of(event):
        kept["cwd"] = start_of(event, environment)
    line = {"t": now, "k": f"{time.time_ns():x}-{os.getpid():x}", "e": kept}
    text = json.dumps(line, ensure_ascii=True, separators=(",", ":"))
    append(folder, text.encode("ascii"))
    return ""


def _bounded(value: Any, depth: int) -> Any:
    """The value without control sequences of a terminal, which may divide a secret, and with long strings, long lists and deep
    nesting cut, and marked where it is cut.
    """
    if isinstance(value, str):
        if "\x1b" in value:
            from daypack.text.terminal_text import without_escapes

            value = without_escapes(value)
        return without_middle(value, LONGEST_STRING, _HEAD)
    if isinstance(value, dict | list) and depth >= _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {str(name)[:200]: _bounded(item, depth + 1) for name, item in [*value.items()][:_MOST_ITEMS]}
    if isinstance(value, list):
        return [_bounded(item, depth + 1) for item in value[:_MOST_ITEMS]]
    return value


def without_middle(text: str, longest: int, head: int) -> str:
    """The text as `clipped` shortens it, with the failing lines of the part that is left out. Secrets are redacted first: a
    part of one has neither its form nor its name.
    """
    if len(text) <= longest:
        return text
    tail = longest - head
    cut = clipped(text, longest, head)
    lines = failing_lines(text[head:-tail], _redacted)
    middle = "\n".join(("", "[… failing lines of the part left out …]", *lines)) if lines else ""
    before, behind = _redacted(text[: head + _REACH]), _redacted(text[-tail - _REACH :])
    return before[:head] + middle + cut[head:-tail] + behind[-tail:]


def failing_lines(text: str, redacted: Callable[[str], str] = str) -> list[str]:
    """The first lines with a word by which programs report a failure, in order, long lines cut once they are redacted.

    It searches plain strings, because a hook has no time to match a pattern at each of a million characters.
    """
    found: dict[int, tuple[int, int, str]] = {}
    for word in _FAILING:
        at = text.find(word)
        for _ in range(_MOST_FAILING):
            if at < 0:
                break
            first = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            found[first] = (at, end if end >= 0 else len(text), word)
            at = text.find(word, end) if end >= 0 else -1
    lines = []
    for first, (at, end, word) in sorted(found.items())[:_MOST_FAILING]:
        line = redacted(text[max(first, at - _REACH) : min(end, at + _REACH)])
        begin = max(0, line.find(word) - _LONGEST_LINE // 2)
        lines.append(line[begin : begin + _LONGEST_LINE].strip())
    return lines


def _redacted(text: str) -> str:
    from daypack.guard.suspects import may_hold_secret

    if not may_hold_secret(text):
        return text
    from daypack.guard.secrets import redact

    return redact(text).text


def clipped(text: str, longest: int, head: int) -> str:
    """The first `head` characters of a text and its last ones, about `longest` characters in all."""
    if len(text) <= longest:
        return text
    tail = longest - head
    return f"{text[:head]}\n[… {len(text) - longest:,} characters left out …]\n{text[-tail:]}"


_IDS = frozenset(
    {
        "session_id", "sessionId", "conversation_id", "taskId", "trajectory_id", "tool_use_id", "transcript_path", "agent_transcript_path",
        "hook_event_name", "hookEventName", "hookName", "agent_action_name", "prompt_id", "turn_id", "generation_id", "execution_id",
    }
)  # fmt: skip


def _without_secrets(event: dict[str, Any]) -> dict[str, Any]:
    """The event with secrets redacted, before it is written to disk. Only an event that may have a secret needs the patterns."""
    facts = {name: value for name, value in event.items() if name not in _IDS}
    if not _may_hold_secret("", facts):
        return event
    from daypack.guard.secrets import redact_json

    return {**event, **redact_json(facts)[0]}


def _may_hold_secret(name: str, value: Any) -> bool:
    from daypack.guard.suspects import may_hold_secret

    if isinstance(value, str):
        # A value is judged with its name, as in a text: {"password": "…"} is `password: "…"`.
        return may_hold_secret(value) or (bool(name) and may_hold_secret(f'"{name}": "{value}"'))
    if isinstance(value, dict):
        return any(may_hold_secret(key) or _may_hold_secret(key, item) for key, item in value.items())
    if isinstance(value, list):
        return any(_may_hold_secret(name, item) for item in value)
    return False


def store_of(event: Any, environment: Any) -> str | None:
    """The folder of the store to which an event belongs, the one that commands use, for a project with a store or a repository;
    None for other folders, in which an agent may work on anything.
    """
    start = start_of(event, environment)
    named = environment.get("DAYPACK_STORE")
    if named and not named.startswith(("postgresql://", "postgres://")):  # a server is not a folder
        return os.path.normpath(os.path.join(start, os.path.expanduser(named)))
    if shared := environment.get("DAYPACK_PROJECT_DIR"):
        return os.path.normpath(os.path.join(start, os.path.expanduser(shared), STORE_FOLDER))
    root, _ = store_root(start, home_folder())
    is_one = any(os.path.exists(os.path.join(root, name)) for name in (".git", STORE_FOLDER))
    return os.path.join(root, STORE_FOLDER) if is_one else None


def start_of(event: Any, environment: Any) -> str:
    """The folder in which an event happened: that of the event, of the client's environment, or the working folder."""
    folder = folder_of(event)
    if not (os.path.isabs(folder) and os.path.isdir(folder)):
        named = (environment.get(f"{client}_PROJECT_DIR") for client in ("CLAUDE", "CURSOR", "GEMINI"))
        folder = next(filter(None, named), "") or os.getcwd()
    return os.path.realpath(folder)


def folder_of(event: Any) -> str:
    """The folder that an event of any client names, or ""."""
    found = event.get("cwd") or event.get("workspace_roots") or event.get("workspaceRoots")
    first = found[0] if isinstance(found, list) and found else found
    return first if isinstance(first, str) else ""


if __name__ == "__main__":
    sys.exit(main())
