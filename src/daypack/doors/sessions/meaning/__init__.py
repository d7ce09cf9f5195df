"""The meaning of steps: their events, the tasks of a list, the outcome of a call. Pure."""
