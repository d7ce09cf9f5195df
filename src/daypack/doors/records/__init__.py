"""The records door: ready-made records in bulk, for programs that have their content at hand.

It has no tables: every record is in the common index under the door `records`, its id and its scope. A write
goes through `RecordsDoor.add`: each mapping is checked field by field and becomes a `Record` (BadRecord names
the faulty field), and `engine.ingestion` writes the differences from the stored record; an equal one writes
nothing. `delete` removes records by id. A read is any search of the common index.

Start at `RecordsDoor.add`.
"""
