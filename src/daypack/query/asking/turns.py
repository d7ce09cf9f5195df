"""The turns of a conversation before a question, whose subject they may hold.

    user: How are flags parsed?
    assistant: `ParseFlags` in command.go does so.
    user: And where is it called?                      →  the question, with the words of the turns before it

A question that is complete by itself is read alone, because it may be about something else. One without a form of its own
("and with input?") asks for use where the question before it does so ("how do I test it?").

    weight of a term that the question lacks:  of the asker's turns 1, of the last reply ½
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from daypack.errors import InputError, clipped
from daypack.query.asking.complete import ENOUGH, is_complete
from daypack.query.names import names_of
from daypack.query.sections import sections_of
from daypack.query.sentences import AUXILIARY, CHANGES, WH
from daypack.text.checks import check_text
from daypack.types import ASKER_ROLES, Turn

_ASKED, _REPLIED = 1.0, 0.5
_MOST_ASKED = 3  # turns of the asker, the last ones
_SHORT = 200  # characters of a message without a form of its own
_READ = 1_000  # characters of a turn: a pasted log comes after the words of its asker
_JOINS = r"(?i)\s*(?:(?:and|but|or|also|then|so|ok(?:ay)?)\b[\s,]*)+"
# a question, a request, or a word for code
_FORM = (
    rf"(?i)(?:.*[,;:.–-]\s+)?(?:(?:at|by|for|from|in|into|of|on|to|with) )?(?:{WH}|whose|whom|{AUXILIARY}|am|has|have|had|may|might|must|shall|explain|find|give|list|show|tell"
    rf"|{CHANGES})(?:n?['’]t)?\b|.*(?:\b(?:class|code|definition|function|implementation|method|source)\b|\w\(\))"
)
_BARE = r"(?i)(?:an?|another|as|at|by|for|from|in|into|on|the|to|with|without)\b"  # "and in May"
_HOW_TO = r"(?i)\s*(?:(?:and|so|ok(?:ay)?)\b[\s,]*)*how (?:to|(?:can|could|do|should|would) (?:I|one|you))\b"
_ABOUT = r"(?i)(?:how|what) about\b"
_LABEL = r"(?i)\s*(?:(?P<asker>user|human)|(?P<reply>assistant|agent|ai|model|bot))\s*:\s*"
_BESIDE = frozenset({"type", "tool_calls", "function_call", "refusal", "audio"})
"""Keys of messages that model APIs keep without a role, or without a content."""
_REPLIES = frozenset({"assistant", "agent", "ai", "model", "bot"})


def turns_of(history: Iterable[str | Mapping[str, Any]] | None) -> tuple[Turn, ...]:
    """The turns in a list of messages, oldest first: objects with a `role` and a `content`, as model APIs take them, or texts, which
    are the asker's unless they begin with "assistant:". Messages of other roles are left out. Raises InputError, also for an
    object that lacks one of the two, whose name may be misspelt.
    """
    if history is None:
        return ()
    if isinstance(history, (str, bytes, Mapping)) or not isinstance(history, Iterable):
        raise InputError('history is not a list of messages; give one, as ["How are flags parsed?"]')
    turns = []
    for message in history:
        if isinstance(message, Mapping):
            _check_message(message)
            role, text = str(message.get("role", "")).lower(), _text_of(message.get("content"))
            if role in ASKER_ROLES or role in _REPLIES:
                turns.append(Turn(text, is_reply=role in _REPLIES))
            continue
        check_text("a message of history", message, "its text, or an object with role and content")
        label = re.match(_LABEL, message)
        turns.append(
            Turn(message[label.end() :] if label else message, is_reply=bool(label and label["reply"]))
        )
    return tuple(turn for turn in turns if turn.text.strip())


def _check_message(message: Mapping[str, Any]) -> None:
    """Raise InputError for an object that lacks a role or a content."""
    missing = next((name for name in ("role", "content") if name not in message), None)
    other = str(message.get("role", "user")).lower() not in ASKER_ROLES | _REPLIES
    if missing is None or other or not _BESIDE.isdisjoint(message):
        return
    held = f", it has {', '.join(map(str, message))}" if message else ""
    raise InputError(
        f"a message of history has no {missing}{clipped(held)[1:-1]}; "
        'give its text, or an object as {"role": "user", "content": "How are flags parsed?"}'
    )


def _text_of(content: Any) -> str:
    """The text of a message whose content is a text, or a list of parts of which some are texts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


class Before(NamedTuple):
    """The part of a conversation before a question that the question may refer to."""

    said: list[tuple[str, float]]  # (text, weight of its words)
    names: tuple[str, ...]  # of code, those of the reply first
    question: str = ""  # "how do I …?", whose form a question without one has


NOTHING_BEFORE = Before([], ())


def before_question(asked: str, turns: Sequence[Turn]) -> Before:
    """The last turns of the asker and the last reply; nothing for a question that needs neither."""
    if not turns or is_complete(asked, more_than=ENOUGH):
        return NOTHING_BEFORE
    questions = [turn.text[:_READ] for turn in turns if not turn.is_reply][-_MOST_ASKED:]
    replies = [turn.text[:_READ] for turn in turns if turn.is_reply][-1:]
    said = [(text, _ASKED) for text in questions] + [(text, _REPLIED) for text in replies]
    named = (names_of(sections_of(text)).mentions for text in (*replies, *questions[-1:]))
    question = ""
    if _is_elliptical(asked):
        question = next((text for text in reversed(questions) if not _is_elliptical(text)), "")
        question = question if re.match(_HOW_TO, question) else ""
    return Before(said, tuple(dict.fromkeys(name for names in named for name in names)), question)


def _is_elliptical(asked: str) -> bool:
    """True of "And in May?", "What about May?" and "In May?", false of "And where is it called?" and "It fails."."""
    if len(asked) > _SHORT:
        return False
    joined = re.match(_JOINS, asked)
    rest = asked[joined.end() if joined else 0 :].strip()
    if re.match(_ABOUT, rest):
        return True
    is_bare = rest.endswith("?") or (joined is not None and re.match(_BARE, rest) is not None)
    return is_bare and len(rest) > 1 and not re.match(_FORM, rest)
