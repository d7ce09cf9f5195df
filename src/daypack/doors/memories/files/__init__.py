"""Memories in files: exports, folders of Markdown notes, and a project's memories shared by git.

    export one JSON line a version, sorted; importing it writes only new versions Markdown         CLAUDE.md,
    MEMORY.md and notes with front matter; read again when they change .daypack/memory one file a first part
    of a key, one version a line: the shared memories

A line says everything about a version, its token included, so two copies of a line are one version.
`door.MemoryFiles` is what `daypack.memories.files` shows.
"""
