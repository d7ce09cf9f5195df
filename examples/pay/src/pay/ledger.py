"""The ledger: every charge and refund once, in memory here, in Postgres in production."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pay.refunds import Refund


@dataclass
class Charge:
    id: str
    cents: int
    refunded_cents: int = 0


class Ledger:
    """Charges and refunds. Amounts are whole cents; floats lose money."""

    def __init__(self) -> None:
        self._charges: dict[str, Charge] = {}
        self._refunds: dict[str, Refund] = {}
        self._lock = threading.RLock()

    def add_charge(self, charge: Charge) -> None:
        self._charges[charge.id] = charge

    @contextmanager
    def locked(self, charge_id: str) -> Iterator[Charge]:
        """A charge that nobody else may change until the block ends."""
        with self._lock:
            yield self._charges[charge_id]

    def write(self, refund: Refund) -> Refund:
        """Keep the newest state of a refund; the first time, its amount is taken off the charge."""
        with self.locked(refund.charge_id) as charge:
            if refund.id not in self._refunds:
                charge.refunded_cents += refund.cents
            self._refunds[refund.id] = refund
        return refund

    def difference(self, reported_cents: int) -> int:
        """What the nightly reconciliation compares: our refunds minus those of the provider's report."""
        return sum(refund.cents for refund in self._refunds.values()) - reported_cents
