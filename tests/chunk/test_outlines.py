"""Files of languages without a grammar are cut where their left margin shows a part."""

from chunk_checks import cut_source, texts

from daypack.types import SymbolKind

MODELS = """\
generator client {
  provider = "x"
}

/// Who owes what.
model Invoice {
  due DateTime

  @@index([due])
}
enum State { OPEN PAID }
"""


def test_blocks_at_the_left_margin_are_parts_with_their_comments():
    result = cut_source(MODELS, "prisma")
    assert [(piece.name, piece.signature) for piece in result.pieces] == [
        ("client", "generator client"),
        ("Invoice", "model Invoice"),
        ("State", "enum State"),
    ]
    assert texts(MODELS, result)[1].startswith("/// Who owes what.\nmodel Invoice {")
    assert result.fallback == ""


def test_a_block_with_arguments_is_a_function():
    (piece,) = cut_source("fn total(a int) int {\n\treturn a\n}\n", "v").pieces
    assert (piece.name, piece.symbol) == ("total", SymbolKind.FUNCTION)


def test_text_that_is_not_made_of_blocks_is_cut_by_lines():
    text = "begin {\n}\n" + "a line of another kind\n" * 60
    result = cut_source(text, "m4")
    assert result.fallback == "no grammar"
    assert {piece.symbol for piece in result.pieces} == {None}


def test_a_block_that_never_closes_loses_nothing():
    cut_source("model A {\n  x\n}\nmodel B {\n  y\n", "prisma")


def test_an_image_is_cut_at_its_stages():
    text = "ARG V=1\n# Installs.\nFROM node:$V AS deps\nRUN npm ci\n\n# Ships.\nFROM --platform=x nginx:1@sha256:0 \nCOPY a b\nUSER web\n"
    result = cut_source(text, "dockerfile")
    assert [piece.name for piece in result.pieces] == ["deps", "nginx:1"]
    assert texts(text, result)[1].startswith("# Ships.\nFROM")


def test_a_dockerfile_without_a_stage_is_cut_by_lines():
    assert cut_source("RUN a\nRUN b\n", "dockerfile").fallback == "no grammar"


def test_calls_of_a_service_are_methods_unless_it_is_short():
    calls = "".join(
        f"  // Says what call {number} is for, at some length, so that it does not fit.\n  rpc Call{number} (Ask) returns (Tell) {{\n    option x = true;\n  }}\n"
        for number in range(9)
    )
    names = [
        piece.name
        for piece in cut_source(
            f'syntax = "proto3";\nservice Shop {{\n{calls}}}\nmessage Ask {{}}\n', "proto"
        ).pieces
    ]
    assert "Shop.Call7" in names
    short = cut_source(
        'syntax = "proto3";\nservice Shop {\n  rpc Buy (Ask) returns (Tell);\n}\n', "proto"
    ).pieces
    assert [(piece.name, piece.symbol) for piece in short][1:] == [("Shop", SymbolKind.INTERFACE)]


def test_the_first_block_of_a_configuration_keeps_its_comment():
    text = '# Keeps the state.\nresource "bucket" "state" {\n  name = "x"\n}\n'
    (piece,) = cut_source(text, "hcl").pieces
    assert piece.span.start == 0
