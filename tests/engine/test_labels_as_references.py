"""What a pack, an answer to an agent or a person's hand gives as a reference leads to the text, or says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import NotFound
from daypack.shapes.answers import notes_on_found, paged
from daypack.types import checksum_of
from support import WORDS


@pytest.fixture
def diary(tmp_path: Path) -> Daypack:
    for day in range(10, 18):
        path = tmp_path / "notes" / "diary" / f"2026-11-{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Day {day}\n\nThe heron came at {day} minutes past noon.\n")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "2026-11-10.md").write_text("# Letter\n\nDear Ines.\n")
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as opened:
        opened.files.add(tmp_path)
        yield opened  # type: ignore[misc]


def test_a_label_below_the_common_begin_of_several_leads_to_its_text(diary: Daypack) -> None:
    packed = diary.pack("when did the heron come?", budget=400)
    label = next(line for line in packed.text.splitlines() if "/2026-11-17.md" in line and " @" in line)
    assert "[notes" in packed.text, "the labels are below a common begin"
    copied = label.split(" ", 1)[1].split(" · ")[0].rstrip("]")
    assert copied.startswith("/")
    for reference in (label, copied, copied.partition(" @")[0], "/2026-11-17.md:3", "/diary/2026-11-17.md"):
        assert diary.get(reference).uri == "notes/diary/2026-11-17.md", reference
    assert diary.get("/2026-11-17.md:3").text == "The heron came at 17 minutes past noon."


@pytest.mark.parametrize(
    "mark", ["(escaped)", "(crlf)", "(extract)", "(extract, crlf) · Letter", "· Letter (signature)"]
)
def test_a_citation_with_a_mark_is_a_reference_with_and_without_its_brackets(
    diary: Daypack, mark: str
) -> None:
    cited = f"letters/2026-11-10.md:1-3 @{checksum_of(diary.get('letters/2026-11-10.md').record_hash)}"
    for reference in (f"{cited} {mark}", f"[1 {cited} {mark}]", f"{cited} {mark}]", f"[1 {cited} {mark}"):
        assert diary.get(reference).text == "# Letter\n\nDear Ines."


@pytest.mark.parametrize("end", ["\nz", "]z", ""])
def test_a_long_reference_of_nothing_but_checksums_is_not_found_at_once(diary: Daypack, end: str) -> None:
    with pytest.raises(NotFound):
        diary.get("x" + " @123" * 100_000 + end)


def test_a_label_that_several_names_end_with_is_told_apart_by_its_checksum_or_refused(diary: Daypack) -> None:
    with pytest.raises(NotFound, match=r"did you mean letters/2026-11-10\.md\?"):
        diary.get("/2026-11-10.md")
    mark = diary.get("notes/diary/2026-11-10.md").record_hash
    assert diary.get(f"/2026-11-10.md @{mark[:8]}").uri == "notes/diary/2026-11-10.md"
    for lines in (":17", ":17-20", "[2 :17-20 (extract)]"):
        with pytest.raises(NotFound, match="write the path of the item before it in the pack, as path:12-40"):
            diary.get(lines)


def test_the_link_to_a_chunk_or_a_record_is_a_reference(diary: Daypack) -> None:
    chunk = diary.search("heron came at 12 minutes", limit=1).candidates[0].chunk
    assert diary.get(f"daypack://chunk/{chunk.id}").text == chunk.text
    assert diary.get(f"daypack://record/{chunk.record_id}").uri == chunk.uri
    with pytest.raises(NotFound, match="no chunk has the id 99999"):
        diary.get("daypack://chunk/99999")


def test_a_hash_that_no_text_has_is_said_to_be_unknown(diary: Daypack) -> None:
    found = diary.get("letters/2026-11-10.md:1-3@deadbeef")
    assert (found.state, found.cited) == ("changed", "deadbeef")
    assert notes_on_found(found)[0].startswith("no text with the hash deadbeef is known")
    assert "no text with the hash deadbeef is known" in paged(found, 1)[0]
    assert notes_on_found(diary.get("letters/2026-11-10.md")) == []


def test_a_file_that_changed_on_the_disk_is_said_to_have_changed(diary: Daypack, tmp_path: Path) -> None:
    (tmp_path / "letters" / "2026-11-10.md").write_text("# Letter\n\nDear Oda, and Ines.\n")
    found = diary.get("letters/2026-11-10.md")
    assert notes_on_found(found) == ["the file changed since it was indexed; this is the indexed text"]


def test_a_file_that_was_deleted_is_said_to_be_no_longer_on_disk(diary: Daypack, tmp_path: Path) -> None:
    (tmp_path / "letters" / "2026-11-10.md").unlink()
    found = diary.get("letters/2026-11-10.md")
    assert found.state == "gone"
    assert notes_on_found(found) == ["the file is no longer on disk; this is the indexed text"]


def test_a_missing_text_is_named_without_the_lines_that_were_asked_for(diary: Daypack) -> None:
    with pytest.raises(NotFound, match=r"no record named 'letters/none\.md';"):
        diary.get("letters/none.md:1-5")


@pytest.mark.parametrize("name", ["letters", "letters/", "./letters"])
def test_a_folder_is_answered_with_names_of_files_in_it(diary: Daypack, name: str) -> None:
    with pytest.raises(NotFound, match=r"; it is a folder; name a file in it, as letters/\S+\.md"):
        diary.get(name)


@pytest.mark.parametrize(
    "name", ["plan [draft].md", "dir [x]/n.md", "a @b.md", "`tick`.md", "back\\slash ].md"]
)
def test_a_name_with_brackets_is_found_as_packs_write_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Plan\n\nThe heron is grey.\n")
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        line = next(line for line in dp.pack("heron is grey").text.splitlines() if line.startswith("[1 "))
        written = line.removeprefix("[1 ").rpartition(" @")[0]
        assert written.startswith('"')
        whole = written.rpartition('"')[0] + '"'
        quoted = f'"{name}"'
        for reference in (line, written, whole, whole.strip('"'), quoted, f"{quoted}:3", f"{whole}:3 "):
            assert dp.get(reference).uri == name, reference
        with pytest.raises(NotFound, match="no record named"):
            dp.get(r'"heron \u{FFFFFF}\u{D800}.md"')


def test_a_memory_and_a_document_are_found_as_packs_quote_them(dp: Daypack) -> None:
    dp.memories.remember("a b/c d", "The heron is grey.")
    dp.documents.collection("c").insert({"_id": "x]y", "text": "The egret is white."})
    assert r'"docs:c/x\u{5D}y"' in dp.pack("is the egret white?").text
    assert dp.get('"memory:a b/c d"').text == "The heron is grey."
    assert "egret" in dp.get(r'"docs:c/x\u{5D}y"').text
