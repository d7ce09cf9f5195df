"""The door of memories."""
