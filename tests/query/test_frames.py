"""Stack traces as the common runtimes print them."""

from __future__ import annotations

import pytest

from daypack.query.traces.frames import read_trace

PYTHON = """\
Traceback (most recent call last):
  File "/home/ann/main.py", line 3, in <module>
    cart.compute_total(None)
  File "src/shop/cart.py", line 12, in compute_total
    return sum(prices)
TypeError: 'NoneType' object is not iterable
"""
PYTEST = """\
tests/test_cart.py:5: in test_total
    assert total([]) == 0
src/shop/cart.py:12: in total
    return items[0]
E   IndexError: list index out of range
"""
IPYTHON_7 = """\
~/shop/main.py in run(items)
      1 def run(items):
----> 2     return total(items)

~/shop/cart.py in total(items)
     11 def total(items):
---> 12     return items[0]
"""
IPYTHON_8 = """\
File ~/shop/main.py:2, in run(items)
File ~/shop/cart.py:12, in total(items)
"""
JAVASCRIPT = """\
TypeError: Cannot read properties of undefined
    at Cart.total (/app/src/cart.js:12:5)
    at async handle (file:///app/src/server.mjs:40:11)
    at /app/src/index.js:3:1
    at node:internal/main/run_main_module:23:47
"""
WEBPACK = "    at total (webpack:///./src/cart.ts:12:5)\n"
FIREFOX = (
    "total@https://shop.example/static/cart.js:12:5\nhandle@https://shop.example/static/server.js:40:11\n"
)
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: empty
\tat com.acme.shop.Cart.total(Cart.java:12)
\tat com.acme.shop.Main$1.run(Main.java:3)
\tat java.base/java.lang.Thread.run(Thread.java:833)
\tat com.acme.Native.call(Native Method)
"""
JAVA_CAUSE = """\
com.acme.shop.OrderFailed: order 7
\tat com.acme.shop.Orders.place(Orders.java:40)
\tat com.acme.shop.Main.main(Main.java:3)
Caused by: com.acme.shop.CartFailed: no total
\tat com.acme.shop.Cart.total(Cart.java:21)
\t... 2 more
Caused by: java.lang.ArithmeticException: / by zero
\tat com.acme.shop.Price.mean(Price.java:12)
\tat com.acme.shop.Cart.lambda$total$0(Cart.java:20)
\t... 3 more
"""
KOTLIN = """\
\tat com.acme.shop.Cart.total$shop_core(Cart.kt:12)
\tat com.acme.shop.Cart.access$priced(Cart.kt:9)
\tat com.acme.shop.MainKt.main$default(Main.kt:3)
"""
GO = """\
panic: runtime error: index out of range [3] with length 2

goroutine 1 [running]:
acme.org/shop.(*Cart).Total(0xc00001c0a8, 0x2)
\t/src/shop/cart.go:12 +0x1d
main.main()
\t/src/shop/main.go:3 +0x2f
"""
RUST = """\
thread 'main' panicked at src/cart.rs:12:5:
index out of bounds
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b4/library/std/src/panicking.rs:645:5
   3: shop::cart::total
             at ./src/cart.rs:12:5
"""
RUST_COMPILER = "error[E0502]: cannot borrow\n  --> src/cart.rs:12:5\n"
CSHARP = "   at Shop.Cart.Total(Int32 index) in /src/Shop/Cart.cs:line 12\n"
RUBY = "lib/shop/cart.rb:12:in `total': empty (RuntimeError)\n\tfrom bin/run.rb:3:in `<main>'\n"
PHP_UNCAUGHT = "PHP Fatal error:  Uncaught CartError: empty in /src/Shop/Cart.php:12\nStack trace:\n#0 /src/Main.php(3): total()\n"
PHP = """\
Stack trace: #0 /src/Shop/Cart.php(12): Shop\\Cart->priced(3)
#1 /src/Shop/Main.php(3): Shop\\Cart->total()
#2 {main}
"""
PHP_PAGE = """\
Type: Shop\\EmptyCart
File: /src/Shop/Cart.php
Line: 12
Trace: #0 /src/Main.php(3): Shop\\Cart->total()
"""
GDB = """\
Program received signal SIGSEGV, Segmentation fault.
#0  0x00007ffff7c8ef4c in raise () from /lib/libc.so.6
#1  cart_total (cart=0x0, at=0x7ffe) at src/cart.c:12
#2  0x0000555555556b47 in main (argc=1, argv=0x7fffffffe0a8) at src/main.c:3
"""
LLDB = """\
  * frame #0: 0x0000000100003f2c shop`cart_total(cart=0x0) at cart.c:12:14 [opt]
    frame #1: 0x0000000100003f90 shop`main + 24 at main.c:3:3
