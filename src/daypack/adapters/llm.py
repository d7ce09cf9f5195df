"""A plug-in for `llm`: packs as fragments, and the verbs that read as tools. `pip install '.[llm]'`
installs it.

llm -f 'daypack:how are refunds retried?' 'Which of these would you change first?'
llm -f 'daypack:1500:how are refunds retried?' …          at most 1,500 tokens instead of 4,000
llm -T daypack_pack -T daypack_get 'How are refunds retried?'
"""

from __future__ import annotations

import functools
import re
from typing import Any

from daypack.adapters.shared import framework
from daypack.adapters.tools import Tools, reading_verbs

with framework("llm"):
    import llm

_BUDGET = re.compile(r"(\d{1,7}):(.*)", re.DOTALL)


@functools.cache
def _tools() -> Tools:
    """The project of the working folder; one process of `llm` has one."""
    return Tools(prefix="daypack_")


def fragment(argument: str) -> llm.Fragment:
    """The pack for a question; a number of tokens may come before the question. Raises DaypackError."""
    given = _BUDGET.fullmatch(argument)
    budget, query = (int(given[1]), given[2]) if given else (4000, argument)
    return llm.Fragment(_tools().project.pack(query, budget=budget).text, source=f"daypack:{argument}")


def _called(name: str, **arguments: Any) -> str:
    return _tools().call(name, arguments)


@llm.hookimpl
def register_fragment_loaders(register: Any) -> None:
    register("daypack", fragment)


@llm.hookimpl
def register_tools(register: Any) -> None:
    for name, verb in reading_verbs().items():
        register(llm.Tool(f"daypack_{name}", verb.about, verb.schema(), functools.partial(_called, name)))
