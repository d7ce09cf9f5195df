"""The meaning of steps: what happened, which task a list names, and whether a call failed. Pure."""
