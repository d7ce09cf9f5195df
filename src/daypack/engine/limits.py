"""Limits of work: the largest question and budget, and the end of calls that were cancelled.

Cancelled work ends between two questions, or between two stages of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from daypack.errors import BadBudget, QueryTooLong, Stopped
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES
from daypack.text.checks import check_text
from daypack.types import Budget, Query


def check_limits(text: str, budget: Budget | None = None) -> None:
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
    """A note on a question that was too long to be read whole; empty for most."""
    if not query.unread:
        return ()
    return (f"the last {query.unread:,} bytes of the question were not read",)


class Stopping:
    """Tells whether the caller still waits for an answer; the engines of one store share it."""

    def __init__(self) -> None:
        self._wanted: Callable[[], bool] = lambda: True

    @contextmanager
    def asking(self, wanted: Callable[[], bool]) -> Iterator[None]:
        """Within the context, `check` calls `wanted`, which must be quick."""
        before, self._wanted = self._wanted, wanted
        try:
            yield
        finally:
            self._wanted = before

    def check(self) -> None:
        """Raise Stopped when the caller no longer waits."""
        if not self._wanted():
            raise Stopped
