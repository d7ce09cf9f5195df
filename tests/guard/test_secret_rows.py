from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.guard.secrets import redact, redact_json
from daypack.guard.suspects import may_hold_secret
from guard.secret_rows import CLEAN, ROWS

TEXTS = [
    pytest.param(text.format(secret), secret, id=f"{kind}-{n}") for n, (kind, text, secret) in enumerate(ROWS)
]


def gone(secret: str, text: str) -> bool:
    """True when neither the secret nor half of it is left."""
    half = len(secret) // 2
    return secret not in text and secret[half:] not in text and secret[:half] not in text


def test_the_list_is_long_enough() -> None:
    assert len(ROWS) >= 50
    assert len({kind for kind, _, _ in ROWS}) >= 15


@pytest.mark.parametrize(("text", "secret"), TEXTS)
def test_a_secret_with_a_form_or_a_name_is_gone_from_a_text(text: str, secret: str) -> None:
    assert gone(secret, redact(text).text)
    assert gone(secret, redact(f"Some prose before it.\n{text}\nand after it.\n").text)


@pytest.mark.parametrize(("text", "secret"), TEXTS)
def test_a_string_of_json_is_redacted_as_a_text_is(text: str, secret: str) -> None:
    for value in ({"note": text}, {"a": [{"b": [1, text]}]}, [text], text):
        clean, count = redact_json(value)
        assert count
        assert gone(secret, json.dumps(clean, ensure_ascii=False))


@pytest.mark.parametrize(("text", "secret"), TEXTS)
def test_what_is_redacted_is_suspect(text: str, secret: str) -> None:
    assert may_hold_secret(text)


@pytest.mark.parametrize("text", CLEAN)
def test_code_templates_and_placeholders_stay(text: str) -> None:
    assert redact(text).text == text
    assert redact_json({"note": text}) == ({"note": text}, 0)


SECRETS = [secret for _, _, secret in ROWS]
PIECES = st.one_of(
    st.sampled_from([text.format(secret) for _, text, secret in ROWS]),
    st.sampled_from([text.partition("{}")[0] for _, text, _ in ROWS]),
    st.sampled_from(SECRETS),
    st.sampled_from(["\n", "\r\n", " ", "=", ": ", '"', "'", "&", ";", ",", "[REDACTED:", "password", "]"]),
    st.text(max_size=12),
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_redacting_any_text_twice_is_redacting_it_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text) == (once.text, 0, {})
    assert once.text.count("\n") == text.count("\n")
    assert not once.count or may_hold_secret(text)


@given(
    st.recursive(
        st.none() | st.integers() | st.lists(PIECES, max_size=3).map("".join),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PIECES, inner, max_size=3),
        max_leaves=6,
    )
)
def test_json_stays_json_and_is_clean_at_once(value: object) -> None:
    clean, count = redact_json(value)
    assert redact_json(clean) == (clean, 0)
    assert count or clean == value
