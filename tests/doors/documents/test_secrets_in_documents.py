"""No way of writing documents stores a secret: not a plan, not its application, not a name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import InputError
from daypack.types import Record
from support import WORDS, daypack, files_of

CANARY = "ghp_Qm4Xt7Rk2Wv9Zp1Ls5Nd8Hc3Jf6Bg0AyEuIo"
NAMED = "s3cr3tVxalue99kQ"


def holds_no_secret(folder: Path) -> bool:
    """Whether no byte of any file says one of the two."""
    return not [
        name
        for name, (_, content) in files_of(folder).items()
        if CANARY.encode() in content or NAMED.encode() in content
    ]


@pytest.mark.parametrize(
    "update",
    [
        {"$set": {"x": CANARY}},
        {"$set": {"x": f"line one\n\"{CANARY}\""}},
        {"$set": {"login.password": NAMED}},
        {"$set": {CANARY: 1}},
        {"$set": {"x": {"deep": [CANARY]}}},
        {"$push": {"log": {"$each": ["fine", CANARY]}}},
        {"$addToSet": {"log": CANARY}},
        {"$pull": {"log": CANARY}},
        {"$max": {"name": CANARY}},
        {"$rename": {"note": "password"}},
        {"$unset": {CANARY: ""}},
        {"$rename": {"name": CANARY}},
    ],
    ids=str,
)  # fmt: skip
def test_a_plan_and_what_it_writes_hold_no_secret(tmp_path: Path, update: dict[str, Any]) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        collection = dp.documents.collection("c")
        collection.insert({"_id": 1, "name": "a", "log": ["b"], "note": "Xq7-kLm2.Wz9v"})
        plan = collection.plan_update({}, update)
        assert CANARY not in str(plan)
        assert holds_no_secret(tmp_path)
        collection.apply(plan.token)
        dp.documents.catch_up()
        assert CANARY not in str(collection.find()) + str(dp.documents.plans())
        collection.rollback(plan.token)
    assert holds_no_secret(tmp_path)


@pytest.mark.parametrize("key", [CANARY, f"user {CANARY}", {"token": CANARY}, {CANARY: 1}], ids=str)
def test_a_refused_id_is_not_repeated(tmp_path: Path, key: Any) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp, pytest.raises(InputError) as refused:
        dp.documents.collection("c").insert({"_id": key, "name": "a"})
    assert str(refused.value) == (
        "document field _id holds a likely secret, and each _id is shown; give another one"
    )
    assert holds_no_secret(tmp_path)


def test_a_password_that_gets_its_name_by_a_plan_is_replaced(dp: Daypack) -> None:
    collection = dp.documents.collection("c")
    collection.insert({"_id": 1, "note": "Xq7-kLm2.Wz9v"})
    collection.apply(collection.plan_update({}, {"$rename": {"note": "password"}}).token)
    assert collection.get(1) == {"_id": 1, "password": "[REDACTED:password]"}


def test_the_filter_of_a_plan_is_kept_without_secrets(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        collection = dp.documents.collection("c")
        collection.insert({"_id": 1, "name": "a"})
        assert collection.plan_update({"name": {"$ne": CANARY}}, {"$set": {"x": 1}}).changed == 1
        assert CANARY not in str(dp.documents.plans())
    assert holds_no_secret(tmp_path)


def test_a_secret_that_a_plan_replaced_is_counted(tmp_path: Path) -> None:
    daypack("--store", "s", "docs", "insert", "c", '[{"_id": 1}, {"_id": 2}]', cwd=tmp_path)
    planned = daypack(
        "--store",
        "s",
        "docs",
        "plan-update",
        "c",
        '{"_id": 1}',
        f'{{"$set": {{"x": "{CANARY}"}}}}',
        cwd=tmp_path,
    )
    assert "replaced 2 secrets before anything was stored" in planned.stderr


@pytest.mark.parametrize(
    "write",
    [
        lambda dp: dp.documents.create(CANARY),
        lambda dp: dp.documents.create("c", indexes=[f"x.{CANARY}"]),
        lambda dp: dp.documents.collection(CANARY).insert({"a": 1}),
        lambda dp: dp.documents.collection(CANARY).insert([]),
        lambda dp: dp.documents.collection(CANARY).load([({"a": 1}, "document")]),
        lambda dp: dp.documents.collection("there").index(CANARY),
        lambda dp: dp.documents.collection("there").vsync(CANARY),
        lambda dp: dp.files.add_text("fine", name=f"{CANARY}.md"),
        lambda dp: dp.records.add([{"id": CANARY, "text": "fine"}]),
        lambda dp: dp.records.add([{"id": "a", "text": "fine", "scope": CANARY}]),
        lambda dp: dp.records.add([{"id": "a", "text": "fine", "session": CANARY}]),
        lambda dp: dp.records.add([Record(uid="a", text="fine", uri=CANARY)]),
    ],
)
def test_a_name_that_is_a_secret_is_refused(tmp_path: Path, write: Callable[[Daypack], Any]) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.documents.create("there")
        with pytest.raises(InputError, match="looks like a secret, and names are shown"):
            write(dp)
    assert holds_no_secret(tmp_path)


def test_a_record_is_stored_without_the_secrets_of_any_field(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        report = dp.records.add(
            [
                {
                    "id": "a",
                    "text": "fine",
                    "tags": [CANARY],
                    "metadata": {CANARY: CANARY, "deep": [CANARY]},
                    "title": CANARY,
                    "author": CANARY,
                }
            ]
        )
        assert report.redactions == 5
        assert dp.get("a").text == "fine"
    assert holds_no_secret(tmp_path)


def test_the_title_of_a_text_holds_no_secret(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.files.add_text(f"---\ntitle: {CANARY}\n---\n# {CANARY}\n\nfine\n", name="a.md")
    assert holds_no_secret(tmp_path)
