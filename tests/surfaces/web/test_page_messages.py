"""Messages as the page says them."""

from __future__ import annotations

import pytest

from daypack.surfaces.web.messages import coded, sentence


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
