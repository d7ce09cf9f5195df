"""The documents door as a person and an agent meet it: the commands, what they print, and what they say when
something is wrong.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents.verbs import VERBS
from daypack.errors import InputError
from support import command, daypack, environment

STORE = ("--store", "app.daypack")


def docs(*arguments: str, cwd: Path, status: int | None = 0, input: bytes = b"") -> str:
    return daypack(*STORE, "docs", *arguments, cwd=cwd, status=status, input=input).stdout


def said(*arguments: str, cwd: Path, status: int, input: bytes = b"") -> str:
    done = daypack(*STORE, "docs", *arguments, cwd=cwd, status=status, input=input)
    assert done.stdout == ""
    return done.stderr


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def without_ids(text: str) -> str:
    """Each ObjectId as the number of its first place."""
    seen: dict[str, str] = {}
    return re.sub(
        r'"\$oid":"([0-9a-f]{24})"',
        lambda match: f'"$oid":"{seen.setdefault(match[1], str(len(seen) + 1))}"',
        text,
    )


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """The store of the worked example."""
    docs("create", cwd=tmp_path)
    docs("insert", "docs", '{"text":"database search and indexing"}', cwd=tmp_path)
    docs("insert", "docs", '{"text":"chocolate cake recipe"}', cwd=tmp_path)
    return tmp_path


# ---------------------------------------------------------------- context


def test_the_worked_example(app: Path, golden: Callable[[str, str], None]) -> None:
    golden(
        "documents/worked-example.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "500", cwd=app)),
    )


def test_a_context_pack_is_one_line_in_one_order_on_the_command_line_and_for_agents(app: Path) -> None:
    out = docs("context", "docs", "text", "cake", cwd=app)
    assert out.count("\n") == 1
    found = json.loads(out)
    assert [*found] == sorted(found)
    assert [[*chunk] for chunk in found["chunks"]] == [["id", "score", "tokens", "text"]] * 2
    with Daypack.open(app / STORE[1]) as dp:
        (verb,) = [verb for verb in VERBS if verb.name == "context_pack"]
        told = verb.call(dp, "docs", "text", "cake")
    assert json.dumps(told, separators=(",", ":"), ensure_ascii=False) + "\n" == out


def test_context_and_vsearch_rank_by_the_embedder_of_the_last_vsync(app: Path) -> None:
    docs("vsync", "docs", "text", "--embedder", "minilm", cwd=app)
    hits = lines(docs("vsearch", "docs", "text", "dessert", cwd=app))
    pack = json.loads(docs("context", "docs", "text", "dessert", "--explain", cwd=app))
    assert pack["explain"]["embedder"] == "minilm"
    assert [(chunk["id"], chunk["score"]) for chunk in pack["chunks"]] == [
        (hit["id"], hit["score"]) for hit in hits
    ]
    assert pack["chunks"][0]["text"] == "chocolate cake recipe"
    docs("insert", "docs", '{"text":"dessert"}', cwd=app)
    late = daypack(*STORE, "docs", "context", "docs", "text", "dessert", cwd=app)
    assert len(json.loads(late.stdout)["chunks"]) == 2
    assert "1 documents were written since and have no vector yet" in late.stderr


@pytest.mark.parametrize("filter", ["[]", "[1]", "5", '"open"', "false"])
def test_a_filter_that_is_no_object_is_refused(app: Path, filter: str) -> None:
    for words in (
        ("docs", "context", "docs", "text", "cake", "--filter", filter),
        ("docs", "vsearch", "docs", "text", "cake", "--filter", filter),
        ("docs", "find", "docs", filter),
        ("docs", "count", "docs", filter),
        ("pack", "cake", "--filter", filter),
        ("search", "cake", "--filter", filter),
    ):
        refused = daypack(*STORE, *words, cwd=app, status=2)
        assert 'must be an object such as {"status": "open"}' in refused.stderr, words


def test_a_budget_too_small_for_the_first_text_gives_an_empty_truncated_pack(
    app: Path, golden: Callable[[str, str], None]
) -> None:
    golden(
        "documents/budget-too-small.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "6", cwd=app)),
    )


def test_packing_stops_at_the_first_text_that_does_not_fit(
    app: Path, golden: Callable[[str, str], None]
) -> None:
    # cosine .707 as the first, and it would fit behind it
    docs("insert", "docs", '{"text":"database"}', cwd=app)
    docs("insert", "docs", json.dumps({"text": "database search " * 40}), cwd=app)  # cosine 1, and too long
    golden(
        "documents/first-overflow.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "20", cwd=app)),
    )
    skipped = json.loads(
        docs("context", "docs", "text", "database search", "--budget", "20", "--packing", "skip", cwd=app)
    )
    assert [chunk["tokens"] for chunk in skipped["chunks"]] == [7, 2, 6]
    assert skipped["truncated"] is True


def test_texts_of_score_zero_are_there_when_they_fit_and_gone_first_when_they_do_not(
    app: Path, golden: Callable[[str, str], None]
) -> None:
    golden(
        "documents/zero-score-left-out.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "12", cwd=app)),
    )


def test_documents_without_a_text_in_the_field_are_passed_over(
    app: Path, golden: Callable[[str, str], None]
) -> None:
    docs(
        "insert",
        "docs",
        '[{"text": 5}, {"other": "database search"}, {"text": ["database search"]}, {"text": null}]',
        cwd=app,
    )
    golden(
        "documents/worked-example.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "500", cwd=app)),
    )


def test_a_filter_decides_before_anything_is_ranked(app: Path, golden: Callable[[str, str], None]) -> None:
    docs(
        "insert",
        "docs",
        '[{"text":"database search","status":"draft"},{"text":"search","status":"published"}]',
        cwd=app,
    )
    out = docs("context", "docs", "text", "database search", "--filter", '{"status":"published"}', cwd=app)
    golden("documents/filtered.json", without_ids(out))


def test_nothing_in_the_collection_is_an_empty_pack_that_is_not_truncated(
    app: Path, golden: Callable[[str, str], None]
) -> None:
    golden(
        "documents/nothing-passes.json", docs("context", "docs", "text", "x", "--filter", '{"n":1}', cwd=app)
    )


@pytest.mark.parametrize("synced", [False, True])
def test_the_same_pack_comes_from_texts_and_from_their_vectors(
    app: Path, synced: bool, golden: Callable[[str, str], None]
) -> None:
    if synced:
        docs("vsync", "docs", "text", cwd=app)
    golden(
        "documents/worked-example.json",
        without_ids(docs("context", "docs", "text", "database search", "--budget", "500", cwd=app)),
    )


def test_the_packer_takes_parts_of_long_texts_and_cites_where_they_stand(app: Path) -> None:
    filler = [f"Paragraph {number} speaks of the weather and of nothing else. " * 6 for number in range(12)]
    text = "\n\n".join(
        [*filler[:7], "Refunds are retried with the same idempotency key, for a day at most.", *filler[7:]]
    )
    docs("insert", "docs", "-", cwd=app, input=json.dumps({"title": "Refunds", "text": text}).encode())
    out = docs(
        "context",
        "docs",
        "text",
        "idempotency key of refunds",
        "--packing",
        "auto",
        "--tokenizer",
        "o200k",
        "--budget",
        "120",
        cwd=app,
    )
    pack = json.loads(out)
    assert pack["usedTokens"] == sum(chunk["tokens"] for chunk in pack["chunks"]) <= 120
    first = pack["chunks"][0]
    assert "idempotency key" in first["text"]
    assert text[slice(*first["span"])] == first["text"]
    assert pack["citations"][0] == first["id"]
    explained = json.loads(
        docs("context", "docs", "text", "refunds", "--packing", "auto", "--explain", cwd=app)
    )["explain"]
    assert explained["packing"] == "auto"
    assert explained["renderedTokens"] > 0


# ---------------------------------------------------------------- collections


def test_documents_keep_the_order_of_their_fields_and_come_back_as_they_are(tmp_path: Path) -> None:
    document = (
        '{"_id":"a","z":1,"a":{"y":[1,2.0,"x",null,true],"b":-0.0},"big":9223372036854775807,"far":1e+300}'
    )
    docs("insert", "c", document, cwd=tmp_path)
    assert docs("get", "c", "a", cwd=tmp_path) == document + "\n"
    assert docs("find", "c", cwd=tmp_path) == document + "\n"


def test_many_documents_come_as_an_array_as_lines_and_from_a_file(tmp_path: Path) -> None:
    assert json.loads(docs("insert", "c", '[{"n":1},{"n":2}]', cwd=tmp_path))["inserted"] == 2
    assert json.loads(docs("insert", "c", "-", cwd=tmp_path, input=b'{"n":3}\n\n{"n":4}\n'))["inserted"] == 2
    (tmp_path / "more.ndjson").write_text('{"n":5}\n{"n":6}\n')
    assert json.loads(docs("insert", "c", "@more.ndjson", cwd=tmp_path))["inserted"] == 2
    assert docs("count", "c", cwd=tmp_path) == "6\n"
    assert docs("count", "c", '{"n":{"$gte":4}}', cwd=tmp_path) == "3\n"
    assert [
        item["n"]
        for item in lines(
            docs(
                "find",
                "c",
                "--sort",
                '{"n":-1}',
                "--skip",
                "1",
                "-n",
                "2",
                "--project",
                '{"n":1,"_id":0}',
                cwd=tmp_path,
            )
        )
    ] == [5, 4]
    assert docs("delete", "c", '{"n":{"$lt":3}}', cwd=tmp_path) == '{"deleted":2}\n'
    assert docs("count", "c", cwd=tmp_path) == "4\n"


def test_dump_load_dump_gives_the_same_bytes(tmp_path: Path) -> None:
    given = [
        {"$numberLong": "5"}, {"$date": "2026-10-01T00:00:00.123Z"}, {"$date": {"$numberLong": "-1"}}, {"$binary": "AAEC"}, {"$numberDouble": "2"},
        {"$oid": "64B7F0C2A1B2C3D4E5F60718"}, [{"b": 1, "a": [{}]}], "\u0000\ud83d\ude00 é",
    ]  # fmt: skip
    docs("insert", "c", json.dumps([{"value": value} for value in given]), cwd=tmp_path)
    first = docs("dump", "c", cwd=tmp_path)
    (tmp_path / "c.ndjson").write_text(first, encoding="utf-8")
    docs("load", "copy", "c.ndjson", cwd=tmp_path)
    assert docs("dump", "copy", cwd=tmp_path) == first
    assert [item["value"] for item in lines(first)][:6] == [
        5,
        {"$date": 1790812800123},
        {"$date": -1},
        {"$binary": {"base64": "AAEC", "subType": "00"}},
        2.0,
        {"$oid": "64b7f0c2a1b2c3d4e5f60718"},
    ]


def test_a_load_that_is_run_again_writes_nothing_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "c.ndjson").write_text('{"_id":1,"n":1}\n{"_id":2,"n":2}\n')
    docs("load", "c", "c.ndjson", cwd=tmp_path)
    assert json.loads(docs("load", "c", "c.ndjson", cwd=tmp_path)) == {
        "collection": "c",
        "inserted": 0,
        "replaced": 0,
        "unchanged": 2,
        "redactions": 0,
    }
    (tmp_path / "c.ndjson").write_text('{"_id":1,"n":5}\n')
    assert "has a document with _id 1 already" in said("load", "c", "c.ndjson", cwd=tmp_path, status=2)
    assert json.loads(docs("load", "c", "c.ndjson", "--replace", cwd=tmp_path))["replaced"] == 1
    assert docs("dump", "c", cwd=tmp_path) == '{"_id":1,"n":5}\n{"_id":2,"n":2}\n'


def test_describe_says_which_fields_there_are(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    docs(
        "insert",
        "teas",
        '[{"_id":1,"name":"Sencha","tags":["green"]},{"_id":2,"name":5,"tags":[],"at":{"$date":0}}]',
        cwd=tmp_path,
    )
    golden("documents/describe.md", docs("describe", cwd=tmp_path))
    facts = json.loads(docs("describe", "teas", "--json", cwd=tmp_path))["collections"][0]
    assert {field["path"]: field["presence"] for field in facts["fields"]} == {
        "_id": 1,
        "name": 1,
        "tags": 1,
        "tags[]": 0.5,
        "at": 0.5,
    }


def test_diagnose_of_an_empty_collection_says_that_no_document_has_the_field(tmp_path: Path) -> None:
    docs("create", "c", cwd=tmp_path)
    said = json.loads(docs("diagnose", "c", '{"n":77}', cwd=tmp_path))
    assert said["predicates"][0]["hint"] == "no document has n"


def test_explain_says_what_is_looked_at_and_diagnose_why_nothing_is_found(tmp_path: Path) -> None:
    docs("create", "c", "--index", "n", cwd=tmp_path)
    docs(
        "insert", "c", json.dumps([{"n": number, "name": f"x{number}"} for number in range(20)]), cwd=tmp_path
    )
    explained = json.loads(docs("explain", "c", '{"n":{"$lt":3}}', cwd=tmp_path))
    assert (explained["strategy"], explained["indexes"], explained["examined"], explained["matched"]) == (
        "index",
        ["n"],
        3,
        3,
    )
    explained = json.loads(docs("explain", "c", '{"n":{"$lt":3},"name":"x1"}', cwd=tmp_path))
    assert (explained["strategy"], explained["examined"], explained["matched"]) == (
        "index, then filter",
        3,
        1,
    )
    assert json.loads(docs("explain", "c", '{"name":"x1"}', cwd=tmp_path))["strategy"] == "scan"
    told = json.loads(
        docs("diagnose", "c", '{"n":{"$gt":5,"$lt":9},"$or":[{"nam":"x1"},{"name":7}]}', cwd=tmp_path)
    )
    assert told["matched"] == 0
    assert [(item["path"], item["matched"]) for item in told["predicates"]] == [
        ("n.$gt", 14),
        ("n.$lt", 9),
        ("$or[0].nam", 0),
        ("$or[1].name", 0),
    ]
    assert "did you mean 'name'?" in told["predicates"][2]["hint"]
    assert "of type string, not long" in told["predicates"][3]["hint"]


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["find", "dosc"], "no collection 'dosc'; did you mean 'docs'?"),
        (["context", "doc", "text", "x"], "no collection 'doc'; did you mean 'docs'?"),
        (["count", "something"], "no collection 'something'; the store has docs"),
        (["find", "../x"], "'../x' is not a valid name of a collection"),
        (["insert", "docs", '{"a": 1,}'], "JSON, line 1 column"),
        (["insert", "docs", '{"a": 1,\n "b": }'], "JSON, line 2 column 7: expecting value"),
        (
            ["insert", "docs", '{"a": 1, "b": 2,\n  "a": 3}'],
            "JSON, line 2 column 3: the key 'a' is repeated in one object",
        ),
        (
            ["insert", "docs", '{"a": [{"x": {"b": 1, "b": 2}}]}'],
            "JSON, line 1 column 23: the key 'b' is repeated",
        ),
        (["insert", "docs", '{"a": NaN}'], "JSON, line 1 column 7: NaN is not a JSON number"),
        (["insert", "docs", '{"a": -Infinity}'], "-Infinity is not a JSON number"),
        (
            ["insert", "docs", '{"a": {"$numberDouble": "NaN"}}'],
            "field a is nan, and only finite numbers can be kept",
        ),
        (["insert", "docs", '{"a": {"b": 1e400}}'], "field a.b is inf"),
        (["insert", "docs", '{"a": 9223372036854775808}'], "field a is an integer of more than 64 bits"),
        (["insert", "docs", "5"], "must be an object, an array of objects, or objects one after another"),
        (["insert", "docs", "[1]"], "JSON[0] must be an object, not a number"),
        (["insert", "docs", '{"$set": {"a": 1}}'], "has the field '$set'; `daypack docs plan-update` takes"),
        (["insert", "docs", '{"a": {"$oid": "xyz"}}'], "field a is not an ObjectId"),
        (["insert", "docs", '{"a": {"$numberDecimal": "1"}}'], "field a has the field '$numberDecimal'"),
        (["insert", "docs", '{"_id": [1]}'], "field _id is an array"),
        (
            ["insert", "docs", '[{"_id": 1}, {"_id": 1.0}]'],
            "docs has a document with _id 1.0 already in the same write; nothing was written",
        ),
        (["insert", "docs", "@missing.json"], "missing.json cannot be read (No such file or directory)"),
        (
            ["find", "docs", '{"a": {"$gtt": 1}}'],
            "filter a.$gtt: unknown operator '$gtt'; did you mean '$gt'?",
        ),
        (
            ["find", "docs", '{"$or": [{"a": 1}, {"b": {"$in": 5}}]}'],
            "filter $or[1].b.$in: takes an array, not 5",
        ),
        (["find", "docs", '{"a": 1, "a": 2}'], "FILTER, line 1 column 10: the key 'a' is repeated"),
        (["find", "docs", '{"a": 1' + "0" * 308 + "}"], "filter a: is an integer of more than 64 bits"),
        (["find", "docs", '{"a": {"$regex": "(a+)\\\\1"}}'], "filter a.$regex: the pattern is refused"),
        (
            ["find", "docs", '{"a": {"$regex": "' + "a" * 300 + '"}}'],
            "the pattern has 300 characters; at most 256 are allowed",
        ),
        (["find", "docs", "--sort", '{"a": 2}'], "filter sort.a: takes 1 for rising or -1 for falling"),
        (
            ["find", "docs", "--project", '{"a": 1, "b": 0}'],
            "filter projection.b: fields are either shown or left out",
        ),
        (
            ["plan-update", "docs", "{}", '{"$sett": {"a": 1}}'],
            "update $sett: unknown operator '$sett'; did you mean '$set'?",
        ),
        (
            ["plan-update", "docs", "{}", '{"a": 1}'],
            'update a: is not an operator; to set a field, write {"$set": {"a": …}}',
        ),
        (
            ["plan-update", "docs", "{}", '{"$set": {"_id": 1}}'],
            "update $set._id: the _id of a document never changes",
        ),
        (["plan-update", "docs", "{}", '{"$inc": {"text": 1}}'], "its value is not a number"),
        (["context", "docs", "text", "x", "--budget", "-5"], "is not a whole number from 0 to"),
        (
            ["vsearch", "docs", "text", "x", "--embedder", "minilm"],
            "run `daypack docs vsync docs text --embedder minilm` first",
        ),
        (["vsync", "docs", "te..xt"], "field 'te..xt' is not a path; write NAME or NAME.inner"),
        (["vsearch", "docs", "", "x"], "field '' is not a path; write NAME or NAME.inner"),
        (["context", "docs", "$text", "x"], "field '$text' is not a path; write NAME or NAME.inner"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(
    app: Path, arguments: list[str], message: str
) -> None:
    before = docs("dump", "docs", cwd=app)
    error = said(*arguments, cwd=app, status=2)
    assert message in error
    assert error.count("\n") == 1
    assert docs("dump", "docs", cwd=app) == before


def test_filters_of_any_depth_and_width_are_refused_by_their_path(app: Path) -> None:
    deep = '{"$and":[' * 40 + '{"a":1}' + "]}" * 40
    assert "nested deeper than 16 levels" in said("find", "docs", deep, cwd=app, status=2)
    assert "nested deeper than 100 levels" in said(
        "find", "docs", '{"$and":[' * 9000 + '{"a":1}' + "]}" * 9000, cwd=app, status=2
    )
    wide = json.dumps({"$or": [{"a": number} for number in range(300)]})
    assert "more than 256 conditions" in said("find", "docs", wide, cwd=app, status=2)


def test_an_expression_that_backtracks_elsewhere_is_answered_at_once(app: Path) -> None:
    docs("insert", "docs", "-", cwd=app, input=json.dumps({"text": "a" * 50_000}).encode())
    assert said("find", "docs", '{"text":{"$regex":"^(a+)+$b"}}', cwd=app, status=1) == ""
    assert len(lines(docs("find", "docs", '{"text":{"$regex":"^(a+)+$"}}', cwd=app))) == 1


def test_sql_in_any_string_is_a_string(app: Path) -> None:
    evil = "x'); DROP TABLE document; --"
    docs("insert", "docs", json.dumps({"_id": evil, evil: evil, "text": evil}), cwd=app)
    docs("index", "docs", evil.replace(".", ""), cwd=app)
    assert json.loads(docs("find", "docs", json.dumps({evil: evil}), cwd=app))["_id"] == evil
    assert json.loads(docs("get", "docs", evil, cwd=app))["text"] == evil
    assert docs("delete", "docs", json.dumps({"text": evil}), cwd=app) == '{"deleted":1}\n'
    assert docs("count", "docs", cwd=app) == "2\n"


def test_a_document_of_twenty_megabytes_is_refused_and_one_of_fifteen_is_kept(tmp_path: Path) -> None:
    def body(size: int) -> bytes:
        return json.dumps({"_id": size, "text": "word " * (size // 5)}).encode()

    assert "at most 16,777,216 are allowed" in said(
        "insert", "c", "-", cwd=tmp_path, status=2, input=body(20_000_000)
    )
    docs("insert", "c", "-", cwd=tmp_path, input=body(15_000_000))
    assert len(docs("get", "c", "15000000", cwd=tmp_path)) > 15_000_000


def test_a_hundred_levels_are_kept_and_one_more_is_refused(tmp_path: Path) -> None:
    def nested(levels: int) -> str:
        return '{"a":' * levels + "1" + "}" * levels

    docs("insert", "c", nested(100), cwd=tmp_path)
    assert docs("count", "c", json.dumps({".".join(["a"] * 100): 1}), cwd=tmp_path) == "1\n"
    assert "is nested deeper than 100 levels" in said("insert", "c", nested(101), cwd=tmp_path, status=2)
    assert "nested deeper than 100 levels" in said(
        "insert", "c", "-", cwd=tmp_path, status=2, input=b"[" * 100_000
    )
    assert docs("count", "c", cwd=tmp_path) == "1\n"


def test_a_bad_line_of_a_load_is_named_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "c.ndjson").write_bytes(b'{"a":1}\n{"a":\n')
    assert "c.ndjson, line 2 column 6" in said("load", "c", "c.ndjson", cwd=tmp_path, status=2)
    (tmp_path / "c.ndjson").write_bytes(b'{"a":1}\n{"a":"\xff"}\n')
    assert "the bytes are not UTF-8" in said("load", "c", "c.ndjson", cwd=tmp_path, status=2)
    (tmp_path / "c.ndjson").write_bytes(b'{"a":1}\n{"a":{"b":1e999}}\n')
    assert "c.ndjson, line 2: document field a.b is inf" in said(
        "load", "c", "c.ndjson", cwd=tmp_path, status=2
    )


def test_half_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    assert "field a.b holds half a surrogate pair" in said(
        "insert", "c", '{"a": {"b": "x\\ud800"}}', cwd=tmp_path, status=2
    )


def test_json_of_bytes_that_are_not_utf_8_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    docs("insert", "c", '{"_id": 0, "n": "caf?"}', cwd=tmp_path)
    torn = b'{"n": "caf\xe9"}'
    for words in (("insert", "c", torn), ("delete", "c", torn), ("find", "c", b"{}", "--fields", torn)):
        done = daypack(*STORE, "docs", *words, cwd=tmp_path, status=2)
        assert "line 1 column 11: the bytes are not UTF-8" in done.stderr
    assert docs("count", "c", cwd=tmp_path) == "1\n"


def test_json_keeps_its_characters_where_the_terminal_says_ascii(tmp_path: Path) -> None:
    ascii_alone = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words in (("insert", "c", '{"_id": 2, "naïve": "東京"}'), ("find", "c", '{"naïve": "東京"}')):
        found = daypack(*STORE, "docs", *(word.encode() for word in words), cwd=tmp_path, env=ascii_alone)
    assert found.stdout == '{"_id":2,"naïve":"東京"}\n'


def test_an_agent_is_told_of_half_a_character_in_a_document_and_in_an_update(tmp_path: Path) -> None:
    verbs = {verb.name: verb for verb in VERBS}
    with Daypack.open(tmp_path / ".daypack") as dp:
        document = {"collection": "c", "document": {"a": "\ud800"}}
        with pytest.raises(InputError, match="field a holds half a surrogate pair"):
            verbs["insert"](dp, document)
        dp.documents.collection("c").insert({"a": 1})
        with pytest.raises(InputError, match="half a surrogate pair"):
            verbs["plan_update"](dp, {"collection": "c", "filter": {}, "update": {"$set": {"a": "\ud800"}}})
        with pytest.raises(InputError, match="document must be an object"):
            verbs["insert"](dp, {"collection": "c", "document": [{"a": 1}]})


def test_a_misspelt_field_is_said_beside_the_empty_answer(app: Path) -> None:
    for arguments in (["find", "docs", '{"txet": "x"}'], ["vsearch", "docs", "txet", "x"]):
        done = daypack(*STORE, "docs", *arguments, cwd=app, status=1)
        assert (done.stdout, done.stderr) == (
            "",
            "daypack: no document of docs has the field 'txet'; did you mean 'text'?\n",
        )


def test_a_new_collection_of_nearly_the_same_name_is_said(app: Path) -> None:
    done = daypack(*STORE, "docs", "insert", "doc", '{"a": 1}', cwd=app)
    assert done.stderr == "daypack: doc is a new collection; docs exists as well\n"


def test_errors_are_json_where_json_is_asked_for(app: Path) -> None:
    error = json.loads(said("find", "dosc", "--json", cwd=app, status=2))
    assert error == {
        "error": {"code": "no_collection", "message": "no collection 'dosc'; did you mean 'docs'?"}
    }


def test_a_store_that_is_not_there_is_not_made_by_a_question(tmp_path: Path) -> None:
    assert "no store at" in said("find", "docs", cwd=tmp_path, status=3)
    assert not list(tmp_path.iterdir())


def test_secrets_never_reach_the_disk(tmp_path: Path) -> None:
    secrets = ["ghp_Qm4Xt7Rk2Wv9Zp1Ls5Nd8Hc3Jf6Bg0AyEuIo", "s3cr3tVxalue99kQ"]
    document = {"note": f"line one\n{secrets[0]}", "login": {"password": secrets[1]}, "fine": "a\\b"}
    done = daypack(*STORE, "docs", "insert", "c", json.dumps(document), cwd=tmp_path)
    assert "replaced 2 secrets before anything was stored" in done.stderr
    found = json.loads(docs("find", "c", cwd=tmp_path))
    assert found["login"]["password"] == "[REDACTED:password]"
    assert found["note"].startswith("line one\n[REDACTED:github_token:")
    assert found["fine"] == "a\\b"
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [secret for secret in secrets if secret.encode() in stored]


# ---------------------------------------------------------------- two at once


def test_of_two_processes_that_apply_one_plan_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    store = ("--store", "app.daypack", "docs")
    daypack(
        *store, "insert", "c", json.dumps([{"_id": number, "n": 0} for number in range(200)]), cwd=tmp_path
    )
    token = json.loads(daypack(*store, "plan-update", "c", "{}", '{"$inc":{"n":1}}', cwd=tmp_path).stdout)[
        "token"
    ]
    running = [
        subprocess.Popen(
            command(*store, "apply", token),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    ended = [(*process.communicate(timeout=60), process.returncode) for process in running]
    assert sorted(status for _, _, status in ended) == [0, 2]
    assert [error.decode() for _, error, status in ended if status == 2] == [
        f"daypack: plan {token} was applied already; `daypack docs rollback` takes it back\n"
    ]
    assert json.loads(daypack(*store, "count", "c", '{"n":1}', cwd=tmp_path).stdout) == 200


def test_row_26_two_processes_that_insert_one_id_make_one_document_and_one_error(tmp_path: Path) -> None:
    store = ("--store", "app.daypack", "docs")
    daypack(*store, "create", "c", cwd=tmp_path)
    running = [
        subprocess.Popen(
            command(*store, "insert", "c", json.dumps({"_id": 1, "by": number})),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(2)
    ]
    ended = [(process.communicate(timeout=60)[1].decode(), process.returncode) for process in running]
    assert sorted(status for _, status in ended) == [0, 2]
    assert [error for error, status in ended if status == 2] == [
        "daypack: c has a document with _id 1 already; nothing was written; `daypack docs plan-update` changes it, `daypack docs load --replace` replaces documents\n"
    ]
    assert json.loads(daypack(*store, "count", "c", cwd=tmp_path).stdout) == 1


def test_a_file_without_its_sign_is_answered_with_the_sign(tmp_path: Path) -> None:
    (tmp_path / "fees.json").write_text('{"fee": 12}')
    assert "write @fees.json" in said("insert", "fees", "fees.json", cwd=tmp_path, status=2)
    docs("insert", "fees", "@fees.json", cwd=tmp_path)


def test_a_document_whose_quotes_the_shell_took_is_told_how_to_keep_them(tmp_path: Path) -> None:
    assert """; write JSON in single quotes, as '{"name": "sencha"}'""" in said(
        "insert", "teas", "{'name': 'x'}", cwd=tmp_path, status=2
    )
    (tmp_path / "x.json").write_text("{'name': 'x'}")
    assert "quotes, as" not in said("insert", "teas", "@x.json", cwd=tmp_path, status=2)
