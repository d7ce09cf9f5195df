"""A function that does not fit whole is shown as far as there is room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.pack.select import Option, select_greedy
from daypack.pack.variants import Choice
from daypack.pack.widening import goes_on, widened
from daypack.testing import make_chunk
from daypack.types import Candidate, Chunk, RecordKind, SymbolKind, Variant

LINES = [f"line {n}" for n in range(20)]


def code(lines: list[str]) -> Chunk:
    text = "\n".join(lines)
    return make_chunk(text, 1, tokens=len(text), record_kind=RecordKind.CODE)


def extract(lines: list[str], *runs: tuple[int, int]) -> Choice:
    """The extract of runs of lines (first, end) at a token a character, without a frame."""
    starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines) + 1)]
    parts = tuple((starts[first], starts[end] - 1) for first, end in runs)
    return Choice(Variant.EXTRACT, parts, 0.6, sum(end - start for start, end in parts))


def shown(lines: list[str], choice: Choice, room: int) -> list[str]:
    chunk = code(lines)
    found = widened(chunk, choice, room, whole=len(chunk.text), overhead=0, further=0)
    return [] if found is None else [chunk.text[start:end] for start, end in found.parts]


def test_the_gap_below_the_definition_closes_first_then_the_end_follows_then_the_beginning() -> None:
    chosen = extract(LINES, (2, 3), (6, 8))
    assert shown(LINES, chosen, 41) == ["\n".join(LINES[2:8])]
    assert shown(LINES, chosen, 71) == ["\n".join(LINES[2:12])]
    assert shown(LINES, chosen, 142) == ["\n".join(LINES[1:])]


def test_room_for_fewer_than_three_lines_changes_nothing() -> None:
    assert shown(LINES, extract(LINES, (0, 8)), 76) == []


def test_a_run_ends_at_its_last_line_that_is_not_blank() -> None:
    lines = ["def f():", "    a", "    b", "", "    c", "", "", "    d"]
    assert shown(lines, extract(lines, (0, 1)), 29) == ["\n".join(lines[:5])]


@given(
    st.lists(st.text("ab \t", max_size=9), min_size=4, max_size=30),
    st.data(),
    st.integers(0, 300),
    st.integers(0, 9),
)
def test_an_extract_never_costs_more_than_its_room(
    lines: list[str], data: st.DataObject, room: int, further: int
) -> None:
    lines = ["x", *lines, "y"]  # the text of a chunk has no blank edges
    first = data.draw(st.sampled_from([n for n, line in enumerate(lines) if line.strip()]))
    chunk, chosen = code(lines), extract(lines, (first, first + 1))
    found = widened(chunk, chosen, room, whole=len(chunk.text), overhead=0, further=further)
    if found is None:
        return
    assert found.cost <= room
    assert chosen.value <= found.value <= 1.0
    start, end = chosen.parts[0]
    assert any(a <= start and end <= b for a, b in found.parts)
    assert all(b <= c for (_, b), (c, _) in zip(found.parts, found.parts[1:], strict=False))


@pytest.mark.parametrize(
    ("symbol", "more"),
    [(SymbolKind.FUNCTION, True), (None, True), (SymbolKind.CLASS, False), (SymbolKind.IMPL, False)],
)
def test_the_head_of_a_class_does_not_go_on_since_its_members_say_more(
    symbol: SymbolKind | None, more: bool
) -> None:
    assert goes_on(code(LINES)._replace(symbol=symbol)) is more
    assert not goes_on(make_chunk("prose", 1)._replace(symbol=symbol))


def choice(variant: Variant, value: float, cost: int) -> Choice:
    return Choice(variant, ((0, cost),), value, cost)


def option(number: int, probability: float, *choices: Choice, is_code: bool = True) -> Option:
    def wider(now: Choice, room: int) -> Choice:
        return Choice(Variant.EXTRACT, now.parts, now.value, room)

    candidate = Candidate(make_chunk("text", number), probability, probability, ())
    outline = [(one.value, one.cost) for one in choices]
    return Option(candidate, outline, lambda: choices, widen=wider if is_code else None)


def test_the_body_of_the_best_stands_before_the_signature_of_another() -> None:
    best = option(
        1,
        1.0,
        choice(Variant.SIGNATURE, 0.15, 28),
        choice(Variant.EXTRACT, 0.6, 121),
        choice(Variant.FULL, 1, 594),
    )
    other = option(2, 0.4, choice(Variant.FULL, 1.0, 144))
    chosen, _ = select_greedy([best, other], 180)
    assert [(item.candidate.chunk.id, item.choice.variant) for item in chosen] == [(1, Variant.EXTRACT)]


def test_a_body_that_does_not_fit_gives_way_to_the_signature() -> None:
    best = option(1, 1.0, choice(Variant.SIGNATURE, 0.3, 28), choice(Variant.FULL, 1.0, 144))
    chosen, _ = select_greedy([best], 100)
    assert [item.choice.variant for item in chosen] == [Variant.EXTRACT]  # the signature and the lines below
    assert chosen[0].choice.cost == 100


def test_what_has_no_chance_comes_behind_more_lines_of_what_has() -> None:
    best = option(1, 1.0, choice(Variant.EXTRACT, 0.6, 50), choice(Variant.FULL, 1.0, 200))
    unlikely = option(2, 0.001, choice(Variant.FULL, 1.0, 40))
    likely = option(3, 0.1, choice(Variant.FULL, 1.0, 40))
    chosen, _ = select_greedy([best, unlikely], 120)
    assert [(item.candidate.chunk.id, item.choice.cost) for item in chosen] == [(1, 120)]
    chosen, _ = select_greedy([best, likely], 120)
    assert [(item.candidate.chunk.id, item.choice.cost) for item in chosen] == [(1, 80), (3, 40)]


CALL = [
    "def pay(order):",
    "    first()",
    "    second()",
    "    third()",
    "    send(",
    "        order,",
    "    )",
    "    done()",
]


def test_added_lines_do_not_end_inside_a_statement() -> None:
    room = len("\n".join(CALL[:6]))
    assert shown(CALL, extract(CALL, (0, 1)), room) == ["\n".join(CALL[:4])]


def test_a_report_gets_every_line_that_fits() -> None:
    chunk, room = code(CALL), len("\n".join(CALL[:6]))
    found = widened(
        chunk, extract(CALL, (0, 1)), room, whole=len(chunk.text), overhead=0, further=0, report=True
    )
    assert found is not None
    assert [chunk.text[start:end] for start, end in found.parts] == ["\n".join(CALL[:6])]
