"""What a retry must and must not do."""

from __future__ import annotations

import pytest

from pay.retry import Retryable, RetryPolicy, call_with_retry


def test_a_timeout_is_tried_again_until_it_works() -> None:
    answers = iter([Retryable("timeout"), Retryable("503"), "ok"])

    def action() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    waits: list[float] = []
    assert call_with_retry(action, RetryPolicy(), sleep=waits.append) == "ok"
    assert len(waits) == 2


def test_a_refusal_is_not_tried_again() -> None:
    def action() -> None:
        raise ValueError("card closed")

    with pytest.raises(ValueError, match="card closed"):
        call_with_retry(action, RetryPolicy(), sleep=lambda _: pytest.fail("waited for a refusal"))
