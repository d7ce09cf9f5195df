"""The store on disk: one SQLite file, the single source of truth, with the lexical segments inside it.

stores.py opens it, transactions.py reads and writes it, store.py keeps records, lexical.py words, vectors/ vectors; copies/ and
salvage/ save and mend it.
"""
