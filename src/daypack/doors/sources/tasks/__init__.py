"""Task envelopes and preferences, on the door of sources."""
