"""Messages as the page says them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from daypack.surfaces.web import shell
from daypack.surfaces.web.messages import coded, sentence
from daypack.surfaces.web.questions import COUNTED
from daypack.surfaces.web.skips import mend
from daypack.types import IngestIssue, OmissionReason, SkipReason
from shapes.packs import PACK


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("requests from other origins are not answered", "Requests from other origins are not answered."),
        (
            "no memory named 'nope'; `daypack memory list` lists the keys",
            'No memory named &#39;nope&#39;; <a href="/memories">Memories</a> lists the keys.',
        ),
        ("no store; run `daypack add .` first", "No store; run <code>daypack add .</code> first."),
        ("docs/none.md does not exist; check the path", "docs/none.md does not exist; check the path."),
        ("'docs' is outside", "&#39;docs&#39; is outside."),
        ("did you mean 'x'?", "Did you mean &#39;x&#39;?"),
        ("a <b> and `<i>`", "A &lt;b&gt; and <code>&lt;i&gt;</code>."),
        ("", ""),
    ],
)
def test_a_message_is_a_sentence_that_leads_to_a_view(message: str, said: str) -> None:
    assert sentence(message) == said


def test_words_between_backticks_are_code() -> None:
    assert coded("age limit of `source prune`, `x") == "age limit of <code>source prune</code>, `x"


def rendered(template: str, **facts: Any) -> str:
    return shell.html(template, "", facts, code=200).body.decode()


@pytest.mark.parametrize(
    ("sampled", "stored", "said"),
    [(40, 40, "Of 40 documents."), (1, 1, "Of 1 document."), (1_000, 2_500, "Of 1,000 of 2,500 documents.")],
)
def test_the_number_of_documents_is_said_once_when_all_were_looked_at(
    sampled: int, stored: int, said: str
) -> None:
    described = {"sampled": sampled, "documents": stored}
    assert said in rendered("documents.html", described=described)


def test_one_of_a_thing_is_no_plural_on_the_page() -> None:
    none: dict[str, Any] = {"total": 0, "shown": []}
    one = {"encoded": 1, "chunks": 1, "state": "complete"}
    assert ">1 of 1 part<" in rendered("sources.html", vectors=[one], labels=none, records=none)
    assert "1 more line is not shown" in rendered("get.html", rest=1, asked=(1, 2))
    explained = {"matched": 1, "documents": 1, "sampled": 1, "examined": 1}
    found = rendered("documents.html", described=explained, explained=explained, chosen="t", writes=True)
    assert "1 of 1 document<" in found
    assert "Update of the 1 document that the filter finds" in found
    stats = PACK.stats._replace(stale=1, vectors_pending=1)
    notes = shell._templates().from_string('{% from "macros.html" import notes %}{{ notes(pack) }}')
    said = notes.render(pack=replace(PACK, stats=stats))
    assert "<code>daypack add</code> reads it again." in said
    assert "1 part was ranked without vectors." in said


def test_every_reason_to_leave_out_an_item_agrees_with_one_and_with_several() -> None:
    assert set(COUNTED) == {reason.value for reason in OmissionReason}
    assert COUNTED["duplicate"] == ("duplicates another", "duplicate others")
    assert COUNTED["low_score"] == ("is not relevant enough", "are not relevant enough")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        (".git/", "To find a file of it anyway, keep it under its name: daypack add - --name .git/FILE < .git/FILE"),
        (".env.txt", "To find its text anyway, keep it under its name: daypack add - --name .env.txt < .env.txt"),
    ],
)  # fmt: skip
def test_the_remedy_for_a_hidden_folder_reads_no_folder_as_a_file(uri: str, said: str) -> None:
    assert mend(IngestIssue(uri, SkipReason.HIDDEN, uri)) == said


def test_a_timeline_with_a_wrong_date_does_not_say_that_nothing_was_captured() -> None:
    refused = rendered("sessions.html", kinds={}, error="'never' is not a valid date")
    assert "No events have been captured" not in refused
    assert "No events have been captured" in rendered("sessions.html", kinds={})
