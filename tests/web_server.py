"""Small web servers on this machine, which answer as a test says."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers requests without a log."""

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        """Send a whole answer, unless the caller has gone."""
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True


@contextmanager
def listening(
    handler: type[Handler],
    address: str = "127.0.0.1",
    server: type[ThreadingHTTPServer] = ThreadingHTTPServer,
) -> Iterator[ThreadingHTTPServer]:
    """A server that answers while the block runs."""
    opened = server((address, 0), handler)
    thread = threading.Thread(target=opened.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield opened
    finally:
        opened.shutdown()
        opened.server_close()
        thread.join()
