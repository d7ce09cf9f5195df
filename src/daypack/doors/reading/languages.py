"""The language of a file, by name, ending, shebang, or first characters.

Languages with a tree-sitter grammar have its name. Code has functions or rules to run; markup, data, configuration and prose
are documents.
"""

from __future__ import annotations

import re

from daypack.types import RecordKind


def _called_so(names: str) -> dict[str, str]:
    """Name → itself, for languages whose name is also their file ending or program."""
    return {name: name for name in names.split()}


_CODE_ENDINGS = {
    **_called_so(
        "tsx go java swift lua fish r dart zig nim d v vb proto thrift nix cmake dockerfile vue svelte "
        "astro liquid haml slim vim just wat tcl awk prisma matlab jq m4 elm gleam odin vala wgsl glsl hlsl qml rego cue bicep stan"
    ),
    "python": "py pyi pyw pyx pxd",
    "javascript": "js mjs cjs jsx es6",
    "typescript": "ts mts cts",
    "rust": "rs",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ inl ipp cu cuh",
    "objc": "m mm",
    "csharp": "cs csx",
    "ruby": "rb rake gemspec ru podspec",
    "php": "php phtml php5",
    "kotlin": "kt kts",
    "scala": "scala sc sbt mill",
    "bash": "sh bash zsh ksh bats ebuild",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "perl": "pl pm t",
    "julia": "jl",
    "haskell": "hs lhs",
    "ocaml": "ml mli",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "clojure": "clj cljs cljc edn",
    "scheme": "scm ss",
    "racket": "rkt",
    "commonlisp": "lisp lsp cl",
    "elisp": "el",
    "groovy": "groovy gradle gvy",
    "vhdl": "vhd vhdl",
    "verilog": "sv svh",
    "fortran": "f f90 f95 f03 f08 for",
    "pascal": "pas pp dpr",
    "ada": "adb ads",
    "asm": "s asm",
    "fsharp": "fs fsx fsi",
    "sql": "sql ddl",
    "solidity": "sol",
    "graphql": "graphql gql",
    "hcl": "tf hcl tfvars",
    "starlark": "bzl star bazel",
    "make": "mk mak",
    "css": "css pcss postcss",
    "scss": "scss sass less",
    "stylus": "styl stylus",
    "jsonnet": "jsonnet libsonnet",
    "yacc": "y yy ypp",
    "lex": "l ll lpp",
    "autoconf": "ac",
    "crystal": "cr",
    # templates: markup with code in it
    "embedded_template": "erb ejs",
    "eex": "eex heex leex",
    "razor": "razor cshtml vbhtml",
    "handlebars": "hbs handlebars mustache",
    "twig": "twig njk nunjucks",
    "jsp": "jsp jspx gsp",
    "freemarker": "ftlh",
    "velocity": "vm",
    "pug": "pug jade",
    "xaml": "xaml axaml",
    "haxe": "hx",
    "devicetree": "dts dtsi",
    "gdscript": "gd",
    "purescript": "purs",
    "coffeescript": "coffee",
}

_DOCUMENT_ENDINGS = {
    **_called_so("org json5 toml csv log"),
    "markdown": "md markdown mdx mdown mkd qmd rmd",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc asc rdoc",
    "texinfo": "texi texinfo txi",
    "mediawiki": "mediawiki wiki",
    "gherkin": "feature",
    "latex": "tex ltx sty cls",
    "bibtex": "bib",
    "rd": "rd",
    "typst": "typ",
    "html": "html htm xhtml",
    "xml": "xml xsd xsl xslt svg plist wsdl rss atom csproj vbproj fsproj props targets resx enex opml drawio dio",
    "json": "json geojson webmanifest har avsc arb xcstrings excalidraw",
    "jsonc": "jsonc code-workspace",
    "ndjson": "ndjson jsonl",
    "yaml": "yaml yml",
    "ini": "ini cfg conf editorconfig service desktop",
    "properties": "properties env strings",
    "tsv": "tsv tab",
    "diff": "diff patch",
    "text": "txt text",
    "notebook": "ipynb",
    "canvas": "canvas",
    "jinja2": "jinja jinja2 j2",
    "gotmpl": "tmpl gotmpl",
    "gettext": "po pot",
}
_TEMPLATE_ENDINGS = frozenset(
    [
        "erb",
        "ejs",
        "eex",
        "heex",
        "hbs",
        "mustache",
        "twig",
        "njk",
        "jinja",
        "jinja2",
        "j2",
        "tmpl",
        "gotmpl",
        "liquid",
        "vm",
    ]
)
_MARKUP = ("markdown", "rst", "asciidoc", "org")

