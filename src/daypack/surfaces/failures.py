"""Messages for callers of a server when a verb fails: the same for REST and agents, with the side at fault."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass

from daypack.errors import DaypackError, ModelError, NotFound, Stopped, StoreError, StoreNotFound
from daypack.guard.fences import both_ends, one_line
from daypack.surfaces.host import NotOffered, TooBusy

LONGEST_MESSAGE = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    """`status` is of HTTP: 4xx the caller can mend, 503 the store or the model, 500 a fault of Daypack."""

    status: int
    code: str
    message: str


def failure_of(error: Exception, name: str) -> Failure:
    """The failure to report to the caller of verb `name`, without stored text; the log has the trace."""
    match error:
        case DaypackError():
            return Failure(
                _status(error), error.code, one_line(both_ends(str(error), LONGEST_MESSAGE), LONGEST_MESSAGE)
            )
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


def _status(error: DaypackError) -> int:
    match error:
        case TooBusy():
            return 429
        # the server makes its own store; a missing one was named by the caller
        case NotOffered() | NotFound() | StoreNotFound():
            return 404
        case StoreError() | ModelError() | Stopped():
            return 503
    return 400
