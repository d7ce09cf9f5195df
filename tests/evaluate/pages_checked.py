"""Pages about measurements as a browser reads them: well formed, and in need of nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _Checker(HTMLParser):
    """Every element that is opened is closed in order, and nothing is fetched, run or linked."""

    EMPTY = frozenset({"meta", "!doctype"})  # without an end
    CLOSED = frozenset({"rect", "path"})  # may end where they begin

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        assert tag not in {"script", "link", "img", "iframe", "object", "b", "a"}, tag
        assert not names & {"src", "href", "srcset", "background"} and not any(
            name.startswith("on") for name in names
        )
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.CLOSED, tag

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def checked(text: str) -> str:
    """The text of a page that is well formed and needs nothing from elsewhere."""
    checker = _Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    return "".join(checker.text)
