"""A filter that matches nothing is often a slip, and the answer says which one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents import commands, verbs
from daypack.doors.documents.collection import Collection
from daypack.errors import BadUpdate, FilterError
from daypack.types import Trust

TOOLS = {verb.name: verb for verb in verbs.VERBS}


@pytest.fixture
def lamps(dp: Daypack) -> Collection:
    collection = dp.documents.collection("lamps")
    collection.insert(
        {
            "_id": number,
            "kind": "reading lamp" if number % 2 else "Größe",
            "price": number + 0.5,
            "made": datetime(2024, 1, 1 + number, tzinfo=UTC),
            "parts": [{"colour": "red", "stock": number}],
            "tags": ["new"],
        }
        for number in range(12)
    )
    return collection


@pytest.mark.parametrize(
    ("filter", "hint"),
    [
        (
            {"made": {"$gte": "2024-01-03"}},
            'the values of made are of type date, not string; write {"$date":"2024-01-03"}',
        ),
        ({"made": {"$gte": "soon"}}, "the values of made are of type date, not string"),
        ({"price": "3.5"}, "the values of price are of type double, not string"),
        ({"price": {"gt": 3}}, 'the values of price are of type double, not object; did you mean {"$gt":3}?'),
        ({"kind": "Reading Lamp"}, 'no document has "Reading Lamp" in kind; did you mean "reading lamp"?'),
        ({"kind": "reeding lamp"}, 'no document has "reeding lamp" in kind; did you mean "reading lamp"?'),
        ({"kind": "Gro\u0308ße"}, 'no document has "Gro\u0308ße" in kind; did you mean "Größe"?'),
        ({"tags": {"$in": ["New"]}}, 'no document has "New" in tags; did you mean "new"?'),
        ({"parts.color": "red"}, "no document of lamps has the field 'parts.color'; did you mean 'parts.colour'?"),
        (
            {"parts": {"$elemMatch": {"color": "red"}}},
            "no document of lamps has the field 'parts.color'; did you mean 'parts.colour'?",
        ),
        ({"weight": {"$exists": True}}, "no document of lamps has the field 'weight'"),
        ({"price": {"$size": 2}}, "the values of price are of type double, not array"),
        ({"price": {"$gt": 100}}, ""),
        ({"kind": "reading lamp", "price": 0.5}, ""),
        ({"kind": "chandelier"}, ""),
        ({"price": None}, ""),
    ],
)  # fmt: skip
def test_an_empty_answer_names_the_likely_slip(
    dp: Daypack, lamps: Collection, filter: dict[str, Any], hint: str
) -> None:
    assert lamps.find(filter) == []
    assert lamps.misspelt(filter) == hint
    on_lamps = {"collection": "lamps", "filter": filter}
    planned = TOOLS["plan_update"](dp, {**on_lamps, "update": {"$set": {"a": 1}}})
    asked = [verbs.find(dp, "lamps", filter), planned]
    for answer in [*asked, verbs.delete(dp, "lamps", filter)]:
        assert answer.get("hint", "") == hint


@pytest.mark.parametrize(
    ("filter", "said"),
    [
        ({"kid": "reading lamp"}, "no document of lamps has the field 'kid'; did you mean 'kind'?"),
        ({"langauge": "lamp"}, "no document of lamps has the field 'langauge'; did you mean 'language'?"),
        ({"price": "3.5"}, "the values of price are of type double, not string"),
        ({"price": {"$gt": 100}}, ""),
    ],
)
def test_the_common_search_and_pack_name_the_slip_too(
    dp: Daypack, lamps: Collection, filter: dict[str, Any], said: str
) -> None:
    dp.records.add([{"id": "x", "text": "a lamp in the hall", "title": "Hall"}])
    found = dp.search("lamp", filter=filter)
    assert found.candidates == ()
    assert found.notes[1:] == ((said[0].upper() + said[1:],) if said else ())
    for shape in ("markdown", "json"):
        pack = dp.pack("lamp", filter=filter, shape=shape)
        sentence = (
            f"Nothing passed the filters: {said}" if said else "Nothing passed the filters. Remove a filter."
        )
        assert sentence in pack.text
        assert pack.tokens_used <= pack.budget.limit
    small = dp.pack("lamp", budget=9, filter=filter)
    assert small.tokens_used <= 9


def test_the_slip_is_looked_for_in_all_collections_and_in_the_asked_ones_alone(
    dp: Daypack, lamps: Collection
) -> None:
    dp.documents.collection("teas").insert([{"topic": "brewing", "kind": "green", "price": "dear"}])
    field = "No document has the field 'topc'; did you mean 'topic'?"
    assert dp.search("lamp", filter={"topc": "brewing"}).notes[1:] == (field,)
    assert dp.search("lamp", filter={"topc": "brewing", "kind": "green"}, door="docs").notes[1:] == (field,)
    assert dp.search("lamp", filter={"price": "3.5"}).notes[1:] == ()
    spelling = 'No document has "grene" in kind; did you mean "green"?'
    assert dp.search("lamp", filter={"kind": "grene"}, door="docs").notes[1:] == (spelling,)


def test_a_filter_that_leaves_results_is_not_explained(dp: Daypack, lamps: Collection) -> None:
    found = dp.search("lamp", filter={"kind": "reading lamp"})
    assert (bool(found.candidates), found.notes) == (True, ())


def test_a_misspelt_field_of_an_order_or_a_view_is_said_beside_the_answer(
    dp: Daypack, lamps: Collection
) -> None:
    said = "no document of lamps has the field 'prise'; did you mean 'price'?"
    for asked in ({"sort": {"prise": 1}}, {"projection": {"prise": 1}}):
        answer = verbs.find(dp, "lamps", limit=2, **asked)
        assert (len(answer["documents"]), answer["hint"]) == (2, said)
    assert "hint" not in verbs.find(dp, "lamps", sort={"price": 1}, projection={"kind": 1})


def test_a_name_is_corrected_among_any_number_of_names(dp: Daypack) -> None:
    wide = dp.documents.collection("wide")
    wide.insert([{"m": {f"key {number}": number for number in range(2_000)}, "title": "x"}])
    assert wide.misspelt({"titel": "x"}).endswith("did you mean 'title'?")


def test_an_empty_collection_has_no_misspelt_fields(dp: Daypack) -> None:
    dp.documents.create("none")
    assert dp.documents.collection("none").misspelt({"a": 1}) == ""


def test_an_answer_that_its_limit_cuts_counts_what_matches(dp: Daypack, lamps: Collection) -> None:
    asked = {"kind": "reading lamp"}
    answer = verbs.find(dp, "lamps", asked, projection={"price": 1, "_id": 0}, sort={"price": -1}, limit=2)
    assert answer == {"documents": [{"price": 11.5}, {"price": 9.5}], "matched": 6}
    assert verbs.find(dp, "lamps", asked, limit=0) == {"documents": [], "matched": 6}
    assert "matched" not in verbs.find(dp, "lamps", asked, limit=6)
    assert "matched" not in verbs.find(dp, "lamps", asked, skip=4)


def test_untrusted_names_the_documents_of_the_answer_alone(dp: Daypack, lamps: Collection) -> None:
    dp.engine.writer.trust = Trust.UNTRUSTED
    lamps.insert({"_id": f"told-{number}", "kind": "told"} for number in range(5))
    answer = verbs.find(dp, "lamps", {"kind": "told"}, projection={"kind": 1, "_id": 0}, limit=2)
    assert answer["untrusted"] == ["told-0", "told-1"]
    assert "untrusted" not in verbs.find(dp, "lamps", {"kind": "reading lamp"})


def test_a_field_that_no_document_has_is_named_where_its_vectors_are_asked(
    dp: Daypack, lamps: Collection
) -> None:
    hint = "no document of lamps has the field 'kin'; did you mean 'kind'?"
    assert TOOLS["vsearch"](dp, {"collection": "lamps", "field": "kin", "query": "a lamp"})["hint"] == hint
    assert verbs.context_pack(dp, "lamps", "kin", "a lamp")["hint"] == hint
    lamps.vsync("kind")
    assert "hint" not in TOOLS["vsearch"](dp, {"collection": "lamps", "field": "kind", "query": "a lamp"})


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("[", "the pattern is refused (missing ]: [)"),
        ("*a", "the pattern is refused (no argument for repetition operator: *)"),
        ("(?=x)", "(invalid perl operator: (?=): it runs in linear time only without look-around"),
        (r"(a)\1", r"(invalid escape sequence: \1): it runs in linear time only without look-around"),
    ],
)
def test_a_pattern_is_refused_for_its_own_reason(teas: Collection, pattern: str, message: str) -> None:
    with pytest.raises(FilterError) as error:
        teas.find({"name": {"$regex": pattern}})
    assert message in str(error.value)
    assert ("linear time" in str(error.value)) == ("linear time" in message)


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({"$rename": {"origin": "origin.land"}}, "a field cannot move into itself"),
        (
            {"$rename": {"origin.country": "origin"}},
            "a field cannot move into itself or into the field that holds it",
        ),
        ({"$rename": {"name": "name"}}, "a field cannot move into itself"),
        ({"$set": {"origin": 1, "origin.land": 2}}, "another operator would change 'origin.land' at once"),
        ({"$set": {"$x": 1}}, "update $set.$x: a field's name does not begin with $"),
        ({"$set": {"tags.$": 1}}, "positional operators are not supported"),
    ],
)
def test_an_update_is_refused_for_its_own_reason(
    teas: Collection, update: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadUpdate) as error:
        teas.plan_update({}, update)
    assert message in str(error.value)


def test_a_terminal_looks_for_no_untrusted_documents(
    dp: Daypack, lamps: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(*_: Any, **__: Any) -> list[Any]:
        raise AssertionError("a terminal does not show them")

    monkeypatch.setattr(Collection, "untrusted", look)
    commands.described(verbs.describe(dp))
    commands.planned(verbs.plan_update(dp, "lamps", {}, {"$set": {"kind": "lamp"}}))
    lamps.vsync("kind")
    commands.nearest(verbs.vsearch(dp, "lamps", "kind", "lamp"), "lamps", "kind")


def test_an_agent_is_told_the_untrusted_documents_of_a_description_and_a_plan(
    dp: Daypack, lamps: Collection
) -> None:
    dp.engine.writer.trust = Trust.UNTRUSTED
    lamps.insert({"_id": f"told-{number}", "kind": "told"} for number in range(2))
    update = {"collection": "lamps", "filter": {}, "update": {"$set": {"price": 1}}}
    assert TOOLS["plan_update"](dp, update)["untrusted"] == ["told-0", "told-1"]
    (described,) = TOOLS["describe"](dp, {}).details["collections"]
    assert described["untrusted"] == ["told-0", "told-1"]
