"""Introductions: the texts that tell what a whole project is, how it is built up, and how to use it and to work on it.

what is it?         the beginning of README.md, then docs/index.md, then package.json
how is it built up? ARCHITECTURE.md, sections on structure, the beginning of README.md
how to start?       sections and pages on installation, a quick start, usage
how to work on it?  CONTRIBUTING.md, sections on building and testing, Makefile

facts.py has the values of texts for the facts that `Overview` names.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence

from daypack.rank.texts import packages
from daypack.text.name_sets import name_set
from daypack.text.paths import MANIFEST_ENDS
from daypack.types import Overview

WORDS = name_set(
    "about agents architecture building claude contribute contributing contribution contributor design designdocument develop get getstarted"
    " gettingstarted guide hacking index install internals intro introduction overview quick quickstart readme start structure testing"
    " tutorial usage userguide"
    " appveyor author ci circleci cirrus codeowners copying licence license maintainer pipelines security travis unlicense workflows"
)
"""One of these, in any form, is in the path of each page that may introduce."""
BUILDS = packages.MANIFESTS | name_set(
    "GNUmakefile Jenkinsfile Justfile Makefile Rakefile Taskfile.yml justfile tox.ini"
)
READMES = name_set(
    "README README.adoc README.md README.org README.rst README.txt Readme.adoc Readme.md readme.adoc readme.md readme.rst readme.txt"
)
_STARTING = {
    "main Main __main__ program Program": "c cc cpp cs dart ex go hs java jl js kt mjs mts php py rb rs scala swift ts zig",
    "cli": "go js mjs py rb rs ts",
    "index": "cjs cts js jsx mjs mts ts tsx",
    "lib": "rs",
    "mod": "ts",
}
ENTRIES = frozenset(
    f"{name}.{end}" for names, ends in _STARTING.items() for name in name_set(names) for end in name_set(ends)
)
FURTHEST = 3  # folders from the top of the project down to a page on its installation
_DOWN_TO_PROJECT = 2  # … to a manifest of .NET: src/Shop/Shop.csproj
MOST_PAGES = 60  # whose texts are read
LEAST = 3  # words
_DEEPEST = 1  # folders above the top of a project
_BEGINNING, _FALL = 5, 0.06  # chunks of a page that introduce, and the loss from one to the next

_END = r"(?:\.(?:adoc|asciidoc|markdown|mdx?|org|rdoc|rst|txt))?"
_README = re.compile(rf"(?i)readme{_END}")
_INDEX = re.compile(rf"(?i)(?:about|index|intro(?:duction)?|overview|readme){_END}")
_PLAN = re.compile(
    rf"(?i)(?:[\w-]*(?:architecture|design[-_]?document|internals|structure)[\w-]*|design){_END}"
)
_FOR_AGENTS = re.compile(r"(?i)(?:agents|claude)\.md")
_FOR_WORK = re.compile(rf"(?i)(?:contribut\w+|develop(?:ment|ing|ers?)|hacking|building|testing){_END}")
_TO_START = re.compile(
    rf"(?i)(?:quick[-_ ]?start|get(?:ting)?[-_ ]?started|install(?:ation|ing)?|tutorial|usage|user[-_ ]?guide){_END}"
)
_PAGE = re.compile(rf"(?i)[^.].*{_END[:-1]}")
_LICENCE = re.compile(rf"(?i)(?:[\w]+-)?(?:licen[cs]e|copying|unlicense)(?:-[\w.]+?)?{_END}")
_PEOPLE = re.compile(rf"(?i)(?:maintainers|authors|contributors|codeowners){_END}")
_SECURITY = re.compile(rf"(?i)security{_END}")
_CHECKS = re.compile(
    r"(?i)(?:^|(?<=/))(?:\.github/workflows/[^/]+\.ya?ml|\.circleci/config\.ya?ml|\.gitlab-ci\.ya?ml|\.(?:travis|cirrus)\.ya?ml|\.?appveyor\.ya?ml"
    r"|(?:azure|bitbucket)-pipelines\.ya?ml|jenkinsfile)$"
)
# a folder of the project that holds pages about the whole project
_OF_PAGES = re.compile(r"(?i)\.github|docs?|documentation|website|site|book|guide|manual")
_OTHERS = re.compile(
    r"(?i)(?:^|/)(?:examples?|samples?|demos?|tests?|testsuite|testdata|spec|fixtures?|templates?|vendor|third[-_]party|node_modules|benchmarks?"
    r"|versioned_docs|i18n)/"
)
_ABOUT = re.compile(r"(?i)\b(?:about|what is|overview|introduction|motivation|why|goals|features)\b")
_ON_STRUCTURE = re.compile(
    r"(?i)\b(?:architecture|internals|overview|how it works|(?:code|directory|file|folder|package|project|repo|repository|source) ?(?:base )?"
    r"(?:structure|organi[sz]ation|layout|tree))\b"
)
_ON_START = re.compile(
    r"(?i)\b(?:install\w*|get(?:ting)? started|quick ?start|usage|download|set ?up|running|requirements|first)\b"
)
_ON_WORK = re.compile(r"(?i)\b(?:build(?:ing)?|compil\w+|test(?:s|ing)?|contribut\w+|develop\w*|hacking)\b")
_MARKS = re.compile(
    r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|\]\([^)]*\)|<[^>]*>|^\[[^\]]+\]:.*|https?://\S+", re.MULTILINE
)


class Role(enum.Enum):
    """The part that a file plays in a project."""

    README = enum.auto()
    INDEX = enum.auto()  # of the documentation
    PLAN = enum.auto()
    FOR_AGENTS = enum.auto()
    FOR_WORK = enum.auto()
    TO_START = enum.auto()
    MANIFEST = enum.auto()
    BUILD = enum.auto()
    LICENCE = enum.auto()
    PEOPLE = enum.auto()
    SECURITY = enum.auto()
    CHECKS = enum.auto()
    ENTRY = enum.auto()


_OF_FACT = frozenset({Role.LICENCE, Role.PEOPLE, Role.SECURITY, Role.CHECKS, Role.ENTRY})
_ANYWHERE = _OF_FACT - {Role.CHECKS} | {Role.TO_START}  # they show no top


def roles_of(uris: Mapping[int, str], fact: Role | None = None) -> dict[int, Role]:
    """Record id → role, for the files that play one in the project at the top of all; of the pages to start with the first.

    Of the files that state a fact, as workflows, only those of the role `fact` count: a project may have many.
    """
    others = _OF_FACT - {fact}
    uris = {record_id: uri for record_id, uri in uris.items() if not _OTHERS.search(uri)}
    tops = (
        _depth(uri) for uri in uris.values() if (role := _role(uri, 0)) and role not in _ANYWHERE | others
    )
    top = min(tops, default=_DEEPEST + 1)
    if top > _DEEPEST:
        return {}
    roles = {record_id: _role(uri, _depth(uri) - top) for record_id, uri in uris.items()}
    found = {record_id: role for record_id, role in roles.items() if role is not None and role not in others}
    order = sorted(found, key=lambda id_: (found[id_] is Role.TO_START, _depth(uris[id_]), uris[id_]))
    return {record_id: found[record_id] for record_id in order[:MOST_PAGES]}


def _depth(uri: str) -> int:
    """The number of folders above a file, without the folder of pages that it may lie in."""
    folders = _CHECKS.sub("", uri).split("/")[:-1]
    return len(folders) - bool(folders and _OF_PAGES.fullmatch(folders[-1]))


def _role(uri: str, below: int) -> Role | None:
    """The role of a file some folders below the top of the project."""
    is_top = below == 0
    if is_top and _CHECKS.search(uri):
        return Role.CHECKS
    *folders, name = uri.split("/")
    in_pages = bool(folders and _OF_PAGES.fullmatch(folders[-1]))
    if is_top and _README.fullmatch(name) and not in_pages:
        return Role.README
    if is_top and _INDEX.fullmatch(name) and folders[-1:] != [".github"]:
        return Role.INDEX
    if is_top and _FOR_WORK.fullmatch(name) and not _PEOPLE.fullmatch(name):
        return Role.FOR_WORK
    if is_top and _FOR_AGENTS.fullmatch(name):
        return Role.FOR_AGENTS
    if is_top and name in BUILDS:
        return Role.MANIFEST if name in packages.MANIFESTS else Role.BUILD
    if name.endswith(MANIFEST_ENDS) and (is_top or (below <= _DOWN_TO_PROJECT and name.endswith(".csproj"))):
        return Role.MANIFEST
    for role, pattern in ((Role.LICENCE, _LICENCE), (Role.PEOPLE, _PEOPLE), (Role.SECURITY, _SECURITY)):
        if is_top and pattern.fullmatch(name):
            return role
    if below <= 1 and _PLAN.fullmatch(name):
        return Role.PLAN
    if below <= FURTHEST and name in ENTRIES:
        return Role.ENTRY
    starts = below <= FURTHEST and _PAGE.fullmatch(name) and any(map(_TO_START.fullmatch, (*folders, name)))
    return Role.TO_START if starts else None


def tells(text: str) -> bool:
    """True for a text with a few words beside images, badges, tags and links."""
    return len(re.findall(r"[^\W\d_]{2,}", _MARKS.sub(" ", text))) >= LEAST


def title_names(title: str, name: str) -> bool:
    """True for a title that begins with a name, as "Redis Queue - jobs in the background" does with "Redis"."""
    return re.match(rf"{re.escape(name)}(?![\w-])", _MARKS.sub(" ", title).strip(), re.IGNORECASE) is not None


def manifest_names(uri: str, manifest: str, name: str) -> bool:
    """True for a manifest that is called so, or whose project, module or artifact is, below the name of an owner or a host."""
    stem = re.sub(r"(?:-\d[\d.-]*)?\.\w+$", "", uri.rpartition("/")[2])  # of `shop-1.0-1.rockspec`
    if uri.endswith(MANIFEST_ENDS) and stem.lower() == name.lower():
        return True
    called = rf"""["'<]?(?:name|module|artifactId|app)\b["'>]?\s*[:=]?\s*["':]?(?:[\w.@-]+/)*{re.escape(name)}(?:/v\d+)?["'<,\s]"""
    return re.search(rf"(?im)(?:^|[\s(\[{{]){called}", f"{manifest}\n") is not None


def value_of(overview: Overview, role: Role, sections: Sequence[str], place: int) -> float:
    """The value, 0 to 1, of a chunk at a place in a file as an answer to an overview; `sections` are its headings below the title."""
    early = 1 - _FALL * place if place < _BEGINNING else 0.0
    first = float(place == 0)
    heads = " / ".join(sections)
    match overview:
        case Overview.INTRODUCTION:
            of_readme = max(early, 0.7 * bool(_ABOUT.search(heads)))
            values = {Role.README: of_readme, Role.INDEX: 0.7 * early, Role.MANIFEST: 0.3 * first}
        case Overview.STRUCTURE:
            tells_it = 0.9 * bool(_ON_STRUCTURE.search(heads))
            values = {
                Role.PLAN: max(early, 0.5), Role.README: max(0.75 * early, tells_it), Role.FOR_AGENTS: max(0.75 * early, tells_it),
                Role.FOR_WORK: max(0.3 * early, tells_it), Role.INDEX: 0.5 * early, Role.MANIFEST: 0.3 * first,
            }  # fmt: skip
        case Overview.START:
            of_page = max(0.6 * early, float(bool(_ON_START.search(heads))))
            of_start = 0.9 if early else 0.3
            values = {
                Role.README: of_page,
                Role.INDEX: of_page,
                Role.TO_START: of_start,
                Role.MANIFEST: 0.3 * first,
            }
        case Overview.WORK:
            tells_it = float(bool(_ON_WORK.search(heads)))
            values = {
                Role.FOR_WORK: max(tells_it, 0.8 * early, 0.6), Role.README: max(0.9 * tells_it, 0.3 * early),
                Role.BUILD: 0.4 if early else 0.0, Role.MANIFEST: 0.4 if early else 0.0,
            }  # fmt: skip
        case _:
            values = {}
    return values.get(role, 0.0)
