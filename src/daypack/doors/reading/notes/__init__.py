"""Notes that other programs export."""
