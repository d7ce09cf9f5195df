"""Fits the line from the static table's cosines to the encoder's, on texts that the table was trained on.

    python models/line.py TEXTS.jsonl.xz [--questions 300]

Prints `LINE` of daypack.embed.static: slope and intercept, by least squares over the best twentieth of the texts of each
question, where candidates of an answer are.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from itertools import islice
from pathlib import Path

import numpy as np

from daypack.embed.minilm import open_minilm
from daypack.embed.static import open_table


def pairs(path: Path, count: int) -> list[tuple[str, str]]:
    """(question, text) of so many lines that have both."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        found = [
            (row["a"], row["b"])
            for row in map(json.loads, islice(lines, 200_000))
            if row.get("a") and row.get("b")
        ]
    return random.Random(1).sample(found, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    arguments = parser.parse_args()
    questions, texts = zip(*pairs(arguments.texts, arguments.questions), strict=True)
    encoder, table = open_minilm(), open_table()
    asked = encoder.embed(questions)
    exact = asked @ encoder.embed(texts).T
    rough = np.stack([table.embed(texts) @ table.project(vector) for vector in asked])
    best = rough >= np.quantile(rough, 0.95, axis=1, keepdims=True)
    slope, intercept = np.polyfit(rough[best], exact[best], 1)
    print(
        f"LINE = ({slope:.2f}, {intercept:.2f})  # correlation {np.corrcoef(rough[best], exact[best])[0, 1]:.2f}"
    )


if __name__ == "__main__":
    main()
