"""Paragraphs under their headings."""

import pytest
from chunk_checks import cut_text, texts

from daypack.types import PieceKind, Record, RecordKind

PARAGRAPH = (
    "Every call is made again when it fails, and the time between two calls doubles until the limit is reached. "
    * 3
)


def outline(result):
    return [(piece.kind, piece.name, piece.trail) for piece in result.pieces]


def test_a_heading_stands_with_the_paragraph_below_it():
    text = "# Retries\n\nCalls are repeated.\n"
    (piece,) = cut_text(text, "markdown").pieces
    assert (piece.kind, piece.name, piece.span.start, piece.span.start_line, piece.span.end_line) == (
        PieceKind.PARAGRAPH,
        "Retries",
        0,
        1,
        3,
    )


def test_a_heading_that_nothing_follows_is_a_piece_of_its_own():
    result = cut_text("# Book\n\ntext\n\n## Empty\n\n## Chapter\n\nText.\n\n## Last\n", "markdown")
    assert outline(result) == [
        (PieceKind.PARAGRAPH, "Book", ()),
        (PieceKind.HEADING, "Empty", ("Book",)),
        (PieceKind.PARAGRAPH, "Chapter", ("Book",)),
        (PieceKind.HEADING, "Last", ("Book",)),
    ]


def test_a_heading_over_headings_stands_with_the_first_of_them():
    text = "# Book\n\n## Part\n\n### Chapter\n\nText.\n\n## Other\n\nMore.\n"
    result = cut_text(text, "markdown")
    assert outline(result) == [
        (PieceKind.PARAGRAPH, "Chapter", ("Book", "Part")),
        (PieceKind.PARAGRAPH, "Other", ("Book",)),
    ]
    assert texts(text, result)[0] == "# Book\n\n## Part\n\n### Chapter\n\nText."


@pytest.mark.parametrize(
    ("target", "heading", "language"),
    [
        ('<a name="4.5.0"></a>', "## 4.5.0", "markdown"),
        ("<a id='x'/>", "## Limits", "markdown"),
        (".. _limits:", "Limits\n======", "rst"),
        ("(limits)=", "## Limits", "markdown"),
        ("(labels/upper-limits)=", "## Limits", "markdown"),
    ],
)
def test_the_target_of_a_link_stands_with_the_heading_below_it(target, heading, language):
    text = f"{PARAGRAPH}\n\n{target}\n\n{heading}\n\ntext\n"
    first, second = texts(text, cut_text(text, language))
    assert first == PARAGRAPH.strip()
    assert second == f"{target}\n\n{heading}\n\ntext"


@pytest.mark.parametrize("opening", ['=== "Linux"', '!!! warning "Disk"', "??? note"])
def test_the_indented_text_of_a_note_or_tab_is_text_and_its_code_stays_whole(opening):
    code = "    ``` sh\n    fetch the key of the archive\n\n    install it\n    ```"
    inner = PARAGRAPH.strip()
    text = f"# Install\n\n{PARAGRAPH}\n\n{opening}\n\n    {inner}\n\n{code}\n\n    {inner}\n\nThe end.\n"
    result = cut_text(text, "markdown")
    found = texts(text, result)
    assert [piece.kind for piece in result.pieces] == [PieceKind.PARAGRAPH] * len(found)
    assert opening in found[0] + found[1]
    assert any(code.strip() in one for one in found)


@pytest.mark.parametrize(
    "fences",
    [
        "    ``` sh\n    fetch it\n\n    install it\n    ```\n",
        "    ```\n    one\n    ```\n    ~~~~\n" + "    ```\n" * 60 + "\n" + "    two\n" * 60 + "    ~~~~~\n",
    ],
)
def test_code_directly_below_the_title_of_a_note_stays_whole(fences):
    text = (
        f"!!! note\n{fences}\n    {PARAGRAPH.strip()}\n\n## Limits\n\n!!! tip\n    ```\n    last\n    ```\n"
    )
    result = cut_text(text, "markdown")
    found = texts(text, result)
    assert f"!!! note\n{fences}".strip() in found[0]
    assert [piece.name for piece in result.pieces][-1] == "Limits"
    assert found[-1].startswith("## Limits")


def test_a_fence_that_no_line_of_a_note_closes_ends_with_the_note():
    text = f"!!! note\n\n    ```\n    open\n\n## Limits\n\n{PARAGRAPH}\n\n!!! tip\n\n    ```\n    last\n    ```\n"
    result = cut_text(text, "markdown")
    assert [piece.name for piece in result.pieces][:2] == ["", "Limits"]
    assert texts(text, result)[1].startswith("## Limits")


