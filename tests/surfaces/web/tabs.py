"""A tab of a real browser, and the views that it shows."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from server import Page

QUESTION = urlencode({"q": "how are refunds retried?", "budget": 900})
VIEWS = {
    "start": "/", "pack": f"/?{QUESTION}", "why": f"/why?{QUESTION}", "compare": f"/compare?{QUESTION}&budget2=300", "beside": f"/why?{QUESTION}&packing2=skip", "memories": "/memories?key=release/cadence",
    "store": "/store?why=nothing.md&doctor=yes", "sessions": "/sessions", "documents": "/documents?" + urlencode({"collection": "teas", "filter": '{"year": 2021}'}),
    "evaluations": "/evaluations?before=at-900&after=at-100", "get": "/get?ref=src/pay/retry.py:20-30&around=10",
    "code": "/code?colour=rank", "files": "/code", "symbol": "/code/symbol?ref=call_with_retry", "sources": "/sources", "settings": "/settings", "reference": "/docs",
}  # fmt: skip

# What the browser's driver leaves to the garbage collector is not ours to mend.
IN_A_BROWSER = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning"
)
MADE = 120_000  # milliseconds for a view that the server makes aside


class Tab:
    """A tab that notes whatever goes wrong in it, and whom it asks."""

    def __init__(self, browser: Any, page: Page, **options: Any) -> None:
        self.page, self.troubles, self.asked = page, [], set()
        self.context = browser.new_context(
            extra_http_headers={"Authorization": f"Bearer {page.token}"}, **options
        )
        self.tab = self.context.new_page()
        self.tab.on(
            "console",
            lambda message: (
                self.troubles.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        self.tab.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.tab.on(
            "request",
            lambda request: self.asked.add(request.url.split("/")[2] if "//" in request.url else ""),
        )

    def show(self, path: str) -> Any:
        from playwright.sync_api import expect  # the tests that need no browser import this module too

        self.tab.goto(self.page.base + path)
        expect(self.tab.locator("[data-waits]")).to_have_count(0, timeout=MADE)
        return self.tab

    def check(self) -> None:
        assert self.troubles == []
        assert self.asked <= {f"127.0.0.1:{self.page.port}", ""}
