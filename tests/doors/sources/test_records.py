"""What is kept: versions by key, tombstones without text, structured data, files, retention."""

from __future__ import annotations

import json
import math
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest
from support_sources import DAY, opened

from daypack import Daypack
from daypack.doors.sources.types import (
    RetrieveRequest,
    SourceAction,
    SourceDraft,
    SourceKind,
    SourcePolicy,
    SourceStatus,
    SourceWeights,
)
from daypack.engine.checks import CheckVerdict
from daypack.errors import InputError, NotFound
from daypack.index.schema import MIGRATIONS
from support import Clock, bytes_of, ills


def note(text: str, **facts: object) -> SourceDraft:
    return SourceDraft(text, **{"kind": "user_profile_note", "scope": "user", "user_id": "ana", **facts})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"metadata": "x"}, 'metadata is a str, \'x\'; give a mapping, as {"project": "pier"}'),
        ({"metadata": ["a"]}, "metadata is a list, "),
        ({"metadata": None}, "metadata is None; give a mapping"),
        ({"data_schema": "x"}, "data_schema is a str, 'x'; give a mapping, or None"),
        ({"policy": {"freshness_days": 3}}, "policy is a dict, "),
        ({"policy": SourcePolicy(freshness_days="3")}, "freshness_days must be a number of days above 0"),  # type: ignore[arg-type]
        ({"policy": SourcePolicy(allowed_user_ids="ana")}, "allowed_user_ids must be a list of strings"),  # type: ignore[arg-type]
        ({"tags": "lease"}, "tags must be a list of strings"),
        ({"tags": 3}, "tags must be a list of strings"),
        ({"urls": "https://pier.example"}, "urls must be a list of strings"),
        ({"title": 3}, "title is a number, 3; give a text"),
    ],
)
def test_a_field_of_another_type_is_refused_with_an_example(
    dp: Daypack, facts: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError) as error:
        dp.sources.ingest(note("The ferry leaves at six.", **facts))
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("x", "weights is a str, 'x'; give a SourceWeights"),
        ({"lexical": 1}, "weights is a dict, "),
        (SourceWeights(lexical="0.5"), "weights.lexical must be a finite number, not '0.5'"),  # type: ignore[arg-type]
        (SourceWeights(kinds=["a"]), "weights.kinds is a list, "),  # type: ignore[arg-type]
        (SourceWeights(scopes={"user": None}), "weights.scopes['user'] must be a finite number, not None"),  # type: ignore[dict-item]
    ],
)
def test_weights_of_another_type_are_refused_with_an_example(
    dp: Daypack, weights: SourceWeights, said: str
) -> None:
    dp.sources.settings = replace(dp.sources.settings, weights=weights)
    with pytest.raises(InputError) as error:
        dp.sources.retrieve(RetrieveRequest("ferry", ranking="weighted"))
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("name", ["kinds", "tags", "source_keys"])
def test_a_filter_that_is_one_text_is_refused(dp: Daypack, name: str) -> None:
    with pytest.raises(InputError, match=f"{name} must be a list of strings"):
        dp.sources.retrieve(RetrieveRequest("ferry", **{name: "lease"}))  # type: ignore[arg-type]


def test_there_are_fourteen_kinds() -> None:
    assert len(SourceKind) == 14


def test_the_same_again_is_unchanged_and_something_else_is_the_next_version(dp: Daypack) -> None:
    first = dp.sources.upsert("ferry/timetable", note("The first ferry leaves at six."))
    again = dp.sources.upsert("ferry/timetable", note("The first ferry leaves at six."))
    second = dp.sources.upsert("ferry/timetable", note("The first ferry leaves at seven."))
    assert [one.action for one in (first, again, second)] == [
        SourceAction.CREATED,
        SourceAction.UNCHANGED,
        SourceAction.UPDATED,
    ]
    assert again.record == first.record
    assert (second.record.source_version, second.record.previous_record_id) == (2, first.record.id)
    kept = dp.sources.get(first.record.id, user_id="ana")
    assert (kept.source_status, kept.text) == (SourceStatus.SUPERSEDED, "The first ferry leaves at six.")
    found = dp.sources.retrieve(RetrieveRequest("first ferry", user_id="ana"))
    assert [item.text for item in found.items] == ["The first ferry leaves at seven."]
    assert found.excluded == {"source_status": 1}


