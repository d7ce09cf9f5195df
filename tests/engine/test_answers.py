"""What every answer of the engine holds to, whatever is in the store and whoever else uses it."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.errors import BadBudget, BadRecord, BadVector, InputError, ModelUnavailable, QueryTooLong
from daypack.filters import OneOf
from daypack.settings import Settings
from daypack.shapes import SHAPES
from daypack.testing import FakeEmbedder, make_record
from daypack.types import EmptyReason, Tokenizer, VectorMode
from packs_read import parse
from support import TESTS, WORDS, environment, files_of, ills, in_the_end, project


def notes(
    number: int, words: str = "retry payment kettle boiler tea refund order queue"
) -> list[dict[str, str]]:
    chance = random.Random(number)
    return [
        {"id": f"n{i}", "text": f"Note {i}. " + " ".join(chance.choices(words.split(), k=30)) + "."}
        for i in range(number)
    ]


# ---------------------------------------------------------------- spans, bytes, twice


hostile = st.text(
    alphabet=st.one_of(st.sampled_from("ab \n\t`#<>{}\"'\\.,;()[]|-=/"), st.characters()), max_size=300
)
names = st.sampled_from(["", "markdown", "python", "json", "csv", "html", "toml", "rust"])


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.lists(st.tuples(hostile, names), min_size=1, max_size=4),
    st.sampled_from(["markdown", "xml", "json"]),
    st.integers(0, 400),
)
def test_every_excerpt_is_the_text_of_its_span_and_every_citation_leads_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]], shape: str, budget: int
) -> None:
    with Daypack.open(tmp_path_factory.mktemp("s"), settings=WORDS) as daypack:
        records = [
            make_record(f"kettle {text}", f"r{n}", door="records", language=language)
            for n, (text, language) in enumerate(texts)
        ]
        daypack.records.add(records)
        before = daypack.engine.store.sequences()
        assert daypack.records.add(records).unchanged == len(records)
        assert daypack.engine.store.sequences() == before
        pack = daypack.pack("kettle", budget=budget, shape=shape)
        for excerpt in pack.excerpts:
            span = excerpt.citation.span
            [record] = daypack.engine.store.find_records(excerpt.citation.uri)
            assert (excerpt.text, excerpt.citation.record_hash) == (
                record.text[span.start : span.end],
                record.hash,
            )
            found = daypack.get(f"{excerpt.citation.reference}@{record.hash[:8]}")
            assert found.state == "current"
            assert excerpt.text in found.text
        if pack.excerpts:
            assert [item.text for item in parse(pack.text, shape)] == [
                excerpt.text for excerpt in pack.excerpts
            ]
        assert ills(daypack) == []


def test_adding_the_same_files_twice_changes_no_byte_of_the_store(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop",
        {
            "a.md": "# Tea\n\nIt is hot.\n",
            "b.py": "def brew():\n    return 'tea'\n",
            "c.png": b"\x89PNG\r\n\x00",
            "empty.md": "",
        },
    )

    def content() -> dict[str, tuple[int, bytes]]:
        """All of it but -shm, in which readers mark where they are."""
        return {name: file for name, file in files_of(shop / ".daypack").items() if not name.endswith("-shm")}

    with Daypack.open(shop / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(shop)
        daypack.records.add(notes(5))
        daypack.pack("tea", vectors="none")  # the store keeps its ID
        before, changes = content(), daypack.engine.store.db.total_changes()
        assert daypack.files.add(shop).added == 0
        daypack.records.add(notes(5))
        daypack.records.delete(["nobody"])
        daypack.files.refresh()
        assert daypack.engine.store.db.total_changes() == changes
        assert content() == before


ANSWERS = """
import sys
from daypack import Daypack
from daypack.settings import Settings
with Daypack.open(sys.argv[1], settings=Settings(embedder="hashing"), clock=lambda: 1_790_000_000.0) as daypack:
    for query in sys.stdin.read().splitlines():
        for shape in ("markdown", "xml", "json"):
            sys.stdout.write(daypack.pack(query, shape=shape, budget=900).text)