_CODE_NAMES = {
    "make": "makefile gnumakefile",
    "dockerfile": "dockerfile containerfile",
    "cmake": "cmakelists.txt",
    "ruby": "gemfile rakefile guardfile podfile vagrantfile fastfile brewfile dangerfile",
    "groovy": "jenkinsfile",
    "starlark": "build workspace build.bazel workspace.bazel tiltfile",
    "just": "justfile .justfile",
    "python": "sconstruct sconscript wscript",
    "bash": ".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild",
    "vim": ".vimrc",
    "kconfig": "kconfig",
}

_DOCUMENT_NAMES = {
    "gitignore": ".gitignore .ignore .dockerignore .npmignore .daypackignore .eslintignore .prettierignore .gitattributes codeowners",
    "ini": ".editorconfig .gitconfig .gitmodules .flake8 .pylintrc .coveragerc pipfile.cfg",
    "toml": "pipfile",
    "jsonc": "tsconfig.json jsconfig.json .eslintrc .babelrc .swcrc devcontainer.json settings.json launch.json tasks.json",
    "yaml": ".clang-format .clang-tidy",
    "go_module": "go.mod go.work",
    "text": "license licence copying notice authors contributors readme changelog changes news todo version",
}

_INTERPRETERS = {
    **_called_so("fish perl php julia make elixir groovy scala swift just"),
    "python": "python python2 python3 pypy pypy3 uv",
    "bash": "sh bash zsh dash ksh ash",
    "javascript": "node nodejs bun",
    "typescript": "deno ts-node tsx",
    "ruby": "ruby jruby",
    "lua": "lua luajit",
    "r": "Rscript",
    "awk": "awk gawk",
    "tcl": "tclsh wish",
    "haskell": "runhaskell stack",
    "powershell": "pwsh",
}


def _inverted(table: dict[str, str]) -> dict[str, str]:
    return {word: language for language, words in table.items() for word in words.split()}


_CODE_BY_ENDING = _inverted(_CODE_ENDINGS)
_DOCUMENT_BY_ENDING = _inverted(_DOCUMENT_ENDINGS)
_CODE_BY_NAME = _inverted(_CODE_NAMES)
_DOCUMENT_BY_NAME = _inverted(_DOCUMENT_NAMES)
_BY_INTERPRETER = _inverted(_INTERPRETERS)
_CODE = frozenset((*_CODE_ENDINGS, *_CODE_NAMES, *_INTERPRETERS))
PLAIN = "text"
MAN = "man"  # detected by its first lines
LANGUAGES = _CODE | {*_DOCUMENT_ENDINGS, *_DOCUMENT_NAMES, "matlab", "blade", "nginx", MAN, PLAIN}
"""Every name that `detect_language` gives."""

