"""SQL of any dialect is cut at its statements."""

from chunk_checks import cut_source, texts

from daypack.types import PieceKind, SymbolKind


def pieces(text: str) -> list[tuple[str, str]]:
    result = cut_source(text, "sql")
    return [(piece.name, part) for piece, part in zip(result.pieces, texts(text, result), strict=True)]


def test_a_table_is_whole_whatever_its_types_are():
    text = (
        'CREATE TABLE "invoice" (\n  id UUID,\n  due TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6),\n  kind LowCardinality(String)\n)\n'
        "ENGINE = MergeTree\nORDER BY (id);\n"
    )
    assert pieces(text) == [("invoice", text.rstrip())]


def test_a_statement_has_its_comments_and_short_ones_about_a_table_go_with_it():
    text = (
        "-- Who owes what.\nCREATE TABLE shop.invoices (id int);\n\nCREATE INDEX due_index ON shop.invoices (due);\n"
        "COMMENT ON COLUMN shop.invoices.due IS 'Last day; then it is late';\nCREATE TABLE shop.owners (id int);\n"
    )
    assert [(name, part.count(";")) for name, part in pieces(text)] == [
        ("shop.invoices", 4),
        ("shop.owners", 1),
    ]
    assert pieces(text)[0][1].startswith("-- Who owes what.")


def test_alterations_of_a_short_migration_are_one_piece_with_all_their_names():
    text = "ALTER TABLE invoices ADD COLUMN due DATE;\nDROP TABLE IF EXISTS debts;\nUPDATE invoices SET due = now();\n"
    assert pieces(text) == [("invoices, debts", text.rstrip())]


def test_a_routine_is_whole_with_the_semicolons_of_its_body():
    dollar = "CREATE FUNCTION late() RETURNS trigger AS $$\nBEGIN\n  IF a THEN x; END IF;\nEND;\n$$ LANGUAGE plpgsql;\n"
    plain = "CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW\nBEGIN\n  IF 1 THEN SET @x = CASE WHEN 1 THEN 2 END; END IF;\n  SELECT 1;\nEND;\n"
    found = cut_source(dollar + plain + "SELECT 1;\n", "sql")
    assert [(piece.name, piece.symbol) for piece in found.pieces] == [
        ("late", SymbolKind.FUNCTION),
        ("t", SymbolKind.FUNCTION),
        ("", None),
    ]


def test_quotes_comments_and_data_end_no_statement():
    text = (
        "INSERT INTO notes VALUES ('a; b', 'it''s; fine', \"x;\"); -- done; really\n/* one; two */ CREATE VIEW late AS SELECT 1;\n"
        "COPY notes (text) FROM stdin;\nit's; here\n\\.\nCREATE TABLE b (id int);\n"
    )
    assert [name for name, _ in pieces(text)] == ["notes", "late", "notes", "b"]


def test_a_named_query_is_a_function_of_that_name():
    found = cut_source("-- name: late_invoices :many\nSELECT * FROM invoices;\n", "sql").pieces
    assert [(piece.name, piece.symbol) for piece in found] == [("late_invoices", SymbolKind.FUNCTION)]


def test_batches_and_long_inserts_are_cut():
    assert [name for name, _ in pieces("CREATE TABLE a (x int)\nGO\nCREATE TABLE [dbo].[b] (x int)\nGO\n")][
        :2
    ] == ["a", "dbo.b"]
    rows = ",\n".join(f"({number}, 'a longer text for a row')" for number in range(400))
    parts = cut_source(f"INSERT INTO rows VALUES\n{rows};\n", "sql").pieces
    assert len(parts) > 3
    assert {part.name for part in parts} == {"rows"}


def test_open_quotes_and_many_comments_take_no_long_time():
    for text in (
        "/*" * 50_000,
        "'" * 50_001,
        "$$ a;" * 20_001,
        "CREATE " * 20_000,
        "BEGIN " * 20_000,
        ";" * 20_000,
    ):
        cut_source(text, "sql")


def test_the_notice_above_a_schema_is_its_own_piece():
    notice = "".join("-- Copyright of the owners, licensed under a licence of some kind.\n" for _ in range(6))
    found = cut_source(f"{notice}\nCREATE TABLE a (x int);\n", "sql").pieces
    assert [piece.kind for piece in found] == [PieceKind.FRONT_MATTER, PieceKind.SYMBOL]
