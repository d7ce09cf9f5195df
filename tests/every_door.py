"""A store with something of every door, its answers, and its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.doors.sources.types import SourceDraft
from support import project

NOON = 1_760_000_000.0
QUESTIONS = (
    "kettle boils",
    "who likes green tea",
    "harbour ferry",
    "retry budget",
    "Sencha",
    "deploy decision",
)
DERIVED = {"chunk", "segment", "posting", "tomb", "instant", "code_facts", "code_name", "complete"}


def fill(dp: Daypack) -> None:
    """Write through every door; the files are made in the store's root."""
    if not (dp.root / ".git").exists():
        project(
            dp.root,
            {
                "tea.md": "# Tea\n\nThe kettle boils at 97 degrees.\n\n" + "Leaves want time. " * 300,
                "src/kettle.py": "def boil(kettle):\n    return kettle.heat(97)\n",
            },
        )
    dp.files.add(dp.root)
    dp.records.add(
        [{"id": f"r{n}", "text": f"Record {n} is about the harbour ferry {n * 7}."} for n in range(40)]
    )
    dp.memories.remember("user/tea", "Ana likes green tea", tags=["tea"])
    dp.memories.remember("user/tea", "Ana likes oolong now", tags=["tea"])
    dp.memories.remember("release/cadence", "We deploy on Tuesdays")
    dp.memories.remember("gone", "to be forgotten")
    dp.memories.forget("gone")
    dp.knowledge.add_text("notes", "The retry budget is ten percent.")
    dp.sessions.add_steps(
        [Step("monday", NOON + n, Said("user", f"Decision {n}: deploy the harbour")) for n in range(5)]
    )
    teas = dp.documents.collection("teas")
    teas.insert([{"_id": 1, "name": "Sencha", "year": 2021}, {"_id": 2, "name": "Assam", "tags": ["black"]}])
    teas.apply(teas.plan_update({"_id": 1}, {"$set": {"year": 2022}}).token)
    dp.documents.create("indexed", indexes=["year"])
    dp.documents.collection("indexed").insert([{"_id": n, "year": 2000 + n} for n in range(5)])
    dp.sources.ingest(
        SourceDraft(
            "The ferry leaves at nine.", "user_profile_note", "user", user_id="ana", source_key="ferry"
        )
    )
    dp.embed()


def answers(dp: Daypack) -> dict[str, Any]:
    """Everything that a person would ask of the store of `fill`."""
    return {
        "packs": [dp.pack(question, budget=900, refresh=False).text for question in QUESTIONS],
        "places": [
            [(one.chunk.uri, one.chunk.span, round(one.score, 9)) for one in dp.search(question, refresh=False).candidates]
            for question in QUESTIONS
        ],
        "memory": [dp.memories.recall("user/tea").value, dp.memories.history("user/tea")],
        "documents": [*dp.documents.collection("indexed").find({"year": {"$gt": 2001}}), *dp.documents.collection("teas").find({})],
        "records": [dp.get(f"r{n}").text for n in range(40)],
        "labels": [label.name for label in dp.knowledge.labels()],
        "sessions": dp.sessions.sessions(),
        "roots": [str(root) for root in dp.files.roots()],
    }  # fmt: skip


def rows(
    folder: Path, *, without: set[str] = frozenset(), counters: bool = True
) -> dict[str, list[tuple[Any, ...]]]:
    """Table → its rows, sorted, for a closed or an open store; without what belongs to one file or disk unless asked."""
    db = apsw.Connection(str(folder / "daypack.db"))
    try:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {
            name: sorted(db.execute(f'SELECT * FROM "{name}"'), key=repr)
            for name in tables
            if name not in without
        }
    finally:
        db.close()
    if not counters:
        found["meta"] = [
            row for row in found["meta"] if row[0] not in ("seq", "vec_seq", "code_seq", "touched", "places")
        ]
    return found
