"""The door of code."""
