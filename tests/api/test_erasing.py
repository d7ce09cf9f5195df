"""Every way to delete or change a text leaves no byte of it in the store's folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from daypack import Daypack, Settings
from daypack.doors.sessions.hooks.capturing import capture
from daypack.doors.sessions.types import Did, Said, Step
from daypack.doors.sources.types import SourceDraft, SourcePolicy
from daypack.errors import NotFound
from daypack.surfaces.cli.build import Group
from daypack.surfaces.cli.main import cli
from daypack.surfaces.toolsets import verbs
from support import daypack

CANARY = "quetzalcoatlus"
STEM = b"etzalcoat"
OTHER = "The harbour opens at six, and the ferry sails at seven."


def page(word: str) -> str:
    parts = [
        f"## The {word} of part {n}\n\nIt is about {word}{n} and {word}s, number {n * 7919}.\n"
        for n in range(9)
    ]
    return f"# All about {word}\n\n" + "\n".join(parts)


def code(word: str) -> str:
    return f"class {word.title()}Engine:\n    def fly_{word}(self) -> str:\n        return '{word}' + fly_{word}()\n"


def places_of_canary(folder: Path) -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (CANARY.encode() in (data := path.read_bytes()) or STEM in data)
    ]


def put_files(dp: Daypack) -> None:
    (dp.root / f"{CANARY}.md").write_text(page(CANARY))
    (dp.root / "engine.py").write_text(code(CANARY))
    (dp.root / "harbour.md").write_text(page("harbour"))
    dp.files.add(dp.root)
    dp.code.symbols(CANARY)


def change_files(dp: Daypack) -> None:
    (dp.root / f"{CANARY}.md").rename(dp.root / "sparrow.md").write_text(page("sparrow"))
    (dp.root / "engine.py").write_text(code("sparrow"))
    dp.files.refresh()


def drop_files(dp: Daypack) -> None:
    (dp.root / f"{CANARY}.md").unlink()
    (dp.root / "engine.py").unlink()
    dp.files.refresh()


def put_text(dp: Daypack) -> None:
    dp.files.add_text(page(CANARY), name="notes")


def put_records(dp: Daypack) -> None:
    dp.records.add(
        [{"id": "bird", "text": page(CANARY), "title": CANARY, "tags": [CANARY], "metadata": {"a": CANARY}}]
    )


def put_documents(dp: Daypack) -> None:
    dp.documents.create("birds", indexes=["name"])
    birds = dp.documents.collection("birds")
    birds.insert(
        [{"_id": 1, "name": CANARY, "text": page(CANARY)}, {"_id": 2, "name": "heron", "text": "It wades."}]
    )
    planned = birds.plan_update({"name": CANARY}, {"$set": {"also": f"{CANARY} again"}})
    dp.documents.apply(planned.token)
    birds.plan_update({"_id": 1}, {"$set": {"later": CANARY}})
    dp.documents.catch_up()


def put_label(dp: Daypack) -> None:
    dp.knowledge.add_text("release", page(CANARY))


def put_memory(dp: Daypack) -> None:
    dp.memories.remember("bird", f"It is a {CANARY}", tags=[CANARY])


WAYS: dict[str, tuple[Callable[[Daypack], object], Callable[[Daypack], object]]] = {
    "a changed file": (put_files, change_files),
    "a file that is gone": (put_files, drop_files),
    "a text of standard input": (put_text, lambda dp: dp.files.remove_texts(["notes"])),
    "a text that is replaced": (put_text, lambda dp: dp.files.add_text(page("sparrow"), name="notes")),
    "a record": (put_records, lambda dp: dp.records.delete(["bird"])),
    "a record that is replaced": (
        put_records,
        lambda dp: dp.records.add([{"id": "bird", "text": page("sparrow")}]),
    ),
    "a document": (put_documents, lambda dp: dp.documents.collection("birds").delete({"_id": 1})),
    "a label": (put_label, lambda dp: dp.knowledge.remove("release")),
    "a label that is replaced": (put_label, lambda dp: dp.knowledge.add_text("release", page("sparrow"))),
    "a memory": (put_memory, lambda dp: dp.memories.forget("bird")),
}


@pytest.mark.parametrize("vectors", ["none", "all"])
@pytest.mark.parametrize("way", WAYS)
def test_a_deleted_or_changed_text_is_in_no_byte_of_the_store(tmp_path: Path, way: str, vectors: str) -> None:
    put, delete = WAYS[way]
    (tmp_path / "project").mkdir()
    store = tmp_path / "store"
    with Daypack.open(store, root=tmp_path / "project", settings=Settings(embedder="hashing")) as dp:
        dp.files.add_text(OTHER, name="other")
        put(dp)
        if vectors == "all":
            dp.embed()
        assert dp.pack(f"what of {CANARY}?", budget=400, vectors=vectors).excerpts
        assert places_of_canary(store)
        delete(dp)
        assert places_of_canary(store) == []
        # One more question and one more write bring nothing back.
        dp.pack(OTHER, vectors=vectors)
        dp.files.add_text("The ferry is late.", name="more")
        assert places_of_canary(store) == []
    assert places_of_canary(store) == []


# ---------------------------------------------------------------- every verb and command that deletes

DELETES = {"forget", "redact", "delete", "prune", "purge", "remove", "drop", "erase", "clear"}
KEEPS = {  # that look like them, and promise no deletion
    "ctx_batch_execute": "runs a program, which may change anything",
    "rollback": "writes the bodies before a change",
    "team member remove": "ends a role in a project, and leaves the texts of both",
    "team remote remove": "forgets an address",
    "team user remove": "ends a person's access, and leaves their texts",
}


def put_session(dp: Daypack) -> None:
    """Events in the store, and others that wait in the spool."""
    did = Did("Bash", {"command": f"make {CANARY}"}, f"built {CANARY}", failed=True)
    dp.sessions.add_steps(
        [Step("s1", 1_000.0, Said("user", page(CANARY)), "k1"), Step("s1", 1_001.0, did, "k2")]
    )
    event = {
        "session_id": "s1",
        "cwd": str(dp.root),
        "hook_event_name": "UserPromptSubmit",
        "prompt": f"And the {CANARY}?",
    }
    where = {"DAYPACK_STORE": str(dp.engine.store.folder)}
    assert capture(json.dumps(event).encode(), environment=where, now=1_002.0) == ""


def put_source(dp: Daypack) -> None:
    """Two versions under a key, so that an older one is there as well."""
    for end in ("one", "two"):
        draft = SourceDraft(
            page(CANARY) + end, "research_report", "user", source_key="bird", title=CANARY, summary=CANARY,
            tags=[CANARY], metadata={"of": CANARY}, structured_data={"bird": CANARY},
            policy=SourcePolicy(retention_days=1e-9),
        )  # fmt: skip
        dp.sources.ingest(draft)


def put_memories(dp: Daypack) -> None:
    put_memory(dp)
    dp.memories.remember("bird", f"It is a large {CANARY}", tags=["birds"], source="web:zoo.example")


def put_proposal(dp: Daypack) -> None:
    """A value of the user, which stays, and one that a page proposes."""
    dp.memories.remember("bird", "It is large")
    dp.memories.remember("bird", f"It is a large {CANARY}", tags=["birds"], source="web:zoo.example")


Way = tuple[Callable[[Daypack], object], dict[str, Any]]
VERBS: dict[str, Way] = {
    "forget": (put_memories, {"key": "bird"}),
    "forget_all": (put_memories, {"tag": "birds"}),
    "redact_memory": (put_memories, {"key": "bird", "reason": "it was one"}),
    "ctx_purge": (put_session, {"confirm": True, "sessionId": "s1"}),
    "ctx_purge of the project": (put_session, {"confirm": True, "scope": "project"}),
    "ctx_purge of a source": (put_label, {"confirm": True, "source": "release"}),
    "delete": (put_documents, {"collection": "birds", "filter": {"_id": 1}}),
    "delete_source": (put_source, {"source_key": "bird", "scope": "user"}),
    "prune_sources": (put_source, {}),
}
COMMANDS: dict[str, tuple[Callable[[Daypack], object], tuple[str, ...]]] = {
    "forget": (put_memories, ("bird",)),
    "forget --tag": (put_memories, ("--tag", "birds")),
    "forget --source": (put_proposal, ("--source", "web:zoo.example")),
    "forget --everything": (put_memories, ("--everything",)),
    "memory redact": (put_memories, ("bird", "--reason", "it was one")),
    "remove": (put_text, ("notes",)),
    "label remove": (put_label, ("release",)),
    "session purge --session": (put_session, ("--session", "s1")),
    "session purge --everything": (put_session, ("--everything",)),
    "session purge --before": (put_session, ("--before", "2001-01-01")),
    "source delete": (put_source, ("bird", "--scope", "user")),
    "source prune": (put_source, ()),
    "docs delete": (put_documents, ("birds", '{"_id": 1}')),
}


def test_every_verb_and_command_that_deletes_is_tested_below() -> None:
    named = {name for name, verb in verbs().items() if verb.destructive or DELETES & set(name.split("_"))}
    assert named - KEEPS.keys() == {name.partition(" ")[0] for name in VERBS}

    def words(group: Group, before: tuple[str, ...]) -> Iterator[str]:
        for name in group.list_commands(click.Context(cli)):
            found = group.get_command(click.Context(cli), name)
            if isinstance(found, Group):
                yield from words(found, (*before, name))
            elif DELETES & set(name.split("-")):
                yield " ".join((*before, name))

    assert set(words(cli, ())) - KEEPS.keys() == {name.partition(" --")[0] for name in COMMANDS}


@pytest.mark.parametrize("way", VERBS)
def test_a_verb_that_deletes_leaves_no_byte(tmp_path: Path, way: str) -> None:
    put, given = VERBS[way]
    verb = verbs()[way.partition(" ")[0]]
    (tmp_path / "project").mkdir()
    with Daypack.open(
        tmp_path / "store", root=tmp_path / "project", settings=Settings(embedder="hashing")
    ) as dp:
        dp.files.add_text(OTHER, name="other")
        put(dp)
        dp.pack(f"what of {CANARY}?", budget=400)
        assert places_of_canary(tmp_path / "store")
        verb.answer(dp, verb.arguments(given))
        assert places_of_canary(tmp_path / "store") == []
        dp.pack(OTHER)
    assert places_of_canary(tmp_path / "store") == []


@pytest.mark.parametrize("way", COMMANDS)
def test_a_command_that_deletes_leaves_no_byte(tmp_path: Path, way: str) -> None:
    put, arguments = COMMANDS[way]
    with Daypack.open(tmp_path / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add_text(OTHER, name="other")
        put(dp)
        dp.embed()
    assert places_of_canary(tmp_path / ".daypack")
    daypack(*way.partition(" --")[0].split(), *arguments, cwd=tmp_path)
    assert places_of_canary(tmp_path / ".daypack") == []


def test_a_reader_keeps_the_log_until_the_next_erasure(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, root=tmp_path, settings=Settings(embedder="hashing")) as dp:
        put_text(dp)
        with Daypack.open(tmp_path, root=tmp_path) as other, other.engine.store.reading() as db:
            db.execute("SELECT count(*) FROM record").fetchall()
            dp.files.add_text(page("sparrow"), name="notes")
            assert places_of_canary(tmp_path)
        dp.files.add_text(page("heron"), name="notes")
        assert places_of_canary(tmp_path) == []


def test_a_common_word_stays_findable_where_others_hold_it(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, root=tmp_path, settings=Settings(embedder="hashing")) as dp:
        for number in range(6):
            dp.files.add_text(f"Ferry {number} sails from the harbour.", name=f"ferry-{number}")
        dp.files.remove_texts(["ferry-0", "ferry-1"])
        found = {candidate.chunk.uri for candidate in dp.search("ferry harbour").candidates}
        assert found == {f"ferry-{number}" for number in range(2, 6)}


def test_texts_that_came_and_went_together_leave_no_segment_and_no_tombstone(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, root=tmp_path, settings=Settings(embedder="hashing")) as dp:
        dp.records.add([{"id": "stays", "text": "A harbour."}])
        before = index_of(dp)
        dp.records.add([{"id": f"ferry-{number}", "text": f"Ferry {number} sails."} for number in range(3)])
        assert index_of(dp) != before
        dp.records.delete([f"ferry-{number}" for number in range(3)])
        assert index_of(dp) == before


def index_of(dp: Daypack) -> dict[str, int]:
    with dp.engine.store.reading() as db:
        return {
            name: db.execute(f"SELECT count(*) FROM {name}").get
            for name in ("segment", "posting", "instant", "tomb")
        }


def test_an_unknown_name_removes_nothing(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, root=tmp_path) as dp:
        put_text(dp)
        with pytest.raises(NotFound, match="no text named 'other'"):
            dp.files.remove_texts(["notes", "other"])
        assert dp.search(CANARY).candidates
