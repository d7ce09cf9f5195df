"""A statement of SQLite in PostgreSQL's words: each rule by itself."""

from __future__ import annotations

import random
import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.filters.sql import glob_regex
from daypack.index.postgres import parameters
from daypack.index.postgres.calls import answered
from daypack.index.postgres.dialect import Kind, translated
from daypack.index.postgres.tables import definition, tables


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
        ("SELECT ?2, ?1, ?2", "SELECT $1 , $2 , $1"),
        ("SELECT '?', x'00ff'", r"SELECT '?' , '\x00ff'::bytea"),
        ("SELECT start, end FROM chunk", 'SELECT start , "end" FROM chunk'),
        ("SELECT CASE a WHEN 1 THEN 2 END", "SELECT CASE a WHEN 1 THEN 2 END"),
        ("SELECT max(a), max(a, b), min(b, ?)", "SELECT max(a) , greatest(a , b) , least(b , $1)"),
        (
            "SELECT substr(a, max(b, 1), ?)",
            "SELECT substr(a, CAST(greatest(b , 1) AS integer), CAST($1 AS integer))",
        ),
        ("SELECT max(coalesce(a, b))", "SELECT max(coalesce ( a , b ))"),
        ("SELECT group_concat(id) FROM t", "SELECT string_agg(CAST(id AS text), ',') FROM t"),
        ("SELECT sum(tokens)", "SELECT CAST(sum(tokens) AS bigint)"),
        ("SELECT a LIKE ? ESCAPE '\\'", "SELECT a ILIKE $1 ESCAPE '\\'"),
        ("SELECT a FROM t INDEXED BY i WHERE b", "SELECT a FROM t WHERE b"),
        (
            "SELECT CAST(a AS INTEGER), CAST(b AS REAL)",
            "SELECT CAST ( a AS bigint ) , CAST ( b AS double precision )",
        ),
        ("SELECT a || char(31) || lower(b)", "SELECT a || chr ( 31 ) || ascii_lower ( b )"),
        ("SELECT a LIMIT ? OFFSET ?", "SELECT a LIMIT NULLIF($1, -1) OFFSET $2"),
        ("SELECT a LIMIT -1 OFFSET ?", "SELECT a LIMIT ALL OFFSET $1"),
        ("SELECT a LIMIT 5", "SELECT a LIMIT 5"),
        ("SELECT 1 FROM a CROSS JOIN b ON a.x = b.x", "SELECT 1 FROM a JOIN b ON a . x = b . x"),
        ("SELECT 1 FROM a CROSS JOIN b WHERE c", "SELECT 1 FROM a CROSS JOIN b WHERE c"),
        (
            "SELECT 1 FROM a CROSS JOIN b CROSS JOIN c ON c.x = b.x",
            "SELECT 1 FROM a CROSS JOIN b JOIN c ON c . x = b . x",
        ),
        ("SELECT w.value FROM json_each(?) AS w", "SELECT w . value FROM unnest($1::text[]) AS w(value)"),
        (
            "SELECT 1 FROM json_each(e.marks) WHERE value = ?",
            r"SELECT 1 FROM json_array_elements_text(CAST(regexp_replace(e . marks, '(?<!\\)((?:\\\\)*)\\u0000',"
            rf" '\1{parameters.ESCAPE}0', 'g') AS json)) AS json_each(value) WHERE value = $1",
        ),
        (
            "INSERT OR IGNORE INTO tomb VALUES (?)",
            'INSERT INTO tomb ("chunk_id") VALUES ( $1 ) ON CONFLICT DO NOTHING',
        ),
        (
            "INSERT OR REPLACE INTO folder VALUES (?, ?, ?)",
            'INSERT INTO folder ("source", "path", "mtime_ns") VALUES ( $1 , $2 , $3 ) ON CONFLICT ("source", "path") DO'
            ' UPDATE SET "mtime_ns" = excluded."mtime_ns"',
        ),
        (
            "INSERT INTO meta VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = CAST(meta.value AS INTEGER) + 1",
            'INSERT INTO meta ("key", "value") VALUES ( $1 , 1 ) ON CONFLICT ( key ) DO UPDATE SET value ='
            " CAST ( meta . value AS bigint ) + 1",
        ),
    ],
)
def test_a_rule_changes_the_words(said: str, wanted: str) -> None:
    assert translated(said).text == wanted


def test_the_number_of_a_new_row_is_asked_for_where_the_table_gives_one() -> None:
    assert translated("INSERT INTO memory_space (owner, project) VALUES (?, ?)").number == "id"
    assert translated("INSERT INTO source_item (number, space) VALUES (?, ?)").number == ""
    assert translated("INSERT INTO memory_tag VALUES (?, ?, ?)").number == ""


def test_only_a_plain_insert_may_become_a_copy() -> None:
    copied = translated("INSERT INTO memory_tag VALUES (?, ?, ?)").copied
    assert copied == ("memory_tag", ("space_id", "tag", "memory_id"))
    assert translated("INSERT OR IGNORE INTO memory_tag VALUES (?, ?, ?)").copied is None
    assert translated("INSERT INTO complete VALUES (?, ?, ?, 0)").copied is None


