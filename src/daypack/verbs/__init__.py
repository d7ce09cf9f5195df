"""The noun `Verb`: one row of the table from which servers and commands are made
(`daypack.surfaces.toolsets`).
"""

from daypack.verbs.table import Access, Answer, Verb, access_of

__all__ = ["Access", "Answer", "Verb", "access_of"]
