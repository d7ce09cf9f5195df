"""Two packs beside each other, and files to share: every change is told, and a file needs nothing from elsewhere."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from urllib.parse import urlencode

from server import Page, seen

from daypack import Daypack
from daypack.surfaces.web.compare import difference
from support import WORDS

QUESTION = {"q": "how are refunds retried?", "budget": "300"}


def test_items_of_two_packs_are_kept_added_removed_or_changed(project: Path) -> None:
    with Daypack.open(project / ".daypack", settings=WORDS) as store:
        small = store.pack("how are refunds retried?", budget=300)
        large = store.pack("how are refunds retried?", budget=1200)
        other = store.pack("who is paged after an outage?", budget=300)
    same = difference(small, small)
    assert same.count("kept") == len(small.excerpts) == len(same.changes)
    grown = difference(small, large)
    shrunk = difference(large, small)
    assert grown.count("added") == shrunk.count("removed") > 0
    assert sum(change.more for change in grown.changes) == sum(one.tokens for one in large.excerpts) - sum(
        one.tokens for one in small.excerpts
    )
    for change in grown.changes:
        if change.kind == "changed":
            assert "\n".join(line for sign, line in change.lines if sign != "-") == "\n".join(
                part.text for part in change.after
            )
    for found in (grown, shrunk, difference(small, other)):
        placed = [part for change in found.changes for part in change.after]
        assert sorted(placed, key=found.after.excerpts.index) == [*found.after.excerpts]
        left = [part for change in found.changes for part in change.before]
        assert sorted(one.citation.reference for one in left) == sorted(
            one.citation.reference for one in found.before.excerpts
        )


def test_a_text_that_the_other_pack_holds_in_a_longer_part_is_not_removed(project: Path) -> None:
    with Daypack.open(project / ".daypack", settings=WORDS) as store:
        packs = [store.pack("how are refunds retried?", budget=budget) for budget in range(300, 2100, 100)]
    joined = 0
    for small, large in itertools.combinations(packs, 2):
        for before, after in ((small, large), (large, small)):
            for change in difference(before, after).changes:
                joined += max(len(change.before), len(change.after)) > 1
                if change.kind in ("added", "removed"):
                    there = before if change.kind == "added" else after
                    for part in change.before or change.after:
                        assert not any(
                            one.citation.uri == part.citation.uri and part.text in one.text
                            for one in there.excerpts
                        ), (small.budget, large.budget)
    assert joined > 0, "two parts of a small pack are one of a large pack"


def test_the_page_compares_two_budgets_two_questions_and_two_packings(page: Page) -> None:
    text = seen(page, "/compare?" + urlencode({**QUESTION, "budget2": "1500"}))
    assert "300 tokens</h2>" in text
    assert "1,500 tokens</h2>" in text
    assert "<rect" in text
    assert 'href="#item-' not in text, "a bar leads to an item that this page does not show"
    assert re.search(r'<tr class="added"><td class="no"><b>added</b>', text)
    assert 'name="budget2" type="number" min="0" max="200000" value="600"' in seen(
        page, "/compare?" + urlencode(QUESTION)
    )
    other = seen(page, "/compare?" + urlencode({**QUESTION, "q2": "who is paged after an outage?"}))
    assert re.search(r'<tr class="removed">', other)
    assert "300 tokens, prefix" in seen(page, "/compare?" + urlencode({**QUESTION, "packing2": "prefix"}))
    assert "name another budget, question or packing" in seen(page, "/compare")


def test_a_shared_file_is_whole_and_inert(page: Page) -> None:
    for path, holds in (
        ("/export/pack?" + urlencode(QUESTION), "how are refunds retried?"),
        ("/export/compare?" + urlencode({**QUESTION, "budget2": "1500"}), "<b>added</b>"),
        ("/export/session?session=s1", "Make refunds survive a provider that is down."),
        (
            "/export/pack?" + urlencode({"q": "release cadence <script>alert(7)</script>", "budget": "400"}),
            "release",
        ),
    ):
        status, headers, text = page.ask("GET", path)
        assert status == 200, text
        assert re.fullmatch(
            r'attachment; filename="(pack|compare|session)-[A-Za-z0-9-]+\.html"',
            headers["content-disposition"],
        )
        assert holds in text
        assert "<style>:root" in text
        assert not re.search(r"<(script|link|img|iframe|form|base)\b|\son\w+=|@import|url\(", text)
        assert {link[0] for link in re.findall(r'(?:href|src)="([^"]*)"', text)} <= {"#"}
    assert page.ask("GET", "/export/nosuch?q=x")[0] == 404
    assert page.ask("GET", "/export/pack?q=x", Authorization="")[0] == 401
