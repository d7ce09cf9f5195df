"""The check of every stored text as it is read: a value that was edited behind Daypack's back is damage, not an answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from daypack.errors import StoreDamaged

if TYPE_CHECKING:
    import apsw


def check_unchanged(db: apsw.Connection, what: str, *, unchanged: bool) -> None:
    """Raise StoreDamaged about `what` where it differs from its hash."""
    if not unchanged:
        raise StoreDamaged(str(Path(db.filename).parent), f"{what} has changed on disk since it was stored")
