"""The engine: records on their way in, questions on their way to an answer, over one store.

wiring     store, model, clock and doors                  engine.py, open_store.py, doors.py
a write    redact, cut, count, write, index               ingest/, embedding.py, background.py
a query    rank, read texts, pack                         retrieval/, answers.py, packing.py; citations.py for `get`
who asks   viewers, projects, filters, limits             visibility.py, sharing.py, filter_arguments.py, limits.py
care       checks, and work that saves time later         health.py, checks.py, upkeep.py
"""
