"""Subtitles and transcripts of meetings are read as who said what, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.chats.subtitles import render_subtitles
from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record


def vtt(*cues: tuple[int, str], head: str = "WEBVTT") -> str:
    """Subtitles with cues of two seconds."""
    written = [f"00:00:{begin:02}.000 --> 00:00:{begin + 2:02}.000\n{said}" for begin, said in cues]
    return "\n\n".join([head, *written]) + "\n"


def paragraphs(text: str) -> list[str]:
    found = render_subtitles(text)
    assert found is not None
    return found.text.strip().split("\n\n")


MEETING = vtt(
    (1, "<v Ida Holm>The crane comes on Friday,</v>"),
    (3, "<v Ida Holm>if the wind allows it.</v>"),
    (5, "<v Bo Ek>Who tells the harbour?</v>"),
)
SAID = [
    "Ida Holm, 0:01: The crane comes on Friday, if the wind allows it.",
    "Bo Ek, 0:05: Who tells the harbour?",
]


def test_the_transcript_of_a_meeting_has_a_paragraph_for_each_turn() -> None:
    assert paragraphs(MEETING) == SAID


def test_a_transcript_that_writes_names_before_what_is_said_has_the_same_paragraphs() -> None:
    zoom = vtt(
        (1, "Ida Holm: The crane comes on Friday,"),
        (3, "Ida Holm: if the wind allows it."),
        (5, "Bo Ek: Who tells the harbour?"),
    )
    assert paragraphs(zoom) == SAID


def test_a_colon_in_what_is_said_makes_no_speaker() -> None:
    cues = [(1, "One thing: the crane."), (3, "It comes on Friday"), (5, "and it goes on Monday.")]
    assert paragraphs(vtt(*cues)) == ["0:01: One thing: the crane. It comes on Friday and it goes on Monday."]


def test_numbers_times_and_marks_of_subtitles_are_left_out() -> None:
    srt = "1\r\n00:00:01,000 --> 00:00:03,500\r\n<i>The lamp</i> {\\an8}is\r\nlit &amp; turns.\r\n\r\n2\r\n01:02:09,000 --> 01:02:11,000\r\nIt is dark.\r\n"
    assert paragraphs(srt) == ["0:01: The lamp is lit & turns.", "1:02:09: It is dark."]


def test_captions_that_roll_are_read_once() -> None:
    cues = [
        (1, "the lamp"),
        (3, "the lamp\nis<00:00:03.5><c> lit</c>"),
        (5, "is lit"),
        (7, "is lit\nat dusk"),
    ]
    assert paragraphs(vtt(*cues, head="WEBVTT\nKind: captions")) == ["0:01: the lamp is lit at dusk"]


def test_a_long_speech_is_cut_at_the_ends_of_sentences() -> None:
    found = paragraphs(
        vtt(
            *(
                (2 * n, f"<v Ida>Sentence {n} is about the lamp of the pier and its light.</v>")
                for n in range(20)
            )
        )
    )
    assert len(found) > 1
    assert all(each.startswith("Ida, 0:") and each.endswith(".") for each in found)


def test_notes_and_styles_are_left_out_and_the_title_is_kept() -> None:
    text = vtt(
        (1, "Good morning."),
        head="WEBVTT - Weekly meeting\n\nNOTE by a program\n\nSTYLE\n::cue { color: red }",
    )
    record = record_from_bytes(text.encode(), uid="meeting.vtt")
    assert isinstance(record, Record)
    assert (record.title, record.text, record.rendered) == (
        "Weekly meeting",
        "0:01: Good morning.\n",
        "subtitles",
    )


@pytest.mark.parametrize(
    "text",
    [
        "1\nA list\n",
        "WEBVTT\n",
        "Notes\n\n00:00:01,000 --> 00:00:03,000\nThe lamp\n",
        "3\n00:01 --> later\n",
        "WEBVTT is a format.\n",
        "WEBVTT is a format\n\nA cue of it:\n\n00:01.000 --> 00:02.000\nThe lamp\n",
    ],
)
def test_other_text_is_no_transcript(text: str) -> None:
    assert render_subtitles(text) is None


def test_words_behind_a_blank_line_inside_a_cue_are_kept() -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:03,000\nThe lamp\n\nis lit.\n\n2\n00:00:04,000 --> 00:00:06,000\nGood.\n"
    )
    assert paragraphs(text) == ["0:01: The lamp is lit. Good."]


def test_names_of_cues_and_notes_are_left_out() -> None:
    head = "WEBVTT FILE\n\nSTYLE\n::cue { color: red }\n\nNOTE two lines\nof a note\n\nlamp-1"
    assert render_subtitles(f"{head}\n00:01.000 --> 00:02.000\nLit.\n") == ("0:01: Lit.\n", "")


def test_a_pack_cites_a_turn_with_its_speaker_and_time(tmp_path: Path) -> None:
    (tmp_path / "2026-11-23 meeting.vtt").write_text(MEETING)
    with Daypack.open(tmp_path / ".daypack", root=tmp_path) as dp:
        dp.files.add(tmp_path)
        text = dp.pack("when does the crane come?", budget=200, vectors="none").text
    assert SAID[0] in text
    assert "-->" not in text


def test_a_name_with_a_company_or_an_account_is_a_name() -> None:
    """As people call themselves in Zoom."""
    names = ["Ida Holm | Quay", "Bo (@bo)", "@ott / Ren\u00e9e Ott", "Jo [Crane]"]
    cues = (f"00:00:0{at}.000 --> 00:00:0{at}.900\n{name}: Good morning.\n" for at, name in enumerate(names))
    found = render_subtitles("WEBVTT\n\n" + "\n".join(cues))
    assert found is not None
    assert found.text.split("\n\n") == [
        "Ida Holm | Quay, 0:00: Good morning.",
        "Bo (@bo), 0:01: Good morning.",
        "@ott / Renée Ott, 0:02: Good morning.",
        "Jo [Crane], 0:03: Good morning.\n",
    ]
