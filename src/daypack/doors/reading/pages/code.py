"""The code of a web page, so that its Markdown has it as it is written: with its language, without links or quotes."""

from __future__ import annotations

import re

# Code that is quoted only to indent it.
_QUOTED = re.compile(
    r"<blockquote\b[^<>]*>\s*(<pre\b[^<>]*>(?:(?!</pre)[\s\S])*</pre\s*>)\s*</blockquote\s*>", re.IGNORECASE
)
_OPENS = re.compile(r"<pre\b([^<>]*>(?:\s*<code\b[^<>]*>)?)", re.IGNORECASE)
# Sphinx, GitHub, Rouge and Hexo name the language on an element around the code.
_AROUND = re.compile(
    r"<(?:div|figure)\b([^<>]*)>(?:\s*</?(?:div|figure|span|code|button)\b[^<>]*>)*\s*\Z", re.IGNORECASE
)
_FARTHEST = 400  # characters between that element and the code
# … and Org, SyntaxHighlighter and Pandoc on its own
_LANGUAGE = re.compile(
    r"""\bclass\s*=\s*["']?[^"'<>]*?
        (?:\b(?:highlight-(?:source-)?|lang(?:uage)?-|src-|brush:\s*)|\b(?:sourceCode|highlight)\s+)
        ([a-z][\w+\#]{0,15}(?:-[\w+\#]{1,15})?)(?=["'\s;>]|\Z)""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_LANGUAGE = frozenset(["default", "none", "text", "txt", "plain", "plaintext", "source", "table"])
# links, the button that copies the code, and the place between two listings, as Node.js has for each kind of module
_IN_CODE = re.compile(
    r"<(/?)(pre|a)\b[^<>]*>|<button\b[^<>]*+>[^<]*+(?:<(?!/button)[^<]*+){0,30}+</button\s*>|</code\s*>(?=<code\b)",
    re.IGNORECASE,
)


def with_plain_code(text: str) -> str:
    """The page with each `<pre>` outside quotes, its language as its class, without links and buttons."""
    if "<blockquote" in text or "<BLOCKQUOTE" in text:
        text = _QUOTED.sub(r"\1", text)
    text = _OPENS.sub(_named, text)
    return _IN_CODE.sub(_Plain(), text)


def _named(opens: re.Match[str]) -> str:
    start = opens.start()
    around = _AROUND.search(opens.string, max(0, start - _FARTHEST), start)
    for attributes in (opens[1], around[1] if around else ""):
        found = _LANGUAGE.search(attributes)
        if found and found[1].lower() not in _NO_LANGUAGE:
            return f'<pre class="language-{found[1].lower()}"{opens[1]}'  # the first class counts
    return opens[0]


class _Plain:
    """The replacement of one tag after the other: in code, links and buttons go."""

    def __init__(self) -> None:
        self._in_code = False

    def __call__(self, tag: re.Match[str]) -> str:
        if (tag[2] or "").lower() == "pre":
            self._in_code = not tag[1] and not tag[0].endswith("/>")  # which holds no code
            return tag[0]
        if not self._in_code:
            return tag[0]
        return f"{tag[0]}\n" if tag[0].startswith("</code") else ""
