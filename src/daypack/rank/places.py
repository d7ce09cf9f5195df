"""Priors by place: files whose path shows that they seldom answer are held back, never left out.

Test files, for one, win plain BM25 because they repeat the words of an issue. Constants: docs/decisions/006-constants.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from daypack.rank.membership import is_in
from daypack.rank.texts.translations import catalogues
from daypack.rank.views import ChunkFlag
from daypack.types import Intent, Query
from daypack.types.arrays import Bools, Floats, Ints, UInt8s

TEST_PRIOR = 0.4
IMPORTS_PRIOR = 0.5  # guess
ASIDE_PRIOR = 0.6  # docs, examples, scripts, vendored code
GENERATED_PRIOR = 0.1  # the text to read and to change is the source that it is made from
# pages beside code, when the query asks how a thing works inside, and when its form leaves that open; code beside pages, when
# the query asks how to use a thing
PAGE_PRIOR, OPEN_PAGE_PRIOR, WAY_PAGE_PRIOR, USAGE_CODE_PRIOR = 0.5, 0.8, 0.9, 0.6
# configuration beside code, in such questions; code that declares, as a schema or a build, in those about use
# (docs/decisions/018-code-and-pages.md)
SETTINGS_PRIOR, USAGE_DECLARES_PRIOR = 0.7, 0.8
FORM_PRIOR = 0.1  # a form that reports are written in, for a report, which repeats its lines
SUPERSEDED_PRIOR = 0.6  # a folder `v3` beside `v4`, `version-9.x` beside `version-10.x`
_VERSION = r"v(?:ersion-)?(\d{1,3}(?:\.(?:\d{1,3}|x)){0,2})"
_VERSION_FOLDER = rf"(?:^|/){_VERSION}(?=/)"
CHANGELOG_PRIOR = 0.6  # it tells how things changed, in the words of the pages that tell how they are
_ARCHIVE = r"(?:archived?|attic|obsolete|outdated|versioned_docs)"
# A page in such a folder was replaced; a package of code may be called so.
_ARCHIVED_PAGE = rf"(?i)/{_ARCHIVE}/.*\.(?:adoc|docx?|html?|mdx?|odt|org|pdf|rst|tex|txt)$"
# Inside any path that one of the two above is found in.
_EITHER_FOLDER = rf"/(?:{_VERSION}|(?i:{_ARCHIVE}))/"
# One path a line. HISTORY and NEWS are such files where they are shouted; `history.md` may be about anything. So are pages
# for the changes of one version: by their name, by a folder of them, and posts and notes that are called after the version; and
# notes that wait in a folder for the next version.
_PAGE = r"\.(?:adoc|asc|asciidoc|html?|markdown|mdx?|org|rdoc|rst|txt)"
_CHANGELOG = (
    rf"(?m)^(?:.*/)?(?:(?:(?i:change-?logs?|changes|release[-_]?notes)|HISTORY|NEWS|RELEASES?)(?:(?:[-_.][^/\n]*)?{_PAGE})?"
    rf"|(?i:what'?s[-_]?new[^/\n]*{_PAGE}"
    rf"|(?:change-?logs?(?:[-_][^/\n]*)?|release[-_]?notes|what'?s[-_]?new)/(?:[^/\n]*/)*(?!readme|index\.)[^/\n]+{_PAGE}"
    r"|(?:\.change(?:s|sets?|logs?)|changelogs?\.d|news(?:fragments|\.d))/(?:[^/\n]*/)*(?!readme|index\.|config\.|template|\.)[^/\n]+"
    rf"|(?:blog|news|posts|releases?)/(?:[^/\n]*/)*(?:\d{{4}}-\d\d-\d\d-)?v?\d{{1,3}}(?:\.\d{{1,3}}){{1,2}}{_PAGE}))$"
)
_ASKS_FOR_CHANGES = (
    r"(?i)\b(?:change(?:d|s|-?logs?)|releas\w*|versions?(?! control)|what'?s new|new (?:in|features?)|introduced|added|removed|deprecat\w*"
    r"|dropped|fixed|broke\w*|breaking|since|upgrad\w*|migrat\w*|history|no longer|any ?more|renam\w*|replac(?:ed|es)|superseded"
    r"|(?:called|named) now|v\d+|unreleased|revert\w*|disappear\w*|(?:when|why) (?:was|were|did|has|have)|where did|what happen(?:ed|s) to)\b|\d\.\d"
)
# "message", "label" and "title" are also names of things in code.
_ASKS_FOR_TEXTS = (
    r"(?i)\b(?:wording|worded|texts?|phras(?:e[ds]?|ing)|translations?|translated)\b"
    r"|\bwhat (?:do|does|did)\b[^.?!]{1,80}\b(?:say|read)\b"
)
_ASKS_FOR_MIGRATIONS = r"(?i)\bmigrations?\b|\bschema (?:change|upgrade|version)s?\b"
_MIGRATION = r"(?i)(?:^|/)(?:migrations?|(?:post_)?migrate|alembic/versions)/"
_ASKS_FOR_OLDER = r"(?i)\b(?:archive|attic|obsolete|outdated|old|former|previous|used to)"
# A change that waits for the next release, in a file called after its issue and kind: `changelog.d/123.breaking.md`.
_FRAGMENT = (
    r"(?i)(?:^|/)(?:change-?logs?|changes|news|news-?fragments|fragments|unreleased)(?:\.d)?/(?:[^/\n]*/)*[^/\n.]+\."
    r"(?:added|breaking|bug(?:fix)?|change[ds]?|contrib|deprecat\w*|docs?|enhancement|feature|fix(?:ed)?|improvement|internal|misc|packaging|remov\w*|security|vendor)"
    r"(?:\.[^/\n]*)?$"
)
# The form of an issue or of a pull request, as hosts of repositories keep it.
_FORM = (
    r"(?im)(?:^|/)(?:issue|pull_request|merge_request)_templates?(?:/[^/\n]+)?\.(?:adoc|md|rst|txt|ya?ml)$"
)
_ASKS_FOR_FORMS = r"(?i)\b(?:templates?|forms?)\b"

Version = tuple[int, ...]

_KINDS = ChunkFlag.CODE | ChunkFlag.PAGE | ChunkFlag.ASIDE
EVERY_FLAGS = np.arange(256, dtype=np.uint8)  # combinations of `ChunkFlag`


def place_prior(flags: UInt8s, query: Query, *, side_by_side: float) -> Floats:
    """The prior of each chunk by its flags, before its text is read; 1 for files that the query asks for.

    A question about the inside of a thing shares its words with code and pages, and the answer is in the code; so pages are
    held back then, and code in questions about use, the more the higher `side_by_side` is, 0 to 1. A file that declares,
    as a manifest, a schema or a build does, holds answers to both, and is held back less.
    """
    prior = np.ones(len(flags), dtype=np.float32)
    prior[(flags & ChunkFlag.IMPORTS) > 0] *= IMPORTS_PRIOR
    prior[(flags & ChunkFlag.GENERATED) > 0] *= GENERATED_PRIOR
    tests = (flags & ChunkFlag.TEST) > 0
    if query.asks_where_tests_are:
        prior[~tests] *= TEST_PRIOR
    elif not query.asks_for_tests:
        prior[tests] *= TEST_PRIOR
    kinds = flags & _KINDS
    if query.asks_for_docs:
        if query.intent is Intent.USAGE:
            prior[(kinds & ChunkFlag.CODE) > 0] *= USAGE_CODE_PRIOR**side_by_side
        return prior
    prior[((kinds & ChunkFlag.ASIDE) > 0) & (kinds != ChunkFlag.SETTINGS)] *= ASIDE_PRIOR
    return prior * _beside(flags, query, side_by_side)


def _beside(flags: UInt8s, query: Query, side_by_side: float) -> Floats:
    """The factor by which pages, configuration or code are held back in favour of each other."""
    factor = np.ones(len(flags), dtype=np.float32)
    if not side_by_side:
        return factor
    kinds = flags & _KINDS
    settings, pages = kinds == ChunkFlag.SETTINGS, kinds == ChunkFlag.PAGE
    declares = (kinds & ChunkFlag.DECLARES) == ChunkFlag.DECLARES
    match query.intent:
        case Intent.MECHANISM:
            factor[pages], factor[settings] = PAGE_PRIOR, SETTINGS_PRIOR
        case Intent.USAGE:
            factor[(kinds & ChunkFlag.CODE) > 0] = USAGE_CODE_PRIOR
            factor[declares] = USAGE_DECLARES_PRIOR
        case Intent.ANY:
            factor[pages | settings] = OPEN_PAGE_PRIOR
        case Intent.WAY:
            factor[pages | settings] = WAY_PAGE_PRIOR
    return factor**side_by_side


def is_page(flags: UInt8s) -> Bools:
    """True of chunks of files that are not code."""
    page: Bools = (flags & ChunkFlag.DECLARES) == ChunkFlag.PAGE
    return page


def is_free_page(flags: UInt8s, prior: Floats, query: Query, *, side_by_side: float) -> Bools:
    """True of chunks of pages whose kind alone holds them back: no changelogs, translations, fixtures or older versions."""
    kinds = np.asarray(flags & _KINDS, dtype=np.uint8)
    free: Bools = is_page(flags) & (prior >= place_prior(kinds, query, side_by_side=side_by_side))
    return free


def asked_for(
    record_ids: Ints, uris: Mapping[int, str], flags: UInt8s, query: Query, *, side_by_side: float
) -> Floats:
    """Factors that take priors back: of catalogues, when the query asks for texts that the program shows, and of migrations, when
    it asks for one.
    """
    back = np.ones(len(record_ids), dtype=np.float32)
    if query.asks_for_docs:
        return back
    if re.search(_ASKS_FOR_TEXTS, query.text) and (found := catalogues(uris)):
        asked = np.isin(record_ids, found) & is_page(flags)
        back[asked] /= _beside(flags, query, side_by_side)[asked]
    if re.search(_ASKS_FOR_MIGRATIONS, query.text):
        found = [record_id for record_id, uri in uris.items() if re.search(_MIGRATION, uri)]
        aside = ((flags & ChunkFlag.ASIDE) > 0) & ~is_page(flags)
        back[np.isin(record_ids, found) & aside] /= ASIDE_PRIOR
    return back


def named_tests(flags: UInt8s, positions: Ints, definitions: Mapping[str, Sequence[int]]) -> Bools:
    """bool (positions,): tests that define a name of the query which nothing but tests defines."""
    tests = set(positions[(flags & ChunkFlag.TEST) > 0].tolist())
    named = [place for places in definitions.values() if tests.issuperset(places) for place in places]
    return is_in(positions, named)


def version_priors(
    record_ids: Ints, uris: Mapping[int, str], text: str, flags: UInt8s | None = None
) -> Floats:
    """The prior of each chunk, below 1 for a file in a folder as `v3` with a later version among the records, unless the
    query names that version; for a page of an archive with records beside it, unless the query asks for an older state; and
    for a changelog beside other files, unless the query asks for changes.
    """
    prior = np.ones(len(record_ids), dtype=np.float32)
    by_contents = () if flags is None else record_ids[(flags & ChunkFlag.CHANGELOG) > 0].tolist()
    changelogs = _changelogs(uris, by_contents, text)
    if changelogs:
        prior[np.isin(record_ids, changelogs)] = CHANGELOG_PRIOR
    some = _in_either_folder(uris)
    if not some:
        return prior
    folders = {record_id: versions for record_id in some if (versions := version_folders(uris[record_id]))}
    latest: dict[str, Version] = {}
    for versions in folders.values():
        for before, version in versions:
            latest[before] = max(latest.get(before, version), version)
    named = {
        record_id
        for record_id, versions in folders.items()
        if any(_names_version(text, version) for _, version in versions)
    }
    old = [
        record_id
        for record_id, versions in folders.items()
        if any(version < latest[before] for before, version in versions)
    ]
    old += _archived(uris, some, text)
    old = [record_id for record_id in old if record_id not in named]
    if old:
        prior[np.isin(record_ids, old)] = SUPERSEDED_PRIOR
    return prior


def _changelogs(uris: Mapping[int, str], by_contents: Sequence[int], text: str) -> list[int]:
    """The records that are changelogs by name or contents; none when all are, or when the query asks for changes."""
    named = re.search(_CHANGELOG, "\n".join(uris.values()))
    if not (named or by_contents) or re.search(_ASKS_FOR_CHANGES, text):
        return []
    changelogs = {*by_contents}
    if named:
        changelogs.update(record_id for record_id, uri in uris.items() if re.search(_CHANGELOG, uri))
    return [*changelogs] if len(changelogs) < len(uris) else []


def form_priors(record_ids: Ints, uris: Mapping[int, str], query: Query) -> Floats:
    """The prior of each chunk for a report, below 1 in the forms of issues and pull requests, unless it names one."""
    prior = np.ones(len(record_ids), dtype=np.float32)
    asked = re.search(_ASKS_FOR_FORMS, query.title) or re.search(_FORM, "\n".join(query.paths))
    if query.is_report and not asked and re.search(_FORM, "\n".join(uris.values())):
        forms = [record_id for record_id, uri in uris.items() if re.search(_FORM, uri)]
        prior[np.isin(record_ids, forms)] = FORM_PRIOR
    return prior


def is_changelog_name(uri: str) -> bool:
    """True for the name of a changelog, or of a page for one release."""
    return re.search(_CHANGELOG, uri) is not None


def is_fragment_name(uri: str) -> bool:
    """True for the name of a file with one change of the next release."""
    return re.search(_FRAGMENT, uri) is not None


def _in_either_folder(uris: Mapping[int, str]) -> list[int]:
    """The records with a folder of a version or of an archive in their path."""
    # All paths at once: few pools have such a folder, and an expression for each path would take a tenth of the ranking.
    together = "/" + "\n/".join(uris.values())
    starts = [match.start() for match in re.finditer(_EITHER_FOLDER, together)]
    if not starts:
        return []
    records, ends = [*uris], [*accumulate(len(uri) + 2 for uri in uris.values())]
    return [records[place] for place in sorted({bisect_right(ends, start) for start in starts})]


def version_folders(uri: str) -> list[tuple[str, Version]]:
    """(path before it, version) of each folder of a path that is called after one: `v3`, `v1.5`, `version-10.x`."""
    return [
        (uri[: match.start(1)], tuple(int(part) for part in match[1].split(".") if part != "x"))
        for match in re.finditer(_VERSION_FOLDER, uri)
    ]


def _archived(uris: Mapping[int, str], some: Sequence[int], text: str) -> list[int]:
    """The records of `some` that are pages of an archive with other records beside it; none when the query asks for an older
    state.
    """
    above = {
        record_id: uris[record_id][: match.start()]
        for record_id in some
        if (match := re.search(_ARCHIVED_PAGE, f"/{uris[record_id]}"))
    }
    if not above or re.search(_ASKS_FOR_OLDER, text):
        return []
    others = [uri for record_id, uri in uris.items() if record_id not in above]
    return [record_id for record_id, folder in above.items() if any(uri.startswith(folder) for uri in others)]


def _names_version(text: str, version: Version) -> bool:
    number = r"\.".join(map(str, version))
    # a number with a point is a version without a word: "since 1.5"
    word = r"(?:v(?:ersion)?[ -]?)?" if len(version) > 1 else r"v(?:ersion)?[ -]?"
    return re.search(rf"(?i)\b{word}{number}\b", text) is not None
