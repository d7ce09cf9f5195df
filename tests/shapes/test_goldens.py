"""What each shape looks like.

Rewritten by `python -m pytest tests/shapes --update-golden`; the diff is the review.
"""

from collections.abc import Callable

import pytest

from daypack.shapes import SHAPES, render
from shapes.packs import EMPTY, FORMS, PACK


@pytest.mark.parametrize("shape", SHAPES)
def test_a_pack(golden: Callable[[str, str], None], shape: str) -> None:
    golden(f"shapes/pack.{shape}.txt", render(PACK, shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_pack_without_excerpts(golden: Callable[[str, str], None], shape: str) -> None:
    golden(f"shapes/empty.{shape}.txt", render(EMPTY, shape))


def test_every_form_of_an_item_in_markdown(golden: Callable[[str, str], None]) -> None:
    golden("shapes/forms.markdown.txt", render(FORMS, "markdown"))
