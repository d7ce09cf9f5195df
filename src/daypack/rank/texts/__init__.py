"""Signals of the texts of a pool. The stages before count words and compare vectors, and read none.

wording     how near the words of a text are to those of the question, one by one
keys        which texts hold an option or a variable that it names
messages    how much of a pasted message code holds, letter for letter
"""
