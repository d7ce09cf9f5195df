"""Daypack's tools for the Claude Agent SDK: python examples/agents/with_claude_agent_sdk.py "a question"."""

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool

from daypack import DaypackError
from daypack.adapters.tools import Tools


def make_tools(folder="."):
    daypack = Tools(folder)

    def made(name, schema):
        @tool(name, schema["description"], schema)
        async def called(arguments):
            try:
                text = await asyncio.to_thread(daypack.call, name, arguments)
            except DaypackError as error:
                return {"content": [{"type": "text", "text": str(error)}], "is_error": True}
            return {"content": [{"type": "text", "text": text}]}

        return called

    return [made(name, schema) for name, schema in daypack.schemas().items()]


def make_options(folder="."):
    tools = make_tools(folder)
    server = create_sdk_mcp_server("daypack", tools=tools)
    allowed = [f"mcp__daypack__{one.name}" for one in tools]
    return ClaudeAgentOptions(mcp_servers={"daypack": server}, allowed_tools=allowed, cwd=folder)


async def main(question):
    async for message in query(prompt=question, options=make_options()):
        print(message)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
