"""The forms of the page in a real browser, which says itself where a request comes from: own ones are answered, others refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import Page, served
from tabs import IN_A_BROWSER

pytestmark = IN_A_BROWSER
SECONDS = 20  # for an action


@pytest.fixture(scope="module")
def own(project: Path) -> Iterator[Page]:
    with served(project, "--access", "dangerous") as found:
        yield found


@pytest.fixture
def entered(browser: Any, own: Page) -> Iterator[Any]:
    """A tab of a browser that came in with the token, by the form."""
    context = browser.new_context()
    context.set_default_timeout(SECONDS * 1000)
    tab = context.new_page()
    tab.goto(f"{own.base}/enter")
    tab.fill("#token", own.token)
    with tab.expect_navigation():
        tab.click("main button")
    yield tab
    context.close()


def send(tab: Any, form: str, button: str = "button") -> str:
    """Send the form of this selector, as a person does; the text of the page that follows."""
    tab.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    with tab.expect_navigation():
        tab.locator(form).first.locator(button).first.click()
    return str(tab.inner_text("main"))


def test_a_browser_enters_with_the_token(entered: Any) -> None:
    assert entered.inner_text("h1") == "Context for a task"


def test_memories_are_kept_corrected_restored_forgotten_and_redacted(entered: Any, own: Page) -> None:
    for key in ("note/floor", "note/lift"):
        entered.goto(f"{own.base}/memories")
        entered.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        entered.fill("#new-key", key)
        entered.fill("#new-value", "We sit on the second floor.")
        assert "We sit on the second floor." in send(entered, "form:has(#new-key)")
    entered.fill("#value", "We sit on the fourth floor.")
    assert "fourth" in send(entered, "form:has(#value)")
    assert "superseded" in entered.inner_text("main")
    assert "second" in send(entered, "form[action='/memories/restore']")
    assert "Redacted: note/lift" in send(entered, "form[action='/memories/redact']")
    entered.goto(f"{own.base}/memories?q=floor")
    assert "Forgotten: note/floor" in send(
        entered, "form[action='/memories/forget']:has([value='note/floor'])"
    )


def test_a_claim_of_a_web_page_is_accepted(entered: Any, own: Page) -> None:
    entered.goto(f"{own.base}/memories")
    assert "Waiting for a review" in entered.inner_text("main")
    assert "Waiting for a review" not in send(entered, "form[action='/memories/review']")


def test_sources_are_added_read_again_labelled_and_removed(entered: Any, own: Page) -> None:
    entered.goto(f"{own.base}/sources")
    entered.fill("#path", "docs")
    assert "files were added" in send(entered, "form[action='/sources/add']")
    assert "files were read again" in send(
        entered, "form[action='/sources/add']", "[formaction='/sources/refresh']"
    )
    entered.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    entered.fill("#label", "notes/kickoff")
    entered.fill("#text", "We begin in May.")
    assert "label was kept" in send(entered, "form[action='/sources/label']")
    assert "1 record was removed" in send(
        entered, "form[action='/sources/remove']:has([value='notes/kickoff'])"
    )


def test_a_missing_file_is_added_where_its_absence_is_explained(
    entered: Any, own: Page, project: Path
) -> None:
    (project / "late.txt").write_text("The walrus is paid on Fridays.\n")
    entered.goto(f"{own.base}/store?why=late.txt")
    assert "late.txt is in the store" in send(entered, "form[action='/store/add']")


def test_an_update_of_documents_is_planned_applied_and_rolled_back(entered: Any, own: Page) -> None:
    entered.goto(f"{own.base}/documents?collection=teas")
    entered.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    entered.fill("#update", '{"$set": {"fresh": true}}')
    assert "planned" in send(entered, "form[action='/documents/plan']")
    assert "applied" in send(entered, "form[action='/documents/apply']")
    assert "rolled back" in send(entered, "form[action='/documents/apply']")


def test_a_browser_revokes_itself_and_is_out(entered: Any, own: Page) -> None:
    entered.goto(f"{own.base}/settings")
    assert "Enter with the token" in send(entered, "tr:has(b) form[action='/settings/revoke']")
    assert entered.goto(f"{own.base}/memories").url.endswith("/enter")


ELSEWHERE = "http://127.0.0.1:9/"  # another port: the same site, so that the cookie goes along
FOREIGN = """<form method="post" action="{base}{path}"><input name="{name}" value="{value}"><button>Send</button></form>"""


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/memories/forget", "key", "release/cadence"),
        ("/memories/supersede", "key", "planted"),
        ("/sources/add", "path", "docs"),
        ("/settings/revoke", "id", "x"),
        ("/enter", "token", "guessed"),
    ],
)
def test_a_form_of_another_site_is_refused_on_a_page_that_says_so(
    entered: Any, own: Page, path: str, name: str, value: str
) -> None:
    form = FOREIGN.format(base=own.base, path=path, name=name, value=value)
    entered.route(ELSEWHERE, lambda asked: asked.fulfill(body=form, content_type="text/html"))
    entered.goto(ELSEWHERE)
    with entered.expect_navigation() as followed:
        entered.click("button")
    assert followed.value.status == 403
    assert "Requests from other origins are not answered." in entered.inner_text("main")
    memories = own.ask("GET", "/memories")[2]
    assert "release/cadence" in memories
    assert "planted" not in memories


def test_no_request_says_the_key_of_the_link_or_the_token_as_its_referrer(
    browser: Any, project: Path
) -> None:
    with served(project) as page:
        context = browser.new_context()
        tab = context.new_page()
        said = []
        tab.on("request", lambda request: said.append(request.all_headers().get("referer", "")))
        tab.goto(page.link)
        assert tab.inner_text("h1") == "Context for a task"
        with tab.expect_navigation():
            tab.goto(page.link)  # it is in already
        assert tab.inner_text("h1") == "Context for a task"
        tab.click("text=Settings")
        stranger = browser.new_context().new_page()
        stranger.on("request", lambda request: said.append(request.all_headers().get("referer", "")))
        stranger.goto(page.link)  # it was used already
        stranger.fill("#token", page.token)
        with stranger.expect_navigation():
            stranger.click("main button")
        assert stranger.inner_text("h1") == "Context for a task"
        key = page.link.partition("key=")[2]
        assert any(said)
        assert [one for one in said if key in one or page.token in one] == []
        stranger.context.close()
        context.close()
