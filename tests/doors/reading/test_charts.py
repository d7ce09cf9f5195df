"""The values of charts in presentations and Word documents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from documents_made import docx, pptx, text_of

_CHART = (
    '<c:chartSpace xmlns:c="urn:c" xmlns:a="urn:a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tides</a:t></a:r></a:p></c:rich></c:tx></c:title>'
    "<c:plotArea><c:barChart>{}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
)
_TABLE = (
    "Chart: Tides\n\n|  | High | Share |\n| --- | --- | --- |\n| Monday | 1.1 | 25 % |\n| Tuesday | 2 |  |\n"
)


def series(name: str, values: Mapping[int, str], code: str = "General") -> str:
    days = "".join(
        f'<c:pt idx="{at}"><c:v>{day}</c:v></c:pt>' for at, day in enumerate(["Monday", "Tuesday"])
    )
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in values.items())
    return (
        f"<c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        f"<c:cat><c:strRef><c:strCache>{days}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points}</c:numCache></c:numRef></c:val></c:ser>"
    )


def related(target: str) -> str:
    return f'<Relationships xmlns="urn:r"><Relationship Id="rId5" Target="{target}"/></Relationships>'


def with_parts(document: bytes, parts: Mapping[str, str]) -> bytes:
    made = io.BytesIO(document)
    with zipfile.ZipFile(made, "a") as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
    return made.getvalue()


CHART = _CHART.format(series("High", {0: "1.1000000000000001", 1: "2"}) + series("Share", {0: "0.25"}, "0%"))


def test_the_values_of_a_chart_follow_the_words_of_its_slide() -> None:
    made = with_parts(
        pptx(("Harbour", ["High water"], "")),
        {"ppt/slides/_rels/slide1.xml.rels": related("../charts/chart3.xml"), "ppt/charts/chart3.xml": CHART},
    )
    assert text_of(made, "pptx") == f"## Harbour\n\n- High water\n\n{_TABLE}"


def test_the_values_of_a_chart_in_a_word_document_follow_its_paragraph() -> None:
    drawing = '<w:p><w:r><w:t>See</w:t></w:r></w:p><w:p><w:r><c:chart xmlns:c="urn:c" xmlns:r="urn:r" r:id="rId5"/></w:r></w:p>'
    made = with_parts(
        docx(drawing),
        {"word/_rels/document.xml.rels": related("charts/chart1.xml"), "word/charts/chart1.xml": CHART},
    )
    assert text_of(made, "docx") == f"See\n\n{_TABLE}"


def test_a_chart_without_values_adds_nothing() -> None:
    made = with_parts(
        pptx(("Harbour", ["High water"], "")),
        {
            "ppt/slides/_rels/slide1.xml.rels": related("../charts/chartEx1.xml"),
            "ppt/charts/chartEx1.xml": _CHART.format(""),
        },
    )
    assert text_of(made, "pptx") == "## Harbour\n\n- High water\n"


def test_a_day_of_a_chart_is_no_number() -> None:
    code = "[$-409]d\\-mmm;@"
    points = "".join(
        f'<c:pt idx="{at}"><c:v>{day}</c:v></c:pt>' for at, day in enumerate(["46329", "46330.5"])
    )
    days = f"<c:cat><c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points}</c:numCache></c:numRef></c:cat>"
    high = f'<c:val><c:numRef><c:numCache><c:formatCode>0 "days"</c:formatCode>{points}</c:numCache></c:numRef></c:val>'
    chart = _CHART.format(f"<c:ser>{days}{high}</c:ser>")
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": related("../charts/chart1.xml"),
        "ppt/charts/chart1.xml": chart,
    }
    said = text_of(with_parts(pptx(("Harbour", [], "")), parts), "pptx")
    assert said.endswith("| 2026-11-03 | 46329 |\n| 46330.5 | 46330.5 |\n")
