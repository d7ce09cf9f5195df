"""Maps of rectangles and pictures of neighbours: everything has its place, and nothing covers another thing."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.surfaces.web.code.lines import HEATS, coloured_pack, heats_of, lines_of
from daypack.surfaces.web.figures import neighbours
from daypack.surfaces.web.figures.lanes import Moment, lanes
from daypack.surfaces.web.figures.neighbours import Group, Near
from daypack.surfaces.web.figures.plots import LEFT, plot
from daypack.surfaces.web.figures.treemap import Part, Tile, tree, treemap

names = st.text("abc", min_size=1, max_size=2)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


def drawn(files: dict[str, int], width: float = 600.0, height: float = 400.0) -> list[Tile]:
    root = tree([(path, size, float(size)) for path, size in files.items()], "", lambda a, b: a + b)
    assert root is not None
    return treemap(root, width, height, lambda part: part.path)


@given(st.dictionaries(paths, st.integers(1, 100_000), min_size=1, max_size=40))
def test_rectangles_of_files_lie_inside_and_cover_no_other(files: dict[str, int]) -> None:
    files = {path: size for path, size in files.items() if not any(o.startswith(f"{path}/") for o in files)}
    leaves = [tile for tile in drawn(files) if tile.heat >= 0]
    assert leaves
    for one in leaves:
        assert one.x >= -0.1
        assert one.x + one.width <= 600.2
        assert one.y >= -0.1
        assert one.y + one.height <= 400.2
    for a, b in combinations(leaves, 2):
        beside = a.x + a.width <= b.x + 0.6 or b.x + b.width <= a.x + 0.6
        assert beside or a.y + a.height <= b.y + 0.6 or b.y + b.height <= a.y + 0.6


def test_areas_are_as_the_sizes() -> None:
    tiles = {tile.path: tile.width * tile.height for tile in drawn({"a.py": 300, "b.py": 100, "c.py": 100})}
    assert tiles["a.py"] / tiles["b.py"] == pytest.approx(3, rel=0.05)
    assert tiles["b.py"] == pytest.approx(tiles["c.py"], rel=0.05)


def test_a_folder_that_holds_only_a_folder_is_shown_as_both() -> None:
    tiles = drawn({"src/pay/a.py": 50, "src/pay/b.py": 50, "top.py": 90})
    assert [tile.label for tile in tiles if tile.heat < 0] == ["src/pay"]


def test_what_is_too_small_to_see_is_counted() -> None:
    tiles = drawn({"large.py": 1_000_000} | {f"small{n}.py": 1 for n in range(30)})
    assert [tile.path for tile in tiles] == ["large.py", ""]
    assert tree([("a.py", 0, 0.0)], "", max) is None
    assert tree([("a.py", 1, 0.0)], "b", max) is None


def test_the_colour_tells_the_rank_of_a_value() -> None:
    tiles = drawn({f"{n}.py": 100 + n for n in range(10)})
    assert sorted(tile.heat for tile in tiles) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    part = Part("a", "a", 5, 1.0, 1)
    assert treemap(Part("", "", 5, 1.0, 1, {"a": part}), 100, 100, str)[0].heat == 0


@pytest.mark.parametrize("picture", [neighbours.wide, neighbours.tall])
@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (1, 9, 9, 9), (1, 0, 3, 9), (0, 9, 0, 1)])
def test_boxes_of_neighbours_do_not_meet(picture: object, counts: tuple[int, ...]) -> None:
    groups = [Group(f"g{n}", [Near("x" * 80, "calls", "about", "/")] * n, 3) for n in counts]
    found = picture("y" * 100, *groups)  # type: ignore[operator]
    assert len(found.nodes) == 1 + sum(counts)
    assert len([node for node in found.nodes if not node.link]) == 1
    for node in found.nodes:
        assert node.y >= 0
        assert node.y + node.height <= found.height
        assert node.x >= 0
        assert node.x + node.width <= found.width
        assert len(node.name) * 7 <= node.width
    for a, b in combinations(found.nodes, 2):
        assert a.x + a.width <= b.x or b.x + b.width <= a.x or abs(a.y - b.y) >= a.height


PYTHON = 'def f(x):\n    """Doc <b>."""\n    return x & 1  # why\n'


def test_lines_are_shaded_by_the_rare_words_of_a_question_that_they_hold() -> None:
    lines = ["[1 docs/refunds.md:1-4]", "refunds wait", "refunds wait for the provider", "", "the end"]
    heats = heats_of(lines, "why do refunds wait for a provider?")
    assert heats[0] == heats[3] == heats[4] == 0
    assert 0 < heats[1] < heats[2] == HEATS
    assert heats_of(lines, "") == [0] * 5
    shown = coloured_pack("\n".join(lines), "provider?")
    assert str(shown).split("\n")[2] == f'<span class="m{HEATS}">refunds wait for the provider</span>'


def test_lines_are_numbered_marked_and_coloured() -> None:
    found = lines_of(PYTHON, "src/a.py", first=10, marked=(11, 11))
    assert [line.number for line in found] == [10, 11, 12]
    assert [line.marked for line in found] == [False, True, False]
    assert '<span class="tk">def</span>' in found[0].html
    assert "&lt;b&gt;" in found[1].html
    assert "".join(f"{line.html.unescape()}\n" for line in map(_bare, found)) == PYTHON


def _bare(line: object) -> object:
    html = re.sub(r"</?span[^>]*>", "", line.html)  # type: ignore[attr-defined]
    return line._replace(html=type(line.html)(html))  # type: ignore[attr-defined]


@given(st.text(st.sampled_from("`\n pythonabc<>&'\"#\r\u202e\x1b"), max_size=80))
def test_colours_change_no_character_of_a_pack(text: str) -> None:
    for whole in (text, f"```\n[1 a/b.py:3-4 @123]\n{text}\n```\n{text}", f"````\n[2 x.js]\n{text}"):
        shown = coloured_pack(whole, whole[:200])
        assert type(shown)(re.sub(r"</?span[^>]*>", "", shown)).unescape() == whole
        assert not re.search(r"<(?!/?span)", shown)


def test_hidden_characters_of_a_file_are_written_out() -> None:
    (line,) = lines_of("x = 1 \u202e\x1b[31m <script>", "a.unknown")
    assert "<script>" not in line.html
    assert not re.search("[\x1b\u202e]", line.html)


def test_an_axis_shows_no_minute_twice() -> None:
    def clock(at: float) -> str:
        return f"12:{int(at) // 60:02}"

    picture = lanes({"Files": [Moment(0.0, 1, "a", "#")]}, 0.0, 120.0, clock, width=360)
    assert [tick.text for tick in picture.ticks] == ["12:00", "12:01", "12:02"]
    assert [tick.anchor for tick in picture.ticks] == ["start", "middle", "end"]
    grown = plot({"files": [(0.0, 1.0), (50.0, 2.0)]}, top=4.0, about="", across=clock, up=str)
    assert [(mark.x, mark.label) for mark in grown.across] == [(LEFT, "12:00")]
