"""The static table: what its file promises, and that its vectors mean something beside the encoder's."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from daypack.embed import static
from daypack.embed.minilm import MODEL, WORDS, open_minilm
from daypack.embed.static import DIM, TABLE, PieceRows, StaticTable, open_table
from daypack.embed.wordpieces import MAX_KNOWN_WORDS, WordPieces, packaged_vocabulary
from daypack.errors import ModelUnavailable
from models.exclusion import Exclusion


@cache
def table() -> StaticTable:
    return open_table()


def test_the_shipped_files_are_the_ones_that_their_hashes_name() -> None:
    for path, sha256 in (MODEL, WORDS):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    assert table().model_id.startswith("static-256d-")


def test_rows_have_unit_length_and_do_not_depend_on_the_batch() -> None:
    texts = [
        "the refund is paid",
        "def parse_url(text): return text",
        "東京 and Zürich \ud800",
        "the refund is paid",
    ]
    together = table().embed(texts)
    assert together.shape == (4, DIM)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    assert [table().embed([text])[0].tobytes() for text in texts] == [row.tobytes() for row in together]


def test_a_text_without_words_gives_zeros() -> None:
    assert not table().embed(["", " -- !? "]).any()
    assert table().embed([]).shape == (0, DIM)


def test_camel_case_and_underscores_are_read_as_words() -> None:
    rows = table().embed(["parseHTTPRequest", "parse_http_request", "parse http request"])
    assert rows[0].tobytes() == rows[1].tobytes() == rows[2].tobytes()


def test_a_question_in_other_words_finds_its_text() -> None:
    texts = [
        "Our cafeteria shuts at 14:00",
        "The printer is on the second floor",
        "Invoices are paid monthly",
    ]
    question = table().project(open_minilm().embed(["when does lunch end?"])[0])
    assert int((table().embed(texts) @ question).argmax()) == 0


def test_words_are_cut_as_the_tokenizer_of_the_encoder_cuts_them() -> None:
    text = (
        (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
        + "Zürich naïve 東京 Ελλάδα İstanbul x"
        + "y" * 120
    )
    tokenizer = WordPieces(packaged_vocabulary())
    for word in sorted({*re.findall(r"[^\W\d_]+", text)}):
        wanted = [piece for piece in tokenizer.encode(word, 256)[1:-1] if piece != 100]
        assert [*table()._pieces[word]] == wanted or re.search("[a-z][A-Z]|[A-Z][A-Z]", word), word


def test_the_memory_of_known_words_is_bounded() -> None:
    small = open_table()
    small._pieces.update({f"filler{n}": () for n in range(MAX_KNOWN_WORDS)})
    small.embed(["something new"])
    assert len(small._pieces) == 2


def test_the_memory_of_word_vectors_is_bounded_and_changes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    small, words = open_table(), ["harbour", "tea", "retry", "harbour", "webhook", "queue"]
    fresh = [open_table().embed_words([word])[0] for word in words]
    monkeypatch.setattr(static, "MAX_KNOWN_VECTORS", 3)
    for some in (slice(0, 2), slice(2, 5), slice(0, 6), slice(1, 3)):  # kept, dropped, more than are kept
        np.testing.assert_array_equal(small.embed_words(words[some]), fresh[some])
        assert len(small._row_of) <= 3


@pytest.mark.parametrize(
    "text", ["parseURL2 of_a-Thing", "Über_größe ABc1 x", "cafe\u0301 日本2go", "", "__ 1\t"]
)
def test_words_end_where_the_case_changes_in_any_script(text: str) -> None:
    expression = r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+|[A-Z]"
    words = [word.lower() for word in re.findall(expression, text)]
    assert open_table().words_of(text) == [*dict.fromkeys(words)]


def test_a_missing_or_damaged_table_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        open_table(tmp_path / "none.bin")
    for size in (TABLE.stat().st_size - 1, 8):
        (tmp_path / "table.bin").write_bytes(TABLE.read_bytes()[:size])
        with pytest.raises(ModelUnavailable, match="is not a table"):
            open_table(tmp_path / "table.bin")
    whole = bytearray(TABLE.read_bytes())
    whole[-1] ^= 1
    (tmp_path / "table.bin").write_bytes(whole)
    with pytest.raises(ModelUnavailable, match=r"the projection in .* expected"):
        open_table(tmp_path / "table.bin")


def test_a_damaged_row_is_reported_at_the_first_text_and_questions_go_on(tmp_path: Path) -> None:
    whole = bytearray(TABLE.read_bytes())
    whole[0] ^= 1
    (tmp_path / "table.bin").write_bytes(whole)
    damaged = open_table(tmp_path / "table.bin")
    question = open_minilm().embed(["when does lunch end?"])[0]
    assert damaged.project(question).tobytes() == table().project(question).tobytes()
    with pytest.raises(ModelUnavailable, match=r"the table in .* expected"):
        damaged.embed(["text"])


def test_a_table_of_the_wrong_size_is_reported() -> None:
    rows = PieceRows(np.zeros((5, 4), dtype=np.int8), np.ones(5, dtype=np.float32), {})
    wrong = StaticTable(np.zeros((8, 3), dtype=np.float32), lambda: rows, model_id="wrong")
    with pytest.raises(ModelUnavailable, match="wrong size"):
        wrong.embed(["text"])


# ---------------------------------------------------------------- the texts that it was trained on

EVALUATED = (
    "The quick brown fox jumps over the lazy dog, and then it runs back into the dark wood, where it sleeps."
)


def test_texts_of_an_evaluation_set_are_excluded_by_prefix_and_by_runs_of_words() -> None:
    exclusion = Exclusion([EVALUATED])
    assert exclusion.covers(EVALUATED.upper().replace(" ", "\n  * "))
    assert exclusion.covers(f"Before it: {EVALUATED[20:]} And after it.")
    words = EVALUATED.split()
    assert exclusion.covers("Other words. " + " ".join(words[2:15]))
    assert not exclusion.covers("Other words. " + " ".join(words[2:14]))
    assert not exclusion.covers(
        "Nothing of this text occurs in the other one, so that it may be used for training at will."
    )
    assert not Exclusion([]).covers(EVALUATED)


def test_words_have_the_vectors_that_texts_of_one_word_have() -> None:
    words = ["kitchen", "gratuity", "", "zürich", "£"]
    assert np.allclose(table().embed_words(words), table().embed(words), atol=1e-6)
    assert table().embed_words([]).shape == (0, DIM)


def test_an_identifier_is_several_words() -> None:
    assert table().words_of("retryLimit retry HTTPServer2") == ["retry", "limit", "http", "server", "2"]
