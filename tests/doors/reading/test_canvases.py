"""Canvases and drawings of notes are read as what their cards, arrows and shapes say."""

from __future__ import annotations

import json
from typing import Any

import pytest

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


def test_a_place_that_no_screen_has_is_no_reason_to_read_nothing() -> None:
    far = {**card("c", 0, text="Masts"), "x": 10**400, "width": float("nan"), "y": float("inf")}
    assert canvas(MILL, far).text.startswith("# Gateways")


def test_a_canvas_of_a_program_is_read_in_a_moment() -> None:
    groups = [{**card(f"g{n}", n, type="group", label="Rack"), "height": 1} for n in range(5_000)]
    record = canvas(*groups, *(card(f"c{n}", n, text=f"Mast {n}") for n in range(5_000)))
    assert record.text.count("Mast ") == 5_000


DRAWN = "---\nexcalidraw-plugin: parsed\n---\n"
TEXTS = "From billing to bank ^a1\n\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "shapes",
    [
        "%%\n## Drawing\n```compressed-json\nN4KAkARALgng\n\nWF1Gbg6yFQ4p\n```\n%%",
        "# Drawing\n```json\n{}\n```\n",
        "# Drawing\n```json\n{}\n",
    ],
)
def test_a_drawing_is_read_as_the_texts_that_it_shows(shapes: str, line_end: str) -> None:
    text = (
        f"{DRAWN}==⚠  Switch to EXCALIDRAW VIEW ⚠==\n\n# Excalidraw Data\n\n## Text Elements\n{TEXTS}{shapes}"
    )
    record = record_from_bytes(text.replace("\n", line_end).encode(), uid="maps/Money.excalidraw.md")
    assert isinstance(record, Record)
    assert record.text.replace(line_end, "\n") == f"{DRAWN}\n\n{TEXTS}"
    assert (record.rendered, record.title) == ("drawing", "Money.excalidraw.md")


def test_the_notes_around_a_drawing_are_kept() -> None:
    text = f"{DRAWN}# Flows\n\nBefore.\n\n## Drawing\n```json\n{{}}\n```\n\n## After\n\nMore.\n"
    record = record_from_bytes(text.encode(), uid="Money.md")
    assert isinstance(record, Record)
    assert record.text == f"{DRAWN}# Flows\n\nBefore.\n\n\n## After\n\nMore.\n"
    assert record.title == "Flows"


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_page_about_a_drawing_is_read_whole(gap: str) -> None:
    text = f"# Boat\n\n## Drawing\n{gap}```json\n{{}}\n```\n\n## Sails\n\nTwo of them.\n"
    record = record_from_bytes(text.encode(), uid="Boat.md")
    assert isinstance(record, Record)
    assert (record.text, record.rendered) == (text, "")
