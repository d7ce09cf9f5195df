"""A text is an answer to a question for environment variables by the names in it, and is read in linear time."""

from __future__ import annotations

import pytest

from daypack.rank.texts.variables import value_of_naming
from daypack.rank.views import ChunkFlag


@pytest.mark.parametrize("piece", ["env", "env.a", "environ", "env ", "A_"])
def test_a_text_of_a_megabyte_that_names_no_variable_is_read_at_once(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))  # hours if quadratic
    assert value_of_naming("shop.py", int(ChunkFlag.CODE), text) == 0.0


def test_a_variable_is_named_where_it_is_read() -> None:
    for text in (
        'os.environ["SHOP_PORT"]',
        "process.env.SHOP_PORT",
        'ENV.fetch("PORT")',
        'env::var("SHOP_PORT")',
    ):
        assert value_of_naming("shop.py", int(ChunkFlag.CODE), text) > 0, text


@pytest.mark.parametrize("name", ["AUTH_TOKEN", "SERVER_URL", "CONTENT_DIR", "HTTP_PROXY", "PATH_TO_SHOP"])
def test_a_variable_may_begin_like_one_of_a_request(name: str) -> None:
    assert value_of_naming("shop.py", int(ChunkFlag.CODE), f'os.environ["{name}"]') > 0


@pytest.mark.parametrize("name", ["REQUEST_METHOD", "PATH_INFO", "HTTP_X_FORWARDED_FOR", "HTTP_HOST"])
def test_a_variable_of_a_request_is_none_of_the_program(name: str) -> None:
    assert value_of_naming("shop.py", int(ChunkFlag.CODE), f'environ["{name}"]') == 0
