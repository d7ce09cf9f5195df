"""The door of records that a program hands over."""
