"""The rewriting of tables that held erased texts.

VACUUM (FULL) keeps deleted rows that an open transaction anywhere in the database may still see, and says their number in
the first line of a remark, in words of the server's language.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

_PAUSE = 0.05


class Rewriting:
    """One try to rewrite tables in a session; `passed_over` is True once the server refused one to this user."""

    def __init__(self, raw: psycopg.Connection[Any], say: Callable[[str], None], seconds: float) -> None:
        self._say, self._deadline = say, time.monotonic() + seconds
        self._kept = 0
        self.passed_over = False
        raw.add_notice_handler(self._hear)

    def rewrite(self, table: str) -> bool:
        """Rewrite a table until no deleted row is left in it; False where others may see such rows for longer."""
        while True:
            self._kept = 0
            self._say(f"VACUUM (FULL, VERBOSE) {table}")
            if not self._kept and not self.passed_over:
                return True
            if self.passed_over or time.monotonic() > self._deadline:
                return False
            time.sleep(_PAUSE)

    def _hear(self, remark: psycopg.errors.Diagnostic) -> None:
        # At once: psycopg empties a remark after this call.
        if remark.severity_nonlocalized == "WARNING":
            self.passed_over = True
        elif remark.severity_nonlocalized == "INFO":
            found = re.search(r"\d+", (remark.message_detail or "").partition("\n")[0])
            self._kept += int(found[0]) if found else 0
