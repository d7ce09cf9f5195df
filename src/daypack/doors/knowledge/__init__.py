"""The door of labelled sources: texts, files, folders, web pages and command output."""
