"""Messages: texts that a program printed and a query repeats. Code holds them, apart from filled-in values.

why do I get "fields cash and card are mutually exclusive"?      a quotation
shop.CartError: order 12 was refused by the bank                 a line of an error
what does unable to find a cart mean?                           a title, whatever it asks
It prints: ⏎ ``` ⏎ the bank refused order 12 ⏎ ```              the last lines of a program's output
I pay twice. The bank refused order 12. Why?                     any sentence
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from daypack.query.sections import ERROR_LINE, SHORT_QUERY, Sections
from daypack.query.sentences import SENTENCE_END, WH, asks
from daypack.query.traces.frames import LONGEST_LINE
from daypack.text import analysis, logs

LEAST_WORDS, LEAST_TELLING, LONG = 3, 2, 5  # words of a message
MOST_LINES, MOST_MESSAGES = 5, 16
FEW_LINES = 10
MOST_WORDS = 40
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SET_APART = r"\*\*([^*\n]{9,400})\*\*|\(([^()\n]{9,400})\)"  # bold, or between brackets
_MARKS = "\"'`“”"
_PLACED = r"\s*\S+:\d+:(?:\d+:)? +\S"  # cart_test.go:12: …
# the time, thread and level of a line of a log, and the place of a failed test
_LOGGED = (
    r"(?:(?:\S+\.\w+:\d+:(?:\d+:)?|\d{4}-\d\d-\d\d\S*|\S*\d:\d\d\S*|\[[^\]\n]{0,80}\]|\S+ +\||(?:DEBUG|INFO|NOTICE|TRACE|WARN(?:ING)?|CRITICAL|ERROR|FATAL|PANIC)\b:?|[-|:])\s+)+"
    r"(?:[\w-]+(?:\.[\w-]+)+:? +)?"
)
# the words of the asker before a message: "The log says …", "It fails with: …", "I get this error: …"
_LEAD = (
    r"(?i).{0,80}?\b(?:(?:log|error|message|output|console|terminal|it|this|that) (?:says|said|reads|shows|prints|printed|is|was)|(?:crash|die|end|exit|fail|stop)(?:s|es|d|ed)? with"
    r"|(?:I|we) (?:get|got|see|saw)|(?:throw|raise|report|return)s)(?:(?: an?| the| this)?(?: error| exception| message| warning)+)?(?: that|:)? +"
)


class Messages(NamedTuple):
    """The texts that may be messages, cut to `MOST_WORDS` words. Those of `maybe` are sentences that ask: most of their words are the
    asker's, and a text that repeats a question seldom answers it.
    """

    sure: tuple[str, ...]
    maybe: tuple[str, ...]


def messages_of(sections: Sections) -> Messages:
    """The messages among quotations, sentences of the title, lines of errors, lines of output and sentences of the prose."""
    by_form: dict[str, str] = {}
    for message in filter(_tells, _texts(sections)):
        by_form.setdefault(logs.form(message), message)
    marked = {*map(_message, sections.inline)}
    found = [*by_form.values()][:MOST_MESSAGES]
    maybe = tuple(message for message in found if message not in marked and _is_question(message))
    return Messages(tuple(message for message in found if message not in maybe), maybe)


def _is_question(sentence: str) -> bool:
    """True of a question; "Will not pay more than 5 carts" is a message."""
    return sentence.endswith("?") or (asks(sentence) and re.match(rf"(?i)(?:{WH})\b", sentence) is not None)


def _texts(sections: Sections) -> Iterator[str]:
    pasted = f"{sections.code}\n{sections.prose}"
    errors = [line for line in pasted.split("\n") if _tells_of_failure(line.strip())]
    for text in sections.inline:
        yield _message(text)
    for text in re.findall(_SET_APART, sections.words):
        yield _message("".join(text))
    said = len(sections.title) + len(sections.prose)
    printed = _lines(sections.code, last=MOST_LINES if said <= SHORT_QUERY else 0)
    if sections.frames:  # the code of a trace is indented, its error is not, or is behind a place
        printed = [
            line
            for line in printed
            if re.match(_PLACED, line) or not (line[:1].isspace() or line.endswith(":"))
        ]
    for line in [sections.title, *errors[-MOST_LINES:], *printed, *_lines(sections.prose)]:
        sentences = re.split(SENTENCE_END, line[:LONGEST_LINE])
        yield from map(_message, sentences if len(sentences) <= FEW_LINES else [])


def _tells_of_failure(line: str) -> bool:
    if line.endswith(":"):  # "Traceback (most recent call last):"
        return False
    return bool(ERROR_LINE.match(line)) or logs.severity(line) <= logs.Severity.ERROR


def _lines(text: str, *, last: int = 0) -> list[str]:
    """The lines of a text that has few; the last ones of another, because in a long story most are beside the point."""
    lines = [line for line in text.split("\n") if line.strip()]
    return lines if len(lines) <= FEW_LINES else lines[len(lines) - last :]


def _message(text: str) -> str:
    """The words after those of the asker or of a log, and after the name of an error, with single blanks."""
    text = text[:LONGEST_LINE].strip()
    before = re.match(_LOGGED, text) or re.match(_LEAD, text)
    if before and _tells(text[before.end() :]):
        text = text[before.end() :].rstrip("?").strip(_MARKS)
    return " ".join(ERROR_LINE.sub("", text, count=1).split()[:MOST_WORDS])


def _tells(message: str) -> bool:
    words = _WORD.findall(message.lower())
    telling = sum(word not in analysis.STOP_WORDS for word in words)
    return len(words) >= LONG or (len(words) >= LEAST_WORDS and telling >= LEAST_TELLING)
