"""A reference to a name that is nearly right is answered with the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack, Settings
from daypack.errors import NotFound
from support import project


@pytest.mark.parametrize(
    ("reference", "near"),
    [
        ("docs/refund.md", "docs/refunds.md"),
        ("docs/refund.md:3-4", "docs/refunds.md"),
        ("doc/refunds.md", "docs/refunds.md"),
        ("reedme.md", ""),
        ("docs/zebra.md", ""),
    ],
)
def test_the_nearest_name_is_suggested(tmp_path: Path, reference: str, near: str) -> None:
    shop = project(tmp_path / "shop", {"docs/refunds.md": "# Refunds\n\nText.\n", "docs/fees.md": "# Fees\n"})
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        with pytest.raises(NotFound) as error:
            dp.get(reference)
    said = str(error.value)
    assert (f"did you mean {near}?" in said) if near else ("did you mean" not in said)
