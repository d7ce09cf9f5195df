"""Code on the page: a map that leads to files, symbols by name, and a symbol from which others are reached."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from server import Page, seen, served
from starlette.applications import Starlette
from starlette.testclient import TestClient

from daypack import Daypack
from daypack.surfaces.web.code import texts, views
from daypack.surfaces.web.frame import Frame
from daypack.verbs import Access
from support import WORDS, daypack, in_the_end


def ranked(page: Page, path: str) -> str:
    """The map by rank, which the server makes aside when it takes long; each request waits half a second for it."""
    with in_the_end():
        while "data-waits" in (text := seen(page, path)):
            assert "the colours tell the last change" in text
    return text


def test_the_map_leads_from_folders_to_files_and_their_symbols(page: Page) -> None:
    text = ranked(page, "/code?colour=rank")
    assert "Size is tokens" in text
    assert re.search(r"<title>src/pay: \d+ files, [\d,]+ tokens, [\d.]+% of the rank</title>", text)
    assert re.search(r'Symbols that matter most.*href="/code/symbol', text, re.DOTALL)
    inside = seen(page, "/code?path=src/pay")
    assert re.search(r"<title>src/pay/retry.py: [\d,]+ tokens, changed 20\d\d-", inside)
    link = re.search(r'<a href="(/code\?path=src%2Fpay%2Fretry.py[^"]*)"', inside)
    assert link
    listed = seen(page, html.unescape(link[1]))
    assert re.search(r'<a href="/code/symbol\?ref=src%2Fpay%2Fretry.py%3A\d+">call_with_retry</a>', listed)
    assert "No file of the store lies in nosuch" in seen(page, "/code?path=nosuch")


def test_symbols_are_found_by_a_part_of_their_name(page: Page) -> None:
    assert ">call_with_retry</a>" in seen(page, "/code?name=with_re")
    assert ">call_with_retry</a>" not in seen(page, "/code?name=with_re&kind=class")
    assert "No symbol has nosuchthing" in seen(page, "/code?name=nosuchthing")


def test_a_symbol_leads_to_its_callers_and_they_lead_back(page: Page) -> None:
    text = seen(page, "/code/symbol?ref=call_with_retry")
    drawn = re.search(r'<svg class="graph wide".*?</svg>', text, re.DOTALL)
    assert drawn
    callers = re.findall(r'<a href="(/code/symbol[^"]+)"><title>called by: ([^,]+)', drawn[0])
    assert callers
    back = seen(page, html.unescape(callers[0][0]))
    assert re.search(r'<a href="/code/symbol[^"]+"><title>calls: call_with_retry', back)
    assert 'class="tk">def</span>' in text
    assert re.search(r'data-n="\d+"', text)
    assert "No symbol named" in seen(page, "/code/symbol?ref=nosuch")
    assert "No symbol is named" in seen(page, "/code/symbol")


def test_a_name_of_several_symbols_leads_to_each(page: Page) -> None:
    text = seen(page, "/code/symbol?ref=cents")
    assert "&#39;cents&#39; is defined in 2 places" in text
    links = re.findall(r'<a href="(/code/symbol\?ref=[^"]+)">[\w.]*cents</a>', text)
    assert len(links) == 2
    for link in links:
        assert "cents</h1>" in seen(page, html.unescape(link))


def test_a_citation_shows_the_lines_around_it(page: Page) -> None:
    text = seen(page, "/get?ref=src/pay/retry.py:20-22&around=10")
    numbers = [int(number) for number in re.findall(r'data-n="(\d+)"', text)]
    marked = [int(number) for number in re.findall(r'class="marked" data-n="(\d+)"', text)]
    assert numbers == [*range(10, 33)]
    assert marked == [20, 21, 22]
    assert "Lines 20 to 22 of" in text
    chunk = re.search(r'/get\?ref=([^"&]+)', seen(page, "/?q=how+are+refunds+retried%3F"))
    assert chunk
    assert 'class="marked"' in seen(page, f"/get?ref={chunk[1]}&around=10")
    assert "beyond the last line" in seen(page, "/get?ref=src/pay/retry.py:20000&around=10", 404)


def test_a_citation_with_the_lines_around_it_is_read_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Daypack.open(project / ".daypack", root=project, settings=WORDS) as daypack:
        read: list[str] = []
        get = Daypack.get
        monkeypatch.setattr(Daypack, "get", lambda self, ref: (read.append(ref), get(self, ref))[1])
        found = texts.read_facts(daypack, {"ref": "src/pay/retry.py:20-22", "around": "10"})
        assert (read, found["asked"]) == (["src/pay/retry.py:10-32"], (20, 22))


def test_a_map_that_takes_long_is_shown_by_age_until_it_is_there() -> None:
    asked: list[str] = []

    class Host:
        ceiling = Access.READ
        local = True

        def of(self, scope: object) -> Host:
            return self

        def admits(self, access: Access) -> bool:
            return access is Access.READ

        @asynccontextmanager
        async def act(self, path: str, access: Access) -> AsyncIterator[None]:
            yield

        async def aside(self, name: str, work: object, patience: float) -> None:
            asked.append(name)

        async def run(self, work: object) -> dict[str, object]:
            return {
                "files": 1,
                "pictures": [("wide", 10, 10, [])],
                "tokens": 1,
                "colour": "age",
                "colours": {},
            }

    frame = Frame(Host())  # type: ignore[arg-type]
    route = next(one for one in views.routes(frame) if one.path == "/code")
    client = TestClient(Starlette(routes=[route]))
    assert 'data-waits="/code?' not in client.get("/code?colour=age").text
    assert asked == []
    text = client.get("/code?colour=rank&path=src").text
    assert asked == ["/code?colour=rank&path=src"]
    assert 'data-waits="/code?colour=rank&amp;path=src"' in text


def test_names_of_hostile_files_are_only_text(tmp_path: Path) -> None:
    project = tmp_path / "hostile"
    project.mkdir()
    (project / "pyproject.toml").touch()
    name = '"><script>alert(1)<b>.py'
    (project / name.replace("/", "")).write_text("def pay_out(x):\n    return '<script>alert(2)'\n")
    daypack("add", ".", cwd=project)
    with served(project) as page:
        for path in ("/code", "/code?name=pay", f"/code?path={quote(name)}", "/code/symbol?ref=pay_out"):
            assert "pay_out" in (text := seen(page, path)) or path == "/code"
            assert "<script>alert" not in text
            assert "<b>.py" not in text


def test_a_store_without_code_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    daypack("remember", "a", "b", cwd=tmp_path)
    with served(tmp_path) as page:
        assert "No file is in the store yet" in seen(page, "/code")


@pytest.mark.parametrize("view", ["/?q=refunds", "/why?q=refunds", "/compare?q=refunds&budget=900"])
def test_a_pack_of_an_empty_store_leads_to_where_files_are_added(tmp_path: Path, view: str) -> None:
    (tmp_path / "pyproject.toml").touch()  # empty, and so skipped
    with served(tmp_path) as page:
        assert 'gives the reasons. <a href="/sources">Add files</a>' in seen(page, view)
