"""A benchmark of the sources door whose sets are made, not found: records of an invented world, questions in
tiers, and what an answer is worth.

    legal.toml, medical.toml ─► World ─► rows of a set (JSONL) ─► cases in tiers (JSON)
    (ingest, retrieve, assemble: evals.bench.runner) ─► Outcome of each case ─► Summary ─► page

Pure. Equal seeds give equal bytes on every machine. What makes a tier hard is in `worlds` and `questions`
alone and does not look at any ranking.
"""