def test_a_list_a_pattern_and_a_value_of_any_type_are_bound_in_their_own_form() -> None:
    said = translated(
        "SELECT 1 FROM document_entry WHERE rank = ? AND value > ? AND value IN (SELECT value FROM json_each(?))"
    )
    assert [kind for _, kind in said.places] == [Kind.PLAIN, Kind.COMPARABLE, Kind.COMPARABLES]
    assert translated("SELECT 1 FROM record WHERE uri REGEXP ?").places == ((0, Kind.PATTERN),)
    entry = translated("INSERT OR IGNORE INTO document_entry VALUES (?, ?, ?, ?)")
    assert [kind for _, kind in entry.places] == [Kind.PLAIN, Kind.PLAIN, Kind.COMPARABLE, Kind.PLAIN]
    assert parameters.bound(translated("SELECT value FROM json_each(?)"), ['["a", 2, null, ["b"]]']) == [
        ["a", "2", None, '["b"]']
    ]


def test_tables_get_types_and_no_reserved_word() -> None:
    said = definition(
        "CREATE TABLE sent_item (number INTEGER NOT NULL, end INTEGER NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID"
    )
    assert (
        said
        == 'CREATE TABLE sent_item ("number" bigint NOT NULL, "end" bigint NOT NULL, "digest" bytea NOT NULL)'
    )
    assert tables()["vec"].key == ("model_id", "hash")
    assert tables()["session"].columns[-1] == "outside_at"


TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(["\0", parameters.ESCAPE, "0", "1"])
)


@given(TEXT)
def test_a_text_comes_back_as_it_was_without_a_nul_on_the_server(text: str) -> None:
    written = parameters.escaped(text)
    assert "\0" not in written
    assert parameters.unescaped(written) == text


VALUES = (
    st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
)


@given(st.lists(VALUES, min_size=2, max_size=8))
def test_bytes_of_values_compare_as_sqlite_compares_the_values(
    values: list[int | float | str | bytes],
) -> None:
    values = [value for value in values if not (isinstance(value, str) and "\0" in value)]
    db = sqlite3.connect(":memory:")
    for left in values:
        for right in values:
            ((less, same),) = db.execute("SELECT ?1 < ?2, ?1 = ?2", (left, right))
            a, b = parameters.comparable(left), parameters.comparable(right)
            assert (a < b, a == b) == (bool(less), bool(same))


def test_a_call_of_ours_is_answered_row_by_row_before_the_statement() -> None:
    asked: list[tuple[str, list[object]]] = []

    def ask(said: str, values: object) -> list[tuple[object, ...]]:
        asked.append((said, [*values]))  # type: ignore[call-overload]
        return [(1, "one"), (2, "two"), (3, "one")]

    said, values = answered(
        "SELECT d.id FROM document AS d WHERE (d.id > ? AND is_like(?, d.body)) AND d.collection_id = ? ORDER BY d.id LIMIT ?",
        (0, "one", 7, 5),
        {"is_like": lambda wanted, body: wanted == body},
        ask,
    )
    assert asked == [
        (
            "SELECT d.id, d . body FROM document AS d WHERE ( d . id > ? AND TRUE ) AND d . collection_id = ?",
            [0, 7],
        )
    ]
    assert "is_like" not in said
    assert values == [0, "[1, 3]", 7, 5]


def test_a_call_under_a_negation_asks_for_every_row() -> None:
    asked: list[str] = []

    def ask(said: str, values: object) -> list[tuple[object, ...]]:
        asked.append(said)
        return []

    answered("SELECT id FROM record WHERE NOT (door = ? AND f(?, uri))", ("a", "b"), {"f": bool}, ask)
    assert asked == ["SELECT id, uri FROM record"]


def test_two_calls_in_one_condition_are_both_answered() -> None:
    def ask(said: str, values: object) -> list[tuple[object, ...]]:
        assert "f (" not in said
        return [(1, "yes"), (2, "no")]

    said, values = answered(
        "SELECT id FROM record WHERE f(?, uri) OR uid IN (SELECT d.key FROM document AS d WHERE f(?, d.body) AND d.id > ?)",
        ("yes", "no", 0),
        {"f": lambda wanted, found: wanted == found},
        ask,
    )
    assert "f (" not in said
    assert values == ["[1]", "[2]", 0]


NAMES = ["a", "b.py", "src", "été", "x y", "a+b", "(1)", "[z]", "deep"]
PARTS = ["*", "**", "?", "a*", "*.py", "**.py", *NAMES]


def test_a_pattern_without_atomic_groups_accepts_the_same_names() -> None:
    chance = random.Random(5)
    for _ in range(400):
        glob = "/".join(chance.choices(PARTS, k=chance.randint(1, 4)))
        found = glob_regex(glob)
        for _ in range(20):
            uri = "/".join(chance.choices(NAMES, k=chance.randint(1, 4)))
            ours = re.search(found, uri, re.DOTALL) is not None
            assert ours == (re.search(parameters.pattern(found), uri, re.DOTALL) is not None), (glob, uri)
