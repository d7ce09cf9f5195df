"""Parts of every HTTP server: the gate that checks callers, and the listening socket."""
