"""The kind of a file by its name and its first line, independent of what Daypack takes it for."""

from __future__ import annotations

from evals.quality.questions.asked import Kind

_CODE = frozenset(
    [
        "bash", "bat", "bats", "c", "cc", "cjs", "cpp", "css", "cts", "cxx", "erl", "ex", "exs", "fish", "go", "h", "hpp", "hs", "hxx",
        "inl", "java", "js", "jsx", "kt", "kts", "lua", "m", "mjs", "mm", "mts", "php", "pl", "ps1", "psm1", "pxd", "py", "pyi", "pyx",
        "rb", "rs", "s", "sbt", "scala", "sh", "sql", "swift", "ts", "tsx", "zsh",
    ]
)  # fmt: skip
_PAGES = frozenset(
    [
        "1", "7", "adoc", "asciidoc", "htm", "html", "markdown", "md", "mdown", "mdx", "rdoc", "ronn", "rst", "rtf", "tex", "texi",
        "textile", "txt",
    ]
)  # fmt: skip
_NAMES = frozenset(
    [
        "authors", "changelog", "changes", "code_of_conduct", "contributing", "contributors", "copying", "history", "license", "licence",
        "news", "notice", "readme", "security", "upgrade",
    ]
)  # fmt: skip


def kind_of(path: str, text: str) -> Kind:
    """A script without an ending is code where its first line names an interpreter."""
    name = path.rpartition("/")[2].casefold()
    stem, dot, ending = name.rpartition(".")
    if dot and stem:
        if ending in _CODE:
            return Kind.CODE
        if ending in _PAGES:
            return Kind.PAGE if name != "cmakelists.txt" else Kind.OTHER
        return Kind.PAGE if stem in _NAMES and ending not in ("json", "toml", "yml", "yaml") else Kind.OTHER
    if name in _NAMES:
        return Kind.PAGE
    return Kind.CODE if text.startswith("#!") else Kind.OTHER