_C_START = re.compile(r"\s*(?://|/\*|#[ \t]*(?:import|include|define|undef|pragma|if|ifdef|ifndef)\b)")
_CPP_HEADER = re.compile(
    r"^\s*(?:class\s+\w+|namespace\b|template\s*<|using\s+\w+|public:|private:|#include\s*<[a-z_]+>)",
    re.MULTILINE,
)
_OBJC = re.compile(r"^\s*(?:@interface|@implementation|@protocol|@import|#import)\b", re.MULTILINE)
# Of a configuration in blocks, as that of nginx, and of one in sections, as INI.
_DIRECTIVE = re.compile(r"^[ \t]*[a-z_]+(?:[ \t][^\n#={}]*)?(?:;|\{)[ \t]*\r?$", re.MULTILINE)
_SECTION = re.compile(r"^\[[^\]\n]+\][ \t]*\r?$", re.MULTILINE)
_DEFINE = re.compile(r"^\{\{-?[ \t]*define[ \t]+\"", re.MULTILINE)
# Man pages end in a number, as other files do: `server.log.1`.
_MAN_START = re.compile(r"\s*(?:[.']\\\"|\.(?:TH|Dd|Dt)[ \t])")
_HTML_START = re.compile(r"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)


def detect_language(name: str, head: str) -> tuple[str, RecordKind]:
    """(language, kind of record) of a file, from its name and its first characters; "text" for an unknown language."""
    lower = name.lower()
    if lower in _CODE_BY_NAME:
        return _CODE_BY_NAME[lower], RecordKind.CODE
    if lower in _DOCUMENT_BY_NAME:
        return _DOCUMENT_BY_NAME[lower], RecordKind.DOCUMENT
    if lower.startswith(("dockerfile.", "dockerfile-", "containerfile.")):
        return "dockerfile", RecordKind.CODE
    if lower.endswith(".blade.php"):
        return "blade", RecordKind.CODE
    stem, dot, ending = lower.rpartition(".")
    if ending in _TEMPLATE_ENDINGS and (inner := _DOCUMENT_BY_ENDING.get(stem.rpartition(".")[2])) in _MARKUP:
        return inner, RecordKind.DOCUMENT  # README.md.j2: few words of a page are the template's
    if dot and ending in ("in", "example", "sample", "template", "tpl", "dist", "orig", "bak") and stem:
        if ending == "tpl" and _DEFINE.search(head):
            return "gotmpl", RecordKind.CODE  # the named templates of a chart
        return detect_language(stem, head)  # config.yaml.example
    if dot:
        if ending in _CODE_BY_ENDING:
            return _ambiguous(_CODE_BY_ENDING[ending], ending, head)
        if ending == "asc" and head.startswith("-----BEGIN "):
            return PLAIN, RecordKind.DOCUMENT  # a signature or a key
        if ending == "conf" and _DIRECTIVE.search(head) and not _SECTION.search(head):
            return "nginx", RecordKind.DOCUMENT
        if ending in _DOCUMENT_BY_ENDING:
            return _DOCUMENT_BY_ENDING[ending], RecordKind.DOCUMENT
    if lower.startswith("kconfig."):
        return "kconfig", RecordKind.CODE  # Kconfig.debug, but not kconfig.h
    return _by_head(head)


def _ambiguous(language: str, ending: str, head: str) -> tuple[str, RecordKind]:
    """The language of a file whose ending two languages share."""
    if ending == "h":
        language = "objc" if _OBJC.search(head) else "cpp" if _CPP_HEADER.search(head) else "c"
    elif ending == "m" and not _OBJC.search(head) and not _C_START.match(head):
        language = "matlab"
    elif ending == "ts" and head.lstrip().startswith("<?xml"):
        return "xml", RecordKind.DOCUMENT  # a Qt translation
    elif ending in ("t", "d", "v", "s", "l", "y") and head.startswith("#!"):
        return _by_head(head)
    return language, RecordKind.CODE


def _by_head(head: str) -> tuple[str, RecordKind]:
    if head.startswith("#!"):
        program = _interpreter(head)
        # A script for an unknown program is code, too.
        return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(
            program.rstrip("0123456789.")
        ) or PLAIN, RecordKind.CODE
    if _HTML_START.match(head):
        return "html", RecordKind.DOCUMENT
    if head.startswith("<?xml"):
        return "xml", RecordKind.DOCUMENT
    if _MAN_START.match(head):
        return MAN, RecordKind.DOCUMENT
    if head.startswith("<?php"):
        return "php", RecordKind.CODE
    return PLAIN, RecordKind.DOCUMENT


def _interpreter(head: str) -> str:
    """The program that a shebang names, also after `env` with options and variables."""
    words = [
        word.rpartition("/")[2]
        for word in head.partition("\n")[0][2:].split()
        if not word.startswith("-") and "=" not in word
    ]
    if words[:1] == ["env"]:
        del words[0]
    return words[0] if words else ""
