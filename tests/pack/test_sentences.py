"""The parts of a text of which an extract shows some."""

from __future__ import annotations

import pytest

from daypack.pack.sentences import sentences
from daypack.pack.variants import choices
from daypack.pack.weigher import Weigher
from daypack.testing import make_chunk
from daypack.text.tables import head_rows
from daypack.types import Candidate, PieceKind


def parts(text: str, kind: PieceKind = PieceKind.PARAGRAPH) -> list[str]:
    chunk = make_chunk(text, 1)._replace(kind=kind)
    return [text[start:end].strip() for start, end in sentences(chunk)]


def test_initials_and_abbreviations_end_no_sentence() -> None:
    first = "The idea came from Mary S. Harbour, who measured tides (cf. the almanac) by hand."
    assert parts(f"{first} Nobody had done that before her time.") == [
        first,
        "Nobody had done that before her time.",
    ]


def test_a_fact_is_not_cut_off_inside_a_date_or_behind_a_title() -> None:
    landing = "Mamas Flug ist LH 1821 und landet am 9. Juni um 14:35 in Hamburg."
    surgery = "Her knee is operated on by Dr. Osei on 4 June."
    assert parts(f"{landing} Der Zug danach ist schon gebucht.")[0] == landing
    assert parts(f"{surgery} Nobody else knows it yet.")[0] == surgery


@pytest.mark.parametrize(
    "sentences_",
    [
        [
            "潮汐每天涨落两次。",
            "港口在中午测量水位！",
            "“谁来测量？”港务员问。",
            "（夜里不测。）",
            "记录保存七年。",
        ],
        [
            "潮は一日に二度満ちます。",
            "水位は正午に測ります。",
            "「誰が測りますか？」",
            "記録は七年間保管します。",
        ],
        ["ज्वार दिन में दो बार आता है।", "पानी का स्तर दोपहर में मापा जाता है।"],
        ["يرتفع الماء مرتين في اليوم.", "من يقيس مستوى الماء؟", "تحفظ السجلات سبع سنوات."],
    ],
)
def test_a_sentence_ends_where_its_language_ends_one(sentences_: list[str]) -> None:
    joint = "" if sentences_[0].endswith("。") else " "
    found = parts(joint.join(sentences_))
    assert "".join(found).replace(" ", "") == "".join(sentences_).replace(" ", "")
    assert len(found) > len(sentences_) / 2  # very short ones are joined
    assert all(any(part.endswith(one) for one in sentences_) for part in found)


def test_a_message_of_a_chat_keeps_its_line() -> None:
    said = [
        "ok",
        "who picks up Leo? He waits. The gate is shut",
        "see you",
        "The code of the shed is 4711. Keep it",
    ]
    lines = [f"3/5/26, 10:0{n} - Anna: {text}" for n, text in enumerate(said)]
    assert parts("\n".join(lines)) == lines
    rendered = [f"Ida Holm, 3 Nov 2026 08:1{n} UTC: {text}" for n, text in enumerate(said)]
    assert parts("\n\n".join(rendered)) == rendered


def test_a_long_message_is_cut_into_its_sentences() -> None:
    long = " ".join(f"Berth {n} has a lamp and a crane beside the shed." for n in range(20))
    found = parts(f"[03.04.26, 19:06:02] Ida: {long}\n[03.04.26, 19:07:40] Bo: ok danke, wer fährt?")
    assert len(found) == 21
    assert found[-1].endswith("wer fährt?")


def test_a_run_on_in_chinese_is_cut_at_its_clauses() -> None:
    clause = "港口的水位在中午测量，"
    found = parts(clause * 80)
    assert len(found) > 4
    assert all(part.endswith("，") for part in found)


def test_the_shortest_extract_of_japanese_is_as_short_as_one_of_english() -> None:
    tides = "潮は一日に二度満ちます。港の水位は正午に測ります。記録は七年間保管します。"
    rest = "船は朝に港を出ます。魚は市場で売られます。網は夕方に直されます。"
    chunk = make_chunk(rest * 3 + tides + rest * 3, 1)
    weigher = Weigher({"水位": 1.0, "測り": 1.0})
    found = choices(Candidate(chunk, 1.0, 1.0, ()), weigher, whole=300, overhead=10, further=5)
    shown = ["".join(chunk.text[start:end] for start, end in one.parts) for one in found]
    assert "水位" in shown[0]
    assert len(shown[0]) < 100


