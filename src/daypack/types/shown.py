"""Answers that show themselves: their text where they are printed, one line in a debugger, a block in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from operator import attrgetter
from typing import ClassVar, Generic, TypeVar, overload

from daypack.text.fences import fence

T = TypeVar("T")
LONGEST_FACT = 60  # characters of a question or value in one line


def on_line(text: str) -> str:
    """A text in one line: white space joined, characters that are not printable as their escapes."""
    line = " ".join(text.split())
    return (
        line
        if line.isprintable()
        else "".join(one if one.isprintable() else ascii(one)[1:-1] for one in line)
    )


def _fact(value: object) -> str:
    if isinstance(value, str):
        value = str(value)  # the value of an enum
        return repr(value if len(value) <= LONGEST_FACT else f"{value[: LONGEST_FACT - 1]}…")
    return f"{len(value) if isinstance(value, Sized) else value}"


class Shown:
    """An answer with a text: `print` and f-strings give the text, `repr` one line of facts.

    A class names the attribute that is its `text`, and those that `repr` tells. A notebook shows the text as it
    is: stored text is data, so nothing in it is rendered or fetched.
    """

    __slots__ = ()
    _text: ClassVar[str] = ""
    _facts: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, text: str = "", facts: str = "") -> None:
        super().__init_subclass__()
        # a dataclass with slots is made twice, the second time from the attributes of the first
        cls._text, cls._facts = text or cls._text, tuple(facts.split()) or cls._facts

    def __str__(self) -> str:
        return str(attrgetter(self._text)(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        facts = (f" {name}={_fact(attrgetter(name)(self))}" for name in self._facts)
        return f"<{type(self).__name__}{''.join(facts)}>"

    def _repr_markdown_(self) -> str:
        text = str(self)
        edge = fence(text)
        return f"{edge}text\n{text.rstrip()}\n{edge}\n"

    def _repr_html_(self) -> str:
        from html import escape

        text = f'<pre style="white-space: pre-wrap">{escape(str(self))}</pre>'
        return f"<p><code>{escape(repr(self))}</code></p>{text}"


class ShownItems(Shown, Generic[T]):
    """An answer of several items, which it iterates over; an answer without any is false. The first attribute that
    `repr` tells holds them. Without a text it prints a line of facts for each.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return super().__str__() if self._text else "\n".join(map(repr, self))

    def _items(self) -> Sequence[T]:
        found: Sequence[T] = getattr(self, self._facts[0])
        return found

    def __iter__(self) -> Iterator[T]:
        return iter(self._items())

    def __len__(self) -> int:
        return len(self._items())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._items()[index]