@pytest.mark.parametrize(
    "label",
    ["r[pay.limits]", "(limits)=", "{#limits}", '<a name="limits"></a>', '<!-- TOC --><a id="limits"></a>'],
)
def test_a_label_right_above_a_heading_stands_with_it(label):
    text = f"## Calls\n\n{PARAGRAPH}\n\n{label}\n## Limits\n\ntext\n"
    result = cut_text(text, "markdown")
    assert texts(text, result)[1] == f"{label}\n## Limits\n\ntext"
    assert [piece.name for piece in result.pieces] == ["Calls", "Limits"]


@pytest.mark.parametrize(
    "words", ["They end (soon).", "(optional)", "f(x)=", "retry(call)", "[top]", "![logo]", "{:.wide}"]
)
def test_words_right_above_a_heading_belong_to_the_text_before_it(words):
    text = f"## Calls\n\n{PARAGRAPH}\n\n{words}\n## Limits\n\ntext\n"
    first, second = texts(text, cut_text(text, "markdown"))
    assert first.endswith(words)
    assert second.startswith("## Limits")


SILENT = [
    ("{{% /alert %}}", "markdown"),
    ("{{< /tab >}}\n{{< /tabs >}}", "markdown"),
    ("{% endhint %}", "markdown"),
    ("</TabItem>\n</Tabs>", "markdown"),
    ("</details>", "markdown"),
    ("<!-- end:settings -->", "markdown"),
    ("<!-- prettier-ignore -->\n<!-- vale off -->", "markdown"),
    ("{/* prettier-ignore */}", "markdown"),
    ("---", "markdown"),
    (".. contents::\n   :local:\n   :depth: 2", "rst"),
    (":orphan:", "rst"),
    (".. [[[end]]]", "rst"),
]


@pytest.mark.parametrize(("silent", "language"), SILENT)
def test_a_block_that_says_nothing_stands_with_the_text_above_it(silent, language):
    text = f"{PARAGRAPH}\n\n{silent}\n\n{PARAGRAPH}\n"
    assert texts(text, cut_text(text, language)) == [f"{PARAGRAPH}\n\n{silent}".strip(), PARAGRAPH.strip()]


@pytest.mark.parametrize(("silent", "language"), SILENT)
def test_at_the_top_it_stands_with_the_heading_below_it(silent, language):
    if silent == "---":  # which may open front matter
        silent = "***"
    heading = "# Limits" if language == "markdown" else "Limits\n======"
    text = f"{silent}\n\n{heading}\n\ntext\n"
    assert texts(text, cut_text(text, language)) == [text.strip()]


def test_a_comment_that_stands_alone_is_found():
    text = "<!-- The settings moved to settings.md. -->\n"
    assert texts(text, cut_text(text, "markdown")) == [text.strip()]


def test_a_long_comment_is_a_piece():
    text = f"{PARAGRAPH}\n\n<!-- {PARAGRAPH} -->\n\n{PARAGRAPH}\n"
    assert len(texts(text, cut_text(text, "markdown"))) == 3


def test_headings_nest_by_level_and_close_their_equals():
    text = "# A\n\na\n\n### B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n"
    assert [(piece.name, piece.trail, piece.section) for piece in cut_text(text, "markdown").pieces] == [
        ("A", (), 0),
        ("B", ("A",), 1),
        ("C", ("A",), 2),
        ("D", (), 3),
    ]


def test_underlined_headings_count_as_headings():
    text = "Book\n====\n\nintro\n\nChapter\n-------\ntext\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "markdown").pieces] == [
        ("Book", ()),
        ("Chapter", ("Book",)),
    ]


def test_the_name_of_a_heading_is_what_one_reads():
    text = (
        "## The [`get`](https://example.org/get) command {#get} ##\n\ntext\n\n## **Bold** `code` ##\n\ntext\n"
    )
    assert [piece.name for piece in cut_text(text, "markdown").pieces] == [
        "The get command {#get}",
        "Bold code",
    ]


def test_a_hash_inside_a_fence_or_comment_is_no_heading():
    text = "# Real\n\n```sh\n# not this\n\n# nor this\n```\n\n<!--\n# nor that\n\n# at all\n-->\n\n    # or this\n"
    assert {piece.name for piece in cut_text(text, "markdown").pieces} == {"Real"}


def test_a_fence_that_is_never_closed_runs_to_the_end():
    result = cut_text("Text. " * 60 + "\n\n```\ncode\n\n# code too\n" + "more code\n" * 10, "markdown")
    assert [piece.kind for piece in result.pieces] == [PieceKind.PARAGRAPH, PieceKind.FENCE]


