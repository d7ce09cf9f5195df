"""The knowledge door: texts, files, folders, web pages and command output, each stored under a label.

A label names one source. Another addition under the label replaces all its texts in one transaction, so readers see the
old source or the new one. The texts are records of the common index. A row of the table `label` (table.py) has the origin
of a label, and the origin's state when it was last read (times and sizes of files, the validators of a page).

A write goes through `KnowledgeDoor.add_text`, `add_path`, `add_pages` or `run`: records.py makes records from the input,
and `_replace` compares them with the stored ones, writes the new ones and removes the others. web.py fetches pages, and
refuses all addresses that are not public; doors/reading/process.py runs commands. Pages and output are always shown as
untrusted.

A read is an ordinary search in the common index. Before a search, `refresh` compares files and folders with their stamps
and reads the changed ones again; only `refresh_pages` requests pages again. When an origin vanishes, its text stays, and
`labels` marks it.

In a store that several projects share, the scope of a label is the folder of its project. Start at
`KnowledgeDoor.add_text`.
"""
