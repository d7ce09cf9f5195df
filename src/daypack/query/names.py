"""The concrete things that a text names: paths, identifiers, quotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from daypack.query.sections import Sections
from daypack.text import analysis
from daypack.text.name_sets import name_set
from daypack.text.paths import CODE_ENDINGS, is_test_path
from daypack.types import Anchor, AnchorKind

LONGEST_NAME = 200
MOST_PATHS = 200
_MOST_ANCHORS = 20
_MOST_MENTIONS = 200
_LONGEST_CALLED = 300  # characters of a title that are read for it
_MOST_NAMES = 4  # that a query may be without being a sentence
_MENTION_TITLE, _MENTION_INLINE, _MENTION_PROSE, _MENTION_TRACE, _MENTION_CODE = 3.0, 2.0, 1.0, 1.0, 0.1


_ENDINGS = CODE_ENDINGS | name_set(
    """md mdx rst rdoc txt adoc org tex svg jsonl ndjson csv tsv log diff patch lock pdf docx xlsx png jpg gif wasm pb db sqlite parquet"""
)
_FILE_NAMES = name_set(
    """Makefile Dockerfile Containerfile Gemfile Rakefile Procfile Jenkinsfile Justfile Vagrantfile CODEOWNERS .gitignore .dockerignore
    .editorconfig .env .gitattributes .npmrc .bashrc .zshrc .eslintrc .prettierrc"""
)
_ROOTS = name_set(
    "src lib libs tests test docs doc app apps pkg packages cmd internal crates modules scripts tools examples bin etc usr home var tmp"
)
_PRODUCTS = name_set(  # names that end like a file
    """node.js vue.js next.js nuxt.js react.js express.js three.js d3.js ember.js backbone.js angular.js chart.js moment.js require.js
    socket.io discord.js alpine.js solid.js knockout.js p5.js asp.net"""
)
_NO_EXTENSION = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "u.k", "vs", "etc"})

# Runs that may be a path: no blanks, quotation marks, brackets; no Han, kana, Hangul, which surround paths
# without blanks.
_NOT_IN_PATHS = r"\s\"'`()\[\]{}<>,;|*?!="
_PATH_RUN = re.compile(f"[^{_NOT_IN_PATHS}]+")  # of ASCII
_LINE_SUFFIX = r"(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)$"
# behind a path and before it: "cart.py, at line 12", "line 12 of cart.py"
_LINE_AFTER = re.compile(
    r"[`\"')]*,?\s+\(?(?:(?:at|on|around|near|in)\s+)?(?:lines?\s+|L)(\d{1,7})\b", re.IGNORECASE
)
_LINE_BEFORE = re.compile(
    r"\blines?\s+(\d{1,7})(?:\s*(?:-|–|to|and)\s*\d{1,7})?\s+(?:of|in)\s+(?:the\s+)?(?:file\s+)?[`\"'(]*$",
    re.IGNORECASE,
)
_WORDS_BEFORE = 48  # characters
_SEGMENT = r"[\w.@+~ -]+$"
_DEFINED = "def|class|func|fn|function|struct|interface|enum|trait|type|impl"
_KINDS = r"(?:function|method|class|struct|type|interface|enum|trait|constant|variable|macro|module|component|hook|decorator)"
_OF_NAMES = r"(?:defined|declared|implemented|definition|declaration|implementation|signature)"
# The words of a name with blanks between them: "where is get meta refresh?", "where is task retry implemented?"
_SPELT_APART = (
    rf"(?i:where(?: is| are|'s)(?: the)? )"
    rf"((?:(?!(?:{_KINDS}|{_OF_NAMES}|an?|are|is|it|the)\b)[a-z]\w*(?: |(?=\W*$))){{2,5}}?)"
    rf"(?:{_KINDS} ?)?(?:{_OF_NAMES})?\W*$"
)
# A whole query of such words, one of them a function word: "is trusted proxy", "from string". Another phrase asks as often for a page.
_BARE_PHRASE = r"(?!(?:an?|the) )[a-z]+(?: [a-z]+){1,5}$"
# A plain word that the words around it call a name: "where is checkout defined?", "the checkout function"
_CALLED = (
    rf"\bwhere(?: is| are|'s)(?: the)?(?: {_KINDS})? ([A-Za-z]\w+)(?: {_KINDS})? (?:defined|declared|implemented)\b",
    rf"\b(?:definition|declaration|implementation|signature|source|body) of(?: the)?(?: {_KINDS})? ([A-Za-z]\w+)(?: {_KINDS})?\W*$",
    rf"\b{_KINDS} (?!(?:called|declared|defined|implemented|used|works?)\b)([A-Za-z]\w+)"
    r"(?:\W*$|,| (?:defined|declared|implemented|does|do|returns?|takes?|raises?|throws?|works?)\b)",
    r"\b(?:the|does|is) ([A-Za-z]\w+) (?:function|method)\b",
)
_COMMON_CALLS = name_set(
    """if for while switch catch return print len str int range list dict set super assert open type isinstance and not in elif with
    function"""
)


@cache
def _path_run() -> re.Pattern[str]:
    """The pattern for runs of any text. It is compiled at the first use, because so large a set takes 2 ms."""
    return re.compile(rf"[^{_NOT_IN_PATHS}“”‘’\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+")


class _Forms(NamedTuple):
    """Patterns of names: a run of their letters, a whole name, a definition, a call."""

    run: re.Pattern[str]
    bare: re.Pattern[str]
    definition: re.Pattern[str]
    call: re.Pattern[str]


@cache
def _forms(*, of_ascii: bool) -> _Forms:
    if of_ascii:
        flags, begin, letter, run = re.ASCII, "[A-Za-z_$]", r"[\w$]", r"[\w$.:#]"
    else:
        flags, begin, letter = re.NOFLAG, analysis.NAME_BEGIN, analysis.NAME_LETTER
        run = rf"(?:{letter}|[.:#])"
    return _Forms(
        re.compile(rf"{begin}{run}*", flags),
        re.compile(rf"{begin}{run}*(?:\(\))?$", flags),
        re.compile(rf"\b(?:{_DEFINED}) ({begin}{letter}*)", flags),
        re.compile(rf"({begin}{letter}{{2,80}})\(", flags),
    )


class PathName(NamedTuple):
    """A path as written, without its line number."""

    text: str
    line: int | None = None


class Names(NamedTuple):
    """Everything that a query names."""

    paths: list[PathName]
    anchors: tuple[Anchor, ...]
    mentions: dict[str, float]  # identifier → the sum of the weights of its sections
    called: tuple[str, ...]  # plain words that the title calls names of code, or the words of one name
    alone: bool  # the title consists of a few identifiers
    test_path: bool  # a path in the title is that of a test


def names_of(sections: Sections) -> Names:
    """The paths, anchors and identifiers of a query."""
    paths = _paths(sections)
    ticked = [name for text in sections.ticked if (name := single_name(text))]
    runs = sections.title.replace("`", " ").split()
    return Names(
        paths,
        tuple(islice(_anchors(sections, paths), _MOST_ANCHORS)),
        _mentions(sections, ticked),
        _called_in(sections),
        alone=0 < len(runs) <= _MOST_NAMES
        and all(is_name(run) or (run in sections.ticked and single_name(run)) for run in runs),
        test_path=any(is_test_path(path.text) for path in paths_in(sections.title)),
    )


def _paths(sections: Sections) -> list[PathName]:
    found = paths_in(sections.title)
    if (whole := _whole(sections)) and not found and (path := path_name(whole, alone=True)):
        found.append(path)
    if sections.prose:
        found += paths_in(sections.prose)
    for inline in sections.inline:
        if " " not in inline and (path := path_name(inline, alone=inline in sections.ticked)):
            found.append(path)
    found += [path for link in sections.linked if (path := path_name(link, alone=True))]
    # in code a dot is an attribute: only paths with a folder are believed
    if sections.code and not sections.frames:
        found += [
            path
            for path in paths_in(sections.code)
            if "/" in path.text and "." in path.text.rpartition("/")[2]
        ]
    return list(dict.fromkeys(found))


def _anchors(sections: Sections, paths: list[PathName]) -> Iterable[Anchor]:
    known = {path.text for path in paths}
    for quoted in sections.quoted:
        if len(quoted) > 1 and any(letter.isalnum() for letter in quoted) and path_name(quoted) is None:
            yield Anchor(AnchorKind.QUOTED, quoted)
    for path in paths:
        yield Anchor(AnchorKind.PATH, path.text, path.line)
    for ticked in sections.ticked:
        if ticked not in known and (name := single_name(ticked)):
            yield Anchor(AnchorKind.IDENTIFIER, name)
    whole = _whole(sections)
    if whole and not sections.ticked and is_name(whole) and (name := single_name(whole)):
        yield Anchor(AnchorKind.IDENTIFIER, name)


def _mentions(sections: Sections, ticked: list[str]) -> dict[str, float]:
    """Identifier → the sum of the weights of its sections."""
    mentions: dict[str, float] = {}

    def add(found: Iterable[str], weight: float) -> None:
        for name in dict.fromkeys(found):
            if name in mentions or len(mentions) < _MOST_MENTIONS:
                mentions[name] = mentions.get(name, 0.0) + weight

    add(
        [*names_in(sections.title), *(name for name in ticked if f"`{name}" in sections.title)],
        _MENTION_TITLE,
    )
    add([*ticked, *(name for inline in sections.inline for name in names_in(inline))], _MENTION_INLINE)
    if sections.prose:
        add(names_in(sections.prose), _MENTION_PROSE)
    add((frame.function for frame in sections.frames if len(frame.function) > 1), _MENTION_TRACE)
    if sections.code:
        add(names_in_code(sections.code), _MENTION_CODE)
    return mentions


def _called_in(sections: Sections) -> tuple[str, ...]:
    """Plain words of the title that are called names of code, a query that is one plain word, and the words of a short
    "where is …?" or of a bare phrase with a function word, which may be one name.
    """
    whole, title = _whole(sections), sections.title[:_LONGEST_CALLED]
    found = [word for pattern in _CALLED for word in re.findall(pattern, title)]
    words = [*([whole] if whole.isalpha() else []), *found]
    if not (sections.prose or sections.code):
        if apart := re.match(_SPELT_APART, title):
            words.append(apart[1].rstrip())
        elif (
            not words and re.match(_BARE_PHRASE, title) and not analysis.STOP_WORDS.isdisjoint(title.split())
        ):
            words.append(title)
    return tuple(dict.fromkeys(word for word in words if word not in analysis.STOP_WORDS))


def _whole(sections: Sections) -> str:
    """The query when it is one run without blanks."""
    is_all = not sections.prose and not sections.code
    return sections.title if is_all and len(sections.title.split(None, 1)) == 1 else ""


def path_name(run: str, *, alone: bool = False) -> PathName | None:
    """A run without blanks as a path; None when it is none, as `and/or`, `e.g.`, `1/2`, `Node.js`.

    `alone` says that the run is a whole query or stands in backticks: then two words with a slash are a path.
    """
    if run.startswith("@") and "." in run.rpartition("/")[2]:
        run = run[1:]  # as clients refer to a file: @src/cart.py
    # a test: file.py::test_name
    run = run.partition(".py::")[0] + ".py" if ".py::" in run else run.rstrip(".:")
    line = None
    if match := re.search(_LINE_SUFFIX, run[-24:]):
        line = int(match[1] or match[2])
        run = run[: len(run) - len(match[0])]
    if "\\" in run and "/" not in run:
        run = run.replace("\\", "/")
    if len(run) < 2 or len(run) > 500 or "//" in run or ":" in run[2:]:
        return None
    drive = 2 if run[1] == ":" and run[0].isalpha() else 0
    segments = run[drive:].strip("/").split("/")
    name = segments[-1]
    if not name or not all(segment and re.match(_SEGMENT, segment) for segment in segments):
        return None
    is_path = name in _FILE_NAMES or (
        _is_file_or_folder(run, name, line, alone=alone)
        if len(segments) == 1
        else _is_long_path(run, segments, line, alone=alone)
    )
    return PathName(run, line) if is_path else None


def _is_file_or_folder(run: str, name: str, line: int | None, *, alone: bool) -> bool:
    """True when a run of one segment is the name of a file, or of a folder, which needs its slash."""
    stem, _, ending = name.rpartition(".")
    is_file = ending.lower() in _ENDINGS and any(letter.isalpha() for letter in stem) and "@" not in run
    if not is_file or (ending == "org" and line is None):  # names as `.env` are in _FILE_NAMES
        return run.endswith("/") and (alone or name in _ROOTS) and name[0].isalpha()
    if len(stem) < 2 and len(ending) < 2:
        return False  # a.m, x.r
    return line is not None or (run.lower() not in _PRODUCTS and re.match(_SEGMENT, stem) is not None)


def _is_long_path(run: str, segments: Sequence[str], line: int | None, *, alone: bool) -> bool:
    """True when a run of several segments is a path."""
    name = segments[-1]
    _, dot, ending = name.rpartition(".")
    if (dot and ending.lower() in _ENDINGS) or (line is not None and any(c.isalpha() for c in name)):
        return True
    if run.startswith(("./", "../", "~/")) or run.endswith("/") or segments[0] in _ROOTS:
        return True
    if alone and name[0].isalpha() and " " not in run and run.isascii():
        return True
    # Three segments, one of which is not a plain word: acme/web_shop/cart, not red/green/refactor.
    is_written = any("_" in segment or any(c.isdigit() for c in segment) for segment in segments)
    return len(segments) > 2 and is_written and any(c.islower() for c in name)


def paths_in(text: str) -> list[PathName]:
    """Paths in running text, in order, each with the line that it or the words around it name."""
    found = (
        path if path.line is not None else path._replace(line=_line_beside(text, match.start(), match.end()))
        for match in (_PATH_RUN if text.isascii() else _path_run()).finditer(text)
        if ("/" in (run := match[0]) or "." in run[:-1] or "\\" in run or run in _FILE_NAMES)
        and (path := path_name(run)) is not None
    )
    return list(islice(found, MOST_PATHS))


def _line_beside(text: str, start: int, end: int) -> int | None:
    """The line that the words after or before the path text[start:end] name, or None."""
    before = text[max(0, start - _WORDS_BEFORE) : start]
    found = _LINE_AFTER.match(text, end) or _LINE_BEFORE.search(before)
    return int(found[1]) if found else None


def is_name(word: str) -> bool:
    """True when a word is written like an identifier; file names, abbreviations and versions do not count."""
    if len(word) > LONGEST_NAME:
        return False
    if word.startswith("_") and len(word.strip("_")) > 1:
        return True
    if not analysis.is_identifier(word):
        return False
    if "." in word:
        lower = word.lower()
        if lower in _NO_EXTENSION or lower in _PRODUCTS:
            return False
        parts = lower.split(".")
        if max(map(len, parts)) < 2 or parts[-1].rstrip("()") in _WEB_ENDINGS:
            return False
        return path_name(word.removesuffix("()")) is None
    return True


_WEB_ENDINGS = frozenset({"com", "org", "net", "io", "dev", "edu", "gov"})


def names_in(text: str) -> list[str]:
    """Identifiers in running text, as written, without the parentheses of a call; with repeats."""
    found = []
    for match in _forms(of_ascii=text.isascii()).run.finditer(text):
        written = match[0].rstrip(".:#")
        word = written.removeprefix("self.").removeprefix("this.").rpartition(".py::")[2]
        called = text.startswith("()", match.start() + len(written))
        if len(word) < 2 or len(word) > LONGEST_NAME or (word.islower() and word.isalpha() and not called):
            continue
        # a word that continues in a path (src/pay_now/x) is part of that path
        if text[match.start() - 1 : match.start()] in ("/", "\\", "@", "-") or text[
            match.end() : match.end() + 1
        ] in ("/", "\\"):
            continue
        if called or is_name(word):
            found.append(word)
    return found


def names_in_code(text: str) -> list[str]:
    """Identifiers in code: those written as such, and the called or defined ones."""
    forms = _forms(of_ascii=text.isascii())
    called = [name for name in forms.call.findall(text) if name.lower() not in _COMMON_CALLS]
    return [*names_in(text), *forms.definition.findall(text), *called]


def single_name(text: str) -> str | None:
    """The text without a call's parentheses when it is a single identifier or plain word, else None."""
    text = text.strip()
    if (
        not 2 <= len(text) <= LONGEST_NAME
        or not _forms(of_ascii=text.isascii()).bare.match(text)
        or text.endswith((".", ":", "#"))
        or path_name(text) is not None
    ):
        return None
    return text.removesuffix("()")
