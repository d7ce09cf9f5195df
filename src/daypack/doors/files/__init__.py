"""The files door: folders and files of a disk, kept in step with it.

What was added by hand is a *root*: a folder or a file, relative to the door's own folder where it lies below
it. Files are records of the common index, with their times and sizes; for each root table.py keeps the
folders that were seen, with their times, and the files that were passed over, with the reason.

A write goes through `FilesDoor.add`: walk the root (doors/reading), read what is new or changed, forget what
is gone, and note what was seen. Trouble with one file is an `IngestIssue` in the report, never an exception.

Before a query, `check` compares times: one `stat` a file and folder, and nothing is read or written when
nothing changed. `refresh` then reads a few changed files alone, and walks a root again where a folder or an
ignore file changed. watching.py tells `add --watch` when to check. A text that is no file, as standard input
is, is kept under the door `text`.

Start at `FilesDoor.add`.
"""
