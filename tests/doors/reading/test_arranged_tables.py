"""Code and headings in the tables of web pages, and tables that only arrange a page."""

from __future__ import annotations

import pytest

from daypack.doors.reading.pages.code import with_plain_code
from daypack.doors.reading.pages.rendering import render_html, with_plain_tables

CODE = "```{}\ndef fold(tail):\n    return tail\n```\n"


def converted(body: str) -> str:
    page = render_html(f"<body>{body}</body>")
    assert page is not None
    return page


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ('<table><tr><td><pre class="programlisting">def fold(tail):\n    return tail\n</pre></table>', ""),
        (  # Sphinx, with numbers of lines
            '<div class="highlight-python"><table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td>'
            '<td class="code"><div><pre><span></span><b>def</b> fold(tail):\n    return tail\n</pre></div></td></tr></table></div>',
            "python",
        ),
        (  # Rouge
            '<div class="language-python highlighter-rouge"><div class="highlight"><pre class="highlight"><code>'
            '<table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td>'
            '<td class="rouge-code"><pre>def fold(tail):\n    return tail\n</pre></td></tr></tbody></table>'
            "</code></pre></div></div>",
            "python",
        ),
        (  # Hexo
            '<figure class="highlight python"><table><tr><td class="gutter"><pre><span>41</span><br><span>42</span><br></pre></td>'
            '<td class="code"><pre><span class="line">def fold(tail):</span><br><span class="line">    return tail</span><br></pre>'
            "</td></tr></table></figure>",
            "python",
        ),
    ],
    ids=["alone", "Sphinx", "Rouge", "Hexo"],
)
def test_code_in_a_table_keeps_its_lines_and_loses_their_numbers(body: str, language: str) -> None:
    assert converted(f"<h1>Folds</h1>{body}") == f"# Folds\n\n{CODE.format(language)}"


def test_code_beside_code_follows_it() -> None:
    table = "<table><tr><th>Before</th><th>After</th></tr><tr><td><pre>a = 1\nb = 2</pre></td><td><pre>a, b = (\n  1, 2)</pre></td></tr></table>"
    assert converted(table) == "Before\n\nAfter\n\n```\na = 1\nb = 2\n```\n\n```\na, b = (\n  1, 2)\n```\n"


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("<pre><code>fold --all\n</code></pre>", "`fold --all`"),  # one line
        ("1<br>2", "1 2"),
        ("<ul><li>a</li></ul>", "a"),
    ],
)
def test_a_table_of_values_stays_one(cell: str, shown: str) -> None:
    page = converted(f"<table><tr><th>Call</th><th>Use</th></tr><tr><td>{cell}</td><td>all</td></tr></table>")
    assert page.splitlines()[2] == f"| {shown} | all |"


def test_a_table_of_values_with_code_of_several_lines_in_a_few_rows_stays_one() -> None:
    rows = "".join(f"<tr><td>x{n}</td><td>{n}</td></tr>" for n in range(3))
    page = converted(f"<table>{rows}<tr><td><pre>a\nb</pre></td><td>4</td></tr></table>")
    assert [line for line in page.splitlines() if line.startswith("|")][-1].endswith("| 4 |")


@pytest.mark.parametrize(
    "start", ["<table><tr><td>", '<table role="presentation"><tr><td>Menu</td></tr><tr><td>', "<table><tr><td>Menu</td><td>"]
)  # fmt: skip
def test_a_table_that_arranges_a_page_leaves_its_headings_paragraphs_and_tables(start: str) -> None:
    page = converted(
        f"{start}<h1>Tides</h1><p>At noon.</p><p>Twice a day.</p>"
        "<table><tr><th>Day</th><th>High</th></tr><tr><td>Monday</td><td>12:10</td></tr></table></td></tr></table>"
    )
    shown = "# Tides\n\nAt noon.\n\nTwice a day.\n\n| Day | High |\n| --- | --- |\n| Monday | 12:10 |\n"
    assert page.removeprefix("Menu\n\n") == shown


