"""The door of JSON documents."""