"""
SANITIZER = """\
==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0
    #0 0x55d8a1 in Cart::total(int) const /src/shop/cart.cc:12:5
    #1 0x55d9f0 in main /src/shop/main.cc:3:10
"""
VALGRIND = """\
==41== Invalid read of size 4
==41==    at 0x109161: cart_total (cart.c:12)
==41==    by 0x10918F: main (main.c:3)
"""
ELIXIR = """\
** (ArgumentError) empty
    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.total!/1
    test/cart_test.exs:3: (test)
"""
GDB_TEMPLATE = """\
#6  0x000055555555c1a2 in shop::cart<std::pair<int, long> >::total<shop::price<int> > (this=0x7fffffffdc10, by=...) at /src/shop/cart.hpp:12
#7 0x5581 in shop::run(std::vector<int, std::allocator<int> > const&) /src/shop/main.cc:3:7
"""
VITEST = """\
CartError: no price
 ❯ Module.total src/cart.ts:12:5
    11|   if (!price) {
    12|     throw new CartError()
       |     ^
 ❯ src/cart.test.ts:3:20
"""
SWIFT = """\
Shop/Cart.swift:12: Fatal error: Unexpectedly found nil while unwrapping an Optional value
Thread 1 crashed:
0 [inlined] Cart.total(of:) in Run at /src/Sources/Shop/Cart.swift:12:13
1 0x0000000100003f40 static Main.main() + 24 in Run at /src/Sources/Run/main.swift:3:7
"""
DART = """\
Unhandled exception:
Bad state: no price
#0      new Cart.priced (package:shop/src/cart.dart:12:5)
#1      main.<anonymous closure> (file:///src/bin/main.dart:3:7)
<asynchronous suspension>
#2      _RawReceivePort._handleMessage (dart:isolate-patch/isolate_patch.dart:184:12)
"""
DART_TERSE = """\
package:shop/src/cart.dart 12:5  new Cart
bin/main.dart 3:7                main.<fn>
"""
LUA = """\
lua: shop/cart.lua:12: attempt to index a nil value
stack traceback:
\tshop/cart.lua:12: in function 'cart.total'
\t...s/ann/shop.nvim/lua/shop/main.lua:3: in function <...s/ann/shop.nvim/lua/shop/main.lua:1>
\t[C]: in ?
"""
PERL = """\
Can't call method "price" on undefined value at lib/Shop/Cart.pm line 12.
\tShop::Cart::total(HASH(0x55d0c8)) called at bin/shop.pl line 3
"""
JULIA = """\
ERROR: BoundsError: attempt to access 2-element Vector{Int64} at index [3]
Stacktrace:
 [1] total!(cart::Cart, at::Int64)
   @ Shop ~/.julia/packages/Shop/kcA9R/src/cart.jl:12
 [2] main() at main.jl:3
 [3] top-level scope at REPL[4]:1
"""
HASKELL = """\
shop: Prelude.head: empty list
CallStack (from HasCallStack):
  error, called at src/Shop/Cart.hs:12:5 in shop-0.1:Shop.Cart
  total, called at app/Main.hs:3:8 in main:Main
"""
RLANG = """\
Error in `total()`:
Backtrace:
 1. shop::run(cart) at main.R:3:1
 2. └─shop:::total.data.frame(cart) at shop/R/cart.R:12:3
"""


def frames(text: str) -> list[tuple[str, int, str]]:
    return [(frame.path, frame.line, frame.function) for frame in read_trace(text.split("\n")).frames]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PYTHON, [("src/shop/cart.py", 12, "compute_total"), ("/home/ann/main.py", 3, "")]),
        (PYTEST, [("src/shop/cart.py", 12, "total"), ("tests/test_cart.py", 5, "test_total")]),
        ("src/shop/cart.py:12: IndexError", [("src/shop/cart.py", 12, "")]),
        (IPYTHON_7, [("~/shop/cart.py", 12, "total"), ("~/shop/main.py", 2, "run")]),
        (IPYTHON_8, [("~/shop/cart.py", 12, "total"), ("~/shop/main.py", 2, "run")]),
        (
            JAVASCRIPT,
            [
                ("/app/src/cart.js", 12, "Cart.total"),
                ("/app/src/server.mjs", 40, "handle"),
                ("/app/src/index.js", 3, ""),
            ],
        ),
        (WEBPACK, [("src/cart.ts", 12, "total")]),
        (FIREFOX, [("/static/cart.js", 12, "total"), ("/static/server.js", 40, "handle")]),
        (
            JAVA,
            [
                ("com/acme/shop/Cart.java", 12, "Cart.total"),
                ("com/acme/shop/Main.java", 3, "Main.run"),
                ("java/lang/Thread.java", 833, "Thread.run"),
            ],
        ),
        (
            JAVA_CAUSE,
            [
                ("com/acme/shop/Price.java", 12, "Price.mean"),
                ("com/acme/shop/Cart.java", 20, "Cart.total"),
                ("com/acme/shop/Cart.java", 21, "Cart.total"),
                ("com/acme/shop/Orders.java", 40, "Orders.place"),
                ("com/acme/shop/Main.java", 3, "Main.main"),
            ],
        ),
        (
            KOTLIN,
            [
                ("com/acme/shop/Cart.kt", 12, "Cart.total"),
                ("com/acme/shop/Cart.kt", 9, "Cart.priced"),
                ("com/acme/shop/Main.kt", 3, "MainKt.main"),
            ],
        ),
        (GO, [("/src/shop/cart.go", 12, "Cart.Total"), ("/src/shop/main.go", 3, "main")]),
        (
            RUST,
            [
                ("src/cart.rs", 12, ""),
                ("/rustc/9fc6b4/library/std/src/panicking.rs", 645, "rust_begin_unwind"),
                ("src/cart.rs", 12, "shop::cart::total"),
            ],
        ),
        (RUST_COMPILER, [("src/cart.rs", 12, "")]),
        (CSHARP, [("/src/Shop/Cart.cs", 12, "Cart.Total")]),
        (RUBY, [("lib/shop/cart.rb", 12, "total"), ("bin/run.rb", 3, "")]),
        (PHP_UNCAUGHT, [("/src/Shop/Cart.php", 12, "total"), ("/src/Main.php", 3, "")]),
        (PHP_PAGE, [("/src/Shop/Cart.php", 12, "Cart.total"), ("/src/Main.php", 3, "")]),
        ("thrown in /src/Shop/Cart.php on line 12", [("/src/Shop/Cart.php", 12, "")]),
        (PHP, [("/src/Shop/Cart.php", 12, "Cart.total"), ("/src/Shop/Main.php", 3, "")]),
        (GDB, [("src/cart.c", 12, "cart_total"), ("src/main.c", 3, "main")]),
        (LLDB, [("cart.c", 12, "cart_total"), ("main.c", 3, "main")]),
        (SANITIZER, [("/src/shop/cart.cc", 12, "Cart::total"), ("/src/shop/main.cc", 3, "main")]),
        (
            GDB_TEMPLATE,
            [("/src/shop/cart.hpp", 12, "shop::cart::total"), ("/src/shop/main.cc", 3, "shop::run")],
        ),
        (VITEST, [("src/cart.ts", 12, "total"), ("src/cart.test.ts", 3, "")]),
        (
            SWIFT,
            [
                ("Cart.swift", 12, ""),
                ("/src/Sources/Shop/Cart.swift", 12, "Cart.total"),
                ("/src/Sources/Run/main.swift", 3, "Main.main"),
            ],
        ),
        (DART, [("shop/lib/src/cart.dart", 12, "Cart.priced"), ("/src/bin/main.dart", 3, "main")]),
        (DART_TERSE, [("shop/lib/src/cart.dart", 12, "Cart.Cart"), ("bin/main.dart", 3, "main")]),
        (LUA, [("shop/cart.lua", 12, "cart.total"), ("ann/shop.nvim/lua/shop/main.lua", 3, "")]),
        (PERL, [("lib/Shop/Cart.pm", 12, "total"), ("bin/shop.pl", 3, "")]),
        (JULIA, [("~/.julia/packages/Shop/kcA9R/src/cart.jl", 12, "total!"), ("main.jl", 3, "main")]),
        (HASKELL, [("src/Shop/Cart.hs", 12, "total"), ("app/Main.hs", 3, "")]),
        (RLANG, [("shop/R/cart.R", 12, "total.data.frame"), ("main.R", 3, "run")]),
        ("cart_test.cc:12: Failure", [("cart_test.cc", 12, "")]),
        ("cart_test.cpp:12: FAILED:", [("cart_test.cpp", 12, "")]),
        ("cart_test.cpp:12: ERROR: CHECK( total == 3 ) is NOT correct!", [("cart_test.cpp", 12, "")]),
        (VALGRIND, [("cart.c", 12, "cart_total"), ("main.c", 3, "main")]),
        ("shop: cart.c:12: cart_total: Assertion `cart' failed.", [("cart.c", 12, "cart_total")]),
        ("shop: cart.cc:12: int Cart::total(int): Assertion `cart' failed.", [("cart.cc", 12, "total")]),
        (ELIXIR, [("lib/shop/cart.ex", 12, "total!"), ("test/cart_test.exs", 3, "")]),
        ("CartTest#test_total [test/cart_test.rb:12]:", [("test/cart_test.rb", 12, "")]),
        ("# ./lib/shop/cart.rb:12:in `total'", [("lib/shop/cart.rb", 12, "total")]),
        ("/src/tests/CartTest.php:12", [("/src/tests/CartTest.php", 12, "")]),
        ("src/cart.c:12:5: error: expected ';' before 'return'", [("src/cart.c", 12, "")]),
        ("src/Cart.java:12: error: cannot find symbol", [("src/Cart.java", 12, "")]),
    ],
)
def test_frames_are_read_deepest_first(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert frames(text) == expected


def test_the_deepest_frame_has_depth_zero() -> None:
    assert [frame.depth for frame in read_trace(PYTHON.split("\n")).frames] == [0, 1]
    assert [frame.depth for frame in read_trace(JAVA.split("\n")).frames] == [0, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "at noon (the usual time) we met",
        "at 10:30:00 it failed",
        "meet me at the bridge:12",
        "see cart.py for the rest",
        'File "<stdin>", line 1, in <module>',
        "the ratio is 3:4",
        "mail ann@example.org:25",
        "--> this way",
        "# 1 first",
        "#12 fixed in cart.c by Ann",
        "Line: 12",
    ],
)
def test_prose_has_no_frames(text: str) -> None:
    assert frames(text) == []


def test_lines_of_a_trace_are_known() -> None:
    """The message and the frames; the source lines between them are found by their indentation."""
    assert read_trace(PYTHON.split("\n")).lines == {0, 1, 3, 5}


@pytest.mark.parametrize(("text", "places"), [(PYTHON, {1, 3}), (JAVA, {1, 2, 3, 4}), (GO, {3, 4, 5, 6})])
def test_lines_that_are_nothing_but_a_frame_are_known(text: str, places: set[int]) -> None:
    assert read_trace(text.split("\n")).places == places


@pytest.mark.parametrize(
    "line",
    [
        "    at Module._compile (node:internal/modules/cjs/loader:1358:14)",
        "    at node:internal/main/run_main_module:28:49",
        "\tat com.acme.Native.call(Native Method)",
        "\t... 6 more",
        "#3      _startIsolate (dart:isolate-patch/isolate_patch.dart:297:19)",
        "<asynchronous suspension>",
        "\t[C]: in function 'error'",
        "#0  0x00007ffff7c8ef4c in raise () from /lib/libc.so.6",
        "FAIL\tacme.org/shop\t0.214s",
        "ok  \tacme.org/shop\t(cached)",
        "Stack trace:",
        "stack backtrace:",
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    ],
)
def test_a_line_about_a_runtime_or_a_run_is_no_text_of_the_project(line: str) -> None:
    found = read_trace(["total is wrong", line])
    assert found.frames == ()
    assert found.places == {1}


@pytest.mark.parametrize(
    "line",
    [
        "cart_test.go:12: total of two items: got 3, want 2",
        "CartTest#test_total_of_two_items [test/cart_test.rb:12]:",
        "shop: cart.c:12: cart_total: Assertion `cart->items > 0' failed.",
        "src/cart.c:12:5: error: 'struct cart' has no member named 'items'",
    ],
)
def test_a_line_that_says_more_than_its_place_keeps_its_words(line: str) -> None:
    found = read_trace([line])
    assert [frame.line for frame in found.frames] == [12]
    assert found.places == frozenset()


@pytest.mark.parametrize(
    ("line", "function", "told"),
    [
        (
            "lib/cart.rb:12:in `block in total': total isn't 'paid' (Shop::Error)",
            "total",
            "Shop::Error: total isn't 'paid'",
        ),
        ("config.ru:12:in 'Cart#total': total is wrong (CartError)", "total", "CartError: total is wrong"),
        ("lib/cart.rb:12:in `total': unhandled exception", "total", "unhandled exception"),
        ("thread 'main' panicked at 'total isn't paid', src/cart.rs:12:5", "", "panic: total isn't paid"),
        (
            "PHP Fatal error:  Uncaught Shop\\EmptyCart: no items in it in /src/Cart.php:12",
            "",
            "Shop\\EmptyCart: no items in it",
        ),
        (
            "[28-Nov-2026 10:00:00 UTC] PHP Warning:  no items in /src/Cart.php on line 12",
            "",
            "Warning:  no items",
        ),
        ("Next RuntimeException: no items in /src/Cart.php:12", "", "RuntimeException: no items"),
        ("no items in it at lib/Cart.pm line 12.", "", "no items in it"),
    ],
)
def test_a_message_around_a_place_is_told_without_it(line: str, function: str, told: str) -> None:
    found = read_trace([line])
    assert [(frame.line, frame.function) for frame in found.frames] == [(12, function)]
    assert found.told == {0: told}
    assert found.places == frozenset()


@pytest.mark.parametrize(
    "line", ["thrown in /src/Cart.php on line 12", "from lib/cart.rb:12:in `total'", "src/Cart.php:12"]
)
def test_a_place_alone_tells_nothing(line: str) -> None:
    found = read_trace(["wrong", line])
    assert (found.told, found.places) == ({}, {1})


def test_a_very_long_trace_is_cut() -> None:
    text = "\n".join(f'  File "a{i}.py", line {i}, in f' for i in range(1, 1_000))
    found = read_trace(text.split("\n")).frames
    assert len(found) == 200
    assert found[0].path == "a999.py"


@pytest.mark.parametrize(
    ("installed", "path"),
    [
        ("/venv/lib/python3.13/site-packages/shop/cart.py", "shop/cart.py"),
        ("C:\\venv\\Lib\\site-packages\\shop\\cart.py", "shop/cart.py"),
        ("/usr/lib/python3.13/json/decoder.py", "/usr/lib/python3.13/json/decoder.py"),
    ],
)
def test_the_path_of_an_installed_file_of_python_begins_at_its_package(installed: str, path: str) -> None:
    assert frames(f'  File "{installed}", line 12, in total') == [(path, 12, "total")]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("    at total (/app/node_modules/@shop/cart/src/total.js:12:5)", "cart/src/total.js"),
        (
            "    at total (/app/node_modules/.pnpm/cart@1.2.0/node_modules/cart/total.js:12:5)",
            "cart/total.js",
        ),
        ("\tShop::total(3) called at /usr/share/perl5/Shop/Cart.pm line 12", "Shop/Cart.pm"),
        ("\tShop::total(3) called at /opt/lib/perl5/site_perl/5.36.0/Shop/Cart.pm line 12", "Shop/Cart.pm"),
        ("\tShop::total(3) called at /usr/lib/perl/5.36/Shop/Cart.pm line 12", "Shop/Cart.pm"),
        (
            "/bundle/ruby/3.3.0/gems/shop-cart-2.0.1/lib/shop/cart.rb:12:in `total'",
            "shop-cart/lib/shop/cart.rb",
        ),
        (
            "  --> /root/.cargo/registry/src/index.crates.io-6f17d22b/shop-0.3.1/src/cart.rs:12:5",
            "shop/src/cart.rs",
        ),
    ],
)
def test_the_path_of_an_installed_file_begins_at_its_package_without_scope_and_version(
    line: str, path: str
) -> None:
    assert [frame.path for frame in read_trace([line]).frames] == [path]


@pytest.mark.parametrize(
    "path", ["web/src/hosted/shop/index.ts", "bindings/perl/lib/Shop.ts", "web/gems/cart/index.ts"]
)
def test_the_path_of_a_folder_that_is_called_like_one_of_installations_stays_whole(path: str) -> None:
    assert frames(f"    at total ({path}:12:5)") == [(path, 12, "total")]


def test_a_path_with_parentheses_and_a_line_that_was_cut_off_are_read() -> None:
    trace = read_trace(
        [
            "TypeError: total is undefined",
            "    at eval (webpack-internal:///(app-pages-browser)/./src/page.tsx:22:3)",
            "    at Cart.total (/srv/app/src/(shop)/cart.js:12",
        ]
    )
    assert [(frame.path, frame.line, frame.function) for frame in trace.frames] == [
        ("/(app-pages-browser)/./src/page.tsx", 22, "eval"),
        ("/srv/app/src/(shop)/cart.js", 12, "Cart.total"),
    ]
