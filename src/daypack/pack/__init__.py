"""Candidates and a budget → a pack: the chosen items, the variant of each, and the omitted ones with reasons.

    sift       the candidates that compete for the budget     sifting.py, by worth.py, dedupe.py and sent.py
    measure    the tokens that a shape puts around a text     frame.py
    choose     variants, by value for cost                    variants.py, lines.py, weigher.py, pointing.py, select.py, widening.py, breadth.py
    add        what a change needs besides                    companions.py, occurrences.py
    stitch     chosen spans become excerpts                   stitch.py
    fit        render, count, give up or fill                 fit.py

fit.py calls these in order. Pure.
"""
