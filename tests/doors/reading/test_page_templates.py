"""Pages that a program fills in stay as they are; pages that somebody reads are rendered."""

from __future__ import annotations

import pytest

from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.languages import detect_language
from daypack.types import IngestIssue, Record, RecordKind, SkipReason


def record(text: str, name: str) -> Record:
    found = record_from_bytes(text.encode(), uid=name)
    assert isinstance(found, Record)
    return found


@pytest.mark.parametrize(
    "body",
    [
        '{% extends "base.html" %}\n<h1>Boats</h1>',
        "<h1>{{ boat.name }}</h1><p>{{ boat.berth|upper }}</p>",
        '<h1 th:text="#{boats}">Boats</h1><p th:if="${late}">Late</p>',
        '<li v-for="boat in boats">{{ boat.name }}: {{ boat.berth }}</li>',
        '<li *ngFor="let boat of boats" (click)="open(boat)">Boat</li>',
        "<% for boat in boats %><h1>Boats</h1><% end %>",
        '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Body }}',
        "<h1>{{#if late}}Late{{/if}}</h1>",
    ],
)
def test_a_template_of_html_keeps_its_lines(body: str) -> None:
    text = f"<html>\n<body>\n{body}\n</body>\n</html>\n"
    found = record(text, "boats.html")
    assert (found.text, found.language, found.rendered, found.kind) == (text, "html", "", RecordKind.CODE)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Templates</h1><p>Write <code>{{ name }}</code> and <code>{% if a %}</code>.</p>",
        '<h1>Templates</h1><pre>&lt;p v-if="a"&gt;{{ name }}\n{% for x in y %}</pre><p>Loops.</p>',
        "<h1>Templates</h1><p>Braces as in {{ name }} are filled in.</p>",
        "<h1>Boats</h1><!-- {% old %} {{ old }} {% end %} --><p>Words.</p>",
    ],
)
def test_a_page_about_templates_is_a_page(body: str) -> None:
    found = record(f"<html><body>{body}</body></html>", "templates.html")
    assert (found.language, found.rendered, found.kind) == ("markdown", "html", RecordKind.DOCUMENT)


def test_the_template_of_a_component_has_attributes_of_its_framework() -> None:
    text = '<ul>\n  <li v-for="boat in boats" @click="open(boat)">Boat</li>\n</ul>\n'
    assert record(text, "boats.component.html").text == text


def test_a_saved_page_of_a_web_app_is_a_page() -> None:
    body = '<div x-data="{}" @click="open = true" :class="open"><h1>News</h1><p>The pier is open.</p></div>'
    script = "function count() {\n  return 1\n}\n" * 200
    text = (
        f"<html><body>{body}{'<p>Ten more boats came in.</p>' * 100}<script>\n{script}</script></body></html>"
    )
    assert record(text, "news.html").rendered == "html"


def test_the_first_page_of_a_web_app_is_not_empty() -> None:
    text = '<html><head><meta name="theme-color" content="#123456"></head><body><div id="root"></div><script src="/main.ts"></script></body></html>'
    assert record(text, "index.html").text == text


@pytest.mark.parametrize(
    "body",
    [
        '<a class="skip-link" href="#main">Skip to the content</a>\n<div id="app"></div>\n<noscript>It needs JavaScript.</noscript>',
        '<div id="root">Loading…</div>',
        '<div id="root"><div class="spinner"><p>Loading…</p></div></div>',
        "<h1>Boats</h1><app-root></app-root>",
    ],
)
def test_the_first_page_of_a_web_app_is_kept_though_it_shows_a_few_words(body: str) -> None:
    head = '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">\n<link rel="preload" href="/a.woff2">'
    text = f'<html>\n<head>\n{head}\n</head>\n<body>\n{body}\n<script type="module" src="/main.ts"></script>\n</body>\n</html>\n'
    assert (record(text, "index.html").text, record(text, "index.html").kind) == (text, RecordKind.CODE)


def test_a_short_page_that_is_counted_by_a_script_is_a_page() -> None:
    body = '<div id="content"><h1>Boats</h1><p>The pier is open from six.</p></div>'
    text = f'<html><body>{body}<script src="/count.js"></script></body></html>'
    assert record(text, "index.html").rendered == "html"


def test_a_fetched_page_is_a_page_whatever_it_holds() -> None:
    empty = b'<html><body><div id="root"></div><script src="/main.ts"></script></body></html>'
    found = record_from_bytes(empty, uid="page.html", fetched=True)
    assert isinstance(found, IngestIssue)
    assert found.reason is SkipReason.EMPTY
    braces = b"<html><body><h1>{{ boat.name }}</h1><p>{{ boat.berth }} is free.</p></body></html>"
    found = record_from_bytes(braces, uid="page.html", fetched=True)
    assert isinstance(found, Record)
    assert found.rendered == "html"


def test_a_page_that_is_a_script_keeps_it() -> None:
    script = "".join(f"const boat{n} = moor({n})\n" for n in range(40))
    text = f"<html><body><h1>Demo</h1>\n<script>\n{script}</script></body></html>"
    assert (record(text, "demo.html").text, record(text, "demo.html").kind) == (text, RecordKind.CODE)
    packed = text.replace("\n", " ")
    assert record(packed, "demo.html").rendered == "html"
    data = text.replace("<script>", '<script type="application/ld+json">')
    assert record(data, "demo.html").rendered == "html"


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("show.html.erb", "embedded_template"),
        ("index.html.heex", "eex"),
        ("Login.cshtml", "razor"),
        ("Cart.razor", "razor"),
        ("invite.blade.php", "blade"),
        ("boats.html.twig", "twig"),
        ("boats.hbs", "handlebars"),
        ("MainPage.xaml", "xaml"),
        ("boats.pug", "pug"),
        ("vars.pcss", "css"),
    ],
)
def test_templates_are_code_by_their_ending(name: str, language: str) -> None:
    assert detect_language(name, "") == (language, RecordKind.CODE)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("howto.html.md.erb", "markdown"),
        ("README.md.j2", "markdown"),
        ("guide.rst.tmpl", "rst"),
        ("mail.adoc.mustache", "asciidoc"),
    ],
)
def test_a_page_in_markdown_with_tags_of_a_template_is_a_page(name: str, language: str) -> None:
    text = "# Moving a record\n\nAsk <%= owner %> first.\n"
    assert detect_language(name, text) == (language, RecordKind.DOCUMENT)
