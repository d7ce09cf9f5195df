"""Canvases and drawings of notes are read as what their cards, arrows and shapes say."""

from __future__ import annotations

import json
from typing import Any

from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record


def canvas(*nodes: dict[str, Any], edges: tuple[dict[str, str], ...] = ()) -> Record:
    data = json.dumps({"nodes": [*nodes], "edges": [*edges]}).encode()
    record = record_from_bytes(data, uid="Heron map.canvas")
    assert isinstance(record, Record)
    return record


def card(name: str, y: int, **said: str) -> dict[str, Any]:
    return {"id": name, "type": "text", "x": 0, "y": y, "width": 200, "height": 60, **said}


MILL = card("a", 0, text="# Gateways\n\nThe roof of the mill and the water tower")
NOTE = card("b", 100, type="file", file="Projects/Heron.md", subpath="#Goals")


def test_a_canvas_says_what_its_cards_say_from_top_to_bottom() -> None:
    page = card("c", 50, type="link", url="https://heron.example/map")
    record = canvas(NOTE, page, MILL)
    assert record.text == (
        "# Gateways\n\nThe roof of the mill and the water tower\n\nhttps://heron.example/map\n\n[[Projects/Heron.md#Goals]]\n"
    )
    assert (record.language, record.rendered, record.title) == ("markdown", "canvas", "Gateways")


def test_an_arrow_names_its_cards_and_says_its_label() -> None:
    edges = (
        {"fromNode": "a", "toNode": "b", "label": "serve"},
        {"fromNode": "b", "toNode": "a"},
        {"fromNode": "a", "toNode": "gone"},
    )
    assert canvas(MILL, NOTE, edges=edges).text.endswith(
        "\n\n- Gateways → Heron: serve\n- Heron → Gateways\n"
    )


def test_cards_stand_below_the_name_of_the_smallest_group_around_them() -> None:
    whole = {**card("g", -500, type="group", label="Field work"), "height": 1_000}
    risks = {**card("h", 90, type="group", label="Risks"), "height": 80}
    cow = card("d", 100, text="Cows rub against the poles")
    aside = card("e", 900, text="Later")
    assert canvas(aside, cow, MILL, whole, risks).text == (
        "Later\n\n## Field work\n\n# Gateways\n\nThe roof of the mill and the water tower\n\n## Risks\n\nCows rub against the poles\n"
    )


def test_a_file_that_only_is_called_so_stays_as_it_is() -> None:
    for text in ('{"cards": []}', "[1, 2]", "no canvas"):
        record = record_from_bytes(text.encode(), uid="a.canvas")
        assert isinstance(record, Record)
        assert (record.text, record.rendered) == (text, "")


def test_damaged_cards_are_passed_over() -> None:
    record = canvas(MILL, {"type": "text", "x": "left", "text": 3}, edges=({"fromNode": "a"},))
    assert record.text == "# Gateways\n\nThe roof of the mill and the water tower\n"


def test_a_drawing_is_read_as_the_texts_that_it_shows() -> None:
    said = "---\nexcalidraw-plugin: parsed\n---\n# Excalidraw Data\n\n## Text Elements\nFrom billing to bank ^a1\n\n"
    for shapes in (
        "%%\n## Drawing\n```compressed-json\nN4KAkARALgng\n\nWF1Gbg6yFQ4p\n```\n%%",
        "# Drawing\n```json\n{}\n```\n",
    ):
        record = record_from_bytes((said + shapes).encode(), uid="Money.excalidraw.md")
        assert isinstance(record, Record)
        assert (record.text, record.rendered, record.title) == (said, "drawing", "Excalidraw Data")


def test_a_page_about_a_drawing_is_read_whole() -> None:
    text = "# Boat\n\n## Drawing\n\n```json\n{}\n```\n"
    record = record_from_bytes(text.encode(), uid="Boat.md")
    assert isinstance(record, Record)
    assert (record.text, record.rendered) == (text, "")
