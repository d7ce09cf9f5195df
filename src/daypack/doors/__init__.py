"""The ways in: one folder a door. This module imports nothing, for a hook that captures an event has no time."""
