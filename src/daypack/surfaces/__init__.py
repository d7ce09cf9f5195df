"""Surfaces for people and agents: parse, call, print."""
