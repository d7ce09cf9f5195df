"""The door of sessions: the events of an agent's or a person's work, and the page from which the work goes on.

    dp.sessions.add_transcripts("chat.jsonl")
    dp.sessions.timeline(limit=20)
    dp.sessions.resume(budget=800).text

Hooks append events to a spool in the store's folder (`hooks.capturing`, which imports the standard library alone, because
an agent waits for it), and the next command imports the spool (`hooks.steps`). Transcripts are imported by a command
(`transcripts`). Both are read as steps, and the tables in `rules` turn steps into events (`meaning.events`): a prompt, a
command, an error, with sentences marked as decisions, constraints or blockers.

A write goes through `door.add_steps` → `writing` (redacts secrets) → `batch` (new, repeated or known) → `table` and the
common index, with one transaction per batch. An event is a record of the common index, so it is searched and ranked like
other texts. A repeated event raises the count of the stored one. A session keeps at most 1,000 events: the least
important are evicted first, and of those the oldest.

A read imports the spool, then returns events in the order of time (`door.timeline`), or sections in the order of need
(`sections`) within a token budget (`pages`). `serialize` makes JSON of both.

Start reading at `door.SessionsDoor`, then `meaning.events`.
"""
