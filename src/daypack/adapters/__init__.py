"""Daypack inside other frameworks, one small file each: `langchain`, `llama_index`, `llm`, `haystack`, each
behind the extra of its name.

They are imported by name, so an unused framework costs nothing. Their common parts are in `shared`.
"""
