"""Packs of code of real projects, held against what every pack of code promises: `python -m evals packs
CHECKOUT...`.

The questions are names of a project's own symbols, words of their docstrings, paths, and such as have no
answer; what is asked for beside them is drawn with a fixed seed. A pack is right when its answer follows the
schema that ships with the package, counts no more than its characters, each item is the lines of its file
that its id names, and no two have one id. The same question twice has the same ids.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema

from daypack import Daypack, Settings
from daypack.doors.code import serialize as code_data
from daypack.doors.code.types import CodePack

SCHEMA = json.loads(
    (resources.files("daypack.shapes") / "context_pack.schema.json").read_text(encoding="utf-8")
)
UNANSWERABLE = (
    '"no such words here"', 'Traceback (most recent call last):\n  File "a.py", line 3, in x\nKeyError: 1', "how are errors handled?",
    "NoSuchSymbolHere", "", "???", "a" * 500,
)  # fmt: skip
LEAST_FOR_A_NAME = 1_500  # characters, in which the definition of any name can be shown in part
_VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@dataclass(frozen=True)
class Outcome:
    """Questions to one project, and faults of the answers."""

    project: str
    packs: int
    named: int  # questions that are the name of a symbol …
    named_first: int  # … and those whose first item is one of that name
    faults: tuple[str, ...]


def asked_of(folder: Path, packs: int, *, seed: int = 1) -> Outcome:
    """Ask `packs` questions of a project."""
    rng = random.Random(seed)
    faults: list[str] = []
    tally: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as store,
        Daypack.open(Path(store) / ".daypack", root=folder, settings=Settings(embedder="hashing")) as dp,
    ):
        dp.files.add(folder)
        for name, query in _questions(dp, packs, rng):
            asked: dict[str, Any] = {
                "max_chars": rng.choice([0, 300, LEAST_FOR_A_NAME, 8_000, 20_000]),
                "limit": rng.choice([1, 5, 10]),
                "strategy": rng.choice(["direct", "extended", "deep"]),
                "related_mode": rng.choice(["explore", "focus"]),
                "prefer": rng.choice(["none", "code", "docs"]),
                "trace": rng.random() < 0.2,
            }
            pack = dp.code.pack(query, profile="fast", refresh=False, **asked)
            again = dp.code.pack(query, profile="fast", refresh=False, **asked)
            troubles = [
                *_troubles(dp, pack),
                *(["ids differ when asked again"] if _ids(again) != _ids(pack) else []),
            ]
            faults += [f"{folder.name}: {query[:60]!r} {asked}: {trouble}" for trouble in troubles]
            if name and asked["max_chars"] >= LEAST_FOR_A_NAME:
                tally["named"] += 1
                tally["first"] += bool(pack.items) and pack.items[0].symbol.rpartition(".")[2] == name
    return Outcome(folder.name, packs, tally["named"], tally["first"], tuple(faults))


def _questions(dp: Daypack, packs: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """(name, query): the name is "" where the query is not one."""
    rows = dp.code.symbols(limit=1_000, refresh=False)
    for number in range(packs):
        row = rng.choice(rows)
        last = row.name.rpartition(".")[2]
        yield (
            (last, row.name),
            ("", row.doc or row.signature),
            ("", row.file),
            ("", rng.choice(UNANSWERABLE)),
        )[number % 4]


def _troubles(dp: Daypack, pack: CodePack) -> Iterator[str]:
    answer = json.loads(json.dumps(code_data.pack_to_dict(pack)))
    for error in _VALIDATOR.iter_errors(answer):
        yield f"no answer of the schema: {error.message[:200]}"
    if answer["data"]["budget"]["used_chars"] > pack.max_chars:
        yield "over its characters"
    for item in pack.items:
        lines = dp.get(item.file).text.split("\n")
        if "\n".join(lines[item.start_line - 1 : item.end_line]).rstrip() != item.body:
            yield f"{item.id} is not what stands there"
    if len(set(_ids(pack))) < len(pack.items):
        yield "an id is there twice"


def _ids(pack: CodePack) -> list[str]:
    return [item.id for item in pack.items]


def report(found: Sequence[Outcome]) -> str:
    rows = [f"{'project':<24}{'packs':>8}{'faults':>8}   a name's definition first"]
    rows += [
        f"{one.project:<24}{one.packs:>8}{len(one.faults):>8}   {one.named_first} of {one.named}"
        for one in found
    ]
    packs, faults = sum(one.packs for one in found), [fault for one in found for fault in one.faults]
    rows.append(
        f"{'all':<24}{packs:>8}{len(faults):>8}   {sum(one.named_first for one in found)} of {sum(one.named for one in found)}"
    )
    return "\n".join([*rows, *faults])
