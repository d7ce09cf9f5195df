"""The columns that scoring needs of every chunk: a row for each chunk of a segment, in the order of their ids."""

from __future__ import annotations

import numpy as np

FIELDS = ("body", "name", "path", "context")

COLUMNS = np.dtype(
    [
        ("chunk_id", "<i8"),
        ("record_id", "<i8"),
        ("group", "<i8"),
        ("section", "<i8"),
        ("time", "<f8"),
        ("length", "<u4", (len(FIELDS),)),
        ("flags", "u1"),
    ]
)
"""Neighbours share a `group` (a file, a session), a topic shares a `section`."""
