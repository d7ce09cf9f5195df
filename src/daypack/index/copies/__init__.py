"""Copies of a whole store: backups as blocks by hash, and the way back from them.

blocks      64 KiB blocks of files, each stored once under its hash
backups     a folder of backups: a manifest for each, over common blocks
placing     a finished store moves into the place of another one, which is kept
restoring   a backup becomes a store again
tables      the rows of a store in a file or on a server, alike for both
migrating   a store becomes one in another place, row by row
"""
