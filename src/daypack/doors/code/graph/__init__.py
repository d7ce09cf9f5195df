"""Who calls, uses, imports, contains, extends and tests whom.

    text → facts          extract.py, languages/*.toml       what one file says, by itself
    facts → edges         resolve.py, modules.py             what its names mean, through imports and scope
    edges → neighbours    relations.py                       what stands near a symbol
    edges → ranks         ranks.py                           what matters in a repository

Pure: files come in as values, edges go out. Nothing is stored but facts, which depend on one text alone: no
edge can be out of date, and a changed file costs one look at that file. The parser is that of the cutter,
from `chunk`.
"""
