"""The knowledge door: texts, files, folders, web pages and command output, each kept under a label.

A label names one thing; keeping something under it again replaces the whole text in one transaction, so no
reader ever sees half. Its texts are records of the common index. A row of the table `label` (table.py) has
the origin of a label and the state of the origin at its last reading (times and sizes of files, the
validators of a page).

A write goes through `KnowledgeDoor.add_text`, `add_path`, `add_pages` or `run`: records.py makes records of
the input, `_replace` compares them with the stored ones, writes new ones and removes the rest. Pages are
fetched by web.py, which refuses every address that is not public; commands run through
doors/reading/process.py. Both are marked as untrusted wherever they are shown.

A read is an ordinary search over the common index. Before one, `refresh` compares files and folders with
their stamps and reads changed ones again; only `refresh_pages` requests pages again. The text of a vanished
origin stays, and `labels` marks it.

In a store that several projects share, the scope of a label is the folder of its project. Start at
`KnowledgeDoor.add_text`.
"""
