"""Damage: counted where SQLite reads the store, and a damaged database read without SQLite, for the rows that its pages still hold.

    integrity damage in pages, references, the lexical index, vectors and texts
    image     the pages of a file, with the commits of its write-ahead log
    cells     the rows on one page: the file format of SQLite, checked at every step
    trees     the pages of each table, from its root down, and pages that no tree reaches any more
    rescue    a new database from these rows, and a report of the missing ones

https://sqlite.org/fileformat2.html describes the format. SQLite's own reader stops at the first page that is wrong.
"""
