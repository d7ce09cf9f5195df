"""The records door: ready-made records in bulk, for programs that have their content at hand.

It keeps nothing of its own: every record stands in the common index under the door `records`, its id and its
scope. A write goes through `RecordsDoor.add`: each mapping is checked field by field and becomes a `Record`
(BadRecord names the field that is wrong), and `engine.ingestion` writes what differs from the stored record;
an equal one writes nothing. `delete` removes records by id. A read is any search of the common index.

Start at `RecordsDoor.add`.
"""
