"""The store on disk: one SQLite file that is the truth, and the lexical segments inside it."""
