"""An agent of the OpenAI Agents SDK whose tools are Daypack's: python examples/agents/with_openai_agents.py "a question"."""

import asyncio
import sys

from agents import Agent, FunctionTool, Runner

from daypack import DaypackError
from daypack.adapters.tools import Tools


def make_agent(model=None, folder="."):
    daypack = Tools(folder, prefix="daypack_")

    def tool(name, schema):
        async def called(_, arguments):
            try:
                return await asyncio.to_thread(daypack.call, name, arguments)
            except DaypackError as error:  # the model reads it, and asks again
                return f"Error: {error}"

        return FunctionTool(
            name=f"daypack_{name}",
            description=schema["description"],
            params_json_schema=schema,
            on_invoke_tool=called,
            strict_json_schema=False,
        )

    tools = [tool(name, schema) for name, schema in daypack.schemas().items()]
    told = "Ask daypack_pack first, and cite what it says as path:lines."
    return Agent("project", instructions=told, tools=tools, model=model)


if __name__ == "__main__":
    print(Runner.run_sync(make_agent(), sys.argv[1]).final_output)
