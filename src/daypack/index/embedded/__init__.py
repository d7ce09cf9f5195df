"""A store in a file.

opening      its folder, its marker and the checks before SQLite reads it
connection   the port `daypack.ports.Connection` over SQLite
"""
