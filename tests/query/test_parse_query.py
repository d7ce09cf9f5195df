"""What a query is taken apart into."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.query import parse_query
from daypack.types import Anchor, AnchorKind, Frame, Intent, Query, QueryKind
from support import in_the_end

NOW = datetime(2026, 5, 20, 15, 30, tzinfo=UTC)

ISSUE = """\
Cart total ignores the discount

<!-- Thanks for the report! Please search existing_issues first. -->
### What happened
After upgrading, `Cart.total` returns the undiscounted price when apply_discount ran before.
See https://github.com/acme/shop/blob/main/src/shop/cart.py#L40-L52 and "price must be positive".

```python
from shop import Cart
cart = Cart()
cart.compute_total(None)
```

Traceback (most recent call last):
  File "/home/ann/main.py", line 3, in <module>
    cart.compute_total(None)
  File "src/shop/cart.py", line 12, in compute_total
    return sum(prices)
TypeError: 'NoneType' object is not iterable

The second paragraph is not for the embedder.
"""


def parse(text: str, **options: frozenset[str]) -> Query:
    return parse_query(text, now=NOW, **options)


def anchors(text: str) -> list[tuple[str, str, int | None]]:
    return [(anchor.kind.value, anchor.text, anchor.line) for anchor in parse(text).anchors]


# ---------------------------------------------------------------- terms


def test_every_term_of_a_one_line_question_weighs_the_same() -> None:
    assert dict(parse("how are sessions expired?").terms) == {"session": 2.0, "expir": 2.0}


def test_a_term_weighs_the_sum_over_its_sections() -> None:
    """2 (title) + 1 * (1 + ln 2) (prose, twice) + 1 (inline) + 1 (code)."""
    query = parse("Refund fails\nA refund needs a `refund` key:\n\n```\nrefund = 1\n```\n")
    assert query.terms["refund"] == pytest.approx(2 + (1 + math.log(2)) + 1 + 1)


def test_repeats_count_by_their_logarithm() -> None:
    """2 * (1 + ln 3)."""
    assert parse("retry retry retry").terms["retri"] == pytest.approx(2 * (1 + math.log(3)))


def test_stop_words_go_unless_nothing_else_is_there() -> None:
    assert "the" not in parse("the cart").terms
    assert list(parse("the").terms) == ["the"]


def test_identifiers_are_searched_whole_and_in_parts() -> None:
    assert set(parse("getUserId").terms) == {"getuserid", "get", "user", "id"}


def test_contractions_leave_no_halves() -> None:
    assert set(parse("why doesn't Ann's cart's total update, isn't it saved?").terms) == {
        "ann",
        "cart",
        "total",
        "updat",
        "save",
    }


def test_keywords_of_pasted_code_are_dropped() -> None:
    query = parse("def compute(self, price): return price")
    assert set(query.terms) == {"comput", "price"}
    assert "return" not in parse("Wrong sum\n\n```\nreturn total\n```").terms
    assert "return" in parse("how do I return a parcel").terms


def test_the_only_language_of_the_store_is_no_search_term() -> None:
    python = frozenset({"python", "markdown", "bash", "toml"})
    assert set(parse("python sort list", languages=python).terms) == {"sort", "list"}
    assert set(parse("python sort list", languages=python | {"go"}).terms) == {"python", "sort", "list"}
    assert set(parse("python sort list").terms) == {"python", "sort", "list"}
    assert set(parse("python", languages=python).terms) == {"python"}
    assert set(parse("js debounce", languages=frozenset({"javascript"})).terms) == {"debounc"}
    assert set(parse("ts generics", languages=frozenset({"typescript", "tsx"})).terms) == {"generic"}


def test_an_empty_query_has_no_terms() -> None:
    for text in ("", "  \n\t", "?!"):
        assert not parse(text).terms


def test_the_title_is_the_first_line_without_its_marks() -> None:
    assert parse("\n## Cart total\nMore.").title == "Cart total"


# ---------------------------------------------------------------- an issue


def test_an_issue_is_taken_apart() -> None:
    query = parse(ISSUE)
    assert query.kind is QueryKind.NATURAL
    assert query.title == "Cart total ignores the discount"
    assert query.paths == ("src/shop/cart.py",)
    assert query.frames == (
        Frame("src/shop/cart.py", 12, "compute_total", 0),
        Frame("/home/ann/main.py", 3, "", 1),
    )
    assert set(anchors(ISSUE)) == {
        ("quoted", "price must be positive", None),
        ("path", "src/shop/cart.py", 40),
        ("identifier", "Cart.total", None),
    }


def test_a_template_comment_is_not_part_of_the_question() -> None:
    assert "existingissues" not in parse(ISSUE).terms
    assert "search" not in parse(ISSUE).terms


def test_a_frame_is_a_place_and_no_words() -> None:
    trace = 'Refunds fail\n\nTraceback (most recent call last):\n  File "/usr/lib/python3/site-packages/shop/cart.py", line 12, in compute_total\n    return sum(prices)\n'
    query = parse(trace)
    assert query.frames == (Frame("shop/cart.py", 12, "compute_total"),)
    assert {"refund", "fail", "sum", "price"} <= set(query.terms)
    assert not {"usr", "lib", "site", "packag", "computetot"} & set(query.terms)
    assert "compute_total" in query.mentions


def test_small_numbers_of_a_report_are_not_searched_for() -> None:
    report = "Refunds fail\n\n```\npay==3.9.1\nHTTP 404\n```"
    assert not {"3", "9", "1"} & set(parse(report).terms)
    assert "404" in parse(report).terms
    assert "7" in parse("what was said on 7 May?").terms


@pytest.mark.parametrize(
    ("text", "about_code"),
    [
        ("Cart.total ignores the discount", True),
        ("fix the rounding of totals", True),
        ("shop: adds a discount", True),
        ("totals are wrong\n```\nprint(1)\n```", True),
        ("why does Cart.total ignore the discount", False),
        ("`total` is wrong, is it not?", False),
        ("discount of the cart", False),
        ("discount of the cart\n\nIt is taken off twice.", True),
        ("discount of the cart\n\nAt which step is it taken off?", False),
        ("support hours", False),
    ],
)
def test_a_report_or_a_task_is_about_code_a_question_may_be_about_anything(
    text: str, about_code: bool
) -> None:
    assert parse(text).about_code is about_code


@pytest.mark.parametrize(
    ("text", "is_report"),
    [
        ("Cart.total", False),
        ("Cart.total and its discount", False),
        ("fix the rounding of Cart.total", True),
        ("[Cart] Fix the rounding of totals", True),
        ("[2.1][cart] fix totals: round them once", True),
        ("[Cart] How is the total rounded?", False),
        ("[Cart] rounding", False),
        ("Cart.total is wrong\n\nThe discount is taken off twice.", True),
        ("Cart.total\n\nAt which step is the discount taken off?", False),
        ("why does Cart.total ignore the discount\n```\nprint(1)\n```", False),
    ],
)
def test_a_report_tells_more_than_a_name(text: str, is_report: bool) -> None:
    assert parse(text).is_report is is_report


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("where is the refund retried?", Intent.MECHANISM),
        ("required flags of a refund", Intent.MECHANISM),
        ("how a release of the lock wakes the queue", Intent.MECHANISM),
        ("which queue holds refunds?", Intent.ANY),
        ("which style do patches have to follow?", Intent.USAGE),
        ("Should amounts be given in cents?", Intent.USAGE),
        ("What is the oldest compiler that builds it?", Intent.USAGE),
        ("how do I retry a refund?", Intent.USAGE),
        ("My refund is lost after a retry. Where is it kept?", Intent.MECHANISM),
        ("The queue stops. What should I set?", Intent.USAGE),
        ("My refund is lost after a retry", Intent.USAGE),
        ("After how long is a refund dropped?", Intent.ANY),
        ("At which step is the discount taken off?", Intent.ANY),
        ("In which function is the discount taken off?", Intent.MECHANISM),
        ("Which handler takes the discount off?", Intent.MECHANISM),
        ("Which SQL migration adds the discount?", Intent.MECHANISM),
        ("Which handlers are there?", Intent.ANY),
        ("Which migration added the discount?", Intent.MECHANISM),
        ("Which component of the budget grew?", Intent.ANY),
        ("Which macro nutrients are in oats?", Intent.ANY),
        ("Which game controller is broken?", Intent.ANY),
        ("Which migration path should be taken?", Intent.USAGE),
        ("Which middleware is recommended?", Intent.USAGE),
        ("If two refunds share a key, is the second one paid?", Intent.ANY),
        ("When several files set a limit, whose value counts?", Intent.ANY),
        ("When a refund fails, where is it queued?", Intent.MECHANISM),
        ("Given a key, how is the refund found?", Intent.MECHANISM),
        ("Which setting limits the refunds of a day?", Intent.USAGE),
        ("What is the default currency?", Intent.USAGE),
        ("Is --fast on unless I say so?", Intent.USAGE),
        ("What does --dry-run do?", Intent.USAGE),
        ("What does the `dry-run` option do?", Intent.USAGE),
        ("What does the parser of options do?", Intent.MECHANISM),
        ("Where is the --dry-run option handled?", Intent.MECHANISM),
        ("How does the --dry-run flag reach the queue?", Intent.MECHANISM),
        ("When was the weekly refund removed?", Intent.USAGE),
        ("Is Cart.total deprecated, and what replaces it?", Intent.USAGE),
        ("What is Cart.sum called now?", Intent.USAGE),
        ("Since which version are refunds queued?", Intent.USAGE),
        ("How must a currency be written since Shop 3?", Intent.USAGE),
        ("When are expired refunds removed?", Intent.ANY),
        ("Why was the weekly refund removed?", Intent.ANY),
    ],
)
def test_the_form_of_a_question_tells_insides_from_use_and_rules(text: str, intent: Intent) -> None:
    assert parse(text).intent is intent


def test_a_date_is_named_by_its_months_and_days() -> None:
    assert parse("Who has the pager in January or on Monday 3 March?").dates == ("januari", "monday", "march")
    assert parse("Who may march?").dates == ()


def test_an_unclosed_comment_is_text() -> None:
    assert "arrow" in parse("what does <!-- mean, an arrow?").terms


def test_mentions_weigh_by_where_they_stand() -> None:
    """Inline 2 and prose 1; prose alone 1; a frame 1 and code .5."""
    mentions = parse(ISSUE).mentions
    assert mentions["Cart.total"] == 3.0
    assert mentions["apply_discount"] == 1.0
    assert mentions["compute_total"] == 1.1
    assert parse("getUserId fails").mentions == {"getUserId": 3.0}


def test_the_embedder_sees_title_and_first_paragraph_without_code() -> None:
    dense = parse(ISSUE).dense_text
    assert dense.startswith("Cart total ignores the discount\nAfter upgrading, `Cart.total` returns")
    assert "compute_total" not in dense
    assert "second paragraph" not in dense
    assert "Thanks for" not in dense
    assert len(parse("word " * 1_000).dense_text) <= 1_000


def test_the_embedder_sees_the_error_where_there_is_only_a_trace() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: "colour"\n'
    assert parse(trace).dense_text.startswith('KeyError: "colour"')
    assert parse(trace).kind is QueryKind.ERROR


# ---------------------------------------------------------------- routing


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("how are sessions expired?", QueryKind.NATURAL),
        ("how are errors handled", QueryKind.NATURAL),
        ("retry", QueryKind.NATURAL),
        ("read/write lock", QueryKind.NATURAL),
        ("", QueryKind.NATURAL),
        ("getUserId", QueryKind.IDENTIFIER),
        ("Retry.run", QueryKind.IDENTIFIER),
        ("MAX_RETRIES backoff_factor", QueryKind.IDENTIFIER),
        ("`retry`", QueryKind.IDENTIFIER),
        ("shop::cart::total", QueryKind.IDENTIFIER),
        ("total()", QueryKind.IDENTIFIER),
        ("__init__", QueryKind.IDENTIFIER),
        ("src/pay/retry.py", QueryKind.PATH),
        ("src/pay/retry.py:40-88", QueryKind.PATH),
        ("retry.py", QueryKind.PATH),
        ("src/pay", QueryKind.PATH),
        ("docs/", QueryKind.PATH),
        ("Makefile", QueryKind.PATH),
        ('"no such table"', QueryKind.QUOTED),
        ("where is 'no such table' raised", QueryKind.QUOTED),
        ('what did Ann think of the plot of "The Old Bridge"', QueryKind.NATURAL),
        ("ValueError: invalid literal", QueryKind.ERROR),
        ("shop.errors.CartError: empty", QueryKind.ERROR),
        (r"Shop\Errors\CartError: The cart is empty.", QueryKind.ERROR),
        ("Shop::CartError: empty", QueryKind.ERROR),
        ("** (Shop.CartError) expected a cart, got: nil", QueryKind.ERROR),
        ("Fatal error: No cart configured", QueryKind.ERROR),
        ("Error: Unknown option '--refnd'", QueryKind.ERROR),
        ("PHP Fatal error:  Uncaught CartError: empty", QueryKind.ERROR),
        ("go: error: no cart in go.mod", QueryKind.ERROR),
        ("com.acme.Shop$CartException: empty", QueryKind.ERROR),
        ("Errors: how are they raised?", QueryKind.NATURAL),
        ("panic: runtime error: index out of range", QueryKind.ERROR),
        ("error[E0502]: cannot borrow", QueryKind.ERROR),
        ("ValueError", QueryKind.IDENTIFIER),
        ("what changed last week", QueryKind.TEMPORAL),
        ("notes from May 2023", QueryKind.TEMPORAL),
    ],
)
def test_a_query_is_routed_by_how_it_reads(text: str, kind: QueryKind) -> None:
    assert parse(text).kind is kind


# ---------------------------------------------------------------- anchors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how does the cart work", []),
        ("don't use the users' data, it's theirs", []),
        ('a 5" by 7" print', []),
        ("say “hello there” to her", [("quoted", "hello there", None)]),
        ("the message 'cart is empty' appears", [("quoted", "cart is empty", None)]),
        ("which notes link to [[Old pier]]?", [("quoted", "[[Old pier", None)]),
        ("what is behind [[Old pier#Paint|the pier]]", [("quoted", "[[Old pier", None)]),
        ("the array [[1, 2], [3, 4]] and [[ -f a ]]", []),
        ("look at src/pay/retry.py:40 please", [("path", "src/pay/retry.py", 40)]),
        ("look at retry.py, then stop.", [("path", "retry.py", None)]),
        ("(see docs/guide.md)", [("path", "docs/guide.md", None)]),
        ("tests/test_cart.py::test_total fails", [("path", "tests/test_cart.py", None)]),
        (r"open src\pay\retry.py", [("path", "src/pay/retry.py", None)]),
        ("看src/pay/retry.py文件", [("path", "src/pay/retry.py", None)]),
        ("`retry` is called twice", [("identifier", "retry", None)]),
        ("`pip install shop` fails", []),
        ("`src/pay` is empty", [("path", "src/pay", None)]),
        ("getUserId", [("identifier", "getUserId", None)]),
        ("why does getUserId fail", []),
        ('"retry.py" is gone', [("path", "retry.py", None)]),
        ("https://example.org/a/b.py", []),
    ],
)
def test_anchors_are_what_a_query_names_for_certain(
    text: str, expected: list[tuple[str, str, int | None]]
) -> None:
    assert anchors(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "and/or",
        "read/write",
        "TCP/IP",
        "1/2 of it",
        "e.g. this",
        "i.e. that",
        "Node.js or Vue.js",
        "version 3.11",
        "10.0.0.1",
        "n/a",
        "he/she",
        "red/green/refactor",
        "example.com",
        "example.org",
        "ann@example.org",
        "...",
        "/",
        "//",
        "wait... what",
        "24/7",
        "UTF-16/UTF-32/GB18030",
    ],
)
def test_prose_is_not_taken_for_paths(text: str) -> None:
    assert parse(f"what about {text} here").paths == ()


def test_a_repository_path_inside_a_link_is_kept() -> None:
    query = parse("see https://github.com/acme/shop/blob/v1.2/src/cart.py#L10-L20.")
    assert query.anchors == (Anchor(AnchorKind.PATH, "src/cart.py", 10),)
    assert "github" not in query.terms
    assert parse("https://gitlab.com/acme/shop/-/blob/main/src/cart.py").paths == ("src/cart.py",)
    assert parse("https://raw.githubusercontent.com/acme/shop/main/src/cart.py").paths == ("src/cart.py",)


def test_a_bare_link_is_searched_by_its_words() -> None:
    assert (
        "pricing" in parse("https://example.org/pricing").terms
        or "price" in parse("https://example.org/pricing").terms
    )


# ---------------------------------------------------------------- mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("why does getUserId call fetch_user()", {"getUserId", "fetch_user"}),
        ("is Cart.total the same as Cart::total?", {"Cart.total", "Cart::total"}),
        ("total() is slow", {"total"}),
        ("MAX_RETRIES is read where", {"MAX_RETRIES"}),
        ("the _private helper and __init__", {"_private", "__init__"}),
        ("what is self.backoff_factor", {"backoff_factor"}),
        ("Ann and Bob met in Rome. Then they left.", set()),
        ("the file(s) of NASA, e.g. retry.py and example.com", set()),
        ("`retry` again", {"retry"}),
        ("src/pay_now/x.py", set()),
    ],
)
def test_mentions_are_words_written_as_code_is(text: str, expected: set[str]) -> None:
    assert set(parse(text).mentions) == expected


def test_code_mentions_what_it_calls_and_defines() -> None:
    query = parse(
        "Wrong sum\n\n```python\nfor row in rows:\n    print(compute(row))\nclass Basket: ...\n```\n"
    )
    assert query.mentions == {"compute": 0.1, "Basket": 0.1}


# ---------------------------------------------------------------- asking for tests or documentation


@pytest.mark.parametrize(
    ("text", "tests", "docs"),
    [
        ("unit tests for the cart", True, False),
        ("how do I run the tests of the cart?", False, False),
        ("tests/test_cart.py", True, False),
        ("why does e2e/cart.ts wait?", True, False),
        ("what does CartTest.java check?", True, False),
        ("why does contests/rules.py fail?", False, False),
        ("what does the README say", False, True),
        ("documentation of the cart", False, True),
        ("show me an example of a discount", False, True),
        ("discounts, for example on Fridays", False, False),
        ("the latest contest", False, False),
        ("how is the total computed", False, False),
        ("Cart total is wrong\nI ran the tests and read the docs.", False, False),
    ],
)
def test_the_title_says_whether_tests_or_documentation_are_wanted(text: str, tests: bool, docs: bool) -> None:
    query = parse(text)
    assert (query.asks_for_tests, query.asks_for_docs) == (tests, docs)


# ---------------------------------------------------------------- any text, soon


@given(st.text(max_size=400))
def test_any_text_is_a_query(text: str) -> None:
    query = parse(text)
    assert query.text == text
    assert all(weight > 0 for weight in query.terms.values())
    assert len(query.dense_text) <= 1_000


_PIECES = st.sampled_from(
    [
        "`",
        '"',
        "'",
        "```\n",
        "    ",
        "\n",
        "\t",
        "at f (",
        "x.py:12: in f",
        'File "x.py", line 3, in f',
        "-->",
        "<!--",
        "https://",
        "/blob/",
        "#L1",
        "src/a.py",
        ":12",
        "getUserId",
        "::",
        "()",
        ")",
        "in May",
        "since",
        "2023",
        "last",
        "week",
        "and",
        "between ",
        "goroutine 1",
        "x.go:1",
        "don't",
        "\ud800",
        "\x00",
        "漢字",
        "9" * 30,
        "def f(x):",
        "Error: ",
        "1: a::b\n",
        "[",
        "“",
        "”",
        " ",
    ]
)


@given(st.lists(_PIECES, max_size=40).map("".join), st.datetimes(timezones=st.just(UTC)))
def test_any_mixture_of_marks_is_a_query_at_any_time(text: str, now: datetime) -> None:
    query = parse_query(text, now=now, languages=frozenset({"python"}))
    assert [frame.depth for frame in query.frames].count(0) <= 2


_LONG = 65_536
_ADVERSARIAL = {
    "one letter": "A" * _LONG,
    "camel case": "aA" * (_LONG // 2),
    "open quotes": "“" * _LONG,
    "quotes": '"' * _LONG,
    "backticks": "`" * _LONG,
    "single quotes": "'a " * (_LONG // 3),
    "dots": "a." * (_LONG // 2),
    "slashes": "a/" * (_LONG // 2),
    "colons": "a:1" * (_LONG // 3),
    "links": "http://" * (_LONG // 7),
    "comments": "<!--" * (_LONG // 4),
    "frames": "at a.b.c(\n" * (_LONG // 10),
    "panics": "thread 'main' panicked at '" + "', " * 20_000,
    "dates": "in 2023 may " * (_LONG // 12),
    "brackets": "at ((((:line 1" * (_LONG // 14),
    "identifiers": " ".join(f"`a_b{i}`" for i in range(6_000)),
    "blank lines": "\n" * _LONG,
}


@pytest.mark.parametrize("name", list(_ADVERSARIAL))
def test_long_hostile_text_is_parsed_soon(name: str) -> None:
    with in_the_end():
        parse(_ADVERSARIAL[name])
