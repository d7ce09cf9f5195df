"""Write docs/evaluation/transcript.md: a client that knows nothing but the tools answers five questions about this
repository.

    python scripts/transcript.py

The client is a script and no model: it packs a question, follows the first citation that the answer needs
with `get`, and quotes the line that holds it. Its questions and answers are printed as they went over
the wire. The repository's own files are copied first, so that nothing but them is found.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "evaluation" / "transcript.md"
BUDGET = 900
SHOWN_LINES = 14

# A question, and what the answer must say: the client takes the first cited line that says it.
QUESTIONS = [
    ("What does the command line exit with when the store cannot be used?", r"3 (\||·)? ?the store"),
    ("Why does a tool not send a pack as structuredContent?", r"\*instead of\* the text"),
    ("How many tokens may one chunk have at most?", r"256 tokens"),
    ("Which files are passed over by default when a folder is indexed?", r"(?i)lock files|minified"),
    ("What in the store is the truth, and what is derived from it?", r"are the truth"),
]

HEAD = """# Five questions, asked through the tools alone

Written by [scripts/transcript.py](../../scripts/transcript.py): a client starts `daypack mcp` in a copy of this repository and asks. It is a
script and no model, so that every reader gets the same: it packs the question, reads the citation that holds the answer with `get`, and quotes
the line. After three pages without it, it gives up. Long answers are cut here, with `…`; the client got them whole.
"""


def project() -> Path:
    """A copy of what the repository tracks, but for this page and the tests, which say everything once more."""
    folder = Path(tempfile.mkdtemp(prefix="daypack-transcript-")) / "daypack"
    files = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
        .stdout.decode()
        .split("\0")
    )
    for name in files:
        if (
            name
            and name != "docs/evaluation/transcript.md"
            and not name.startswith(("tests/", "requirements/"))
            and (ROOT / name).is_file()
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def block(text: str, language: str = "") -> str:
    lines = text.rstrip("\n").split("\n")
    cut = [*lines[:SHOWN_LINES], "…"] if len(lines) > SHOWN_LINES + 1 else lines
    ticks = "`" * max(4, 1 + max((len(run) for run in re.findall(r"`+", text)), default=3))
    return f"{ticks}{language}\n" + "\n".join(line[:160] for line in cut) + f"\n{ticks}\n"


async def answered(agent: Client, question: str, pattern: str) -> str:
    said = [f"## {question}\n"]

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        found = await agent.call_tool(name, arguments)
        said.append(f"→ `{name}` `{json.dumps(arguments, ensure_ascii=False)}`\n")
        said.append(block(found.content[0].text, "text"))
        return found

    for page in (1, 2, 3):
        found = await call(
            "pack", {"query": question, "budget": BUDGET} | ({"page": page} if page > 1 else {})
        )
        details = found.meta["daypack/details"]
        said.append(
            f"{details['budget']['used']} of {BUDGET} tokens, {len(details['citations'])} citations.\n"
        )
        for citation in details["citations"]:
            text = (await agent.call_tool("get", {"reference": citation["reference"]})).content[0].text
            if match := re.search(pattern, text):
                await call("get", {"reference": citation["reference"]})
                line = text[
                    text.rfind("\n", 0, match.start()) + 1 : (
                        text.find("\n", match.end()) + 1 or len(text) + 1
                    )
                    - 1
                ].strip()
                said.append(f"**Answer**, from {citation['reference']}:\n")
                said.append(block(line, "text"))
                return "\n".join(said)
        if details["next_page"] is None:
            break
    said.append("**No answer was found.**\n")
    return "\n".join(said)


async def main() -> None:
    folder = project()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    # With every vector made: else it depends on the machine's speed which of them a question waits for.
    subprocess.run(
        [sys.executable, "-m", "daypack", "add", ".", "--vectors", "all"],
        cwd=folder,
        env=environment,
        check=True,
    )
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "daypack", "mcp", "--access", "read"],
        cwd=str(folder),
        env=environment,
    )
    parts = [HEAD]
    async with Client(stdio_client(parameters)) as agent:
        tools = [tool.name for tool in (await agent.list_tools()).tools]
        parts.append(
            f"`daypack mcp --access read`, protocol {agent.protocol_version}; tools: {', '.join(tools)}.\n"
        )
        for question, pattern in QUESTIONS:
            parts.append(await answered(agent, question, pattern))
    OUT.write_text("\n".join(parts), encoding="utf-8")
    shutil.rmtree(folder.parent)
    unanswered = sum("No answer was found" in part for part in parts)
    sys.stdout.write(
        f"wrote {OUT.relative_to(ROOT)}; {len(QUESTIONS) - unanswered} of {len(QUESTIONS)} answered\n"
    )


if __name__ == "__main__":
    anyio.run(main)