def test_a_user_goes_on_with_a_key_of_theirs_from_every_session(dp: Daypack) -> None:
    policy = SourcePolicy(allowed_session_ids=("desk",))
    dp.sources.upsert("k", note("one ferry", policy=policy, session_id="desk"))
    assert dp.sources.upsert("k", note("two ferries", policy=policy)).record.source_version == 2
    assert len(dp.sources.list(user_id="ana", session_id="desk")) == 1


def test_what_says_nearly_the_same_is_kept_and_named(dp: Daypack) -> None:
    text = "the harbour master closes the northern gate every evening when the last ferry of the day has left"
    first = dp.sources.ingest(note(text))
    second = dp.sources.ingest(note(f"{text} again"))
    assert second.similar == (first.record.id,)
    assert dp.sources.stats(user_id="ana")["record_count"] == 2


def test_an_empty_key_deletes_none_of_the_records_without_a_key(dp: Daypack) -> None:
    for number in range(2):
        dp.sources.ingest(SourceDraft(f"note {number}", kind="user_prompt"))
    for refused in (
        lambda: dp.sources.delete(""),
        lambda: dp.sources.upsert("", note("x")),
        lambda: dp.sources.delete(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError, match=r"(the source key|source_key) is"):
            refused()
    assert dp.sources.revise("", lambda before, _: None if before is None else note("x")) is None
    assert len(dp.sources.list(status="active")) == 2


def test_deleting_leaves_a_tombstone_and_no_byte_of_any_version(dp: Daypack, tmp_path: Path) -> None:
    dp.sources.upsert(
        "k",
        note(
            "the zeppelin is moored at the quay",
            title="Zeppelin berth",
            tags=("quayside",),
            metadata={"by": "harbourer"},
        ),
    )
    dp.sources.upsert(
        "k", note("the zeppelin has left for Reykjavik", structured_data={"captain": "Thorvaldsen"})
    )
    dp.embed()
    dp.sources.retrieve(RetrieveRequest("where is the zeppelin", user_id="ana"))
    receipt = dp.sources.delete("k", scope="user", user_id="ana")
    assert receipt.purged
    assert len(receipt.records) == 2
    left = bytes_of(tmp_path).lower()
    for word in (b"zeppelin", b"quay", b"reykjavik", b"thorvaldsen", b"harbourer", b"moored"):
        assert word not in left, word
    (tombstone,) = [
        item for item in dp.sources.list(status="deleted", user_id="ana") if item.source_version == 2
    ]
    assert (tombstone.text, tombstone.title, tombstone.content_checksum, tombstone.source_key) == (
        "",
        "",
        "",
        "k",
    )
    with pytest.raises(NotFound):
        dp.sources.delete("k", scope="user", user_id="ana")
    assert ills(dp) == []
    assert dp.sources.upsert("k", note("a new berth")).record.source_version == 3


def test_fields_of_structured_data_are_found_by_path_and_value(dp: Daypack) -> None:
    data = {
        "title": "Lease of pier four",
        "parties": [{"name": "Aalto Oy", "role": "lessor"}],
        "terms": {"notice_days": 90},
        "signed": True,
    }
    done = dp.sources.ingest(note("", structured_data=data)).record
    assert [(one.path, one.value_text, one.value_type) for one in done.structured_fields] == [
        ("title", "Lease of pier four", "string"),
        ("parties[0].name", "Aalto Oy", "string"),
        ("parties[0].role", "lessor", "string"),
        ("terms.notice_days", "90", "integer"),
        ("signed", "true", "boolean"),
    ]
    assert done.data_schema is not None
    assert done.data_schema["schema_mode"] == "inferred"
    assert done.data_schema["primary_text_paths"] == ["title", "parties[0].name"]
    assert done.text.startswith("title: Lease of pier four\nparties[0].name: Aalto Oy\n")
    for query in ("notice_days", "lessor", "Aalto"):
        assert dp.sources.retrieve(RetrieveRequest(query, user_id="ana", vectors="none")).items, query


def test_secrets_are_not_kept_wherever_they_stand(dp: Daypack, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = dp.sources.ingest(
        note(f"token {secret}", structured_data={"deep": [secret]}, metadata={"m": secret}, summary=secret)
    )
    assert done.redactions == 4
    assert secret.encode() not in bytes_of(tmp_path)


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (SourceDraft(""), "the record is empty"),
        (SourceDraft("x", kind="rumour"), "'rumour' is not a source kind; choose from user_prompt"),
        (
            SourceDraft("x", scope="planet"),
            "'planet' is not a source scope; choose from session, user, global",
        ),
        (SourceDraft("x", source_key="a\nb"), "the source key"),
        (SourceDraft("x", user_id=" ana"), "the user id"),
        (SourceDraft("x", metadata={"a": float("nan")}), "metadata cannot be JSON"),
        (
            SourceDraft("x", policy=SourcePolicy(retention_days=0)),
            "retention_days must be a number of days above 0",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_in_words(dp: Daypack, draft: SourceDraft, said: str) -> None:
    with pytest.raises(InputError, match=said):
        dp.sources.ingest(draft)


def test_files_are_records_under_their_paths_and_json_is_structured(dp: Daypack, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "below").mkdir(parents=True)
    (folder / "page.html").write_text(
        "<html><title>Piers</title><body><h1>Piers</h1><p>Pier nine is closed.</p></body></html>"
    )
    (folder / "lines.ndjson").write_text('{"body": "buoy one"}\n\nno json\n{"body": "buoy two"}\n')
    (folder / "one.json").write_text(json.dumps({"name": "lighthouse", "height_m": 31}))
    (folder / "note.md").write_text("# Tides\n\nHigh water at noon.\n")
    (folder / "below" / "deep.csv").write_text("pier,length\n4,120\n")
    draft = SourceDraft(scope="user", user_id="ana")
    flat = dp.sources.import_path(folder, draft)
    assert sorted(one.record.source_key.rpartition("/")[2] for one in flat.stored) == [
        "lines.ndjson#1",
        "lines.ndjson#4",
        "note.md",
        "one.json",
        "page.html",
    ]
    assert [(issue.uri, issue.detail) for issue in flat.issues] == [("lines.ndjson:3", "this is not JSON")]
    deep = dp.sources.import_path(folder, draft, recursive=True)
    assert [
        one.record.source_key.rpartition("/")[2] for one in deep.stored if one.action is SourceAction.CREATED
    ] == ["deep.csv"]
    assert (
        dp.sources.retrieve(RetrieveRequest("height_m of the lighthouse", user_id="ana"))
        .items[0]
        .source_key.endswith("one.json")
    )


def test_a_line_separator_within_a_string_ends_no_line_of_json(dp: Daypack, tmp_path: Path) -> None:
    rows = ({"body": "buoy one\u2028is red"}, {"body": "buoy two\u0085is green"})
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "lines.jsonl").write_text(lines, encoding="utf-8")
    done = dp.sources.import_path(tmp_path / "lines.jsonl", SourceDraft(scope="user", user_id="ana"))
    assert [one.record.source_key.rpartition("#")[2] for one in done.stored] == ["1", "2"]
    assert not done.issues


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", "the buoy is red", "the buoy is red"),
        ("a.rst", "Buoys\n=====\n\nthe buoy is red\n", "the buoy is red"),
        ("a.xml", "<log><entry>the buoy is red</entry></log>", "the buoy is red"),
        ("a.yaml", "buoy:\n  colour: red\n", "colour: red"),
        ("a.csv", "buoy,colour\n4,red\n", "4,red"),
        ("a.log", "10:00 the buoy is red\n", "the buoy is red"),
        ("a.json", '{"buoy": {"colour": "red"}}', "buoy.colour: red"),
        ("a.ndjson", '{"buoy": "red"}\n', "buoy: red"),
        ("a.html", "<html><body><p>the buoy is red</p></body></html>", "the buoy is red"),
        ("a.py", "BUOY = 'red'\n", "BUOY = 'red'"),
    ],
)
def test_a_file_of_each_format_is_kept_and_found(
    dp: Daypack, tmp_path: Path, name: str, content: str, said: str
) -> None:
    (tmp_path / name).write_text(content)
    done = dp.sources.import_path(tmp_path / name, SourceDraft(scope="user", user_id="ana"))
    assert (len(done.stored), done.issues) == (1, ())
    (found,) = dp.sources.retrieve(RetrieveRequest("red buoy", user_id="ana")).items
    assert said in found.record.text


