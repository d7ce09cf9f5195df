"""One snapshot of the index in memory: columns, postings and vectors as arrays for the ranking.

`daypack.index` fills the arrays; no module of this folder reads a store.

    lexical.py   columns and postings           vectors.py   vectors, with signs.py to find the nearest
    runs.py      positions by record or section folds.py     the first positions, prepared in a file
"""

from daypack.rank.views.folds import Fold, FoldedVectors, Totals, no_chunks
from daypack.rank.views.lexical import ChunkFlag, LexicalView, PostingsOf, TermPostings, together
from daypack.rank.views.vectors import VectorView, products

__all__ = (
    "ChunkFlag",
    "Fold",
    "FoldedVectors",
    "LexicalView",
    "PostingsOf",
    "TermPostings",
    "Totals",
    "VectorView",
    "no_chunks",
    "products",
    "together",
)