"""


def test_two_processes_give_the_same_bytes(dp: Daypack) -> None:
    dp.records.add(notes(120))
    dp.embed()
    asked = "\n".join(
        [
            "retry payment",
            "why does the kettle boil?",
            "refund order queue",
            "note 17",
            '"tea refund"',
            "boyler",
        ]
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ANSWERS, str(dp.engine.store.folder)],
            input=asked.encode(),
            capture_output=True,
            check=True,
            env=environment(PYTHONHASHSEED=seed),
        ).stdout
        for seed in ("1", "2", "random")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 5_000


def test_who_embedded_lazily_and_who_read_those_vectors_give_the_same_bytes(dp: Daypack) -> None:
    """Equal texts share a vector, also those that the lazy arm never looked at; texts without a direction are
    done as well.
    """
    dp.records.add(
        [
            *notes(60),
            *({"id": f"copy{i}", "text": "The boiler of the kettle."} for i in range(60)),
            {"id": "signs", "text": "… — …"},
        ]
    )
    asked = ["kettle boiler", "retry payment order", "tea queue", "kettle"]
    for query in asked:
        dp.pack(query)
    with Daypack.open(dp.engine.store.folder, settings=WORDS, clock=dp.engine.clock) as other:
        for query in asked:
            for shape in ("json", "markdown"):
                assert dp.pack(query, shape=shape).text == other.pack(query, shape=shape).text


def test_equal_scores_come_in_the_same_order_every_time(dp: Daypack) -> None:
    dp.records.add(
        [{"id": f"r{i}", "text": f"kettle {unicodedata.name(chr(0x4E00 + i))[-4:]}"} for i in range(40)]
    )
    first = [candidate.chunk.uri for candidate in dp.search("kettle", limit=40).candidates]
    assert first == [f"r{i}" for i in range(40)]
    assert [candidate.chunk.uri for candidate in dp.search("kettle", limit=40).candidates] == first


# ---------------------------------------------------------------- copies


def test_ten_thousand_copies_are_one_excerpt_that_stands_for_the_others(dp: Daypack) -> None:
    text = "The boiler is inspected on the first Monday of the month.\n"
    dp.records.add({"id": f"copy{i}", "text": text, "scope": "a" if i % 4 else "b"} for i in range(10_000))
    with in_the_end():
        pack = dp.pack("when is the boiler inspected?", vectors="none", budget=2_000)
    assert [excerpt.duplicates for excerpt in pack.excerpts] == [9_999]
    # Copies that the filter hides are not hinted at.
    assert [
        excerpt.duplicates for excerpt in dp.pack("boiler inspected", vectors="none", scope="b").excerpts
    ] == [2_499]


def test_copies_under_other_names_are_counted_once_each(dp: Daypack) -> None:
    dp.records.add(
        [
            {"id": f"t{i}", "title": f"Title {i % 3}", "text": "The kettle whistles at ninety degrees.\n"}
            for i in range(30)
        ]
    )
    assert [excerpt.duplicates for excerpt in dp.pack("kettle whistles").excerpts] == [29]


# ---------------------------------------------------------------- questions


@pytest.mark.parametrize("query", ["", "   \n\t", "?!… — «»", "\x00", "\u200b", "#" * 500])
def test_a_query_without_words_is_answered_with_the_reason(dp: Daypack, query: str) -> None:
    dp.records.add(notes(3))
    pack = dp.pack(query)
    assert pack.empty_reason is EmptyReason.EMPTY_QUERY
    assert "no words" in pack.text
    assert dp.search(query).empty_reason is EmptyReason.EMPTY_QUERY


def test_a_query_of_a_mebibyte_is_refused_before_anything_is_done(dp: Daypack) -> None:
    before = files_of(dp.engine.store.folder)
    for ask in (dp.pack, dp.search):
        with pytest.raises(QueryTooLong, match="1,048,576 bytes"):
            ask("x" * (1 << 20))
    assert files_of(dp.engine.store.folder) == before


@pytest.mark.parametrize("budget", [-1, 10**12, float("nan"), 1.5, "12abc", "12", True, None])
def test_a_budget_that_is_no_count_is_refused(dp: Daypack, budget: object) -> None:
    with pytest.raises(BadBudget):
        dp.pack("tea", budget=budget)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tokenizer", Tokenizer)
def test_budgets_of_nothing_and_of_one_are_kept_and_explained(
    dp: Daypack, shape: str, tokenizer: Tokenizer
) -> None:
    dp.records.add(notes(3))
    for budget in (0, 1):
        pack = dp.pack("kettle", budget=budget, shape=shape, tokenizer=tokenizer)
        assert pack.tokens_used <= budget
        assert pack.empty_reason is EmptyReason.BUDGET_TOO_SMALL
        assert pack.truncated


@pytest.mark.parametrize("budget", [1, 60, 4000])
def test_an_explanation_tells_of_the_pack_that_the_budget_holds(dp: Daypack, budget: int) -> None:
    dp.records.add(notes(3))
    plain = dp.pack("kettle", budget=budget)
    explained = dp.pack("kettle", budget=budget, shape="explain")
    assert explained.excerpts == plain.excerpts
    assert explained.tokens_used == plain.tokens_used
    assert f"Budget   {budget:,} o200k, {plain.tokens_used:,} used" in explained.text
    assert str(explained) == explained.to("explain") == explained.text


@pytest.mark.parametrize("language", ["", "python"])
def test_a_chunk_larger_than_the_budget_is_shown_in_part_with_its_exact_span(
    dp: Daypack, language: str
) -> None:
    text = "".join(
        f"Line {i} is about nothing much. " + ("The boiler bursts at nine bar. " if i == 7 else "")
        for i in range(12)
    )
    dp.records.add([{"id": "long", "text": text, "language": language}])
    pack = dp.pack("when does the boiler burst?", budget=80)
    [excerpt] = pack.excerpts
    assert "nine bar" in excerpt.text
    assert excerpt.text == text[excerpt.citation.span.start : excerpt.citation.span.end]
    assert pack.tokens_used <= 80
    assert pack.truncated


OPERATORS = [
    '"',
    "*",
    "kettle*",
    "NEAR(kettle boiler, 3)",
    "kettle AND NOT boiler",
    "-kettle",
    "^kettle",
    "beside:kettle",
    "(kettle",
    'kettle" OR "1',
    "kettle OR",
    "%",
    "_",
    "{kettle}",
    "a* b* " * 200,
]


@pytest.mark.parametrize("query", OPERATORS)
def test_signs_of_a_query_language_are_read_as_text(dp: Daypack, query: str) -> None:
    dp.records.add(
        [
            {"id": "k", "text": "The kettle is beside the boiler."},
            *notes(30, "retry payment refund order queue"),
        ]
    )
    found = [candidate.chunk.uri for candidate in dp.search(query).candidates]
    assert found[:1] == (["k"] if "kettle" in query else [])


SQL = "'; DROP TABLE record; --"


def test_sql_in_every_string_is_stored_and_found_as_text(dp: Daypack) -> None:
    def tables() -> list[str]:
        with dp.engine.store.reading() as db:
            return [row[0] for row in db.execute("SELECT name FROM sqlite_schema ORDER BY name")]

    before = tables()
    dp.records.add(
        [
            {
                "id": SQL,
                "text": f"the kettle {SQL}",
                "title": SQL,
                "author": SQL,
                "session": SQL,
                "scope": SQL,
                "tags": [SQL],
                "language": SQL,
                "uri": SQL,
                "metadata": {SQL: SQL},
            }
        ]
    )
    everything = {"scope": SQL, "session": SQL, "author": SQL, "language": SQL, "tag": SQL}
    assert [c.chunk.uri for c in dp.search(f"kettle {SQL}", **everything).candidates] == [SQL]
    assert SQL in dp.pack("kettle", scope=SQL).text
    assert dp.get(SQL).text == f"the kettle {SQL}"
    assert not dp.search("kettle", source=SQL + "*x").candidates
    assert not dp.search("kettle", filter=OneOf("scope", (SQL + "'",))).candidates
    dp.files.add_text("tea", name=SQL)
    assert dp.records.delete([SQL]) == 0
    assert dp.records.delete([SQL], scope=SQL) == 1
    assert tables() == before


# ---------------------------------------------------------------- texts


def test_nul_bytes_in_a_text_come_back_and_in_an_id_are_refused(dp: Daypack) -> None:
    dp.records.add([{"id": "nul", "text": "kettle\x00boiler"}])
    assert dp.get("nul").text == "kettle\x00boiler"
    assert dp.pack("kettle").excerpts[0].text == "kettle\x00boiler"
    for uid in ("a\0b", "a\nb", "", "\ud800", 5, None):
        with pytest.raises(BadRecord, match=r"\[0\]id"):
            dp.records.add([{"id": uid, "text": "x"}])
    with pytest.raises(BadRecord):
        dp.records.add([make_record("x", "a\0b")])
    with pytest.raises(InputError, match="NUL"):
        dp.files.add("a\0b")


def test_a_word_is_found_by_either_of_its_unicode_forms_and_kept_as_it_was_written(dp: Daypack) -> None:
    forms = {form: unicodedata.normalize(form, "Ångström's café in Zürich") for form in ("NFC", "NFD")}
    dp.records.add([{"id": form, "text": text} for form, text in forms.items()])
    for query in (
        "café",
        unicodedata.normalize("NFD", "café"),
        "Ångström",
        unicodedata.normalize("NFD", "zürich"),
    ):
        assert {candidate.chunk.uri for candidate in dp.search(query).candidates} == {"NFC", "NFD"}
    for form, text in forms.items():
        assert dp.get(form).text == text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("東京都の天気予報は晴れです", ["天気", "予報", "東京都", "晴れ"]),
        ("การชำระเงินล้มเหลวสามครั้ง", ["ชำระเงิน", "ล้มเหลว", "เงิน"]),
        ("결제가실패하면다시시도합니다", ["실패", "다시시도"]),
    ],
)
def test_writing_without_spaces_is_found_by_any_part_of_it(dp: Daypack, text: str, parts: list[str]) -> None:
    dp.records.add([{"id": "it", "text": text}, {"id": "other", "text": "something else entirely"}])
    for part in parts:
        assert [candidate.chunk.uri for candidate in dp.search(part, vectors="none").candidates] == ["it"], (
            part
        )


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\n", "\ufeff", "\r\n"])
def test_a_text_of_nothing_is_kept_and_never_found(dp: Daypack, text: str) -> None:
    dp.records.add([{"id": "blank", "text": text}, *notes(2)])
    assert dp.get("blank").text == text
    assert "blank" not in {candidate.chunk.uri for candidate in dp.search("kettle").candidates}
    assert ills(dp) == []


def test_brackets_ten_thousand_deep_are_cut_without_a_grammar_and_soon(dp: Daypack) -> None:
    for language in ("python", "json", "javascript", "rust", "c", "markdown", "html"):
        deep = make_record(
            "kettle\n" + "([{" * 10_000 + "\n", f"deep.{language}", language=language, door="records"
        )
        broken = make_record(
            "def kettle(:\n  class {{{ fn\n\x00" * 30, f"broken.{language}", language=language, door="records"
        )
        with in_the_end():
            dp.records.add([deep])
            dp.records.add([broken])
    assert dp.search("kettle", limit=20).candidates
    assert ills(dp) == []


@pytest.mark.slow
def test_one_line_of_many_megabytes_is_cut_and_found(dp: Daypack) -> None:
    line = "kettle boiler tea refund " * 200_000
    with in_the_end():
        dp.records.add([{"id": "line", "text": line}])
    assert dp.pack("boiler", budget=300).excerpts
    with pytest.raises(BadRecord, match="at most"):
        dp.records.add([{"id": "more", "text": "x" * ((100 << 20) + 1)}])


# ---------------------------------------------------------------- clocks


def test_times_that_no_calendar_has_are_refused_and_odd_ones_are_kept(tmp_path: Path) -> None:
    for now in (0.0, 1_790_000_000.0 - 365 * 86400, -1e9):  # the clock was set back
        with Daypack.open(tmp_path / "s", settings=WORDS, clock=lambda now=now: now) as daypack:  # type: ignore[misc]
            daypack.records.add(
                [
                    {"id": f"t{n}", "text": "The kettle boiled.", "session": "s", "time": when}
                    for n, when in enumerate([0, -1, 1_790_000_000, 250_000_000_000, None, 1e-9])
                ]
            )
            pack = daypack.pack("did the kettle boil yesterday, or in 2031?", budget=3000)
            assert pack.excerpts
            assert all(0 <= candidate.probability <= 1 for candidate in pack.candidates)
            for when in (1e18, -1e18, 10**400, float("nan"), float("inf"), "soon", True):
                with pytest.raises(BadRecord, match="time"):
                    daypack.records.add([{"id": "x", "text": "x", "time": when}])
            daypack.records.add(
                [make_record("a kettle out of time", "odd", door="records", time=1e18, session="s")]
            )
            assert daypack.get("odd").text


@pytest.mark.parametrize(
    "item",
    [
        5,
        "text",
        None,
        [],
        {"id": "x"},
        {"id": "x", "text": 5},
        {"id": "x", "text": "y", "tags": 5},
        {"id": "x", "text": "y", "tags": "a"},
        {"id": "x", "text": "y", "tags": [1]},
        {"id": "x", "text": "y", "metadata": 1},
        {"id": "x", "text": "y", "metadata": {"a": object()}},
        {"id": "x", "text": "y", "kind": "song"},
        {"id": "x", "text": "y", "trust": "me"},
        {"id": "x", "json": {1, 2}},
        {"id": "x", "text": "y", "txet": 1},
        {"id": "x", "text": "y", 5: 1},
        {"id": "x", "text": "y", "scope": 5},
    ],
)
def test_a_record_that_is_none_is_refused_with_its_place(dp: Daypack, item: object) -> None:
    with pytest.raises(BadRecord, match=r"\[1\]"):
        dp.records.add([{"id": "fine", "text": "fine"}, item])  # type: ignore[list-item]


def test_a_nested_value_deeper_than_python_goes_is_refused(dp: Daypack) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadRecord, match="json"):
        dp.records.add([{"id": "deep", "json": deep}])


def test_strings_that_are_no_text_do_no_harm_anywhere(dp: Daypack) -> None:
    broken = "kettle \ud800"
    dp.records.add(
        [
            {
                "id": "k",
                "text": broken,
                "title": broken,
                "author": broken,
                "session": broken,
                "scope": broken,
                "tags": [broken],
                "uri": broken,
                "metadata": {broken: broken},
            }
        ]
    )
    assert dp.pack(broken, shape="json").excerpts
    for narrow in ("scope", "session", "author", "source", "tag"):
        assert dp.search("kettle", **{narrow: broken}).candidates
    with pytest.raises(InputError, match=r"no language .*; no record in the store has a language"):
        dp.search("kettle", language=broken)
    assert dp.get(broken).text == "kettle \ufffd" or dp.get(broken).text == "kettle ?"
    assert dp.records.delete(["\ud800"]) == 0


# ---------------------------------------------------------------- models that fail


class Broken(FakeEmbedder):
    """Gives whatever it is told to."""

    def __init__(self, rows: object) -> None:
        super().__init__()
        self.rows = rows

    def embed(self, texts: object) -> object:  # type: ignore[override]
        return self.rows


BAD = {
    "raises ours": FakeEmbedder(fails=ModelUnavailable("m", "gone")),
    "raises its own": FakeEmbedder(fails=RuntimeError("CUDA on fire")),
    "not a number": Broken(np.full((1, 256), np.nan, dtype=np.float32)),
    "infinite": Broken(np.full((1, 256), np.inf, dtype=np.float32)),
    "too long": Broken(np.full((1, 256), 7, dtype=np.float32)),
    "wrong dimension": Broken(np.eye(1, 3, dtype=np.float32)),
}


@pytest.mark.parametrize("bad", BAD)
def test_row_11_a_model_that_fails_costs_the_vectors_and_not_the_answer(dp: Daypack, bad: str) -> None:
    dp.records.add(notes(20))
    dp.engine.embedding.model = BAD[bad]  # type: ignore[assignment]
    for mode in VectorMode:
        pack = dp.pack("kettle boiler", vectors=mode)
        assert pack.excerpts
        assert pack.stats.vectors is VectorMode.NONE
        assert bool(pack.stats.degraded) == (mode is not VectorMode.NONE)
        assert ("Degraded: vectors" in pack.text) == (mode is not VectorMode.NONE)
    with pytest.raises((ModelUnavailable, BadVector)):
        dp.embed()
    assert dp.engine.store.counts()["vec"] == 0


@pytest.mark.parametrize("name", ["folder:/nowhere", "endpoint:http://127.0.0.1:9"])
def test_row_12_a_model_that_is_not_there_is_said_in_the_answer_and_in_the_status(
    tmp_path: Path, name: str
) -> None:
    with Daypack.open(tmp_path / "s", settings=Settings(embedder=name, embedder_model="m")) as daypack:
        daypack.records.add(notes(20))
        pack = daypack.pack("kettle boiler")
        assert pack.excerpts
        assert pack.stats.degraded[0].startswith("vectors: ")
        assert daypack.status()["vectors_missing"] == 20


def test_row_13_vectors_of_two_models_never_meet(dp: Daypack) -> None:
    dp.records.add(notes(40))
    dp.engine.embedding.model = FakeEmbedder("one")
    dp.embed()
    alone = dp.pack("kettle boiler", shape="json").text
    dp.engine.embedding.model, dp.engine.snapshots._last = FakeEmbedder("two"), None
    assert dp.status()["vectors_missing"] == 40
    assert dp.status()["embedder"] == "two"
    pack = dp.pack("kettle boiler")
    assert pack.stats.embedded == 40
    assert pack.stats.vectors_missing == 0
    dp.engine.embedding.model, dp.engine.snapshots._last = FakeEmbedder("one"), None
    assert dp.pack("kettle boiler", shape="json").text == alone


def test_a_model_that_changes_its_dimension_under_its_name_is_not_mixed(dp: Daypack) -> None:
    dp.records.add(notes(10))
    dp.engine.embedding.model = FakeEmbedder("same")
    dp.embed()

    class Shorter(FakeEmbedder):
        dim = 3

        def embed(self, texts: list[str]) -> object:  # type: ignore[override]
            return np.tile(np.eye(1, 3, dtype=np.float32), (len(texts), 1))

    dp.engine.embedding.model, dp.engine.snapshots._last = Shorter("same"), None  # type: ignore[assignment]
    pack = dp.pack("kettle boiler")
    assert pack.excerpts
    assert "3 dimensions, and 256 in the store" in pack.stats.degraded[0]


# ---------------------------------------------------------------- files that move


def test_a_renamed_or_copied_file_is_not_embedded_again(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop", {f"{n}.md": f"# Cup {n}\n\nCup number {n} of tea.\n" for n in range(12)}
    )
    with Daypack.open(shop / ".daypack", settings=WORDS) as daypack:
        counting = FakeEmbedder()
        daypack.engine.embedding.model = counting
        daypack.files.add(shop)
        assert daypack.embed() == 12
        counting.calls.clear()
        (shop / "3.md").rename(shop / "renamed.md")
        (shop / "deep").mkdir()
        (shop / "deep" / "copy.md").write_bytes((shop / "5.md").read_bytes())
        pack = daypack.pack("cup number 3 of tea")
        assert any(excerpt.citation.uri == "renamed.md" for excerpt in pack.excerpts)
        assert (pack.stats.refreshed, pack.stats.embedded, pack.stats.vectors_missing) == (3, 0, 0)
        assert daypack.embed() == 0
        assert [len(call) for call in counting.calls] == [1]  # the query


def test_more_changed_files_than_a_query_re_reads_are_said_to_be_stale(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {f"{n}.md": f"Cup number {n} of tea.\n" for n in range(510)})
    with Daypack.open(shop / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(shop)
        for n in range(501):
            (shop / f"{n}.md").write_text(f"Cup number {n} of coffee.\n")
        pack = daypack.pack("cup of coffee", vectors="none")
        assert pack.stats.stale == 501
        assert "501 files changed since indexing" in pack.text
        assert daypack.status()["stale_files"] == 501
        daypack.files.add(shop)
        pack = daypack.pack("cup of coffee", vectors="none")
        assert (pack.stats.stale, "coffee" in pack.text) == (0, True)


def test_row_18_a_file_that_changes_while_it_is_read_keeps_its_old_text_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = project(tmp_path / "shop", {"a.md": "old " * 50, "b.md": "tea"})
    with Daypack.open(shop / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(shop)
        real = os.read
        (shop / "a.md").write_text("new " * 50)

        def read(descriptor: int, length: int) -> bytes:
            data = real(descriptor, min(length, 100))
            if data.startswith(b"new"):
                with (shop / "a.md").open("a") as stream:
                    stream.write("more ")
            return data

        with monkeypatch.context() as patched:
            patched.setattr(os, "read", read)
            report = daypack.files.add(shop)
        assert [(issue.uri, issue.reason.value) for issue in report.issues if issue.reason != "hidden"] == [
            ("a.md", "changed_while_reading")
        ]
        assert daypack.get("a.md").text == "old " * 50
        daypack.files.refresh()
        assert daypack.get("a.md").text == (shop / "a.md").read_text()


def test_row_18_a_file_that_vanishes_while_it_is_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = project(tmp_path / "shop", {"a.md": "kettle", "b.md": "tea"})
    from daypack.doors.reading import formats

    real = formats._read_once

    def read(found: object, limit: int) -> object:
        if found.path.name == "a.md":  # type: ignore[attr-defined]
            found.path.unlink(missing_ok=True)  # type: ignore[attr-defined]
        return real(found, limit)  # type: ignore[arg-type]

    monkeypatch.setattr(formats, "_read_once", read)
    with Daypack.open(shop / ".daypack", settings=WORDS) as daypack:
        report = daypack.files.add(shop)
        assert [(issue.uri, issue.reason.value) for issue in report.issues if issue.reason != "hidden"] == [
            ("a.md", "unreadable")
        ]
        assert daypack.status()["records"] == 1


def test_growth_counts_what_stands_by_when_it_came_in(tmp_path: Path) -> None:
    now = [1_000_000.0]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=lambda: now[0]) as daypack:
        assert daypack.growth() == []
        for number, days in enumerate((0, 10, 10, 80, 0)):
            now[0] += days * 86_400
            daypack.records.add([{"id": f"r{number}", "text": f"the text of number {number}"}])
        daypack.records.delete(["r1"])
        first = 1_000_000.0
        assert daypack.growth() == [(first, 1), (first + 20 * 86_400, 2), (first + 100 * 86_400, 4)]
        assert len(daypack.growth(steps=1)) <= 2


# ---------------------------------------------------------------- several at once


def _rewrite(folder: str, stop: object) -> None:
    with Daypack.open(folder, settings=WORDS) as daypack:
        n = 0
        while not stop.is_set():  # type: ignore[attr-defined]
            n += 1
            body = f"version {n} " * (n % 40 + 1)
            daypack.records.add([{"id": f"moving{n % 5}", "text": f"{body}\n\nThe kettle of {body}\n"}])


@pytest.mark.slow
def test_answers_are_of_one_state_of_the_store_while_another_process_writes(tmp_path: Path) -> None:
    """Segments are merged and texts replaced under every query; no hit may be lost and no span may slip."""
    folder = tmp_path / "s"
    with Daypack.open(folder, settings=WORDS) as daypack:
        daypack.records.add(
            [
                {"id": "fixed", "text": "The samovar stands still."},
                {"id": "moving0", "text": "The kettle of version 0\n"},
            ]
        )
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    writer = context.Process(target=_rewrite, args=(str(folder), stop))
    writer.start()
    try:
        with Daypack.open(folder, settings=WORDS) as daypack:
            sequences = set()
            while len(sequences) < 20:  # until the writer has committed as often, however slow the machine
                assert writer.is_alive()
                assert [c.chunk.uri for c in daypack.search("samovar", vectors="none").candidates] == [
                    "fixed"
                ]
                pack = daypack.pack("kettle version", vectors="none", budget=2000)
                sequences.add(daypack.engine.store.sequences()[0])
                for excerpt in pack.excerpts:
                    if excerpt.citation.uri.startswith("moving"):
                        assert excerpt.text.startswith(("version ", "The kettle of version "))
                        assert len({word for word in excerpt.text.split() if word.isdigit()}) == 1
    finally:
        stop.set()
        writer.join(120)
    assert writer.exitcode == 0
    assert TESTS.exists()


def test_answers_in_json_say_what_they_worked_with(dp: Daypack) -> None:
    dp.records.add(notes(40))
    first, second = (dp.pack("kettle", shape="json") for _ in range(2))
    assert json.loads(first.text)["stats"]["candidates"] == 38
    assert (first.stats.embedded, second.stats.embedded) == (38, 0)
    assert first.text == second.text  # what the cache held is no part of an answer