def test_a_schema_that_is_declared_says_what_the_text_is(dp: Daypack) -> None:
    data = {"heading": "Lease", "clause": "Ninety days' notice.", "body": "unread"}
    schema = {"schema_name": "lease", "primary_text_paths": ["clause"]}
    done = dp.sources.ingest(note("", structured_data=data, data_schema=schema)).record
    assert done.text == "clause: Ninety days' notice.\nheading: Lease\nbody: unread"
    assert done.data_schema is not None
    assert (done.data_schema["schema_mode"], done.data_schema["field_paths"]) == (
        "declared",
        ["heading", "clause", "body"],
    )
    wish = dp.sources.ingest(
        note("", structured_data=data, data_schema={**schema, "schema_name": "user_intent"})
    ).record
    assert wish.text == "clause: Ninety days' notice."
    assert (
        dp.sources.retrieve(RetrieveRequest("unread heading", user_id="ana", source_keys=("nothing",))).items
        == ()
    )


def test_nothing_is_pruned_unless_somebody_says_so(dp: Daypack, clock: Clock) -> None:
    for number in range(30):
        dp.sources.ingest(note(f"buoy number {number}"))
    clock.passes(1000 * DAY)
    assert dp.sources.prune(user_id="ana") == ()
    assert dp.sources.stats(user_id="ana")["record_count"] == 30


