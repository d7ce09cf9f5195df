"""AsciiDoc, Org, Texinfo, man pages, MediaWiki and Gherkin: sections under their own headings, blocks kept whole."""

import time

import pytest
from chunk_checks import cut_text, texts

from daypack.types import PieceKind


def outline(result):
    return [(piece.kind, piece.name, piece.trail) for piece in result.pieces]


LONG = "A call that fails is made again, and the time between two calls doubles until a limit. " * 8


def test_asciidoc_headings_nest_by_their_marks():
    text = "= Book\n\nintro\n\n== Retries\n\nrepeat\n\n=== `limit`\n\nthree\n\n== Refunds\n\nback\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "asciidoc").pieces] == [
        ("Book", ()),
        ("Retries", ("Book",)),
        ("limit", ("Book", "Retries")),
        ("Refunds", ("Book",)),
    ]


def test_rdoc_headings_nest_by_their_marks_without_those_of_code():
    text = "= Spec\n\nintro\n\n== The call\n\n  app.call(env)\n\n=== <tt>REQUEST_METHOD</tt>\n\na verb\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "asciidoc").pieces] == [
        ("Spec", ()),
        ("The call", ("Spec",)),
        ("REQUEST_METHOD", ("Spec", "The call")),
    ]


def test_a_line_below_a_block_attribute_underlines_no_heading():
    text = f"== Logs\n\n{LONG}\n\n[source,console]\n----\n$ log\n\n= no heading\n----\n\n{LONG}\n"
    result = cut_text(text, "asciidoc")
    assert {piece.name for piece in result.pieces} == {"Logs"}
    assert "[source,console]\n----\n$ log\n\n= no heading\n----" in texts(text, result)


def test_asciidoc_titles_of_two_lines_are_headings():
    text = "pay(1)\n======\n\nNAME\n----\npay - pays\n\nOPTIONS\n-------\n-a::\n  all\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "asciidoc").pieces] == [
        ("NAME", ("pay(1)",)),
        ("OPTIONS", ("pay(1)",)),
    ]


def test_an_asciidoc_table_keeps_its_title_and_attributes():
    table = '[[codes]]\n.Codes\n[cols="1,4"]\n|===\n| Code | Meaning\n\n| 1 | bad\n|==='
    text = f"== Errors\n\n{LONG}\n\n{table}\n\n{LONG}\n"
    result = cut_text(text, "asciidoc")
    assert table in texts(text, result)
    assert PieceKind.TABLE in {piece.kind for piece in result.pieces}


def test_an_anchor_stands_with_the_heading_below_it():
    text = f"== One\n\n{LONG}\n\n[[two]]\n== Two\n\n{LONG}\n"
    assert texts(text, cut_text(text, "asciidoc"))[1].startswith("[[two]]\n== Two")


def test_an_asciidoc_block_that_nothing_closes_is_text():
    text = "== Odd\n\n----\nnever closed\n\n== Next\n\ntext\n"
    assert [piece.name for piece in cut_text(text, "asciidoc").pieces] == ["Odd", "Next"]


def test_org_headings_have_their_readable_names():
    text = (
        "#+title: Guide\n\n* TODO Usage :help:\n:PROPERTIES:\n:ID: 7\n:END:\nuse\n\n"
        "** The [[https://example.org][=run=]] key\nkey\n"
    )
    assert outline(cut_text(text, "org")) == [
        (PieceKind.FRONT_MATTER, "", ()),
        (PieceKind.PARAGRAPH, "Usage", ()),
        (PieceKind.PARAGRAPH, "The run key", ("Usage",)),
    ]


def test_an_org_block_is_kept_whole_and_holds_no_heading():
    block = "#+begin_src sh\n* not a heading\n\nls\n#+END_SRC"
    text = f"* Shell\n{LONG}\n\n{block}\n\n{LONG}\n"
    result = cut_text(text, "org")
    assert {piece.name for piece in result.pieces} == {"Shell"}
    assert block in texts(text, result)


def test_an_org_table_is_a_table():
    text = f"* Keys\n{LONG}\n\n| key | action |\n|-----+--------|\n| n   | new    |\n\n{LONG}\n"
    assert PieceKind.TABLE in {piece.kind for piece in cut_text(text, "org").pieces}


def test_texinfo_sections_nest_and_stand_with_their_nodes():
    text = (
        "\\input texinfo\n@settitle Harbour\n\n@node Tides, Moon, Top, Top\n@chapter Tides @& @emph{moons}\n\nThey come.\n\n"
        "@node Low tide\n@section Low tide\n@cindex ebb\n\nMud.\n\n@unnumberedsec The @@ sign\n\nIt marks.\n"
    )
    assert [(piece.name, piece.trail) for piece in cut_text(text, "texinfo").pieces] == [
        ("", ()),
        ("Tides @& moons", ()),
        ("Low tide", ("Tides @& moons",)),
        ("The @ sign", ("Tides @& moons",)),
    ]
    assert texts(text, cut_text(text, "texinfo"))[2].startswith("@node Low tide\n@section Low tide\n@cindex")


