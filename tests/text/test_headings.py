"""Headings of Markdown as people read them."""

from __future__ import annotations

import pytest

from daypack.chunk.texts.prose import cut_markdown
from daypack.doors.reading.titles import find_title
from daypack.text.headings import without_html

LOGO = '<img alt="chi" src="https://cdn.example/chi.svg" width="220" />'


@pytest.mark.parametrize(
    ("heading", "read"),
    [
        (LOGO, "chi"),
        ("<img src='x.png' alt='Two words'> Guide", "Two words Guide"),
        ('<img src="x.png">', ""),
        ('<a name="install"></a>Install', "Install"),
        ("Press <kbd>Ctrl</kbd>", "Press Ctrl"),
        ("Retries<!-- omit in toc -->", "Retries"),
        ("a<br/>b<BR>c", "abc"),
        ("Vec<T>, List<int> and <stdio.h>", "Vec<T>, List<int> and <stdio.h>"),
        ("`<img alt='x'>` tags", "`<img alt='x'>` tags"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ],
)
def test_html_goes_and_an_image_leaves_its_description(heading: str, read: str) -> None:
    assert without_html(heading) == read


def test_sections_and_titles_of_a_file_are_clean() -> None:
    text = f"# {LOGO}\n\nA router.\n\n## <a id='use'></a> Use `Vec<T>`\n\n" + "Routes are matched. " * 40
    names = [draft.name for draft in cut_markdown(text)]
    assert names == ["chi", "Use Vec<T>"]
    assert find_title(text, "markdown") == "chi"


def test_a_title_is_the_first_heading_with_words() -> None:
    assert find_title('# <img src="x.png">\n\n# Router\n', "markdown") == "Router"
