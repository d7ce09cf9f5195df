"""Transcripts of coding agents, and plain chats, as steps of a session.

    Claude Code    *.jsonl                    lines of `type` user, assistant, system …, with `sessionId` and `uuid`
    Codex          rollout-*.jsonl            lines of `session_meta`, `response_item` …, or bare items in older files
    Copilot CLI    events.jsonl               events of `type` session.start, user.message … and `data`
    opencode       *.json                     the answer of `opencode export`: `info` and `messages` of `parts`
                   opencode*.db, storage/     its own sessions, as rows or as files
    Gemini CLI     session-*.jsonl, *.json    messages of `type` user and gemini, below `sessionId` and `projectHash`
                   logs.json                  requests only
    Aider          .aider.chat.history.md     "####" before requests, ">" before lines of the program
    chats          *.json, *.jsonl            messages of `role` and `content`; exports with `mapping` or `chat_messages`
                   *.jsonl                    Cursor's `agent-transcripts`: `role` beside `message`
    plain text     *.txt, *.md                turns, each beginning with "User:" or "Assistant:"

An unreadable line is counted and skipped, because its writer may not have finished it.
"""
