"""Man pages in the macros of `man` and `mdoc`, read as Markdown line by line, and cut at their options."""

from __future__ import annotations

import pytest

from daypack.chunk import cut
from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.printed.manuals import render_man
from daypack.types import Record

LAMP = r""".\" Made by hand.
.TH LAMP 1 2026
.SH "NAME"
lamp \- light the \fIharbour\fR lamp
.SH OPTIONS
.TP
.BR \-o ", " \-\-oil =\fIlitres\fP
Fill in so much oil\&.
.TP
\fB\-w\fR
Wait until it is dark.
.IP
It also waits in fog.
.SS Colours
.IP \(bu 2
red
.IP \[bu]
white
.nf
lamp \-o 2
  lamp # twice
.fi
.SH SEE ALSO
.BR pump (8),
.BR winch (8)
"""


def lines(text: str) -> list[str]:
    return [line for line in render_man(text).split("\n") if line]


def test_macros_become_headings_options_lists_and_code() -> None:
    assert lines(LAMP) == [
        "# NAME",
        "lamp - light the harbour lamp",
        "# OPTIONS",
        "- -o, --oil=litres",
        "  Fill in so much oil.",
        "- -w",
        "  Wait until it is dark.",
        "  It also waits in fog.",
        "## Colours",
        "* red",
        "* white",
        "```",
        "lamp -o 2",
        "  lamp # twice",
        "```",
        "# SEE ALSO",
        "pump(8),",
        "winch(8)",
    ]


def test_each_line_stays_in_its_place() -> None:
    assert render_man(LAMP).split("\n")[6] == "- -o, --oil=litres"
    assert render_man(LAMP).count("\n") == LAMP.count("\n")


def test_the_terms_of_docbook_are_options_and_its_bullets_leave_no_junk() -> None:
    page = r""".SH OPTIONS
.PP
\-c, \-\-colour
.RS 4
One of:
.sp
.RS 4
.ie n \{\
\h'-04'\(bu\h'+03'\c
.\}
.el \{\
.sp -1
.IP \(bu 2.3
.\}
red\(emthe usual
.RE
.RE
.PP
This ends the options\&.
"""
    assert lines(page) == [
        "# OPTIONS",
        "- -c, --colour",
        "  One of:",
        "  * red—the usual",
        "This ends the options.",
    ]


def test_mdoc_calls_its_macros_in_a_line() -> None:
    page = """.Dd November 27, 2026
.Dt LAMP 1
.Sh SYNOPSIS
.Nm lamp
.Op Fl o Ar litres
.Sh DESCRIPTION
.Bl -tag -width Ds
.It Fl o Ar litres
Fills it, see
.Xr pump 8 .
.Pp
Then
.Nm
says
.Dq done .
.It Ev LAMP_OIL
On
.Ux .
.El
"""
    assert lines(page) == [
        "# SYNOPSIS",
        "lamp",
        "[-o litres]",
        "# DESCRIPTION",
        "- -o litres",
        "  Fills it, see",
        "  pump(8).",
        "  Then",
        "  lamp",
        "  says",
        "  “done”.",
        "- LAMP_OIL",
        "  On",
        "  UNIX.",
    ]


def test_an_option_is_the_heading_of_its_text() -> None:
    record = record_from_bytes(LAMP.encode(), uid="lamp.1")
    assert isinstance(record, Record)
    assert (record.title, record.rendered, record.language) == ("LAMP(1)", "man", "markdown")
    found = [(piece.name, piece.trail, piece.span.start_line) for piece in cut(record).pieces]
    assert ("-o, --oil=litres", ("OPTIONS",), 5) in found
    assert ("-w", ("OPTIONS",), 10) in found
    assert ("Colours", ("OPTIONS",), 14) in found


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"a\-b\ c\(aqd\(cq", "a-b c'd’"),
        (r"\f[CW]x\fR \s+1y\s0", "x y"),
        (r"C:\edir \(rs \\", "C:\\dir \\ \\"),
        (r"\[u00E9]t\['e]", "ét"),
        (r"a\[u0000]b\[uD800]c\[uFFFFFF]d", "abcd"),
        ('text \\" a comment', "text"),
        ("# not a heading", "\\# not a heading"),
        (r"one \*(Aqtwo\*(Aq", "one 'two'"),
    ],
)
def test_escapes_become_their_characters(source: str, shown: str) -> None:
    assert render_man(source) == shown


@pytest.mark.parametrize(
    "page",
    [
        ".de XX\n.B x\n..\nafter\n",
        ".nf\nno end",
        ".if n \\{\\\ninside\n.\\}\nafter\n",
        ".ie n \\{\\\n.el \\{\\\nx\n",
        "",
        ".\n.\\}\n.RE\n.El\n",
    ],
)
def test_every_page_keeps_its_lines(page: str) -> None:
    assert render_man(page).count("\n") == page.count("\n")
