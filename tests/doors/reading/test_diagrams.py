"""Diagrams of draw.io and Excalidraw are read as what their shapes and arrows say."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest

from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record

GRAPH = """<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="z" value="Harbour" vertex="1" parent="1"><mxGeometry x="0" y="200" width="300" height="300"/></mxCell>
<mxCell id="c" value="Crane&lt;br&gt;&lt;b&gt;north&lt;/b&gt;" vertex="1" parent="z"><mxGeometry x="10" y="40" width="80" height="40"/></mxCell>
<object label="Office" id="o"><mxCell vertex="1" parent="1"><mxGeometry x="10" y="10" width="80" height="40"/></mxCell></object>
<mxCell id="e" edge="1" parent="1" source="o" target="c"><mxGeometry relative="1"/></mxCell>
<mxCell id="l" value="orders" vertex="1" parent="e"><mxGeometry relative="1"/></mxCell>
<mxCell id="f" value="ring()" edge="1" parent="1"><mxGeometry><mxPoint x="0" y="90" as="sourcePoint"/></mxGeometry></mxCell>
</root></mxGraphModel>"""
SAID = "Office\n\nring()\n\n## Harbour\n\nCrane north\n\n- Office → Crane north: orders"


def read(name: str, data: str) -> Record:
    record = record_from_bytes(data.encode(), uid=name)
    assert isinstance(record, Record)
    return record


def packed(graph: str) -> str:
    deflated = zlib.compressobj(wbits=-15)
    return b64encode(deflated.compress(quote(graph).encode()) + deflated.flush()).decode()


def test_a_diagram_says_its_shapes_containers_and_arrows() -> None:
    record = read(
        "quay.drawio", f'<mxfile host="app"><diagram name="Page-1">{packed(GRAPH)}</diagram></mxfile>'
    )
    assert record.text == SAID + "\n"
    assert (record.language, record.rendered) == ("markdown", "diagram")


def test_pages_that_are_not_packed_have_their_names() -> None:
    page = f'<diagram name="Quay">{GRAPH}</diagram>'
    record = read("quay.xml", f"<mxfile>{page}{page.replace('Quay', 'Crane')}</mxfile>")
    assert record.text == f"# Quay\n\n{SAID}\n\n# Crane\n\n{SAID}\n"


@pytest.mark.parametrize("page", ["%%%%", packed("<a>"), packed('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')])
def test_a_damaged_diagram_stays_xml(page: str) -> None:
    assert read("x.drawio", f"<mxfile><diagram>{page}</diagram></mxfile>").language == "xml"


def test_a_bomb_is_opened_as_far_as_the_limit() -> None:
    assert (
        read("x.drawio", f"<mxfile><diagram>{packed('a' * 30_000_000)}</diagram></mxfile>").language == "xml"
    )


def element(name: str, kind: str, y: int, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "x": 0, "y": y, "width": 100, "height": 40, "isDeleted": False, **more}


def test_a_drawing_of_excalidraw_says_its_texts_and_arrows() -> None:
    elements = [
        element("box", "rectangle", 0),
        element("t1", "text", 10, text="Of-\nfice", originalText="Office", containerId="box"),
        element("t2", "text", 100, text="Crane", containerId=None),
        element("a", "arrow", 40, startBinding={"elementId": "box"}, endBinding={"elementId": "t2"}),
        element("t3", "text", 50, text="orders", containerId="a"),
        element("gone", "text", 60, text="old") | {"isDeleted": True},
    ]
    record = read(
        "q.excalidraw", json.dumps({"type": "excalidraw", "version": 2, "elements": elements}, indent=2)
    )
    assert record.text == "Office\n\nCrane\n\n- Office → Crane: orders\n"
    assert record.rendered == "diagram"
