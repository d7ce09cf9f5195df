"""Chats: exports as JSON, and as lines of text."""
