"""Daypack packs what an LLM agent's task needs, and no more."""
