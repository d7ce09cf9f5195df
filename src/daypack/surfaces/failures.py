"""Messages for callers of a server when a verb fails: the same for REST and agents, with the side at fault."""

from __future__ import annotations

import re
import sys
import traceback
from asyncio import CancelledError
from collections.abc import Mapping
from dataclasses import dataclass, replace

from daypack.errors import DaypackError, ModelError, NotFound, Stopped, StoreError, StoreNotFound
from daypack.guard.fences import LONGEST_MESSAGE, both_ends, one_line
from daypack.surfaces.host import NotOffered
from daypack.surfaces.workers import TooBusy
from daypack.team.errors import Forbidden, ProjectFull, TokenEnded, TooManyWrites
from daypack.verbs import Verb
from daypack.verbs.table import Parameter


@dataclass(frozen=True, slots=True)
class Failure:
    """`status` is of HTTP: 4xx the caller can mend, 503 the store or the model, 500 a fault of Daypack. `seconds` is the
    time after which a refused call may be made again, where it is known.
    """

    status: int
    code: str
    message: str
    seconds: float | None = None


def failure_of(error: Exception, name: str, offered: Mapping[str, Verb] | None = None) -> Failure:
    """The failure to report to the caller of verb `name`, without stored text; the log has the trace.

    With the verbs that are `offered` to agents or programs, by the names that they call, the message speaks of tools and
    parameters; `name` is one of these names.
    """
    failure = _failure_of(error, name)
    return failure if offered is None else replace(failure, message=spoken(failure.message, name, offered))


def spoken(message: str, name: str, offered: Mapping[str, Verb]) -> str:
    """A message for the caller of verb `name`: commands are tools where these are offered, options are parameters."""
    verb = offered.get(name)
    own = {flag: one.name for one in (verb.parameters if verb else ()) for flag in _flags(one)}
    if verb is not None and message.startswith((f"{verb.name} has ", f"{verb.name} needs ")):
        message = name + message[len(verb.name) :]

    def tool(match: re.Match[str]) -> str:
        words, object_ = match[1].split(), match[2] or ""
        for length in range(len(words), 0, -1):
            command = " ".join(words[:length])
            if found := next((called for called, one in offered.items() if one.cli == command), None):
                return f"`{found}`{object_}"
        return f"`{match[1].partition(' --')[0]}`{object_} on the command line"

    def parameter(match: re.Match[str]) -> str:
        return f"`{own.get(match[0], match[1].replace('-', '_'))}`"

    return _OPTION.sub(parameter, _COMMAND.sub(tool, message))


_COMMAND = re.compile(r"`daypack ([^`]+)`( (?:it|them)\b)?")
_OPTION = re.compile(r"(?<![\w`-])--([a-z][a-z-]*)")


def _flags(parameter: Parameter) -> list[str]:
    names = parameter.flag.names if parameter.flag else ""
    return [part for word in names.split() for part in word.split("/") if part.startswith("--")]


def _failure_of(error: Exception, name: str) -> Failure:
    match error:
        case DaypackError():
            said = one_line(both_ends(str(error)), LONGEST_MESSAGE)
            seconds = error.seconds if isinstance(error, TooManyWrites) else None
            return Failure(_status(error), error.code, said, seconds)
        case MemoryError():
            return Failure(
                503,
                "out_of_memory",
                f"{one_line(name, 60)} needs more memory than there is; ask for less at a time",
            )
    traceback.print_exception(error, file=sys.stderr)
    return Failure(
        500,
        "internal",
        f"{one_line(name, 60)} failed inside Daypack; its log has the details, `daypack doctor` looks for damage",
    )


def status_of(error: BaseException) -> int:
    """The status of HTTP for a failed call; 499 for a caller who left before the answer."""
    match error:
        case CancelledError() | Stopped():
            return 499
        case DaypackError():
            return _status(error)
        case MemoryError():
            return 503
    return 500


def _status(error: DaypackError) -> int:
    match error:
        case TooBusy() | TooManyWrites():
            return 429
        case Forbidden():
            return 403
        case TokenEnded():
            return 401
        case ProjectFull():
            return 413
        # the server makes its own store; a missing one was named by the caller
        case NotOffered() | NotFound() | StoreNotFound():
            return 404
        case StoreError() | ModelError() | Stopped():
            return 503
    return 400
