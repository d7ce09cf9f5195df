"""Fences of Markdown that a text cannot close."""

from __future__ import annotations

import re

_BACKTICKS = "`{3,}"


def fence(text: str) -> str:
    """Backticks that no run of backticks in the text can close."""
    if "```" not in text:
        return "```"
    return "`" * (1 + max(map(len, re.findall(_BACKTICKS, text))))
