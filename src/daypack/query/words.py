"""Words that do not tell one text from another: keywords of pasted code, the language of the whole store."""

from __future__ import annotations

from functools import cache

from daypack.text import analysis

# Keywords of the common languages that read as words. Not the ones that are also names people search for:
# `class` and `test` stay out of no prose query, they are dropped from pasted code only.
_KEYWORDS = """and as assert async await break case catch class const continue def default defer del delete do elif else end enum except
export extends false final finally fn for foreach from func function global go if impl implements import in instanceof
interface is lambda let match mod module mut namespace new nil none nonlocal not null or package pass private protected pub
public raise require rescue return self static struct super switch this throw throws trait true try type typeof undefined
union unless unsafe use using var void where while with yield int str string bool boolean float double char list dict"""

# Usual spellings of the language; a store whose only language it is gains nothing from it.
_LANGUAGE_NAMES = {
    "python": "python python3 py",
    "javascript": "javascript js",
    "typescript": "typescript ts",
    "tsx": "typescript ts",
    "go": "go golang",
    "rust": "rust",
    "java": "java",
    "c": "c",
    "cpp": "c++ cpp",
    "csharp": "c# csharp",
    "objc": "objc",
    "ruby": "ruby",
    "php": "php",
    "kotlin": "kotlin",
    "swift": "swift",
    "scala": "scala",
    "lua": "lua",
    "perl": "perl",
    "r": "r",
    "julia": "julia",
    "haskell": "haskell",
    "ocaml": "ocaml",
    "elixir": "elixir",
    "erlang": "erlang",
    "clojure": "clojure",
    "dart": "dart",
    "zig": "zig",
    "nim": "nim",
    "fortran": "fortran",
    "fsharp": "f# fsharp",
}
_ONE_LANGUAGE = ({"typescript", "tsx"},)  # two grammars of one language


@cache
def keyword_terms() -> frozenset[str]:
    """Keywords as index terms."""
    return frozenset(term for word in _KEYWORDS.split() for term in analysis.terms(word))


@cache
def language_terms(languages: frozenset[str]) -> frozenset[str]:
    """Index terms of the store's programming language where it has exactly one, else none.

    Shell scripts, build files, markup and data do not count: nearly every project has some.
    """
    known = languages & _LANGUAGE_NAMES.keys()
    if len(known) != 1 and known not in _ONE_LANGUAGE:
        return frozenset()
    return frozenset(term for language in known for term in analysis.terms(_LANGUAGE_NAMES[language]))
