"""Scripts are cut at the headings in their comments, and what they do is named after them."""

from __future__ import annotations

import pytest
from chunk_checks import cut_source, texts

STEPS = "x <- read.csv('a.csv')\ny <- x[x$age > 3, ]\n"


@pytest.mark.parametrize(
    ("above", "language"),
    [
        ("# Load the data ----\n", "r"),
        ("#### Load the data ####\n", "r"),
        ("#' ## Load the data\n", "r"),
        ("##########\n# Load the data\n\n", "r"),
        ("#########################\n# Load the data\n# -------------\n", "python"),
        ("# %% Load the data\n", "python"),
        ("#%% [markdown] Load the data\n", "python"),
        ("# ## Load the data\n", "julia"),
        ("%% Load the data\n", "matlab"),
        ("% ---- Load the data ----\n", "matlab"),
    ],
)
def test_a_heading_names_the_lines_below_it(above: str, language: str) -> None:
    text = "x = 1\n\n" + above + "y = 2\nz = 3\n"
    result = cut_source(text, language)
    assert [piece.name for piece in result.pieces] == ["", "Load the data"]
    assert texts(text, result)[1] == (above + "y = 2\nz = 3\n").rstrip()


def test_a_heading_holds_until_the_next_one_and_functions_keep_their_names() -> None:
    text = "# Clean ----\na <- 1\n\nf <- function(x) {\n  x + 1\n}\n\nb <- f(a)\n\n# Plot ----\nplot(b)\n"
    result = cut_source(text, "r")
    assert [piece.name for piece in result.pieces] == ["Clean", "f", "Clean", "Plot"]


def test_prose_below_a_rule_is_not_a_name() -> None:
    prose = (
        "We use velocities of the ground that were measured by stations along the coast for\n# ten years.\n"
    )
    text = f"import a\n\n{'#' * 79}\n# {prose}b = a.load()\n"
    assert {piece.name for piece in cut_source(text, "python").pieces} == {""}


def test_small_cells_without_a_title_stay_together() -> None:
    text = "".join(f"# %%\nx{n} = {n}\n" for n in range(4))
    assert len(cut_source(text, "python").pieces) == 1


def test_code_that_is_commented_out_is_no_heading_and_the_end_of_a_part_ends_its_name() -> None:
    text = "a = 1\n\n#########\n# f = g(x)\n\nb = 2\n"
    assert {piece.name for piece in cut_source(text, "python").pieces} == {""}
    text = "# ---- Paths ----\na = 1\n\n# ---- End of paths ----\nb = 2\n"
    assert [piece.name for piece in cut_source(text, "python").pieces] == ["Paths", ""]


def test_an_ordinary_comment_is_no_heading() -> None:
    text = "# Load the data\nx = 1\n\n# a - b --- c\ny = 2\n"
    assert [piece.name for piece in cut_source(text, "python").pieces] == [""]


def test_a_class_keeps_the_name_of_its_own_lines() -> None:
    text = "class A:\n    x = 1\n\n    # ---- Sizes ----\n    y = 2\n\n    def f(self):\n        return 1\n"
    assert [piece.name for piece in cut_source(text, "python").pieces] == ["A", "A.f"]
