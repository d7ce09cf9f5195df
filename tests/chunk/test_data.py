"""Data files are cut between entries."""

import json

from chunk_checks import cut_text, texts

from daypack.types import PieceKind

WORDS = "some words to fill the line " * 4


def test_json_is_cut_between_keys_and_named_after_them():
    text = json.dumps(
        {"name": "x", "scripts": {f"s{number}": WORDS for number in range(30)}, "end": 1}, indent=2
    )
    result = cut_text(text, "json")
    assert {piece.kind for piece in result.pieces} == {PieceKind.ROW}
    assert result.pieces[0].name == "name"
    assert "scripts" in [piece.name for piece in result.pieces]
    assert result.pieces[-1].name == "end"
    assert all(len(part) <= 1024 for part in texts(text, result))


def test_a_large_object_is_opened_and_carries_its_key_path():
    text = json.dumps({"a": {"b": {f"key{number}": [WORDS] * 6 for number in range(4)}}}, indent=1)
    pieces = cut_text(text, "json").pieces
    assert [(piece.name, piece.trail) for piece in pieces] == [
        (f"a.b.key{number}", ("a", "b")) for number in range(4)
    ]


def test_items_of_an_array_are_grouped_under_the_name_of_the_array():
    text = json.dumps({"users": [{"id": number, "text": WORDS} for number in range(40)]})
    pieces = cut_text(text, "json").pieces
    assert 4 < len(pieces) < 12
    assert {piece.name for piece in pieces} == {"users"}


def test_small_json_is_one_piece():
    assert len(cut_text('{"a": 1, "b": [2, 3]}', "json").pieces) == 1


def test_braces_inside_json_strings_and_comments_do_not_count():
    text = '{"a": "}{][\\"", // a comment with }\n "b": 1}'
    assert cut_text(text, "json").fallback == ""


def test_broken_json_falls_back_to_lines():
    for text in ('{"a": [1, 2}', '{"a": "open', "[[[", "]"):
        result = cut_text(text, "json")
        assert result.fallback == "syntax errors"
        assert len(result.pieces) == 1


def test_a_hundred_thousand_brackets_are_no_trouble():
    cut_text("[" * 100_000 + "]" * 100_000, "json")
    cut_text('{"a":' * 50_000 + "1" + "}" * 50_000, "json")


def test_records_of_one_line_are_grouped_by_whole_lines():
    text = "".join(json.dumps({"id": number, "text": WORDS}) + "\n" for number in range(50))
    parts = texts(text, cut_text(text, "jsonl"))
    assert 1 < len(parts) < 50
    assert all(json.loads(line) for part in parts for line in part.split("\n"))


def test_yaml_is_cut_by_keys_and_opened_by_indentation():
    text = (
        "# top\nname: x\n"
        + "services:\n"
        + "".join(f"  s{number}:\n    run: {WORDS * 3}\n    args:\n    - a\n" for number in range(8))
    )
    pieces = cut_text(text, "yaml").pieces
    assert pieces[0].name == "name"
    assert {piece.trail or piece.name for piece in pieces[1:]} <= {("services",), "services"}
    assert any(piece.name == "services.s3" or piece.name == "services" for piece in pieces)


def test_tables_of_toml_carry_their_name_and_comments():
    filler = "".join(f"key{number} = '{WORDS}'\n" for number in range(6))
    text = f"title = 'x'\n{filler}\n# about the server\n[server.http]\n{filler}\n[[client]]\n{filler}"
    result = cut_text(text, "toml")
    assert [(piece.name, piece.trail) for piece in result.pieces] == [
        ("", ()),
        ("server.http", ("server",)),
        ("client", ()),
    ]
    assert texts(text, result)[1].startswith("# about the server")


def test_a_bracket_inside_a_long_toml_string_is_no_table():
    text = 'a = """\n[not.a.table]\n"""\n' + "b = 1\n" * 10
    assert {piece.name for piece in cut_text(text, "toml").pieces} == {""}


def test_rows_are_grouped_under_the_names_of_the_header():
    text = "name,age,city\n" + "Ada,36,London\n" * 300
    result = cut_text(text, "csv")
    assert 3 < len(result.pieces) < 10
    assert {piece.name for piece in result.pieces} == {"name | age | city"}
    assert all(line.count(",") == 2 for part in texts(text, result) for line in part.split("\n"))


def test_a_quoted_field_with_line_ends_stays_in_its_row():
    text = "id,text\n" + '1,"line one\nline two"\n' * 200
    parts = texts(text, cut_text(text, "csv"))
    assert len(parts) > 1
    assert all(part.count('"') % 2 == 0 for part in parts)


def test_a_quote_that_is_never_closed_costs_one_row_only():
    text = 'id,text\n1,"open\n' + "2,fine\n" * 30_000
    assert len(cut_text(text, "csv").pieces) > 100


def order(number: int, note: str = WORDS) -> str:
    return f'  <order id="O-{number}">\n    <who name="Ida &gt; Co"/>\n    <note>{note}</note>\n  </order>\n'


def test_xml_is_cut_between_elements_and_named_after_their_path():
    text = (
        '<?xml version="1.0"?>\n<!-- <order> of May -->\n<orders>\n'
        + "".join(map(order, range(40)))
        + "</orders>\n"
    )
    result = cut_text(text, "xml")
    assert result.fallback == ""
    assert {piece.kind for piece in result.pieces} == {PieceKind.ROW}
    assert {(piece.name, piece.trail) for piece in result.pieces} == {("orders.order", ("orders",))}
    parts = texts(text, result)
    assert all(part.count("<order id") == part.count("</order>") > 1 for part in parts)
    assert all(part.startswith("  <order") for part in parts[1:])  # an entry keeps its indentation


def test_a_large_element_is_opened():
    text = (
        "<shop>" + "".join(f"<part><a>{WORDS * 5}</a><b>{WORDS * 5}</b></part>" for _ in range(3)) + "</shop>"
    )
    assert {piece.name for piece in cut_text(text, "xml").pieces} == {"shop.part.a", "shop.part.b"}


def test_text_between_tags_and_cdata_keep_their_elements():
    text = (
        "<doc>"
        + "".join(f"<p>{n} <b>{WORDS}</b> tail <![CDATA[</p></doc>]]></p>\n" for n in range(30))
        + "</doc>"
    )
    result = cut_text(text, "xml")
    assert result.fallback == ""
    assert all(part.count("<p>") > 0 for part in texts(text, result))


def test_xml_whose_tags_do_not_match_is_cut_by_lines():
    text = "<a>\n" + f"<b>{WORDS}</b>\n" * 20 + "</c>\n"
    assert cut_text(text, "xml").fallback == "syntax errors"


def test_ten_thousand_open_tags_are_no_trouble():
    assert cut_text("<a>\n" * 10_000, "xml").fallback == "syntax errors"
    cut_text("<" * 10_000 + "<!--" * 1_000 + "<![CDATA[" * 1_000, "xml")


def test_a_comment_belongs_to_the_setting_below_it():
    text = "".join(
        f"# What it is for, number {number}.\n# {WORDS}\nexport KEY_{number}=\n\n" for number in range(20)
    )
    parts = texts(text, cut_text(text, "properties"))
    assert len(parts) > 2
    assert all(part.startswith("# What it is for") and part.rstrip().endswith("=") for part in parts)
