"""python -m evals.quality.xquad FOLDER [--languages de,ru] [--vectors none,auto] [--step 1]

Paragraph retrieval in twelve languages: the questions of XQuAD, asked of the 240 paragraphs of their language. FOLDER holds
the files xquad.LANGUAGE.json of the public repository google-deepmind/xquad (CC BY-SA 4.0; nothing of it stands here).
Prints nDCG@10 of plain BM25 with the analysis of the language, and of Daypack.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from daypack import Daypack, Settings
from daypack.text.checks import member
from daypack.types import VectorMode
from evals.arguments import command_line, words

STEMMERS = {
    "ar": "arabic", "de": "german", "el": "greek", "en": "english", "es": "spanish", "hi": "hindi",
    "ro": "romanian", "ru": "russian", "tr": "turkish",
}  # fmt: skip
UNSPACED = ("th", "zh")
DEPTH = 10
_WORD = re.compile(r"[\w\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f]+")
_RUN = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+(?:[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]+[^\W_a-z0-9]*)*")


class Questions(NamedTuple):
    """The paragraphs of one language, and its questions, each with the number of its paragraph."""

    language: str
    paragraphs: list[str]
    questions: list[tuple[str, int]]


def read(path: Path, step: int) -> Questions:
    """Every `step`-th question of a file and all its paragraphs."""
    paragraphs: list[str] = []
    questions: list[tuple[str, int]] = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            questions += [(asked["question"], len(paragraphs)) for asked in paragraph["qas"]]
            paragraphs.append(paragraph["context"])
    return Questions(path.name.split(".")[1], paragraphs, questions[::step])


def gain(ranked: Sequence[int], wanted: int) -> float:
    """nDCG@10 of a question with one relevant paragraph."""
    return 1 / np.log2(ranked.index(wanted) + 2) if wanted in ranked[:DEPTH] else 0.0


def analyser(language: str) -> Callable[[str], list[str]]:
    """The index terms of a text: stems by Snowball, pairs of characters where no blanks part words."""
    if language in UNSPACED:

        def pairs(text: str) -> list[str]:
            found = []
            for run in _RUN.findall(text.lower()):
                found += [run] if run.isascii() else [run[i : i + 2] for i in range(max(1, len(run) - 1))]
            return found

        return pairs
    if language not in STEMMERS:
        return lambda text: _WORD.findall(text.lower())
    import Stemmer

    stemmer = Stemmer.Stemmer(STEMMERS[language])
    return lambda text: stemmer.stemWords(_WORD.findall(text.lower()))


def bm25(asked: Questions) -> float:
    """The mean gain of plain BM25 (k1 1.2, b .75)."""
    terms = analyser(asked.language)
    postings: dict[str, dict[int, int]] = {}
    lengths = []
    for number, text in enumerate(asked.paragraphs):
        found = terms(text)
        lengths.append(len(found))
        for term in found:
            counts = postings.setdefault(term, {})
            counts[number] = counts.get(number, 0) + 1
    norm = 1.2 * (0.25 + 0.75 * np.asarray(lengths) / np.mean(lengths))
    gains = []
    for question, wanted in asked.questions:
        scores = np.zeros(len(lengths))
        for term in terms(question):
            counts = postings.get(term, {})
            where = np.asarray([*counts], dtype=np.int64)
            tf = np.asarray([*counts.values()], dtype=np.float64)
            idf = np.log(1 + (len(lengths) - len(counts) + 0.5) / (len(counts) + 0.5))
            scores[where] += idf * tf * 2.2 / (tf + norm[where])
        gains.append(gain(np.argsort(-scores, kind="stable")[:DEPTH].tolist(), wanted))
    return float(np.mean(gains))


def daypack(asked: Questions, modes: Sequence[str]) -> dict[str, float]:
    """The mean gain of Daypack in each mode, on a store in which nothing was embedded before."""
    gains: dict[str, list[float]] = {mode: [] for mode in modes}
    with (
        tempfile.TemporaryDirectory() as place,
        Daypack.open(Path(place) / "store", settings=Settings(refresh=False)) as dp,
    ):
        dp.records.add({"id": str(number), "text": text} for number, text in enumerate(asked.paragraphs))
        for mode in modes:
            for question, wanted in asked.questions:
                found = dp.search(question, limit=100, vectors=member(VectorMode, mode)).candidates
                ranked = [*dict.fromkeys(int(candidate.chunk.uri) for candidate in found)]
                gains[mode].append(gain(ranked, wanted))
    return {mode: float(np.mean(found)) for mode, found in gains.items()}


def main() -> None:
    parser = command_line("evals.quality.xquad", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", type=words, default="")
    parser.add_argument("--vectors", type=words, default="none,auto")
    parser.add_argument("--step", type=int, default=1, help="ask every n-th question")
    options = parser.parse_args()
    wanted, modes = options.languages, options.vectors
    print("language  questions   BM25  " + "  ".join(modes))
    for path in sorted(options.folder.glob("xquad.*.json")):
        asked = read(path, options.step)
        if not wanted or asked.language in wanted:
            found = daypack(asked, modes)
            values = "  ".join(f"{found[mode]:.3f}" for mode in modes)
            print(f"{asked.language:<8}  {len(asked.questions):>9}  {bm25(asked):.3f}  {values}", flush=True)


if __name__ == "__main__":
    main()
