"""Hooks of coding agents: from an event on standard input to steps of a session.

    {"hook_event_name": …}  →  capturing  →  spool      in the hook's process, which has 50 ms
    spool  →  forms  →  steps                           in the next command that uses the store

This module imports nothing, because a hook has no time for it.
"""
