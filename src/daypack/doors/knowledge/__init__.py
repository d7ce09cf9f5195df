"""The knowledge door: texts, files, folders, web pages and command output, each kept under a label.

A label names one thing; keeping something under it again replaces the whole text in one transaction, so no
reader ever sees half. Its texts are records of the common index. Where a label came from, and what its origin
was like when it was last read (times and sizes of files, the validators of a page), is a row of the table
`label` (table.py).

A write goes through `KnowledgeDoor.add_text`, `add_path`, `add_pages` or `run`: records.py makes records of
what was given, `_replace` compares them with the stored ones, writes what is new and removes the rest.
Pages are fetched by web.py, which refuses every address that is not public; commands run through
doors/reading/process.py. Both are marked as untrusted wherever they are shown.

A read is an ordinary search over the common index. Before one, `refresh` compares files and folders with
their stamps and reads again what changed; pages are asked for anew only by `refresh_pages`. Of an origin that
is gone the text stays, and `labels` says so.

In a store that several projects share, the scope of a label is the folder of its project. Start at
`KnowledgeDoor.add_text`.
"""
