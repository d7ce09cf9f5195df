"""The part of a text that asks, apart from the words around it: an address, pasted lines, sentences that only say more.

"Can you tell me how flags are parsed? I use zsh."     asked   how flags are parsed?
                                                       beside  I use zsh.
"""

from __future__ import annotations

from typing import NamedTuple

from daypack.query.asking import Told, pasted_in, question_of, told_in
from daypack.query.sections import SHORT_QUERY, Sections, sections_of
from daypack.query.stories import Story, story_in

# enough for the title, the text and the trace of a report; logs and lists come after them
READ_BYTES = 8 << 10


def beginning(text: str) -> tuple[str, int]:
    """(the part of a text that is read as a query, the number of bytes after it)."""
    if len(text) <= READ_BYTES // 4:  # of at most four bytes each
        return text, 0
    encoded = text.encode(errors="replace")
    read = encoded[:READ_BYTES].decode(errors="ignore") if len(encoded) > READ_BYTES else text
    return read, max(0, len(encoded) - READ_BYTES)


class Reading(NamedTuple):
    """A text and its part that asks, which are one where the text has nothing beside its question."""

    text: str
    sections: Sections
    told: Told
    question: Sections
    story: Story

    @property
    def asked(self) -> str:
        return self.question.title or self.question.prose[:SHORT_QUERY]


def reading_of(text: str, *, whole: bool) -> Reading:
    if whole:
        sections = sections_of(text)
        return Reading(text, sections, Told(text, ""), sections, story_in(sections))
    text = question_of(text)
    pasted = pasted_in(text)
    if pasted is not None:
        text = pasted.said_first(text)
    sections = sections_of(text)
    told = told_in(text, pasted, is_short=sections.is_short)
    story = Story.NONE if told.is_labelled else story_in(sections)
    if story in (Story.FAILURE, Story.CHANGE):
        told = Told(text, "")  # "It prints one line. Shouldn't it print all?"
    if told.asked == text:
        return Reading(text, sections, told, sections, story)
    question = sections_of(told.asked)
    return Reading(text, sections, told, question, story_in(question))