def test_front_matter_lists_tables_and_fences_keep_their_kind():
    body = (
        f"---\ntitle: x\n---\n\n# T\n\n{PARAGRAPH}\n\n"
        + "- an item of the list\n" * 20
        + "\n| a | b |\n|---|---|\n"
        + "| 1 | 2 |\n" * 40
    )
    body += "\n```python\n" + "x = 1\n" * 80 + "```\n"
    kinds = [piece.kind for piece in cut_text(body, "markdown").pieces]
    assert kinds == [
        PieceKind.FRONT_MATTER,
        PieceKind.PARAGRAPH,
        PieceKind.LIST,
        PieceKind.TABLE,
        PieceKind.FENCE,
    ]


def test_a_rule_at_the_top_is_no_front_matter():
    result = cut_text("---\n\nSome text.\n", "markdown")
    assert [piece.kind for piece in result.pieces] == [PieceKind.PARAGRAPH]


def test_single_line_paragraphs_are_read_together():
    text = "\n\n".join(f"This is line number {number} of the story." for number in range(400))
    pieces = cut_text(text).pieces
    assert len(pieces) < 60
    assert all(piece.span.end - piece.span.start <= 480 for piece in pieces)


def test_neighbours_are_not_joined_across_headings():
    assert len(cut_text("# A\n\na\n\n# B\n\nb\n", "markdown").pieces) == 2


def test_an_introduction_stays_with_the_list_it_introduces():
    text = "For example:\n\n" + "- some item that is written out\n" * 12
    (piece,) = cut_text(text, "markdown").pieces
    assert piece.kind is PieceKind.LIST


def test_an_introduction_stays_with_the_first_part_of_a_block_that_is_cut():
    text = "And deploy:\n\n```console\n" + "$ make a step of the deployment\n" * 90 + "```\n"
    first, *rest = cut_text(text, "markdown").pieces
    assert rest
    assert text[first.span.start : first.span.end].startswith("And deploy:\n\n```console\n$ make")
    assert first.kind is PieceKind.FENCE


def test_a_long_paragraph_is_cut_after_sentences():
    text = "This sentence has exactly eight words in it. " * 100
    parts = texts(text, cut_text(text))
    assert len(parts) > 3
    assert all(part.endswith(".") and len(part) <= 1024 for part in parts)


def test_a_long_list_is_cut_between_items():
    text = "".join(f"- item {number}: " + "words " * 20 + "\n" for number in range(40))
    parts = texts(text, cut_text(text, "markdown"))
    assert len(parts) > 1
    assert all(part.startswith("- item") for part in parts)


@pytest.mark.parametrize(
    ("language", "head", "row", "close"),
    [
        ("markdown", "| Key | Action |\n|-----|--------|\n", "| k{} | moves the cursor to column {} of the line |\n", ""),
        ("org", "| Key | Action |\n|-----+--------|\n", "| k{} | moves the cursor to column {} of the line |\n", ""),
        ("asciidoc", "|===\n| Key | Action\n\n", "| k{} | moves the cursor to column {} of the line\n", "|===\n"),
        ("rst", "=====  =======\nKey    Action\n=====  =======\n", "k{}   moves to column {} of the line  \n", "=====  =======\n"),
        ("rst", "+-----+--------+\n| Key | Action |\n+=====+========+\n", "| k{} | moves to column {} of the line |\n+-----+-----+\n", ""),
    ],
)  # fmt: skip
def test_the_parts_of_a_large_table_are_even_and_named_after_its_head(language, head, row, close):
    text = "".join([head, *(row.format(n, n) for n in range(60)), close])
    pieces = cut_text(text, language).pieces
    assert len(pieces) > 1
    assert {piece.kind for piece in pieces} == {PieceKind.TABLE}
    assert [piece.name for piece in pieces] == ["", *["Key | Action"] * (len(pieces) - 1)]
    lengths = [piece.span.end - piece.span.start for piece in pieces]
    assert min(lengths) > max(lengths) / 2


def test_a_table_is_a_section_of_its_own_and_has_the_names_of_its_columns():
    before, after = "The harbour opens in May. " * 30, "Members pay less. " * 40
    table = "| Berth | Day | Remarks |\n|---|---|---|\n| up to 8 m | 18.00 | with electricity |\n"
    cut = cut_text(f"# Tariff\n\n{before}\n\n{table}\n{after}\n", "markdown")
    (found,) = [piece for piece in cut.pieces if piece.kind is PieceKind.TABLE]
    assert found.signature == "Berth | Day | Remarks"
    assert found.name == "Tariff"
    assert [piece.section for piece in cut.pieces].count(found.section) == 1
    assert all(not piece.signature for piece in cut.pieces if piece is not found)


