"""Paths and declarations that tell the purpose of a file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from daypack.text.name_sets import name_set

if TYPE_CHECKING:
    from pathlib import PurePath

CODE_ENDINGS = name_set(
    """py pyi pyx ipynb js mjs cjs jsx ts mts cts tsx go rs java kt kts scala c h cc cpp cxx hpp hh hxx m mm cs fs rb rake php swift dart
    lua pl pm r jl hs ml mli ex exs erl clj cljs el nim zig sol sql proto thrift graphql gql tf hcl nix bzl cmake mk vue svelte astro css
    scss sass less sh bash zsh fish ps1 bat cmd html htm xml xsd json jsonc json5 yaml yml toml ini cfg conf env properties vim gradle
    groovy jinja j2 tmpl erb ejs wat asm s"""
)
"""Endings of the files of programs and their settings."""

MANIFEST_ENDS = (".cabal", ".csproj", ".gemspec", ".podspec", ".rockspec")
"""Endings of manifests that are called after their project: `shop.gemspec`."""

# Folders by their whole name, in any case, or by its end (Shop.Tests, ShopUITests); files by the customs of languages. A
# package that is called `testing` is one for those who test. Code in `t` at the top
# of a tree tests it, as in Perl, Git and Celery.
_TEST = (
    r"(^|/)((?i:tests?|specs?|__tests__|(?<!packages/)(?<!crates/)(?<!libs/)testing|testdata|fixtures?|__(?:test)?fixtures__|e2e|mocks?|__mocks__|fuzz|goldens?"
    r"|__snapshots__)|[^/]*[a-z.]Tests)(/|$)|^/t/.*\.(c|js|p[lmy]|rb|sh)$"
    r"|(^|/)(test_[^/]*\.(py|rb|c|cc|cpp|h|php|lua|jl|nim|r|R|js|ts)$|conftest\.py$|tests?\.(py|rb|c|cc|cpp|cxx|php|lua|jl|nim|js|mjs|ts|rs|sh)$"
    r"|[^/]*\.t$|t/(.*/)?[^/]*\.p[lm]$|[^/]*_test\.[a-z]+$|[^/]*[._-](spec|test)(-d)?\.[a-z]+$|[^/]*Tests?\.(java|cs|kt|swift|php)$)"
)
# Maven and Gradle ship all sources below `src/main`: packages called `mock` or `test` there are for those who test. Other programs
# keep their tests in a folder of that name.
_SHIPPED = r"/src/main/(?:java|kotlin|scala|groovy|clojure|resources)(?:-?\d[^/]*)?/"
# A package may be called `tools`, `script` or `deps`; at the top of a tree the name means a folder beside the program.
# `snippets` in small letters is often a feature.
_ASIDE = (
    r"^(scripts?|tools|build|deps)/|(^|/)((?i:_?(?:docs?|examples?|samples?|demos?|playgrounds?|benchmarks?))|Snippets|_?vendor|vendored|bundled|(_?third|3rd)[_-]?party|externals?|extern"
    r"|site-packages|node_modules|bower_components|Carthage|Pods|migrations(?!/.*\.sql$)|db/(?:post_)?migrate|alembic/versions|dist|generated|deprecated|legacy|priv/static)/|[^/]/packages/(?!.*/src/).*\.py$|\.d\.[cm]?ts$|\.pb\.go$|_pb2\.py$|(^|/)setup\.py$|\.min\.(js|css)$|\.stories\.[^/]+$"
)


def without_ending(uri: str) -> str:
    """A path as the index has its words: without the ending of its file, but for one that says that it is a manifest."""
    folder, slash, name = uri.rpartition("/")
    stem = "" if name.endswith(MANIFEST_ENDS) else name.rpartition(".")[0]
    return f"{folder}{slash}{stem or name}"


def is_test_path(uri: str) -> bool:
    """True for the path of a test or of its support files."""
    return bool(re.search(_TEST, re.split(_SHIPPED, f"/{uri}", maxsplit=1)[0]))


def is_aside_path(uri: str) -> bool:
    """True for the path of documentation, an example, a script, vendored, generated, built or deprecated code."""
    return bool(re.search(_ASIDE, uri))


def stands_aside(uri: str, metadata: Mapping[str, Any]) -> bool:
    """True for code that its path sets aside, or its declared purposes do; these overrule the path."""
    purposes = _purposes(metadata)
    declared = [purposes[name] for name in ("vendored", "documentation") if name in purposes]
    return any(declared) if declared else is_aside_path(uri)


def is_generated(metadata: Mapping[str, Any]) -> bool:
    """True for a file that says that a program wrote it, or is declared so; the declaration overrules the file."""
    return bool(_purposes(metadata).get("generated", metadata.get("generated", False)))


def _purposes(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The purposes that `.gitattributes` declares; {} where a program's record holds something else."""
    found = metadata.get("linguist")
    return found if isinstance(found, dict) else {}


def from_root(path: str, root: PurePath | str) -> str:
    """A path, glob or reference as names of files are written: relative to the root, which is "." itself."""
    folder = str(root).rstrip("/")
    inside = path.removeprefix(f"{folder}/") if path != folder else ""
    return inside.removeprefix("./") or "."


def spellings(path: str, root: PurePath | str, here: str = "") -> tuple[str, ...]:
    """The names that a path, glob or reference may mean, relative to the root: as seen from the folder `here` below it first,
    then from the root. A glob without a folder means files everywhere.
    """
    plain = from_root(path, root)
    everywhere = "/" not in path and not {*path}.isdisjoint("*?")
    if not here or everywhere or path.startswith("/"):
        return (plain,)
    below = normpath(join(here, path)) + "/" * path.endswith("/")
    return (plain,) if f"{below}/".startswith("../") else tuple(dict.fromkeys((below, plain)))


def globs_below(path: str) -> tuple[str, ...]:
    """Globs for a path as people write it: a folder stands for everything in it. None for the project, "."."""
    bare = path.removeprefix("./").rstrip("/")
    return () if bare in ("", ".") else (bare, f"{bare}/")


def names_path(uri: str, path: str) -> bool:
    """True when a path of the query means this file: both are equal, or the longer ends with the shorter at a
    folder's edge. The spelling of letters with accents does not count.
    """
    if not (uri.isascii() and path.isascii()):
        uri, path = (unicodedata.normalize("NFC", name) for name in (uri, path))
    uri, path = uri.replace("\\", "/"), path.replace("\\", "/").removeprefix("./")
    return uri == path or uri.endswith("/" + path) or path.endswith("/" + uri)
