"""Globs against a matcher that tries everything."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.filters import Glob
from daypack.filters.sql import glob_regex, to_sql
from support import in_the_end


def matches(pattern: str, uri: str) -> bool:
    return re.search(glob_regex(pattern), uri, re.DOTALL) is not None


def reference(pattern: str, uri: str, before: str = "/") -> bool:
    """By trying everything: `*` and `?` stay in a folder, `**` does not, and `**/` in place of folders may be
    none.
    """
    if not pattern:
        return not uri
    if pattern.startswith("**"):
        rest = pattern.lstrip("*")
        if rest.startswith("/") and before == "/":
            return reference(rest[1:], uri) or any(
                uri[i] == "/" and reference(rest[1:], uri[i + 1 :]) for i in range(len(uri))
            )
        return any(reference(rest, uri[i:], "*") for i in range(len(uri) + 1))
    if pattern[0] == "*":
        return any("/" not in uri[:i] and reference(pattern[1:], uri[i:], "*") for i in range(len(uri) + 1))
    same = bool(uri) and (uri[0] == pattern[0] or (pattern[0] == "?" and uri[0] != "/"))
    return same and reference(pattern[1:], uri[1:], pattern[0])


@settings(max_examples=1500)
@given(
    st.lists(st.sampled_from(["a", "b", "/", "*", "**", "**/", "?", "ab"]), min_size=1, max_size=9).map(
        "".join
    ),
    st.text(alphabet="ab/", max_size=12),
)
def test_a_glob_matches_what_trying_everything_matches(pattern: str, uri: str) -> None:
    if "*" in pattern or "?" in pattern:
        assert matches(pattern, uri) == reference(pattern if "/" in pattern else f"**/{pattern}", uri)
    else:
        assert matches(pattern, uri) == (
            uri == pattern.rstrip("/") or uri.startswith(pattern.rstrip("/") + "/")
        )


@given(
    st.lists(st.sampled_from(["a", "b", "/", "*", "**", "?", "./", "\ud7fe", "\ud7ff", "\ue000", "\U0010ffff"]), min_size=1, max_size=6).map("".join),
    st.text(alphabet="ab/\ud7ff\ue000\U0010ffff", max_size=6),
)  # fmt: skip
def test_every_name_that_a_glob_matches_lies_between_its_bounds(pattern: str, uri: str) -> None:
    condition, (*bounds, expression) = to_sql(Glob(pattern))
    if bounds and re.search(expression, uri, re.DOTALL):
        assert condition == "(uri >= ? AND uri < ? AND uri REGEXP ?)"
        first, end = bounds
        assert first.encode() <= uri.encode() < end.encode()  # as SQLite compares


@pytest.mark.parametrize(
    "pattern", ["**/" * 40 + "x", "*a" * 40, "**a" * 40, "**/a*/" * 20 + "x", "a?*" * 40, "*/" * 40 + "x"]
)
def test_no_glob_takes_long(pattern: str) -> None:
    with in_the_end():
        for uri in ("a" * 4_000, "a/" * 2_000, "a" * 60 + "/" + "a" * 60):
            matches(pattern, uri)


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("src/**/*.py", "src/a/b/c.py", "src.py"),
        ("src/**/*.py", "src/c.py", "src/c.pyc"),
        ("*.md", "docs/deep/a.md", "a.mdx"),
        ("docs/", "docs/a.md", "mydocs/a.md"),
        ("docs", "docs/deep/a.md", "docs2/a.md"),
        ("./docs/*.md", "docs/a.md", "docs/deep/a.md"),
        ("docs/**", "docs/deep/a.md", "doc/a.md"),
        ("app/[id]/", "app/[id]/page.tsx", "app/i/page.tsx"),
        ("a.b", "a.b", "axb"),
    ],
)
def test_globs_as_people_write_them(pattern: str, yes: str, no: str) -> None:
    assert matches(pattern, yes)
    assert not matches(pattern, no)
