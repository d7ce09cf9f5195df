"""BM25F of a chunk among its neighbours, and of a whole file, against the definition."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.index.embedded.connection import FileConnection
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import LexicalEntry, postings, write_segment
from daypack.rank.bm25 import B_CODE, B_PROSE, FIELD_CAPS, FIELD_WEIGHTS, K1, Bm25
from daypack.rank.leading import EQUAL, leading
from daypack.rank.views import ChunkFlag
from daypack.text import analysis
from support import tables_in_memory

WORDS = ["retry", "payment", "getUserId", "user", "tea", "kettle", "日本"]
QUERY = {"retri": 1.0, "user": 2.0, "getuserid": 1.5, "tea": 1.0, "nowher": 1.0}


def index(entries: list[LexicalEntry]) -> FileConnection:
    db = tables_in_memory()
    with db:
        write_segment(db, entries)
    return db


def entry(
    number: int,
    record: int,
    body: str,
    name: str = "",
    path: str = "",
    context: str = "",
    *,
    code: bool = False,
) -> LexicalEntry:
    """A chunk; its record is its group, so its neighbours are those of its file."""
    return LexicalEntry(
        number,
        record,
        record,
        record,
        math.nan,
        ChunkFlag.CODE if code else ChunkFlag(0),
        (body, name, path, context),
    )


def views(
    entries: list[LexicalEntry], query: dict[str, float]
) -> tuple[list[float], list[float], list[float]]:
    """(unit, context, file) of every chunk, as the index has them."""
    db = index(entries)
    view = load_view(db)
    bm25 = Bm25(view)
    everything = np.arange(len(view))
    scores = bm25.matched(query, partial(postings, db, view))
    found = (
        bm25.unit(scores, everything).tolist(),
        bm25.context(scores, everything, bm25.frequencies_around(scores.terms, everything)).tolist(),
        bm25.file(scores, everything).tolist(),
    )
    db.close()
    return found


# ---------------------------------------------------------------- the definition


class Definition:
    """BM25F in plain Python: counts are looked up, nothing is shared between chunks."""

    def __init__(self, entries: list[LexicalEntry]) -> None:
        self.entries = entries
        self.counts = [[Counter(analysis.terms(text)) for text in entry.fields] for entry in entries]
        self.lengths = [[field.total() for field in fields] for fields in self.counts]

    def idf(self, term: str) -> float:
        holding = sum(any(field[term] for field in fields) for fields in self.counts)
        return math.log(1 + (len(self.entries) - holding + 0.5) / (holding + 0.5))

    def average(self, code: int, field: int) -> float:
        found = [
            lengths[field]
            for entry, lengths in zip(self.entries, self.lengths, strict=True)
            if entry.flags & ChunkFlag.CODE == code
        ]
        return max(1.0, sum(found) / len(found))

    def context(self, number: int, term: str) -> float:
        """tf' of a chunk whose body is its own and its neighbours' together; its other fields stay its own."""
        code = self.entries[number].flags & ChunkFlag.CODE
        b = B_CODE if code else B_PROSE
        together = [n for n in (number - 1, number, number + 1) if self.same_file(number, n)]
        length = sum(self.lengths[n][0] for n in together)
        tf = sum(self.counts[n][0][term] for n in together) / (
            1 - b[0] + b[0] * length / (self.average(code, 0) * len(together))
        )
        for f in (1, 2, 3):
            own = min(self.counts[number][f][term], FIELD_CAPS[f])
            tf += FIELD_WEIGHTS[f] * own / (1 - b[f] + b[f] * self.lengths[number][f] / self.average(code, f))
        return float(tf)

    def file(self, number: int, term: str) -> float:
        """tf' of the bodies of a whole record, which are measured against the other records."""
        lengths: Counter[int] = Counter()
        for entry, length in zip(self.entries, self.lengths, strict=True):
            lengths[entry.record_id] += length[0]
        record = self.entries[number].record_id
        average = max(1.0, lengths.total() / len(lengths))
        tf = sum(
            counts[0][term]
            for entry, counts in zip(self.entries, self.counts, strict=True)
            if entry.record_id == record
        )
        return float(tf / (1 - B_CODE[0] + B_CODE[0] * lengths[record] / average))

    def same_file(self, one: int, other: int) -> bool:
        return 0 <= other < len(self.entries) and self.entries[one].group == self.entries[other].group


def bm25(definition: Definition, query: dict[str, float], pseudo: list[float]) -> float:
    return sum(
        weight * definition.idf(term) * (K1 + 1) * tf / (tf + K1)
        for (term, weight), tf in zip(query.items(), pseudo, strict=True)
    )


text = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
files = st.lists(
    st.tuples(st.booleans(), st.lists(st.tuples(text, text, text, text), min_size=1, max_size=5)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=80)
@given(files)
def test_context_and_file_views_are_those_of_the_definition(
    files: list[tuple[bool, list[tuple[str, str, str, str]]]],
) -> None:
    entries = []
    for record, (code, chunks) in enumerate(files, 1):
        entries += [entry(len(entries) + n, record, *fields, code=code) for n, fields in enumerate(chunks, 1)]
    definition = Definition(entries)
    _, context, file = views(entries, QUERY)
    for number in range(len(entries)):
        wanted = bm25(definition, QUERY, [definition.context(number, term) for term in QUERY])
        assert context[number] == pytest.approx(wanted, rel=1e-4, abs=1e-6)
        wanted = bm25(definition, QUERY, [definition.file(number, term) for term in QUERY])
        assert file[number] == pytest.approx(wanted, rel=1e-4, abs=1e-6)


# ---------------------------------------------------------------- what they are for


def test_a_chunk_whose_neighbour_says_it_is_found_by_its_context() -> None:
    entries = [entry(1, 1, "tea kettle"), entry(2, 1, "it boils"), entry(3, 2, "it boils")]
    unit, context, _ = views(entries, {"tea": 1.0})
    assert unit[1] == unit[2] == 0
    assert context[1] > 0
    assert context[2] == 0


def test_context_reaches_one_chunk_far_and_not_into_the_next_file() -> None:
    entries = [entry(1, 1, "tea"), entry(2, 1, "milk"), entry(3, 1, "sugar"), entry(4, 2, "milk")]
    _, context, _ = views(entries, {"tea": 1.0})
    assert [score > 0 for score in context] == [True, True, False, False]


def test_a_chunk_alone_in_its_file_has_the_context_of_itself() -> None:
    entries = [entry(1, 1, "tea kettle", "brew"), entry(2, 2, "milk sugar", "pour")]
    unit, context, _ = views(entries, {"tea": 1.0, "brew": 1.0})
    assert context == pytest.approx(unit)


def test_a_file_is_found_by_words_that_stand_in_several_of_its_chunks() -> None:
    entries = [
        entry(1, 1, "retry", code=True),
        entry(2, 1, "payment", code=True),
        entry(3, 2, "retry", code=True),
        entry(4, 3, "tea", code=True),
    ]
    _, _, file = views(entries, {"retri": 1.0, "payment": 1.0})
    assert file[0] == file[1] > file[2] > file[3] == 0


def test_a_name_weighs_more_than_a_body_and_a_path_counts_a_word_once() -> None:
    entries = [
        entry(1, 1, body="tea milk milk"),
        entry(2, 2, body="milk milk milk", name="tea"),
        entry(3, 3, body="milk milk milk", path="tea"),
        entry(4, 4, body="milk milk milk", path="tea tea tea"),
        entry(5, 5, body="milk milk milk", context="tea"),
    ]
    (body, name, path, repeated, context), _, _ = views(entries, {"tea": 1.0})
    assert path > name > body > context  # 3, 2, 1 and ½ occurrences
    assert repeated == path


def test_no_positions_and_no_known_terms_are_fine() -> None:
    db = index([entry(1, 1, "tea")])
    view = load_view(db)
    scores = Bm25(view).matched({"nowher": 1.0}, partial(postings, db, view))
    assert scores.unknown == ("nowher",)
    bm25 = Bm25(view)
    for where, wanted in ((np.empty(0, dtype=np.int64), []), (np.arange(1), [0.0])):
        tf = bm25.frequencies_around(scores.terms, where)
        assert bm25.context(scores, where, tf).tolist() == wanted
        assert bm25.file(scores, where).tolist() == wanted
    db.close()


# ---------------------------------------------------------------- masks and coverage


def test_what_is_outside_the_mask_scores_nothing_but_counts_as_text() -> None:
    db = index([entry(n, n, "tea" if n < 4 else "milk") for n in range(1, 7)])
    view = load_view(db)
    bm25 = Bm25(view)
    mask = np.asarray([True, False, True, True, True, True])
    scores = bm25.matched({"tea": 1.0}, partial(postings, db, view))
    everywhere, inside = (
        leading(bm25, scores, where, EQUAL, depth=0, enough=1) for where in (view.alive, mask)
    )
    assert everywhere.positions.tolist() == [0, 1, 2]
    assert inside.positions.tolist() == [0, 2]
    assert inside.unit.tolist() == everywhere.unit[[0, 2]].tolist()
    db.close()


def test_coverage_is_the_share_of_the_query_that_the_fullest_chunk_holds() -> None:
    entries = [entry(1, 1, "tea"), entry(2, 2, "milk"), entry(3, 3, "kettle tea tea tea")]
    db = index(entries)
    view = load_view(db)
    definition = Definition(entries)
    query = {"tea": 2.0, "kettl": 1.0, "nowher": 1.0}
    tea, kettle, nowhere = (weight * definition.idf(term) for term, weight in query.items())
    bm25 = Bm25(view)
    scores = bm25.matched(query, partial(postings, db, view))

    def share(*chunks: int) -> float:
        return leading(bm25, scores, np.isin(np.arange(3), chunks), EQUAL, depth=0, enough=1).best_coverage

    mass = tea + kettle + nowhere  # a word that nobody has is still asked for
    assert [share(0, 1, 2), share(0, 1), share(1)] == pytest.approx([(tea + kettle) / mass, tea / mass, 0])
    db.close()
