"""A call with a misspelt or wrong argument says which, and what to give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from daypack import Daypack
from daypack.doors.memories.rules import OrderWeights
from daypack.doors.sources.types import RetrieveRequest
from daypack.errors import BadDocument, BadRun, BadSuite, FilterError, InputError, NotFound
from daypack.evaluate.report.text import missing_text
from daypack.evaluate.run_folder import RunFolder
from daypack.evaluate.runs import from_json, to_json
from support import WORDS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Daypack]:
    (tmp_path / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as opened:
        opened.files.add(tmp_path)
        yield opened


@pytest.mark.parametrize(
    ("wrong", "named", "meant"),
    [
        (lambda dp: dp.pack("total", bugdet=500), "pack has no argument 'bugdet'", "did you mean budget?"),
        (lambda dp: dp.search("total", limt=3), "search has no argument 'limt'", "did you mean limit?"),
        (lambda dp: dp.search("total", budget=3), "search has no argument 'budget'", "it takes door, scope"),
        (lambda dp: dp.pack("total", after=5), "after is a number, 5", "give the id of an earlier pack"),
        (lambda dp: dp.code.callers(5), "the reference is a number, 5", "give a name"),
        (lambda dp: dp.code.callers(None), "the reference is None", "give a name"),
        (lambda dp: dp.pack("total").to("html"), "unknown shape 'html'", "choose from markdown, xml"),
        (lambda dp: dp.sources.retrieve("x"), "the request is a str, 'x'", "RetrieveRequest("),
        (lambda dp: dp.sources.assemble("x"), "the request is a str, 'x'", "AssembleRequest("),
        (
            lambda dp: dp.pack("x", history=[{"rol": "user"}]),
            "a message of history has no role",
            "it has rol",
        ),
        (
            lambda dp: dp.memories.remember("k", "v", ttl_seconds="1d"),
            "ttl_seconds is '1d'",
            "86400 for a day",
        ),
        (
            lambda dp: dp.documents.collection("c").plan_update({}, {"$set": {"a": 1}}, expires_seconds="1d"),
            "expires_seconds is '1d'",
            "86400 for a day",
        ),
        (lambda dp: dp.memories.recorded(limit=-1), "limit -1 is not a number of results", "0 or more"),
        (lambda dp: dp.sources.audit(limit=-1), "limit -1 is not a number of results", "0 or more"),
        (lambda dp: dp.knowledge.run(["true"], seconds=-1), "seconds is -1", "give a number above 0"),
        (lambda dp: dp.knowledge.run(["true"], seconds=float("nan")), "seconds is nan", "above 0"),
        (lambda dp: dp.knowledge.add_pages(["x"]), "requests[0] is 'x'", "give a pair of texts"),
        (lambda dp: dp.knowledge.add_pages([("x", 5)]), "requests[0][1] is a number, 5", "give a text"),
        (
            lambda dp: dp.sources.retrieve(RetrieveRequest("x", limit="5")),
            "limit is '5'",
            "give a whole number",
        ),
        (lambda dp: dp.sources.retrieve(RetrieveRequest(5)), "query_text is a number, 5", "give a text"),
        (lambda dp: dp.memories.search("x", weights=5), "weights is a int, 5", "OrderWeights("),
        (lambda dp: dp.memories.pack("x", weights=5), "weights is a int, 5", "OrderWeights("),
        (lambda dp: dp.memories.search("x", weights=OrderWeights("1")), "weights must be numbers", "from 0"),
        (lambda dp: dp.sessions.add_steps([5]), "the step is a int, 5", "Step("),
    ],
)
def test_the_argument_is_named(
    store: Daypack, wrong: Callable[[Any], object], named: str, meant: str
) -> None:
    with pytest.raises(InputError) as raised:
        wrong(store)
    assert named in str(raised.value)
    assert meant in str(raised.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda dp: dp.memories.list(cursor=None),
        lambda dp: dp.code.pack("total", include=None),
        lambda dp: dp.code.symbols("total", path=None),
        lambda dp: dp.knowledge.add_text("tides", "The tide turns at noon.", title=None),
        lambda dp: dp.records.delete(["note"], scope=None),
        lambda dp: dp.memories.forget("k", tag=None),
        lambda dp: dp.pack("total", page=np.int64(1)).excerpts,
        lambda dp: dp.search("total", limit=np.int32(3)).candidates,
        lambda dp: dp.pack("total", refresh=np.True_).excerpts,
        lambda dp: dp.pack("total", refresh=0).excerpts,
        lambda dp: dp.memories.search("tea", min_score=np.float32(0)).hits,
        lambda dp: dp.memories.search("tea", min_score=Decimal(0)).hits,
        lambda dp: dp.memories.remember("b", "v", ttl_seconds=np.int64(60)),
        lambda dp: dp.memories.remember("c", "v", ttl_seconds=np.float32(60)),
    ],
)
def test_none_stands_for_an_empty_default_and_numbers_of_any_library_count(
    store: Daypack, call: Callable[[Any], object]
) -> None:
    store.records.add([{"id": "note", "text": "Oil the crane."}])
    store.memories.remember("k", "green tea")
    assert call(store)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda dp: dp.code.pack("total", include="*.py"),
            r"include is a text; put it into a list: include=\[",
        ),
        (lambda dp: dp.memories.remember("k", "v", tags={"x": 1}), "tags is a dict"),
        (lambda dp: dp.search("total", limit=True), "limit is .*True"),
        (lambda dp: dp.search("total", limit=np.True_), "give a whole number"),
        (lambda dp: dp.search("total", limit=np.float64(3)), "give a whole number"),
        (lambda dp: dp.memories.search("v", min_score="0"), "min_score is '0'; give a number"),
        (lambda dp: dp.memories.search("v", min_score=np.zeros(2)), "give a number"),
        (lambda dp: dp.memories.search("v", min_score=np.True_), "give a number"),
        (lambda dp: dp.pack("total", refresh="no"), "refresh is 'no'; give True or False"),
        (lambda dp: dp.memories.recall(None), "key is None; give a text"),
    ],
)
def test_what_only_looks_like_the_right_kind_is_refused(
    store: Daypack, wrong: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        wrong(store)


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"inner": value}
    return value


def holding_itself() -> list[Any]:
    value: list[Any] = []
    value += [value, value]
    return value


@pytest.mark.parametrize("value", [nested(700), holding_itself()], ids=["deep", "in itself"])
def test_the_error_about_a_document_stays_the_error_however_deep_the_document_is(
    store: Daypack, value: object
) -> None:
    collection, long = store.documents.collection("ships"), "x" * 300
    with pytest.raises(BadDocument, match="document 1 field xxx") as raised:
        collection.insert([{long: value}])
    assert long not in str(raised.value)
    with pytest.raises(FilterError, match="unknown operator") as refused:
        collection.find({f"${long}": value})
    assert long not in str(refused.value)


def test_a_chunk_id_of_a_citation_is_a_reference(store: Daypack) -> None:
    (chunk_id,) = store.pack("total").excerpts[0].citation.chunk_ids
    assert store.get(chunk_id) == store.get(str(chunk_id))
    assert "def total" in store.get(chunk_id).text
    with pytest.raises(NotFound, match="999"):
        store.get(999)


def test_a_key_is_in_the_memories_while_it_holds(store: Daypack) -> None:
    memories = store.memories
    memories.remember("tea/kettle", "it boils over")
    assert "tea/kettle" in memories
    assert next(iter(memories)) in memories
    assert "tea/pot" not in memories
    memories.forget("tea/kettle")
    assert "tea/kettle" not in memories
    with pytest.raises(InputError, match="the key is a number, 5"):
        5 in memories  # noqa: B015


def test_every_limit_of_a_question_is_an_argument(store: Daypack) -> None:
    limits: dict[str, Any] = {"door": "files", "kind": "code", "language": "python", "since": 0, "tag": None}
    assert store.pack("total", **limits).excerpts
    assert store.search("total", **limits).candidates


@pytest.mark.parametrize("name", ["door", "kind", "source", "tag"])
def test_an_empty_list_sets_no_limit_and_values_may_come_from_a_generator(store: Daypack, name: str) -> None:
    plain = store.pack("total", vectors="none")
    for empty in ([], (), iter(())):
        assert store.pack("total", vectors="none", **{name: empty}).excerpts == plain.excerpts
        assert store.search("total", **{name: empty}).candidates
    passed = {"door": "files", "kind": "code", "source": "cart.py", "tag": "none"}[name]
    lost = {"door": "records", "kind": "memory", "source": "none/**", "tag": "none"}[name]
    found = store.search("total", **{name: (one for one in [passed])})
    assert bool(found.candidates) == (name != "tag")
    missed = store.search("total", **{name: (one for one in [lost])})
    assert missed.candidates == ()
    assert lost in " ".join(missed.notes).lower()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("cart.py:2-1", "'cart.py:2-1' ends before it begins; write the first line first"),
        ("cart.py:0-3", "'cart.py:0-3' begins at line 0; lines are counted from 1"),
    ],
)
def test_lines_that_no_file_has_are_a_fault_of_the_case(store: Daypack, path: str, said: str) -> None:
    suite = [
        {"name": "a", "query": "total", "expected_paths": ["cart.py:1-2"]},
        {"name": "b", "query": "total", "expected_paths": [path]},
    ]
    with pytest.raises(BadSuite) as raised:
        store.evaluate(suite)
    assert str(raised.value) == f"suite suite: case 2 'b', field expected_paths {said}"


def test_a_saved_run_is_replaced_by_one_of_its_suite_alone(store: Daypack, tmp_path: Path) -> None:
    cases = [{"name": "a", "query": "total", "expected_paths": ["cart.py"]}]
    folder = RunFolder(tmp_path / ".daypack")
    first = store.evaluate({"name": "carts", "cases": cases})
    for _ in range(2):
        folder.save(first, "base")
    other = store.evaluate({"name": "ships", "cases": cases})
    with pytest.raises(BadRun, match="run base is a run of the suite 'carts'; it was not changed"):
        folder.save(other, "base")
    assert folder.load("base").suite == "carts"


def test_a_record_may_have_a_name_that_ends_like_lines(store: Daypack) -> None:
    store.records.add([{"id": "talk:9-1", "text": "The total is forty."}])
    run = store.evaluate([{"name": "a", "query": "what is the total?", "expected_paths": ["talk:9-1"]}])
    assert run.cases[0].found


def test_lines_past_the_end_of_a_file_are_missing_with_the_number_of_its_lines(store: Daypack) -> None:
    suite = [{"name": "a", "query": "total", "expected_paths": ["cart.py:3-9", "cart.py:2-9"]}]
    (case,) = store.evaluate(suite).cases
    past, within = case.findings
    assert missing_text(past) == "cart.py:3-9 (the file has 2 lines)"
    assert within.found


def test_a_name_with_two_numbers_is_no_range_of_lines_of_the_file_that_was_meant(store: Daypack) -> None:
    store.records.add([{"id": "nob", "text": "The total is forty."}, {"id": "x:1-5", "text": "The end."}])
    suite = [{"name": "a", "query": "total", "expected_paths": ["nob:1:2", "x:1-6:3", "cart.py:3"]}]
    run = store.evaluate(suite)
    for kept in (run, from_json(to_json(run), "kept")):
        assert [missing_text(finding) for finding in kept.cases[0].findings] == [
            "nob:1:2 (not in the store; did you mean nob?)",
            "x:1-6:3 (not in the store; did you mean x:1-5?)",
            "cart.py:3 (the file has 2 lines)",
        ]
