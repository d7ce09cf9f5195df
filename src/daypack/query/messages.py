"""Messages: texts that a program printed and a query repeats. Code holds them, apart from filled-in values.

why do I get "fields cash and card are mutually exclusive"?      a quotation
shop.CartError: order 12 was refused by the bank                 a line of an error
what does unable to find a cart mean?                           a title, whatever it asks
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from daypack.query.frames import LONGEST_LINE
from daypack.query.kinds import asks
from daypack.query.sections import ERROR_LINE, Sections
from daypack.text import analysis

LEAST_WORDS, LEAST_TELLING, LONG = 3, 2, 5  # words of a message
MOST_LINES, MOST_MESSAGES = 5, 10
MOST_WORDS = 40
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


def messages_of(sections: Sections) -> tuple[str, ...]:
    """The texts that may be messages, cut to `MOST_WORDS` words: quotations, sentences of the title, lines of errors."""
    return tuple(dict.fromkeys(filter(_tells, _texts(sections))))[:MOST_MESSAGES]


def sayings_of(sections: Sections, messages: Iterable[str]) -> tuple[str, ...]:
    """The messages that a text may hold as a whole: quotations, and sentences that are not questions, because a text that
    repeats a question seldom answers it.
    """
    marked = {*map(_message, sections.inline)}
    return tuple(message for message in messages if message in marked or not asks(message))


def _texts(sections: Sections) -> Iterator[str]:
    errors = [line.strip() for line in sections.code.split("\n") if ERROR_LINE.match(line.strip())]
    for text in sections.inline:
        yield _message(text)
    for line in [sections.title, *errors[-MOST_LINES:]]:
        for sentence in _SENTENCE_END.split(line[:LONGEST_LINE]):
            yield _message(sentence)


def _message(text: str) -> str:
    """The words after the name of an error, if any, with single blanks."""
    return " ".join(ERROR_LINE.sub("", text[:LONGEST_LINE].strip(), count=1).split()[:MOST_WORDS])


def _tells(message: str) -> bool:
    words = _WORD.findall(message.lower())
    telling = sum(word not in analysis.STOP_WORDS for word in words)
    return len(words) >= LONG or (len(words) >= LEAST_WORDS and telling >= LEAST_TELLING)
