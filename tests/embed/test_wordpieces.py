"""Word pieces: the cut of ASCII made here is that of the package `tokenizers`."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.embed import wordpieces
from daypack.embed.wordpieces import MAX_KNOWN_WORDS, LibraryTokenizer, WordPieces, packaged_vocabulary
from daypack.errors import ModelUnavailable

ASCII = "".join(map(chr, range(128)))


@cache
def here() -> WordPieces:
    return WordPieces(packaged_vocabulary())


def library() -> LibraryTokenizer:
    return here()._library


def test_every_pair_of_ascii_characters_is_cut_alike() -> None:
    for first, second in product(ASCII, ASCII):
        text = f"ab{first}{second}cd E{second}"
        assert here().encode(text, 256) == library().encode(text, 256), repr(text)


@given(
    st.lists(
        st.sampled_from(
            ["parseURL2", "the", "un_known", "[SEP]", "x" * 100, "y" * 101, "qqzx", "3.14", "\x00"]
        )
        | st.text(st.sampled_from(ASCII), max_size=12),
        max_size=40,
    ),
    st.integers(min_value=2, max_value=60),
)
def test_ascii_texts_of_any_length_are_cut_alike(words: list[str], limit: int) -> None:
    text = " ".join(words)
    assert here().encode(text, limit) == library().encode(text, limit)


def test_this_project_is_cut_alike() -> None:
    for path in sorted(Path(wordpieces.__file__).parent.glob("*.py")):
        text = path.read_text(encoding="utf-8").encode("ascii", "ignore").decode()
        assert here().encode(text, 4_000) == library().encode(text, 4_000), path.name


def test_other_texts_have_the_numbers_of_the_library() -> None:
    text = "Zürich, naïve 東京 \u200b Ελλάδα"
    assert here().encode(text, 256) == library().encode(text, 256)
    assert len(here().encode(text * 50, 30)) == 30


def test_special_tokens_in_a_text_stay_text() -> None:
    names = {number: piece for piece, number in packaged_vocabulary().items()}
    for text in ("[SEP]", "[SEP] \u00e9"):
        cut = [names[number] for number in here().encode(text, 256)]
        assert cut[:5] == ["[CLS]", "[", "sep", "]", cut[4]]
        assert cut.count("[SEP]") == 1


def test_the_memory_of_known_words_is_bounded() -> None:
    small = WordPieces(packaged_vocabulary())
    small._known = {f"filler{n}": (1,) for n in range(MAX_KNOWN_WORDS)}
    small.encode("something new", 256)
    assert len(small._known) == 2


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_vocabulary_that_is_missing_or_changed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    path = tmp_path / "vocab.txt"
    if damage == "changed":
        path.write_bytes(wordpieces.VOCABULARY.read_bytes() + b"extra\n")
    monkeypatch.setattr(wordpieces, "VOCABULARY", path)
    with pytest.raises(
        ModelUnavailable, match="cannot be read" if damage == "missing" else "has been changed"
    ):
        packaged_vocabulary.__wrapped__()
