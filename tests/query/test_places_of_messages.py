"""Places in the lines of compilers, linters and test runners."""

from __future__ import annotations

import pytest

from daypack.query.sections import sections_of
from daypack.query.traces.frames import read_trace


def frames(text: str) -> list[tuple[str, int]]:
    return [(frame.path, frame.line) for frame in read_trace(text.split("\n")).frames]


PRINTED = {
    "src/cart.ts(52,7): error TS2322: Type 'number' is not a string.": "src/cart.ts",
    "src/cart.ts:52:7 - error TS2322: Type 'number' is not a string.": "src/cart.ts",
    "app/(shop)/[id]/page.tsx(52,7): error TS2304: Cannot find name 'x'.": "app/(shop)/[id]/page.tsx",
    "Error: src/cart.ts(52,7): error TS2322: Type 'number' is not a string.": "src/cart.ts",
    "Cart.cs(52,9): error CS0103: The name 'foo' does not exist [/src/Shop.csproj]": "Cart.cs",
    r"D:\a\My Shop\Cart.cs(52,9): error CS0103: The name 'foo' does not exist": "D:/a/My Shop/Cart.cs",
    r"2>C:\src\cart.cpp(52): error C2065: 'foo': undeclared identifier": "C:/src/cart.cpp",
    "src/Cart.fs(52,9,52,12): warning FS0025: Incomplete matches": "src/Cart.fs",
    "shop/time.py:52:9: F841 Local variable `x` is assigned to but never used": "shop/time.py",
    "shop/time.py:52:0: C0114: Missing module docstring (missing-module-docstring)": "shop/time.py",
    '  /src/shop/time.py:52:9 - error: "x" is not defined (reportUndefinedVariable)': "/src/shop/time.py",
    "shop/time.py:52: note: See https://mypy.rtfd.io": "shop/time.py",
    "lib/cart.rb:52:3: C: Style/Documentation: Missing top-level comment.": "lib/cart.rb",
    "/src/cart.js:52:7: 'x' is defined but never used. [Error/no-unused-vars]": "/src/cart.js",
    "/src/cart.js\n  52:7  error  'x' is defined but never used  no-unused-vars\n": "/src/cart.js",
    "src/cart.css\n 52:7  ✖  Unexpected unit  unit-disallowed-list\n": "src/cart.css",
    "[ERROR] /src/shop/Cart.java:[52,12] cannot find symbol": "/src/shop/Cart.java",
    "[ERROR] src/shop/Cart.java:[52] (whitespace) FileTabCharacter: Line has a tab.": "src/shop/Cart.java",
    "[error] /src/shop/Cart.scala:52:12: not found: value x": "/src/shop/Cart.scala",
    "e: file:///src/Cart.kt:52:12 Unresolved reference 'x'.": "/src/Cart.kt",
    "e: file:///C:/src/Cart.kt:52:12 Unresolved reference 'x'.": "/C:/src/Cart.kt",
    "w: /src/Cart.kt: (52, 12): Variable 'x' is never used": "/src/Cart.kt",
    "** (CompileError) lib/cart.ex:52: undefined function total/1": "lib/cart.ex",
    "    └─ lib/cart.ex:52:5: Shop.Cart.total/1": "lib/cart.ex",
    "[R] ↗ Modules should have a @moduledoc tag.\n┃       lib/cart.ex:52:11 #(Shop.Cart)": "lib/cart.ex",
    "[W] → lib/cart.ex:52:11 There should be no calls to IO.inspect/1.": "lib/cart.ex",
    '✘ [ERROR] Could not resolve "x"\n\n    src/cart.ts:52:7:\n      52 │ import x': "src/cart.ts",
    "ERROR in ./src/cart.ts:52:7": "src/cart.ts",
    "[tsl] ERROR in /src/cart.ts(52,7)\n      TS2322: Type 'number' is not a string.": "/src/cart.ts",
    "ERROR in ./src/cart.js 52:7\nModule parse failed: Unexpected token (52:7)": "src/cart.js",
    "[vite] Internal server error\n  File: /src/cart.vue:52:7": "/src/cart.vue",
    "SyntaxError: /src/cart.jsx: Unexpected token, expected \",\" (52:7)": "/src/cart.jsx",
    "src/cart.ts:52:7 lint/style/noVar  FIXABLE  ━━━━": "src/cart.ts",
    "  × Unexpected token\n   ╭─[src/cart.ts:52:7]": "src/cart.ts",
    "src/cart.c:52:5: note: each undeclared identifier is reported only once": "src/cart.c",
    "rspec ./spec/cart_spec.rb:52 # Cart has a total": "spec/cart_spec.rb",
    "bin/rails test test/cart_test.rb:52": "test/cart_test.rb",
    "./cart.go:52:30: undefined: total": "cart.go",
    "cart.f90:52:7:": "cart.f90",
    "grammar/cart.peg:52:7: unexpected rule": "grammar/cart.peg",
    "cart.peg:52:7: warning: the rule is never used": "cart.peg",
    "cart.peg:52:7: E101 the rule is never used": "cart.peg",
    "README.md:52:10: MD013/line-length Line length": "README.md",
}  # fmt: skip


