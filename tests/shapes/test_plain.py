"""Plain data of nouns: what `json.dumps` gets from enums, tuples, mappings and nested nouns."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import pytest

from daypack.shapes.plain import or_none, pick, pick_set, plain, rounded, timestamp


class Colour(enum.Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Drawing:
    name: str
    points: tuple[Point, ...] = ()
    drawn_at: float | None = None

    @property
    def size(self) -> int:
        return len(self.points)


DRAWING = Drawing("house", (Point(3, Colour.RED),), 1_700_000_000.5)


def test_a_noun_becomes_a_dict_of_its_fields() -> None:
    data = plain(DRAWING)
    assert data == {"name": "house", "points": [{"x": 3, "colour": "red"}], "drawn_at": 1_700_000_000.5}
    assert json.loads(json.dumps(data)) == data


def test_mappings_sets_and_keys_that_are_enums_become_plain() -> None:
    assert plain(MappingProxyType({Colour.RED: frozenset({1})})) == {"red": [1]}


def test_pick_renames_reads_properties_and_keeps_the_order_of_the_names() -> None:
    assert [*pick(DRAWING, "size title=name first=points").items()] == [
        ("size", 1),
        ("title", "house"),
        ("first", [{"x": 3, "colour": "red"}]),
    ]
    assert pick(Point(3, Colour.RED), "value=colour.value") == {"value": "red"}
    assert pick(DRAWING, "drawn_at", timestamp) == {"drawn_at": "2023-11-14T22:13:20.500Z"}


def test_pick_set_leaves_out_the_empty() -> None:
    assert pick_set(Drawing(""), "name points drawn_at size") == {}
    assert pick_set(DRAWING, "name size") == {"name": "house", "size": 1}


def test_conversions_know_none_and_empty() -> None:
    assert timestamp(None) is None and rounded(None) is None and or_none("") is None
    assert rounded(1 / 3) == 0.333333 and or_none("x") == "x"


def test_an_unknown_attribute_and_an_unknown_type_raise() -> None:
    with pytest.raises(AttributeError):
        pick(DRAWING, "height")
    with pytest.raises(TypeError, match="object"):
        plain(object())
