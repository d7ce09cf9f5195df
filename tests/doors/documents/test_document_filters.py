"""What filters mean: held against mongomock for generated documents, and stated one by one where the two
differ or it has no opinion.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from document_oracle import INDEXED, disagreements, document, matching
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.doors.documents.filters.language import parse_filter
from daypack.doors.documents.filters.predicate import predicate
from daypack.doors.documents.model.values import cleaned
from daypack.errors import DaypackError, FilterError
from support import WORDS


@pytest.mark.parametrize("indexed", [(), INDEXED], ids=["scanned", "indexed"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_what_another_implementation_finds(
    tmp_path: Path, seed: int, indexed: tuple[str, ...]
) -> None:
    chance = random.Random(seed)
    documents = [document(chance, number) for number in range(60)]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        collection = dp.documents.collection("c")
        collection.insert(documents[:30])
        if indexed:
            collection.index(*indexed)
        collection.insert(documents[30:])
        pairs, wrong = disagreements(seed, 150, 0, partial(matching, collection), documents)
    assert wrong == []
    assert pairs == 9_000


def found(filter: Any, *documents: Any) -> list[bool]:
    test = predicate(parse_filter(filter))
    return [test(cleaned(item)) for item in documents]


@pytest.mark.parametrize(
    ("filter", "documents", "expected"),
    [
        # null and what is missing
        ({"a": None}, [{"a": None}, {}, {"a": 0}, {"a": [None]}], [True, True, False, True]),
        (
            {"a.b": None},
            [{"a": 4}, {"a": None}, {"a": {}}, {"a": []}, {"a": [1]}, {"a": [{}]}, {"a": [{"b": 1}]}],
            [True, True, True, False, False, True, False],
        ),
        ({"a": {"$gte": None}}, [{"a": None}, {}, {"a": 1}], [True, True, False]),
        ({"a": {"$ne": None}}, [{"a": None}, {}, {"a": 1}], [False, False, True]),
        ({"a": {"$ne": 5}}, [{}, {"a": 5}, {"a": [5, 6]}, {"a": [6]}], [True, False, False, True]),
        ({"a": {"$nin": [5]}}, [{}, {"a": 5}], [True, False]),
        (
            {"a.b": {"$exists": False}},
            [{"a": [{"b": 1}, {}]}, {"a": [{}]}, {"a": [1]}, {}],
            [False, True, True, True],
        ),
        ({"a": {"$not": {"$gt": 5}}}, [{}, {"a": "x"}, {"a": 6}], [True, True, False]),
        ({"a.b": {"$not": {"$gt": 5}}}, [{"a": [1, 2]}], [True]),
        # kinds
        ({"a": True}, [{"a": True}, {"a": 1}], [True, False]),
        ({"a": 2}, [{"a": 2}, {"a": 2.0}, {"a": "2"}], [True, True, False]),
        ({"a": {"$gt": 5}}, [{"a": "x"}, {"a": 6}, {"a": {"$date": 9}}], [False, True, False]),
        (
            {"a": {"x": 1, "y": 2}},
            [{"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}, {"a": {"x": 1}}],
            [True, False, False],
        ),
        ({"a": {}}, [{"a": {}}, {}], [True, False]),
        ({"a": {"$type": "long"}}, [{"a": 1}, {"a": 1.0}, {"a": [1]}], [True, False, True]),
        ({"a": {"$type": ["null", "bool"]}}, [{"a": None}, {}, {"a": False}], [True, False, True]),
        # arrays
        ({"a": {"$gt": 1, "$lt": 3}}, [{"a": [0, 5]}, {"a": [0]}], [True, False]),
        ({"a.b": {"$gt": 1, "$lt": 3}}, [{"a": [{"b": 0}, {"b": 5}]}], [True]),
        (
            {"a": {"$elemMatch": {"$gt": 1, "$lt": 3}}},
            [{"a": [0, 5]}, {"a": [2]}, {"a": 2}],
            [False, True, False],
        ),
        (
            {"a": {"$elemMatch": {"b": {"$ne": 1}}}},
            [{"a": [5]}, {"a": [{}]}, {"a": [{"b": 1}]}],
            [False, True, False],
        ),
        ({"a": {"$size": 1}}, [{"a": [1]}, {"a": 1}, {"a": {"x": 1}}, {}], [True, False, False, False]),
        ({"a": {"$all": []}}, [{"a": []}, {}], [False, False]),
        ({"a": {"$all": [[1, 2]]}}, [{"a": [1, 2]}, {"a": [[1, 2]]}, {"a": [2, 1]}], [True, True, False]),
        (
            {"a": {"$all": [{"$elemMatch": {"b": 1}}, {"$elemMatch": {"b": 2}}]}},
            [{"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}]}],
            [True, False],
        ),
        ({"a": {"$in": [[2]]}}, [{"a": [2]}, {"a": [[2]]}, {"a": 2}], [True, True, False]),
        (
            {"a.0.b": 1},
            [{"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 2}, {"b": 1}]}, {"a": {"0": {"b": 1}}}],
            [True, False, True],
        ),
        # numbers and text
        (
            {"a": {"$mod": [4, 0]}},
            [{"a": 8}, {"a": 9}, {"a": 8.7}, {"a": "8"}, {"a": [3, 4]}],
            [True, False, True, False, True],
        ),
        ({"a": {"$mod": [4, -1]}}, [{"a": -5}, {"a": 3}, {"a": (1 << 62) + 3}], [True, False, False]),
        (
            {"a": {"$regex": "^b.c$", "$options": "ims"}},
            [{"a": "x\nB\nC"}, {"a": "b c"}, {"a": 5}, {"a": ["b-c"]}],
            [True, True, False, True],
        ),
        ({"$nor": [{"a": 1}, {"b": 1}]}, [{}, {"a": 1}, {"b": 1}], [True, False, False]),
        ({}, [{}], [True]),
    ],
)
def test_what_a_condition_means(filter: Any, documents: list[Any], expected: list[bool]) -> None:
    assert found(filter, *documents) == expected


@pytest.mark.parametrize(
    ("filter", "path", "problem"),
    [
        ([], "", "must be an object"),
        ({"$adn": [{}]}, "$adn", "did you mean '$and'?"),
        ({"$and": []}, "$and", "takes an array of at least one filter"),
        ({"$gt": 5}, "$gt", "belongs under a field"),
        ({"a": {"$exist": True}}, "a.$exist", "did you mean '$exists'?"),
        ({"a": {"$foo": True}}, "a.$foo", "unknown operator '$foo'; operators are $eq"),
        ({"a": {"$exists": "yes"}}, "a.$exists", "takes true or false"),
        ({"a": {"$type": "int"}}, "a.$type", "'int' would never match"),
        ({"a": {"$type": "strng"}}, "a.$type", "did you mean 'string'?"),
        ({"a": {"$not": 5}}, "a.$not", "takes an object of operators"),
        ({"a": {"$options": "i"}}, "a.$options", "belongs beside $regex only"),
        ({"a": {"$regex": "a", "$options": "g"}}, "a.$options", "takes letters of 'ims'"),
        ({"a": {"$regex": "(?=a)"}}, "a.$regex", "the pattern is refused"),
        ({"a": {"$mod": [0, 1]}}, "a.$mod", "other than 0"),
        ({"a": {"$gt": 5, "b": 6}}, "a.b", "a field beside the operator $gt"),
        ({"a": {"$in": [{"$oid": "x"}]}}, "a.$in[0]", "is not an ObjectId"),
        (
            {"a": {"$elemMatch": {"b": {"$gte": 1, "$lt": {"$dat": 1}}}}},
            "a.$elemMatch.b.$lt",
            "has the field '$dat'; did you mean '$date'?",
        ),
        ({"a.$": 1}, "a.$", "stands for no position"),
        ({"a.$[b].c": 1}, "a.$[b].c", "stands for no position"),
        ({"a..b": 1}, "a..b", "no empty step"),
        ({"a": float("inf")}, "a", "is inf"),
    ],
)
def test_what_a_filter_cannot_mean_is_refused_by_its_path(filter: Any, path: str, problem: str) -> None:
    with pytest.raises(FilterError) as error:
        parse_filter(filter)
    assert error.value.path == path
    assert problem in str(error.value)


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["$gt", "$oid", "a.b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "a",
                    "b.c",
                    "$and",
                    "$or",
                    "$not",
                    "$in",
                    "$gt",
                    "$regex",
                    "$elemMatch",
                    "$oid",
                    "$all",
                    "$type",
                    "x",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(json_like, json_like)
def test_any_json_is_a_filter_or_refused_in_one_line(data: Any, item: Any) -> None:
    try:
        test = predicate(parse_filter(data))
        document = cleaned({"a": item})
    except DaypackError as error:
        assert "\n" not in str(error)
        return
    assert test(document) in (True, False)


def test_long_strings_are_compared_to_their_end(teas: Collection) -> None:
    start = "x" * 1200
    teas.insert(
        [{"_id": 10, "name": start + "a"}, {"_id": 11, "name": start + "b"}, {"_id": 12, "name": "x" * 1000}]
    )
    for _ in range(2):
        assert [item["_id"] for item in teas.find({"name": start + "a"})] == [10]
        assert [item["_id"] for item in teas.find({"name": {"$gt": start + "a"}, "_id": {"$gte": 10}})] == [
            11
        ]
        assert [item["_id"] for item in teas.find({"name": "x" * 1000})] == [12]
        assert [item["_id"] for item in teas.find({"name": {"$gt": "x" * 999}})] == [10, 11, 12]
        teas.index("name")


def test_an_index_on_arrays_holds_two_conditions_of_two_elements(dp: Daypack) -> None:
    collection = dp.documents.collection("arrays")
    between = {"a": {"$gt": 5, "$lt": 3}}
    collection.insert([{"_id": 1, "a": [2, 6]}, {"_id": 2, "a": 4}])
    collection.index("a")
    assert [document["_id"] for document in collection.find(between)] == [1]
    assert collection.count({"a": {"$gt": 3, "$lt": 5}}) == 2


def test_an_index_follows_every_write(teas: Collection) -> None:
    teas.index("tags", "origin.country")
    assert [item["_id"] for item in teas.find({"tags": "green"})] == [1, 3]
    teas.load([({"_id": 1, "tags": "white"}, "line 1")], replace=True)
    teas.delete({"_id": 3})
    assert teas.find({"tags": "green"}) == []
    assert [item["_id"] for item in teas.find({"tags": "white"})] == [1]
    assert [item["_id"] for item in teas.find({"origin.country": {"$exists": False}})] == [1]
    plan = teas.plan_update({"_id": 2}, {"$push": {"tags": "green"}})
    teas.apply(plan.token)
    assert [item["_id"] for item in teas.find({"tags": "green"})] == [2]
    teas.rollback(plan.token)
    assert teas.count({"tags": "green"}) == 0


def test_order_goes_across_all_kinds_and_arrays_count_by_their_ends(dp: Daypack) -> None:
    values = [
        {"$date": 5}, False, {"$oid": "a" * 24}, {"$binary": "AA=="}, [9], {"x": 1}, "b", "a", 2.5, 2, None, [], [1, "z"],
    ]  # fmt: skip
    collection = dp.documents.collection("c")
    collection.insert([{"_id": number, "v": value} for number, value in enumerate(values)] + [{"_id": 99}])
    rising = [item["_id"] for item in collection.find(sort={"v": 1, "_id": 1})]
    assert rising == [11, 10, 99, 12, 9, 8, 4, 7, 6, 5, 3, 2, 1, 0]
    falling = [item["_id"] for item in collection.find(sort={"v": -1, "_id": 1})]
    assert falling == [0, 1, 2, 3, 5, 12, 6, 7, 4, 8, 9, 10, 99, 11]
