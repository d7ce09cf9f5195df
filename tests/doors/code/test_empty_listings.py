"""An empty listing says to a program what it does not mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.surfaces.toolsets import verbs
from support import WORDS


@pytest.mark.parametrize(
    ("verb", "given", "said"),
    [
        ("callers", {"reference": "fee"}, "nothing in the graph of code calls or uses it"),
        ("tests_for", {"reference": "fee"}, "one may reach it through a command or a file"),
        ("symbols", {"name": "tariff"}, "no symbol fits; try a part of the name"),
        ("symbols", {"kind": "class"}, "or another path or kind"),
    ],
)
def test_an_empty_listing_carries_the_next_step(
    tmp_path: Path, verb: str, given: dict[str, str], said: str
) -> None:
    (tmp_path / "fees.py").write_text("def fee(amount):\n    return amount // 10\n")
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        answer = verbs()[verb](dp, given)
    [hint] = answer["hints"]
    assert said in hint["text"]


@pytest.mark.parametrize("verb", ["related", "callers", "tests_for", "symbols"])
def test_a_limit_of_nothing_does_not_say_that_nothing_uses_it(tmp_path: Path, verb: str) -> None:
    (tmp_path / "fees.py").write_text(
        "def fee(amount):\n    return amount // 10\n\n\ndef test_fee():\n    assert fee(10) == 1\n"
    )
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        answer = verbs()[verb](dp, {"name" if verb == "symbols" else "reference": "fee", "limit": 0})
    assert answer["hints"][-1]["text"] == "no row was asked for (limit 0)"
    assert not any("nothing" in hint["text"] or "no test" in hint["text"] for hint in answer["hints"])
