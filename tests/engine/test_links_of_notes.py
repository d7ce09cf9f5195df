"""Notes that link to each other with `[[name]]`."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack
from support import WORDS


def test_a_question_with_a_link_finds_the_notes_that_have_it(tmp_path: Path) -> None:
    notes = {
        "Old pier.md": "# Old pier\n\nThe old pier was built of oak. Walk on the old pier with care.\n",
        "Fishing.md": "# Fishing\n\nHerring stands off [[Old pier|the pier]] in May.\n",
        "Paint.md": "# Paint\n\nTar is kept below [[Old pier#Store]] in the shed.\n",
        "Stories.md": "# Stories\n\nThe old pier was moved by the storm of the old pier year.\n",
        "New pier.md": "# New pier\n\nThe new pier is of steel.\n",
    }
    for name, text in notes.items():
        (tmp_path / name).write_text(text)
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        found = dp.search("which notes link to [[Old pier]]?", limit=10, vectors="none").candidates
    ranked = [candidate.chunk.uri for candidate in found]
    assert ranked.index("Fishing.md") < ranked.index("Stories.md")
    assert ranked.index("Paint.md") < ranked.index("Stories.md")
