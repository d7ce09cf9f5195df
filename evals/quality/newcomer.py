"""python -m evals.quality.newcomer --trees DIR [--budgets 300,1000] [--stores DIR] [--vectors auto] [--half a] [--out RESULTS.json]

The questions that a newcomer asks about seven public repositories, with the lines of code or documentation that
answer them (`newcomer.jsonl`, written from reading, before anything was run). For each budget it prints the share
of packs that are

    good      all gold lines are in the pack, or 60 % of them with every line that decides
    partial   the pack has something of a gold file
    missed    it has nothing of it
    first     its first item shows gold lines

of the default pack, of `--kind code`, and of plain BM25 over blocks of 40 lines. DIR holds a tree a repository
as DIR/<name>, the files of the commit that `newcomer.jsonl` names: `git archive COMMIT | tar x -C DIR/<name>`.

    python -m evals.quality.newcomer --compare NEW.json OLD.json     paired differences
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from daypack import Daypack
from evals.arguments import command_line, kept_in, numbers
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.everyday import report
from evals.quality.everyday.world import Gold, Question
from evals.quality.peers import Bm25Peer
from evals.quality.trees import Tree, line_starts

QUESTIONS = Path(__file__).with_suffix(".jsonl")
ENOUGH = 0.6  # share of the gold lines, with every line that decides
KINDS: dict[str, dict[str, Any]] = {"daypack": {}, "code": {"kind": "code"}}
"""System → arguments of its packs."""


class Unit(NamedTuple):
    """Lines of a file that answer a question by themselves, 1-based, and those among them that decide."""

    path: str
    lines: frozenset[int]
    decisive: frozenset[int]


class NewcomerQuestion(NamedTuple):
    """A question about a repository. Any of its units is enough."""

    id: str
    half: str
    repository: str
    commit: str
    question: str
    units: tuple[Unit, ...]


class Piece(NamedTuple):
    """Half-open characters of a file in a pack."""

    path: str
    start: int
    end: int


# ---------------------------------------------------------------- pure


def questions() -> list[NewcomerQuestion]:
    """The questions of both halves, in the order of the file."""
    rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return [
        NewcomerQuestion(
            row["id"],
            row["half"],
            row["repository"],
            row["commit"],
            row["question"],
            tuple(
                Unit(
                    unit["path"],
                    frozenset(n for first, last in unit["lines"] for n in range(first, last + 1)),
                    frozenset(unit["decisive"]),
                )
                for unit in row["gold"]
            ),
        )
        for row in rows
    ]


def shown_lines(pieces: Iterable[Piece], path: str, text: str) -> set[int]:
    """Lines of a file of which the pieces have every character that is not blank; blank lines do not count."""
    found = set()
    starts = [*line_starts(text), len(text) + 1]
    for number, (first, after) in enumerate(pairwise(starts), 1):
        line = text[first : after - 1]
        start = first + len(line) - len(line.lstrip())
        end = first + len(line.rstrip())
        if start < end and any(p.path == path and p.start <= start and end <= p.end for p in pieces):
            found.add(number)
    return found


def verdict(units: Sequence[Unit], pieces: Sequence[Piece], texts: Mapping[str, str]) -> str:
    """good, partial or missed, by the unit that fares best."""
    found = "missed"
    for unit in units:
        if not any(piece.path == unit.path for piece in pieces):
            continue
        found = "partial"
        text = texts[unit.path]
        wanted = unit.lines & shown_lines([Piece(unit.path, 0, len(text))], unit.path, text)
        shown = wanted & shown_lines(pieces, unit.path, text)
        if shown == wanted or (len(shown) >= ENOUGH * len(wanted) and unit.decisive <= shown):
            return "good"
    return found


def measures(units: Sequence[Unit], pieces: Sequence[Piece], texts: Mapping[str, str]) -> dict[str, float]:
    """Name → 0 or 1, for one pack."""
    found = verdict(units, pieces, texts)
    first = [
        unit
        for unit in units
        if pieces and unit.lines & shown_lines(pieces[:1], unit.path, texts.get(unit.path, ""))
    ]
    return {
        **{name: float(found == name) for name in ("good", "partial", "missed")},
        "first": float(bool(first)),
    }


def as_question(asked: NewcomerQuestion) -> Question:
    """The same for `everyday.report`, with the repository as its kind."""
    gold = tuple(Gold("files", unit.path) for unit in asked.units)
    return Question(
        asked.id, asked.half, asked.repository, asked.repository.split("/")[1], asked.question, (gold,)
    )


# ---------------------------------------------------------------- systems


def tree_of(trees: Path, asked: NewcomerQuestion) -> Tree:
    """The files of a repository. Raises SystemExit that says how to get them."""
    name = asked.repository.split("/")[1]
    if not (trees / name).is_dir():
        raise SystemExit(
            f"{trees} holds no {name}; in a clone of github.com/{asked.repository}:"
            f" mkdir {trees / name} && git archive {asked.commit} | tar x -C {trees / name}"
        )
    return Tree(name, asked.commit, trees / name)


def packs(
    tree: Tree, of: Sequence[NewcomerQuestion], budgets: Sequence[int], store: Path, vectors: Any
) -> Iterator[tuple[NewcomerQuestion, str, int, list[Piece]]]:
    """(question, system, budget, pieces in the order of the pack)."""
    with Daypack.open(store, root=tree.folder) as dp:
        dp.files.add(tree.folder)
        for asked in of:
            for system, narrow in KINDS.items():
                for budget in budgets:
                    pack = dp.pack(asked.question, budget=budget, vectors=vectors, refresh=False, **narrow)
                    spans = ((e.citation.uri, e.citation.span) for e in pack.excerpts)
                    yield asked, system, budget, [Piece(uri, span.start, span.end) for uri, span in spans]
    peer = Bm25Peer(Collection(tree.name, tree=tree))
    for asked in of:
        answer = peer.answer(EvalQuery(asked.id, asked.question, None, ""), budgets)
        for budget, packed in answer.packs.items():
            items = packed.items
            yield asked, "bm25", budget, [_characters(tree, item) for item in items]


def _characters(tree: Tree, item: Mapping[str, Any]) -> Piece:
    """The characters of a block of lines."""
    text = (tree.folder / item["doc_id"]).read_bytes().decode("utf-8", "replace")
    starts = [*line_starts(text), len(text)]
    last = min(item["end_line"], len(starts) - 1)
    return Piece(item["doc_id"], starts[item["start_line"] - 1], starts[last])


def run(trees: Path, budgets: Sequence[int], stores: Path, vectors: Any, half: str) -> dict[str, Any]:
    """Results of every system, as `report.results` arranges them."""
    found = [asked for asked in questions() if not half or asked.half == half]
    rows: dict[str, dict[str, dict[str, float]]] = {}
    shown: dict[str, dict[str, Any]] = {}
    for repository in dict.fromkeys(asked.repository for asked in found):
        of = [asked for asked in found if asked.repository == repository]
        tree = tree_of(trees, of[0])
        for asked, system, budget, pieces in packs(tree, of, budgets, stores / tree.repository, vectors):
            texts = {unit.path: (tree.folder / unit.path).read_text(encoding="utf-8") for unit in asked.units}
            row = rows.setdefault(system, {}).setdefault(asked.id, {})
            values = measures(asked.units, pieces, texts)
            row.update({f"{name}@{budget}": value for name, value in values.items()})
            if system == "daypack":
                places = [f"{piece.path}:{piece.start}-{piece.end}" for piece in pieces]
                shown.setdefault(asked.id, {})[f"packed@{budget}"] = places
    return report.results([as_question(asked) for asked in questions()], rows, shown)


def lines_of_half_a(found: Mapping[str, Any], budgets: Sequence[int]) -> Iterator[str]:
    """A line a question of half a: what each system's pack is worth at each budget."""
    for name, row in found["questions"].items():
        words = []
        for system in (*KINDS, "bm25"):
            for budget in budgets:
                value = [v for v in ("good", "partial", "missed") if row.get(system, {}).get(f"{v}@{budget}")]
                words.append(f"{system}@{budget} {''.join(value):<8}")
        yield f"{name:<12}{'  '.join(words)}{row['question']}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = command_line("evals.quality.newcomer", __doc__)
    parser.add_argument("--trees", type=Path, metavar="DIR")
    parser.add_argument("--stores", type=Path, metavar="DIR", help="keep stores there")
    parser.add_argument(
        "--budgets", type=numbers, default="300,1000", help="tokens of a pack; default %(default)s"
    )
    report.add_options(parser)
    arguments = parser.parse_args(argv)
    if arguments.compare:
        first, second = (json.loads(path.read_text(encoding="utf-8")) for path in arguments.compare)
        asked = [as_question(one) for one in questions()]
        print("\n".join(report.compared(asked, first, second, arguments.system)))
        return
    if arguments.trees is None:
        parser.error("--trees DIR names the folder with the repositories")
    budgets = arguments.budgets
    with kept_in(arguments.stores) as stores:
        found = run(arguments.trees, budgets, stores, arguments.vectors, arguments.half)
    if arguments.out is not None:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print("\n".join(lines_of_half_a(found, budgets)))
    for system, halves in found["means"].items():
        print("\n".join(report.table(system, halves)))


if __name__ == "__main__":
    main()
