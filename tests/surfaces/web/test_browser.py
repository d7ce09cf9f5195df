"""The page in a real browser: wide and narrow, light and dark, by mouse and by keyboard alone.

Needs playwright and a Chromium (`make test-page` installs both where it may); skipped without them.
"""

from __future__ import annotations

from typing import Any

import pytest
from server import Page
from tabs import IN_A_BROWSER, VIEWS, Tab

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed; `make test-page` does it"
)
pytestmark = IN_A_BROWSER


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_view_fits_and_breaks_no_rule(browser: Any, own: Page, width: int, scheme: str) -> None:
    tab = Tab(browser, own, viewport={"width": width, "height": 900}, color_scheme=scheme)
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed; `make test-page` does it"
    ).Axe()
    for name, path in VIEWS.items():
        shown = tab.show(path)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width, name
        serious = [
            (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
            for one in axe.run(shown).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], name
        shown.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        assert shown.evaluate("document.documentElement.scrollWidth") <= width, f"{name}, opened"
    tab.context.close()


@pytest.mark.parametrize("width", [1280, 400])
def test_a_long_key_fits_wherever_it_is_named(browser: Any, own: Page, width: int) -> None:
    key = f"long/{'k' * 150}"
    assert own.ask("POST", "/v1/remember", {"key": key, "value": "The pier is closed."})[0] == 200
    tab = Tab(browser, own, viewport={"width": width, "height": 900})
    shown = tab.show(f"/memories?key={key}")
    shown.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert own.ask("POST", "/v1/forget", {"key": key})[0] == 200
    tab.context.close()


def test_the_link_of_the_shown_view_is_in_a_narrow_window(browser: Any, own: Page) -> None:
    tab = Tab(browser, own, viewport={"width": 400, "height": 900})
    for path in ("/", "/documents", "/settings"):
        place = tab.show(path).locator("nav [aria-current]").bounding_box()
        assert place["x"] >= 0, path
        assert place["x"] + place["width"] <= 400, path
    tab.context.close()


def test_a_question_is_asked_and_followed_by_keyboard_alone(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show("/")
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    for _ in range(20):
        shown.keyboard.press("Tab")
        if shown.evaluate("document.activeElement.id") == "q":
            break
    shown.keyboard.type("how are refunds retried?")
    shown.keyboard.press("Enter")
    shown.wait_for_load_state()
    assert "o200k tokens" in shown.inner_text("h2")
    for _ in range(80):
        shown.keyboard.press("Tab")
        if "/get?ref=" in (shown.evaluate("document.activeElement.href") or ""):
            break
    shown.keyboard.press("Enter")
    shown.wait_for_url(lambda url: "/get?ref=" in url)
    assert shown.inner_text("#text")
    tab.check()
    tab.context.close()


def test_the_slider_and_the_number_are_one_budget(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show("/")
    shown.fill("#budget", "1200")
    assert shown.input_value("#slide") == "1200"
    shown.focus("#slide")
    shown.keyboard.press("ArrowRight")
    assert shown.input_value("#budget") == "1300"
    tab.check()
    tab.context.close()


def test_the_answer_follows_the_slider(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show(VIEWS["pack"])
    items = shown.locator("tr[data-item]").count()
    shown.focus("#slide")
    for _ in range(12):
        shown.keyboard.press("ArrowRight")
    playwright.expect(shown.locator("#answer h2").first).to_contain_text("of 2,100")
    assert shown.locator("tr[data-item].came").count() > 0
    assert shown.locator("tr[data-item]").count() > items
    assert "came in" in shown.inner_text("#said")
    assert "budget=2100" in shown.url
    shown.click("text=Copy the command")
    tab.check()
    tab.context.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_items_that_leave_fade_where_they_stood(browser: Any, own: Page, motion: str) -> None:
    tab = Tab(browser, own, reduced_motion=motion)
    shown = tab.show(VIEWS["pack"])
    shown.evaluate(
        """() => { window.left = 0; new MutationObserver((changes) => {
            for (const one of changes) for (const row of one.addedNodes) if (row.classList?.contains("went")) window.left++;
        }).observe(document.getElementById("answer"), { childList: true, subtree: true }); }"""
    )
    shown.locator("#heat").uncheck()
    shown.fill("#budget", "150")
    playwright.expect(shown.locator("#answer h2").first).to_contain_text("of 150")
    assert "left" in shown.inner_text("#said")
    assert shown.evaluate("window.left") > 0
    playwright.expect(shown.locator("tr.went")).to_have_count(0)
    assert not shown.is_checked("#heat")
    tab.check()
    tab.context.close()


def test_keys_ask_and_move_through_the_items(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show(VIEWS["pack"])
    shown.keyboard.press("j")
    shown.keyboard.press("j")
    second = shown.evaluate("document.activeElement.href")
    shown.keyboard.press("k")
    assert "/get?ref=" in shown.evaluate("document.activeElement.href")
    assert shown.evaluate("document.activeElement.href") != second
    shown.keyboard.press("/")
    assert shown.evaluate("document.activeElement.id") == "q"
    tab.check()
    tab.context.close()


def test_no_placeholder_is_cut_off(browser: Any, own: Page) -> None:
    tab = Tab(browser, own, viewport={"width": 1280, "height": 900})
    cut = """() => [...document.querySelectorAll("input[placeholder]")].filter((one) => one.clientWidth).filter((one) => {
      const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
      pen.font = `${style.fontSize} ${style.fontFamily}`;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return pen.measureText(one.placeholder).width > room;
    }).map((one) => one.placeholder)"""
    for name, path in VIEWS.items():
        assert tab.show(path).evaluate(cut) == [], name
    tab.context.close()


def test_a_bar_without_a_place_for_its_words_troubles_nobody(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)

    def without_words(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('id="told"', ""))

    tab.tab.route("**/?q=*", without_words)
    shown = tab.show(VIEWS["pack"])
    shown.focus("svg.bar a")
    shown.focus("#q")
    tab.check()
    tab.context.close()


def test_a_part_of_the_bar_says_what_it_is_under_the_focus(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show(VIEWS["pack"])
    before = shown.inner_text("#told")
    shown.focus("svg.bar a")
    told = shown.inner_text("#told")
    assert told != before
    assert "tokens, score" in told
    shown.focus("#q")
    assert shown.inner_text("#told") == before
    tab.check()
    tab.context.close()


def test_symbols_are_found_while_typing_and_walked_by_their_boxes(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show("/code")
    shown.keyboard.press("/")
    shown.keyboard.type("call_with")
    playwright.expect(shown.locator("#answer h2").first).to_have_text("1 symbol")
    shown.wait_for_url("**name=call_with*")  # the part that was typed first may have found it already
    shown.click("text=call_with_retry")
    shown.wait_for_url("**/code/symbol*")
    box = shown.locator("svg.graph.wide a").first
    box.focus()
    shown.keyboard.press("Enter")
    shown.wait_for_function("!document.querySelector('h1').textContent.includes('call_with_retry')")
    tab.check()
    tab.context.close()


def test_an_item_opens_its_text_with_the_lines_around_it(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    shown = tab.show(VIEWS["pack"])
    shown.locator("button[data-opens]").first.click()
    shown.wait_for_selector("tr[data-item] + tr .code .marked")
    shown.locator("button[data-opens]").first.click()
    playwright.expect(shown.locator(".code")).to_have_count(0)
    tab.check()
    tab.context.close()


def test_what_is_copied_is_the_pack(browser: Any, own: Page) -> None:
    tab = Tab(browser, own, permissions=["clipboard-read", "clipboard-write"])
    shown = tab.show(VIEWS["pack"])
    for name, begin in {
        "Copy as Markdown": ("[1 ", "```"),
        "Copy as JSON": '{"schema"',
        "Copy the command": "daypack pack",
    }.items():
        shown.click(f"text={name}")
        playwright.expect(shown.locator("#said")).to_have_text("Copied.")
        assert shown.evaluate("navigator.clipboard.readText()").startswith(begin)
        shown.evaluate("document.getElementById('said').textContent = ''")
    tab.check()
    tab.context.close()


def test_the_page_works_without_a_script(browser: Any, own: Page) -> None:
    tab = Tab(browser, own, java_script_enabled=False)
    shown = tab.show("/")
    shown.fill("#q", "who is paged after an outage?")
    with shown.expect_navigation():  # to the end of its load: a click alone waits for the address
        shown.click("button[type=submit]")
    assert "runbook" in shown.content()
    tab.context.close()


def test_no_view_breaks_the_policy_or_asks_another_machine(browser: Any, own: Page) -> None:
    tab = Tab(browser, own)
    for path in VIEWS.values():
        tab.show(path)
    tab.check()
    tab.context.close()
