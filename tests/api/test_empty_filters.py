"""An empty answer names the argument that left nothing to search."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.shapes.answers import listing
from support import WORDS


@pytest.fixture
def harbour(tmp_path: Path) -> Daypack:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ferry.py").write_text("def leave(pier):\n    return f'the ferry leaves {pier}'\n")
    (tmp_path / "tides.md").write_text("The ferry waits for the tide.\n")
    found = Daypack.open(tmp_path / ".daypack", settings=WORDS, root=tmp_path)
    found.files.add(tmp_path)
    found.memories.remember("ferry/day", "The ferry rests on Mondays.", tags=["ferry"])
    return found


@pytest.mark.parametrize(
    ("narrow", "said"),
    [
        ({"source": "sorce/**"}, "no path or label matches 'sorce/**'"),
        ({"source": "src/fery.py"}, "no path or label matches 'src/fery.py'; did you mean src/ferry.py?"),
        ({"source": "ferry.py"}, "no path or label matches 'ferry.py'; did you mean src/ferry.py?"),
        ({"source": ["a/**", "b/**"]}, "no path or label matches 'a/**' or 'b/**'"),
        ({"door": "docs"}, "docs, for JSON documents, holds nothing"),
        ({"door": ["docs", "records"]}, "docs, for JSON documents, and records, for texts that programs add, hold nothing"),
        ({"tag": "bus"}, "no record has the tag 'bus'"),
        ({"tag": "ferry", "author": "ann"}, "no record has the author 'ann'"),
        ({"language": "rust", "source": "x/**"}, "no record has the language 'rust'; no path or label matches 'x/**'"),
        ({"since": "2999-01-01"}, "nothing is from 2999-01-01 or later"),
        ({"before": "1999-01-01"}, "nothing is from before 1999-01-01"),
        ({"since": datetime(2999, 1, 1).timestamp()}, "nothing is from 2999-01-01 or later"),
        ({"before": datetime(1999, 1, 1, 9, 30).timestamp()}, "nothing is from before 1999-01-01 09:30"),
        ({"door": "memories", "source": "tides.md"}, ""),
    ],
)  # fmt: skip
def test_the_argument_that_no_record_passes_is_named(
    harbour: Daypack, narrow: dict[str, Any], said: str
) -> None:
    sentence = (
        f"Nothing passed the filters: {said}{'' if said.endswith('?') else '.'}"
        if said
        else "Nothing passed the filters. Remove a filter."
    )
    pack = harbour.pack("when does the ferry leave?", **narrow)
    assert pack.text.startswith(f"{sentence}\n")
    assert pack.tokens_used <= pack.budget.limit
    found = harbour.search("when does the ferry leave?", **narrow)
    assert found.notes[1:] == ((said[0].upper() + said[1:],) if said else ())


def test_a_listing_for_agents_has_no_brackets_inside_others(harbour: Daypack) -> None:
    found = harbour.search("when does the ferry leave?", door=["sessions", "docs"])
    said = listing(found, heading=False, explain=False, by_file=False)
    assert "(Sessions, for events of agents' sessions, and docs, for JSON documents, hold nothing)" in said
    assert "((" not in said
    assert "))" not in said


def test_a_glob_of_a_colleagues_memory_is_one_that_nothing_matches(tmp_path: Path, harbour: Daypack) -> None:
    harbour.close()
    other = Daypack.open(tmp_path / ".daypack", settings=WORDS, root=tmp_path, owner="bob")
    assert (
        "no path or label matches 'memory:ferry/day'" in other.pack("ferry", source="memory:ferry/day").text
    )
