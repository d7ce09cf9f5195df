"""Packs of code: chunks to primaries, primaries to neighbours, and as many of both as the budget holds."""
