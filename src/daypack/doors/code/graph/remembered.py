"""Methods that cache their answers, and caches that keep what is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

MOST_ANSWERS = 200_000  # of a method
MISSING: Any = object()

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(dict[_Key, _Value]):
    """A cache of at most `most` values, which keeps those that were used last. Emptied at once, it would lose the few values
    that all files of a large project ask for.

    The values used since the last turn are in the dictionary itself, and `get` finds them; `again` finds those of the turn
    before.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._half = max(1, most // 2)
        self._before: dict[_Key, _Value] = {}

    def again(self, key: _Key) -> Any:
        """The value that was last used in the turn before; MISSING for others."""
        found = self._before.get(key, MISSING)
        return found if found is MISSING else self.keep(key, found)

    def keep(self, key: _Key, value: _Value) -> _Value:
        if len(self) >= self._half:
            self._before = dict(self)
            self.clear()
        self[key] = value
        return value


def recent_answers() -> Recent[tuple[Any, ...], Any]:
    return Recent(MOST_ANSWERS)


class _Answering(Protocol):
    answers: dict[str, Recent[tuple[Any, ...], Any]]  # by the name of a method


_Self = TypeVar("_Self", bound=_Answering)
_Answer = TypeVar("_Answer")
_Question = ParamSpec("_Question")


def remembered(
    method: Callable[Concatenate[_Self, _Question], _Answer],
) -> Callable[Concatenate[_Self, _Question], _Answer]:
    """Cache the answers of a method. The depth is an argument, so an answer does not depend on the order of calls."""
    name = method.__qualname__

    def answer(self: _Self, /, *question: _Question.args, **more: _Question.kwargs) -> _Answer:
        known = self.answers[name]
        found: _Answer = known.get(question, MISSING)
        if found is MISSING and (found := known.again(question)) is MISSING:
            found = known.keep(question, method(self, *question, **more))
        return found

    return answer
