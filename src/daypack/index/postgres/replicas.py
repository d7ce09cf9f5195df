"""The age of a replica's answers, as a bound that holds whatever the network does.

Two facts bound it, and the smaller counts. Every commit before the last replayed change is
here. And where everything that the primary announced is replayed, so is every commit before its last message.
"""

from __future__ import annotations

import math
from typing import Any

import psycopg

IDLE = 35.0  # seconds; a primary without writes sends a message every 30
_ASKED = """
    SELECT extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()),
           (SELECT extract(epoch FROM clock_timestamp() - last_msg_receipt_time) FROM pg_stat_wal_receiver
            WHERE status = 'streaming' AND latest_end_lsn <= pg_last_wal_replay_lsn())"""


def lag(raw: psycopg.Connection[Any]) -> float:
    """Seconds by which answers may be older than the primary: 0 where all that it announced is here, and infinite
    where nothing tells.
    """
    found = raw.execute(_ASKED).fetchone()
    assert found is not None
    changed, heard = (math.inf if one is None else max(float(one), 0.0) for one in found)
    return 0.0 if heard <= IDLE else min(changed, heard)
