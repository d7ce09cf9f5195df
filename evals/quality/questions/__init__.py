"""Everyday questions to real repositories: rankings and packs of several arms, measured question by question.

Modules, in the order of a run: `asked` reads the sets, `trees` keeps a store a tree, `arms` answers, `measures` judges
one answer, `tables` prints means. `python -m evals.quality.questions` joins them.
"""
