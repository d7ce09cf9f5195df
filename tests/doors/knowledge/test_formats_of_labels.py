"""A text under a label without an ending is read in the format that it shows, and is code or prose, never neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.knowledge.formats import ending_of
from support import WORDS

FENCED = "# Use\n\nShort.\n\n```python\ndef f3():\n    return 3\n```\n"
GUIDE = "\n\n".join(
    f"## Step {number}\n\n"
    + f"Turn valve {number} by hand until the gauge shows {number} bar, then wait. " * 6
    for number in range(1, 13)
)
MARKDOWN = {
    "two sections": "# Pumps\n\nOil them on Mondays.\n\n# Valves\n\nClose them by hand.\n",
    "levels over lists": "# Trip\n\n- **Boat**: the blue one\n- the [map](map.png)\n\n## Food\n\n- bread and tea for the day\n",
    "front matter": "---\ntitle: Pumps\ntags: [a]\n---\n\n## Oil\n\nOn Mondays.\n\n## Water\n\nNever.\n",
    "a table": "Berths:\n\n| Berth | Boat |\n|---|:--|\n| 1 | Gannet |\n| 2 | Puffin |\n",
    "a fence alone": "```sh\nmake all\n```\n",
    "a fence of tildes": "Run this.\n\n~~~\nmake all\n~~~\n",
    "another language": "# Pumpen\n\nMontags ölen.\n\n# Ventile\n\nVon Hand schließen.\n",
}
OTHERS = {
    "a shell script": "# Install the package.\napt-get install pump\n\n# Start it.\ncd /srv/pump\n./start --now\necho \"It runs now.\"\n",
    "a shell script with blank lines": "# Setup\n\ncd /tmp\nmake all\n\n# Deploy\n\nscp a b\n",
    "a Python script": '"""Oil a pump.\n\nIt is oiled by hand. Each pump has a grade.\n"""\n\n# Imports\nimport os\n\n# Grades\nGRADE = 4\n\n\ndef oil(pump):\n    # By hand.\n    return pump.oil(GRADE)\n',
    "a docstring with a fence": 'def oil():\n    """Oil it.\n\n```python\noil()\n```\n"""\n    return 1\n\n\nclass Pump:\n    grade = 4\n',
    "a heredoc": "cat > README.md <<EOF\n# Pump\n\nOil it on Mondays.\n\n# Valve\n\nClose it.\nEOF\ngit add README.md\ngit commit -m init\n",
    "YAML with comments": "# The pump\n\npump:\n  grade: 4\n\n# The valve of the pump.\n\nvalve:\n  open: false\n",
    "TOML with comments": "# The pump\n[pump]\ngrade = 4\n\n# The valve\n[valve]\nopen = false\n",
    "a Dockerfile": "# Build\nFROM python AS build\nRUN pip install .\n\n# Ship\nCOPY --from=build /a /b\n",
    "rules of ignored files": "# Build\n\ndist/\n*.egg-info\n\n# Notes\n\nnotes.txt\n",
    "R": "# Load the data.\nd <- read.csv(\"pump.csv\")\n\n# Plot it.\nplot(d$grade)\n",
    "a licence above code": "# This file is part of the pump.\n# It is free to use, for all.\n# See the notice.\n\nx = 1\n",
    "prose": "The pump is oiled on Mondays. Issue #4 is about the valve.\n\nIt is closed by hand.\n",
    "one heading": "# Pumps\n\nOil them on Mondays.\n",
    "a fence that does not end": "Nobody closed it:\n\n```\nmake all\n",
    "a table of a database": " berth | boat\n-------+--------\n     1 | Gannet\n     2 | Puffin\n",
    "a bracket": "[1] The pump is oiled on Mondays.\n[2] The valve is closed by hand.\n",
    "a log": "".join(f"2026-10-05 10:00:{second:02} INFO # pump {second} is at rest.\n" for second in range(30)),
}  # fmt: skip


def found(dp: Daypack, query: str, content: str | None = None) -> list[str]:
    hits = dp.search(query, limit=50, vectors="none", content=content).candidates
    return [f"{hit.chunk.uri}:{hit.chunk.span.start_line}-{hit.chunk.span.end_line}" for hit in hits]


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN)
def test_a_text_with_headings_or_fences_over_sentences_is_markdown(text: str) -> None:
    assert ending_of(text) == "md"


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_comments_logs_and_prose_are_not_markdown(text: str) -> None:
    assert ending_of(text) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("line", ["grade: 4", "      by hand", "- oil"])
def test_front_matter_that_is_never_closed_does_not_hold_up_the_reader(line: str, end: str) -> None:
    front = "---" + end + (line + end) * 2000
    assert ending_of(front + "The pump is oiled on Mondays.") == ""
    guide = MARKDOWN["two sections"].replace("\n", end)
    assert ending_of(front + "---" + end + guide) == "md"


def test_json_shows_itself() -> None:
    assert ending_of('{"pump": {"grade": 4}}') == "json"
    assert ending_of('[\n  {"grade": 4}\n]\n') == "json"
    assert ending_of('{"grade": 4}\n{"grade": 5}\n') == "jsonl"
    assert ending_of('{"grade": "4\u2028of 5"}\n{"grade": "5"}\n') == "jsonl"
    assert ending_of('{"grade": 4\n') == ""


def test_a_fence_under_a_bare_label_is_code(dp: Daypack) -> None:
    dp.knowledge.add_text("fence", FENCED)
    assert found(dp, "f3")
    assert found(dp, "f3", "code") == found(dp, "f3")
    with dp.engine.store.reading() as db:
        assert list(db.execute("SELECT title, language FROM record")) == [("Use", "markdown")]


def test_a_guide_under_a_bare_label_is_cut_at_its_headings(dp: Daypack) -> None:
    dp.knowledge.add_text("howto", GUIDE)
    dp.knowledge.add_text("named.md", GUIDE)
    cuts = [hit.partition(":")[2].partition(":")[2] for hit in found(dp, "valve gauge")]
    assert len(cuts) == 24
    assert sorted(cuts)[::2] == sorted(cuts)[1::2]


def test_a_text_without_a_title_keeps_its_label_as_the_title(dp: Daypack) -> None:
    dp.knowledge.add_text("pump settings", '{"pump": {"grade": 4}}')
    with dp.engine.store.reading() as db:
        assert list(db.execute("SELECT title, language FROM record")) == [("pump settings", "json")]


def test_an_ending_or_a_named_language_is_believed(dp: Daypack) -> None:
    dp.knowledge.add_text("guide.txt", GUIDE)
    dp.knowledge.add_text("guide", GUIDE, language="text")
    with dp.engine.store.reading() as db:
        assert list(db.execute("SELECT DISTINCT language FROM record")) == [("text",)]


PIECES = st.sampled_from(
    ["# Oil", "The pump needs oil.", "```", "```py", "~~~", "oil(4)", "    oil(5)", "- oil", "```oil```", "", "", "````", "> oil", "oil: |"]
)  # fmt: skip


@given(
    lines=st.lists(PIECES, min_size=1, max_size=14),
    name=st.sampled_from(["note", "note.md", "note.txt", "note.py", "note.rst"]),
)
def test_each_result_is_either_code_or_prose(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], name: str
) -> None:
    with Daypack.open(tmp_path_factory.mktemp("kinds") / ".daypack", settings=WORDS) as dp:
        text = "\n".join(["The oil is here.", *lines])
        dp.knowledge.add_text(name, text)
        dp.memories.remember("oil", f"Oil it so:\n\n{text}")
        assert sorted(found(dp, "oil", "code") + found(dp, "oil", "prose")) == sorted(found(dp, "oil"))
