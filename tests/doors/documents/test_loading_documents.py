"""Files of documents as other programs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.errors import BadDocument, BadJson, BadUpdate, DuplicateId, InputError
from support import daypack

STORE = ("--store", "app.daypack")
TEAS = [{"_id": number, "name": f"tea {number}"} for number in range(3)]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TEAS),
        json.dumps(TEAS, indent=2),
        "\n\r\n" + json.dumps(TEAS, indent=2).replace("\n", "\r\n"),
        "\ufeff" + "\n\n".join(map(json.dumps, TEAS)),
        "\n".join(json.dumps(tea, indent=2) for tea in TEAS),
    ],
    ids=["array", "pretty", "crlf", "lines", "pretty lines"],
)
@pytest.mark.parametrize("piped", [True, False])
def test_a_load_takes_arrays_and_lines(tmp_path: Path, text: str, piped: bool) -> None:
    (tmp_path / "teas.json").write_bytes(text.encode())
    loaded = daypack(
        *STORE, "docs", "load", "teas", "-" if piped else "teas.json",
        cwd=tmp_path, input=text.encode() if piped else b"",
    )  # fmt: skip
    assert json.loads(loaded.stdout)["inserted"] == 3
    found = daypack(*STORE, "docs", "find", "teas", cwd=tmp_path).stdout
    assert [json.loads(line) for line in found.splitlines()] == TEAS


def test_a_load_takes_one_document_of_many_lines(tmp_path: Path) -> None:
    (tmp_path / "tea.json").write_text(json.dumps(TEAS[0], indent=1))
    done = daypack(*STORE, "docs", "load", "teas", "tea.json", cwd=tmp_path)
    assert json.loads(done.stdout)["inserted"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,year\nSencha,2021\n", "line 1 column 1: expecting value; documents are an object, an array of"),
        ('[\n {"_id": 1},\n {"_id": 2,}\n]\n', "line 3 column 12: expecting property name"),
        ('{"_id": 1}\n{"_id": 2\n', "line 2 column 10: expecting ',' delimiter"),
        ('[{"_id": 1}, 5]', "teas.txt[1] must be an object, not a number"),
        ('{"_id": 1},\n{"_id": 2},\n', "line 1 column 11: extra data; documents are an object, an array of"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_documents_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "teas.txt").write_text(text)
    assert message in daypack(*STORE, "docs", "load", "teas", "teas.txt", cwd=tmp_path, status=2).stderr


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (["find", "teas", "year=2021"], """'{"status": "open"}'"""),
        (["find", "teas", "{'year': 2021}"], """'{"status": "open"}'"""),
        (["find", "teas", "--sort", "year"], """'{"year": -1}'"""),
        (["find", "teas", "--fields", "name"], """'{"title": 1}'"""),
        (["plan-update", "teas", "{}", "year=1"], """'{"$set": {"status": "done"}}'"""),
    ],
)
def test_an_argument_that_is_no_json_is_answered_with_its_form(
    tmp_path: Path, arguments: list[str], form: str
) -> None:
    assert form in daypack(*STORE, "docs", *arguments, cwd=tmp_path, status=2).stderr


def test_python_loads_documents_with_or_without_their_names(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(TEAS)
    done = teas.load([{"_id": 0, "name": "sencha"}, ({"_id": 9}, "the last line"), TEAS[1]], replace=True)
    assert (done.inserted, done.replaced, done.unchanged) == (1, 1, 1)
    assert teas.get(0)["name"] == "sencha"
    for given, name in (([{"a": 1}, 5], "document 2"), ([(5, "line 7")], "line 7")):
        for write in (teas.insert, teas.load):
            with pytest.raises(BadDocument, match=f"^{name} must be an object"):
                write(given)  # type: ignore[arg-type]  # what a caller may do


@pytest.mark.parametrize("number", ["3", 2.5, -1, True])
def test_a_limit_that_is_no_whole_number_is_named(dp: Daypack, number: Any) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(TEAS)
    for ask in (
        lambda: teas.find(limit=number),
        lambda: teas.find(skip=number),
        lambda: teas.find(sort={"name": 1}, limit=number),
        lambda: teas.vsearch("name", "tea", limit=number),
    ):
        with pytest.raises(
            InputError,
            match=r"(limit|skip) is .*; give a whole number|is a whole number from 0 on, not -1|limit -1 is not a number of results",
        ):
            ask()


def test_an_update_that_is_no_object_is_called_the_update(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(TEAS)
    with pytest.raises(BadUpdate, match=r"^the update takes an object of oper"):
        teas.plan_update({}, {})


def test_a_fault_behind_the_first_batch_tells_the_documents_that_stay(dp: Daypack) -> None:
    many = dp.documents.collection("many")
    documents = [{"_id": n} for n in range(10_000)]
    with pytest.raises(BadDocument, match=r"not a string; the first 10,000 documents are written") as bad:
        many.insert([*documents, "text"])
    assert bad.value.written == many.count() == 10_000
    others = dp.documents.collection("others")
    with pytest.raises(DuplicateId, match="; the first 10,000 documents are written") as twice:
        others.insert([*documents, {"_id": 5}])
    assert twice.value.written == others.count() == 10_000


def test_a_fault_in_the_first_batch_leaves_nothing(dp: Daypack) -> None:
    few = dp.documents.collection("few")
    few.insert({"_id": 1})
    for documents in ([{"_id": 2}, 5], [{"_id": 3}, {"_id": 1}]):
        with pytest.raises(InputError) as error:
            few.insert(documents)  # type: ignore[arg-type]
        assert error.value.written == 0
        assert "documents are written" not in str(error.value)
    assert few.count() == 1


def test_every_id_of_an_insert_is_told_and_shown_shortly(dp: Daypack) -> None:
    inserted = dp.documents.collection("many").insert({"_id": n} for n in range(10_050))
    assert inserted.ids == tuple(range(10_050))
    assert (
        repr(inserted)
        == "<Inserted collection='many' inserted=10,050 replaced=0 unchanged=0 ids=[0, 1, 2, …]>"
    )
    assert len(inserted.data["ids"]) == 1_000


def test_a_dump_is_loaded_as_it_is(dp: Daypack, teas: Collection) -> None:
    copies = dp.documents.collection("copies")
    assert copies.load(teas.dump()).inserted == 4
    assert copies.find() == teas.find()
    with pytest.raises(BadJson, match="document 2, line 1 column 1: expecting value"):
        copies.load(['{"_id": 9}', "no JSON"])
