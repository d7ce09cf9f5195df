"""Rows of a table mean nothing without the names of their columns, which the line above them shows."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack
from support import WORDS

COLUMNS = "sweet,chocolate,fruity,caramel,almonds,nougat,wafer,hard,bar,pieces,sugar percent,price percent,win percent"
ROWS = "\n".join(f"sweet number {n},0,1,0,0,1,0,0,0,1,.{n},.{n},{n}.5" for n in range(150))


def packed(tmp_path: Path, name: str, text: str, query: str, budget: int = 220) -> str:
    (tmp_path / name).write_text(text)
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        return dp.pack(query, budget=budget, vectors="none").text


def test_a_row_comes_with_the_names_of_all_its_columns(tmp_path: Path) -> None:
    text = f"{COLUMNS}\n{ROWS}\nMarzipan pig,0,0,0,1,0,0,0,1,0,.3,.4,84.18\n"
    found = packed(tmp_path, "sweets.csv", text, "how popular is the marzipan pig?")
    assert "Marzipan pig" in found
    assert f"· {' | '.join(COLUMNS.split(','))}]" in found


def test_the_names_are_said_once_for_a_file(tmp_path: Path) -> None:
    text = f"{COLUMNS}\n{ROWS}\nmarzipan pig,0,0,0,1\n{ROWS}\nmarzipan owl,1\n"
    found = packed(tmp_path, "sweets.csv", text, "marzipan pig, marzipan owl", 600)
    assert "marzipan pig" in found
    assert "marzipan owl" in found
    assert found.count("| win percent") == 1


def test_the_names_are_not_said_where_the_rows_begin_with_them(tmp_path: Path) -> None:
    found = packed(tmp_path, "sweets.csv", f"{COLUMNS}\nmarzipan cat,0,0\n{ROWS}\n", "marzipan cat", 600)
    assert COLUMNS in found
    assert "| win percent" not in found
