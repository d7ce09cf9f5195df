"""Web pages: as Markdown for readers, and a test for those that are programs."""
