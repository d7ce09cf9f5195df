"""The loader: one layout, plain or packed, and no answer among the documents."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from evals.datasets import load
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_sets import write

from daypack.doors.records import record_from

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "d1", "title": "Kettles", "text": "A kettle boils water."},
    {"id": "d2", "title": "d2", "text": "Milk is cold."},
    {"id": "d3", "text": "Tea is hot."},
]
QUERIES: list[dict[str, Any]] = [
    {"id": "q1", "text": "what boils water?", "evidence": ["d1"]},
    {"id": "q2", "text": "what is hot?", "evidence": [{"doc_id": "d3", "start": 0, "end": 3}, {"doc_id": "d1", "start": 0, "end": 1}]},
    {"id": "q3", "text": "what is the price of gold?", "evidence": []},
]


# ---------------------------------------------------------------- the layout


def test_plain_and_packed_corpora_are_the_same(tmp_path: Path) -> None:
    plain, packed = (
        load(write(tmp_path / "a" / "tea", DOCUMENTS, QUERIES)),
        load(write(tmp_path / "b" / "tea", DOCUMENTS, QUERIES, packed=True)),
    )
    assert plain.records == packed.records
    assert plain.queries == packed.queries
    assert plain.qrels == packed.qrels
    assert plain.name == packed.name == "tea"


def test_a_folder_without_a_corpus_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no corpus"):
        load(tmp_path)


def test_the_digest_changes_with_every_file(tmp_path: Path) -> None:
    digests = {
        load(write(tmp_path / "a", DOCUMENTS, QUERIES)).digest,
        load(write(tmp_path / "b", DOCUMENTS, QUERIES[:2])).digest,
        load(write(tmp_path / "c", DOCUMENTS[:2], QUERIES)).digest,
        load(write(tmp_path / "d", DOCUMENTS, QUERIES, "q1\td1\t1\n")).digest,
    }
    assert len(digests) == 4
    assert load(write(tmp_path / "e", DOCUMENTS, QUERIES)).digest in digests


def test_a_title_that_only_repeats_the_id_is_left_out(tmp_path: Path) -> None:
    records = load(write(tmp_path, DOCUMENTS, QUERIES)).records
    assert [record.get("title") for record in records] == ["Kettles", None, None]


def test_turns_become_events_with_their_author_and_time(tmp_path: Path) -> None:
    turn = {
        "id": "t1",
        "text": "Deploy it.",
        "session": 3,
        "speaker": "Ann",
        "time": "2:30 PM on 8 May, 2023",
        "scope": "c1",
        "title": "session 3",
    }
    [record] = load(write(tmp_path, [turn], [])).records
    assert record == {
        "id": "t1",
        "text": "Deploy it.",
        "session": "3",
        "kind": "event",
        "author": "Ann",
        "time": 1683556200.0,
        "scope": "c1",
    }
    assert record_from(record).kind == "event"


@pytest.mark.parametrize("time", ["2023-05-08T00:00:00", "2023-05-08", "12:00 AM on 8 May, 2023", "May-08-2023", 1683504000])
def test_a_time_is_read_however_it_is_written(tmp_path: Path, time: object) -> None:
    [record] = load(write(tmp_path, [{"id": "t", "text": "x", "time": time}], [])).records
    assert record["time"] == 1683504000.0


@pytest.mark.parametrize("time", ["", "yesterday", None])
def test_a_time_that_nobody_can_read_is_none(tmp_path: Path, time: object) -> None:
    [record] = load(write(tmp_path, [{"id": "t", "text": "x", "time": time}], [])).records
    assert "time" not in record


def test_functions_are_code_where_the_readme_says_so(tmp_path: Path) -> None:
    folder = write(tmp_path, [{"id": "f", "text": "def f(): pass"}], [])
    (folder / "README").write_text("Functions of the Python 3.11 library.")
    [record] = load(folder).records
    assert (record["kind"], record["language"]) == ("code", "python")


# ---------------------------------------------------------------- scope


def test_queries_have_a_scope_where_documents_have_one(tmp_path: Path) -> None:
    query = {"id": "q", "text": "tea?", "scope": "c1", "evidence": ["d"]}
    with_scope = load(write(tmp_path / "a", [{"id": "d", "text": "Tea.", "scope": "c1"}], [query]))
    without = load(write(tmp_path / "b", [{"id": "d", "text": "Tea."}], [query]))
    assert with_scope.queries[0].scope == with_scope.records[0]["scope"] == "c1"
    assert without.queries[0].scope is None


# ---------------------------------------------------------------- what is relevant


def test_evidence_may_be_ids_or_spans_and_an_empty_list_means_no_answer(tmp_path: Path) -> None:
    qrels = load(write(tmp_path, DOCUMENTS, QUERIES)).qrels
    assert {query: dict(qrel.grades) for query, qrel in qrels.items()} == {"q1": {"d1": 1}, "q2": {"d3": 1, "d1": 1}, "q3": {}}


def test_grades_come_from_the_qrels_where_they_name_the_query(tmp_path: Path) -> None:
    qrels = load(write(tmp_path, DOCUMENTS, QUERIES, "q1\td1\t3\nq1\td2\t1\nq1\td3\t0\n")).qrels
    assert dict(qrels["q1"].grades) == {"d1": 3, "d2": 1}  # a grade of 0 was judged, and is not relevant
    assert dict(qrels["q2"].grades) == {"d3": 1, "d1": 1}


# ---------------------------------------------------------------- no answers among the documents

SECRET = "ANSWER-7f3a"
ANSWERS = [
    "answer",
    "rubric",
    "category",
    "evidence",
    "gold_files",
    "gold_line_spans",
    "gold_functions",
    "issue_mentions",
    "fix_commit",
    "grade",
]
secrets = st.dictionaries(st.sampled_from(ANSWERS), st.sampled_from([SECRET, [SECRET], {"x": SECRET}]))


@settings(max_examples=50, deadline=None)
@given(st.lists(secrets, min_size=1, max_size=4), st.lists(secrets, min_size=1, max_size=4))
def test_answers_never_reach_a_record_or_the_text_of_a_query(
    tmp_path_factory: pytest.TempPathFactory, on_documents: list[dict[str, Any]], on_queries: list[dict[str, Any]]
) -> None:
    folder = write(
        tmp_path_factory.mktemp("d"),
        [{"id": f"d{n}", "text": "Tea.", **found} for n, found in enumerate(on_documents)],
        [{"id": f"q{n}", "text": "tea?", **found, "evidence": [SECRET]} for n, found in enumerate(on_queries)],
    )
    dataset = load(folder)
    assert SECRET not in json.dumps(dataset.records)
    for query in dataset.queries:
        said = asdict(query)
        said.pop("category")  # for tables by category; no system reads it
        assert SECRET not in json.dumps(said)
    assert all(dict(qrel.grades) == {SECRET: 1} for qrel in dataset.qrels.values())
