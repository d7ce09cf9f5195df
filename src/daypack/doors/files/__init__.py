"""The door of files and folders."""
