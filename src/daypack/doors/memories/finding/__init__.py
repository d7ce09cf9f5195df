"""Finds memories by their subject: those that hold now, and for a question about the past those that held then."""
