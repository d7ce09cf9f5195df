"""A page as it is saved from a site: its menus, footers and anchors are not its text."""

from __future__ import annotations

from daypack.doors.reading.pages.rendering import render_html

ITEMS = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in ("Home", "Docs", "Search", "About"))
SITE = f"""<html><body>
<div role="navigation"><h3>Navigation</h3><ul>{ITEMS}</ul></div>
<h1>Tides<a class="headerlink" href="#tides" title="Link to this heading">¶</a></h1>
<p>High water is at noon, see <a href="#moon">the moon</a> and <a href="almanac.html" title="Next page">the almanac</a>.</p>
<nav><a href="#a">Previous topic</a></nav>
<footer>© Harbour office, all rights reserved</footer>
</body></html>"""


def test_navigation_and_footers_are_no_text_of_a_page() -> None:
    assert render_html(SITE) == (
        "# Tides\n\nHigh water is at noon, see the moon and [the almanac](almanac.html).\n"
    )


def test_a_question_about_cookies_is_no_text_of_a_page() -> None:
    asked = "<p>We and our 143 partners store information.</p><button>Accept all</button>"
    for dialog in (
        f'<div role="dialog">{asked}</div>',
        f'<div role="alertdialog">{asked}</div>',
        f"<dialog>{asked}</dialog>",
    ):
        page = render_html(f"<body>{dialog}<h1>Tides</h1><p>At noon, see <b>cookies</b>.</p></body>")
        assert page == "# Tides\n\nAt noon, see **cookies**.\n", dialog


def test_a_menu_without_landmarks_before_the_first_heading_is_left_out() -> None:
    page = render_html(f"<div><ul>{ITEMS}</ul></div><h1>Tides</h1><p>At noon.</p>")
    assert page is not None
    assert page.split() == ["#", "Tides", "At", "noon."]


def test_a_table_of_the_headings_of_the_page_is_left_out() -> None:
    rows = "".join(f'<p><a href="#h{n}">{n}. Part</a></p>' for n in range(5))
    page = render_html(f"<h1>Tides</h1>{rows}<h2>1. Part</h2><p>At noon.</p>")
    assert page is not None
    assert page.split("\n\n") == ["# Tides", "## 1. Part", "At noon.\n"]


def test_links_to_other_pages_stay_after_the_first_heading() -> None:
    page = render_html(f"<h1>All pages</h1><ul>{ITEMS}</ul>")
    assert page is not None
    assert page.count(".html") == 4


def test_a_list_of_links_is_the_text_of_a_page_without_headings() -> None:
    page = render_html(f"<ul>{ITEMS}</ul>")
    assert page is not None
    assert page.count(".html") == 4


def test_a_page_inside_a_navigation_that_never_ends_keeps_its_text() -> None:
    page = render_html("<nav><a href='x.html'>x</a><h1>Tides</h1><p>High water is at noon.</p>")
    assert page is not None
    assert "High water is at noon." in page


def test_code_that_looks_like_a_link_stays_as_it_is() -> None:
    page = render_html("<h1>Links</h1><pre><code>[a](#b)\n[c](#d)\n[e](#f)\n</code></pre>")
    assert page is not None
    assert "[a](#b)\n[c](#d)\n[e](#f)" in page


def test_an_image_beside_the_words_of_a_heading_or_link_is_no_part_of_them() -> None:
    page = render_html(
        '<h1><img src="logo.png" alt="logo.png (6897 bytes)"> Tides</h1><p>See <a href="moon.html"><img src="next.gif" alt="next"><br>the moon</a>.</p>'
    )
    assert page == "# Tides\n\nSee [the moon](moon.html).\n"


def test_a_heading_that_is_an_image_keeps_its_description() -> None:
    page = render_html('<h1><img src="logo.png" alt="Tides"></h1><p>At noon.</p>')
    assert page is not None
    assert "Tides" in page


def test_code_that_is_quoted_to_indent_it_is_code() -> None:
    page = render_html("<h1>Tides</h1><blockquote><pre>high = 12\nlow = 6</pre></blockquote>")
    assert page == "# Tides\n\n```\nhigh = 12\nlow = 6\n```\n"


def test_words_of_links_and_pictures_beside_each_other_stay_apart() -> None:
    page = render_html(
        '<p><a href="/docs/">Docs</a><a href="/api/">API</a><a href="#">3 stars</a> of the <a href="/tide/">tide</a>s<a href="#n">[1]</a> at <a href="/n">noon</a><a href="#n">2</a></p>'
        '<p>Photo<a href="/x"><img src="https://a.test/b.png" alt="A pier"></a></p>'
    )
    assert page == "Docs API 3 stars of the tides[1] at noon2\n\nPhoto A pier\n"


def test_a_link_to_another_site_without_its_protocol_stays() -> None:
    assert render_html('<p>See <a href="//a.test/b">tides</a>.</p>') == "See [tides](//a.test/b).\n"


def test_links_of_the_site_and_pictures_elsewhere_are_words_and_other_links_stay() -> None:
    page = render_html(
        '<h1>Tides</h1><p><a href="/wiki/Moon_(lamp)" title="Moon">The moon</a> and <a href="sun.html">the sun</a>, '
        '<a href="https://tides.example/a">a table</a>.</p><p><a href="/wiki/File:a.jpg"><img src="//cdn.example/a.jpg" alt="A quay"></a></p>'
        '<p><img src="lamp.png" alt="A lamp"></p>'
    )
    assert page == (
        "# Tides\n\nThe moon and [the sun](sun.html), [a table](https://tides.example/a).\n\nA quay\n\n![A lamp](lamp.png)\n"
    )


def test_the_link_to_skip_a_menu_and_the_parts_around_a_wiki_page_are_left_out() -> None:
    page = render_html(
        '<div><a href="#content">Skip to content</a></div><h1>Tides</h1><div class="vector-dropdown mw-portlet-lang"><ul>'
        '<li><a href="https://de.example/Tiden">Deutsch</a></li></ul></div>'
        '<h2>Early<span class="mw-editsection">[<a href="/w/index.php?action=edit">edit</a>]</span></h2><p>At noon.</p>'
        '<h2 id="x">Late<a class="hash-link" href="#x">\u200b</a></h2>'
    )
    assert page == "# Tides\n\n## Early\n\nAt noon.\n\n## Late\n"


def test_a_link_around_a_picture_without_a_description_is_left_out() -> None:
    page = render_html(
        '<h1>Tides</h1><p><a href="https://quay.example/a_(b)"><img src="/logo.png" alt=""></a> High water is at noon.</p>'
        '<p><a href="moon.html"><img src="lamp.png"></a></p>'
    )
    assert page == "# Tides\n\nHigh water is at noon.\n\n[![](lamp.png)](moon.html)\n"
