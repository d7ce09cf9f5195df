"""Write a small store of the present schema, as a fixture for the tests of migration.

    python scripts/fixture_store.py        tests/index/stores/vNN.db.xz, once for each version of the schema

Run it before the schema changes: the file of a version is written once and never again, because stores of that
version exist outside.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

from daypack import Daypack, Settings
from daypack.index.schema import VERSION

STORES = Path(__file__).resolve().parent.parent / "tests" / "index" / "stores"
NOW = 1_795_000_000.0


def fill(dp: Daypack) -> None:
    """Something of every kind of content."""
    dp.records.add(
        [
            {"id": f"note-{n}", "text": f"# Note {n}\n\nThe kettle number {n} boils at {90 + n} degrees."}
            for n in range(8)
        ]
    )
    dp.records.delete(["note-7"])
    dp.memories.remember("release/day", "we release on Mondays", tags=["release"])
    dp.memories.remember("release/day", "we release on Thursdays", tags=["release"])
    dp.memories.remember("gone", "this was forgotten")
    dp.memories.forget("gone")
    teas = dp.documents.collection("teas")
    teas.insert([{"_id": n, "name": name, "year": 2019 + n} for n, name in enumerate(("Sencha", "Assam"))])
    teas.index("year")
    teas.apply(teas.plan_update({"_id": 1}, {"$set": {"year": 1999}}).token)
    dp.sources.store("decision_outcome", "Refunds keep one key for all attempts.", scope="global")
    dp.knowledge.add_text("harbour", "The lock gate opens at noon.")
    dp.pack("when does the lock gate open?")
    dp.embed()


def main() -> int:
    target = STORES / f"v{VERSION}.db.xz"
    if target.exists():
        sys.stdout.write(f"{target.name} exists; a version's store is written once\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "s")
        with Daypack.open(store, settings=Settings(embedder="hashing"), clock=lambda: NOW) as dp:
            fill(dp)
        STORES.mkdir(exist_ok=True)
        target.write_bytes(lzma.compress((store / "daypack.db").read_bytes(), preset=9))
    sys.stdout.write(f"wrote {target.name}, {target.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
