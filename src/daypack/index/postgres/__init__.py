"""A store on PostgreSQL: the tables and statements of the embedded store, on a server.

    tables       the schema of `index.schema` in PostgreSQL's types, and the functions of SQLite that statements use
    dialect      a statement of SQLite as one of PostgreSQL: what differs by rule; the rest is written so that both understand it
    parameters   Python's values as PostgreSQL takes them, NUL characters and untyped columns included
    connection   the port `daypack.ports.Connection` over psycopg
    calls        our own functions of SQL, which a server cannot call: asked here, row by row
    database     opening, transactions, locks and errors
    copying      a server as the source or the target of a copied store
    walls        a login role for each schema of a team's projects

Rows are the same as in a file, so answers are the same: ranking reads postings and vectors, not words, from the store.
"""
