"""The verbs for agents, over the Model Context Protocol.

The SDK takes a second to import: only `daypack mcp` and `serve` do.
"""
