"""The door of sessions."""
