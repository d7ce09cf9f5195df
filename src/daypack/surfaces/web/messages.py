"""Messages as the page says them: sentences, with code set as code, and links to views instead of commands that show the same."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup

from daypack.guard.fences import encode

SAME_AS = {
    "memory list": ("/memories", "Memories"), "memory search": ("/memories", "Memories"),
    "memory review": ("/memories", "Memories"),
    "label list": ("/sources", "Sources"), "source list": ("/sources", "Sources"),
    "code symbols": ("/code", "Code"), "docs plans": ("/documents#plans", "Documents"),
    "config show": ("/settings", "Settings"), "eval runs": ("/evaluations", "Evaluations"),
    "doctor": ("/store#doctor", "Store"), "search": ("/", "Pack"),
}  # fmt: skip
"""Command → the address and the name of the view that shows the same."""
_BETWEEN_BACKTICKS = re.compile(r"`([^`]+)`")
_PLAIN_WORD = re.compile(r"[a-z]+[\s,;:]")


def coded(text: str) -> Markup:
    """The text, with the words between backticks as code."""
    return _marked(text, _code)


def sentence(message: str) -> Markup:
    """A message of an error as a sentence of the page."""
    if _PLAIN_WORD.match(message):  # not a path, nor a name in quotation marks
        message = message[0].upper() + message[1:]
    if message and message[-1] not in ".!?…":
        message += "."
    return _marked(message, _view_or_code)


def _code(words: str) -> Markup:
    return Markup("<code>{}</code>").format(words)


def _view_or_code(words: str) -> Markup:
    found = SAME_AS.get(words.removeprefix("daypack ")) if words.startswith("daypack ") else None
    return Markup('<a href="{}">{}</a>').format(*found) if found else _code(words)


def _marked(text: str, mark: Callable[[str], Markup]) -> Markup:
    pieces = _BETWEEN_BACKTICKS.split(encode(str(text))[0])
    return Markup("").join(mark(piece) if odd % 2 else piece for odd, piece in enumerate(pieces))
