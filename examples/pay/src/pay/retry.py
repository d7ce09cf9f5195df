"""Try again what may work later, and only that."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


class Retryable(Exception):
    """A failure that says nothing about the request: timeouts, 429 and 5xx. `after` is the provider's own wish in seconds."""

    def __init__(self, message: str, after: float | None = None) -> None:
        self.after = after
        super().__init__(message)


@dataclass(frozen=True)
class RetryPolicy:
    """How often, and how long to wait in between. The values come from config/retry.yaml."""

    attempts: int = 5
    base_seconds: float = 2.0
    max_seconds: float = 60.0

    def delay(self, attempt: int, jitter: Callable[[], float] = random.random) -> float:
        """Seconds to wait after attempt number `attempt` (1-based): exponential, with jitter from 0.5 to 1.5."""
        return min(self.base_seconds * 2 ** (attempt - 1), self.max_seconds) * (0.5 + jitter())


def call_with_retry(action: Callable[[], T], policy: RetryPolicy, *, sleep: Callable[[float], None] = time.sleep) -> T:
    """Run `action` until it succeeds or the policy's attempts are used up; then the last failure is raised.

    Only `Retryable` is caught. A refusal (any other exception) goes straight to the caller.
    """
    for attempt in range(1, policy.attempts + 1):
        try:
            return action()
        except Retryable as failure:
            if attempt == policy.attempts:
                raise
            sleep(failure.after if failure.after is not None else policy.delay(attempt))
    raise AssertionError("a policy has at least one attempt")
