"""The tables, and the numbered steps from one version of them to the next.

record      stored records, whole text included     the truth
chunk       spans of a record's text; ids are never reused
vec         one vector a content hash and model, so equal text is embedded once, across renames too
segment     columns of a run of chunks, and …       derived: `daypack reindex` rebuilds both from record
posting     … what each index term occurs in
instant     a small vector of each chunk of a segment, by a static table: derived as well
tomb        chunks that are gone but still in a segment
sent        the last packs that were sent, by who asked: IDs and numbers, …
sent_item   … and the spans that each showed, with a digest of their text; gone with their record
complete    doors and scopes in which every chunk has a vector of a model
source      what was added by hand: folders and files that a refresh looks at again
folder      modification times by root, by which a refresh learns of new files
skipped     files that were not indexed, by root, and why
meta        seq (rises with every write), names of defaults, the version of the reader, fitted ranking weights, where roots were read, the mark of a fold

memory_space    whose memories, in which project
memory          one key of one space: when it was made and used, and which version holds
memory_version  everything that was ever said under a key, in the order in which it was recorded     the truth
memory_tag      the tags of what holds
memory_gone     hashes of keys and versions that were forgotten or redacted, with the date
memory_audit    who changed what kind of thing when; hashes and numbers, no text
memory_source   files and folders that memories are read from, and what they were like when they were read

session         sessions of agents and people: when, where, since when they had read texts from outside, the next number
session_event   what an event is: category, importance, how often and when; its text is a record
session_seen    hashes of occurrences that were folded or imported: whatever comes again is known
label           labelled sources: where each came from, and what that was like when it was last looked at
code_facts      what a text of code defines, mentions and imports, by its hash     derived from record, when the code door is asked
code_name       … the names by which files find each other

collection         names of collections of JSON documents
document           their documents, as canonical JSON     the truth
document_untrusted documents that hold a text for which no person vouches
document_pending   documents whose text the common index does not have yet, or not as it is now
document_index     paths that are indexed, and …
document_entry     … what each document has there: kind and value in columns that SQLite compares as MongoDB does
document_field     fields that are embedded, by which model, and …
document_vector    … the hash of the text that each document had there; the vector itself is a row of `vec`
document_plan      changes that were planned, applied or rolled back, and …
document_change    … the bodies before and after of each document
source_item     every version of a scoped record, with who may see it; of a deleted one nothing of what it said     the truth
source_audit    what was written, asked and deleted: ids and counts, no text

team_person     people of a team server, by names that are never used twice
team_project    projects of the team; the content of each is in a store of its own
team_member     the role of each person in each project
team_token      personal tokens, as salted hashes, with their ends
team_audit      what each person wrote, asked and deleted: names, counts and outcomes, no text
"""

from __future__ import annotations

