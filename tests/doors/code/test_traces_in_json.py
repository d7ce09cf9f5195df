"""A stack trace in JSON, as logs and services of errors write it, is read as the trace that it holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack.doors.code.flows.json_traces import unrolled
from daypack.types import Pack
from tests.doors.code.code_support import opened

FILES = {
    "app/Cart.php": "<?php\n\nclass Cart\n{\n    public function total($items)\n    {\n        return array_sum($items);\n    }\n}\n",
    "app/Till.php": "<?php\n\nclass Till\n{\n    public function pay($cart)\n    {\n        return $cart->total([]);\n    }\n}\n",
    "app/Words.php": "<?php\n\n// Undefined index: prices of words and total\nclass Words\n{\n    public function words()\n    {\n        return 'Undefined index prices';\n    }\n}\n",
}
MESSAGE = "Undefined index: prices"
OF_LARAVEL = {
    "message": MESSAGE,
    "context": {
        "exception": {
            "class": "ErrorException",
            "message": MESSAGE,
            "code": 0,
            "file": "/var/www/html/app/Cart.php:7",
            "trace": ["/var/www/html/app/Till.php:7", "/var/www/html/vendor/laravel/Kernel.php:54"],
        }
    },
    "level_name": "ERROR",
}
OF_API = {
    "message": MESSAGE,
    "exception": "ErrorException",
    "file": "/srv/app/Cart.php",
    "line": 7,
    "trace": [{"file": "/srv/app/Till.php", "line": 7, "function": "pay", "class": "Till", "type": "->"}],
}
FRAMES = [
    {"filename": "app/Till.php", "function": "pay", "lineno": 7, "context_line": "return $cart->total([]);"},
    {"filename": "app/Cart.php", "abs_path": "/srv/app/Cart.php", "function": "total", "lineno": 7},
]
OF_SENTRY = {
    "exception": {"values": [{"type": "ErrorException", "value": MESSAGE, "stacktrace": {"frames": FRAMES}}]}
}
OF_A_STACK = {
    "level": "error",
    "stack": "Error: pay\n    at total (/srv/src/cart.js:12:5)\n    at pay (/srv/src/till.js:3:1)",
}


def _asked(tmp_path: Path, text: str) -> Pack:
    with opened(tmp_path, FILES) as dp:
        return dp.pack(text, task="trace")


@pytest.mark.parametrize("log", [OF_LARAVEL, OF_API, OF_SENTRY], ids=["laravel", "api", "sentry"])
@pytest.mark.parametrize("indent", [None, 2])
def test_the_answer_begins_at_the_deepest_frame(tmp_path: Path, log: object, indent: int | None) -> None:
    found = _asked(tmp_path, json.dumps(log, indent=indent))
    assert not found.stats.weak_because
    assert found.excerpts[0].citation.uri == "app/Cart.php"
    assert "app/Till.php" in {one.citation.uri for one in found.excerpts}


def test_frames_are_written_with_the_deepest_last_and_the_message_behind(tmp_path: Path) -> None:
    assert unrolled(json.dumps(OF_SENTRY)) == (
        "Traceback (most recent call last):\n"
        '  File "app/Till.php", line 7, in pay\n'
        '  File "app/Cart.php", line 7, in total\n'
        f"ErrorException: {MESSAGE}\n"
    )


def test_a_log_of_several_lines_is_read_line_by_line() -> None:
    text = "\n".join(["starting", json.dumps({"level": "info", "message": "hello"}), json.dumps(OF_LARAVEL)])
    assert 'File "/var/www/html/app/Cart.php", line 7\n' in unrolled(text)
    assert unrolled(text).startswith("starting\n")


def test_a_stack_in_a_text_is_the_trace() -> None:
    assert "    at total (/srv/src/cart.js:12:5)\n" in unrolled(json.dumps(OF_A_STACK))


def test_the_line_that_logs_an_error_is_not_its_trace() -> None:
    trace = "Traceback (most recent call last):\n  File \"shop/cart.py\", line 7, in total\n    return x\nKeyError: 'price'"
    log = {"message": "no total", "filename": "log.py", "lineno": 3, "funcName": "note", "exc_info": trace}
    assert unrolled(json.dumps(log)) == f"{trace}\n"


def test_a_place_is_the_trace_where_no_text_holds_one() -> None:
    log = {"message": "no total\nof the cart", "file": "shop/cart.php", "line": 7}
    assert 'File "shop/cart.php", line 7\n' in unrolled(json.dumps(log))


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"message": "hello\\nall", "user": "ida"}',
        '{"file": "cart.py", "line": true}',
        "no trace",
        '{"a": 1}',
        "[1, 2]",
        '{"file": "cart.py"',
        "[" * 100_000,
        '{"file": 7, "line": "x"}',
        "{} {}",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert unrolled(text) == text
