"""The files door: folders and files of a disk, kept in step with it.

A *root* was added by hand: a folder or a file, relative to the door's own folder where it is below it. Files
are records of the common index, with their times and sizes; for each root table.py keeps the visited folders,
with their times, and the skipped files, with the reason.

A write goes through `FilesDoor.add`: walk the root (doors/reading), read new and changed files, forget
vanished ones, and note the result. Trouble with one file is an `IngestIssue` in the report, never an
exception.

Before a query, `check` compares times: one `stat` a file and folder, and nothing is read or written when
nothing changed. `refresh` then reads a few changed files alone, and walks a root again where a folder or an
ignore file changed. watching.py tells `add --watch` when to check. A text without a file, such as standard
input, is kept under the door `text`.

Start at `FilesDoor.add`.
"""