def test_an_example_of_texinfo_is_kept_whole_and_holds_no_heading():
    example = "@smallexample @c shown\n$ tide\n\n@section no heading\n@end smallexample"
    text = f"@section Logs\n\n{LONG}\n\n{LONG}\n\n{example}\n\n{LONG}\n"
    result = cut_text(text, "texinfo")
    assert {piece.name for piece in result.pieces} == {"Logs"}
    assert example in texts(text, result)


def test_an_item_of_texinfo_stands_with_its_other_name_and_the_end_of_its_table():
    first = f"@item --low\n@itemx -l\n{LONG[:300]}"
    second = f"@item --high\n{LONG[:300]}"
    text = f"@section Options\n\n{LONG}\n\n@table @option\n{first}\n\n{second}\n\n@end table\n\n{LONG}\n"
    found = texts(text, cut_text(text, "texinfo"))
    assert any(one.endswith(first.strip()) for one in found)
    assert any(second.strip() in one and one.endswith("@end table") for one in found)


def test_a_man_page_is_cut_at_its_sections():
    text = (
        '.\\" a comment\n.TH PAY 1 2024\n.SH "NAME"\npay \\- pays\n.SH OPTIONS\n.SS \\fBOften\\fP used\n'
        ".TP\n.B \\-a\nall\n"
    )
    assert [(piece.name, piece.trail) for piece in cut_text(text, "man").pieces] == [
        ("", ()),
        ("NAME", ()),
        ("Often used", ("OPTIONS",)),
    ]


def test_an_option_of_a_man_page_is_not_cut_in_two():
    options = [f".It Fl {letter} Ar file\nRead {LONG}\n" for letter in "abc"]
    text = ".Dd May 1\n.Sh OPTIONS\n.Bl -tag\n" + "".join(options) + ".El\n"
    pieces = texts(text, cut_text(text, "man"))
    assert [piece.count(".It Fl") for piece in pieces[1:]] == [1, 1, 1]


def test_the_headings_of_a_wiki_nest_and_have_their_readable_names():
    text = f"= Harbour =\n\nintro\n\n== The [[Crane|crane]] ''north'' ==\n\n{LONG}\n\n<pre>\n== no heading ==\n</pre>\n\n===Oil===\nx\n"
    found = [(piece.name, piece.trail) for piece in cut_text(text, "mediawiki").pieces]
    assert [*dict.fromkeys(found)] == [
        ("Harbour", ()),
        ("The crane north", ("Harbour",)),
        ("Oil", ("Harbour", "The crane north")),
    ]


def test_a_table_of_a_wiki_is_a_table():
    text = f"{LONG}\n\n{{| class=x\n|-\n! Day !! Tide\n|-\n| Monday || 1.1\n|}}\n\n{LONG}\n"
    table = next(piece for piece in cut_text(text, "mediawiki").pieces if piece.kind is PieceKind.TABLE)
    assert text[table.span.start : table.span.end].startswith("{|")


def test_a_scenario_is_named_under_its_feature_and_begins_with_its_tags():
    text = (
        "# language: en\n@quay\nFeature: Mooring\n  As a keeper\n\n  Background:\n    Given a quay\n\n"
        "  @slow\n  Scenario Outline: Too long\n    When a boat of <length> comes\n"
        '    """\n    Scenario: none\n    """\n\n    Examples:\n      | length |\n      | 20     |\n\n'
        "  Rule: At night\n\n    Example: Lamps\n      Then they burn\n"
    )
    pieces = cut_text(text, "gherkin").pieces
    assert [*dict.fromkeys((piece.name, piece.trail) for piece in pieces)] == [
        ("Mooring", ()),
        ("Background", ("Mooring",)),
        ("Too long", ("Mooring",)),
        ("Lamps", ("Mooring", "At night")),
    ]
    slow = next(piece for piece in pieces if piece.name == "Too long")
    assert text[slow.span.start :].startswith("  @slow\n")


@pytest.mark.parametrize("language", ["asciidoc", "org", "man", "mediawiki", "gherkin"])
def test_hostile_text_is_cut_all_the_same(language):
    for text in (
        "----\n" * 500,
        "#+begin_src\n" * 500,
        ".nf\n" * 500,
        "= \n*  \n.SH\n",
        "\n\n\n",
        "|===\n[[x]]",
        "{|\n<pre>\n" * 500,
        '"""\n' * 501 + "@\n",
    ):
        cut_text(text, language)


def test_a_tag_of_a_wiki_that_never_ends_takes_no_time():
    began = time.monotonic()
    cut_text(f"<span {'id= ' * 50_000}", "mediawiki")
    assert time.monotonic() - began < 2
