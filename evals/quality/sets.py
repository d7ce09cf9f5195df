"""Sets that the report speaks of: their questions, origins and targets.

None of them is part of this repository. A folder in the layout of evals/quality/datasets.py is all that a set needs
to be run; one that is not listed here is run and reported as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Known:
    """A set: its title, its task, where it is from, the measures that it is headed by, targets (measure →
    value), and what was tried for those that are not reached.
    """

    title: str
    task: str
    origin: str
    headline: tuple[str, ...]
    targets: Mapping[str, float] = field(default_factory=dict)
    tried: str = ""


SETS: dict[str, Known] = {
    "locomo-a": Known(
        "LoCoMo", "turns of long conversations that answer a question", "github.com/snap-research/LoCoMo; CC BY-NC 4.0",
        ("ER@250", "ER@1000"), {"ER@250": 0.70, "ER@500": 0.79, "ER@1000": 0.86, "ER@2000": 0.91},
    ),
    "beam-100k-a": Known(
        "BEAM 100K", "messages of long assistant conversations", "github.com/mohammadtavakoli78/BEAM; no licence found",
        ("nDCG@10", "ER@1000"), {"nDCG@10": 0.47, "ER@1000": 0.52, "ER@4000": 0.68},
    ),
    "chroma-a": Known(
        "Chroma, three documents", "stretches of characters in long documents", "github.com/brandonstarxel/chunking_evaluation; MIT",
        ("ER@250", "ER@1000"), {"ER@250": 0.72, "ER@500": 0.86, "ER@1000": 0.93, "ER@2000": 0.97},
    ),
    "hotpot-100": Known(
        "HotpotQA", "the sentences that a question of two hops needs", "github.com/noahshinn/reflexion; data CC BY-SA 4.0",
        ("nDCG@10", "ER@1000"), {"ER@250": 0.72, "ER@500": 0.85, "ER@1000": 0.93},
    ),
    "2wiki-a": Known(
        "2WikiMultihopQA", "passages that a question of two hops needs, most of which only another one names",
        "github.com/OSU-NLP-Group/HippoRAG; data Apache-2.0, text CC BY-SA", ("nDCG@10", "ER@1000"), {"ER@1000": 0.86, "ER@2000": 0.92},
    ),
    "mtrag-un-a": Known(
        "MTRAG", "passages for the last turn of a conversation; its history is not used", "github.com/IBM/mt-rag-benchmark; Apache-2.0",
        ("nDCG@10", "ER@1000"), {"nDCG@10": 0.81, "ER@1000": 0.83},
    ),
    "cranfield": Known("Cranfield", "abstracts of aeronautics", "oussbenk/cranfield-trec-dataset", ("nDCG@10", "ER@1000"), {"nDCG@10": 0.44}),
    "npl-vaswani": Known("NPL (Vaswani)", "abstracts of physics", "github.com/terrier-org/pyterrier", ("nDCG@10", "ER@1000"), {"nDCG@10": 0.50}),
    "cosqa-dev": Known(
        "CoSQA", "Python functions for queries of web search", "github.com/Jun-jie-Huang/CoCLR; MIT", ("nDCG@10", "ER@1000"), {"nDCG@10": 0.53}
    ),
    "codebase-chunks-a": Known(
        "chunks of a Rust code base", "chunks of code that answer a question", "github.com/anthropics/anthropic-cookbook; MIT",
        ("nDCG@10", "ER@1000"), {"nDCG@10": 0.77, "ER@1000": 0.88},
        "about two questions of 122 by rank, one by evidence; longer runs of lines and values by the length of code: .863 (decision 008)",
    ),
    "swe-loc-dev": Known(
        "SWE-bench, localisation", "files and lines that an issue's fix changes, in five Python repositories",
        "SWE-bench by way of nus-apr/auto-code-rover and OpenAutoCoder/Agentless; trees from the repositories",
        ("Acc@1", "Lines@1000"), {"Acc@1": 0.50, "Acc@5": 0.86, "Lines@500": 0.38, "Lines@1000": 0.52, "Lines@4000": 0.78},
        "where the lines of each issue get lost; ways of packing them, chosen on 469 commits: none is better by more than an issue; the prototype that the "
        "aims are from, rebuilt: counted in tokens of the rendered pack it holds no more (.444 at 1,000, .699 at 4,000 by words alone; decision 008)",
    ),
    "commit-loc-dev": Known(
        "commits, localisation", "files that a commit with this message changed, in four repositories of Python, TypeScript and Go",
        "hynek/structlog, simonw/sqlite-utils, yamadashy/repomix, sourcegraph/zoekt",
        ("Acc@1", "Acc@5"), {"Acc@1": 0.60, "Acc@5": 0.88, "Acc@10": 0.93},
        "four messages of 222 at rank 1, less than one at 5; what brought the ranking of files here, and what did not: decision 008",
    ),
    "stdlib-all": Known(
        "standard library, all functions", "the function that a docstring's first sentence describes",
        "made from the Python in use by stdlib_functions.py, which lies beside the sets",
        ("RR", "R@10"), {"RR": 0.523, "R@10": 0.752},  # .12 above plain BM25
    ),
    "stdlib": Known(
        "standard library, 2,500 functions", "the function that a docstring's first sentence describes",
        "made from the Python in use by stdlib_functions.py, which lies beside the sets", ("RR", "R@10"),
    ),
}  # fmt: skip


def known(name: str) -> Known:
    """The entry of a set, or one that fits any."""
    return SETS.get(name, Known(name, "", "", ("nDCG@10", "ER@1000")))
