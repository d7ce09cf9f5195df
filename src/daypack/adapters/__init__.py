"""Daypack inside other frameworks, one small file each: `langchain`, `llama_index`, `llm`, `haystack`, each
behind the extra of its name.

They are imported by name, so nobody pays for a framework that they do not use. What all of them need stands
in `shared`.
"""
