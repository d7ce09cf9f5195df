"""python -m evals.speed.sessions [--megabytes 4] [--runs 15]

What an agent waits for when its hook captures an event, and what the import of a long transcript takes, in
each public format. CPU seconds; transcripts are made here. Nothing here asserts.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from daypack.api import Daypack
from daypack.settings import Settings
from evals.arguments import command_line
from evals.speed.clock import Stopwatch, environment, loop_seconds

CAPTURE_MS, IMPORT_SECONDS = 50, 5
PROMPTS = {
    "capture, an event without secrets": "Please run the tests again.",
    "capture, a word that could name a secret": "the token: 12, and a key = value",
    "capture, a password": "password: hU7#kq9!Zw2p",  # made up
    "capture, a token of a known form": "use ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2,
}
START = 1_790_000_000


def turns(megabytes: float) -> Iterator[tuple[int, str, str]]:
    """(number, who, text) of a long talk with decisions, constraints and code in it."""
    size = number = 0
    while size < megabytes * 1e6:
        who = ("user", "assistant")[number % 2]
        asked = f"Change the timetable of pier {number}. It must never show a sailing that left before {number % 24} o'clock.\n"
        told = f"We decided to keep pier {number} in UTC.\n\n```python\ndef pier_{number}(sailings):\n    return [s for s in sailings if s.pier == {number}]\n```\n"
        text = (
            asked if who == "user" else told
        ) + f"The ferry of buoy {number % 97} waits for the tide of pier {number}. " * 12
        yield number, who, text
        size += len(text)
        number += 1


def iso(number: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(START + 60 * number, UTC).isoformat().replace("+00:00", "Z")


def claude(megabytes: float) -> str:
    def line(number: int, who: str, text: str) -> dict[str, Any]:
        content: Any = text if who == "user" else [{"type": "text", "text": text}]
        return {
            "type": who,
            "uuid": f"u{number}",
            "sessionId": "bench-claude",
            "cwd": "/srv/ferry",
            "timestamp": iso(number),
            "message": {"role": who, "content": content},
        }

    return "".join(json.dumps(line(*turn)) + "\n" for turn in turns(megabytes))


def codex(megabytes: float) -> str:
    lines: list[dict[str, Any]] = [
        {"timestamp": iso(0), "type": "session_meta", "payload": {"id": "bench-codex", "cwd": "/srv/ferry"}}
    ]
    for number, who, text in turns(megabytes):
        kind = "input_text" if who == "user" else "output_text"
        message = {"type": "message", "role": who, "content": [{"type": kind, "text": text}]}
        lines.append({"timestamp": iso(number), "type": "response_item", "payload": message})
        if who == "assistant":
            call = {
                "type": "function_call",
                "name": "shell",
                "call_id": f"c{number}",
                "arguments": json.dumps({"command": ["bash", "-lc", f"make pier_{number}"]}),
            }
            output = {
                "type": "function_call_output",
                "call_id": f"c{number}",
                "output": json.dumps({"output": "ok\n" * 20, "metadata": {"exit_code": number % 3}}),
            }
            lines += [
                {"timestamp": iso(number), "type": "response_item", "payload": item}
                for item in (call, output)
            ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def messages(megabytes: float) -> str:
    return json.dumps(
        [
            {"role": who, "content": text, "timestamp": START + 60 * number}
            for number, who, text in turns(megabytes)
        ]
    )


def mapping(megabytes: float) -> str:
    nodes = {
        f"n{number}": {
            "id": f"n{number}",
            "message": {
                "id": f"m{number}",
                "author": {"role": who},
                "create_time": START + 60 * number,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
        for number, who, text in turns(megabytes)
    }
    return json.dumps(
        [{"title": "Piers", "conversation_id": "bench-mapping", "create_time": START, "mapping": nodes}]
    )


def chat_messages(megabytes: float) -> str:
    chat = [
        {
            "uuid": f"m{number}",
            "sender": "human" if who == "user" else who,
            "text": text,
            "created_at": iso(number),
        }
        for number, who, text in turns(megabytes)
    ]
    return json.dumps([{"uuid": "bench-chat", "name": "Piers", "chat_messages": chat}])


def plain(megabytes: float) -> str:
    return "\n\n".join(
        f"{'User' if who == 'user' else 'Assistant'}: {text}" for _, who, text in turns(megabytes)
    )


FORMATS: dict[str, tuple[str, Callable[[float], str]]] = {
    "Claude Code": ("claude.jsonl", claude), "Codex": ("rollout-codex.jsonl", codex), "messages of role and content": ("chat.json", messages),
    "export with a mapping": ("conversations.json", mapping), "export with chat_messages": ("export.json", chat_messages), "plain text": ("chat.txt", plain),
}  # fmt: skip


def captured(prompt: str, folder: Path, runs: int) -> float:
    """Median CPU seconds of a cold process that captures an event."""
    event = json.dumps(
        {"hook_event_name": "UserPromptSubmit", "session_id": "bench", "prompt": prompt}
    ).encode()
    spent = []
    for _ in range(runs + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "daypack", "session", "capture"],
            cwd=folder,
            env=environment(),
            input=event,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent[1:])  # the first fills the cache


def imported(path: Path, folder: Path) -> tuple[float, float, int, int]:
    """(CPU seconds of the first import, of the second, events added by the first, by the second)."""
    with Daypack.open(folder / ".daypack", settings=Settings(embedder="hashing")) as dp:
        with Stopwatch() as first:
            report = dp.sessions.add_transcripts(path)
        with Stopwatch() as second:
            again = dp.sessions.add_transcripts(path)
    return first.spent.cpu, second.spent.cpu, report.added, again.added


def main() -> None:
    parser = command_line("evals.speed.sessions", __doc__)
    parser.add_argument("--megabytes", type=float, default=4.0)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    sys.stdout.write(f"a fixed loop: {loop_seconds() * 1e3:.0f} ms of CPU\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        for what, prompt in PROMPTS.items():
            ms = captured(prompt, folder, options.runs) * 1e3
            sys.stdout.write(
                f"{what:<42} {ms:6.0f} ms  target {CAPTURE_MS} ms: {'met' if ms <= CAPTURE_MS else 'missed'}\n"
            )
        for what, (file, make) in FORMATS.items():
            path = folder / file
            path.write_text(make(options.megabytes), encoding="utf-8")
            first, second, added, twice = imported(path, folder / Path(file).stem)
            size = path.stat().st_size / 1e6
            verdict = "met" if first <= IMPORT_SECONDS else "missed"
            sys.stdout.write(
                f"import, {what:<34} {first:6.2f} s for {size:.1f} MB, {added:,} events  target {IMPORT_SECONDS} s: {verdict}; "
                f"again {second:.2f} s, {twice} events\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
