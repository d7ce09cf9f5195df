"""Methods that cache their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class _Answering(Protocol):
    answers: dict[str, dict[tuple[Any, ...], Any]]  # by the name of a method


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
        if question not in known:
            known[question] = method(self, *question, **more)
        found: _Answer = known[question]
        return found

    return answer
