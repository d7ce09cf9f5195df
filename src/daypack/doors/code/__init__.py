"""The door of code: packs of code with its neighbours in the graph, symbols, callers, tests, and a map of the
repository.

    dp.code.pack("how are refunds retried?", max_chars=20_000)
    dp.code.callers("Cart.total")
    dp.code.map(budget=2_000)

The door reads the records of the files door and stores facts of its own (`table`): a row for each text and language, keyed
by the hash of the text, so that switching branches, copying and renaming files cost nothing. `project` extracts the facts
at the first question, and later those of changed files; `siblings` copies them from the stores of the repository's other
work trees. `graph` makes from the facts the edges that a question needs.

A pack begins with the engine's search (`door`). Then `packs` chooses the lines that represent each chunk (`primaries`),
adds their neighbours in the graph (`packing`), and keeps as many as fit into the budget, whole or in part (`selection`).
`worktree` describes the commit and the files that the answer used. `serialize` writes answers as Context Pack v1, by the
schema beside it. `references` finds the symbol that a name or path:line means, and `map` lists the symbols by rank.

Start at `CodeDoor.pack`.
"""
