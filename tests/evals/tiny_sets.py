"""Data sets of a few lines, written by the tests."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any


def write(folder: Path, documents: list[dict[str, Any]], queries: list[dict[str, Any]], qrels: str = "", *, packed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    corpus = "".join(json.dumps(document) + "\n" for document in documents).encode()
    if packed:
        (folder / "corpus.jsonl.xz").write_bytes(lzma.compress(corpus))
    else:
        (folder / "corpus.jsonl").write_bytes(corpus)
    (folder / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    if qrels:
        (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + qrels, encoding="utf-8")
    return folder
