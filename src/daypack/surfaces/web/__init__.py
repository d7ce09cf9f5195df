"""A page for inspecting packs: the chosen items, the omitted ones, and the reasons.

The server renders it. It works without scripts, and contacts no other machine.
"""
