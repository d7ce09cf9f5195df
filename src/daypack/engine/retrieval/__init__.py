"""A query, from its text to ranked candidates whose texts are not read yet.

    parse        the text becomes a Query, in its language                daypack.query, spelling.py
    events       all events of a time, for a question with a time alone   happened.py
    embed        its meaning becomes a vector                             meaning.py
    snapshot     one state of the store, in memory                        snapshots.py
    spell        its words as the store spells them                       spelling.py
    gather       all chunks that may answer, with their features          named.py, gather.py, features.py
    rescore      the encoder reads the best few                           rescoring.py
    reword       the words of the best few are compared with its own      rewording.py
    judge        the chance that the pool answers at all                  daypack.rank.chance
    follow       documents that the best hits name join                   following.py, joining.py

retriever.py calls these in order; a question with a time alone ends with the second. scope.py holds the chunks that a query
may find, which most steps pass on.
"""
