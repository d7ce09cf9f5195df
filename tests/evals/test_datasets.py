"""The loader: one layout, plain or packed, and no answer among the documents."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_sets import write, write_trees

from daypack.doors.records.door import record_from
from evals.quality.datasets import GoldKind, load

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "d1", "title": "Kettles", "text": "A kettle boils water."},
    {"id": "d2", "title": "d2", "text": "Milk is cold."},
    {"id": "d3", "text": "Tea is hot."},
]
QUERIES: list[dict[str, Any]] = [
    {"id": "q1", "text": "what boils water?", "evidence": ["d1"]},
    {"id": "q2", "text": "what is hot?", "evidence": ["d3", "d1"]},
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


def test_a_folder_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"holds no queries\.jsonl"):
        load(tmp_path)
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "tea?", "evidence": ["d"]}')
    with pytest.raises(FileNotFoundError, match=r"holds no corpus\.jsonl"):
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


def test_the_title_of_a_part_is_left_out_where_it_is_the_id_of_the_whole(tmp_path: Path) -> None:
    part = {"id": "a.rs:1", "title": "a.rs", "doc_id": "a.rs", "text": "fn boil() {}"}
    records = load(write(tmp_path, [*DOCUMENTS, part], QUERIES)).records
    assert [record.get("title") for record in records] == ["Kettles", "d2", None, None]


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


@pytest.mark.parametrize(
    "time", ["2023-05-08T00:00:00", "2023-05-08", "12:00 AM on 8 May, 2023", "May-08-2023", 1683504000]
)
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


def test_an_empty_list_of_evidence_means_that_nothing_answers(tmp_path: Path) -> None:
    qrels = load(write(tmp_path, DOCUMENTS, QUERIES)).qrels
    assert {query: dict(qrel.grades) for query, qrel in qrels.items()} == {
        "q1": {"d1": 1},
        "q2": {"d3": 1, "d1": 1},
        "q3": {},
    }


def test_evidence_may_be_spans(tmp_path: Path) -> None:
    found = [
        {"doc_id": "d3", "start": 0, "end": 3},
        {"doc_id": "d1", "start": 2, "end": 8},
        {"doc_id": "d1", "start": 0, "end": 1},
    ]
    dataset = load(
        write(
            tmp_path,
            DOCUMENTS,
            [
                {"id": "q", "text": "what is hot?", "evidence": found},
                {"id": "none", "text": "gold?", "evidence": []},
            ],
        )
    )
    assert dataset.kind is GoldKind.SPANS
    assert dataset.qrels["q"].spans == {"d3": ((0, 3),), "d1": ((2, 8), (0, 1))}
    assert not dataset.qrels["none"].spans


def test_grades_come_from_the_qrels_where_they_name_the_query(tmp_path: Path) -> None:
    qrels = load(write(tmp_path, DOCUMENTS, QUERIES, "q1\td1\t3\nq1\td2\t1\nq1\td3\t0\n")).qrels
    assert dict(qrels["q1"].grades) == {"d1": 3, "d2": 1}  # a grade of 0 was judged, and is not relevant
    assert dict(qrels["q2"].grades) == {"d3": 1, "d1": 1}


# ---------------------------------------------------------------- trees


def test_a_set_of_trees_has_a_collection_for_every_commit(tmp_path: Path) -> None:
    folder = write_trees(tmp_path)
    dataset = load(folder)
    assert dataset.kind is GoldKind.FILES
    assert list(dataset.collections) == ["tea__kettle/c1", "tea__kettle/c2"]
    assert [query.collection for query in dataset.queries] == [
        "tea__kettle/c1",
        "tea__kettle/c2",
        "tea__kettle/c2",
    ]
    assert dataset.qrels["q1"].lines == {"src/boil.py": ((3, 3),)}
    tree = dataset.collections["tea__kettle/c1"].tree
    assert tree is not None
    assert [path for path, _ in tree.files()] == ["README.md", "src/boil.py", "src/pour.py"]


def test_a_tree_that_is_not_there_says_how_trees_are_made(tmp_path: Path) -> None:
    folder = write_trees(tmp_path)
    with pytest.raises(
        FileNotFoundError, match=r"holds no tea__kettle/c1; .* `materialize\.py kettles CLONES"
    ):
        load(folder, trees=tmp_path / "elsewhere")


def test_a_question_that_is_longer_than_what_is_read_is_cut(tmp_path: Path) -> None:
    [query] = load(write(tmp_path, DOCUMENTS, [{"id": "q", "text": "ü" * 5000, "evidence": ["d1"]}])).queries
    assert query.text == "ü" * 4096


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


@settings(max_examples=50)
@given(st.lists(secrets, min_size=1, max_size=4), st.lists(secrets, min_size=1, max_size=4))
def test_answers_never_reach_a_record_or_the_text_of_a_query(
    tmp_path_factory: pytest.TempPathFactory,
    on_documents: list[dict[str, Any]],
    on_queries: list[dict[str, Any]],
) -> None:
    folder = write(
        tmp_path_factory.mktemp("d"),
        [{"id": f"d{n}", "text": "Tea.", **found} for n, found in enumerate(on_documents)],
        [
            {"id": f"q{n}", "text": "tea?", **found, "evidence": [SECRET]}
            for n, found in enumerate(on_queries)
        ],
    )
    dataset = load(folder)
    assert SECRET not in json.dumps(dataset.records)
    for query in dataset.queries:
        said = asdict(query)
        said.pop("category")  # for tables by category; no system reads it
        assert SECRET not in json.dumps(said)
    assert all(dict(qrel.grades) == {SECRET: 1} for qrel in dataset.qrels.values())
