"""Names that mean one definition, asked as queries: how often it stands first in a pack of code.

A name counts that one symbol of a project alone has, outside its tests, of five letters or more; names are
drawn with a fixed seed. The query is the bare name, the pack that of words alone, and the first item is right
when it shows the line on which the name is defined.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from daypack import Daypack, Settings
from daypack.types import SymbolKind

LETTERS = 5
PAGES = frozenset({"markdown"})


@dataclass(frozen=True)
class Found:
    """Questions to one project, and the answers that came before the meant one."""

    project: str
    asked: int
    missed: tuple[tuple[str, str, str], ...]  # (name, where it is defined, what came first)


def first_definitions(folder: Path, *, names: int, seed: int = 7) -> Found:
    """Ask `names` of a project's unambiguous names."""
    with (
        tempfile.TemporaryDirectory() as store,
        Daypack.open(Path(store) / ".daypack", root=folder, settings=Settings(embedder="hashing")) as dp,
    ):
        dp.files.add(folder)
        known = sorted(_unambiguous(dp))
        chosen = random.Random(seed).sample(known, min(names, len(known)))
        missed = []
        for name, file, line in chosen:
            items = dp.code.pack(
                name, limit=1, max_related_per_primary=0, profile="fast", refresh=False
            ).items
            first = items[0] if items else None
            if first is None or first.file != file or not first.start_line <= line <= first.end_line:
                missed.append((name, f"{file}:{line}", first.id if first is not None else "nothing"))
        return Found(folder.name, len(chosen), tuple(missed))


def _unambiguous(dp: Daypack) -> Iterator[tuple[str, str, int]]:
    graph = dp.code.graph()
    rows = [
        (symbol.name, uri, symbol.line, symbol.kind)
        for uri in graph.project.files.uris
        if (facts := graph.project.facts(uri)) is not None and facts.language not in PAGES
        for symbol in facts.symbols
    ]
    counts = Counter(name for name, *_ in rows)
    for name, uri, line, kind in rows:
        if (
            counts[name] == 1
            and len(name) >= LETTERS
            and kind is not SymbolKind.IMPL
            and not graph.is_test_file(uri)
        ):
            yield name, uri, line


def report(found: list[Found]) -> str:
    """A line a project, and then every name whose definition did not come first."""
    lines = [
        f"{one.project}: {one.asked - len(one.missed)} of {one.asked} definitions come first" for one in found
    ]
    lines += [
        f"missed  {name}: defined at {where}, first was {first}"
        for one in found
        for name, where, first in one.missed
    ]
    return "\n".join(lines)
