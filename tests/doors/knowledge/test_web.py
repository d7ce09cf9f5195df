"""Web pages: fetched when somebody allowed it, from public addresses only, within bounds.

The servers are on this machine.
"""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.knowledge.web import PUBLIC, FetchRefused, Network, checked_url, fetch
from daypack.guard.addresses import is_disguised, why_not_public
from documents_made import docx, paragraph
from support import Clock, daypack, project
from web_server import Handler, listening

ALLOWED = "127.0.0.2"  # stands for the outside world; 127.0.0.1 is this machine

Answer = Callable[[Handler], None]


class Counting(ThreadingHTTPServer):
    """Counts who came, and keeps the paths that they asked for."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.connections, self.paths = 0, list[str]()

    def get_request(self) -> tuple[Any, Any]:
        self.connections += 1
        return super().get_request()


@contextmanager
def serving(answer: Answer, address: str = ALLOWED) -> Iterator[Counting]:
    class Answering(Handler):
        def do_GET(self) -> None:
            server.paths.append(self.path)
            try:
                answer(self)
            except OSError:
                self.close_connection = True

    with listening(Answering, address, Counting) as server:
        yield server


def says(body: bytes, kind: str = "text/html; charset=utf-8", status: int = 200, **headers: str) -> Answer:
    return lambda handler: handler.answer(body, status, Content_Type=kind, **headers)


def outside(**names: str) -> Network:
    """The real rules, but that 127.0.0.2 counts as public, and names lead there."""

    def resolve(host: str, port: int) -> list[str]:
        return [names[host]] if host in names else PUBLIC.resolve(host, port)

    return Network(
        resolve, lambda address: "" if address == ALLOWED else why_not_public(address), plain_http=True
    )


PAGE = b"""<!doctype html><html><head><title>Tide tables</title><script>bad()</script></head><body><nav>menu</nav><h1>Tides</h1>
<p>High water is at <b>noon</b>.</p><table><tr><th>Pier</th><th>Minutes</th></tr><tr><td>North</td><td>12</td></tr></table>
<pre><code>tide --pier north</code></pre></body></html>"""


# ---------------------------------------------------------------- what is taken


def test_a_page_becomes_markdown_with_its_tables_and_its_code(dp: Daypack) -> None:
    with serving(says(PAGE)) as server:
        kept = dp.knowledge.add_page(
            f"http://tides.example:{server.server_port}/t?x=1#top",
            label="tides",
            network=outside(**{"tides.example": ALLOWED}),
        )
    assert server.paths == ["/t?x=1"]
    text = dp.get("source:tides").text
    assert "# Tides" in text
    assert "**noon**" in text
    assert "| North" in text
    assert "tide --pier north" in text
    assert "bad()" not in text
    (hit,) = dp.search("high water noon", limit=1, vectors="none").candidates
    assert (hit.chunk.trust.value, hit.chunk.title, hit.chunk.uri) == ("untrusted", "Tide tables", kept.uri)


def test_a_page_is_not_fetched_again_within_a_day_unless_forced(dp: Daypack, clock: Clock) -> None:
    with serving(says(PAGE, ETag='"v1"')) as server:
        add = lambda **more: dp.knowledge.add_page(  # noqa: E731
            f"http://{ALLOWED}:{server.server_port}/", label="t", network=outside(), **more
        )
        assert add().changed
        assert not add().changed
        assert len(server.paths) == 1
        assert not add(force=True).changed
        assert len(server.paths) == 2
        clock.passes(90_000)
        assert [label.state for label in dp.knowledge.labels()] == ["stale"]
        add()
        assert len(server.paths) == 3
        assert [label.state for label in dp.knowledge.labels()] == ["current"]


def test_a_page_that_did_not_change_is_not_sent_again(dp: Daypack, clock: Clock) -> None:
    asked = []

    def answer(handler: Handler) -> None:
        asked.append(handler.headers.get("If-None-Match"))
        says(b"", status=304)(handler) if asked[-1] == '"v1"' else says(PAGE, ETag='"v1"')(handler)

    with serving(answer) as server:
        url = f"http://{ALLOWED}:{server.server_port}/"
        dp.knowledge.add_page(url, label="t", network=outside())
        clock.passes(90_000)
        kept = dp.knowledge.add_page(url, label="t", network=outside())
    assert asked == [None, '"v1"']
    assert not kept.changed
    assert "noon" in dp.get("source:t").text


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"pier": "north"}'),
        ("text/plain; charset=iso-8859-1", b"Stra\xdfe zum pier north"),
        ("text/markdown", b"# Pier\n\nnorth"),
    ],
)
def test_other_texts_are_taken_by_their_type(dp: Daypack, kind: str, body: bytes) -> None:
    with serving(says(body, kind)) as server:
        dp.knowledge.add_page(f"http://{ALLOWED}:{server.server_port}/page.php", label="t", network=outside())
    text = dp.get("source:t").text
    assert "north" in text
    assert "\ufffd" not in text


# ---------------------------------------------------------------- where nobody is sent


LOCAL = [
    "127.0.0.1", "localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.1", "[::1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0", "0.0.0.0", "[::]", "127.0.0.1.", "10.0.0.1", "172.16.0.1", "192.168.1.1",
    "100.64.0.1", "169.254.169.254", "[fe80::1]", "[fc00::1]", "[fec0::1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "224.0.0.1", "255.255.255.255",
    "[ff02::1]", "198.18.0.1", "192.0.2.1",
]  # fmt: skip


@pytest.mark.parametrize("host", LOCAL)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_spelling_of_a_local_address_is_asked(host: str, scheme: str) -> None:
    with serving(says(PAGE), "127.0.0.1") as server:
        with pytest.raises(FetchRefused):
            fetch(
                f"{scheme}://{host}:{server.server_port}/",
                network=replace(PUBLIC, plain_http=True),
                seconds=3,
            )
        time.sleep(0.01)
        assert (server.connections, server.paths) == (0, [])


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/",
        "//127.0.0.1:{port}/",
        "http://localhost:{port}/x",
        "http://2130706433:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "file:///etc/passwd",
        "ftp://x/",
    ],
)
def test_a_redirect_is_checked_as_the_first_address_was(target: str) -> None:
    with (
        serving(says(PAGE), "127.0.0.1") as inner,
        serving(says(b"", status=302, Location=target.format(port=inner.server_port))) as outer,
    ):
        with pytest.raises(FetchRefused):
            fetch(f"http://{ALLOWED}:{outer.server_port}/", network=outside(), seconds=3)
        assert len(outer.paths) == 1
        assert (inner.connections, inner.paths) == (0, [])


def test_a_name_that_changes_its_address_is_asked_once() -> None:
    answers = [[ALLOWED], ["127.0.0.1"]]
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[min(len(asked), 2) - 1]

    with serving(says(PAGE)) as outer, serving(says(PAGE), "127.0.0.1") as inner:
        network = replace(outside(), resolve=resolve)
        assert (
            b"noon" in fetch(f"http://rebind.example:{outer.server_port}/", network=network, seconds=120).body
        )
        assert asked == ["rebind.example"]
        with pytest.raises(FetchRefused):
            fetch(f"http://rebind.example:{inner.server_port}/", network=network, seconds=3)
        assert inner.connections == 0


def test_a_name_with_one_private_address_among_others_is_refused() -> None:
    with (
        serving(says(PAGE)) as server,
        pytest.raises(FetchRefused, match=r"10\.0\.0\.1: it is a private address"),
    ):
        fetch(
            f"http://mixed.example:{server.server_port}/",
            network=replace(outside(), resolve=lambda *_: [ALLOWED, "10.0.0.1"]),
        )
    assert server.connections == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://ana:pw@example.org/",
        "https:///x",
        "file:///etc/passwd",
        "https://a b/",
        "https://x\n/",
        "javascript:1",
        "https://[::1",
        "https://x:99999/",
        "https://" + "x" * 3000,
    ],
)
def test_what_is_no_https_url_is_refused_before_anybody_is_asked(url: str) -> None:
    with pytest.raises(FetchRefused):
        checked_url(url)


def test_only_decimal_dots_are_an_ordinary_address() -> None:
    assert not is_disguised("93.184.216.34")
    assert not is_disguised("example.org")
    assert not is_disguised("a1.2b")
    assert is_disguised("1")
    assert why_not_public("93.184.216.34") == why_not_public("2606:4700:4700::1111") == ""


# ---------------------------------------------------------------- several, and again


def test_several_pages_are_fetched_at_once_and_one_that_fails_leaves_the_others(dp: Daypack) -> None:
    together = threading.Barrier(3, timeout=120)

    def waits(handler: Handler) -> None:
        together.wait()  # nobody is answered before three have asked
        says(PAGE.replace(b"noon", handler.path.encode()))(handler)

    with serving(waits) as server:
        asked = [(f"http://{ALLOWED}:{server.server_port}/{n}", f"page {n}") for n in range(3)]
        found = dp.knowledge.add_pages(
            [*asked, ("http://127.0.0.1/", "private")], network=outside(), concurrency=4
        )
    assert [getattr(kept, "changed", None) for kept in found] == [True, True, True, None]
    assert isinstance(found[3], FetchRefused)
    assert "**/1**" in dp.get("source:page 1").text


def test_a_page_behind_a_label_is_asked_for_again_after_a_day(dp: Daypack, clock: Clock) -> None:
    page = [PAGE, '"v1"']

    def answer(handler: Handler) -> None:
        if page[0] == b"":
            return says(b"", status=410)(handler)
        same = handler.headers.get("If-None-Match") == page[1]
        return says(b"" if same else page[0], status=304 if same else 200, ETag=page[1])(handler)

    with serving(answer) as server:
        dp.knowledge.add_page(f"http://{ALLOWED}:{server.server_port}/", label="t", network=outside())
        again = lambda: [  # noqa: E731
            (name, getattr(kept, "changed", None))
            for name, kept in dp.knowledge.refresh_pages(network=outside())
        ]
        assert again() == []  # within a day
        clock.passes(90_000)
        assert [label.state for label in dp.knowledge.labels()] == ["stale"]
        assert again() == [("t", False)]  # its server says that it is as it was
        assert [label.state for label in dp.knowledge.labels()] == ["current"]
        clock.passes(90_000)
        page[:] = [PAGE.replace(b"noon", b"six"), '"v2"']
        assert again() == [("t", True)]
        assert "**six**" in dp.get("source:t").text
        clock.passes(90_000)
        page[0] = b""
        assert again() == [("t", None)]
        assert [label.state for label in dp.knowledge.labels()] == ["gone"]
        assert "**six**" in dp.get("source:t").text


def test_a_document_in_the_web_is_read_with_its_pages(dp: Daypack) -> None:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    with serving(says(docx(paragraph("Mooring", "berschrift1"), paragraph("Two hours.")), kind)) as server:
        dp.knowledge.add_page(
            f"http://{ALLOWED}:{server.server_port}/rules", label="rules", network=outside()
        )
    assert dp.get("source:rules#paragraph=2").text == "Two hours.\n"


# ---------------------------------------------------------------- bounds


def test_a_page_that_never_ends_is_left() -> None:
    def endless(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.end_headers()
        while True:
            handler.wfile.write(b"more and more\n" * 5000)

    with serving(endless) as server, pytest.raises(FetchRefused, match="more than 1 MB"):
        fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside(), most=1 << 20)


@pytest.mark.parametrize("part", ["headers", "body"])
def test_a_server_that_takes_its_time_is_left(part: str) -> None:
    def slow(handler: Handler) -> None:
        if part == "body":
            handler.send_response(200)
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.0 200 OK\r\n")
        for n in range(200):
            handler.wfile.write(f"X-{n}: y\r\n".encode())
            handler.wfile.flush()
            time.sleep(0.1)

    with serving(slow) as server, pytest.raises(FetchRefused, match="time was up"):
        fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside(), seconds=0.7)


def test_a_small_answer_that_unpacks_to_a_large_one_is_left() -> None:
    bomb = gzip.compress(b"\0" * (50 << 20))
    with (
        serving(says(bomb, "text/plain", Content_Encoding="gzip")) as server,
        pytest.raises(FetchRefused, match="more than 1 MB"),
    ):
        fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside(), most=1 << 20)
    with serving(says(gzip.compress(PAGE), Content_Encoding="gzip")) as server:
        assert fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside()).body == PAGE


def test_redirects_in_a_circle_and_other_answers_are_said() -> None:
    with serving(says(b"", status=301, Location="/again")) as server:
        with pytest.raises(FetchRefused, match="more than 5 times"):
            fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside())
        assert len(server.paths) == 6
    for answer, why in (
        (says(b"x", status=404), "404"),
        (says(b"x", "application/octet-stream"), "octet-stream"),
        (says(b"x", "text/plain", Content_Encoding="br"), "packed by br"),
    ):
        with serving(answer) as server, pytest.raises(FetchRefused, match=why):
            fetch(f"http://{ALLOWED}:{server.server_port}/", network=outside())


# ---------------------------------------------------------------- as somebody types it


def test_fetching_is_off_until_it_is_allowed(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    with serving(says(PAGE), "127.0.0.1") as server:
        refused = daypack("add", f"https://127.0.0.1:{server.server_port}/", cwd=ferry, status=2)
        assert "--web" in refused.stderr
        allowed = daypack("add", "--web", f"https://127.0.0.1:{server.server_port}/", cwd=ferry, status=2)
        assert "this machine" in allowed.stderr
        plain = daypack(
            "add", f"http://127.0.0.1:{server.server_port}/", cwd=ferry, status=2, env={"DAYPACK_WEB": "1"}
        )
        assert "only https" in plain.stderr
        assert server.connections == 0
