"""Events of coding agents' hooks, from standard input to steps of a session.

    {"hook_event_name": …}  →  capturing  →  spool      in the hook's process, which has 50 ms
    spool  →  forms  →  steps                           in the next command that uses the store

Nothing is imported here: a hook has no time for it.
"""
