"""A store in a file: what the port `daypack.ports.Connection` asks of SQLite."""
