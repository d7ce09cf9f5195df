"""The tables, and the numbered steps from one version of them to the next.

record      what came in, whole text included       the truth
chunk       spans of a record's text; ids are never reused
vec         one vector a content hash and model, so equal text is embedded once, across renames too
segment     columns of a run of chunks, and …       derived: `daypack reindex` rebuilds both from record
posting     … what each index term occurs in
tomb        chunks that are gone but still in a segment
source      what was added by hand: folders and files that a refresh looks at again
folder      modification times, by which a refresh learns of new files
skipped     files that were not indexed, and why
meta        seq (rises with every write), names of defaults
"""

from __future__ import annotations

APPLICATION_ID = 0x44415950  # "DAYP"
VERSION = 1

# Step n turns version n into n + 1. A step is never edited once released.
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE record (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        door TEXT NOT NULL, scope TEXT NOT NULL, uid TEXT NOT NULL,
        kind TEXT NOT NULL, uri TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL, rendered TEXT NOT NULL,
        author TEXT NOT NULL, session TEXT NOT NULL, time REAL, trust TEXT NOT NULL,
        tags TEXT NOT NULL, metadata TEXT NOT NULL,
        text TEXT NOT NULL, hash TEXT NOT NULL, imports TEXT NOT NULL, fallback TEXT NOT NULL,
        mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, indexed_at REAL NOT NULL,
        UNIQUE (door, scope, uid)
    );
    CREATE INDEX record_uri ON record (uri);
    CREATE INDEX record_scope ON record (scope);
    CREATE INDEX record_kind ON record (kind, language);
    CREATE TABLE chunk (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        record_id INTEGER NOT NULL REFERENCES record (id),
        ordinal INTEGER NOT NULL,
        start INTEGER NOT NULL, end INTEGER NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
        kind TEXT NOT NULL, name TEXT NOT NULL, trail TEXT NOT NULL, signature TEXT NOT NULL, symbol TEXT, section INTEGER NOT NULL,
        tokens INTEGER NOT NULL, hash BLOB NOT NULL, embed_hash BLOB NOT NULL
    );
    CREATE INDEX chunk_record ON chunk (record_id);
    CREATE INDEX chunk_embed_hash ON chunk (embed_hash);
    CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dim INTEGER NOT NULL);
    CREATE TABLE vec (
        hash BLOB NOT NULL, model_id INTEGER NOT NULL REFERENCES model (id),
        scale REAL NOT NULL, codes BLOB NOT NULL,
        PRIMARY KEY (model_id, hash)
    ) WITHOUT ROWID;
    CREATE TABLE segment (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        chunks INTEGER NOT NULL, postings INTEGER NOT NULL, columns BLOB NOT NULL
    );
    CREATE TABLE posting (
        segment_id INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (segment_id, term)
    ) WITHOUT ROWID;
    CREATE TABLE tomb (chunk_id INTEGER PRIMARY KEY);
    CREATE TABLE source (path TEXT PRIMARY KEY, kind TEXT NOT NULL, added_at REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE folder (path TEXT PRIMARY KEY, source TEXT NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE skipped (
        uri TEXT PRIMARY KEY, source TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
        mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL
    ) WITHOUT ROWID;
    """,
)
