"""Timings: every figure beside its target, and beside plain FTS5 and bm25s on the same chunks.

    python -m evals.speed [--quick] [--out FILE.json] [--markdown FILE]

    corpus.py    real text of this machine, copied into a temporary folder
    tasks.py     one measurement each, in a fresh process
    report.py    rows, targets, the table
    growth.py    cost against size, a command of its own: python -m evals.speed.growth FOLDER
    __main__.py  which tasks, in which order, against which targets

The main figure is CPU time (user and system, children included where a command is started): it changes little
with what else the machine does, wall time changes a lot. Ratios are taken within one run.
"""
