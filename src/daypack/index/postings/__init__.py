"""The lexical index in SQLite: postings of each term by segment (lexical.py), as bytes (packed.py), and the columns of each chunk;
like texts without a view (sharing.py)."""
