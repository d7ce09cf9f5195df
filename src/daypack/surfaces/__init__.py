"""For people and agents: parse, call, print."""
