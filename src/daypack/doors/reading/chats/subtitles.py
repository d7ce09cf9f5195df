"""Subtitles and transcripts of meetings (`.srt`, `.vtt`) as Markdown: who spoke when, in paragraphs.

    00:00:42.000 --> 00:00:48.000                               Ida Holm, 0:42: The crane comes on Friday, if
    <v Ida Holm>The crane comes on Friday,</v>            →     the wind allows it.

    00:00:48.100 --> 00:00:50.000
    <v Ida Holm>if the wind allows it.</v>

A paragraph ends where another person speaks, after a silence, and at the first sentence that ends behind LONG characters. Captions
that roll, as those of YouTube, repeat the line before; each is read once.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from daypack.doors.reading.office.text import escaped

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,]\d{1,3}"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_BEGINS = re.compile(rf"(?:WEBVTT(?:[ \t][^\n]*)?\r?\n|\d{{1,6}}[ \t]*\r?\n{_TIME}[ \t]*-->)", re.IGNORECASE)
_TITLE = re.compile(r"WEBVTT[ \t]+(?:-[ \t]*)?(?!FILE\s)(\S[^\r\n]*)")
_NOTE = re.compile(r"(?:NOTE|STYLE|REGION|Style:|Region:)(?:\s|\Z)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,50})?[ \t]+([^<>\n]{1,100})>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:[biucv]|lang|ruby|rt|font)\b[^<>\n]{0,200}>|<\d[\d:.]{0,20}>|\{\\[^{}\n]{1,40}\}", re.IGNORECASE
)
_PREFIX = re.compile(r"((?:[^\W\d_]|@)[\w .,'’()&|/@\[\]-]{0,60}): (?=\S)")
_SENTENCE_ENDS = re.compile(r"[.!?…。！？][\"'”’)\]]*\Z")
_NAMED = 0.5  # of the cues; where fewer begin as "Name: text", a colon belongs to the sentence
SILENCE = 4  # seconds
LONG, LONGEST = 400, 1_200  # characters of a paragraph
_FEWEST = 2  # names in such a file


class Transcript(NamedTuple):
    """The text of subtitles, and the title that they state."""

    text: str
    title: str


class _Cue(NamedTuple):
    """A text on the screen, and its seconds; "" for an unknown speaker."""

    begin: int
    end: int
    who: str
    said: str


def render_subtitles(text: str) -> Transcript | None:
    """Subtitles as Markdown; None for other text."""
    text = text.lstrip("\ufeff").lstrip()
    if not _BEGINS.match(text[:400]):
        return None
    cues = [*_spoken(_read([line.rstrip("\r") for line in text.split("\n")]))]
    if not cues:
        return None
    title = _TITLE.match(text[:400])
    return Transcript("\n\n".join(map(escaped, _paragraphs(cues))) + "\n", title[1].strip() if title else "")


def _read(lines: Sequence[str]) -> Iterator[_Cue]:
    """The cues, each with its lines in one, also those behind a blank line; none for a text with other words above them."""
    timing: re.Match[str] | None = None
    said: list[str] = []
    above, skips = "…", True  # the head
    for line, below in pairwise([*lines, "", "0:0.0 --> 0:0.0", ""]):
        if (found := _TIMING.fullmatch(line)) is not None:
            # the number of this cue, without a blank line between
            if len(said) > 1 and said[-1].strip().isdigit():
                said.pop()
            if timing is not None:
                yield from _cues(timing, said)
            elif said:
                return
            timing, said, skips = found, [], False
        elif not line.strip():
            skips = False
        else:
            if not above.strip():
                skips = bool(
                    _NOTE.match(line) or _TIMING.fullmatch(below)
                )  # the name of a cue is above its timing
            if not skips:
                said.append(line)
        above = line


def _cues(timing: re.Match[str], lines: Sequence[str]) -> Iterator[_Cue]:
    """The cue of a timing; several where several voices speak in it."""
    begin, end = _seconds(timing.groups()[:3]), _seconds(timing.groups()[3:])
    parts = _VOICE.split("\n".join(lines))
    for who, said in zip(["", *parts[1::2]], parts[::2], strict=True):
        plain = " ".join(html.unescape(_TAG.sub("", said)).split("\n"))
        if spoken := " ".join(plain.split()):
            yield _Cue(begin, end, " ".join(html.unescape(who).split()), spoken)


def _seconds(parts: Sequence[str | None]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in parts)
    return (60 * hours + minutes) * 60 + seconds


def _spoken(cues: Iterator[_Cue]) -> Iterator[_Cue]:
    """The cues without the words that they repeat, and with the speakers that they name as "Ida Holm: Good morning."."""
    found: list[_Cue] = []
    for cue in cues:
        if (
            found
            and (cue.said == found[-1].said or found[-1].said.endswith(f" {cue.said}"))
            and cue.who == found[-1].who
        ):
            continue
        found.append(cue)
    prefixes = [_PREFIX.match(cue.said) for cue in found]
    names = Counter(prefix[1] for prefix in prefixes if prefix)
    is_named = names.total() >= max(_FEWEST, _NAMED * len(found))
    rolling = ""
    for cue, prefix in zip(found, prefixes, strict=True):
        if is_named and prefix and not cue.who:
            cue = cue._replace(who=prefix[1].strip(), said=cue.said[prefix.end() :])
        said = cue.said
        if rolling and said.startswith(f"{rolling} "):
            cue = cue._replace(said=said[len(rolling) + 1 :])
        rolling = said if not rolling or not said.startswith(f"{rolling} ") else cue.said
        yield cue


def _paragraphs(cues: Sequence[_Cue]) -> Iterator[str]:
    first, said = cues[0], cues[0].said
    for above, cue in pairwise(cues):
        is_long = len(said) > LONGEST or (len(said) > LONG and _SENTENCE_ENDS.search(said))
        if is_long or cue.who != first.who or cue.begin - above.end > SILENCE:
            yield _paragraph(first, said)
            first, said = cue, cue.said
        else:
            said = f"{said} {cue.said}"
    yield _paragraph(first, said)


def _paragraph(first: _Cue, said: str) -> str:
    minutes, seconds = divmod(first.begin, 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{first.who + ', ' if first.who else ''}{time}: {said}"
