"""A page for inspecting packs: the chosen items, the omitted ones, and the reasons.

The server renders it; it works without a script and contacts no other machine.
"""
