"""A citation of a page, a chat or mail names the lines of its file, where a person finds the words."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.places.aligning import lines_in_file
from daypack.errors import NotFound
from daypack.evaluate.judge import Miss
from daypack.settings import Settings
from daypack.types import FileLine, FileLines, Record

MENU = "".join(f'<li><a href="p{n}.html">Chapter {n}</a></li>\n' for n in range(40))
PAGE = f"""<!DOCTYPE html>
<html>
<head><title>Refunds of the ferry</title>
<style>
h1 {{ color: red }}
</style></head>
<body>
<nav><ul>
<li><a href="#sent">How refunds are sent</a></li>
{MENU}</ul></nav>
<main>
<h1>Refunds of the ferry</h1>

<p>A refund is <em>queued</em> by the harbour office
   and waits until the crossing
   has ended.</p>
<h2 id="sent">How refunds are sent</h2>
<pre><code><span class="k">def</span> <span class="f">send</span>(ledger):
    <span class="k">return</span> ledger.post()
</code></pre>
<table>
<tr>
  <th>Crossing</th>
  <th>Days</th>
</tr>
<tr>
  <td>Northern island</td>
  <td>seven working days</td>
</tr>
</table>
</main>
</body>
</html>
"""


def cited(dp: Daypack, question: str, holds: str) -> str:
    """The reference of the item of a pack whose text holds some words."""
    pack = dp.pack(question, budget=600)
    return next(one.citation.reference for one in pack.excerpts if holds in one.text)


def in_lines(text: str, reference: str) -> str:
    first, last = map(int, reference.rpartition(":")[2].partition("@")[0].split("-"))
    return "\n".join(text.split("\n")[first - 1 : last])


@pytest.fixture
def dp(tmp_path: Path) -> Daypack:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "refunds.html").write_text(PAGE)
    daypack = Daypack.open(tmp_path / "store", settings=Settings(embedder="hashing"))
    daypack.files.add(folder)
    return daypack


def placed(source: str, text: str) -> FileLines:
    found = lines_in_file(source, text)
    assert found is not None
    return FileLines.from_metadata(found)


def line_with(text: str, words: str) -> int:
    return 1 + next(n for n, line in enumerate(text.split("\n")) if words in line)


def test_a_page_is_cited_by_the_lines_of_its_file_and_not_of_its_markdown(dp: Daypack) -> None:
    reference = cited(dp, "when does a queued refund of the harbour office wait?", "queued")
    assert "queued" in in_lines(PAGE, reference)
    assert "has ended." in in_lines(PAGE, reference)


def test_each_line_of_a_page_is_found_below_its_menu_and_its_title() -> None:
    record = record_from_bytes(PAGE.encode(), uid="refunds.html")
    assert isinstance(record, Record)
    lines = placed(PAGE, record.text)
    for words, first, last in (
        ("# Refunds", "<h1>", "<h1>"),
        ("A refund is", "A refund is", "A refund is"),
        ("has ended", "has ended", "has ended"),
        ("## How refunds", "<h2 ", "<h2 "),
        ("def send", '"k">def', '"k">def'),
        ("return ledger", "ledger.post", "ledger.post"),
        ("Northern", "Northern", "seven working"),
    ):
        number = line_with(record.text, words)
        assert lines.in_file(number, number) == (line_with(PAGE, first), line_with(PAGE, last)), words


def test_get_gives_the_text_on_lines_of_the_file(dp: Daypack) -> None:
    first, last = line_with(PAGE, "A refund is"), line_with(PAGE, "has ended.")
    found = dp.get(f"refunds.html:{first}-{last}")
    assert (
        found.text == "A refund is *queued* by the harbour office\nand waits until the crossing\nhas ended."
    )
    assert (found.span.start_line, found.span.end_line) == (first, last)
    assert found.reference == f"{found.uri}:{first}-{last}"


def test_get_of_lines_without_text_names_the_line_of_the_next(dp: Daypack) -> None:
    with pytest.raises(NotFound, match="holds no text") as caught:
        dp.get("refunds.html:2-5")
    assert f"on lines {line_with(PAGE, '<h1>')} to " in str(caught.value)


def test_every_way_to_ask_cites_the_same_lines(dp: Daypack) -> None:
    question = "when does a queued refund of the harbour office wait?"
    result = dp.search(question)
    best = result.candidates[0].chunk
    assert result.files[0].reference == best.reference
    found = dp.get(best.reference)
    assert best.text.strip() in found.text
    assert dp.get(f"#{best.id}").reference == best.reference
    assert best.reference.endswith(f":{best.place.start_line}-{best.place.end_line}")


def test_get_of_more_lines_than_a_page_has_ends_with_its_text(dp: Daypack) -> None:
    first, last = line_with(PAGE, "A refund is"), line_with(PAGE, "seven working")
    assert dp.get(f"refunds.html:{first}-9000").reference == dp.get(f"refunds.html:{first}-{last}").reference


def test_a_whole_record_has_the_lines_of_its_file(dp: Daypack) -> None:
    chunk = dp.search("queued refund").candidates[0].chunk
    whole = dp.get(f"daypack://record/{chunk.record_id}")
    assert whole.span == dp.get(chunk.uri).span
    assert whole.span.start_line == line_with(PAGE, "<h1>")


def test_a_suite_expects_the_lines_of_a_page(dp: Daypack) -> None:
    line = line_with(PAGE, "Northern island")
    uri = dp.search("queued refund").candidates[0].chunk.uri
    question = "how many days for the Northern island?"
    asked = [("late", f"{uri}:{line}"), ("no line", f"{uri}:9000")]
    run = dp.evaluate([{"name": name, "query": question, "expected_paths": [path]} for name, path in asked])
    late, beyond = run.cases
    assert late.findings[0].retrieval_miss is None
    assert beyond.findings[0].retrieval_miss is Miss.NOT_STORED
    assert beyond.findings[0].lines == line_with(PAGE, "seven working")


@pytest.mark.parametrize("around", ["{}", "what is on {}?", "the build stopped at {}"])
def test_a_question_about_a_line_of_a_page_finds_the_text_on_that_line(tmp_path: Path, around: str) -> None:
    breaks = "<br>\n" * 90
    rows = "".join(
        f"<h2>Quay {n}</h2>\n<p>The fee of quay {n}\nis {n} crowns\na day.</p>\n" for n in range(60)
    )
    (tmp_path / "quays.html").write_text(f"<html><body>\n{breaks}<h1>Quays</h1>\n{rows}</body></html>\n")
    line = line_with((tmp_path / "quays.html").read_text(), "is 31 crowns")
    with Daypack.open(tmp_path / "store", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(tmp_path / "quays.html")
        pack = dp.pack(around.format(f"quays.html:{line}"), budget=150)
        assert "is 31 crowns" in pack.excerpts[0].text


def test_a_page_in_one_line_is_cited_by_that_line_and_the_lines_of_its_text(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    parts = "".join(f"<h2>Part {n}</h2><p>Crossing {n} costs {n} crowns.</p>" for n in range(60))
    (folder / "prices.html").write_text(f"<html>\n<body>{parts}</body></html>\n")
    with Daypack.open(tmp_path / "store", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(folder)
        reference = cited(dp, "what does crossing 41 cost?", "Crossing 41 costs")
        assert "prices.html#line=2:" in reference
        assert "Crossing 41 costs" in dp.get(reference).text
        assert "Crossing 52 costs" not in dp.get(reference).text


def test_a_message_of_a_chat_is_cited_by_its_lines_in_the_export(tmp_path: Path) -> None:
    said = ["The crane comes on Friday.", "Who tells the harbour?", "Ida rings them tomorrow."]
    export = json.dumps([{"type": "message", "user": "U1", "ts": f"17000{n}00.0", "text": text} for n, text in enumerate(said * 9)], indent=2)  # fmt: skip
    record = record_from_bytes(export.encode(), uid="general/2026-03-01.json")
    assert isinstance(record, Record)
    lines = FileLines.from_metadata(record.metadata["pages"])
    number = [n for n, line in enumerate(record.text.split("\n"), 1) if "Ida rings" in line][4]
    _, last = lines.in_file(number, number)
    assert "Ida rings" in export.split("\n")[last - 1]


def test_a_cell_of_a_notebook_is_cited_by_its_number(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "source": ""}, {"cell_type": "markdown", "source": "# Ferry"}] + [
        {"cell_type": "code", "source": f"crossing_{n} = price({n})", "outputs": []} for n in range(30)
    ]
    (tmp_path / "ferry.ipynb").write_text(json.dumps({"cells": cells}))
    with Daypack.open(tmp_path / "store", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(tmp_path / "ferry.ipynb")
        found = dp.get(f"{tmp_path}/ferry.ipynb#cell=9")
        assert "crossing_6 = price(6)" in found.text
        assert "crossing_7" not in found.text


def test_a_page_that_was_saved_in_one_file_is_cited_by_the_lines_of_that_file() -> None:
    saved = EmailMessage()
    saved["From"], saved["Subject"] = "<Saved by a browser>", "Tides"
    saved.set_content(PAGE.replace("queued", "queued für"), subtype="html", cte="quoted-printable")
    record = record_from_bytes(bytes(saved), uid="tides.mht")
    assert isinstance(record, Record)
    lines = FileLines.from_metadata(record.metadata["pages"])
    number = line_with(record.text, "Northern")
    first, last = lines.in_file(number, number)
    assert "Northern island" in "\n".join(bytes(saved).decode().split("\n")[first - 1 : last])


def test_a_file_of_an_old_mac_is_cited_by_the_lines_that_an_editor_shows() -> None:
    record = record_from_bytes("".join(f"day {n}: wind {n}\r" for n in range(9)).encode(), uid="log.txt")
    assert isinstance(record, Record)
    assert record.text.split("\n")[4] == "day 4: wind 4"


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=40))
def test_lines_of_the_text_lie_within_the_lines_that_cite_them(steps: list[tuple[int, int, int]]) -> None:
    rows, number, line = list[FileLine](), 0, 1
    for below, down, high in steps:
        number, line = number + below, line + down
        rows.append(FileLine(number, line, line + high))
        line += high
    lines = FileLines.of(rows, number)
    assert FileLines.from_metadata(json.loads(json.dumps(lines.to_metadata()))) == lines
    for row in rows:
        assert lines.in_file(row.number, row.number) == (row.first, row.last)
        first, last = lines.in_text(row.first, row.last)
        assert first <= row.number <= last
