"""The graph of code: the calls, uses, imports, members, bases and tests of each symbol.

    text → facts         extraction/                           what one file says, by itself
    facts → meanings     resolve.py, names.py, modules.py      the meanings of its names, through imports and scope
    meanings → edges     relations.py                          the neighbours of a symbol
    edges → ranks        ranks.py                              the symbols that matter in a repository

One tree-sitter query a language finds definitions, mentions and imports (`languages`, and a TOML file for
each language, so that a language is added without code). `extraction.spelling` writes every expression and type
the same way, whatever the language. Names are resolved through scopes, imports, packages, bases and the types that
annotations and assignments give away; an ambiguous name keeps all its meanings and is marked ambiguous.

Pure: files come in as values, edges go out. Only facts are stored, which depend on one text alone: no edge
can be out of date, and a changed file costs one reading of that file. The parser is that of the cutter, from
`text.syntax`.

Start at `CodeGraph.outgoing`.
"""
