"""XML is told by its first element, in little time, and read only where it can define no entities."""

from __future__ import annotations

import time
import zlib
from base64 import b64encode

import pytest

from daypack.doors.reading.notes.evernote import render_evernote
from daypack.doors.reading.pages.diagrams import render_diagram
from daypack.doors.reading.pages.xml_texts import root_of

ENTITY = '<!DOCTYPE rss [<!ENTITY a "b">]>'


@pytest.mark.parametrize(
    "before",
    ["", "\n", '<?xml version="1.0"?>\n', "<!-- a --> <!-- b > -->", "<?a?><!DOCTYPE rss SYSTEM 'rss.dtd'>"],
)
def test_the_first_element_tells(before: str) -> None:
    text = f"{before}<rss/>"
    assert root_of(text, "rss") is not None
    assert root_of(text, "rs", "feed") is None


@pytest.mark.parametrize(
    "before",
    [
        ENTITY,
        f"<?a > <rss?>{ENTITY}",
        f"<!-- > <rss -->{ENTITY}",
        f"<!DOCTYPE a SYSTEM '>' [ {ENTITY}",
        "<a/>",
    ],
)
def test_what_may_define_entities_or_is_damaged_is_not_read(before: str) -> None:
    assert root_of(f"{before}<rss/>", "rss") is None


def test_many_comments_take_no_time() -> None:
    began = time.monotonic()
    assert root_of("<!---->" * 100_000, "rss") is None
    assert time.monotonic() - began < 2


def test_notes_in_notes_take_no_time() -> None:
    began = time.monotonic()
    assert render_evernote(f"<en-export>{'<note>' * 20_000}{'</note>' * 20_000}</en-export>") is not None
    assert time.monotonic() - began < 2


def test_a_diagram_of_many_bombs_is_not_read() -> None:
    cells = '<mxCell id="1" value="x" vertex="1"/>' * 200_000
    deflated = zlib.compressobj(wbits=-15)
    graph = f"<mxGraphModel><root>{cells}</root></mxGraphModel>".encode()
    page = f"<diagram>{b64encode(deflated.compress(graph) + deflated.flush()).decode()}</diagram>"
    assert render_diagram(f"<mxfile>{page}</mxfile>") is not None
    assert render_diagram(f"<mxfile>{page * 3}</mxfile>") is None
