"""Filters: their SQL against plain Python over the same records, globs by table, and errors that say where."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.errors import FilterError
from daypack.filters import All, AnyOf, Before, Filter, Glob, Not, OneOf, Since, Tagged, to_sql
from daypack.filters.sql import DEEPEST, glob_regex
from daypack.filters.tree import FIELDS
from daypack.types import Record, RecordKind, Trust
from support import WORDS

EVIL = "x' OR '1'='1"
PATHS = [
    "src/pay/retry.py",
    "src/pay/__init__.py",
    "src/web/a b.ts",
    "docs/retry.md",
    "docs/decisions/0001.md",
    "README.md",
    "a*b?.txt",
    "日本/語.md",
]
TAGS = ["red", "Red", "blue", "a,b", '"quoted"', EVIL]
TIMES = [None, 0.0, 100.0, 100.5, -50.0, 1_790_000_000.0]


def generated() -> list[Record]:
    chance = random.Random(11)
    return [
        Record(
            uid=f"r{number}",
            text=f"Tea {number}.",
            kind=chance.choice(list(RecordKind)),
            door=chance.choice(["records", "notes"]),
            uri=chance.choice(PATHS),
            language=chance.choice(["", "python", "markdown"]),
            author=chance.choice(["", "ann", "Ann", "bo", EVIL]),
            session=chance.choice(["", "monday", "tuesday"]),
            scope=chance.choice(["", "shop", "%"]),
            time=chance.choice(TIMES),
            trust=chance.choice(list(Trust)),
            tags=tuple(chance.sample(TAGS, chance.randint(0, 3))),
        )
        for number in range(120)
    ]


RECORDS = generated()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with Daypack.open(tmp_path_factory.mktemp("s"), settings=WORDS) as daypack:
        daypack.engine.ingestion.add(RECORDS)  # past the doors, each of which names itself
        yield daypack


def selected(daypack: Daypack, condition: Filter) -> set[str]:
    where, parameters = to_sql(condition)
    with daypack.engine.store.reading() as db:
        return {row[0] for row in db.execute(f"SELECT uid FROM record WHERE {where}", parameters)}


# ---------------------------------------------------------------- what a filter means


def holds(condition: Filter, record: Record) -> bool:
    """The meaning of a filter, node by node. What is not known does not hold."""
    match condition:
        case OneOf(field, values):
            return str(getattr(record, field)) in values
        case Glob(pattern):
            return matches(pattern, record.uri)
        case Since(time):
            return record.time is not None and record.time >= time
        case Before(time):
            return record.time is not None and record.time < time
        case Tagged(tag):
            return tag in record.tags
        case All(parts):
            return all(holds(part, record) for part in parts)
        case AnyOf(parts):
            return any(holds(part, record) for part in parts)
        case Not(part):
            return not holds(part, record)


def matches(pattern: str, uri: str) -> bool:
    """The meaning of a glob: tries every way to read it."""
    pattern = pattern.removeprefix("./")
    if "*" not in pattern and "?" not in pattern:
        return uri == pattern.rstrip("/") or uri.startswith(pattern.rstrip("/") + "/")
    return _reads(pattern if "/" in pattern else f"**/{pattern}", uri)


def _reads(pattern: str, uri: str) -> bool:
    if not pattern:
        return not uri
    stars = len(pattern) - len(pattern.lstrip("*"))
    if stars > 1 and pattern[stars:].startswith("/"):  # any number of folders
        return any(
            _reads(pattern[stars + 1 :], uri[at:])
            for at in range(len(uri) + 1)
            if not at or uri[at - 1] == "/"
        )
    if stars:
        return any(
            _reads(pattern[stars:], uri[at:])
            for at in range(len(uri) + 1)
            if stars > 1 or "/" not in uri[:at]
        )
    return (
        bool(uri)
        and (uri[0] == pattern[0] or (pattern[0] == "?" and uri[0] != "/"))
        and _reads(pattern[1:], uri[1:])
    )


values = {
    "kind": [kind.value for kind in RecordKind],
    "door": ["records", "notes", "files"],
    "language": ["", "python", "cobol"],
    "author": ["", "ann", "Ann", EVIL, "nobody"],
    "session": ["", "monday"],
    "scope": ["", "shop", "%", "_"],
    "uri": [*PATHS, "", "nowhere"],
    "uid": ["r1", "r2", "r17", "", "nowhere"],
    "trust": [trust.value for trust in Trust],
}
leaves: st.SearchStrategy[Filter] = st.one_of(
    st.sampled_from(FIELDS).flatmap(
        lambda field: st.lists(st.sampled_from(values[field]), max_size=3).map(
            lambda v: OneOf(field, tuple(v))
        )
    ),
    st.sampled_from(
        [
            "src/",
            "*.py",
            "src/**/*.py",
            "**/0001.md",
            "docs/*",
            "*",
            "?*",
            "README.md",
            "**",
            "日本/*",
            "a*b?.txt",
            EVIL,
        ]
    ).map(Glob),
    st.sampled_from([t for t in TIMES if t is not None]).map(Since),
    st.sampled_from([t for t in TIMES if t is not None]).map(Before),
    st.sampled_from(TAGS).map(Tagged),
)
filters: st.SearchStrategy[Filter] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=8,
)


@settings(max_examples=250)
@given(filters)
def test_the_sql_of_a_filter_selects_what_the_filter_means(store: Daypack, condition: Filter) -> None:
    assert selected(store, condition) == {record.uid for record in RECORDS if holds(condition, record)}


@settings(max_examples=25)
@given(filters)
def test_a_search_finds_exactly_what_passes_its_filter(store: Daypack, condition: Filter) -> None:
    wanted = {record.uri for record in RECORDS if holds(condition, record)}
    found = store.search("tea", filter=condition, limit=500, vectors="none", refresh=False)
    assert {candidate.chunk.uri for candidate in found.candidates} == wanted
    assert len(found.candidates) == sum(holds(condition, record) for record in RECORDS)


@pytest.mark.parametrize(
    "condition",
    [Since(0.0), Before(2e9), All((Since(0.0), Tagged("red"))), AnyOf((Before(2e9), Tagged("red")))],
)
def test_a_record_of_unknown_time_is_outside_a_time_and_inside_its_opposite(
    store: Daypack, condition: Filter
) -> None:
    unknown = {record.uid for record in RECORDS if record.time is None and "red" not in record.tags}
    assert unknown
    assert not unknown & selected(store, condition)
    assert unknown <= selected(store, Not(condition))
    assert selected(store, Not(Not(condition))) == selected(store, condition)


def test_no_parts_and_no_values(store: Daypack) -> None:
    everything = {record.uid for record in RECORDS}
    assert selected(store, All(())) == everything
    assert selected(store, AnyOf(())) == set()
    assert selected(store, OneOf("kind", ())) == set()
    assert selected(store, Not(OneOf("kind", ()))) == everything


def test_a_filter_may_name_a_hundred_thousand_values_and_have_thousands_of_parts(store: Daypack) -> None:
    assert selected(store, OneOf("uri", (*(f"gone/{n}" for n in range(100_000)), "README.md"))) == selected(
        store, OneOf("uri", ("README.md",))
    )
    assert selected(
        store, AnyOf((*(OneOf("uri", (f"gone/{n}",)) for n in range(3_000)), Glob("docs/")))
    ) == selected(store, Glob("docs/"))


# ---------------------------------------------------------------- globs


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("src/pay/retry.py", ["src/pay/retry.py"], ["src/pay/retry.pyi", "lib/src/pay/retry.py"]),
        ("src/", ["src/a.py", "src/pay/a.py", "src"], ["srcs/a.py", "lib/src/a.py"]),
        ("src", ["src/a.py", "src"], ["src.py"]),
        ("./src/", ["src/a.py"], ["a.py"]),
        ("*.py", ["a.py", "src/a.py", "src/pay/a.py", ".py"], ["a.pyi", "a.py/b.md"]),
        ("src/*.py", ["src/a.py"], ["src/pay/a.py", "a.py"]),
        (
            "src/**/*.py",
            ["src/a.py", "src/pay/a.py", "src/pay/deep/a.py"],
            ["a.py", "lib/src/a.py", "src/a.md"],
        ),
        (
            "**/test_*.py",
            ["test_a.py", "tests/test_a.py", "a/b/test_.py"],
            ["tests/a_test_b.py", "tests/test_a.py/x"],
        ),
        ("docs/**", ["docs/a.md", "docs/b/c.md", "docs/"], ["docs", "doc/a.md"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab", "a/b/c"]),
        ("a/**b", ["a/b", "a/xb", "a/x/yb"], ["b", "a/bx"]),
        ("?.md", ["a.md", "docs/a.md"], ["ab.md", ".md"]),
        ("src/?/a.py", ["src/x/a.py"], ["src//a.py", "src/xy/a.py"]),
        ("a.b*", ["a.b", "a.bc"], ["axb"]),
        ("[ab].md*", ["[ab].md"], ["a.md"]),  # brackets are letters, as they are in Next.js folders
        ("(x|y)*", ["(x|y)z"], ["x"]),
        ("*retry*", ["retry", "src/my_retry.py"], ["retry/other.py"]),
        ("**", ["a", "a/b/c", ""], []),
        ("*a*a*a*", ["aaa", "x/banana"], ["aa", "a/a/a"]),
        ("日本/*.md", ["日本/語.md"], ["日/語.md"]),
    ],
)
def test_a_glob_matches(pattern: str, inside: list[str], outside: list[str]) -> None:
    found = [uri for uri in (*inside, *outside) if re.search(glob_regex(pattern), uri, re.DOTALL)]
    assert found == inside
    assert [uri for uri in (*inside, *outside) if matches(pattern, uri)] == inside


@settings(max_examples=500)
@given(st.text("ab/*?.", max_size=9), st.text("ab/.", max_size=9))
def test_a_glob_matches_what_trying_every_way_would(pattern: str, uri: str) -> None:
    assert bool(re.search(glob_regex(pattern), uri, re.DOTALL)) is matches(pattern, uri)


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (OneOf("languge", ("python",)), "filter filter: no field 'languge'; did you mean language?"),
        (
            All((Since(0), Not(OneOf("autor", ())))),
            "filter filter[1].not: no field 'autor'; did you mean author?",
        ),
        (
            AnyOf((All((OneOf("xyzzy", ()),)),)),
            "filter filter[0][0]: no field 'xyzzy'; fields are scope, kind",
        ),
    ],
)
def test_an_unknown_field_is_said_with_its_place_and_what_was_meant(condition: Filter, message: str) -> None:
    with pytest.raises(FilterError) as caught:
        to_sql(condition)
    assert str(caught.value).startswith(message)


def test_a_filter_has_at_most_sixteen_levels(store: Daypack) -> None:
    condition: Filter = Tagged("red")
    for _ in range(DEEPEST):
        condition = Not(condition)
    assert selected(store, condition) == {record.uid for record in RECORDS if "red" in record.tags}
    with pytest.raises(FilterError, match="nested deeper than 16 levels") as caught:
        to_sql(Not(condition))
    assert caught.value.path == "filter" + ".not" * (DEEPEST + 1)


# ---------------------------------------------------------------- nothing but values


HOSTILE = [
    EVIL,
    "'; DROP TABLE record; --",
    '" OR 1=1 --',
    "%",
    "_",
    "\\",
    "?",
    "x\0y",
    "$.tags",
    "]",
    "(",
    "{1,99}",
    "\\Z|.*",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_filter_says_is_a_value_and_never_sql(store: Daypack, text: str) -> None:
    mine = {record.uid for record in RECORDS if record.author == text}
    assert selected(store, OneOf("author", (text,))) == mine
    assert selected(store, Tagged(text)) == {record.uid for record in RECORDS if text in record.tags}
    assert selected(store, Glob(text)) == {record.uid for record in RECORDS if matches(text, record.uri)}
    assert selected(store, All(())) == {record.uid for record in RECORDS}
    with pytest.raises(FilterError, match="no field"):
        to_sql(OneOf(f"author = '{text}' OR author", ("ann",)))


@pytest.mark.parametrize("text", HOSTILE)
def test_the_usual_arguments_are_values_too(dp: Daypack, text: str) -> None:
    plain = text.replace("\0", "")
    dp.records.add(
        [
            {"id": "it", "text": "Tea.", "author": plain, "scope": plain, "tags": [plain]},
            {"id": "other", "text": "Tea."},
        ]
    )
    for narrow in ({"author": plain}, {"scope": plain}, {"tag": plain}):
        found = dp.search("tea", vectors="none", **narrow)
        assert [candidate.chunk.uri for candidate in found.candidates] == ["it"], narrow
