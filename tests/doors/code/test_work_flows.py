"""Work-flow questions over a small project: trace, impact, tests and uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from code_support import opened

from daypack import Daypack
from daypack.doors.code.flows.diffs import places_of, read_diff, shortened
from daypack.errors import InputError, NotFound
from support import daypack, project

CART = '''"""Carts."""

from shop.money import rounded


class Cart:
    def total(self, rate):
        return rounded(sum(self.prices) * rate)

    def clear(self):
        self.prices = []
'''
MONEY = '''"""Money."""


def rounded(value):
    return round(value, 2)


def parsed(text):
    return float(text)
'''
FILES = {
    "shop/cart.py": CART,
    "shop/money.py": MONEY,
    "shop/invoice.py": "from shop.money import rounded\n\n\ndef invoice(lines):\n    return [rounded(line) for line in lines]\n",
    "shop/report.py": "from shop.money import rounded\n\n\ndef report(rows):\n    rows = list(rows)\n    return rounded(sum(rows))\n",
    "shop/weather.py": "def sunshine(hours):\n    return hours > 8\n",
    "tests/test_money.py": "from shop.money import rounded\n\n\ndef test_halves_are_even():\n    assert rounded(0.125) == 0.12\n",
    "tests/test_weather.py": "from shop.weather import sunshine\n\n\ndef test_long_days():\n    assert sunshine(9)\n",
}
DIFF = "\n".join(
    [
        "--- a/shop/money.py",
        "+++ b/shop/money.py",
        "@@ -3,3 +3,3 @@",
        " ",
        "-def rounded(value):",
        "-    return round(value, 2)",
        "+def rounded(value, digits):",
        "+    return round(value, digits)",
        "",
    ]
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Daypack]:
    with opened(tmp_path, FILES) as dp:
        yield dp


def _first(dp: Daypack, text: str, task: str) -> list[str]:
    pack = dp.pack(text, budget=2000, vectors="none", task=task)  # type: ignore[arg-type]
    assert pack.tokens_used <= 2000
    return list(dict.fromkeys(one.chunk.uri for one in pack.candidates))


def test_uses_are_calls_of_different_files_programs_first_and_never_the_definition(shop: Daypack) -> None:
    pack = shop.pack("rounded", budget=1000, vectors="none", task="uses")
    files = [one.chunk.uri for one in pack.candidates]
    assert set(files[:3]) == {"shop/cart.py", "shop/invoice.py", "shop/report.py"}
    assert "tests/test_money.py" in files
    assert "shop/money.py" not in files
    assert all("rounded(" in one.chunk.text for one in pack.candidates)


def test_tests_of_a_diff_are_those_that_call_what_it_changes(shop: Daypack) -> None:
    assert _first(shop, DIFF, "tests")[0] == "tests/test_money.py"


def test_tests_of_a_diff_are_never_the_code_that_it_changes(tmp_path: Path) -> None:
    value = "value = rounded + amount + prices"
    body = "".join(f"    {value.replace('value', f'value_{n}')}\n" for n in range(30))
    files = {
        "shop/sums.py": f"def total(rounded, amount, prices):\n{body}    return rounded\n",
        "tests/test_weather.py": FILES["tests/test_weather.py"],
    }
    lines = [
        f"-    value_{n} = rounded + amount + prices\n+    value_{n} = rounded + prices\n" for n in range(30)
    ]
    diff = f"--- a/shop/sums.py\n+++ b/shop/sums.py\n@@ -2,30 +2,30 @@\n{''.join(lines)}"
    with opened(tmp_path, files) as dp:
        assert "shop/sums.py" not in _first(dp, diff, "tests")
        assert "shop/sums.py" not in _first(dp, "total", "tests")


def test_tests_of_a_name_never_show_it_between_its_neighbours(tmp_path: Path) -> None:
    files = {
        "a.c": "int f(void){return 1;}\nint send_all(int a) {\n  return f();\n}\nint live(void) { return send_all(1); }\n",
        "b.c": "/* send all of them */\nint other(void) { return 1; }\n",
    }
    with opened(tmp_path, files) as dp:
        pack = dp.pack("send_all", budget=2000, vectors="none", task="tests")
        assert "send_all(int a)" not in pack.text
        assert "a.c" not in _first(dp, "a.c", "tests")


def test_tests_of_a_diff_begin_with_a_test_and_not_with_the_head_of_its_file(tmp_path: Path) -> None:
    head = "from shop.money import parsed, rounded\n\nCALLS = {'value': rounded, 'digits': rounded, 'text': parsed}\n"
    tests = "".join(
        f"\n\ndef test_value_{n}():\n    assert CALLS['value']({n}.125) == {n}.12\n" for n in range(3)
    )
    files = {**FILES, "tests/test_money.py": head + tests}
    with opened(tmp_path, files) as dp:
        best = dp.pack(DIFF, task="tests", vectors="none", budget=1000).candidates[0]
        assert best.chunk.uri == "tests/test_money.py"
        assert best.chunk.name.startswith("test_value_")


def test_tests_of_a_diff_are_tests_alone(tmp_path: Path) -> None:
    pages = {f"docs/page_{n}.md": f"# rounded {n}\n\nreturn round(value, 2) is rounded.\n" for n in range(9)}
    with opened(tmp_path, {**FILES, **pages}) as dp:
        pack = dp.pack(DIFF, budget=2000, vectors="none", task="tests")
        assert all(one.citation.uri.startswith("tests/") for one in pack.excerpts)
        assert not pack.weak


def test_a_change_without_a_test_is_answered_as_such(tmp_path: Path) -> None:
    files = {path: text for path, text in FILES.items() if not path.startswith("tests/")}
    with opened(tmp_path, files) as dp:
        text = dp.pack(DIFF, budget=2000, vectors="none", task="tests").text
        assert text.startswith("Nothing relevant was found: no test calls or uses the changed code.")
        (tmp_path / "test_carts.py").write_text("def test_rate():\n    rounded = 2\n    value = rounded\n")
        text = dp.pack(DIFF, budget=2000, vectors="none", task="tests").text
        assert text.startswith("Weak answer: no test calls or uses the changed code; these are the nearest")


def test_tests_of_a_name_are_the_same(shop: Daypack) -> None:
    assert _first(shop, "sunshine", "tests")[0] == "tests/test_weather.py"


def test_a_diff_leads_to_the_callers_of_what_it_changes(shop: Daypack) -> None:
    files = _first(shop, DIFF, "impact")
    assert {"shop/cart.py", "shop/invoice.py", "shop/report.py", "tests/test_money.py"} <= set(files[:6])


def test_the_change_of_a_name_begins_with_its_definition_and_calls_and_not_with_imports(
    tmp_path: Path,
) -> None:
    """The lines of a diff are known, those of a name are not: its definition came behind the imports of each file."""
    head = "\n".join(f"import module_{n}" for n in range(40))
    callers = {
        f"shop/page_{n}.py": f"{head}\nfrom shop.money import rounded\n\n\ndef page_{n}(lines):\n    rows = [line for line in lines if line]\n    return [rounded(line) for line in rows]\n"
        for n in range(4)
    }
    with opened(tmp_path, {**FILES, **callers}) as dp:
        pack = dp.pack("rounded", budget=2000, vectors="none", task="impact")
        chunks = [one.chunk for one in pack.candidates]
    definition = next(place for place, one in enumerate(chunks) if one.uri == "shop/money.py")
    heads = [place for place, one in enumerate(chunks) if one.text.startswith("import module_")]
    assert definition < 3
    assert all(place > definition for place in heads)


def test_a_trace_leads_to_the_functions_of_its_frames(shop: Daypack) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/home/me/shop/cart.py", line 8, in total\n    return rounded(sum(self.prices) * rate)\n'
        "TypeError: unsupported operand\n"
    )
    assert _first(shop, trace, "trace")[0] == "shop/cart.py"


@pytest.mark.parametrize(
    "text",
    [
        "--- FAIL: TestTotal (0.00s)\n    cart_test.go:6: Expected: 2, actual: 3\nFAIL\nFAIL\tacme.org/shop\t0.2s\n",
        "total_test: cart_test.go:6: TestTotal: Assertion `got == 2' failed.\n",
    ],
)
def test_a_frame_without_a_known_function_leads_to_the_function_around_its_line(
    tmp_path: Path, text: str
) -> None:
    """The output of `go test` names a file and a line, and no function; the name of its module is no subject."""
    files = {
        "install": "#!/bin/sh\n\necho fetching acme.org/shop\nwget acme.org/shop\n",
        "shop/go.mod": "module acme.org/shop\n",
        "shop/cart.go": "package shop\n\nfunc total(prices []int) int {\n\treturn len(prices)\n}\n",
        "shop/cart_test.go": 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := total([]int{1, 1}); got != 2 {\n\t\tt.Error(got)\n\t}\n}\n',
    }
    with opened(tmp_path, files) as dp:
        pack = dp.pack(text, budget=1000, vectors="none", task="trace")
        assert {one.chunk.uri for one in pack.candidates[:2]} == {"shop/cart_test.go", "shop/cart.go"}


def test_what_a_long_failed_test_calls_at_its_end_is_shown(tmp_path: Path) -> None:
    """A table of cases above the call names more things than edges are looked at."""
    cases = "".join(f"        (Size.S{n % 5}, {n}),\n" for n in range(90))
    files = {
        "shop/sizes.py": "class Size:\n" + "".join(f"    S{n} = {n}\n" for n in range(5)),
        "shop/fit.py": "def girth(size):\n    return 3\n",
        "tests/test_fit.py": f"from shop.fit import girth\nfrom shop.sizes import Size\n\n\ndef test_it():\n    for size, wanted in [\n{cases}    ]:\n        assert girth(size) == wanted\n",
    }
    text = "tests/test_fit.py:98: in test_it\n    assert 3 == 0\nE   AssertionError\n"
    with opened(tmp_path, files) as dp:
        pack = dp.pack(text, budget=2000, vectors="none", task="trace")
        found = next(one for one in pack.candidates if one.chunk.uri == "shop/fit.py")
        assert {"called", "called_here"} & {part.signal for part in found.contributions}


def test_the_head_of_a_file_that_a_change_has_nothing_to_do_with_is_not_taken_for_its_imports(
    tmp_path: Path,
) -> None:
    """A small file begins at its first line, and so do the imports of every other one."""
    files = FILES | {
        "shop/rows.py": "ROWS = 12\n",
        "shop/only.py": "def only(rows, value):\n    return [row for row in rows if row == value]\n",
    }
    with opened(tmp_path, files) as dp:
        pack = dp.pack(DIFF, budget=2000, vectors="none", task="impact")
        fronts = {
            one.chunk.uri
            for one in pack.candidates
            if any(part.signal == "front" for part in one.contributions)
        }
        assert "shop/cart.py" in fronts
        assert fronts.isdisjoint({"shop/rows.py", "shop/only.py"})


def test_shares_add_up_to_the_score(shop: Daypack) -> None:
    candidates = shop.pack(DIFF, budget=500, vectors="none", task="impact").candidates
    assert candidates
    for one in candidates:
        assert sum(part.share for part in one.contributions) == pytest.approx(one.score)


def test_a_filter_holds_for_what_the_graph_adds(shop: Daypack) -> None:
    pack = shop.pack("rounded", budget=1000, vectors="none", task="uses", source="shop/c*")
    assert {one.chunk.uri for one in pack.candidates} == {"shop/cart.py"}


def test_an_unknown_name_is_searched_as_words(shop: Daypack) -> None:
    assert _first(shop, "hours of sunshine per day", "uses")[0] in (
        "shop/weather.py",
        "tests/test_weather.py",
    )


@pytest.mark.parametrize("task", ["impact", "tests", "uses"])
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("frobnicate", "no symbol named 'frobnicate'; `daypack code symbols` lists names"),
        ("sunshne", "no symbol named 'sunshne'; did you mean sunshine?"),
        ("Cart.frobnicate", "no symbol named 'Cart.frobnicate'"),
        ("shop/cart.py:frobnicate", "no symbol named 'shop/cart.py:frobnicate'"),
        ("shop/carts.py", "no file named 'shop/carts.py'; did you mean shop/cart.py?"),
        ("shop/carts.py:3", "no file named 'shop/carts.py'; did you mean shop/cart.py?"),
        (
            "shop",
            "'shop' is a folder, not a symbol or file; `daypack code symbols --path shop` lists the symbols",
        ),
        ("./shop/", "'shop' is a folder, not a symbol or file"),
        ("shop/cart.py:9999", "shop/cart.py has no line 9,999; its last line is 11"),
        ("shop/cart.py:999999999999", "shop/cart.py has no line 999,999,999,999; its last line is 11"),
        ("shop/cart.py:-1", "shop/cart.py has no line -1; its last line is 11"),
        ("nowhere/none.py", "no file named 'nowhere/none.py'; `daypack search` shows"),
    ],
)
def test_a_name_of_nothing_is_said_to_be_unknown(shop: Daypack, task: Any, word: str, said: str) -> None:
    with pytest.raises(NotFound) as missing:
        shop.pack(word, vectors="none", task=task)
    assert str(missing.value).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "which tests cover the frobnicate option?",
        "ValueError: frobnicate is not a currency",
        "cart.py",  # the file's name without its folder
        "shop/cart.py:2",
        "docs/prices.md",  # a file without symbols
        "currency",  # no symbol, but a word of the code
    ],
)
def test_questions_and_words_of_the_store_are_answered(tmp_path: Path, text: str) -> None:
    files = {**FILES, "docs/prices.md": "Each currency has its own price.\n"}
    with opened(tmp_path, files) as dp:
        assert _first(dp, text, "impact")


def test_a_question_in_a_language_without_spaces_is_no_name(shop: Daypack) -> None:
    found = shop.pack("この関数を変えると何が壊れますか", vectors="none", task="impact")
    assert found.weak or not found.excerpts


def test_an_unknown_task_is_refused(shop: Daypack) -> None:
    with pytest.raises(InputError, match="guess"):
        shop.pack("rounded", task="guess")  # type: ignore[arg-type]


def test_the_commands_read_a_diff_from_standard_input(tmp_path: Path) -> None:
    project(tmp_path, FILES)
    assert "test_halves_are_even" in daypack("code", "tests", "-", input=DIFF.encode(), cwd=tmp_path).stdout
    assert "shop/invoice.py" in daypack("code", "uses", "rounded", cwd=tmp_path).stdout
    assert "shop/invoice.py" in daypack("pack", "--for", "uses", "rounded", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    "text", [MONEY, f"# moved\n# down\n\n{MONEY}", MONEY.replace("value, 2", "value, digits")]
)
def test_a_hunk_is_found_where_its_lines_stand(text: str) -> None:
    (hunk,) = read_diff(DIFF)
    rows = text.split("\n")
    assert any("rounded" in rows[number - 1] for number in places_of([hunk], rows))


def test_a_hunk_of_another_file_has_no_place() -> None:
    (hunk,) = read_diff(DIFF)
    assert places_of([hunk], ["nothing", "alike"]) == ()


def test_a_removed_line_that_looks_like_a_header_belongs_to_its_hunk() -> None:
    (hunk,) = read_diff("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1;\n")
    assert hunk.path == "x.sql"
    assert hunk.side("-") == "-- a comment"


def test_text_without_hunks_is_no_diff() -> None:
    assert read_diff("--- a/x.py\nwhy is this slow?") == ()


def test_a_change_in_a_namespace_is_no_change_of_all_its_members(tmp_path: Path) -> None:
    files = {
        "lib/error.rb": "module Port\n  class TideError < StandardError\n  end\n\n  class WaveError < StandardError\n  end\n\n  FloodError = TideError\nend\n",
        "spec/wave_spec.rb": "describe 'waves' do\n  it 'breaks' do\n    expect { roll }.to raise_error(Port::WaveError)\n  end\nend\n",
    }
    diff = "--- a/lib/error.rb\n+++ b/lib/error.rb\n@@ -8,1 +8,1 @@\n-  FloodError = SpringTideError\n+  FloodError = TideError\n"
    with opened(tmp_path / "port", files) as dp:
        candidates = dp.pack(diff, budget=500, vectors="none", task="tests").candidates
    assert "spec/wave_spec.rb" in {one.chunk.uri for one in candidates}
    assert "tests" not in {part.signal for one in candidates for part in one.contributions}


@pytest.mark.parametrize("task", ["impact", "tests", "uses"])
def test_a_text_without_any_place_of_the_code_is_answered_as_weak(shop: Daypack, task: Any) -> None:
    found = shop.pack("the hours are wrong in some months", task=task)
    assert found.weak or not found.excerpts
    if found.excerpts:
        wanted = (
            "a name, path:line or path:Name" if task == "uses" else "a diff, a name, path:line or path:Name"
        )
        assert found.text.startswith(
            f"Weak answer: the text has no diff or name of indexed code (give {wanted}); these are"
        )
    foreign = DIFF.replace("shop/money.py", "elsewhere/gold.c")
    for diff in (foreign, _renamed("elsewhere/gold.c", "elsewhere/silver.c")):
        found = shop.pack(diff, task=task)
        how = "Weak answer" if found.excerpts else "Nothing relevant was found"
        assert found.text.startswith(f"{how}: the diff changes no place in the stored code")
    for known in (DIFF, "rounded", "shop/money.py:5", "rounded and parsed"):
        assert not shop.pack(known, task=task).weak, known


def test_a_trace_without_frames_is_answered_by_its_words(shop: Daypack) -> None:
    assert not shop.pack("ValueError: could not convert string to float", task="trace").weak


def test_a_text_that_is_no_trace_and_names_no_code_is_answered_as_weak(shop: Daypack) -> None:
    text = "the hedgehog of my neighbour ate a value of jam"
    found = shop.pack(text, task="trace", vectors="none")
    assert found.excerpts
    assert found.weak == shop.pack(text, vectors="none").weak is True
    assert found.text.startswith("Weak answer: the store says nothing about “hedgehog”")
    frame = f'  File "shop/money.py", line 5, in rounded\n{text}'
    assert not shop.pack(frame, task="trace", vectors="none").weak


@pytest.mark.parametrize("task", ["trace", "impact", "tests", "uses"])
def test_an_empty_text_is_refused_with_the_wanted_one(shop: Daypack, task: Any) -> None:
    with pytest.raises(InputError, match="the text is empty; give a"):
        shop.pack(" \n", task=task)


def test_a_diff_that_is_longer_than_a_question_may_be_is_shortened_to_its_changes(shop: Daypack) -> None:
    other = "\n".join(f"+{'x' * 90}{n}" for n in range(1_500))
    text = f"--- a/shop/other.py\n+++ b/shop/other.py\n@@ -0,0 +1,1500 @@\n{other}\n{DIFF}"
    assert len(text) > 130_000
    assert _first(shop, text, "tests")[0] == "tests/test_money.py"
    short, left = shortened(text, 65_536)
    assert (len(short) < 65_536, left) == (True, "")
    assert [(hunk.path, hunk.first) for hunk in read_diff(short)] == [
        ("shop/other.py", 0),
        ("shop/money.py", 4),
    ]
    assert shortened("x" * 70_000, 65_536) == ("x" * 70_000, "")


def test_of_a_diff_with_too_many_changes_some_of_each_file_are_read(shop: Daypack) -> None:
    changes = "".join(
        f"@@ -{20 * n},1 +{20 * n},1 @@\n-old_{n} = '{'x' * 60}'\n+new_{n} = '{'y' * 60}'\n"
        for n in range(20)
    )
    text = "".join(f"--- a/shop/part_{n}.py\n+++ b/shop/part_{n}.py\n{changes}" for n in range(60)) + DIFF
    short, left = shortened(text, 65_536)
    hunks = read_diff(short)
    assert len(short.encode()) <= 65_536
    assert {hunk.path for hunk in hunks} == {hunk.path for hunk in read_diff(text)}
    assert left == f"{len(hunks)} of the 1,201 changes in this long diff were read"
    pack = shop.pack(text, budget=2000, vectors="none", task="tests")
    assert pack.candidates[0].chunk.uri == "tests/test_money.py"
    assert left in pack.text
    files = "".join(f"--- a/{n}.py\n+++ b/{n}.py\n@@ -1,1 +1,1 @@\n-a\n+b\n" for n in range(9_000))
    short, left = shortened(files, 65_536)
    assert len(short) <= 65_536
    assert left.endswith(" of the 9,000 changes in this long diff were read")


def test_a_diff_with_colours_is_read(shop: Daypack) -> None:
    signs = {"-": "\x1b[31m", "+": "\x1b[32m", "@": "\x1b[36m"}
    coloured = "\n".join(
        f"{colour}{line}\x1b[m" if (colour := signs.get(line[:1])) else line for line in DIFF.split("\n")
    )
    pack = shop.pack(coloured, budget=2000, vectors="none", task="impact")
    assert pack.candidates == shop.pack(DIFF, budget=2000, vectors="none", task="impact").candidates


def test_a_diff_of_a_merge_has_a_column_of_signs_for_each_parent(shop: Daypack) -> None:
    diff = (
        "diff --cc shop/money.py\nindex 1f3c2aa,2f3c2aa..0000000\n--- a/shop/money.py\n+++ b/shop/money.py\n"
        "@@@ -3,7 -3,7 +3,11 @@@ Money\n  \n  def rounded(value):\n++<<<<<<< HEAD\n +    return round(value, 3)\n"
        "++=======\n+     return round(value, 4)\n++>>>>>>> topic\n -    return round(value, 2)\n  \n"
    )
    (hunk,) = read_diff(diff)
    assert (hunk.path, hunk.first) == ("shop/money.py", 3)
    assert hunk.side("-") == "    return round(value, 2)"
    assert "    return round(value, 3)\n=======\n    return round(value, 4)" in hunk.side("+")
    assert "tests/test_money.py" in _first(shop, diff, "tests")[:1]


def test_a_path_that_git_puts_in_quotes_is_the_path_of_the_file(tmp_path: Path) -> None:
    code = "def größe(x):\n    return x * 2\n"
    test = "from maß import größe\n\n\ndef test_größe():\n    assert größe(1) == 2\n"
    name = r"ma\303\237.py"
    diff = (
        f'diff --git "a/{name}" "b/{name}"\n--- "a/{name}"\n+++ "b/{name}"\n@@ -1,2 +1,2 @@\n'
        " def größe(x):\n-    return x * 2\n+    return x * 3\n"
    )
    with opened(tmp_path, {"maß.py": code, "test_maß.py": test, "other.py": "x = 2\n"}) as dp:
        pack = dp.pack(diff, budget=500, vectors="none", task="tests")
    assert pack.excerpts[0].citation.uri == "test_maß.py"
    assert not pack.stats.weak_because


def test_a_plain_word_of_a_sentence_is_no_name_of_code(tmp_path: Path) -> None:
    files = {"a.py": "def all(rows):\n    return rows\n", "b.py": "from a import all\n\nall([1])\n"}
    with opened(tmp_path, files) as dp:
        sentence = dp.pack("this is not a diff at all", budget=500, vectors="none", task="impact")
        name = dp.pack("all", budget=500, vectors="none", task="impact")
    assert sentence.stats.weak_because
    assert not name.stats.weak_because


def test_a_name_without_a_test_is_answered_as_weak(shop: Daypack) -> None:
    assert shop.pack("parsed", budget=500, vectors="none", task="tests").stats.weak_because
    assert not shop.pack("rounded", budget=500, vectors="none", task="tests").stats.weak_because


def test_without_uses_of_a_known_name_the_answer_says_that_and_where_to_look(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", FILES)
    done = daypack("code", "uses", "sunshine", cwd=folder)
    assert "Weak answer" not in done.stdout
    done = daypack("code", "uses", "Cart.clear", cwd=folder, status=1)
    assert done.stdout.startswith("Nothing relevant was found: no call or use is known.\n")
    assert "`daypack code related Cart.clear` lists its neighbours" in done.stderr


def test_uses_of_a_name_begin_with_the_source_and_not_with_its_built_copy(tmp_path: Path) -> None:
    built = "function path(a) {\n  return a;\n}\n\nfunction get(a) {\n  return path(a);\n}\n"
    files = {
        "dist/shop.js": built,
        "lib/path.js": "export default function path(a) {\n  return a;\n}\n",
        "lib/get.js": "import path from './path.js';\n\nexport function get(a) {\n  return path(a);\n}\n",
    }
    with opened(tmp_path, files) as dp:
        assert _first(dp, "path", "uses")[0] == "lib/get.js"


def _renamed(old: str, new: str) -> str:
    return f"diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n"


def test_a_rename_without_other_changes_leads_to_the_importers_of_the_old_name(tmp_path: Path) -> None:
    files = {
        **FILES,
        "shop/coins.py": MONEY,
        "shop/__init__.py": "",
        "shop/till.py": "from . import money\n\n\ndef till(value):\n    return money.rounded(value)\n",
        "shop/bank.py": "def money(value):\n    return value\n",
        "docs/sums.md": "# Sums\n\n[The sums](../shop/money.py) have two digits.\n",
    }
    del files["shop/money.py"]
    with opened(tmp_path, files) as dp:
        pack = dp.pack(_renamed("shop/money.py", "shop/coins.py"), budget=2000, vectors="none", task="impact")
        assert not pack.weak
        users = {"shop/cart.py", "shop/invoice.py", "shop/report.py", "shop/till.py", "docs/sums.md"}
        assert users <= {one.chunk.uri for one in pack.candidates[:7]}
        assert _first(dp, _renamed("shop/money.py", "shop/coins.py"), "tests") == ["tests/test_money.py"]


def test_relations_are_followed_from_places_all_over_a_diff(tmp_path: Path) -> None:
    many = "".join(f"def first_{n}():\n    return {n}\n\n\n" for n in range(30))
    files = {
        "a.py": many,
        "z.py": "def last():\n    return 1\n",
        "user.py": "from z import last\n\n\ndef told():\n    return last()\n",
    }
    hunks = "".join(
        f"@@ -{4 * n + 2},1 +{4 * n + 2},1 @@\n-    return {n}\n+    return -1\n" for n in range(30)
    )
    diff = f"--- a/a.py\n+++ b/a.py\n{hunks}--- a/z.py\n+++ b/z.py\n@@ -2,1 +2,1 @@\n-    return 1\n+    return 2\n"
    with opened(tmp_path, files) as dp:
        pack = dp.pack(diff, budget=2000, vectors="none", task="impact")
        told = next(one for one in pack.candidates if one.chunk.uri == "user.py")
        assert "calls" in {part.signal for part in told.contributions}


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("../fix.diff", "give its text; `daypack code tests - < ../fix.diff` reads it"),
        ("main..topic", "`daypack code tests -` reads the output of `git diff main..topic`"),
        ("origin/main...", "`daypack code tests -` reads the output of `git diff origin/main...`"),
        ("HEAD~1", "`daypack code tests -` reads the output of `git diff 'HEAD~1'`"),
        ("HEAD^", "`daypack code tests -` reads the output of `git diff 'HEAD^'`"),
    ],
)
def test_the_name_of_a_diff_is_answered_with_the_command_that_reads_it(
    shop: Daypack, word: str, step: str
) -> None:
    with pytest.raises(NotFound) as raised:
        shop.pack(word, task="tests")
    assert str(raised.value) == f"'{word}' is not a diff; {step}"


def test_a_path_above_the_folder_is_no_name_of_a_diff(shop: Daypack) -> None:
    with pytest.raises(NotFound, match="no file named"):
        shop.pack("../shop/nothing.py", task="tests")
