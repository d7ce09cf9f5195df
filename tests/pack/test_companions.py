"""A pack for a change to code shows the test and the page that the change needs as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_packs import packed, table_from

from daypack import Daypack
from daypack.pack.companions import companions
from daypack.pack.sifting import Sifted
from daypack.testing import make_chunk
from daypack.types import Budget, Candidate, Omissions, Packing, RecordKind, SearchStats, Tokenizer
from support import WORDS, project


def lifting(part: str, turns: int) -> str:
    steps = "".join(
        f"    height = crane.limit_height(mast, height + {turn})  # how high the mast is raised\n"
        for turn in range(turns)
    )
    return f'def raise_mast_by_{part}(crane, mast, height):\n    """Raise the mast with the {part} of the crane."""\n{steps}    return height\n'


PARTS = [
    "hook",
    "rope",
    "winch",
    "boom",
    "drum",
    "jib",
    "cable",
    "block",
    "tackle",
    "sling",
    "chain",
    "brake",
    "motor",
    "mast",
    "gear",
    "pulley",
]
PROGRAM = {f"src/{part}.py": lifting(part, 4 + n) for n, part in enumerate(PARTS)} | {
    "tests/test_hook.py": "def test_a_mast_hangs(crane, mast):\n    assert raise_mast_by_hook(crane, mast, 3) == mast.top\n",
    "docs/yard.md": "# The yard\n\nHow high a mast is raised is limited by the yard, with the crane and by hand. No mast is raised in wind.\n",
}
CHANGE = "add an option that limits how high a mast is raised with the crane"


def sources(root: Path, text: str, budget: int) -> set[str]:
    with Daypack.open(root / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(root)
        pack = daypack.pack(text, budget=budget)
        assert pack.tokens_used <= budget
        return {excerpt.citation.uri for excerpt in pack.excerpts}


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    project(tmp_path, PROGRAM)
    return tmp_path


def test_a_change_comes_with_its_test_and_its_page(yard: Path) -> None:
    assert sources(yard, CHANGE, 3000) >= {"tests/test_hook.py", "docs/yard.md"}


def test_below_3000_tokens_a_change_has_the_code_alone(yard: Path) -> None:
    assert sources(yard, CHANGE, 2000).isdisjoint({"tests/test_hook.py", "docs/yard.md"})


def test_a_question_has_no_test_beside_its_code(yard: Path) -> None:
    asked = "how is it limited how high a mast is raised with the crane?"
    assert "tests/test_hook.py" not in sources(yard, asked, 3000)


def test_a_conversation_shows_a_companion_once(yard: Path) -> None:
    with Daypack.open(yard / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(yard)
        first = daypack.pack(CHANGE, budget=3000, after="")
        second = daypack.pack(CHANGE, budget=3000, after=first.id)
    shown = [excerpt.citation.uri for pack in (first, second) for excerpt in pack.excerpts]
    assert [shown.count(uri) for uri in ("tests/test_hook.py", "docs/yard.md")] == [1, 1]


def test_notes_have_no_companions() -> None:
    note, other = (
        Candidate(make_chunk("Buy milk.", n)._replace(record_kind=RecordKind.DOCUMENT), 1 / n, 1 / n, ())
        for n in (1, 2)
    )
    assert companions(Sifted([note], [], Omissions(low_score=(other,)), None)) == []


def candidate(n: int, uri: str, language: str, kind: RecordKind) -> Candidate:
    chunk = make_chunk(f"Raise the mast, step {n}.", n)
    return Candidate(chunk._replace(uri=uri, language=language, record_kind=kind), 1 / n, 1 / n, ())


def test_companions_are_found_among_all_that_was_found() -> None:
    best = candidate(1, "src/hook.py", "python", RecordKind.CODE)
    test = candidate(2, "tests/test_hook.py", "python", RecordKind.CODE)
    page = candidate(3, "docs/yard.md", "markdown", RecordKind.DOCUMENT)
    assert companions(Sifted([best], [test], Omissions(low_score=(page,)), None)) == [test, page]


@pytest.mark.parametrize(("uri", "language"), [("data/yard.toml", "toml"), ("new/yard.py.tmpl", "")])
def test_data_and_templates_are_no_pages(uri: str, language: str) -> None:
    best = candidate(1, "src/hook.py", "python", RecordKind.CODE)
    other = candidate(2, uri, language, RecordKind.DOCUMENT)
    assert companions(Sifted([best, other], [], Omissions(), None)) == []


def test_each_candidate_of_a_change_is_in_the_pack_or_left_out() -> None:
    texts, candidates = table_from([*range(100)])
    candidates = candidates[:200]
    budget = Budget(3000, Tokenizer.O200K)
    pack = packed("q", texts, candidates, budget, Packing.AUTO, "markdown", SearchStats(), companions=True)
    shown = {chunk for excerpt in pack.excerpts for chunk in excerpt.citation.chunk_ids}
    omitted = {candidate.chunk.id for some in pack.omitted.by_reason().values() for candidate in some}
    assert len(candidates) == 200
    assert {candidate.chunk.id for candidate in candidates} <= shown | omitted
