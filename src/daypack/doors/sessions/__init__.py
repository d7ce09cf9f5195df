"""The door of sessions: the events of an agent's or a person's work, and the facts needed to go on.

    dp.sessions.add_transcripts("chat.jsonl")
    dp.sessions.timeline(limit=20)
    dp.sessions.resume(budget=800).text

Hooks append their events to a spool in the store's folder (`hooks.capturing`, standard library only: an agent
waits for it), and the next command imports the spool (`hooks.steps`). Transcripts are imported (`transcripts`). Both
become steps, and steps become events by the tables in `rules` (`events`): a prompt, a command, an error, and
sentences marked as decisions, constraints or blockers.

A write goes `door.add_steps` → `writing` (secrets out) → `batch` (new, repeated or known) → `table` and the
common index, in one transaction a batch. An event is a record of the common index, so it is searched and ranked
like any other text. The same event again raises its count. Of a session at most 1,000 events stay: the least
important go first, and of those the oldest.

A read imports the spool, then gives events in order (`door.timeline`), or sections in order of need
(`sections`), held to a token budget (`pages`). `serialize` makes JSON of both.

Start reading at `door.SessionsDoor`, then `events`.
"""
