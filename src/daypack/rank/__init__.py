"""Features of a pool of candidates → their scores, and what each signal added. Pure.

    find        the chunks that lead by words, and the nearest ones     leading.py, bm25.py, nearness.py
    spell       a typo becomes the nearest word of the store            fuzzy.py
    features    what path, name, author, links and text say             signals.py, named.py, uses.py, places.py, links.py, texts/
    blend       one score, with the share of each signal                blend.py, in order by order.py
    judge       the chance that the pool answers at all                 chance.py

candidates.py hands the best on with their texts, and log_lines.py reorders those of logs. views/ holds the arrays that
all of this reads. rrf.py is the profile "ctx", timeline.py the order of time; ablation.py leaves signals out.
"""
