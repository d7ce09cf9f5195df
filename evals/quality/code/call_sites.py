"""Calls of public projects, held against labels: `python -m evals relations --calls DIR`.

Each file of evals/relations/calls labels calls of one project at one commit: line, name, and the file that defines
what is called, `.` for the file itself, `-` for a definition outside the project. The calls were drawn by chance, with
a fixed seed, among those of names that the project defines somewhere, and labelled by reading; a few whole passages
were added. Calls of a function by itself, and those whose target depends on how the project is built, are left out.

An edge that is called ambiguous is no claim: it counts neither as found nor as wrong.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from daypack import Daypack, Settings
from daypack.doors.code.types import EdgeRow
from evals.quality.code.edges import FOLDER


@dataclass(frozen=True)
class CallSite:
    """One labelled call. `targets` are the files that may define it; none for a definition outside the project."""

    file: str
    line: int
    name: str
    targets: frozenset[str]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name} → {' or '.join(sorted(self.targets)) or 'outside'}"


@dataclass(frozen=True)
class Outcome:
    """Calls of one project that were found, missed, or led to another file."""

    project: str
    right: int
    wrong: tuple[CallSite, ...]
    missed: tuple[CallSite, ...]

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))


def read_sites(path: Path) -> tuple[dict[str, str], list[CallSite]]:
    """The head of a file of labels (language, repository, commit), and its calls."""
    head: dict[str, str] = {}
    sites: list[CallSite] = []
    file = ""
    for line in path.read_text(encoding="utf-8").split("\n"):
        first, _, rest = line.partition(" ")
        if first.isdigit():
            name, _, written = rest.partition(" ")
            targets = {".": {file}, "-": set[str]()}.get(written, {*written.split("|")})
            sites.append(CallSite(file, int(first), name, frozenset(targets)))
        elif first == "file":
            file = rest
        elif first:
            head[first] = rest
    return head, sites


def outcomes(checkouts: Path) -> Iterator[Outcome]:
    """Outcomes of the projects whose checkouts lie in a folder under their own names.

    Raises SystemExit with a recipe where one does not.
    """
    for path in sorted((FOLDER / "calls").glob("*.txt")):
        head, sites = read_sites(path)
        name = head["repository"].rpartition("/")[2]
        root = checkouts / name
        if not all((root / site.file).is_file() for site in sites):
            raise SystemExit(
                f"{root} is no checkout of {name}: git clone {head['repository']} && git -C {name} checkout -q {head['commit']}"
            )
        yield measured(path.stem, root, sites)


def measured(project: str, root: Path, sites: list[CallSite]) -> Outcome:
    """Index a project and compare its edges with the labels."""
    right = 0
    wrong: list[CallSite] = []
    missed: list[CallSite] = []
    with (
        tempfile.TemporaryDirectory() as place,
        Daypack.open(Path(place) / ".daypack", root=root, settings=Settings(embedder="hashing")) as dp,
    ):
        dp.files.add(root)
        edges = {file: dp.code.edges(file, refresh=False) for file in {site.file for site in sites}}
        for site in sites:
            found = {edge.target.file for edge in edges[site.file] if _claims(edge, site)}
            right += bool(found & site.targets)
            if found - site.targets:
                wrong.append(site)
            if site.targets and not found & site.targets:
                missed.append(site)
    return Outcome(project, right, tuple(wrong), tuple(missed))


def _claims(edge: EdgeRow, site: CallSite) -> bool:
    """True for an edge that says what this call calls. A call without parentheses looks like a use in Ruby."""
    return (
        edge.line == site.line
        and edge.relation in ("calls", "uses")
        and not edge.ambiguous
        and edge.target.name.rpartition(".")[2] == site.name
    )


def report(found: list[Outcome]) -> str:
    """A table for people, and then every call that was missed or wrong."""
    lines = [
        f"{'project':<26}{'edges':>7}{'right':>7}{'wrong':>7}{'missed':>8}{'precision':>11}{'recall':>8}"
    ]
    lines += [
        f"{one.project:<26}{one.right + len(one.missed):>7}{one.right:>7}{len(one.wrong):>7}{len(one.missed):>8}{one.precision:>11.3f}{one.recall:>8.3f}"
        for one in found
    ]
    for word in ("wrong", "missed"):
        lines += [f"{word}  {site}" for one in found for site in getattr(one, word)]
    return "\n".join(lines)
