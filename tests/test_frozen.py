"""The quick decorator of frozen nouns, held against the one of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import types
from daypack.frozen import dataclass as quick


def noun(decorator: Callable[..., Callable[[type], type]]) -> Any:
    class Noun:
        """A thing."""

        name: str
        size: int = 3
        tags: list[int] = dataclasses.field(default_factory=lambda: [1])
        quiet: int = dataclasses.field(default=0, compare=False, repr=False)

    return decorator(frozen=True, slots=True, order=True)(Noun)


OURS, THEIRS = noun(quick), noun(dataclasses.dataclass)
values = st.tuples(
    st.text(max_size=3), st.integers(0, 3), st.lists(st.integers(0, 1), max_size=2), st.integers(0, 1)
)


@given(values, values)
def test_two_are_compared_and_shown_as_the_standard_library_does_it(
    one: tuple[Any, ...], other: tuple[Any, ...]
) -> None:
    ours, theirs = (OURS(*one), OURS(*other)), (THEIRS(*one), THEIRS(*other))
    for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(ours[0], name)(ours[1]) == getattr(theirs[0], name)(theirs[1])
    assert repr(ours[0]) == repr(theirs[0])
    assert dataclasses.asdict(ours[0]) == dataclasses.asdict(theirs[0])
    assert dataclasses.replace(ours[0], size=9) == OURS(one[0], 9, *one[2:])


def test_arguments_defaults_and_matching_are_the_same() -> None:
    assert inspect.getfullargspec(OURS.__init__).args == inspect.getfullargspec(THEIRS.__init__).args
    assert OURS("a") == OURS(name="a", size=3, tags=[1])
    assert OURS("a").tags is not OURS("a").tags
    assert OURS.__match_args__ == THEIRS.__match_args__
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        OURS()


def test_what_is_equal_has_one_hash_and_another_kind_is_never_equal() -> None:
    assert hash(types.Span(1, 2, 3, 4)) == hash(types.Span(1, 2, 3, 4))
    assert len({types.Anchor(types.AnchorKind.PATH, "a"), types.Anchor(types.AnchorKind.PATH, "a")}) == 1
    assert OURS("a") != THEIRS("a")
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS("a"))


def test_nothing_can_be_changed_added_or_taken_away() -> None:
    span = types.Span(1, 2, 3, 4)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'start'"):
        span.start = 5  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="'more'"):
        span.more = 5  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError, match="'start'"):
        del span.start
    assert not hasattr(span, "__dict__")


def test_copies_and_pickles_are_equal() -> None:
    stats = types.SearchStats(chunks=3, degraded=("vectors",), corrections={"teh": "the"})
    assert copy.copy(stats) == stats
    pack = types.Pack("why?", types.Budget(10), ())
    assert pickle.loads(pickle.dumps(pack.budget)) == pack.budget
