"""Writing in bulk: files as drafts, and pruning."""
