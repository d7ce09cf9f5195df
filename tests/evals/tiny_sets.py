"""Data sets of a few lines, written by the tests."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any


def write(
    folder: Path,
    documents: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    qrels: str = "",
    *,
    packed: bool = False,
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    corpus = "".join(json.dumps(document) + "\n" for document in documents).encode()
    if packed:
        (folder / "corpus.jsonl.xz").write_bytes(lzma.compress(corpus))
    else:
        (folder / "corpus.jsonl").write_bytes(corpus)
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8"
    )
    if qrels:
        (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + qrels, encoding="utf-8")
    return folder


BOIL = """from pour import pour

def boil(water):
    \"\"\"Heat water until it boils.\"\"\"
    return water.heat(100)
"""
POUR = """def pour(water, cup):
    \"\"\"Pour hot water into a cup.\"\"\"
    cup.fill(water)
"""


def write_trees(folder: Path) -> Path:
    """A set of code in two commits, with its trees beside the questions."""
    folder = folder / "kettles"
    for commit, boil in (("c1", BOIL), ("c2", BOIL.replace("100", "96"))):
        tree = folder / "trees" / "tea__kettle" / commit
        (tree / "src").mkdir(parents=True)
        (tree / "README.md").write_text("# Kettle\n\nA small library about tea.\n", encoding="utf-8")
        (tree / "src" / "boil.py").write_text(boil, encoding="utf-8")
        (tree / "src" / "pour.py").write_text(POUR, encoding="utf-8")
    queries = [
        {
            "id": "q1",
            "text": "boil does not heat the water",
            "base_commit": "c1",
            "gold_files": ["src/boil.py"],
            "gold_line_spans": {"src/boil.py": [[3, 3]]},
        },
        {
            "id": "q2",
            "text": "the water boils too early in boil.py",
            "base_commit": "c2",
            "gold_files": ["src/boil.py"],
            "mentions_file": True,
        },
        {
            "id": "q3",
            "text": "the cup is filled twice when pouring",
            "base_commit": "c2",
            "gold_files": ["src/pour.py"],
            "mentions_file": False,
        },
    ]
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"repo": "tea/kettle", **query}) + "\n" for query in queries), encoding="utf-8"
    )
    return folder
