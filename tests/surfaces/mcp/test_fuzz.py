"""Whatever a caller sends, a tool answers with a result or an error in words: never an exception, never a
trace.

DAYPACK_FUZZ_CALLS=400 python -m pytest tests/surfaces/mcp/test_fuzz.py      as many calls a tool; without it 5,000 in
all
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from tool_calls import ARGUMENTS

from daypack import Daypack, Settings
from daypack.surfaces.host import Host
from daypack.surfaces.mcp.server import make_server
from daypack.surfaces.toolsets import verbs
from daypack.verbs import Access
from daypack.verbs.table import Parameter, Verb

CALLS = int(os.environ.get("DAYPACK_FUZZ_CALLS", "0")) or -(-5_000 // len(verbs()))
TEXTS = [
    "",
    " ",
    "refunds",
    "a" * 70_000,
    "\0",
    "\ud800",
    "日本語",
    "'; DROP TABLE record; --",
    "../../etc/passwd",
    "a/b",
    "{",
    "[1",
    "💥\u202e",
    "*" * 50,
]
SENDABLE = [text for text in TEXTS if text.isprintable()]  # no client can send a lone surrogate as a name
NUMBERS: list[Any] = [0, 1, -1, 2, 7, 10**12, 2**63, 1e308, -0.0, 0.5, float(10**6)]
OTHERS: list[Any] = [None, True, [], {}, [None], {"a": {"b": []}}, [["x"]], ["a", 1]]


def made_up(parameter: Parameter, chance: random.Random) -> Any:
    """A value that fits, nearly fits, or does not."""
    if chance.random() < 0.15:
        return chance.choice([*TEXTS, *NUMBERS, *OTHERS])
    if parameter.choices and chance.random() < 0.8:
        one = chance.choice(parameter.choices)
        return [one] if parameter.type is list else one
    if parameter.type in (int, float):
        low, high = (parameter.range.least, parameter.range.most) if parameter.range else (0, 9)
        return chance.choice([*NUMBERS, low, high, chance.randint(0, 50)])
    if parameter.type is bool:
        return chance.random() < 0.5
    if parameter.type is list:
        return chance.choices(TEXTS, k=chance.randint(0, 4))
    if parameter.type is dict:
        return {
            chance.choice(SENDABLE): chance.choice([*TEXTS, *NUMBERS, *OTHERS])
            for _ in range(chance.randint(0, 3))
        }
    return chance.choice(TEXTS)


def arguments(verb: Verb, chance: random.Random) -> dict[str, Any]:
    found = {
        one.name: made_up(one, chance) for one in verb.parameters if one.required or chance.random() < 0.5
    }
    if chance.random() < 0.3:
        found = dict(ARGUMENTS.get(verb.name, {})) | dict([*found.items()][:1])
    if chance.random() < 0.05:
        found[chance.choice(SENDABLE)] = 1
    if chance.random() < 0.05 and found:
        del found[chance.choice([*found])]
    return found


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_whatever_is_sent_gets_a_result_or_an_error_in_words(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(20261122)

    def opened() -> Daypack:
        return Daypack.open(project / ".daypack", settings=Settings(embedder="hashing"))

    with opened() as dp:
        dp.files.add(project)
        dp.embed()
    host = Host(opened, toolsets=["all"], ceiling=Access.DANGEROUS, embeds=False)
    refused = answered = 0

    async def talk() -> None:
        nonlocal refused, answered
        async with Client(make_server(host, version="test")) as agent:
            for verb in verbs().values():
                for _ in range(CALLS):
                    given = arguments(verb, chance)
                    try:
                        found = await agent.call_tool(verb.name, given)
                    except MCPError as error:
                        refused += 1
                        assert "Traceback" not in error.message
                        continue
                    text = found.content[0].text
                    assert not found.is_error or found.meta["daypack/error"]["code"] != "internal", (
                        verb.name,
                        given,
                        text,
                    )
                    refused, answered = refused + bool(found.is_error), answered + (not found.is_error)
                    assert "Traceback" not in text

    anyio.run(talk)
    host.close()
    assert answered > len(verbs()) * CALLS / 10, "the arguments are too wild to say anything"
    assert refused > len(verbs()) * CALLS / 20, "the arguments are too tame to say anything"
    assert "Traceback" not in capfd.readouterr().err
    with opened() as dp:
        assert all(check.verdict.value != "damage" for check in dp.check(deep=True))
    shutil.rmtree(project)
