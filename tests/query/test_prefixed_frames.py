"""A trace behind the marks of a quotation, a log or a container is read as it is without them."""

from __future__ import annotations

import pytest

from daypack.query.traces.frames import read_trace

TRACES = {
    "javascript": "TypeError: no price\n    at Cart.total (/app/src/cart.js:12:5)\n    at handle (src/server.js:40:11)",
    "java": 'Exception in thread "main" java.lang.NullPointerException: price\n\tat shop.Cart.total(Cart.java:12)\n\tat shop.Main.main(Main.java:3)',
    "go": "panic: no price\n\ngoroutine 1 [running]:\nshop.(*Cart).Total(0x0)\n\t/src/shop/cart.go:12 +0x1d\nmain.main()\n\t/src/main.go:3 +0x2f",
    "rust": "thread 'main' panicked at src/cart.rs:12:5:\nno price\n   3: shop::total\n             at src/cart.rs:12:5",
    "ruby": "lib/cart.rb:12:in `total': no price (RuntimeError)\n\tfrom bin/shop:3:in `<main>'",
    "csharp": "System.Exception: no price\n   at Shop.Cart.Total(Int32 n) in /src/Shop/Cart.cs:line 12",
    "python": 'Traceback (most recent call last):\n  File "shop/cart.py", line 12, in total\n    return 1\nTypeError: no price',
}
PREFIXES = ["> ", "| ", "web-1  | ", "> > ", "> web-1  | ", "shop_worker.1 | "]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("language", TRACES)
def test_a_trace_behind_a_prefix_is_read_as_without_it(language: str, prefix: str) -> None:
    lines = TRACES[language].split("\n")
    assert read_trace([f"{prefix}{line}" for line in lines]) == read_trace(lines)


@pytest.mark.parametrize(
    "line",
    [
        ">       assert total([]) == 0",
        "| Cart.java | 12 | total |",
        "12 | at shop.Cart.total(Cart.java:12)",
        "> we sell src/cart.js and so on",
        "a | b | src/cart.js:12:5 |",
    ],
)
def test_a_quotation_or_a_table_without_a_trace_holds_none(line: str) -> None:
    assert not read_trace(["The shop fails.", line]).frames


def test_the_lines_of_a_prefixed_trace_are_those_of_the_text() -> None:
    trace = read_trace(["Hello", "", *(f"web-1  | {line}" for line in TRACES["javascript"].split("\n"))])
    assert trace.lines == {2, 3, 4}
    assert [(frame.path, frame.line, frame.depth) for frame in trace.frames] == [
        ("/app/src/cart.js", 12, 0),
        ("src/server.js", 40, 1),
    ]
