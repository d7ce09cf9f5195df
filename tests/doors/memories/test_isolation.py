"""Whoever shares a store with others sees what they would see alone in it: every answer is the same, byte for
byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support_memory import DAY, opened

from daypack import Daypack
from daypack.doors.memories import serialize as memory_data
from daypack.errors import DaypackError, InputError
from support import WORDS as SETTINGS
from support import Clock

WORDS = [
    "kettle",
    "kettles",
    "teapot",
    "budget",
    "budgets",
    "ledger",
    "deploy",
    "thursday",
    "Fahrenheit",
    "recieve",
    "receive",
    "oolong",
]
KEYS = ["tea/kind", "tea/pot", "deploy/day", "money/budget"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
QUERIES = [
    "kettle",
    "ketle",
    "budgt",
    "recieve",
    '"oolong kettle"',
    "deploy/day",
    "`Fahrenheit`",
    "thursday deploy",
    "teapots of Fahrenheit",
]
FILES = [{"id": "doc/tea.md", "text": "Tea is made in a teapot, never in a ledger.", "title": "Tea"}]

writes = st.lists(
    st.tuples(
        st.sampled_from(KEYS),
        TEXTS,
        st.sampled_from(["", "hot", "cold"]),
        st.sampled_from(["user", "untrusted"]),
    ),
    max_size=8,
)


def remember(dp: Daypack, written: list[tuple[str, str, str, str]], clock: Clock) -> None:
    for key, text, tag, trust in written:
        clock.passes(60)
        dp.memories.remember(
            key, text, tags=[tag] if tag else [], trust=trust, source="tool:x" if trust == "untrusted" else ""
        )


def seen(dp: Daypack) -> list[str]:
    """Everything that an owner can learn, as text.

    Ids of chunks only say how much was ever written, by anybody.
    """
    m = dp.memories

    def said(call: Callable[[], object]) -> str:
        try:
            found = call()
        except DaypackError as error:
            return f"{type(error).__name__}: {error}"
        return re.sub(r'"id": \d+, ', "", found if isinstance(found, str) else json.dumps(found))

    calls: list[Callable[[], object]] = [
        lambda: memory_data.page_to_dict(m.list()), lambda: memory_data.page_to_dict(m.list(limit=1)), m.tags, m.count,
        lambda: [*map(memory_data.memory_to_dict, m.review())],
    ]  # fmt: skip
    for key in [*KEYS, "tea/kinds", "nothing like it"]:
        calls += [
            lambda key=key: memory_data.recalled_to_dict(m.recall(key, touch=False)),
            lambda key=key: memory_data.history_to_dict(m.history(key)),
            lambda key=key: memory_data.answer_to_dict(m.related(key)),
            lambda key=key: dp.get(f"memory:{key}").text,
        ]
    for query in QUERIES:
        for vectors in ("all", "none"):
            calls += [
                lambda query=query, vectors=vectors: memory_data.answer_to_dict(
                    m.search(query, vectors=vectors)
                ),
                lambda query=query, vectors=vectors: (
                    dp.pack(query, budget=600, shape="json", vectors=vectors).text
                ),
            ]
        calls += [
            lambda query=query, order=order: m.pack(query, ordering=order, touch=False).text
            for order in ("relevance", "recency", "auto")
        ]
        calls += [lambda query=query: str(dp.search(query, vectors="none").stats.corrections)]
    status = dp.status
    calls += [
        lambda: [
            {**status(), "bytes": 0, "store": ""}[name]
            for name in ("records", "chunks", "kinds", "vectors", "vectors_missing")
        ]
    ]
    calls += [
        lambda: dp.embed(),
        lambda: [check.detail for check in dp.check(deep=True) if check.name not in ("disk", "wal")],
    ]
    calls += [lambda: [getattr(dp.reindex(), name) for name in ("updated", "chunks")]]
    return [said(call) for call in calls]


@settings(max_examples=12, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(mine=writes, theirs=writes, others=writes, more=st.lists(TEXTS, max_size=3))
def test_an_owner_sees_the_same_whoever_else_uses_the_store(
    tmp_path_factory: pytest.TempPathFactory,
    mine: list[tuple[str, str, str, str]],
    theirs: list[tuple[str, str, str, str]],
    others: list[tuple[str, str, str, str]],
    more: list[str],
) -> None:
    answers = []
    for alone in (True, False):
        folder, clock = tmp_path_factory.mktemp("store"), Clock()
        with opened(folder, clock, owner="ana") as ana:
            ana.records.add(FILES)
            ana.embed()  # they are everybody's, and so is what embedding them changes
            start = clock.now
            if not alone:
                with (
                    opened(folder, clock, owner="ben") as ben,
                    opened(folder, clock, owner="ana", project="other") as elsewhere,
                ):
                    remember(ben, theirs, clock)
                    remember(elsewhere, others, clock)
                    for number, text in enumerate(more):
                        ben.memories.remember(f"ben/{number}", text)
                    ben.embed()
                    if theirs:
                        ben.memories.forget(theirs[0][0])
            clock.now = start
            remember(ana, mine, clock)
            if not alone:
                with opened(folder, Clock(start + 30 * DAY), owner="ben") as ben:
                    remember(ben, theirs, clock)
                clock.now = start + 60 * len(mine)
            answers.append(seen(ana))
    for alone, together in zip(*answers, strict=True):
        assert together == alone


def test_two_owners_keep_different_values_under_one_key(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock, owner="ana") as ana, opened(tmp_path, clock, owner="ben") as ben:
        ana.memories.remember("lunch", "soup at noon")
        ben.memories.remember("lunch", "salad at one")
        assert ana.memories.recall("lunch").value == "soup at noon"
        assert ben.memories.recall("lunch").value == "salad at one"
        ana.memories.forget("lunch")
        assert ben.memories.recall("lunch").value == "salad at one"


def test_shared_memories_are_seen_by_everybody_of_the_project_and_by_nobody_else(
    tmp_path: Path, clock: Clock
) -> None:
    with opened(tmp_path, clock, owner="ana") as ana, opened(tmp_path, clock, owner="ben") as ben:
        ana.memories.remember("deploy/day", "thursday", shared=True)
        assert ben.memories.recall("deploy/day").shared
        assert "thursday" in ben.memories.pack("deploy day").text
        with opened(tmp_path, clock, owner="ben", project="ship") as other:
            assert other.memories.list().memories == ()


# ---------------------------------------------------------------- what the engine says of a scope


def two_scopes(folder: Path) -> Daypack:
    dp = Daypack.open(folder / "s", settings=SETTINGS)
    dp.records.add(
        [
            {"id": "a", "text": "the kettle is hot", "scope": "ana"},
            {"id": "b", "text": "the magnetometer reads Fahrenheit; see parse_beacon()", "scope": "ben"},
        ]
    )
    return dp


def test_a_typo_is_not_repaired_to_a_word_of_another_scope(tmp_path: Path) -> None:
    with two_scopes(tmp_path) as dp:
        assert dp.search("magnetomter", scope="ana", vectors="none").stats.corrections == {}
        assert list(dp.search("magnetomter", scope="ben", vectors="none").stats.corrections) == [
            "magnetomter"
        ]


def test_a_word_that_only_another_scope_spells_so_is_repaired_all_the_same(tmp_path: Path) -> None:
    with two_scopes(tmp_path) as dp:
        dp.records.add([{"id": "c", "text": "kettel", "scope": "ben"}])
        assert dict(dp.search("kettel", scope="ana", vectors="none").stats.corrections) == {
            "kettel": "kettle"
        }


@pytest.mark.parametrize("query", ["`parse_beacon`", '"reads Fahrenheit"', "parse_beacon()"])
def test_what_only_another_scope_mentions_is_missing(tmp_path: Path, query: str) -> None:
    with two_scopes(tmp_path) as dp:
        assert dp.search(query, scope="ana", vectors="none").stats.anchors_missing
        assert not dp.search(query, scope="ben", vectors="none").stats.anchors_missing


def test_a_vector_tells_nobody_that_another_owner_holds_the_same_text(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock, owner="ben") as ben:
        ben.memories.remember("k", "the budget is small")
        ben.embed()
    with opened(tmp_path, clock, owner="ana") as ana:
        ana.memories.remember("k", "the budget is small")
        assert ana.status()["vectors_missing"] == 1


def test_an_owner_that_looks_like_a_secret_is_refused_and_not_repeated(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    with pytest.raises(InputError) as refused:
        Daypack.open(tmp_path / ".daypack", owner=token, settings=SETTINGS)
    assert str(refused.value) == "the owner looks like a secret, and names are shown; give it another one"
