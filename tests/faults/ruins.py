"""Stores that are damaged at random and repaired. Run by the tests, and by `make storm`.

python ruins.py FOLDER ROUNDS SEED      one JSON object a round
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from daypack import Daypack
from daypack.index.salvage.image import Image
from daypack.index.salvage.shapes import shapes_of
from daypack.index.salvage.trees import Survey
from daypack.index.schema import VERSION
from every_door import fill
from support import WORDS, ills

PAGE = 4096
KINDS = ("bit", "bytes", "noise", "zeroed page", "zeroed pages", "swapped pages", "truncated", "head", "log")


class Original(NamedTuple):
    """A store before it is damaged: its texts by (door, scope, uid), and the pages that each lies on."""

    folder: Path
    texts: dict[tuple[str, str, str], str]
    pages: dict[tuple[str, str, str], set[int]]


def original(folder: Path) -> Original:
    """A new store with something of every door and 400 records of all lengths, some in the write-ahead log."""
    folder.mkdir()
    store = folder / ".daypack"
    chance = random.Random(1)
    with Daypack.open(store, settings=WORDS) as dp:
        fill(dp)
        for start in range(0, 400, 40):
            dp.records.add(
                [
                    {
                        "id": f"long{n}",
                        "text": f"Text {n}. " + "boiler kettle tea " * chance.choice([1, 9, 60, 500, 1500]),
                    }
                    for n in range(start, start + 40)
                ]
            )
        dp.records.delete([f"long{n}" for n in range(0, 400, 11)])
        dp.pack("Sencha")  # indexes documents
        texts = _texts(dp)
    image = Image.open(store / "daypack.db")
    survey = Survey(image, *shapes_of(VERSION))
    pages = {}
    for number in survey._pages["record"]:
        for cell in survey._read(number).cells:
            pages[cell.values[1:4]] = {number, *cell.overflow}
    assert pages.keys() == texts.keys()
    return Original(store, texts, pages)  # type: ignore[arg-type]


def _texts(dp: Daypack) -> dict[tuple[str, str, str], str]:
    with dp.engine.store.reading() as db:
        return {row[:3]: row[3] for row in db.execute("SELECT door, scope, uid, text FROM record")}


def ruin(content: bytearray, kind: str, chance: random.Random) -> tuple[bytearray, set[int]]:
    """The damaged content of a database, and the numbers of the damaged pages."""
    pages = len(content) // PAGE

    def of(number: int) -> slice:
        return slice((number - 1) * PAGE, number * PAGE)

    if kind in ("bit", "bytes"):
        places = [
            chance.randrange(PAGE, len(content))
            for _ in range(1 if kind == "bit" else chance.choice([3, 40, 200]))
        ]
        for place in places:
            content[place] ^= 1 << chance.randrange(8)
        return content, {place // PAGE + 1 for place in places}
    if kind == "head":
        places = [chance.randrange(PAGE) for _ in range(chance.choice([1, 4, 64]))]
        for place in places:
            content[place] = chance.randrange(256)
        return content, {1}
    if kind == "truncated":
        left = chance.randrange(pages // 2, pages)
        return content[: left * PAGE + chance.choice([0, 0, 100])], {*range(left + 1, pages + 1)}
    if kind == "swapped pages":
        one, other = chance.sample(range(2, pages + 1), 2)
        content[of(one)], content[of(other)] = content[of(other)], content[of(one)]
        return content, {one, other}
    count = 1 if kind == "zeroed page" else chance.randint(2, 12)
    numbers = chance.sample(range(2, pages + 1), count)
    for number in numbers:
        content[of(number)] = chance.randbytes(PAGE) if kind == "noise" else bytes(PAGE)
    return content, {*numbers}


def one_round(before: Original, folder: Path, seed: int) -> dict[str, Any]:
    """Damage a copy of a store in `folder`, repair it, and compare."""
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(before.folder, folder / ".daypack")
    (folder / ".daypack").chmod(0o700)
    file = folder / ".daypack" / "daypack.db"
    content, hit = bytearray(file.read_bytes()), {0}
    if kind != "log":
        content, hit = ruin(content, kind, chance)
        file.write_bytes(content)
    else:
        _leave_log(folder / ".daypack", chance)
    damaged = file.read_bytes()
    done = Daypack.repair(folder / ".daypack", settings=WORDS)
    outcome: dict[str, Any] = {
        "seed": seed,
        "kind": kind,
        "repaired": done.rescued is not None,
        "complete": done.complete,
    }
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        after = _texts(dp)
        outcome["ills"] = [ill for ill in ills(dp) if ill not in done.remaining]
    missing = {key for key, text in before.texts.items() if after.get(key) != text}
    intact = {key for key, pages in before.pages.items() if not pages & hit}
    invented = {key for key in after if key not in before.texts and key[2] != "late"}
    doubtful = {one.values[1:4] for one in done.rescued.doubtful} if done.rescued else set()
    invented -= doubtful  # a key that rotted, and the report says so
    told = {one.rowid for one in (*done.rescued.lost, *done.rescued.doubtful)} if done.rescued else set()
    named = (
        {" ".join(map(str, (*one.key, *one.values))) for one in (*done.rescued.lost, *done.rescued.doubtful)}
        if done.rescued
        else set()
    )
    outcome |= {
        "intact": len(intact),
        "intact_kept": len(intact - missing),
        "missing": sorted(map(list, missing)),
        "unnamed": sum(not any(f" {key[2]}" in f" {name}" for name in named) for key in missing),
        "invented": sorted(map(list, invented)),
        "told": len(told),
        "pages": done.rescued.pages if done.rescued else 0,
    }
    if done.kept.aside:
        aside = folder / ".daypack" / done.kept.aside
        outcome["original_kept"] = (aside / "daypack.db").read_bytes() == damaged
        outcome["report"] = (folder / ".daypack" / done.report).exists()
    return outcome


def _leave_log(store: Path, chance: random.Random) -> None:
    """Leave a damaged write-ahead log, as a process that was killed does, with one more record in it."""
    copy = store.with_name("copy")
    with Daypack.open(store, settings=WORDS) as dp:
        dp.records.add([{"id": "late", "text": "late " * chance.choice([1, 2000])}])
        shutil.copytree(store, copy)
    log = bytearray((copy / "daypack.db-wal").read_bytes())
    log[chance.randrange(len(log))] ^= 1
    for name in ("daypack.db", "daypack.db-wal"):
        (store / name).write_bytes(log if name.endswith("wal") else (copy / name).read_bytes())
    (store / "daypack.db-shm").unlink(missing_ok=True)
    shutil.rmtree(copy)


if __name__ == "__main__":
    place, rounds, first = sys.argv[1:]
    made = original(Path(place) / "original")
    began = time.monotonic()
    results = []
    for number in range(int(first), int(first) + int(rounds)):
        results.append(one_round(made, Path(place) / "damaged", number))
        sys.stdout.write(json.dumps(results[-1]) + "\n")
        sys.stdout.flush()
    total, kept = (sum(one[name] for one in results) for name in ("intact", "intact_kept"))
    silent = sum(bool(one["missing"]) and one["complete"] for one in results)
    wrong = sum(bool(one["invented"] or one["ills"]) for one in results)
    sys.stderr.write(
        f"{len(results)} stores in {time.monotonic() - began:.0f} s: {kept:,} of {total:,} records on intact pages kept, "
        f"{silent} losses not said, {wrong} stores with something deleted or damaged in them\n"
    )
    sys.exit(1 if silent or wrong or kept < 0.99 * total else 0)
