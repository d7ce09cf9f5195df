"""The script of the page when the server refuses, answers late, or no longer knows the browser; and texts from right to left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from server import Page
from tabs import IN_A_BROWSER, VIEWS, Tab

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed; `make test-page` does it"
)
pytestmark = IN_A_BROWSER
OUT = "You are no longer admitted; load the page to enter again."


@pytest.fixture
def tab(browser: Any, own: Page) -> Iterator[Tab]:
    found = Tab(browser, own, permissions=["clipboard-read", "clipboard-write"])
    yield found
    found.context.close()


def leave(tab: Tab) -> None:
    """The server no longer knows this browser."""
    tab.context.set_extra_http_headers({})


def test_a_second_click_closes_the_text_and_removes_no_item(tab: Tab) -> None:
    shown = tab.show(VIEWS["pack"])
    rows = shown.locator("tr[data-item]").count()
    button = shown.locator("button[data-opens]").first
    with shown.expect_response(lambda answered: "/get?" in answered.url):
        button.dblclick()
    shown.wait_for_timeout(200)  # the late answer
    playwright.expect(shown.locator("tr[data-item]")).to_have_count(rows)
    playwright.expect(shown.locator("#answer .code")).to_have_count(0)
    for _ in range(3):
        button.click()
    playwright.expect(shown.locator("#answer .code")).to_have_count(1)
    playwright.expect(shown.locator("tr[data-item]")).to_have_count(rows)
    tab.check()


def test_a_browser_that_is_out_is_told_so_by_every_action(tab: Tab) -> None:
    shown = tab.show(VIEWS["pack"])
    said = shown.locator("#said")
    leave(tab)
    shown.locator("button[data-opens]").first.click()
    playwright.expect(said).to_have_text(OUT)
    assert "null" not in shown.inner_text("#answer table")
    assert shown.locator("button[data-opens]").first.get_attribute("aria-expanded") == "false"
    shown.evaluate("navigator.clipboard.writeText('mine')")
    shown.evaluate("document.getElementById('said').textContent = ''")
    shown.click("text=Copy as JSON")
    playwright.expect(said).to_have_text(OUT)
    assert shown.evaluate("navigator.clipboard.readText()") == "mine"
    shown.evaluate("document.getElementById('said').textContent = ''")
    shown.fill("#budget", "700")
    playwright.expect(said).to_have_text(OUT)
    playwright.expect(said).to_be_in_viewport()


def test_a_text_that_is_gone_is_explained_under_its_item(tab: Tab) -> None:
    shown = tab.show(VIEWS["pack"])
    shown.locator("button[data-opens]").first.evaluate("one => one.dataset.opens = '/get?ref=docs/none.md'")
    shown.locator("button[data-opens]").first.click()
    playwright.expect(shown.locator("#said")).to_contain_text("docs/none.md")
    assert shown.locator("button[data-opens]").first.get_attribute("aria-expanded") == "false"


def test_a_budget_that_is_refused_while_typing_is_explained(tab: Tab) -> None:
    shown = tab.show(VIEWS["pack"])
    before = shown.inner_text("#answer h2")
    shown.fill("#budget", "300000")
    playwright.expect(shown.locator("#said")).to_contain_text("200000")
    assert shown.inner_text("#said").startswith("Tokens: ")
    assert shown.inner_text("#answer h2") == before
    shown.evaluate("document.getElementById('budget').removeAttribute('max')")
    shown.fill("#budget", "300001")
    playwright.expect(shown.locator("#said")).to_contain_text("200,000")
    shown.fill("#budget", "800")
    playwright.expect(shown.locator("#answer h2").first).to_contain_text("of 800")
    assert "200" not in shown.inner_text("#said")
    tab.check()


def test_hebrew_runs_from_right_to_left_and_english_beside_it_does_not(tab: Tab, own: Page) -> None:
    text = "הצוות נפגש ב-10:00."
    assert own.ask("POST", "/v1/remember", {"key": "note/hebrew", "value": text})[0] == 200
    shown = tab.show("/memories?key=note/hebrew")
    starts = """([selector, text]) => {
        const found = [...document.querySelectorAll(selector)].find((one) => one.textContent.includes(text));
        const from = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
        while (!from.nextNode().data.includes(text)) continue;
        const range = document.createRange(), at = from.currentNode.data.indexOf(text);
        range.setStart(from.currentNode, at);
        range.setEnd(from.currentNode, at + text.length);
        const here = range.getBoundingClientRect();
        range.setStart(from.currentNode, at + text.length - 1);
        return range.getBoundingClientRect().left - here.left;
    }"""
    # the full stop ends the sentence on its left
    assert shown.evaluate(starts, ["p, td", text]) < 2
    for field in ("#q", "input[type=text]", "textarea"):
        for one in shown.locator(field).all():
            assert one.evaluate("one => getComputedStyle(one).unicodeBidi") == "plaintext", field
    assert own.ask("POST", "/v1/forget", {"key": "note/hebrew"})[0] == 200
