"""Packs of code: chunks → primaries → neighbours → as many of both as fit into the budget."""
