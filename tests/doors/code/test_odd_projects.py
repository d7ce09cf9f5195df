"""Projects that are odd on disk: their code is found, mapped and cited as that of any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from code_support import checked, opened

from daypack import Daypack
from daypack.doors.code import serialize as code_data
from evals.speed.code import make_project
from support import WORDS, daypack, project

CODE = 'def moor_the_ship(rope):\n    """Größe of the rope: naïve."""\n    return rope\n\n\ndef cast_off(rope):\n    return moor_the_ship(rope)\n'


@pytest.mark.parametrize(
    "data",
    [
        CODE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + CODE.encode(),
        CODE.encode("utf-16"),
        CODE.encode("latin-1"),
    ],
    ids=["CRLF", "byte order mark", "UTF-16", "Latin-1"],
)
def test_however_a_file_is_encoded_its_symbols_callers_and_lines_are_found(
    tmp_path: Path, data: bytes
) -> None:
    with opened(tmp_path / "port", {"ship.py": data}) as dp:
        pack = dp.code.pack("moor_the_ship", limit=1, max_related_per_primary=1)
        checked(code_data.pack_to_dict(pack))
        first, related = pack.items
        assert (first.id, related.symbol, related.relationship) == ("ship.py:1:3", "cast_off", ("called_by",))
        assert "Größe of the rope: naïve." in first.body
        assert (
            dp.code.map(budget=200).text == "ship.py\n  1 def moor_the_ship(rope)\n  6 def cast_off(rope)\n"
        )


def test_a_megabyte_on_one_line_stands_in_nobodys_way(tmp_path: Path) -> None:
    long = "TABLE = [" + ", ".join(["10"] * 260_000) + "]\n"
    assert len(long) > 1_000_000
    with opened(
        tmp_path / "port",
        {"ship.py": CODE, "table.py": long, "minified.js": "function f(){return 1};" * 50_000},
    ) as dp:
        assert dp.code.pack("moor_the_ship").items[0].id == "ship.py:1:3"
        assert dp.code.pack("TABLE", anchor_policy="off").used_chars <= 20_000
        assert dp.code.map(budget=300).tokens <= 300


def test_a_root_that_is_a_link_is_the_folder_behind_it(tmp_path: Path) -> None:
    project(tmp_path / "real", {"ship.py": CODE})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with Daypack.open(tmp_path / "link" / ".daypack", root=tmp_path / "link", settings=WORDS) as dp:
        dp.files.add(tmp_path / "link")
        assert dp.code.pack("moor_the_ship").items[0].id == "ship.py:1:3"
    found = json.loads(daypack("code", "pack", "cast_off", cwd=tmp_path / "link").stdout)
    assert checked(found)["data"]["items"][0]["id"] == "ship.py:6:7"


def test_a_folder_without_git_says_that_there_is_no_commit(tmp_path: Path) -> None:
    (tmp_path / "port").mkdir()
    (tmp_path / "port" / "ship.py").write_text(CODE, encoding="utf-8")
    with Daypack.open(tmp_path / "port" / ".daypack", root=tmp_path / "port", settings=WORDS) as dp:
        dp.files.add(tmp_path / "port")
        answer = checked(code_data.pack_to_dict(dp.code.pack("moor_the_ship")))
        assert answer["data"]["items"][0]["id"] == "ship.py:1:3"
        assert answer["meta"]["index_state"]["project_watermark"].get("git") is None


@pytest.mark.slow
def test_many_files_are_added_packed_and_mapped(tmp_path: Path) -> None:
    """A hundredth of what `python -m evals.speed.code --files 100000` makes, in a chain of calls that is
    longer than Python's stack.
    """
    make_project(tmp_path / "long", 1_000)
    with Daypack.open(tmp_path / ".daypack", root=tmp_path / "long", settings=WORDS) as dp:
        assert dp.files.add(tmp_path / "long").added == 1_000
        found = dp.code.pack("step_500", limit=1, max_related_per_primary=3)
        assert found.items[0].id == "part_5/module_500.py:4:6"
        assert {"step_499", "step_501"} <= {item.symbol for item in found.items}
        assert dp.code.map(budget=2_000).symbols == 1_000
