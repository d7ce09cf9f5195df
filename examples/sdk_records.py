"""Records that are no files: the turns of a conversation, a JSON document, found by one question.

python examples/sdk_records.py
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from daypack import Daypack

TURNS = [
    ("dana", 9, "northbank is answering 503 again, refunds are piling up"),
    ("lee", 10, "pause the worker, our own retries keep them down"),
    ("dana", 24, "paused. Resuming when their status page is green"),
    ("lee", 40, "let's cap retries at ten percent of all requests from now on"),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Daypack.open(Path(folder) / ".daypack") as dp:
        dp.records.add(
            {
                "id": f"turn-{number}",
                "session": "incident-14-oct",
                "author": author,
                "text": text,
                "time": datetime(2026, 10, 14, 10, minute, tzinfo=UTC).timestamp(),
            }
            for number, (author, minute, text) in enumerate(TURNS, 1)
        )
        dp.records.add(
            [{"id": "policy", "json": {"refunds": {"attempts": 5, "retry_share": 0.1}}, "tags": ["config"]}]
        )
        for candidate in dp.search("what did lee decide about retries?", limit=2).candidates:
            print(
                f"{candidate.score:.2f}  {candidate.chunk.author or candidate.chunk.uri}: {candidate.chunk.text}"
            )
        print(dp.pack("retry share", budget=200, kind="document").text)
        dp.records.delete(["policy"])


if __name__ == "__main__":
    main()
