"""Daypack inside other frameworks, one small file each: `langchain`, `llama_index`, `llm`, `haystack`, each
behind the extra of its name.

They are imported by name, so a framework that is not used costs nothing. Their common parts stand in
`shared`.
"""
