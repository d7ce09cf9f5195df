"""A plug-in for `llm`: packs as fragments, and the verbs that read as tools. `pip install 'daypack[llm]'`
installs it.

llm -f 'daypack:how are refunds retried?' 'Which of these would you change first?'
llm -f 'daypack:1500:how are refunds retried?' …          at most 1,500 tokens instead of 4,000
llm -T daypack_pack -T daypack_get 'How are refunds retried?'
"""

from __future__ import annotations

import functools
import re
from typing import Any

from daypack.adapters.shared import Project, framework
from daypack.surfaces.toolsets import offered
from daypack.verbs import Access, Answer

with framework("llm"):
    import llm

_BUDGET = re.compile(r"(\d{1,7}):(.*)", re.DOTALL)


@functools.cache
def _project() -> Project:
    """The project of the working folder; one process of `llm` has one."""
    return Project()


def fragment(argument: str) -> llm.Fragment:
    """The pack for a question; a number of tokens may come before the question. Raises DaypackError."""
    given = _BUDGET.fullmatch(argument)
    budget, query = (int(given[1]), given[2]) if given else (4000, argument)
    return llm.Fragment(_project().pack(query, budget=budget).text, source=f"daypack:{argument}")


def _called(name: str, **arguments: Any) -> str:
    verb = offered(("core",), Access.READ)[name]
    given = verb.arguments(arguments)
    answer = _project().ask(lambda daypack: verb.answer(daypack, given))
    return answer.text if isinstance(answer, Answer) else str(answer)


@llm.hookimpl
def register_fragment_loaders(register: Any) -> None:
    register("daypack", fragment)


@llm.hookimpl
def register_tools(register: Any) -> None:
    for name, verb in offered(("core",), Access.READ).items():
        register(llm.Tool(f"daypack_{name}", verb.about, verb.schema(), functools.partial(_called, name)))
