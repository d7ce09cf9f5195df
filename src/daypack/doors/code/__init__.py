"""The door of code: packs of code with its neighbours in the graph, symbols, callers, tests, and a map of the
repository.

    dp.code.pack("how are refunds retried?", max_chars=20_000)
    dp.code.callers("Cart.total")
    dp.code.map(budget=2_000)

It works on the records of the files door and keeps facts of its own: one row a text and language (`table`),
by the hash of the text, so that a branch that comes back, a copy and a renamed file cost nothing. `project`
makes the facts at the first question and then for changed files; `siblings` takes over those in the store of
another work tree of the repository. `graph` makes edges from facts for the question at hand.

A pack is the engine's search (`door`), then, in `packs`, the lines that stand for each chunk (`primaries`),
then their neighbours in the graph (`packing`), then as many as the budget holds, whole or in part
(`selection`). `worktree` records the commit and the files that the answer saw. `serialize` writes answers as
Context Pack v1, by the schema beside it. `references` finds the symbol that a name or path:line means, and
`map` shows the symbols by rank.

Start at `CodeDoor.pack`.
"""
