"""What the code door promises, tried on whole projects: relations, definitions, packs, and files that change."""
