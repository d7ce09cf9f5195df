"""python -m evals.speed.agents STORE [--questions 200]

What an agent waits for: `daypack mcp` on a store that stands, started as a client starts it. Wall time from
start to the list of tools, memory before the first question and after it, and wall and CPU of warm packs, the
question's own embedding included. Questions are first sentences of the store's own texts. Nothing here
asserts.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from daypack.api import Daypack
from evals.arguments import command_line
from evals.speed.clock import percentile

TICKS = os.sysconf("SC_CLK_TCK")


class Agent:
    """A client that speaks the protocol by hand, so that nothing of it is measured but writing and reading
    lines.
    """

    def __init__(self, store: Path) -> None:
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "daypack", "--store", str(store), "mcp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
        )
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        result: dict[str, Any] = found.get("result", found)
        return result

    def greet(self) -> None:
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        )
        assert self.process.stdin is not None
        self.process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')

    def pack(self, question: str) -> dict[str, Any]:
        return self.ask("tools/call", {"name": "pack", "arguments": {"query": question, "budget": 4000}})

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_megabytes(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def questions(store: Path, count: int) -> list[str]:
    with Daypack.open(store, create=False) as dp:
        rows = dp.engine.store.db.execute(
            "SELECT substr(text, 1, 400) FROM record WHERE length(text) > 60 ORDER BY id"
        ).fetchall()
    texts = random.Random(1).sample([str(row[0]) for row in rows], min(count, len(rows)))
    return [" ".join(re.split(r"(?<=[.?!])\s", text.strip())[0].split()[:16]) for text in texts]


def main() -> None:
    parser = command_line("evals.speed.agents", __doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    asked = questions(options.store, options.questions)
    starts = []
    for _ in range(5):
        agent = Agent(options.store)
        agent.greet()
        agent.ask("tools/list", {})
        starts.append(time.perf_counter() - agent.started)
        agent.process.kill()
        agent.process.wait()
    agent = Agent(options.store)
    agent.greet()
    agent.ask("tools/list", {})
    before = agent.resident_megabytes()
    status = agent.ask("tools/call", {"name": "status", "arguments": {}})["structuredContent"]
    for question in asked[:10]:
        agent.pack(question)
    wall, cpu = [], agent.cpu()
    for question in asked:
        begun = time.perf_counter()
        agent.pack(question)
        wall.append(time.perf_counter() - begun)
    cpu = agent.cpu() - cpu
    time.sleep(2)
    after = agent.resident_megabytes()
    agent.process.kill()
    agent.process.wait()
    sys.stdout.write(
        f"{status['chunks']:,} chunks, {status['vectors_missing']:,} without a vector; {len(asked)} questions, budget 4,000\n"
    )
    sys.stdout.write(
        f"start to the first list of tools: median {sorted(starts)[2]:.2f} s, slowest {max(starts):.2f} s (target 1.5)\n"
    )
    sys.stdout.write(
        f"resident: {before:.0f} MB before the first question (target 120), {after:.0f} MB with the model loaded (target 300)\n"
    )
    p50, p95 = (1e3 * percentile(wall, share) for share in (0.5, 0.95))
    sys.stdout.write(
        f"warm pack, wall: p50 {p50:.1f}, p95 {p95:.1f} ms (target p95 60); CPU {1e3 * cpu / len(asked):.1f} ms a pack\n"
    )


if __name__ == "__main__":
    main()