def test_the_head_of_a_table_comes_with_the_heading_above_it():
    rows = "".join(f"| k{n} | moves the cursor to column {n} of the line |\n" for n in range(60))
    result = cut_text(f"# Keys\n\n| `Key` | **Action** |\n|---|---|\n{rows}", "markdown")
    assert [(piece.name, piece.trail) for piece in result.pieces[:2]] == [
        ("Keys", ()),
        ("Keys: Key | Action", ()),
    ]


def test_wide_scripts_get_shorter_pieces():
    text = "これは日本語の文章です。" * 300
    assert max(len(part) for part in texts(text, cut_text(text))) <= 350


def test_a_hard_cut_does_not_separate_an_accent_from_its_letter():
    text = "e\u0301" * 3000
    parts = texts(text, cut_text(text))
    assert len(parts) > 1
    assert all(not part.startswith("\u0301") for part in parts)


def test_a_hard_cut_does_not_take_a_family_apart():
    text = "👩‍👩‍👧" * 800
    parts = texts(text, cut_text(text))
    assert len(parts) > 1
    assert all(part[0] == "👩" for part in parts)


def test_restructured_headings_take_their_level_from_their_order():
    text = "====\nBook\n====\n\nintro\n\nPart\n----\n\ntext\n\nChapter\n~~~~~~~\n\ntext\n\nOther part\n----------\n\ntext\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "rst").pieces] == [
        ("Book", ()),
        ("Part", ("Book",)),
        ("Chapter", ("Book", "Part")),
        ("Other part", ("Book",)),
    ]


def test_literal_blocks_and_code_directives_are_kept_whole():
    code = "   first line of it\n\n" + "   second\n\n" * 9 + "   third\n"
    text = f"{PARAGRAPH}::\n\n{code}\n{PARAGRAPH}\n\n.. code-block:: python\n\n{code}\n{PARAGRAPH}\n"
    whole = [part for part in texts(text, cut_text(text, "rst")) if "first" in part]
    assert len(whole) == 2
    assert all("third" in part for part in whole)


def test_log_lines_are_grouped_and_a_trace_stays_with_its_entry():
    entry = "2024-05-01 10:00:00 ERROR it broke\n  Traceback\n    at line one\n"
    text = entry * 100
    parts = texts(text, cut_text(text, "log"))
    assert len(parts) < 20
    assert all(part.startswith("2024") for part in parts)


@pytest.mark.parametrize("kind", [RecordKind.EVENT, RecordKind.MEMORY])
def test_a_short_turn_is_one_piece_and_a_long_one_is_its_paragraphs(kind):
    short = cut_text("First.\n\n# Second\n\nThird.", "", kind)
    assert [piece.kind for piece in short.pieces] == [PieceKind.TURN]
    text = "\n\n".join([PARAGRAPH] * 8)
    long = cut_text(text, "", kind)
    assert {piece.kind for piece in long.pieces} == {PieceKind.TURN}
    assert len(long.pieces) == 8


def test_a_rendered_page_is_read_as_markdown():
    from daypack.chunk import cut

    result = cut(Record("a", "# Page\n\ntext\n", language="html", rendered="html"))
    assert [piece.name for piece in result.pieces] == ["Page"]


def test_releases_and_changes_as_directives_are_headings_and_entries():
    entry = "    .. change::\n        :tags: bug, cart\n        :tickets: {n}\n\n        {text}\n\n"
    long = "The total of a cart was wrong when it held more than one boat of the same harbour. " * 6
    text = (
        "=======\nChanges\n=======\n\n.. changelog::\n    :version: 2.5.0\n    :include_notes_from: unreleased\n\n"
        ".. changelog::\n    :version: 2.4.0\n    :released: March 5, 2024\n\n"
        + entry.format(n=1, text=long)
        + entry.format(n=2, text=long + "\n\n        It is right now.")
        + ".. changelog::\n    :version: 2.3.0\n    :released: March 1, 2024\n\n"
        + entry.format(n=3, text="A lamp.")
    )
    pieces = cut_text(text, "rst").pieces
    assert [(piece.name, piece.trail) for piece in pieces] == [
        ("2.5.0 (unreleased)", ("Changes",)),
        ("2.4.0 (March 5, 2024)", ("Changes",)),
        ("2.4.0 (March 5, 2024)", ("Changes",)),
        ("2.3.0 (March 1, 2024)", ("Changes",)),
    ]
    shown = [text[piece.span.start : piece.span.end] for piece in pieces]
    assert shown[1].lstrip().startswith(".. changelog::") and ":tickets: 1" in shown[1]
    assert shown[2].lstrip().startswith(".. change::") and "right now" in shown[2]
