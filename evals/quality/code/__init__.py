"""Promises of the code door, tried on whole projects: relations, definitions, packs, and files that change."""
