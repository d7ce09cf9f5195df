"""Lines of versions, as a team server and the stores that follow it exchange them."""

from __future__ import annotations

import json
from collections.abc import Iterable

PATH = "/v1/team/memories"


def versions(lines: Iterable[str]) -> list[str]:
    """The lines of versions and of forgotten keys, without those that tell of the use of a key. Raises ValueError and
    AttributeError for a line of another form.
    """
    return [line for line in lines if {"recorded_at", "gone"} & json.loads(line).keys()]
