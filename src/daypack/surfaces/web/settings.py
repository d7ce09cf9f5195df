"""Settings: every value with the place that it comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from daypack.doors.registry import context_of
from daypack.settings.configuration import Level

if TYPE_CHECKING:
    from daypack.api import Daypack

PLACES = {
    Level.DEFAULT: "default", Level.USER: "your file", Level.PROJECT: "the project", Level.VARIABLE: "the environment",
}  # fmt: skip


def look(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:  # noqa: ARG001
    """Raises BadConfiguration."""
    found = context_of(daypack.root, os.environ).configuration
    rows = [
        {"name": name, "value": one.shown, "about": one.setting.about, "choices": one.setting.choices,
         "variable": one.setting.variable, "place": PLACES[one.level], "origin": one.origin,
         "is_set": one.level is not Level.DEFAULT, "waits": one.setting.waits}
        for name, one in found.values.items()
    ]  # fmt: skip
    return {"settings": rows, "waiting": found.waiting, "set": len([row for row in rows if row["is_set"]])}
