"""The end of work: the largest question and budget that are answered, and calls that were cancelled.

Cancelled work ends at the next seam: between questions, and between the stages of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from daypack.errors import BadBudget, QueryTooLong, Stopped
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES
from daypack.text.checks import check_text
from daypack.types import Budget, Query


def refuse(text: str, budget: Budget | None = None) -> None:
    """Raise InputError, QueryTooLong or BadBudget, before the question causes any read or write."""
    check_text("the query", text, "the question as a text")
    if (length := len(text.encode("utf-8", "replace"))) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    if budget is not None and (
        isinstance(budget.limit, bool)
        or not isinstance(budget.limit, int)
        or not 0 <= budget.limit <= LARGEST_BUDGET
    ):
        raise BadBudget(budget.limit, LARGEST_BUDGET)


def left_unread(query: Query) -> tuple[str, ...]:
    """A line about the end of a question that is too long to be read whole; none for most."""
    if not query.unread:
        return ()
    return (f"the last {query.unread:,} bytes of the question were not read",)


class Stopping:
    """Asks whether an answer is still wanted; the engines of one store share it."""

    def __init__(self) -> None:
        self._wanted: Callable[[], bool] = _always

    @contextmanager
    def asking(self, wanted: Callable[[], bool]) -> Iterator[None]:
        """Inside, `check` asks `wanted`, which may be called at any time and must be quick."""
        before, self._wanted = self._wanted, wanted
        try:
            yield
        finally:
            self._wanted = before

    def check(self) -> None:
        """Raise Stopped when the caller no longer waits."""
        if not self._wanted():
            raise Stopped


def _always() -> bool:
    return True
