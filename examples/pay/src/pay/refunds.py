"""Refunds: asked for by support, sent by the worker, settled or failed by the provider."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Protocol

from pay.ledger import Ledger
from pay.retry import Retryable, RetryPolicy, call_with_retry


class State(enum.Enum):
    REQUESTED = "requested"
    SENT = "sent"
    SETTLED = "settled"
    FAILED = "failed"


class OverRefund(Exception):
    """More would be given back than was charged."""


class Refused(Exception):
    """The provider will never accept this refund; `reason` is shown to support."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Refund:
    id: str
    charge_id: str
    cents: int
    state: State = State.REQUESTED
    reason: str = ""

    @property
    def idempotency_key(self) -> str:
        """One key for each refund, not for each attempt: a retry after a timeout must not pay twice."""
        return f"refund-{self.id}"


class Provider(Protocol):
    def refund(self, charge_id: str, cents: int, *, key: str) -> None:
        """Raises Retryable or Refused."""


def request(ledger: Ledger, refund: Refund) -> Refund:
    """Write a refund down. Raises OverRefund when the charge would be given back more than once."""
    with ledger.locked(refund.charge_id) as charge:
        if charge.refunded_cents + refund.cents > charge.cents:
            raise OverRefund(f"{refund.charge_id}: {charge.cents - charge.refunded_cents} cents are left, {refund.cents} were asked for")
        return ledger.write(refund)


def send(ledger: Ledger, provider: Provider, refund: Refund, policy: RetryPolicy) -> Refund:
    """Send a refund to the provider and retry it under the policy; the row ends as `settled` or `failed`.

    Every attempt uses the same idempotency key, so an attempt that did arrive is not paid again.
    """
    ledger.write(replace(refund, state=State.SENT))
    try:
        call_with_retry(lambda: provider.refund(refund.charge_id, refund.cents, key=refund.idempotency_key), policy)
    except Refused as refusal:
        return ledger.write(replace(refund, state=State.FAILED, reason=refusal.reason))
    except Retryable:
        return ledger.write(replace(refund, state=State.FAILED, reason="attempts_exhausted"))
    return ledger.write(replace(refund, state=State.SETTLED))