def test_a_short_sentence_beside_a_long_one_is_an_extract_by_itself() -> None:
    long = f"The committee spoke of {', '.join(f'berth {n} and its lamp' for n in range(24))}."
    asked = "The code of the shed is with Ida."
    chunk = make_chunk(f"{long} {asked} {long}", 1, tokens=400)
    weigher = Weigher({"code": 1.0, "shed": 1.0})
    found = choices(Candidate(chunk, 1.0, 1.0, ()), weigher, whole=400, overhead=10, further=5)
    shortest = min(found, key=lambda choice: choice.cost)
    assert [chunk.text[start:end].strip() for start, end in shortest.parts] == [asked]


def test_a_sentence_that_ends_in_a_wide_colon_is_not_shown_without_its_list() -> None:
    items = "- 正午和午夜水位最高\n- 早上和傍晚水位最低\n- 其间的水位几乎没有什么变化"
    found = parts(
        f"海面的高度并不固定，每天都在变化。港口的水位一共有三种状态：\n\n{items}\n\n水手们都知道它们的名字和时间。"
    )
    assert f"港口的水位一共有三种状态：\n\n{items}" in found


def test_a_line_of_code_is_not_cut() -> None:
    code = "```c\nint tide;    // in metres. Negative below the mark. See the almanac.\n```"
    assert any(
        code in part for part in parts(f"Tides are numbers with a sign.\n\n{code}\n\nThey are read at noon.")
    )


def test_a_sentence_that_ends_in_a_colon_is_not_shown_without_its_list() -> None:
    items = "- High water at noon and at midnight\n- Low water in the morning and evening\n- Slack water in between"
    found = parts(
        f"The sea has no fixed height at all. It has three states:\n\n{items}\n\nSailors know all of them by name."
    )
    assert found == [
        "The sea has no fixed height at all.",
        f"It has three states:\n\n{items}",
        "Sailors know all of them by name.",
    ]


def test_the_line_of_a_directive_is_not_shown_without_its_text() -> None:
    code = ".. code-block:: c\n   :linenos:\n\n   int tide;\n   int moon;"
    assert parts(
        f"Tides are numbers with a sign.\n\nThey are written so, at noon:\n\n{code}\n\nThey are read at noon, too."
    ) == [
        "Tides are numbers with a sign.",
        f"They are written so, at noon:\n\n{code}",
        "They are read at noon, too.",
    ]


def test_a_long_list_may_be_shown_in_part() -> None:
    items = "".join(f"- Harbour number {n} has its own table of tides\n" for n in range(40))
    found = parts(f"These harbours have tables:\n\n{items}")
    assert len(found) > 10
    assert found[0].startswith("These harbours have tables:\n\n- Harbour number 0 ")


def test_a_row_of_several_lines_is_one_part() -> None:
    rows = "".join(f"|tide number {n}\n|Its height in metres.\nMeasured at noon.\n\n" for n in range(3))
    assert (
        parts(f"|===\n|Tide |Height\n\n{rows}|===", PieceKind.TABLE)[1]
        == "|tide number 0\n|Its height in metres.\nMeasured at noon."
    )


@pytest.mark.parametrize(
    ("table", "head"),
    [
        ("|===\n|Tide |Height\n\n|high\n|12\n\n|low\n|6\n|===", 1),
        (
            "+------+--------+\n| Tide | Height |\n+======+========+\n| high | 12     |\n+------+--------+\n",
            1,
        ),
        (
            "All tides:\n\n+------+--------+\n| Tide | Height |\n+======+========+\n| high | 12     |\n+------+--------+\n",
            2,
        ),
        (".. list-table::\n   :header-rows: 1\n\n   * - Tide\n     - Height\n   * - high\n     - 12\n", 2),
    ],
)
def test_the_head_of_a_table_with_long_rows_is_known(table: str, head: int) -> None:
    rows = parts(table, PieceKind.TABLE)
    assert head_rows(rows) == range(head)
    assert "Tide" in rows[head - 1]
    assert "high" in rows[head]


def test_two_tables_of_one_line_a_row_are_cut_at_their_lines() -> None:
    table = "| Tide | Height |\n|---|---|\n| high | 12 |\n"
    assert len(parts(f"{table}\n{table}\n{table}", PieceKind.TABLE)) == 9


def test_an_item_of_a_list_is_worth_less_without_the_others_than_a_sentence_is() -> None:
    text = "".join(
        f"- The harbour number {n} keeps a table of its own tides for the whole year.\n" for n in range(12)
    )
    chunk = make_chunk(text.replace("number 5", "that freezes"), 1, tokens=len(text) // 4)
    first = {}
    for kind in (PieceKind.LIST, PieceKind.PARAGRAPH):
        candidate = Candidate(chunk._replace(kind=kind), 1.0, 1.0, ())
        found = choices(candidate, Weigher({"freez": 1.0}), whole=chunk.tokens, overhead=10, further=5)
        first[kind] = found[0].value
    assert first[PieceKind.LIST] < first[PieceKind.PARAGRAPH]
