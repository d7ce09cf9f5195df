"""Relations: what a name leads to, in every language that has a file; and how much of what people labelled is
found.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack import Daypack
from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.facts import FileFacts
from daypack.doors.code.graph.languages import language_of, languages
from daypack.errors import DaypackError, NotFound
from daypack.surfaces.toolsets import verbs
from evals.quality.code.edges import outcomes, public_labels, public_outcomes, report

# What every language can say: a base, a class that extends it, a function that calls another one. One row a
# language: (text, symbols that must be there, (caller, callee) of calls that must be there, bases that must
# be there)
SAMPLES: dict[str, tuple[str, set[str], set[tuple[str, str]], set[str]]] = {
    "python": (
        "class A(Base):\n    def go(self):\n        helper()\n\n\ndef helper():\n    pass\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "javascript": (
        "class A extends Base {\n  go() {\n    helper();\n  }\n}\nconst helper = () => 1;\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "typescript": (
        "class A extends Base implements Shape {\n  go(): void {\n    helper();\n  }\n}\nfunction helper(): void {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base", "Shape"},
    ),
    "tsx": (
        "function App() {\n  return <Row name='x' />;\n}\nfunction Row() {\n  return null;\n}\n",
        {"App", "Row"},
        {("App", "Row")},
        set(),
    ),
    "go": (
        "package p\n\ntype A struct {\n\tBase\n}\n\nfunc (a *A) Go() {\n\thelper()\n}\n\nfunc helper() {}\n",
        {"A", "A.Go", "helper"},
        {("A.Go", "helper")},
        {"Base"},
    ),
    "rust": (
        "struct A;\nimpl Shape for A {\n    fn go(&self) {\n        helper();\n    }\n}\nfn helper() {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Shape"},
    ),
    "java": (
        "class A extends Base implements Shape {\n  void go() {\n    helper();\n  }\n  void helper() {}\n}\n",
        {"A", "A.go", "A.helper"},
        {("A.go", "helper")},
        {"Base", "Shape"},
    ),
    "c": (
        "struct a { int x; };\nvoid helper(int x);\nint go(void) {\n  helper(1);\n  return 0;\n}\n",
        {"a", "helper", "go"},
        {("go", "helper")},
        set(),
    ),
    "cpp": (
        "class A : public Base {\n public:\n  void go();\n};\nvoid A::go() { helper(); }\nvoid helper() {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "csharp": (
        "class A : Base {\n  public void Go() {\n    Helper();\n  }\n  void Helper() { }\n}\n",
        {"A", "A.Go", "A.Helper"},
        {("A.Go", "Helper")},
        {"Base"},
    ),
    "ruby": (
        "class A < Base\n  include Countable\n  def go\n    helper(1)\n  end\n\n  def helper(x)\n    x\n  end\nend\n",
        {"A", "A.go", "A.helper"},
        {("A.go", "helper")},
        {"Base", "Countable"},
    ),
    "php": (
        "<?php\nclass A extends Base implements Shape {\n  function go() { helper(); }\n}\nfunction helper() {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base", "Shape"},
    ),
    "kotlin": (
        "class A(val x: Int) : Base(x) {\n  fun go() {\n    helper()\n  }\n}\n\nfun helper() {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "swift": (
        "class A: Base {\n  func go() {\n    helper()\n  }\n}\nfunc helper() {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "scala": (
        "class A extends Base {\n  def go(): Int = { helper(1) }\n  def helper(x: Int): Int = x\n}\n",
        {"A", "A.go", "A.helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "lua": (
        "local M = {}\nfunction M.go()\n  helper()\nend\nfunction helper() end\nreturn M\n",
        {"M.go", "helper"},
        {("M.go", "helper")},
        set(),
    ),
    "bash": ("go() {\n  helper x\n}\nhelper() {\n  true\n}\n", {"go", "helper"}, {("go", "helper")}, set()),
    "r": (
        "go <- function(x) {\n  helper(x)\n}\nhelper <- function(x) x\n",
        {"go", "helper"},
        {("go", "helper")},
        set(),
    ),
    "elixir": (
        "defmodule A do\n  def go(x) do\n    helper(x)\n  end\n\n  def helper(x), do: x\nend\n",
        {"A", "A.go", "A.helper"},
        {("A.go", "helper")},
        set(),
    ),
    "perl": (
        "package A;\nsub go {\n  helper(1);\n}\nsub helper { 1 }\n",
        {"go", "helper"},
        {("go", "helper")},
        set(),
    ),
    "julia": (
        "function go(x)\n    helper(x)\nend\n\nfunction helper(x)\n    x\nend\n",
        {"go", "helper"},
        {("go", "helper")},
        set(),
    ),
    "dart": (
        "class A extends Base {\n  int go(int x) {\n    return x;\n  }\n}\nint helper(int a) {\n  return a;\n}\n",
        {"A", "A.go", "helper"},
        set(),
        {"Base"},
    ),
    "solidity": (
        "contract A is Base {\n    function go() public {\n        helper();\n    }\n}\n\nfunction helper() pure {}\n",
        {"A", "A.go", "helper"},
        {("A.go", "helper")},
        {"Base"},
    ),
    "fortran": (
        "module a\n  type, extends(base) :: b\n  end type\ncontains\n  subroutine go()\n    call helper()\n  end subroutine\n"
        "  subroutine helper()\n  end subroutine\nend module\n",
        {"a.b", "a.go", "a.helper"},
        {("a.go", "helper")},
        {"base"},
    ),
    "objc": (
        "@interface A : Base\n@end\nint go(void) {\n  helper();\n  return 0;\n}\nvoid helper(void) {}\n",
        {"A", "go", "helper"},
        {("go", "helper")},
        {"Base"},
    ),
}


def test_twenty_languages_and_more_are_known() -> None:
    assert len(languages()) >= 20
    assert set(SAMPLES) == set(languages())


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_language_says_what_it_defines_calls_and_extends(name: str) -> None:
    text, symbols, calls, bases = SAMPLES[name]
    facts = extract(text, name)
    names = {symbol.qualified for symbol in facts.symbols}
    assert symbols <= names
    assert calls <= {
        (facts.symbols[m.scope].qualified if m.scope >= 0 else "", m.name)
        for m in facts.mentions
        if m.role == "call"
    }
    assert bases <= {mention.name for mention in facts.mentions if mention.role == "extend"}
    assert FileFacts.loads(facts.dumps()) == facts


@pytest.mark.parametrize("name", languages())
def test_facts_of_any_text_are_made_without_an_error(name: str) -> None:
    assert language_of(name) is not None
    for text in (
        "",
        "\n",
        "\0",
        "((((((",
        "}}}}",
        "def class func fn <<< >>> @#$%^&*",
        '"' * 99,
        "x" * 100_000,
        "é" * 50 + "\n(a.b(c).d",
    ):
        facts = extract(text, name)
        lines = text.count("\n") + 1
        for symbol in facts.symbols:
            assert 1 <= symbol.start_line <= symbol.line <= symbol.head_line <= symbol.end_line <= lines


@pytest.mark.slow
def test_edges_that_people_labelled_are_found_and_little_else() -> None:
    found = list(outcomes())
    right, wrong, missed = (
        sum(o.right.total() for o in found),
        sum(len(o.wrong) for o in found),
        sum(len(o.missed) for o in found),
    )
    assert right + missed >= 150, "too few labels"
    assert right / (right + wrong) >= 0.95, report(found)
    assert right / (right + missed) >= 0.80, report(found)


def test_public_projects_are_labelled_line_by_line_and_say_how_to_get_them(tmp_path: Path) -> None:
    for public in public_labels():
        assert len(public.labels) >= 40
        assert all(line in public.lines[file] for file, line, _, _ in public.labels)
    with pytest.raises(SystemExit, match="git clone https://"):
        list(public_outcomes(tmp_path))


def test_a_foreign_crate_is_no_import_of_the_file_that_names_it(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "a"\n',
        "src/lib.rs": "mod b;\n",
        "src/b.rs": "use colored::*;\n\npub fn go() {}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [edge.target.file for edge in dp.code.edges("src/b.rs") if edge.relation == "imports"] == []


# ---------------------------------------------------------------- names that are spelt alike


TWINS = {
    "app/files.py": "def open(path):\n    return path\n\n\ndef read(path):\n    return open(path)\n",
    "app/doors.py": "def open(door):\n    return door\n\n\ndef enter(door):\n    return open(door)\n",
    "app/main.py": "from app import doors\nfrom app.files import open as open_file\n\n\ndef main():\n    open_file('x')\n    doors.open('y')\n    open('z')\n",
}


def callers_of(dp: Daypack, reference: str) -> set[tuple[str, str, bool]]:
    return {(row.symbol.name, row.at, row.ambiguous) for row in dp.code.callers(reference)}


def test_two_functions_of_one_name_keep_their_own_callers(tmp_path: Path) -> None:
    with opened(tmp_path / "app", TWINS) as dp:
        assert callers_of(dp, "app/files.py:open") == {
            ("read", "app/files.py:6", False),
            ("main", "app/main.py:6", False),
        }
        assert callers_of(dp, "app/doors.py:open") == {
            ("enter", "app/doors.py:6", False),
            ("main", "app/main.py:7", False),
        }


def test_overloads_and_clauses_are_one_function_to_who_asks_for_its_callers(tmp_path: Path) -> None:
    files = {
        "tide.ex": "defmodule Tide do\n  def rise(nil), do: 0\n  def rise(x), do: x\n\n  def go, do: rise(2)\nend\n",
        "Port.java": "class Port {\n  void moor(int a) {\n  }\n  void moor(String a) {\n  }\n  void all() {\n    moor(1);\n  }\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert callers_of(dp, "Tide.rise") == {("Tide.go", "tide.ex:5", False)}
        assert callers_of(dp, "moor") == {("Port.all", "Port.java:7", False)}


def test_a_function_that_calls_itself_is_among_its_callers_and_any_overload_has_those_of_the_first(
    tmp_path: Path,
) -> None:
    files = {
        "tide.py": "def rise(level):\n    return rise(level - 1) if level else 0\n",
        "Port.java": "class Port {\n  void moor(int a) {\n  }\n  void moor(String a) {\n  }\n  void all() {\n    moor(1);\n  }\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert callers_of(dp, "rise") == {("rise", "tide.py:2", False)}
        assert "rise" not in {row.symbol.name for row in dp.code.related("rise")}
        assert callers_of(dp, "Port.java:4") == {("Port.all", "Port.java:7", False)}


def test_what_cannot_be_told_is_ambiguous_and_names_its_candidates(tmp_path: Path) -> None:
    files = {
        "a.py": "class Left:\n    def turn_around(self):\n        pass\n",
        "b.py": "class Right:\n    def turn_around(self):\n        pass\n",
        "c.py": "def go(thing):\n    thing.turn_around()\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert (
            callers_of(dp, "Left.turn_around")
            == callers_of(dp, "Right.turn_around")
            == {("go", "c.py:2", True)}
        )
        (edge,) = [edge for edge in dp.code.edges("c.py") if edge.relation == "calls"]
        assert edge.ambiguous


def test_a_name_that_belongs_to_a_foreign_module_leads_nowhere(tmp_path: Path) -> None:
    files = {
        "a.py": "def dumps(x):\n    return x\n",
        "b.py": "import json\n\n\ndef go(x):\n    return json.dumps(x)\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert callers_of(dp, "dumps") == set()


def test_a_parameter_hides_the_function_of_its_name(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"a.py": "def run():\n    pass\n\n\ndef go(run):\n    run()\n"}) as dp:
        assert callers_of(dp, "run") == set()


def test_a_changed_file_changes_edges_of_others(tmp_path: Path) -> None:
    with opened(tmp_path / "app", TWINS) as dp:
        path = dp.root / "app/files.py"
        path.write_text(
            path.read_text().replace("def open", "def open_it").replace("return open", "return open_it")
        )
        assert callers_of(dp, "open_it") == {("read", "app/files.py:6", False)}
        assert ("main", "app/main.py:6", False) not in callers_of(dp, "app/doors.py:open")


def test_pages_link_to_files_and_to_symbols(tmp_path: Path) -> None:
    files = {**TWINS, "docs/guide.md": "# Guide\n\nSee [the doors](../app/doors.py), `enter` and `nobody`.\n"}
    with opened(tmp_path / "app", files) as dp:
        edges = {
            (edge.relation, edge.target.file, edge.target.name) for edge in dp.code.edges("docs/guide.md")
        }
        assert edges == {("links", "app/doors.py", "app/doors.py"), ("links", "app/doors.py", "enter")}


def test_code_in_fences_and_notebooks_counts_as_code(tmp_path: Path) -> None:
    notebook = (
        '{"cells": [{"cell_type": "code", "source": ["def plot_rows(rows):\\n", "    return rows\\n"], "outputs": [], "metadata": {}, "execution_count": 1}],'
        ' "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}'
    )
    files = {
        "a.md": "# A\n\n```python\ndef in_a_fence():\n    pass\n```\n",
        "b.ipynb": notebook,
        "c.Rmd": "# C\n\n```{r fit, echo=FALSE}\nfit <- function(x) {\n  x\n}\n```\n",
        "d.md": "# D\n\n```{code-cell} ipython3\ndef solve(model):\n    return model\n```\n",
        "e.qmd": "# E\n\n```{julia}\n#| label: area\narea(x::Ring{T}) where {T} = 2 * x.r\n```\n",
    }
    with opened(tmp_path / "app", files) as dp:
        found = {row.name: dp.get(f"{row.file}:{row.line}").text for row in dp.code.symbols()}
        assert found == {
            "in_a_fence": "def in_a_fence():",
            "plot_rows": "def plot_rows(rows):",
            "fit": "fit <- function(x) {",
            "solve": "def solve(model):",
            "area": "area(x::Ring{T}) where {T} = 2 * x.r",
        }


def test_parametric_definitions_of_julia_are_known(tmp_path: Path) -> None:
    text = (
        "abstract type Shape{T} end\n\nstruct Ring{T<:Real} <: Shape{T}\n    r::T\nend\n\n"
        "function area(x::Ring{T})::T where {T}\n    square(x.r)\nend\n\nsquare(r::T) where {T} = r^2\n"
    )
    with opened(tmp_path / "app", {"shapes.jl": text}) as dp:
        assert {row.name for row in dp.code.symbols()} == {"Shape", "Ring", "area", "square"}
        assert [row.symbol.name for row in dp.code.callers("square")] == ["area"]


# ---------------------------------------------------------------- listings and references


def test_symbols_are_listed_equal_names_first(tmp_path: Path) -> None:
    with opened(
        tmp_path / "app", {**TWINS, "z.py": "def open_door():\n    pass\n\n\nclass Opening:\n    pass\n"}
    ) as dp:
        assert [row.name for row in dp.code.symbols("open")] == ["open", "open", "open_door", "Opening"]
        assert [row.name for row in dp.code.symbols("open", kind="class")] == ["Opening"]
        assert [row.file for row in dp.code.symbols("", path="z.py")] == ["z.py", "z.py"]


def test_symbols_are_listed_by_names_with_the_separators_of_any_language(tmp_path: Path) -> None:
    cart = "<?php\nnamespace Shop;\n\nclass Cart\n{\n    public function total() { return 1; }\n}\n"
    with opened(tmp_path / "app", {"Cart.php": cart}) as dp:
        for name in ("Cart::total", "Cart->total()", "Cart#total", "Cart\\total"):
            assert [row.name for row in dp.code.symbols(name)] == ["Cart.total"], name


@pytest.mark.parametrize(
    "name",
    [
        "shop.cart.total",
        "src.shop.cart.total",
        "cart.total",
        "cart::total()",
        "till.shop.cart.total",
        "shop.Bag.add",
        "Shop\\Bag::add",
    ],
)
def test_a_name_may_begin_with_its_module_or_namespace(tmp_path: Path, name: str) -> None:
    files = {
        "src/shop/cart.py": "def total(rows):\n    return sum(rows)\n\n\ndef due(rows):\n    return total(rows)\n",
        "src/shop/bag.py": "class Bag:\n    def add(self, row):\n        self.rows.append(row)\n\n    def due(self):\n        self.add(1)\n",
        "src/till/count.py": "def total(coins):\n    return len(coins)\n",
    }
    with opened(tmp_path / "app", files) as dp:
        if name.startswith("till"):
            with pytest.raises(NotFound, match="did you mean total"):
                dp.code.callers(name)
        else:
            assert [row.symbol.name.rpartition(".")[2] for row in dp.code.callers(name)] == ["due"]


@pytest.mark.parametrize(
    "name",
    [
        "Port\\Quay::tide",
        "acme.port.Quay.tide",
        "Quay.php:tide",
        "Quay.php:6",
        "src/port/Quay.php#L6-L7",
        "Quay.php#tide",
        "Quay::tide(int $a)",
    ],
)
def test_a_reference_may_name_the_package_or_the_end_of_a_path(tmp_path: Path, name: str) -> None:
    quay = "<?php\nnamespace Acme\\Port;\n\nclass Quay\n{\n    public function tide() {}\n    public function go() { $this->tide(); }\n}\n"
    with opened(
        tmp_path / "app", {"src/port/Quay.php": quay, "src/a/Bay.php": "<?php\n", "b/Bay.php": "<?php\n"}
    ) as dp:
        assert callers_of(dp, name) == {("Quay.go", "src/port/Quay.php:7", False)}
        with pytest.raises(NotFound, match=r"did you mean b/Bay\.php"):
            dp.code.callers("Bay.php:tide")


def test_a_line_after_the_last_of_a_file_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"cart.py": "def total(rows):\n    return sum(rows)\n"}) as dp:
        for reference in ("cart.py:2", "cart.py:2:", "cart.py:2:5", "cart.py:2:5:"):  # as tools write it
            assert dp.code.symbol(reference).name == "total"
        for line in ("cart.py:3", "cart.py#L3-L4", "cart.py:0", "cart.py:-1", "cart.py:33333333333-5"):
            with pytest.raises(NotFound, match=r"cart\.py has no line -?[013,]+; its last line is 2"):
                dp.code.related(line)


def test_a_reference_may_name_the_crate_and_prefers_definitions_outside_tests(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "tide-tables"\n',
        "src/lib.rs": "mod quay;\n",
        "src/quay.rs": "pub fn rise(a: u8) -> u8 {\n    a\n}\n\npub fn go() -> u8 {\n    rise(1)\n}\n",
        "include/port/escape.hpp": "inline int lift(int a) {\n  return a;\n}\nint go() {\n  return lift(1);\n}\n",
        "tests/old.hpp": "namespace port {\ninline int lift(int a) {\n  return a;\n}\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        for name in ("crate::quay::rise", "tide_tables::quay::rise", "tide_tables::rise"):
            assert callers_of(dp, name) == {("go", "src/quay.rs:6", False)}
        assert callers_of(dp, "port::lift") == {("go", "include/port/escape.hpp:5", False)}


def test_the_callers_of_a_file_are_in_other_files(tmp_path: Path) -> None:
    files = {
        **TWINS,
        "tests/test_files.py": "from app.files import read\n\n\ndef test_read():\n    read('x')\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert {(row.at, row.relationship) for row in dp.code.callers("app/files.py")} == {
            ("app/main.py:2", ("imported_by",)),
            ("app/main.py:6", ("called_by",)),
            ("tests/test_files.py:1", ("imported_by",)),
            ("tests/test_files.py:5", ("called_by",)),
        }
        assert [row.symbol.name for row in dp.code.tests_for("app/files.py")] == ["test_read"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("app/files.py:raed", "did you mean read"),
        ("app", "folder, not a symbol or file; `daypack code symbols --path app` lists"),
        ("", "write a name"),
    ],
)
def test_a_wrong_reference_is_answered_with_the_next_step(tmp_path: Path, name: str, message: str) -> None:
    with opened(tmp_path / "app", TWINS) as dp, pytest.raises(DaypackError) as caught:
        dp.code.callers(name)
    assert message in str(caught.value)


def test_tests_for_a_symbol_are_those_that_call_it_or_what_calls_it(tmp_path: Path) -> None:
    files = {**TWINS, "tests/test_main.py": "from app.main import main\n\n\ndef test_main():\n    main()\n"}
    with opened(tmp_path / "app", files) as dp:
        assert [row.symbol.name for row in dp.code.tests_for("main")] == ["test_main"]
        assert [row.symbol.name for row in dp.code.tests_for("app/doors.py:open")] == ["test_main"]
        assert dp.code.tests_for("enter") == []


def test_tests_for_a_file_or_a_type_are_those_that_call_its_methods(tmp_path: Path) -> None:
    files = {
        "mw.py": "class Manager:\n    def run(self):\n        return 1\n",
        "tests/test_mw.py": "from mw import Manager\n\n\nclass Sub(Manager):\n    pass\n\n\ndef test_it():\n    assert Sub().run() == 1\n",
        "src/lib.rs": "pub struct Cart;\nimpl Cart {\n    pub fn total(&self) -> u8 { 1 }\n}\npub fn cart() -> Cart { Cart }\n",
        "tests/cart.rs": "use shop::cart;\n#[test]\nfn totals() {\n    assert_eq!(cart().total(), 1);\n}\n",
        "Cargo.toml": '[package]\nname = "shop"\n',
    }
    with opened(tmp_path / "app", files) as dp:
        assert [row.symbol.name for row in dp.code.tests_for("mw.py")] == ["test_it"]
        assert [row.symbol.name for row in dp.code.tests_for("src/lib.rs:Cart")] == ["totals"]


RUST = """\
pub fn low(day: u32) -> u32 {
    day + 1
}

