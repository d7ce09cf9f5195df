"""The names of a table's columns are indexed once for a file, not with each of its rows."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack, Settings

README = """# Ratings of players

One row is one season of one player.

Column | Description
-------|------------
`player` | Name of the player
`season` | Year in which the season ended
`lift_total` | Points above an average player for each hundred turns, on both sides
`turns` | Turns with the player on the field
"""


def test_the_page_that_explains_a_column_comes_before_the_rows(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(README)
    for name in ("old", "new"):
        rows = (f"player {n},19{n % 100:02},{n / 7:.3f},{n * 3}" for n in range(4_000))
        (tmp_path / f"{name}.csv").write_text("\n".join(["player,season,lift_total,turns", *rows]) + "\n")
    for n in range(20):
        (tmp_path / f"note{n}.md").write_text(f"# Note {n}\n\nThe total of visit {n} was paid at noon.\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=Settings(refresh=False)) as dp:
        dp.files.add(tmp_path)
        for question in ("lift_total", "meaning of lift_total", "total of the lift_total of a turn"):
            assert dp.search(question).candidates[0].chunk.uri == "README.md"


def test_a_file_is_still_found_by_the_names_of_its_columns(tmp_path: Path) -> None:
    for name, columns in (("a", "day,height,station"), ("b", "day,visitors,gate")):
        rows = (f"{n},{n * 2},{n % 5}" for n in range(3_000))
        (tmp_path / f"{name}.csv").write_text("\n".join([columns, *rows]) + "\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=Settings(refresh=False)) as dp:
        dp.files.add(tmp_path)
        assert dp.search("visitors of each gate").candidates[0].chunk.uri == "b.csv"