@pytest.mark.parametrize("days", [-5, 0, -0.5, math.nan, True])
def test_pruning_by_days_that_are_none_is_refused_and_deletes_nothing(
    dp: Daypack, clock: Clock, days: float
) -> None:
    dp.sources.ingest(note("buoy number 1"))
    clock.passes(60)
    with pytest.raises(
        InputError, match=r"retention_days (must be a number of days above 0|is True; give a number)"
    ):
        dp.sources.prune(user_id="ana", retention_days=days)
    assert dp.sources.stats(user_id="ana")["record_count"] == 1


def test_capacity_counts_active_records_of_one_owner_and_keeps_what_was_used_last(
    dp: Daypack, clock: Clock
) -> None:
    for number in range(4):
        clock.passes(60)
        dp.sources.ingest(note(f"buoy number {number}", source_key=f"buoy/{number}"))
    for version in range(5):
        dp.sources.ingest(note(f"buoy number 3, painted {version} times", source_key="buoy/3"))
    dp.sources.ingest(note("a buoy of somebody else", user_id="ben"))
    clock.passes(60)
    dp.sources.retrieve(RetrieveRequest("buoy number 0", user_id="ana", source_keys=("buoy/0",)))
    (would,) = dp.sources.prune(user_id="ana", max_records=2, dry_run=True)
    assert (would.dry_run, len(would.records)) == (True, 2)
    assert dp.sources.stats(user_id="ana")["record_count"] == 4
    (done,) = dp.sources.prune(user_id="ana", max_records=2)
    assert (done.reason, done.purged) == ("capacity", True)
    assert {item.source_key for item in dp.sources.list(user_id="ana")} == {"buoy/0", "buoy/3"}
    assert dp.sources.stats(user_id="ana")["pruned_records_total"] == 2
    assert dp.sources.stats(user_id="ben")["record_count"] == 1


