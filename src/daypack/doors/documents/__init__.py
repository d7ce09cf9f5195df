"""The door of JSON documents: collections with MongoDB's filters, updates that are planned first, and texts
for a task.

    docs = dp.documents.collection("docs")
    docs.insert({"title": "Retries", "status": "published", "text": "Every attempt carries the same key."})
    docs.find({"status": "published"}, sort={"title": 1}, limit=10)
    docs.context("text", "how are refunds retried?", budget=500).to_json()

A document is a row of canonical JSON in `table`, the truth; `model` checks it, gives it its `_id` and compares
its values. A write (`loading`) is a transaction of rows and entries of field indexes. The text of a document is
a record of the common index, which `indexing` brings up to date before the next question or at `docs sync`, so
that a load is as fast as its rows.

A read parses the filter to a tree (`filters/language`) and makes one condition (`filters/sql`): entries
of field indexes where they are exact, and for the rest a function of SQL, `filters/predicate`. `vectors` keeps
the vectors of a field and finds its nearest documents; `context` makes packs of their texts; `plans` keeps the
bodies of an update before and after, so that it can be applied and rolled back as a whole.

Start at `Collection.find` for a read, at `loading.write_documents` for a write.
"""
