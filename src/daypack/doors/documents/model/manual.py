"""The contents of a store's collections as a page of Markdown for people and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daypack.doors.documents.model.values import with_dates
from daypack.guard.fences import one_line
from daypack.shapes.strict_json import canonical
from daypack.shapes.wording import counted

LONGEST_SAMPLE = 2_000


def markdown(descriptions: Sequence[Mapping[str, Any]]) -> str:
    """The manual of described collections. Names and samples are data: none can begin a line."""
    parts = ["# Collections\n"]
    if not descriptions:
        parts.append("\nNone yet; the first document of a collection makes it.\n")
    for item in descriptions:
        total, looked = item["documents"], item["sampled"]
        sampled = f", fields of the first {looked:,}" if looked < total else ""
        parts.append(f"\n## {item['collection']}\n\n{counted(total, 'document')}{sampled}\n")
        if item["fields"]:
            parts.append("\n| Field | Types | Present |\n|---|---|---|\n")
        for field in item["fields"]:
            types = ", ".join(
                f"{name} {count:,}" if len(field["types"]) > 1 else name
                for name, count in field["types"].items()
            )
            parts.append(f"| `{_cell(field['path'])}` | {types} | {field['presence']:.0%} |\n")
        if item["sample"] is not None:
            text = canonical(with_dates(item["sample"]))
            text = text if len(text) <= LONGEST_SAMPLE else f"{text[:LONGEST_SAMPLE]}…"
            parts.append(f"\nA sample:\n\n    {one_line(text, 2 * LONGEST_SAMPLE)}\n")
    return "".join(parts)


def _cell(path: str) -> str:
    return one_line(path, 120).replace("|", "\\|").replace("`", "'")