def test_a_heading_alone_in_its_row_stands_above_a_table_of_values() -> None:
    rows = "<tr><td>int<td>fold(int)</tr><tr><td><td>Folds.</tr><tr><td colspan=2>&nbsp;</td></tr>"
    members = "<table><tr><td colspan=2><h2>{}</h2></td></tr>" + rows + "{}</table>"
    shown = "| int | fold(int) |\n| --- | --- |\n|  | Folds. |\n|  |  |\n"
    page = converted(members.format("Functions", "<tr><td colspan=2><h2>Others</h2></td></tr>" + rows))
    assert page == f"## Functions\n\n{shown}\n## Others\n\n{shown}"


def test_a_heading_above_a_menu_and_a_text_stands_above_both() -> None:
    page = converted("<table><tr><td colspan=2><h1>Tides</h1></tr><tr><td>Menu<td>At noon.</tr></table>")
    assert page == "# Tides\n\nMenu\n\nAt noon.\n"


def test_a_table_with_names_of_columns_keeps_the_headings_in_its_cells() -> None:
    page = converted(
        "<table><tr><th>Place</th><th>Monday</th></tr><tr><th>Pier</th><td><h2>Tides</h2><p>2 seats</p></td></tr></table>"
    )
    assert page == "| Place | Monday |\n| --- | --- |\n| Pier | Tides 2 seats |\n"


def test_links_behind_code_that_has_none_stay() -> None:
    page = converted('<p>Run <pre ref="fold.1" />See <a href="https://tides.test/">tides</a>.</p>')
    assert "[tides](https://tides.test/)" in page


def test_links_in_code_are_words_and_elsewhere_links() -> None:
    page = converted(
        '<pre class="item-decl"><code>fn <a href="#f">fold</a>(<a href="t.html">Tail</a>)\n</code></pre><p>See <a href="t.html">Tail</a>.</p>'
    )
    assert page == "```\nfn fold(Tail)\n```\n\nSee [Tail](t.html).\n"


def test_the_button_of_code_is_left_out_and_two_listings_have_lines_of_their_own() -> None:
    page = converted(
        '<pre><input type="checkbox"><code>import { a } from "a";</code><code>const { a } = require("a");</code>'
        "<button class='copy'><span>copy</span></button></pre><p><button>When is high water?</button></p>"
    )
    assert page == '```\nimport { a } from "a";\nconst { a } = require("a");\n```\n\nWhen is high water?\n'


@pytest.mark.parametrize("anchor", ["#", "¶", " § ", "&para;"])
def test_a_heading_has_no_sign_for_a_link_to_itself(anchor: str) -> None:
    page = converted(f'<h2>Tides<span><a class="mark" href="#tides" id="tides">{anchor}</a></span></h2>')
    assert page == "## Tides\n"


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ('<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>x</pre></div></div>', "ipython3"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<div class="sourceCode"><pre class="sourceCode cpp"><code class="sourceCode cpp">x</code></pre></div>', "cpp"),
        ('<pre class="src src-emacs-lisp">x</pre>', "emacs-lisp"),
        ('<pre class="brush: js; gutter: false">x</pre>', "js"),
        ('<div class="highlight-default notranslate"><div class="highlight"><pre>x</pre></div></div>', ""),
        ('<div class="language-plaintext highlighter-rouge"><pre><code>x</code></pre></div>', ""),
        ('<div class="language-go"><p>Folds</p><pre>x</pre></div>', ""),
        ('<pre class="highlight">x</pre>', ""),
    ],
)  # fmt: skip
def test_code_has_the_language_that_its_page_names(body: str, language: str) -> None:
    assert converted(body).endswith(f"```{language}\nx\n```\n")


@pytest.mark.parametrize(
    "part",
    ["<table><tr><td>", "<pre><table><tr><td>1</table></pre>", "<td rowspan=9>x<table><tr>", "<tr><td><h2>", "<tr><th>", "<tr><td>1<td>2<tr><td><h2>",
     "<pre>a\nb</pre><td>1",
     '<div class="language-x"><div><pre>', "<pre> <pre><code>", "<a ", "<a href=#>", "<pre><button>", "<pre><a>", '<pre class="highlight '],
)  # fmt: skip
def test_a_page_of_tables_or_code_without_end_is_read_in_a_moment(part: str) -> None:
    page = "<table><tr><td>" + part * (1_000_000 // len(part)) + "</table>"
    assert len(with_plain_code(with_plain_tables(page))) < 3 * len(page)  # hours if quadratic
