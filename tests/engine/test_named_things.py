"""Files and quotations that a question names, against a plain reading of all names and texts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack, Record, Settings
from daypack.index.facts import records_at
from daypack.rank.views import TermPostings, together
from daypack.text.paths import names_path

LETTERS = ["a", "b", "A", "ä", "_", "%", ".py", "/", "/", "./"]
NAMES = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=6).map("".join)


def opened(folder: Path | str) -> Daypack:
    return Daypack.open(Path(folder) / "store", settings=Settings(embedder="hashing"))


@given(st.lists(NAMES, min_size=1, max_size=8, unique=True), NAMES)
def test_a_path_names_the_files_that_end_with_it_and_those_of_its_folder(uris: list[str], path: str) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(folder) as dp:
        dp.engine.ingestion.add([Record(uid=uri, uri=uri, text=f"kettle {uri}") for uri in uris])
        with dp.engine.store.reading() as db:
            ids = dict(db.execute("SELECT uri, id FROM record"))
            found = records_at(db, path)
    named = {uri for uri in uris if names_path(uri, path)}
    inside = path.strip("/")
    children = {
        uri for uri in uris if "/" in inside and uri.rpartition("/")[0] == inside and uri != f"{inside}/"
    }
    assert found == {ids[uri]: 1.0 if uri in named else 0.5 for uri in named | children}


def test_a_path_is_found_among_many_files_of_its_last_name(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        uris = [f"p{number}/README.md" for number in range(300)]
        dp.engine.ingestion.add([Record(uid=uri, uri=uri, text=f"kettle {uri}") for uri in uris])
        best = dp.search("p299/README.md").candidates[0]
        assert best.chunk.uri == "p299/README.md"


def missing(dp: Daypack, quotation: str) -> bool:
    return bool(dp.search(f'kettle "{quotation}"', vectors="none").stats.anchors_missing)


def test_a_quotation_is_looked_for_in_texts_and_not_word_by_word(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        texts = [f"# Kettle {number}\n\nThe kettle number {number} boils over." for number in range(200)]
        texts += ["The boils of the kettle are over."]
        dp.engine.ingestion.add(
            [Record(uid=f"{n}.md", uri=f"{n}.md", text=text) for n, text in enumerate(texts)]
        )
        assert not missing(dp, "kettle number 199 boils over")
        assert not missing(dp, "boils over")
        assert not missing(dp, "kettle are over")
        assert missing(dp, "over boils")
        assert missing(dp, "number 199 kettle")


def test_a_quotation_across_the_lines_of_a_text_is_found(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        texts = [
            "We promise that the money comes back as\nsoon as possible.",
            "As possible as soon: so soon.",
        ]
        texts += [f"Note {number} of the soonest possible day." for number in range(8)]
        dp.engine.ingestion.add(
            [Record(uid=f"{n}.md", uri=f"{n}.md", text=text) for n, text in enumerate(texts)]
        )
        found = dp.search('"as soon as possible"', vectors="none")
        assert not found.stats.anchors_missing
        assert found.candidates[0].chunk.uri == "0.md"


def test_a_quotation_that_two_chunks_share_is_found(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        text = "\n\n".join(f"## Part {number}\n\n" + f"kettle{number} " * 120 for number in range(6))
        dp.engine.ingestion.add([Record(uid="long.md", uri="long.md", text=text)])
        assert dp.engine.store.counts()["chunk"] > 1
        assert not missing(dp, "kettle0 \n\n## Part 1\n\nkettle1")


@given(
    st.lists(
        st.dictionaries(st.integers(0, 30), st.tuples(*[st.integers(0, 255)] * 4), max_size=12),
        min_size=1,
        max_size=5,
    )
)
def test_postings_of_several_terms_are_summed_up_to_a_byte(terms: list[dict[int, tuple[int, ...]]]) -> None:
    found = together(
        [
            TermPostings(
                np.asarray(sorted(term), dtype=np.int64),
                np.asarray([term[at] for at in sorted(term)], dtype=np.uint8).reshape(-1, 4),
            )
            for term in terms
        ]
    )
    positions = sorted({at for term in terms for at in term})
    sums = [
        [min(255, sum(term.get(at, (0,) * 4)[field] for term in terms)) for field in range(4)]
        for at in positions
    ]
    assert found.positions.tolist() == positions
    assert found.tf.tolist() == sums


def shop(folder: Path) -> Daypack:
    texts = {
        "cart.py": "def publish_plan(cart):\n    return sorted(cart)\n",
        "orders.py": "def order_lines(order):\n    return order.lines\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    dp = opened(folder)
    dp.files.add(folder)
    return dp


@pytest.mark.parametrize("typo", ["publish_plann", "pubilsh_plan", "publishPlna", "Cart.publish_paln"])
def test_a_misspelt_name_alone_finds_the_definition_that_was_meant(tmp_path: Path, typo: str) -> None:
    with shop(tmp_path) as dp:
        best = dp.search(typo, vectors="none").candidates[0]
    assert best.chunk.name == "publish_plan"
    assert any(part.signal == "symbol" for part in best.contributions)


def test_a_misspelt_name_is_still_listed_as_missing(tmp_path: Path) -> None:
    with shop(tmp_path) as dp:
        assert dp.search("publish_plann", vectors="none").stats.anchors_missing == ("publish_plann",)


def test_a_name_that_is_near_no_name_of_the_store_finds_nothing(tmp_path: Path) -> None:
    with shop(tmp_path) as dp:
        assert not dp.search("publish_invoice", vectors="none").candidates


def test_a_path_that_no_file_has_is_not_missing_where_a_text_holds_it(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        text = "def names():\n    return open('/etc/hosts').read()\n"
        dp.engine.ingestion.add([Record(uid="a.py", uri="a.py", text=text)])
        assert [one.chunk.uri for one in dp.search("/etc/hosts", vectors="none").candidates] == ["a.py"]
        assert dp.search("/etc/passwd", vectors="none").stats.anchors_missing == ("/etc/passwd",)


def test_a_name_with_other_letters_is_not_taken_apart(tmp_path: Path) -> None:
    with opened(tmp_path) as dp:
        (tmp_path / "fees.py").write_text("def mahngebühr_berechnen(tage):\n    return tage * 2\n")
        dp.files.add(tmp_path / "fees.py")
        found = dp.pack("where is mahngebühr_berechnen called?", budget=200)
        assert "def mahngebühr_berechnen" in found.text
        assert found.stats.anchors_missing == ()
        assert dp.pack("where is gebühr_mahnen called?", budget=200).stats.anchors_missing == (
            "gebühr_mahnen",
        )
