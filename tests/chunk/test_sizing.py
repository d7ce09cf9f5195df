"""Drafts become pieces, whatever the drafts are."""

import textwrap

from chunk_checks import check_promises
from hypothesis import given
from hypothesis import strategies as st

from daypack.chunk.sizing import Draft, characters, finish, group, split_lines, split_runs, split_sentences
from daypack.types import Cut, PieceKind

text_of_lines = st.text(st.sampled_from("ab .!\n\t\r\u0301é👩\u200d"), max_size=300)


@given(text_of_lines, st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=8).map(sorted))
def test_any_rising_drafts_become_a_cut_that_loses_nothing(text, spans):
    drafts = [Draft(min(start, len(text)), min(end, len(text)), PieceKind.BLOCK) for start, end in spans]
    check_promises(text, Cut(finish(text, drafts)))


@given(text_of_lines, st.integers(8, 60))
def test_every_way_to_split_covers_the_span_within_the_limit(text, limit):
    ways = [
        list(split_sentences(text, 0, len(text), limit)),
        list(split_runs(text, 0, len(text), limit)),
        list(split_lines(text, 0, len(text), 5, limit)),
        list(group(text, [0] if text else [], len(text), limit)),
    ]
    for spans in ways:
        assert "".join(text[start:end] for start, end in spans) == text
        assert all(0 < end - start <= limit for start, end in spans)


@given(
    st.lists(st.sampled_from(["x\n", "\n", "some words\n"]), max_size=200).map("".join), st.integers(2, 40)
)
def test_runs_of_lines_keep_their_number(text, max_lines):
    for start, end in split_lines(text, 0, len(text), max_lines, 10_000):
        assert text[start:end].rstrip("\n").count("\n") < max_lines


def test_a_long_chat_is_cut_between_its_messages():
    said = [
        "who picks up Leo?",
        "ok",
        "the train is late; I take the bus",
        "He waits: at the gate. Hurry",
        "…",
    ]
    text = "".join(f"{1 + n // 30}/5/26, 10:0{n % 6} - Anna: {said[n % 5]}\n" for n in range(150))
    assert all(
        text[end - 1] == "\n" for _, end in split_sentences(text, 0, len(text), 400) if end < len(text)
    )


def test_a_wrapped_paragraph_is_cut_between_its_sentences():
    sentence = (
        "The harbour of the old Town has a crane, a shed and two lamps on the Quay.\nNobody counts them. "
    )
    text = textwrap.fill((sentence * 20).replace("\n", " "), 72)
    parts = [*split_sentences(text, 0, len(text), 400)]
    assert len(parts) > 2
    assert all(text[start:end].rstrip().endswith(".") for start, end in parts)


def test_a_clause_is_no_end_where_a_sentence_ends_nearby():
    text = "The boat is late. " * 8 + "Ida said: " + "it comes at 9 with Dr. Osei; nobody else " * 3
    (first, *_) = split_sentences(text, 0, len(text), 170)
    assert text[slice(*first)].endswith("late. ")


def test_runs_of_lines_are_even_and_end_at_blank_lines():
    text = ("line\n" * 20 + "\n") * 3
    runs = [text[start:end].count("\n") for start, end in split_lines(text, 0, len(text), 40, 10_000)]
    assert runs == [21, 21, 21]


def test_a_piece_keeps_the_indentation_of_its_first_line():
    text = "\n\n    indented\n  \n"
    (piece,) = finish(text, [Draft(0, len(text), PieceKind.BLOCK)])
    assert text[piece.span.start : piece.span.end] == "    indented"


def test_a_token_is_four_characters_of_english_and_fewer_of_chinese():
    assert characters("plain words", 100) == 400
    assert characters("中文" * 50, 100) == 133  # three bytes each: 400 / 3
