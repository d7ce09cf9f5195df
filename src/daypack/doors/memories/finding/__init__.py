"""Finds memories by their subject: those that hold now, and for a question about another time those that hold then."""
