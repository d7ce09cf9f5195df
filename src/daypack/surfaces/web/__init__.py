"""A page to look at packs: what went in, what did not, and why.

Rendered here; it works without a script and asks no other machine.
"""
