"""A reference to a name that is nearly right is answered with the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack, Settings
from daypack.errors import NotFound
from daypack.types import checksum_of
from support import project


@pytest.mark.parametrize(
    ("reference", "near"),
    [
        ("docs/refund.md", "docs/refunds.md"),
        ("docs/refund.md:3-4", "docs/refunds.md"),
        ("doc/refunds.md", "docs/refunds.md"),
        ("reedme.md", ""),
        ("refunds.md", "docs/refunds.md"),
        ("/refund.md:3", "docs/refunds.md"),
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


def test_a_path_may_begin_with_the_root_or_a_dot(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop", {"docs/refunds.md": "# Refunds\n\nText.\n", "tea.md": "# Tea\n\nText.\n"}
    )
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        root = dp.root
        for reference in ("./docs/refunds.md:3", f"{root}/docs/refunds.md:3", f" {root}/docs/refunds.md:3-3"):
            assert dp.get(reference).reference == "docs/refunds.md:3-3"

        def found(path: str) -> set[str]:
            return {one.chunk.uri for one in dp.search("text", source=path, vectors="none").candidates}

        assert found(f"{root}/docs") == found("./docs/*.md") == {"docs/refunds.md"}
        assert found(".") == found(str(root)) == found("./") == {"docs/refunds.md", "tea.md"}


def test_the_line_of_a_pack_that_cites_a_text_leads_to_it(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"docs/a b (c).md": "# Refunds\n\nThe refund is paid once.\n"})
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        line = dp.pack("when is the refund paid?", budget=200, vectors="none").text.split("\n")[0]
        assert line.startswith("[1 docs/a b (c).md")
        assert "paid once" in dp.get(line).text
        marked = line.removesuffix("]") + " (extract) · Refunds]"
        assert dp.get(marked) == dp.get(line)


@pytest.mark.parametrize("lines", ["", ":3"])
def test_a_citation_of_a_renamed_file_is_told_the_new_name(tmp_path: Path, lines: str) -> None:
    pages = {"docs/refunds.md": "# Refunds\n\nPaid once.\n", "docs/fees.md": "# Fees\n\nNone.\n"}
    shop = project(tmp_path / "shop", pages)
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        cited = dp.get("docs/refunds.md").record_hash
        (shop / "docs/refunds.md").rename(shop / "docs/money-back.md")
        dp.files.refresh()
        for mark in (f"@{cited[:8]}", f" @{checksum_of(cited)}"):
            with pytest.raises(
                NotFound, match=f"did you mean docs/money-back.md{lines}{mark}, whose text has"
            ):
                dp.get(f"docs/refunds.md{lines}{mark}")
        (shop / "again.md").write_text(pages["docs/refunds.md"])
        dp.files.refresh()
        with pytest.raises(NotFound) as error:
            dp.get(f"docs/refunds.md{lines}@{cited[:8]}")
        assert "whose text" not in str(error.value), "either may be meant"


def test_the_checksum_of_a_file_that_is_gone_leads_to_no_text_that_has_it_by_chance(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"docs/refunds.md": "# Refunds\n\nPaid once.\n"})
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        checksum = checksum_of(dp.get("docs/refunds.md").record_hash)
        with pytest.raises(NotFound) as error:
            dp.get(f"notes/zebra.md @{checksum}")
        assert "did you mean" not in str(error.value)
        for name in ("docs/zebra.md", "old/refunds.md"):
            with pytest.raises(NotFound, match=f"did you mean docs/refunds.md @{checksum}, whose text"):
                dp.get(f"{name} @{checksum}")
