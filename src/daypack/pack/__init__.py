"""Candidates and a budget → a pack: the chosen items, the variant of each, and the omitted ones with reasons.
Pure.
"""

from daypack.pack.fit import pack_candidates

__all__ = ["pack_candidates"]
