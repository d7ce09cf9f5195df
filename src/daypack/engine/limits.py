"""The largest question and the largest budget that are answered."""

from __future__ import annotations

from daypack.errors import BadBudget, QueryTooLong
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES
from daypack.types import Budget


def refuse(text: str, budget: Budget | None = None) -> None:
    """Raise QueryTooLong or BadBudget, before the question causes any read or write."""
    if (length := len(text.encode("utf-8", "replace"))) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    if budget is not None and (
        isinstance(budget.limit, bool)
        or not isinstance(budget.limit, int)
        or not 0 <= budget.limit <= LARGEST_BUDGET
    ):
        raise BadBudget(budget.limit, LARGEST_BUDGET)
