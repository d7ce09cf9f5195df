"""The store on disk: one SQLite file, the single source of truth, with the lexical segments inside it."""
