"""Settings of the sources door from their texts. The texts are described in `setting_rows`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.sources.setting_rows import ROWS
from daypack.doors.sources.types import SourceSettings, SourceWeights


def source_settings(given: Mapping[str, str]) -> SourceSettings:
    """Settings from texts by name, with defaults; other doors' names are ignored. Raises ValueError."""
    own: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    for row in ROWS:
        if row.name not in given:
            continue
        value = row.read(given[row.name])
        if row.field:
            room, _, field = row.field.rpartition(".")
            (weights if room else own)[field] = value
    if "key_match" in weights:
        weights["tag_match"] = weights["key_match"]
    return replace(SourceSettings(weights=replace(SourceWeights(), **weights)), **own)
