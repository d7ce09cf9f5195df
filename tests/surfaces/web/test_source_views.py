"""Sources and settings on the page: added, read again and removed by forms, with reasons and origins."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus, urlencode

import pytest
from server import FORM, Page, seen, served

from daypack import Daypack
from daypack.surfaces.web import sources
from daypack.surfaces.web.shell import html as html_of
from support import WORDS, daypack


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources") / "pay"
    (folder / "docs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.daypack]\nbudget = 1234\n")
    (folder / "docs" / "refunds.md").write_text("# Refunds\n\nRefunds are retried with one key.\n")
    (folder / "docs" / "picture.png").write_bytes(b"\x89PNG\0\0")
    (folder / "late.md").write_text("# Walrus\n\nThe walrus is paid on Fridays.\n")
    daypack("remember", "a", "b", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def own(place: Path) -> Iterator[Page]:
    with served(place, "--access", "dangerous") as page:
        yield page


def sent(page: Page, path: str, /, **fields: str) -> str:
    status, headers, text = page.ask("POST", path, urlencode(fields).encode(), **FORM)
    assert status == 303, text
    return headers["location"].partition("#")[0]


def test_a_folder_is_added_read_again_and_removed(own: Page, place: Path) -> None:
    assert "Nothing was added yet" in seen(own, "/sources")
    told = seen(own, sent(own, "/sources/add", path="docs"))
    assert "1 file was added." in told
    assert re.search(
        r'<a href="/code\?path=docs">docs</a></td><td class="number" data-label="files">1<', told
    )
    assert "binary: 1" in told
    assert "Put its content into a text file beside it." in told
    assert "<h2>Largest files</h2>" in told
    (place / "docs" / "refunds.md").write_text("# Refunds\n\nRefunds are never retried.\n")
    assert "1 file changed since it was read." in seen(own, "/sources")
    assert "1 file was read again." in seen(own, sent(own, "/sources/refresh"))
    assert "never retried" in seen(own, "/?" + urlencode({"q": "refunds"}))
    assert "1 record was removed." in seen(own, sent(own, "/sources/remove", what="root", name="docs"))
    assert "Nothing was added yet" in seen(own, "/sources")
    assert (place / "docs" / "refunds.md").exists()
    assert own.ask("POST", "/sources/remove", b"what=root&name=nosuch", **FORM)[0] == 404
    assert own.ask("POST", "/sources/add", b"path=nosuch", **FORM)[0] in (400, 404)


def test_the_page_adds_nothing_outside_of_the_project(own: Page, place: Path) -> None:
    outside = place.parent / "private"
    outside.mkdir()
    (outside / "letter.md").write_text("The lighthouse is sold in spring.\n")
    (place / "way-out").symlink_to(outside)
    for name in (str(outside), "../private", "way-out", "way-out/letter.md"):
        for path, field in (("/sources/add", "path"), ("/store/add", "file")):
            body = urlencode({field: name}).encode()
            status, _, text = own.ask("POST", path, body, **FORM)
            assert status == 400, (path, name)
            assert f"is outside of {place}; name a path below it, a server reaches no other" in text
    # A question would index the project itself, which has nothing added in other tests.
    assert str(outside) not in seen(own, "/sources")
    assert "letter.md" not in seen(own, "/store")
    (place / "way-out").unlink()


def test_a_label_is_kept_and_erased_and_its_name_is_only_text(own: Page) -> None:
    name = "notes/<script>alert(1)</script>"
    seen(own, sent(own, "/sources/label", label=name, text="Standup is at nine.\r\nBring tea."))
    text = seen(own, "/sources")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "Standup is at nine" in seen(own, "/?" + urlencode({"q": "when is the standup?"}))
    sent(own, "/sources/remove", what="label", name=name)
    assert "No label yet" in seen(own, "/sources")


def test_a_scoped_record_is_listed_and_erased(own: Page, place: Path) -> None:
    daypack("source", "store", "decision_outcome", "Refunds keep one key.", cwd=place)
    text = seen(own, "/sources")
    assert "Refunds keep one key." in text
    found = re.search(r'name="what" value="record"><input type="hidden" name="name" value="([^"]+)"', text)
    assert found
    sent(own, "/sources/remove", what="record", name=html.unescape(found[1]))
    assert "Refunds keep one key." not in seen(own, "/sources")


def test_an_update_of_documents_is_planned_applied_and_rolled_back(own: Page, place: Path) -> None:
    daypack("docs", "insert", "teas", "-", cwd=place, input=b'[{"_id": 1, "name": "Sencha", "year": 2021}]')
    planned = seen(
        own,
        sent(
            own, "/documents/plan", collection="teas", filter='{"year": 2021}', update='{"$set": {"year": 7}}'
        ),
    )
    token = re.search(r'name="token" value="([^"]+)"><button>Apply', planned)
    assert token
    assert ">planned<" in planned
    assert "year&#34;: 2021" in seen(own, "/documents?collection=teas")
    applied = seen(own, sent(own, "/documents/apply", token=token[1]))
    assert ">applied<" in applied
    assert "year&#34;: 7" in applied
    assert "year&#34;: 2021" in seen(own, sent(own, "/documents/apply", token=token[1], back="1"))
    broken = own.ask("POST", "/documents/plan", b"collection=teas&update=%7B", **FORM)
    assert broken[0] == 400
    assert "update" in broken[2]


def test_every_setting_says_where_it_comes_from(own: Page) -> None:
    text = seen(own, "/settings")
    budget = re.search(r"<td><code>budget</code></td><td>1234</td>.*?</tr>", text)
    assert budget
    assert "<b>the project</b>" in budget[0]
    assert "pyproject.toml" in budget[0]
    assert re.search(r"<code>tokenizer</code></td><td>o200k</td><td><span class=\"quiet\">default", text)


def test_a_server_that_reads_offers_no_form_there(place: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(place, copy, ignore=shutil.ignore_patterns("token"))
    with served(copy, "--access", "read") as reading:
        assert 'method="post"' not in seen(reading, "/sources")
        assert reading.ask("POST", "/sources/add", b"path=docs", **FORM)[0] == 403


def page_of(store: Daypack, **given: str) -> str:
    facts = sources.read_facts(store, given)
    body = html_of("sources.html", "/sources", facts, code=200).body.decode()
    assert len(body) < 300_000
    return body.replace("<wbr>", "")


def test_long_lists_of_labels_and_records_have_pages_and_open_their_texts(tmp_path: Path) -> None:
    folder = tmp_path / "tides"
    folder.mkdir()
    (folder / "spring.md").write_text("High water at noon.")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as store:
        store.knowledge.add_path(folder, label="tide tables")
        for number in range(130):
            store.knowledge.add_text(f"crane/{number:03}", f"Crane {number} lifts.")
        for number in range(230):
            store.sources.store("research_finding", f"Finding {number}.", source_key=f"f{number}")
        store.sources.store("research_finding", "Of the user.", source_key="f229", scope="user")
        first = page_of(store)
        assert "231 research finding" in first
        assert "1 to 100 of 231 records" in first
        assert "1 to 100 of 131 labels" in first
        assert "crane/129" in first
        assert "tide tables" not in first
        last = page_of(store, labels="2", records="3")
        assert "201 to 231 of 231 records" in last
        assert ">f0</a>" in last
        labelled = re.search(r'href="([^"]+)">tide tables</a>', last)
        assert labelled
        assert html.unescape(labelled[1]) == "/?in=knowledge&source=source%3Atide+tables%2F%2A%2A"
        found = page_of(store, part="E/11")
        assert re.findall(r">(crane/\d+)</a>", found) == [f"crane/{number}" for number in range(119, 109, -1)]
        for text, references in (
            ("Of the user.", re.findall(r'href="/get\?ref=([^"]+)">f229</a>', first)[:1]),
            ("Finding 229.", re.findall(r'href="/get\?ref=([^"]+)">f229</a>', first)[1:]),
            ("Crane 119 lifts.", re.findall(r'href="/get\?ref=([^"]+)">crane/119</a>', found)),
        ):
            assert [store.get(unquote_plus(reference)).text for reference in references] == [text]
