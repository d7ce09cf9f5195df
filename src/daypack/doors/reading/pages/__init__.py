"""Web pages: as Markdown for readers, and a test for those that are programs. Canvases and drawings of notes as Markdown."""
