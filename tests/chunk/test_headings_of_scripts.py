"""Scripts of MATLAB are cut at the headings in their comments, and what they do is named after them."""

from __future__ import annotations

import pytest
from chunk_checks import cut_source, texts


@pytest.mark.parametrize(
    "above",
    [
        "%% Load the data\n",
        "% ---- Load the data ----\n",
        "% Load the data ------\n",
        "%%%%%%%%%%%%%%%%%%%%%\n% Load the data\n",
        "## %% Load the data\n",
        "################\n# Load the data\n",
    ],
)
def test_a_heading_names_the_lines_below_it(above: str) -> None:
    text = "x = 1\n\n" + above + "y = 2\nz = 3\n"
    result = cut_source(text, "matlab")
    assert [piece.name for piece in result.pieces] == ["", "Load the data"]
    assert texts(text, result)[1] == (above + "y = 2\nz = 3\n").rstrip()


def test_a_heading_holds_until_the_next_one_and_functions_keep_their_names() -> None:
    text = "%% Clean\na = 1;\n\n%% Plot\nplot(a)\n\nfunction y = twice(x)\n  y = 2 * x;\nend\n"
    result = cut_source(text, "matlab")
    assert [piece.name for piece in result.pieces] == ["Clean", "Plot", "twice"]


def test_small_cells_without_a_title_stay_together() -> None:
    text = "".join(f"%%\nx{n} = {n};\n" for n in range(4))
    assert len(cut_source(text, "matlab").pieces) == 1


def test_code_that_is_commented_out_is_no_heading_and_the_end_of_a_part_ends_its_name() -> None:
    text = "a = 1;\n\n%%%%%%%%%%%\n% f = g(x)\n\nb = 2;\n"
    assert {piece.name for piece in cut_source(text, "matlab").pieces} == {""}
    text = "% ---- Paths ----\na = 1;\n\n% ---- End of paths ----\nb = 2;\n"
    assert [piece.name for piece in cut_source(text, "matlab").pieces] == ["Paths", ""]


def test_an_ordinary_comment_is_no_heading() -> None:
    text = "% Load the data\nx = 1;\n\n% a - b --- c\ny = 2;\n"
    assert [piece.name for piece in cut_source(text, "matlab").pieces] == [""]
