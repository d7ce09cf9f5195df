"""The door of memories: values under keys, with their whole history, until they are forgotten.

    dp.memories.remember("release/cadence", "Weekly on Thursdays at 2pm UTC")
    dp.memories.recall("release/cadence").value
    dp.memories.pack("release process", budget_tokens=1500).text

A door belongs to one owner in one project. It sees that owner's memories and those that the project shares. A
memory is a list of versions that only grows; the current value is not stored but follows from the versions,
by rules without side effects (`rules`). The current value is a record of the common index, so it is searched
and ranked like any other text. A value that held once is a record too, and only questions about the past see it.
Versions, validity, trust and the audit have tables of their own (`table`).

A write goes `door.remember` → `writing.recording` (a statement without secrets, a version with its token) →
`writing.indexing` (the record that changes with it) → `files.shared` where the project shares its memories by git. A
read first applies the changes of files and time (`door.refresh`), then reads by key (`reading`), or asks the
engine for a ranking and orders it by relevance, keyword and recency (`finding`).
Forgetting removes every version from tables, index, vectors and log, and leaves a hash of the key
(`writing.forgetting`). `rules.histories` explains a key without a value, or a version that waits for a review.

Start reading at `door.MemoriesDoor`, then `rules`.
"""
