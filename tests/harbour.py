"""A project whose questions want other ranking weights than the default: what answers stands alone, and what
only talks of it is coherent.
"""

from __future__ import annotations

from typing import Any

TIDE = (
    "The keeper wrote a line in the log before the boat left, and the tide took the rest of the morning. " * 5
)
NAMES = [
    first + last
    for first in ("bar", "cor", "dun", "fal")
    for last in ("mak", "nip", "rud", "sol", "tev", "yon")
]


def log(name: str) -> str:
    """One paragraph that answers, among others that speak of nothing like it."""
    return f"# Log\n\n{TIDE}\n\n{TIDE}\n\nThe lamp of {name} burns paraffin. {TIDE}\n\n{TIDE}\n\n{TIDE}\n"


def talk(name: str) -> str:
    """Four paragraphs that all speak of it: coherent, and by default before the one of the log."""
    return "# Talk\n" + f"\nOf {name} much was said, and of its lamp too. {TIDE}{TIDE}\n" * 4


def cases(expected: str = "log/{}.md") -> list[dict[str, Any]]:
    return [
        {"name": name, "query": f"the {name} lamp", "expected_paths": [expected.format(name)]}
        for name in NAMES
    ]


FILES = {f"{kind}/{name}.md": text(name) for name in NAMES for kind, text in (("log", log), ("talk", talk))}
