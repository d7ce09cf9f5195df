"""The format of a text whose label has no ending, from its lines.

# Use  ```python  # Notes      Markdown (text/prose/markdown.py)
{"a": 1}                       JSON, or one value a line
"""

from __future__ import annotations

from daypack.shapes.loose_json import parsed
from daypack.text.prose.markdown import is_markdown


def ending_of(text: str) -> str:
    """`md`, `json` or `jsonl` for a text that shows one of these formats, else ""."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return _json_ending(text)
    return "md" if is_markdown(text) else ""


def _json_ending(text: str) -> str:
    if _is_json(text):
        return "json"
    lines = [line for line in text.split("\n") if line.strip()]
    of_json = all(line.lstrip()[0] in "{[" and _is_json(line) for line in lines)
    return "jsonl" if of_json and len(lines) > 1 else ""


def _is_json(text: str) -> bool:
    return bool(parsed(text.lstrip("\ufeff"), None))
