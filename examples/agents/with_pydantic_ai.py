"""An agent of Pydantic AI whose tools are Daypack's: python examples/agents/with_pydantic_ai.py MODEL "a question"."""

import sys
from functools import partial

from pydantic_ai import Agent, Tool

from daypack import DaypackError
from daypack.adapters.tools import Tools


def make_agent(model, folder="."):
    daypack = Tools(folder, prefix="daypack_")

    def called(name, **arguments):
        try:
            return daypack.call(name, arguments)
        except DaypackError as error:  # the model reads it, and asks again
            return f"Error: {error}"

    tools = [
        Tool.from_schema(
            partial(called, name),
            name=f"daypack_{name}",
            description=schema["description"],
            json_schema=schema,
        )
        for name, schema in daypack.schemas().items()
    ]
    return Agent(
        model, tools=tools, instructions="Ask daypack_pack first, and cite what it says as path:lines."
    )


if __name__ == "__main__":
    print(make_agent(sys.argv[1]).run_sync(sys.argv[2]).output)
