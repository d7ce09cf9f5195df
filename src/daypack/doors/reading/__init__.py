"""Reading: text from files, bytes and the output of commands. The only room that several doors share.

walk.py finds the files below a root in one pass, in which it opens only ignore files (ignore.py, which reads them as git
does); names.py lists the names that are never read or not worth reading. A skipped entry is an `IngestIssue` with its
reason, never an exception.

formats.py makes a `Record` from a file or from bytes. It opens a file without following links, reads up to a limit of size,
and reads again when the file has changed in the meantime. It decodes the bytes (decoding.py) or refuses them with a reason,
detects the language (languages.py), and renders web pages and canvases of notes (pages/), notebooks (notebooks.py) and mail (mail.py)
to Markdown. titles.py finds the title in a document. A separate process parses PDF and Office documents, with limits of time and memory
(office/); the record's metadata have the first lines of their pages, so that a citation names the page.

process.py runs a command without a shell, with limits of time and output, for the knowledge door and for office/.

Start at `walk.walk` and `formats.read_file`.
"""
