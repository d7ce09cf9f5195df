"""Bounds of everything that an agent receives, because its context is limited.

A longer result loses the ends of its longest texts first, then the ends of its lists; it says how much was left out, and how
to get that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from daypack.verbs import Answer, Verb

MOST_CHARACTERS = 48_000  # of a text, and of data as JSON, without what a budget of the call allows
CHARACTERS_OF_TOKEN = 8
LONGEST_ECHO = 300  # characters of a text that the caller sent
SHORTEST = 500  # characters that a text keeps before lists are cut
MOST_NAMES = 40  # an object with more names is cut like a list
NOTE = 400  # characters that the note on the cut takes

_ECHOES = frozenset({"query", "query_text", "subject"})
_TOKENS = ("budget", "token_budget", "budget_tokens")


def most_of(verb: Verb, arguments: Mapping[str, Any]) -> int:
    """The characters that a result of this call may have: a budget in tokens or characters adds to them."""
    for parameter in verb.parameters:
        budget = arguments.get(parameter.name, parameter.default)
        if parameter.name in (*_TOKENS, "max_chars") and isinstance(budget, int):
            if parameter.name == "max_chars":
                return MOST_CHARACTERS // 3 + 3 * max(budget, 0)
            return MOST_CHARACTERS // 3 + CHARACTERS_OF_TOKEN * max(budget, 0)
    return MOST_CHARACTERS


def bounded_answer(
    answer: Answer | dict[str, Any], verb: Verb, arguments: Mapping[str, Any]
) -> Answer | dict[str, Any]:
    """The answer of a call within its bound."""
    most, more = most_of(verb, arguments), how_to_get_more(verb)
    if not isinstance(answer, Answer):
        sent = frozenset(value for value in arguments.values() if isinstance(value, str))
        return bounded_data(_with_short_echoes(answer, sent), most, more)
    text = answer.text if has_budget(verb) else bounded_text(answer.text, most, more)
    return Answer(text, bounded_data(answer.details, most, more))


def has_budget(verb: Verb) -> bool:
    """True for a verb whose text keeps a budget of tokens by itself."""
    return verb.name != "ctx_batch_execute" and any(
        parameter.name in _TOKENS for parameter in verb.parameters
    )


def bounded_text(text: str, most: int, more: str) -> str:
    """The text, or its first lines and a line that counts the rest; `more` says how to get that."""
    if len(text) <= most:
        return text
    head = text[: most - NOTE]
    if "\n" in head[-2_000:]:
        head = head[: head.rindex("\n") + 1]
    fence = _open_fence(head)
    end = "" if head.endswith("\n") else "\n"
    return f"{head}{end}{fence}[{len(text) - len(head):,} more characters did not fit: {more}]\n"


def _open_fence(text: str) -> str:
    """The line that closes the fence that is open at the end of a text; "" for none."""
    ticks = ""
    for line in text.split("\n"):
        if ticks:
            ticks = "" if line == ticks else ticks
        elif match := re.match(r"`{3,}", line):
            ticks = match[0]
    return f"{ticks}\n" if ticks else ""


def bounded_data(data: Mapping[str, Any], most: int, more: str) -> dict[str, Any]:
    """The data, or as much of them as `most` characters of JSON hold, with a `cut` that counts the rest."""
    whole: dict[str, Any] = _with_short_echoes(data)
    if size_of(whole) <= most:
        return whole
    room, before = most - NOTE, size_of(whole)
    longest = room // 2
    while longest >= SHORTEST:
        shorter = _with_short_texts(whole, longest)
        if size_of(shorter) <= room:
            return {**shorter, "cut": {"characters": before - size_of(shorter), "more": more}}
        longest //= 2
    shorter = _with_short_texts(whole, SHORTEST)
    counts: dict[str, int] = {}
    while size_of(shorter) > room:
        holders = [*_holders(shorter, MOST_NAMES)] or [*_holders(shorter, 0)]
        path, container = max(holders, key=lambda holder: size_of(holder[1]))
        dropped = _drop_last(container, size_of(shorter) - room)
        counts[path] = counts.get(path, 0) + dropped
    most_dropped = dict(sorted(counts.items(), key=lambda item: -item[1])[:5])
    cut: dict[str, Any] = {"characters": before - size_of(shorter), "items": most_dropped, "more": more}
    while most_dropped and size_of({"cut": cut}) > NOTE:  # a path of names from a document may be long
        most_dropped.popitem()
    if not most_dropped:
        del cut["items"]
    return {**shorter, "cut": cut}


def size_of(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str))


def _drop_last(container: list[Any] | dict[str, Any], excess: int) -> int:
    """Drop the last items of a list or an object, for `excess` characters, at least one; returns their number."""
    dropped = 0
    while container and (excess > 0 or not dropped):
        item = container.pop() if isinstance(container, list) else container.popitem()
        dropped += 1
        excess -= size_of(item)
    return dropped


def _with_short_echoes(value: Any, sent: frozenset[str] = frozenset(), name: str = "") -> Any:
    """The data with the beginnings of texts that the caller `sent`: one that it remembered comes back in the answer."""
    match value:
        case str():
            return _clipped(value, LONGEST_ECHO) if name in _ECHOES or value in sent else value
        case Mapping():
            return {key: _with_short_echoes(item, sent, key) for key, item in value.items()}
        case list() | tuple():
            return [_with_short_echoes(item, sent) for item in value]
    return value


def _with_short_texts(value: Any, longest: int) -> Any:
    match value:
        case str():
            return _clipped(value, longest)
        case Mapping():
            return {
                _clipped(str(name), LONGEST_ECHO): _with_short_texts(item, longest)
                for name, item in value.items()
            }
        case list() | tuple():
            return [_with_short_texts(item, longest) for item in value]
    return value


def _clipped(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    return f"{text[: longest - 40]}… ({len(text) - longest + 40:,} more characters)"


def _holders(value: Any, names: int, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every list with something in it, and every object of more than so many names, with its path."""
    if isinstance(value, dict):
        if len(value) > names:
            yield path, value
        for name, item in value.items():
            yield from _holders(item, names, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and value:
        yield path, value
        for item in value:
            yield from _holders(item, names, f"{path}[]")


def how_to_get_more(verb: Verb) -> str:
    """The next step for an agent whose result was cut."""
    names = {parameter.name for parameter in verb.parameters}
    if verb.name == "get":
        return "the next page has them"
    if "skip" in names:
        return "ask with a smaller limit, and with skip for the rest"
    if "cursor" in names:
        return "ask with a smaller limit, then with cursor; `get` reads a long text in pages"
    if "queries" in names:
        return "ask fewer questions in a call, or with a smaller limit"
    if "limit" in names:
        return "ask with a smaller limit; `get` reads a long text in pages"
    return "ask for less; `get` reads a long text in pages"
