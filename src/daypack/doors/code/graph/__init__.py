"""The graph of code: the calls, uses, imports, members, bases and tests of each symbol.

    text → facts         extraction/                           the facts of one file, from its text alone
    facts → places       resolve.py, names.py, modules.py      the places that its names mean, through imports and scope
    places → meanings    meanings.py                           which of the places are certain
    meanings → edges     relations.py                          the neighbours of a symbol
    edges → users        users.py                              the callers and tests of a symbol, and the importers of a file
    edges → ranks        ranks.py                              the symbols that matter in a repository

Each language has a tree-sitter query that finds definitions, mentions and imports. It stands in the TOML file of the
language (`languages`), so that a new language needs no code. `extraction.spelling` writes the expressions and types of all
languages in one notation. Names are resolved through scopes, imports, packages, bases, and the types that annotations and
assignments state; an ambiguous name keeps all its meanings and is marked ambiguous.

The graph is pure: files come in as values, edges go out. Only facts are stored, and each depends on one text: edges cannot
be out of date, and after a change only the changed file is read. The parser is the one that also cuts files into chunks,
`text.syntax`.

Start at `CodeGraph.outgoing`.
"""
