"""The text of an assembly: records in sections.

    ## drafting_instructions

    1. user_profile_note, user, profile, score 0.812 (bm25 0.31, dense 0.22)
    Prefers short e-mails.
    ```
    The client prefers short e-mails with bullet points.
    ```

What is stored stays inside its fence or on its line: it can neither begin a section nor hold live HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daypack.doors.sources.types import AssembledSection, RetrievedSource
from daypack.guard.fences import encode, fence, inline


def reason(parts: Mapping[str, float]) -> str:
    """The two parts that added most to a score; "least" of what got none, for scores run from the best to the
    least that was found.
    """
    best = sorted(((name, share) for name, share in parts.items() if share > 0), key=lambda part: -part[1])[
        :2
    ]
    return ", ".join(f"{name} {share:.2f}" for name, share in best) or "least"


def assembly_text(sections: Sequence[AssembledSection]) -> str:
    """The whole text; "" without items. Entries are numbered through all sections."""
    lines: list[str] = []
    number = 0
    for section in sections:
        lines += ["", f"## {section.name}"] if lines else [f"## {section.name}"]
        for item in section.items:
            number += 1
            lines += ["", *_entry(number, item)]
    return "\n".join(lines)


def _entry(number: int, item: RetrievedSource) -> list[str]:
    record = item.record
    names = ", ".join(
        inline(name)
        for name in (record.kind.value, record.scope.value, record.source_key, record.title)
        if name
    )
    shown, _, _ = encode(item.text.strip("\n"))
    bars = fence(shown)
    summary = [inline(record.summary, 300)] if record.summary else []
    return [f"{number}. {names}, score {item.score:.3f} ({reason(item.parts)})", *summary, bars, shown, bars]
