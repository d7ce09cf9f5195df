"""Fetches one page, after the user has permitted it, by https, from a checked address, within limits.

    check the URL → resolve the host once → refuse unless all its addresses are public → connect to the checked address →
    the same for each redirect → read within limits of bytes and of time → text

A name server cannot give one address to the check and another to the connection, because the name is not resolved again.
Proxies of the environment are ignored; cookies and credentials are not sent.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from daypack.errors import InputError
from daypack.guard.addresses import is_disguised, why_not_public

MOST_BYTES = 10 << 20
SECONDS = 30.0
MOST_REDIRECTS = 5
LONGEST_URL = 2_000
DOCUMENT_TYPES = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
}
"""Types of documents that are parsed in a process of their own, by their file name endings."""
_TYPES = (
    "text/",
    "application/json",
    "application/xhtml+xml",
    "application/xml",
    "application/rss+xml",
    "application/atom+xml",
    "application/ld+json",
    "application/javascript",
    "application/yaml",
    *DOCUMENT_TYPES,
)
_BLOCK = 1 << 16


class FetchRefused(InputError, code="fetch_refused"):
    """A fetch that is not permitted, or an answer that is not accepted."""

    def __init__(self, url: str, why: str, *, gone: bool = False) -> None:
        self.url = url
        self.gone = gone  # the server reports that the page does not exist
        super().__init__(f"{_shown(url)} was not fetched: {why}")


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched page. When the server reports no change, `unchanged` is True and `body` is b""."""

    url: str  # after redirects
    body: bytes
    content_type: str
    etag: str
    modified: str
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Network:
    """The network as a value: the functions that resolve names and refuse addresses."""

    resolve: Callable[[str, int], list[str]]
    refuse: Callable[[str], str]  # the reason to refuse an address, "" for none
    plain_http: bool = False


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host name. Raises OSError."""
    return list(
        dict.fromkeys(str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    )


PUBLIC = Network(resolve, why_not_public)


def fetch(
    url: str,
    *,
    network: Network = PUBLIC,
    known: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    most: int = MOST_BYTES,
) -> Page:
    """The page at a URL, after at most MOST_REDIRECTS redirects. `known` has its stored etag and date. Raises FetchRefused."""
    deadline = time.monotonic() + seconds
    validators = known or {}
    for _ in range(MOST_REDIRECTS + 1):
        answer = _once(url, network, validators, deadline=deadline, most=most)
        if isinstance(answer, Page):
            return answer
        url, validators = answer, {}
    raise FetchRefused(url, f"it redirects more than {MOST_REDIRECTS} times")


def checked_url(url: str, network: Network = PUBLIC) -> str:
    """The URL as it is requested. Raises FetchRefused for one that is not permitted."""
    if len(url) > LONGEST_URL or not url.isprintable() or " " in url or "\\" in url:
        raise FetchRefused(url, "it is not a URL on one line")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise FetchRefused(url, str(error).lower()) from None
    if parts.scheme != "https" and not (parts.scheme == "http" and network.plain_http):
        raise FetchRefused(
            url, "only https is fetched" if parts.scheme == "http" else "it is not an https URL"
        )
    if parts.username is not None or parts.password is not None:
        raise FetchRefused(url, "it holds a name or a password")
    if not host or is_disguised(host):
        raise FetchRefused(
            url, "its host is a number written in an unusual way" if host else "it names no host"
        )
    if port == 0:
        raise FetchRefused(url, "it names no port")
    return urlunsplit(parts._replace(fragment=""))


def _once(url: str, network: Network, known: Mapping[str, str], *, deadline: float, most: int) -> Page | str:
    """A page, or the address of a redirect."""
    url = checked_url(url, network)
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = _allowed_address(url, host, port, network)
    connection = _Connection(host, port, address, secure=parts.scheme == "https", deadline=deadline)
    # A server that sends a byte per second keeps within the time limits of a socket; this timer ends the connection.
    watch = threading.Timer(max(0.1, deadline - time.monotonic()), connection.abort)
    watch.daemon = True
    watch.start()
    try:
        path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        connection.request(
            "GET",
            _quoted(path),
            headers={
                "User-Agent": "daypack",
                "Accept": "text/html, text/*;q=0.9, application/json;q=0.8",
                "Accept-Encoding": "identity",
                **({"If-None-Match": known["etag"]} if known.get("etag") else {}),
                **({"If-Modified-Since": known["modified"]} if known.get("modified") else {}),
            },
        )
        with connection.getresponse() as response:
            return _read_answer(
                url, response, known, lambda: _body(url, response, connection, deadline, most)
            )
    except (OSError, http.client.HTTPException, zlib.error) as error:
        why = (
            "its time was up"
            if time.monotonic() >= deadline
            else f"the connection failed ({type(error).__name__}: {error})"[:200]
        )
        raise FetchRefused(url, why) from None
    finally:
        watch.cancel()
        connection.close()


def _allowed_address(url: str, host: str, port: int, network: Network) -> str:
    """The first address of a host. Raises FetchRefused unless the network allows all addresses of the host."""
    try:
        addresses = network.resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise FetchRefused(url, f"its host is not known ({error})") from None
    for address in addresses:
        if why := network.refuse(address):
            raise FetchRefused(url, why if host == address else f"{host} is {address}: {why}")
    if not addresses:
        raise FetchRefused(url, "its host has no address")
    return addresses[0]


def _read_answer(
    url: str, response: http.client.HTTPResponse, known: Mapping[str, str], body: Callable[[], bytes]
) -> Page | str:
    """The page in an answer, or the address of a redirect. `body` is called for a page alone."""
    headers = response.headers
    if response.status in (301, 302, 303, 307, 308):
        target = headers.get("Location")
        if not target:
            raise FetchRefused(url, "its redirect has no address")
        return urljoin(url, target.strip())
    kind = (headers.get("Content-Type") or "text/plain").strip().lower()
    etag, modified = (headers.get(name) or "" for name in ("ETag", "Last-Modified"))
    if response.status == 304 and known:
        etag, modified = etag or known.get("etag", ""), modified or known.get("modified", "")
        return Page(url, b"", kind, etag, modified, unchanged=True)
    if response.status != 200:
        answer = f"the server answers {response.status} {response.reason}"[:100]
        raise FetchRefused(url, answer, gone=response.status in (404, 410))
    if not kind.startswith(_TYPES):
        raise FetchRefused(url, f"it is {kind.partition(';')[0][:60]}, which is not read")
    return Page(url, body(), kind, etag[:200], modified[:200])


def _body(
    url: str, response: http.client.HTTPResponse, connection: _Connection, deadline: float, most: int
) -> bytes:
    """The body of an answer. The limits of bytes and time hold for the bytes that arrive, not for the header's length."""
    packed = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if packed not in ("identity", "gzip", "x-gzip", "deflate"):
        raise FetchRefused(url, f"it is packed by {packed[:20]}, which is not read")
    unpacker = zlib.decompressobj(wbits=47) if packed != "identity" else None
    body = bytearray()
    while True:
        connection.hurry(deadline)
        block = response.read1(_BLOCK)
        if not block:
            if time.monotonic() >= deadline:
                raise TimeoutError  # the timer ended the connection, not the server
            return bytes(body)
        while block:
            body += unpacker.decompress(block, most + 1 - len(body)) if unpacker is not None else block
            if len(body) > most:
                raise FetchRefused(url, f"it has more than {most >> 20} MB")
            block = unpacker.unconsumed_tail if unpacker is not None else b""


class _Connection(http.client.HTTPConnection):
    """A connection to a checked address, with the requested host name."""

    def __init__(self, host: str, port: int, address: str, *, secure: bool, deadline: float) -> None:
        super().__init__(host, port, timeout=max(0.1, deadline - time.monotonic()))
        self._address = address
        self._secure = secure
        self._deadline = deadline

    def connect(self) -> None:
        self.sock = socket.create_connection(
            (self._address, self.port), timeout=max(0.1, self._deadline - time.monotonic())
        )
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def abort(self) -> None:
        """End the current operation, from another thread."""
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def hurry(self, deadline: float) -> None:
        """Limit the next read to the time until the deadline."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("its time was up")
        if self.sock is not None:
            self.sock.settimeout(left)


def _quoted(path: str) -> str:
    return quote(path, safe="/%:=&?~#+!$,;'@()*[]-._")


def _shown(url: str) -> str:
    return url if len(url) <= 120 and url.isprintable() else f"{url[:100]!a}…"
