"""Reading: from files, bytes and the output of commands to text. The only room that several doors share.

walk.py finds the files below a root in one pass, without opening anything but ignore files (ignore.py, which
reads them as git does); names.py lists the names that are never read or not worth reading. Every skipped
entry is an `IngestIssue` with its reason, never an exception.

formats.py makes a `Record` of a file or of bytes: it opens without following links, reads within a bound and
once more when the file changed meanwhile, decodes (decoding.py) or refuses with a reason, tells the language
(languages.py), and renders web pages and notebooks (rendering.py) and mail (mail.py) to Markdown. titles.py finds
the title that a document gives itself. PDF and Office documents are parsed in a process of their own, with limits of time
and memory (office/); the beginnings of their pages are in the record's metadata, so that a citation names the
page.

process.py runs a command without a shell, within bounds of time and output, for the knowledge door and for
office/.

Start at `walk.walk` and `formats.read_file`.
"""