def test_a_policy_says_how_long_a_record_is_fresh_and_how_long_it_is_kept(dp: Daypack, clock: Clock) -> None:
    dp.sources.ingest(note("the gangway is wet", policy=SourcePolicy(freshness_days=2, retention_days=5)))
    assert dp.sources.retrieve(RetrieveRequest("gangway", user_id="ana")).items
    clock.passes(3 * DAY)
    stale = dp.sources.retrieve(RetrieveRequest("gangway", user_id="ana"))
    assert (stale.items, stale.excluded) == ((), {"stale": 1})
    assert dp.sources.prune(user_id="ana") == ()
    clock.passes(3 * DAY)
    assert [receipt.reason for receipt in dp.sources.prune(user_id="ana")] == ["retention"]


def test_a_key_in_another_scope_of_its_owner_is_named(dp: Daypack) -> None:
    dp.sources.upsert("k", SourceDraft("High water is at noon.", scope="global", user_id="ana"))
    with pytest.raises(NotFound, match=r"has the scope session; did you mean --scope global\?"):
        dp.sources.delete("k", user_id="ana")
    with pytest.raises(NotFound, match="`daypack source list`"):
        dp.sources.delete("k", user_id="ben")


def test_pruning_leaves_no_byte_of_what_it_deleted(dp: Daypack, clock: Clock, tmp_path: Path) -> None:
    dp.sources.upsert(
        "k",
        note(
            "the zeppelin is moored at the quay",
            structured_data={"captain": "Thorvaldsen"},
            summary="airship",
        ),
    )
    dp.sources.upsert("k", note("the zeppelin has left for Reykjavik", policy=SourcePolicy(retention_days=1)))
    dp.sources.ingest(note("gulls stay on the roof of the office"))
    dp.embed()
    clock.passes(2 * DAY)
    (would,) = dp.sources.prune(user_id="ana", dry_run=True)
    assert (would.dry_run, len(would.records), dp.sources.stats(user_id="ana")["pruned_records_total"]) == (
        True,
        1,
        0,
    )
    (done,) = dp.sources.prune(user_id="ana")
    assert (done.reason, done.purged, len(done.records)) == ("retention", True, 2)
    left = bytes_of(tmp_path).lower()
    for word in (b"zeppelin", b"quay", b"reykjavik", b"thorvaldsen", b"airship", b"moored"):
        assert word not in left, word
    assert [item.text for item in dp.sources.list(user_id="ana")] == ["gulls stay on the roof of the office"]
    assert ills(dp) == []


def test_global_records_of_an_older_store_belong_to_who_wrote_them(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as dp:
        dp.sources.upsert("tides", note("high water at noon", scope="global"))
        with dp.engine.store.writing() as db:  # as version 8 had it
            db.execute("UPDATE source_item SET space = 'global'")
            db.execute("UPDATE record SET scope = 'global' WHERE door = 'sources'")
            db.execute(MIGRATIONS[8])
    with opened(tmp_path, clock) as dp:
        assert (
            dp.sources.upsert("tides", note("high water at one", scope="global")).record.source_version == 2
        )
        assert [
            item.text for item in dp.sources.retrieve(RetrieveRequest("high water", user_id="eve")).items
        ] == ["high water at one"]
        assert ills(dp) == []
        assert len(dp.sources.delete("tides", scope="global", user_id="ana").records) == 2


@pytest.mark.slow
def test_a_write_into_a_large_store_costs_what_one_into_a_small_store_does(dp: Daypack) -> None:
    """Counted in steps of SQLite's machine, which no other process disturbs, over two rounds of merging."""
    written = 0

    def drafts(count: int) -> list[SourceDraft]:
        nonlocal written
        written += count
        words = (
            f"pier{number % 97} berth{number % 89} line{number}" for number in range(written - count, written)
        )
        return [note(f"{said} is long enough to be a record of its own", source_key=said) for said in words]

    def steps(count: int) -> int:
        taken = 0

        def tick() -> bool:
            nonlocal taken
            taken += 1
            return False

        db = dp.engine.store.db
        db.set_progress_handler(tick, 100)
        for draft in drafts(count):
            dp.sources.ingest(draft)
        db.set_progress_handler(None)
        return taken

    dp.sources._kept(drafts(100))
    small = steps(128)
    for _ in range(10):
        dp.sources._kept(drafts(300))
    assert steps(128) <= 1.5 * small


def _write(folder: Path, number: int) -> None:
    with opened(folder, Clock()) as dp:
        for item in range(10):
            dp.sources.ingest(note(f"process {number} wrote line {item}", source_key=f"{number}/{item}"))


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(tmp_path, number)) for number in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    with opened(tmp_path, Clock()) as dp:
        assert dp.sources.stats(user_id="ana")["record_count"] == 80
        assert ills(dp) == []