@pytest.mark.parametrize("text", PRINTED)
def test_the_place_of_a_message_is_read(text: str) -> None:
    assert frames(text) == [(PRINTED[text], 52)]


def test_the_colours_of_a_terminal_hide_no_place() -> None:
    line = "\x1b[96mcart.ts\x1b[0m:\x1b[93m52\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m TS2322: Not a string."
    assert [(frame.path, frame.line) for frame in sections_of(line).frames] == [("cart.ts", 52)]


def test_rows_below_a_file_are_places_in_it() -> None:
    text = "/src/a.js\n  1:2  error  x\n  3:4  warning  y\n\n/src/b.js\n  5:6  error  z\n"
    assert frames(text) == [("/src/a.js", 1), ("/src/a.js", 3), ("/src/b.js", 5)]


def test_a_line_and_column_that_look_like_a_time_are_a_place_in_code() -> None:
    assert frames("./main.go:12:30: undefined: total") == [("main.go", 12)]
    assert frames("notes.txt:12:30: warning: trailing blanks") == [("notes.txt", 12)]


@pytest.mark.parametrize(
    "text",
    [
        "10:52:07: error: the cart is empty",
        "2026-08-01T10:52:07.123Z: error: the cart is empty",
        "shop.example.com:8080: error: connection refused",
        "db.internal:5432:1: connection refused",
        "localhost:5173: error",
        "the ratio is 3:4:5: is it right",
        "src/cart.py:52:7: what does this do?",
        "src/cart.py:52 is wrong",
        "src/cart.py:52: why is it slow?",
        "src/cart.py:52:7",
        "cart.total(3,4): returns seven",
        "where is cart.total(3,4) called",
        "we saw it\n10:52  error  the cart is empty",
        "file: cart.py",
        "rspec is slow",
        "see https://example.com/cart.py:52:7: it fails",
        "Cart.md\n12:30 information about the lunch pizza",
        "app.log\n10:52 error db down\n11:03 warning disk",
        "app.log\n10:52  errors  db down",
        "/src/a.js\n\n10:52  error  the cart is empty",
        "notes.txt:12:30: call Ana",
        "notes/today.txt:9:05: call Ana",
        "notes.txt:12:30: message from Ana",
        "notes.txt:12:30 note the tea/coffee order",
        "shop.cloud(3): error in the sum",
        "notes.txt:12:30\nnotes.txt:13:30",
        "John.Smith:12:30: hello",
        "v2.beta:1:2: released",
        "shop.cloud:8080: error",
        "shop.cloud:8080: error: connection refused",
        "[WARN] com.acme.Pool:52 - slow",
    ],
)
def test_times_ports_and_questions_are_no_places(text: str) -> None:
    assert frames(text) == []


def test_a_line_that_is_nothing_but_a_place_is_known() -> None:
    assert read_trace(["The build fails.", "src/cart.ts:52:7:", "    52 | import x"]).places == {1}
    assert read_trace(["src/cart.ts:52:7: the cart is empty"]).places == frozenset()
