"""Notes as Evernote, Google Keep, Roam, Logseq and outliners export them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record
from support import WORDS


def read(name: str, data: str) -> Record:
    record = record_from_bytes(data.encode(), uid=name)
    assert isinstance(record, Record)
    return record


def enex(*notes: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n'
        f'<en-export export-date="20261103T081500Z" application="Evernote">{"".join(notes)}</en-export>\n'
    )


def note(title: str, page: str, more: str = "") -> str:
    return (
        f"<note><title>{title}</title><created>20261103T081500Z</created><updated>20261104T090000Z</updated>{more}"
        '<content>\n<![CDATA[<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">'
        f"<en-note>{page}</en-note>]]></content></note>"
    )


HEATH = note(
    "Trip to the heath",
    "<h1>To take</h1><ul><li><en-todo checked='true'/>binoculars</li><li><en-todo/>map</li></ul>"
    '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>tea</div></li></ul>'
    '<div>As in <a href="evernote:///view/1/s1/2/2/">Last year</a>.</div>',
    "<tag>birds</tag><tag>autumn</tag><note-attributes><author>Ida Holm</author>"
    "<source-url>https://heath.example/walks</source-url></note-attributes>"
    '<resource><data encoding="base64">aGVhdGg=</data><mime>image/png</mime>'
    "<resource-attributes><file-name>heath.png</file-name></resource-attributes></resource>",
)


def test_a_note_of_evernote_has_its_days_tags_and_source_and_its_text() -> None:
    record = read("heath.enex", enex(HEATH))
    assert record.text == (
        "## Trip to the heath\n\nCreated: 3 Nov 2026\nChanged: 4 Nov 2026\nAuthor: Ida Holm\nTags: birds, autumn\n"
        "Source: https://heath.example/walks\n\n"
        "### To take\n\n- [x] binoculars\n- [ ] map\n\n- [x] tea\n\nAs in Last year.\n\nAttachments: heath.png\n"
    )
    assert (record.title, record.language, record.rendered) == ("Trip to the heath", "markdown", "notes")


def test_a_notebook_of_evernote_has_a_section_for_each_note() -> None:
    record = read("book.enex", enex(HEATH, note("Empty", "")))
    assert record.text.endswith("## Empty\n\nCreated: 3 Nov 2026\nChanged: 4 Nov 2026\n")
    assert record.title == "book.enex"


def test_tasks_of_evernote_stand_below_their_note_and_code_keeps_its_lines() -> None:
    page = (
        '<div style="--en-task-group:true; --en-id:9"><div>Content not supported</div></div>'
        '<div style="box-sizing:border-box;-en-codeblock:true;"><div>if tide:</div><div>  wait()</div><div><br/></div></div>'
        "<div>below</div>"
    )
    tasks = (
        "<task><title>Oil the lamp</title><taskStatus>open</taskStatus><dueDate>20261109T230000Z</dueDate></task>"
        "<task><title>Ring</title><taskStatus>completed</taskStatus></task>"
    )
    record = read("x.enex", enex(note("Lamps", page, tasks)))
    assert "not supported" not in record.text
    assert "```\nif tide:\n  wait()\n```\n\nbelow\n" in record.text
    assert record.text.endswith("- [ ] Oil the lamp, due 9 Nov 2026\n- [x] Ring\n")


@pytest.mark.parametrize(
    "data",
    [
        enex("<note><title>x</note>"),
        '<!DOCTYPE en-export [<!ENTITY a "b">]><en-export><note><title>&a;</title></note></en-export>',
        enex(),
    ],
    ids=["damaged", "entities", "empty"],
)
def test_another_export_stays_xml(data: str) -> None:
    assert read("x.enex", data).language == "xml"


@pytest.mark.parametrize(
    "token",
    ["<li --en-checked:true ", "<div -en-codeblock:true>", "<a href='evernote:", "<en-todo", "<div><br/>"],
)
def test_a_long_page_is_read_in_linear_time(token: str) -> None:
    begin = time.process_time()
    read("x.enex", enex(note("x", token * (1_000_000 // len(token)))))
    assert time.process_time() - begin < 20


def keep(**fields: Any) -> str:
    return json.dumps({"color": "DEFAULT", "userEditedTimestampUsec": 1793693700000000, **fields})


def test_a_note_of_keep_has_its_list_and_labels() -> None:
    items = [{"text": "lamp oil", "isChecked": True}, {"text": "rope", "isChecked": False}]
    labels, links = [{"name": "harbour"}], [{"title": "Ropes", "url": "https://ropes.example/"}]
    data = keep(title="Shopping", listContent=items, labels=labels, annotations=links, isArchived=True)
    record = read("Shopping.json", data)
    assert record.text == (
        "# Shopping\n\nChanged: 3 Nov 2026\nLabels: harbour\nKept in: the archive\n\n"
        "- [x] lamp oil\n- [ ] rope\n\nRopes: <https://ropes.example/>\n"
    )
    assert (record.title, record.rendered) == ("Shopping", "notes")


def test_the_text_of_a_note_of_keep_is_no_markdown() -> None:
    assert read("x.json", keep(textContent="# one\ntwo")).text == "Changed: 3 Nov 2026\n\n\\# one\ntwo\n"


def block(name: str, said: str, *children: dict[str, Any]) -> dict[str, Any]:
    return {"uid": name, "string": said, "create-time": 1793693700000, "children": [*children]}


def test_pages_of_roam_are_lists_with_the_blocks_that_they_refer_to() -> None:
    heron = {
        "title": "Heron",
        "children": [
            block("heron-001", "nests in the [[mill]]", block("heron-002", "since spring\nor before")),
            block("heron-003", "{{[[TODO]]}} count, see ((heron-002)) and [this]( ((heron-001)))"),
            block("heron-004", "[there](((heron-001))), not ((nowhere-1))"),
        ],
    }
    record = read("graph.json", json.dumps([heron, {"title": "Mill", "children": []}]))
    assert record.text == (
        "## Heron\n\n- nests in the [[mill]]\n  - since spring\n    or before\n"
        "- [ ] count, see since spring\n  or before and [this]( nests in the [[mill]])\n"
        "- there, not ((nowhere-1))\n\n## Mill\n"
    )
    assert record.rendered == "notes"


def test_a_graph_of_logseq_is_read_as_one_of_roam() -> None:
    blocks = [
        {
            "id": "1",
            "page-name": "heron",
            "children": [{"id": "2", "content": "DONE counted", "children": []}],
        }
    ]
    assert read("g.json", json.dumps({"version": 1, "blocks": blocks})).text == "## heron\n\n- [x] counted\n"


def test_an_outline_of_opml_is_a_list_with_notes_and_addresses() -> None:
    record = read(
        "walks.opml",
        '<?xml version="1.0"?><opml version="2.0"><head><title>Walks</title></head><body>'
        '<outline text="Heath" _note="in autumn"><outline text="Map" _complete="true"/></outline>'
        '<outline text="Harbour news" type="rss" xmlUrl="https://harbour.example/feed"/></body></opml>',
    )
    assert record.text == (
        "# Walks\n\n- Heath\n  in autumn\n  - [x] Map\n- Harbour news: <https://harbour.example/feed>\n"
    )
    assert record.title == "Walks"


def test_a_deep_outline_is_read() -> None:
    deep = "<outline text='a'>" * 5_000 + "</outline>" * 5_000
    assert read("x.opml", f"<opml><body>{deep}</body></opml>").text


@pytest.mark.parametrize(
    "tree",
    [
        {"children": [{"string": "a"}], "name": "x"},
        [{"title": "Menu", "type": "string", "children": []}],
        [{"title": "Menu", "children": [{"title": "string", "type": "string"}]}],
    ],
)
def test_other_json_with_children_stays_json(tree: object) -> None:
    assert read("x.json", json.dumps(tree)).language == "json"


def test_a_question_finds_a_note_and_its_lines(tmp_path: Path) -> None:
    (tmp_path / "book.enex").write_text(enex(HEATH + "\n", note("Lamps", "<div>Oil them on Sunday.</div>")))
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        chunk = dp.search("when to oil the lamps").candidates[0].chunk
        assert "Oil them on Sunday." in chunk.text
        assert "## Lamps" in chunk.text
