"""Chats that Slack, Telegram, Discord, Messenger, Instagram and Google Chat export as JSON, as Markdown: a paragraph for each
message, with who and when.

    Ida Holm, 3 Nov 2026 08:15 UTC: The crane comes on Friday.

JSON repeats a text several times, and a part of it says neither who wrote it nor when.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from daypack.doors.reading.office.text import escaped
from daypack.shapes.loose_json import object_of, objects_of, parsed, text_of
from daypack.text.prose.written_days import written_day


class Chat(NamedTuple):
    """The text of a chat, and its name, "" for one without."""

    text: str
    title: str


def render_chat(text: str, users: Callable[[], str] = str) -> Chat | None:
    """An exported chat as Markdown; None for other JSON. `users` reads the list of people that Slack exports beside its
    channels, for those whom a file knows by their ids alone.
    """
    if '"ts"' not in text[:_HEAD] and '"messages"' not in text[:_HEAD]:
        return None  # most files of JSON, which need not be parsed
    data = parsed(text, None)
    title, messages = "", data
    if isinstance(data, dict):
        channel = data.get("channel")
        named = channel.get("name") if isinstance(channel, dict) else data.get("name")
        title, messages = text_of(named) or _unbroken(text_of(data.get("title"))), data.get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    items = [one for one in messages if isinstance(one, dict)]
    form: Callable[[Mapping[str, Any]], _Message | None]
    if data is messages:
        names = _names(items)
        if any(user not in names for user in _users(items)):
            names = {**_listed(users()), **names}
        form = partial(_slack, names=names)
    else:
        other = _telegram if "type" in data else _discord
        form = next((_FORMS[key] for key in _FORMS if items and key in items[0]), other)
    said = [found for one in items if (found := form(one)) is not None]
    if not said or 2 * len(said) < len(
        messages
    ):  # a chat has some notices beside its messages, others have few such items
        return None
    head = [f"# {' '.join(title.split())}"] if title.strip() else []
    return Chat("\n\n".join([*head, *_paragraphs(said)]) + "\n", " ".join(title.split()))


_HEAD = 8_000  # characters, in which the first message of a chat begins
_Message = tuple[str, datetime, str]


def _paragraphs(messages: Iterable[_Message]) -> Iterator[str]:
    for who, when, text in messages:
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if lines:
            shown = "\n".join([lines[0], *map(escaped, lines[1:])])
            zone = " UTC" if when.tzinfo else ""
            yield f"{who}, {written_day(when)} {when:%H:%M}{zone}: {shown}"


def _slack(message: Mapping[str, Any], names: Mapping[str, str]) -> _Message | None:
    stamp, text, user = message.get("ts"), message.get("text"), message.get("user")
    if message.get("type") != "message" or not isinstance(stamp, str) or not isinstance(text, str):
        return None
    who = _name_of(message) or names.get(str(user), "")
    if not who:
        who = str(next((name for name in (message.get("username"), user) if _is_name(name)), "?"))
    text = _MENTION.sub(lambda found: found[1] + (found[3] or names.get(found[2], found[2])), text)
    with suppress(ValueError, OverflowError, OSError):
        moment = datetime.fromtimestamp(float(stamp), UTC)
        return who, moment, html.unescape(_LINK.sub(_link, text))
    return None


def _names(messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """User → name, of those whose name a message of the file says."""
    return {str(one["user"]): name for one in messages if "user" in one and (name := _name_of(one))}


def _users(messages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The ids of the people who write in a channel of Slack, and of those whom they mention."""
    for one in messages:
        if isinstance(user := one.get("user"), str):
            yield user
        if isinstance(text := one.get("text"), str):
            yield from (found[2] for found in _MENTION.finditer(text) if found[1] == "@" and not found[3])


def _listed(users: str) -> dict[str, str]:
    """User → name, by the list of people of an export."""
    people = objects_of(parsed(users, []))
    profiles = [{"user_profile": {**one, **object_of(one.get("profile"))}} for one in people]
    named = zip(people, map(_name_of, profiles), strict=True)
    return {str(one.get("id")): name for one, name in named if name}


def _name_of(message: Mapping[str, Any]) -> str:
    """The name in the profile of a message; "" without."""
    profile = message.get("user_profile")
    if not isinstance(profile, dict):
        return ""
    names = map(profile.get, ("real_name", "display_name", "name"))
    return next((name for name in names if isinstance(name, str) and _is_name(name)), "")


# <@U02>, <@U02|ida> and <#C01|quay>
_MENTION = re.compile(r"<([@#])([A-Z0-9]{1,30})(?:\|([^<>\n]{1,100}))?>")


_LINK = re.compile(r"<((?:https?|mailto):[^<>|\s]{1,2000})(?:\|([^<>\n]{1,500}))?>")


def _link(found: re.Match[str]) -> str:
    return f"{found[2]} ({found[1]})" if found[2] and found[2] != found[1] else found[1]


def _telegram(message: Mapping[str, Any]) -> _Message | None:
    text = message.get("text")
    if isinstance(text, list):  # pieces, of which links and bold words are objects
        pieces = (piece.get("text") if isinstance(piece, dict) else piece for piece in text)
        text = "".join(piece for piece in pieces if isinstance(piece, str))
    if message.get("type") != "message" or not isinstance(text, str):
        return None
    return _at(message.get("from"), message.get("date"), text)


def _discord(message: Mapping[str, Any]) -> _Message | None:
    author, text = message.get("author"), message.get("content")
    if not isinstance(author, dict) or not isinstance(text, str):
        return None
    return _at(author.get("nickname") or author.get("name"), message.get("timestamp"), text)


def _messenger(message: Mapping[str, Any]) -> _Message | None:
    who, text, stamp = message.get("sender_name"), message.get("content"), message.get("timestamp_ms")
    if not isinstance(text, str) or not isinstance(stamp, int):
        return None
    with suppress(ValueError, OverflowError, OSError):
        moment = datetime.fromtimestamp(stamp / 1_000, UTC)
        return _unbroken(text_of(who)).strip() or "?", moment, _unbroken(text)
    return None


def _unbroken(text: str) -> str:
    """The text of Messenger or Instagram, whose exports write each byte of UTF-8 as a character of its own."""
    with suppress(ValueError):
        return text.encode("latin-1").decode("utf-8")
    return text


def _google(message: Mapping[str, Any]) -> _Message | None:
    who, text = object_of(message.get("creator")).get("name"), message.get("text")
    when = " ".join(text_of(message.get("created_date")).split())  # with narrow spaces
    with suppress(ValueError):
        moment = datetime.strptime(when, "%A, %B %d, %Y at %I:%M:%S %p UTC").replace(tzinfo=UTC)
        return (str(who) if _is_name(who) else "?", moment, text) if isinstance(text, str) else None
    return None


_FORMS = {"sender_name": _messenger, "creator": _google}
"""A key of a message → its form."""


def _at(who: object, when: object, text: str) -> _Message | None:
    if not isinstance(when, str):
        return None
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(when)
        return str(who) if _is_name(who) else "?", moment.astimezone(UTC) if moment.tzinfo else moment, text
    return None


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
