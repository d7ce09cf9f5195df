"""The doors, one folder for each kind of content. This module imports nothing, because a hook that captures
an event has no time.
"""
