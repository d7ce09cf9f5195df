"""Feeds as Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.pages.feeds import render_feed
from support import WORDS

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0"><channel>
<title>Harbour news</title><link>https://harbour.example/</link><description>All about tides &amp;amp; lamps</description>
<item><title>Lamps &amp;#8211; oiled</title><link>https://harbour.example/lamps</link><dc:creator>Ann</dc:creator>
<pubDate>Tue, 03 Nov 2026 13:30:02 +0000</pubDate><description>short</description>
<content:encoded><![CDATA[<h2>Oil</h2><p>Ring <b>twice</b>.</p><pre>lamp --oil
# lamp</pre>]]></content:encoded></item>
<item><title>Tides</title><description>High water is at noon.</description></item>
</channel></rss>
"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour news</title>
<entry><title>Lamps</title><link rel="self" href="https://harbour.example/self"/><link href="https://harbour.example/lamps"/>
<author><name>Ann</name></author><updated>2026-11-03T13:30:02Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Ring <b>twice</b>.</p></div></content></entry></feed>
"""


def test_a_feed_has_a_section_for_each_entry_with_its_content() -> None:
    found = render_feed(RSS)
    assert found is not None
    assert found.title == "Harbour news"
    assert found.text == (
        "# Harbour news\n\nAll about tides & lamps\n\n"
        "## Lamps – oiled\n\nAnn, 03 Nov 2026\n<https://harbour.example/lamps>\n\n"
        "#### Oil\n\nRing **twice**.\n\n```\nlamp --oil\n# lamp\n```\n\n"
        "## Tides\n\nHigh water is at noon.\n"
    )


def test_a_feed_of_atom_has_its_links_and_elements() -> None:
    found = render_feed(ATOM)
    assert found is not None
    assert found.text == (
        "# Harbour news\n\n## Lamps\n\nAnn, 2026-11-03\n<https://harbour.example/lamps>\n\nRing **twice**.\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<feed><!-- no entries --></feed>",
        "<rss><channel><item><title>x</item></channel></rss>",
        '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss><item><title>&a;</title></item></rss>',
        f"<feed><entry><content type='xhtml'>{'<b>' * 50_000}{'</b>' * 50_000}</content></entry></feed>",
        "<project><item/></project>",
    ],
    ids=["empty", "damaged", "entities", "deep", "other"],
)
def test_other_xml_stays_as_it_is(text: str) -> None:
    assert render_feed(text) is None


def test_a_question_finds_an_entry_of_a_feed_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "news.rss").write_text(RSS)
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        chunk = dp.search("ring the oiled lamps twice").candidates[0].chunk
        assert "Ring **twice**." in chunk.text
        assert chunk.trail == ("Harbour news", "Lamps – oiled")
