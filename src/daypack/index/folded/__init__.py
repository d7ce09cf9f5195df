"""A fold: a copy of everything that a question scans, in one file that is mapped and read where it is needed.

    folded/lock               one process at a time folds or removes folds
    folded/GENERATION.fold    the columns, runs, instant vectors and signs of the first segments   layout.py
    meta 'folded'             the segments that the file holds, as they are in the database        marks.py
    meta 'fold_totals'        their living chunks and lengths, which every deletion corrects
    meta 'fold_due'           rows of deleted chunks that are still to be overwritten in the file  wiping.py

SQLite holds the truth, and every answer is the same without a fold: only slower, and in more memory. `folding.py` writes a fold
aside, syncs it, renames it, and sets the mark last, in one transaction that looks again at the segments and the tombstones. So a
process that dies leaves a file without a mark, which the next fold removes; a mark without its file, of another version or damaged is
a reason to read the database instead (`reading.py`), and `status` and `doctor` tell it. Segments that came in since are the tail.
"""
