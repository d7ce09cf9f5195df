"""Large packs show something of each of the best files of code."""

from __future__ import annotations

from daypack.pack.breadth import FILES, with_best_files
from daypack.pack.select import Option, selected
from daypack.pack.variants import Choice
from daypack.testing import make_chunk
from daypack.types import Candidate, RecordKind, Variant

LIMIT = 8_000


def option(
    number: int, record: int, *, kind: RecordKind = RecordKind.CODE, costs: tuple[int, ...] = (50, 400)
) -> Option:
    choices = [Choice(Variant.EXTRACT, (), n / len(costs), cost) for n, cost in enumerate(costs, 1)]
    chunk = make_chunk("def load(): ...", number, record_id=record, record_kind=kind)
    return Option(Candidate(chunk, 1 / number, 1 / number, ()), [(1.0, costs[0])], lambda: choices)


def added(options: list[Option]) -> list[tuple[int, int]]:
    """(record, cost) of the choices that join that of the first option."""
    first = selected(options[0].candidate, options[0].hull[-1])
    found = with_best_files(options, [first], LIMIT)
    assert found[0] is first
    return [(item.candidate.chunk.record_id, item.choice.cost) for item in found[1:]]


def test_each_of_the_best_files_without_a_choice_gets_its_smallest() -> None:
    files = [option(n, n) for n in range(1, FILES + 6)]
    assert added([files[0], option(90, 1), *files[1:]]) == [(n, 50) for n in range(2, FILES + 1)]


def test_pages_and_files_whose_lines_cost_too_much_are_left_as_they_are() -> None:
    page, long = option(2, 2, kind=RecordKind.DOCUMENT), option(3, 3, costs=(LIMIT,))
    assert added([option(1, 1), page, long, option(4, 4)]) == [(4, 50)]


def test_added_choices_are_given_up_last() -> None:
    options = [option(1, 1), option(2, 2)]
    first = selected(options[0].candidate, options[0].hull[-1])
    assert sorted(with_best_files(options, [first], LIMIT), key=lambda item: item.density)[0] is first


def test_a_file_for_whose_lines_no_room_was_left_still_shows_its_smallest() -> None:
    files = [option(1, 1), option(2, 2)]
    assert not files[1].fit(10)
    assert added(files) == [(2, 50)]