#[test]
fn it_is_low() {
    assert_eq!(low(1), 2);
}

#[cfg(test)]
mod tests {
    // What follows runs on no lighthouse.
    #[tokio::test]
    async fn it_is_low_at_night() {
        assert_eq!(super::low(2), 3);
    }
}

#[cfg(not(test))]
pub fn high(day: u32) -> u32 {
    low(day) + 6
}
"""


def test_tests_inside_the_file_of_their_code_are_tests_for_it(tmp_path: Path) -> None:
    with opened(tmp_path / "p", {"src/tide.rs": RUST}) as dp:
        assert [row.symbol.name for row in dp.code.tests_for("low")] == [
            "it_is_low",
            "tests.it_is_low_at_night",
        ]
        assert "high" in [row.symbol.name for row in dp.code.callers("low")]


ELIXIR = {
    "lib/shop/cart.ex": "defmodule Shop.Cart do\n  def total(cart), do: cart\n  def clear(cart), do: cart\nend\n",
    "lib/shop/till.ex": "defmodule Shop.Till do\n  import Shop.Cart\n  def pay(cart), do: total(cart)\nend\n",
    "lib/shop/other.ex": "defmodule Shop.Other do\n  def pay(cart), do: total(cart)\nend\n",
}


def test_the_functions_of_an_imported_module_of_elixir_are_known(tmp_path: Path) -> None:
    with opened(tmp_path / "p", ELIXIR) as dp:
        certain = [row.symbol.name for row in dp.code.callers("Shop.Cart.total") if not row.ambiguous]
    assert certain == ["Shop.Till.pay"]


CLASSES = {
    "Shop/Cart.cs": "namespace Shop;\npublic partial class Cart {\n    public Cart(int lines) { }\n    public int Total() { return 1; }\n}\n",
    "Shop/Cart.Async.cs": "namespace Shop {\n    public partial class Cart\n#if HAS_DISPOSE\n        : IDisposable\n#endif\n    {\n"
    "        public int Later() { return Total(); }\n    }\n}\n",
    "Shop/Till.cs": "namespace Shop;\npublic class Till {\n    public int Pay() { return new Cart(2).Total(); }\n}\n",
}


def test_the_name_of_a_class_means_the_class_not_its_constructor_or_a_further_part(tmp_path: Path) -> None:
    with opened(tmp_path / "p", CLASSES) as dp:
        assert dp.code.symbol("Cart").file == "Shop/Cart.cs"
        assert dp.code.symbol("Cart").kind == "class"
        assert dp.code.symbol("Cart.Cart").line == 3


def test_a_condition_in_the_head_of_a_class_does_not_change_its_name(tmp_path: Path) -> None:
    with opened(tmp_path / "p", CLASSES) as dp:
        assert [row.name for row in dp.code.symbols("Later")] == ["Cart.Later"]
        assert [*dp.code.symbols("HAS_DISPOSE")] == []
        found = dp.search("where is Later", vectors="none").candidates[0].chunk
    assert found.name == "Shop.Cart.Later"


def test_a_variable_with_the_name_of_an_imported_module_of_rust_does_not_hide_it(tmp_path: Path) -> None:
    files = {
        "src/lib.rs": "mod pager;\nmod output;\n",
        "src/pager.rs": "pub fn start(lines: u32) -> u32 {\n    lines\n}\n",
        "src/output.rs": "pub fn show() -> u32 {\n    use crate::pager::{self};\n    let pager = pager::start(1);\n    pager\n}\n",
    }
    with opened(tmp_path / "p", files) as dp:
        assert [row.symbol.name for row in dp.code.callers("start")] == ["show"]


def test_an_agent_gets_all_calls_from_one_symbol_in_one_row(tmp_path: Path) -> None:
    shop = "from cart import total\n\ntotal()\n\n\ndef pay():\n    return total()\n\n\ntotal()\n"
    callers = verbs()["callers"]
    with opened(tmp_path / "app", {"cart.py": "def total():\n    return 1\n", "shop.py": shop}) as dp:
        whole = callers(dp, {"reference": "total"})
    assert isinstance(whole, dict)
    shortened = callers.for_agent(whole)
    assert isinstance(shortened, dict)
    assert shortened["data"]["callers"] == [{"file": "shop.py", "called_by": ["3, 10", "7 pay:6-7"]}]
    assert [row["at"] for row in whole["data"]["callers"]] == ["shop.py:3", "shop.py:10", "shop.py:7"]