APPLICATION_ID = 0x44415950  # "DAYP"
VERSION = 18
PACKED = 16  # the first version whose postings are packed

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
    """
    CREATE TABLE memory_space (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, project TEXT NOT NULL, UNIQUE (owner, project));
    CREATE TABLE memory (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        space_id INTEGER NOT NULL REFERENCES memory_space (id), key TEXT NOT NULL,
        created_at REAL NOT NULL, accessed_at REAL, recalls INTEGER NOT NULL,
        current INTEGER, changes_at REAL,
        UNIQUE (space_id, key)
    );
    CREATE INDEX memory_changes ON memory (space_id, changes_at) WHERE changes_at IS NOT NULL;
    CREATE TABLE memory_version (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_id INTEGER NOT NULL REFERENCES memory (id),
        token TEXT NOT NULL, parent TEXT NOT NULL, value TEXT,
        recorded_at REAL NOT NULL, valid_from REAL NOT NULL, valid_to REAL, expires_at REAL,
        tags TEXT NOT NULL, links TEXT NOT NULL, source TEXT NOT NULL, author TEXT NOT NULL, session TEXT NOT NULL, trust TEXT NOT NULL,
        verdict TEXT, reviewed_at REAL,
        UNIQUE (memory_id, token)
    );
    CREATE INDEX memory_version_source ON memory_version (source, memory_id) WHERE source != '';
    CREATE INDEX memory_version_waiting ON memory_version (memory_id) WHERE trust = 'untrusted' AND verdict IS NULL;
    CREATE TABLE memory_tag (
        space_id INTEGER NOT NULL, tag TEXT NOT NULL, memory_id INTEGER NOT NULL REFERENCES memory (id),
        PRIMARY KEY (space_id, tag, memory_id)
    ) WITHOUT ROWID;
    CREATE INDEX memory_tag_memory ON memory_tag (memory_id);
    CREATE TABLE memory_gone (
        mark BLOB PRIMARY KEY, space BLOB NOT NULL, state TEXT NOT NULL, at REAL NOT NULL, reason TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE memory_audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL, action TEXT NOT NULL, space BLOB NOT NULL, mark BLOB NOT NULL, trust TEXT NOT NULL, chain BLOB NOT NULL
    );
    CREATE TABLE memory_source (
        space_id INTEGER NOT NULL REFERENCES memory_space (id), path TEXT NOT NULL, kind TEXT NOT NULL,
        mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
        PRIMARY KEY (space_id, kind, path)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        scope TEXT NOT NULL, name TEXT NOT NULL, short TEXT NOT NULL UNIQUE, client TEXT NOT NULL, folder TEXT NOT NULL,
        started_at REAL NOT NULL, last_at REAL NOT NULL, evicted INTEGER NOT NULL, following INTEGER NOT NULL,
        UNIQUE (scope, name)
    );
    CREATE TABLE session_event (
        record_id INTEGER PRIMARY KEY REFERENCES record (id),
        session_id INTEGER NOT NULL REFERENCES session (id), number INTEGER NOT NULL,
        category TEXT NOT NULL, importance INTEGER NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, marks TEXT NOT NULL,
        first_at REAL NOT NULL, last_at REAL NOT NULL, count INTEGER NOT NULL
    );
    CREATE INDEX session_event_time ON session_event (session_id, last_at);
    CREATE TABLE session_seen (
        session_id INTEGER NOT NULL REFERENCES session (id), mark BLOB NOT NULL, PRIMARY KEY (session_id, mark)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE label (
        scope TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, origin TEXT NOT NULL,
        added_at REAL NOT NULL, checked_at REAL NOT NULL, size INTEGER NOT NULL, records INTEGER NOT NULL,
        state TEXT NOT NULL, stamp TEXT NOT NULL,
        PRIMARY KEY (scope, name)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE code_facts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash TEXT NOT NULL, language TEXT NOT NULL, version INTEGER NOT NULL, data BLOB NOT NULL,
        UNIQUE (hash, language)
    );
    CREATE TABLE code_name (
        name TEXT NOT NULL, facts_id INTEGER NOT NULL REFERENCES code_facts (id), defines INTEGER NOT NULL,
        PRIMARY KEY (name, facts_id)
    ) WITHOUT ROWID;
    CREATE INDEX code_name_facts ON code_name (facts_id);
    CREATE INDEX record_hash ON record (hash, language);
    """,
    """
    CREATE TABLE collection (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, created_at REAL NOT NULL);
    CREATE TABLE document (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        collection_id INTEGER NOT NULL REFERENCES collection (id), key TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL,
        UNIQUE (collection_id, key)
    );
    CREATE TABLE document_pending (document_id INTEGER PRIMARY KEY);
    CREATE TABLE document_index (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        collection_id INTEGER NOT NULL REFERENCES collection (id), path TEXT NOT NULL, multi INTEGER NOT NULL,
        UNIQUE (collection_id, path)
    );
    CREATE TABLE document_entry (
        index_id INTEGER NOT NULL, rank INTEGER NOT NULL, value, document_id INTEGER NOT NULL,
        PRIMARY KEY (index_id, rank, value, document_id)
    ) WITHOUT ROWID;
    CREATE TABLE document_field (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        collection_id INTEGER NOT NULL REFERENCES collection (id), path TEXT NOT NULL, embedder TEXT NOT NULL, model TEXT NOT NULL,
        UNIQUE (collection_id, path)
    );
    CREATE TABLE document_vector (
        field_id INTEGER NOT NULL REFERENCES document_field (id), document_id INTEGER NOT NULL, hash BLOB NOT NULL,
        PRIMARY KEY (field_id, document_id)
    ) WITHOUT ROWID;
    CREATE INDEX document_vector_hash ON document_vector (hash);
    CREATE INDEX document_vector_document ON document_vector (document_id);
    CREATE TABLE document_plan (
        token TEXT PRIMARY KEY, collection_id INTEGER NOT NULL REFERENCES collection (id), filter TEXT NOT NULL, changes TEXT NOT NULL,
        made_at REAL NOT NULL, expires_at REAL NOT NULL, state TEXT NOT NULL, changed_at REAL
    ) WITHOUT ROWID;
    CREATE TABLE document_change (
        token TEXT NOT NULL REFERENCES document_plan (token), document_id INTEGER NOT NULL,
        key TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL
    );
    CREATE INDEX document_change_token ON document_change (token, document_id);
    """,
    """
    CREATE TABLE source_item (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        space TEXT NOT NULL, record_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, scope TEXT NOT NULL, user_id TEXT NOT NULL, session_id TEXT NOT NULL,
        source_key TEXT NOT NULL, version INTEGER NOT NULL, status TEXT NOT NULL, source_type TEXT NOT NULL, content_class TEXT NOT NULL,
        text TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, tags TEXT NOT NULL, data TEXT NOT NULL,
        confidentiality TEXT NOT NULL, allowed_users TEXT NOT NULL, allowed_sessions TEXT NOT NULL,
        local_egress INTEGER NOT NULL, remote_egress INTEGER NOT NULL, freshness_days REAL, retention_days REAL,
        checksum TEXT NOT NULL, tokens INTEGER NOT NULL, created_at REAL NOT NULL, used_at REAL, deleted_at REAL, previous TEXT NOT NULL
    );
    CREATE INDEX source_item_key ON source_item (space, source_key);
    CREATE INDEX source_item_checksum ON source_item (space, checksum) WHERE status = 'active';
    CREATE INDEX source_item_kind ON source_item (space, kind, number) WHERE status = 'active';
    CREATE TABLE source_audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, action TEXT NOT NULL, user_id TEXT NOT NULL, details TEXT NOT NULL, chain BLOB NOT NULL
    );
    """,
    # The columns that a check of the disk compares come after the text in a row: without this it reads every
    # text of the store.
    """CREATE INDEX record_look ON record (door, scope, uid, hash, mtime_ns, size);""",
    """
    UPDATE record SET scope = 'global' || char(31) || coalesce((SELECT user_id FROM source_item WHERE record_id = record.uid), '')
        WHERE door = 'sources' AND scope = 'global';
    UPDATE source_item SET space = 'global' || char(31) || user_id WHERE scope = 'global';
    """,
    """
    CREATE TABLE instant (
        segment_id INTEGER PRIMARY KEY, model TEXT NOT NULL, dim INTEGER NOT NULL, scales BLOB NOT NULL, codes BLOB NOT NULL
    );
    CREATE TABLE complete (
        model TEXT NOT NULL, door TEXT NOT NULL, scope TEXT NOT NULL, counts INTEGER NOT NULL, PRIMARY KEY (model, door, scope)
    ) WITHOUT ROWID;
    """,
    """
    CREATE INDEX record_name ON record (substr(title, 1, instr(title || ' (', ' (') - 1)) WHERE title != '';
    """,
    """
    CREATE TABLE sent (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        asker TEXT NOT NULL, id TEXT NOT NULL, parent TEXT NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, gone TEXT NOT NULL, used INTEGER NOT NULL,
        UNIQUE (asker, id)
    );
    CREATE TABLE sent_item (
        number INTEGER NOT NULL REFERENCES sent (number) ON DELETE CASCADE, label INTEGER NOT NULL,
        record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
        start INTEGER NOT NULL, end INTEGER NOT NULL, digest BLOB NOT NULL,
        PRIMARY KEY (number, label)
    ) WITHOUT ROWID;
    CREATE INDEX sent_item_record ON sent_item (record_id);
    """,
    """
    ALTER TABLE session ADD COLUMN outside_at REAL;
    ALTER TABLE document_plan ADD COLUMN trust TEXT NOT NULL DEFAULT 'user';
    CREATE TABLE document_untrusted (document_id INTEGER PRIMARY KEY);
    """,
    """
    CREATE TABLE team_person (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, added_at REAL NOT NULL, removed_at REAL, writes INTEGER NOT NULL
    );
    CREATE TABLE team_project (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, added_at REAL NOT NULL, bytes INTEGER NOT NULL
    );
    CREATE TABLE team_member (
        person_id INTEGER NOT NULL REFERENCES team_person (id), project_id INTEGER NOT NULL REFERENCES team_project (id), role TEXT NOT NULL,
        PRIMARY KEY (person_id, project_id)
    ) WITHOUT ROWID;
    CREATE TABLE team_token (
        id TEXT PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES team_person (id), project_id INTEGER REFERENCES team_project (id),
        role TEXT NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL, made_at REAL NOT NULL, expires_at REAL, revoked_at REAL
    ) WITHOUT ROWID;
    CREATE TABLE team_audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL, action TEXT NOT NULL, person TEXT NOT NULL, project TEXT NOT NULL, details TEXT NOT NULL, chain BLOB NOT NULL
    );
    CREATE INDEX team_audit_person ON team_audit (person, id);
    """,
    # A question names files by the last part of their path, and LIKE would read every name of the store.
    """
    CREATE INDEX record_base ON record (substr(uri, length(rtrim(uri, replace(uri, '/', ''))) + 1));
    """,
    # Postings are packed, which `packed.pack_former` does after the steps.
    "",
    # Values that memories held once, or are to hold, become records, which older programs would take for what holds: the next
    # use of the memories makes them.
    """
    UPDATE memory SET changes_at = 0 WHERE current IS NULL
        OR changes_at IS NOT NULL OR id IN (SELECT memory_id FROM memory_version GROUP BY memory_id HAVING count(*) > 1);
    """,
    # Roots may share a path. Before, a folder had its root and a newline in front of its path.
    """
    CREATE TABLE former_folder AS SELECT * FROM folder;
    CREATE TABLE former_skipped AS SELECT * FROM skipped;
    DROP TABLE folder;
    DROP TABLE skipped;
    CREATE TABLE folder (
        source TEXT NOT NULL, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL, PRIMARY KEY (source, path)
    ) WITHOUT ROWID;
    CREATE TABLE skipped (
        source TEXT NOT NULL, uri TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
        mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
        PRIMARY KEY (source, uri)
    ) WITHOUT ROWID;
    INSERT INTO folder (source, path, mtime_ns)
        SELECT source, CASE WHEN instr(path, source || char(10)) = 1 THEN substr(path, length(source) + 2) ELSE path END, mtime_ns
        FROM former_folder;
    INSERT INTO skipped (source, uri, reason, detail, mtime_ns, size)
        SELECT source, uri, reason, detail, mtime_ns, size FROM former_skipped;
    DROP TABLE former_folder;
    DROP TABLE former_skipped;
    """,
)
