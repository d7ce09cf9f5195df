"""Texts in several threads beside each other, in a way that an interrupt cannot break.

The pool of the standard library takes locks in Python code of the caller's thread, once a text. An interrupt between such a lock
and its `with` leaves the lock taken for ever: the threads of the pool then wait for it, and the caller for them. The threads here share
nothing but a queue without a lock, and the caller is one of them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

Text = TypeVar("Text")
Row = TypeVar("Row")


def each(read: Callable[[Text], Row], texts: Sequence[Text], *, threads: int) -> list[Row]:
    """`read` of each text, in the order of the texts. After an error or an interrupt no text is begun any more."""
    waiting = deque(enumerate(texts))
    rows: dict[int, Row] = {}
    errors: list[BaseException] = []

    def take() -> None:
        try:
            while True:
                try:
                    place, text = waiting.popleft()
                except IndexError:
                    return
                rows[place] = read(text)
        except BaseException as error:
            waiting.clear()
            errors.append(error)

    others: list[threading.Thread] = []
    try:
        for _ in range(min(threads, len(texts)) - 1):
            # A daemon, because a thread whose start is interrupted may never begin; none should hold the process up.
            other = threading.Thread(target=take, name="daypack-embed", daemon=True)
            other.start()
            others.append(other)
        take()
    finally:
        waiting.clear()
        for other in others:
            other.join()
    if errors:
        raise errors[0]
    return [rows[place] for place in range(len(texts))]
