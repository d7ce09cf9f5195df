"""Candidates and a budget → a pack: what goes in, in which variant, and what is left out and why. Pure."""

from daypack.pack.fit import pack_candidates

__all__ = ["pack_candidates"]