def test_the_log_is_a_chain_without_text(dp: Daypack, tmp_path: Path) -> None:
    dp.sources.ingest(note("the osprey nests on the crane"))
    dp.sources.retrieve(RetrieveRequest("who nests on the gantry", user_id="ana"))
    entries = dp.sources.audit(user_id="ana")
    assert [entry.action for entry in entries] == ["retrieve", "create"]
    assert "osprey" not in str(entries)
    assert "gantry" not in str(entries)
    assert dp.sources.audit(user_id="ben") == ()
    assert ills(dp) == []
    with dp.engine.store.writing() as db:
        db.execute("UPDATE source_audit SET details = '{}' WHERE id = 1")
    (check,) = [check for check in dp.doctor() if check.name == "sources"]
    assert check.verdict is CheckVerdict.DAMAGE
    assert check.detail.startswith("1 lines of the audit do not follow")


def test_xml_is_kept_as_text_with_the_paths_of_its_fields(dp: Daypack, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "buoys.xml").write_text(
        '<?xml version="1.0" encoding="ISO-8859-1"?><!-- list --><b:buoys xmlns:b="urn:b">'
        '<buoy id="7"><title>Red  buoy</title><note>Blinks <i>twice</i> a minute</note></buoy>'
        "<buoy><title>Green buoy</title><empty/></buoy></b:buoys>"
    )
    done = dp.sources.import_path(folder, SourceDraft(scope="user", user_id="ana"))
    (record,) = [one.record for one in done.stored]
    assert record.structured_data == {
        "buoys": {
            "buoy": [
                {"@id": "7", "title": "Red buoy", "note": "Blinks twice a minute"},
                {"title": "Green buoy", "empty": None},
            ]
        }
    }
    assert record.text == (
        "buoys.buoy[0].title: Red buoy\nbuoys.buoy[0].note: Blinks twice a minute\n"
        "buoys.buoy[1].title: Green buoy\nbuoys.buoy[0].@id: 7"
    )
    found = dp.sources.retrieve(RetrieveRequest("green buoy title", user_id="ana", ranking="weighted"))
    assert found.items[0].signals["keyword_bonus"] >= 0.04  # of a field's path


@pytest.mark.parametrize(
    "text",
    [
        "<a><b>loose</a>",
        '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>',
        "<a>" * 50 + "loose" + "</a>" * 50,
        "<a>" + "<b>loose</b>" * 3_000 + "</a>",
    ],
)
def test_xml_that_has_no_paths_is_kept_as_it_stands(dp: Daypack, tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.xml").write_text(text)
    done = dp.sources.import_path(tmp_path / "odd.xml", SourceDraft(scope="user", user_id="ana"))
    assert [(one.record.text, one.record.structured_data) for one in done.stored] == [(text, None)]


def test_a_requested_tag_adds_what_a_requested_key_adds(dp: Daypack) -> None:
    for key, tags in (("plain", ()), ("tagged", ("harbour",))):
        dp.sources.ingest(SourceDraft(f"the {key} ferry leaves", scope="user", source_key=key, tags=tags))
    request = RetrieveRequest("ferry leaves", ranking="weighted")
    (tagged,) = dp.sources.retrieve(replace(request, tags=("harbour",))).items
    keyed = dp.sources.retrieve(replace(request, source_keys=("plain",))).items[0]
    assert tagged.parts["metadata_bonus"] == keyed.parts["metadata_bonus"] == 0.07


@pytest.mark.parametrize("offset", [-1, 2**62])
def test_a_list_does_not_begin_before_its_first_record_or_beyond_all_numbers(
    dp: Daypack, offset: int
) -> None:
    for call in (dp.sources.list, dp.sources.listed):
        with pytest.raises(InputError, match=f"offset {offset} is not from 0 to"):
            call(offset=offset)
