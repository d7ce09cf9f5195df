"""Lists of items to fill in."""

from __future__ import annotations

import pytest

from daypack.text.prose.unfilled import is_unfilled


@pytest.mark.parametrize(
    "text", ["## Tasks\n\n- [ ] \n", "- [x]\r\n- [ ]\r\n", "# Monday\n\n## Tasks\n\n1.\n2. \n"]
)
def test_a_list_may_have_no_words(text: str) -> None:
    assert is_unfilled(text)


@pytest.mark.parametrize(
    "text", ["## Tasks\n\n- [ ] Sweep\n", "- [ ] \n- 12\n", "The open tasks:\n\n- [ ] \n", "- #shop\n"]
)
def test_a_list_with_a_word_is_filled(text: str) -> None:
    assert not is_unfilled(text)
