"""Relations of code, held against edges that were labelled by hand.

Labels of the projects in evals/relations stand in the code, as comments behind what they are about:

    this.add(loan); //= calls src/store/loans.ts BaseStore.add; uses src/store/types.ts Loan

Those of Python are about its standard library, which is not ours to keep: python/labels.txt names files,
lines and targets, and counts only where the files are the ones that were labelled. Labels are complete: in a
labelled file every call, use, import, base and test edge to the project is there, so what is found and not
labelled is wrong. What is called on a line is not listed as used on it as well; a package of Go is the first
file of its folder.

Labels of public/*.txt are over projects of other people at one commit, by reading them: lines of files, in
which every edge is labelled. Nothing of the projects is kept here; the caller names a checkout,
whose files are those of `git archive` at the commit.

An edge that is called ambiguous is no claim: it counts neither as found nor as wrong.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from daypack import Daypack, Settings

FOLDER = Path(__file__).parents[2] / "relations"
LABELLED = ("calls", "uses", "imports", "extends", "tested_by")
LANGUAGES = ("python", "typescript", "go", "rust")
_MARK = re.compile(r"//=\s*(.*)$")

Label = tuple[str, int, str, str]
"""(file, line, relation, target): the target is a file, or a file and a qualified name behind a space."""


@dataclass(frozen=True)
class Outcome:
    """Labels of one language that were found, missed, or found wrongly."""

    language: str
    right: Counter[str] = field(default_factory=Counter)  # by relation
    wrong: tuple[Label, ...] = ()
    missed: tuple[Label, ...] = ()

    @property
    def precision(self) -> float:
        return _share(self.right.total(), len(self.wrong))

    @property
    def recall(self) -> float:
        return _share(self.right.total(), len(self.missed))


def _share(right: int, other: int) -> float:
    return right / (right + other) if right + other else 1.0


def outcomes() -> Iterator[Outcome]:
    """One language after the other; Python is left out where its library is not the labelled one."""
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name) / language
            labels = _python(root) if language == "python" else _marked(FOLDER / language, root)
            if labels is not None:
                yield _measured(language, root, labels)


@dataclass(frozen=True)
class Public:
    """Labels over lines of a public project."""

    name: str
    language: str
    repository: str
    commit: str
    lines: dict[str, range]  # of each labelled file those in which every edge is labelled
    labels: frozenset[Label]

    @property
    def recipe(self) -> str:
        return f"git clone {self.repository} && git -C {self.repository.rpartition('/')[2]} checkout -q {self.commit}"


def public_labels() -> list[Public]:
    """Those of every project in public/."""
    return [_public(path) for path in sorted((FOLDER / "public").glob("*.txt"))]


def _public(path: Path) -> Public:
    head: dict[str, str] = {}
    lines: dict[str, range] = {}
    labels: set[Label] = set()
    file = ""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        first, rest = line.split(" ", 1)
        if first == "lines":
            file, _, span = rest.partition(" ")
            begin, _, end = span.partition("-")
            lines[file] = range(int(begin), int(end) + 1)
        elif first.isdigit():
            relation, target = rest.split(" ", 1)
            labels.add((file, int(first), relation, target))
        else:
            head[first] = rest
    return Public(path.stem, head["language"], head["repository"], head["commit"], lines, frozenset(labels))


def public_outcomes(checkouts: Path) -> Iterator[Outcome]:
    """Outcomes of the projects whose checkouts lie in a folder under their own names.

    Raises SystemExit with a recipe where one does not.
    """
    for public in public_labels():
        root = checkouts / public.repository.rpartition("/")[2]
        if not all((root / file).is_file() for file in public.lines):
            raise SystemExit(f"{root} is no checkout of {public.name}; in {checkouts}: {public.recipe}")
        with tempfile.TemporaryDirectory() as store:
            yield _measured(public.language, root, set(public.labels), Path(store) / ".daypack", public.lines)


def _measured(
    language: str,
    root: Path,
    labels: set[Label],
    store: Path | None = None,
    lines: dict[str, range] | None = None,
) -> Outcome:
    found: set[Label] = set()
    with Daypack.open(store or root / ".daypack", root=root, settings=Settings(embedder="hashing")) as dp:
        dp.files.add(root)
        for file in sorted({label[0] for label in labels}):
            for edge in dp.code.edges(file, refresh=False):
                if (
                    edge.relation in LABELLED
                    and not edge.ambiguous
                    and (lines is None or edge.line in lines[file])
                ):
                    # A test is labelled where it stands, the edge begins at what it tests.
                    what = edge.source if edge.relation == "tested_by" else edge.target
                    name = "" if what.kind == "file" else f" {what.name}"
                    found.add((file, edge.line, edge.relation, f"{what.file}{name}"))
    right = found & labels
    return Outcome(
        language,
        Counter(label[2] for label in right),
        tuple(sorted(found - labels)),
        tuple(sorted(labels - found)),
    )


def _marked(source: Path, root: Path) -> set[Label]:
    """The labels in the comments of a project, which is copied without them: a mark must not help."""
    labels: set[Label] = set()
    for path in sorted(source.rglob("*")):
        if not path.is_file():
            continue
        file = path.relative_to(source).as_posix()
        lines = path.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            for written in _MARK.search(line)[1].split(";") if _MARK.search(line) else ():  # type: ignore[index]
                relation, target = written.strip().split(" ", 1)
                labels.add((file, number, relation, target))
        copy = root / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(_MARK.sub("", line).rstrip() for line in lines), encoding="utf-8")
    return labels


def _python(root: Path) -> set[Label] | None:
    library = Path(sysconfig.get_path("stdlib"))
    labels: set[Label] = set()
    file = ""
    for line in (FOLDER / "python" / "labels.txt").read_text(encoding="utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        first, rest = line.split(" ", 1)
        if first in ("read", "file"):
            name, _, wanted = rest.partition(" ")
            path = library / name
            if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest()[:16] != wanted:
                return None
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, root / name)
            file = name
        else:
            relation, target = rest.split(" ", 1)
            labels.add((file, int(first), relation, target))
    return labels


def report(found: list[Outcome]) -> str:
    """A table for people, and then every label that was missed or wrong."""
    lines = [
        f"{'language':<12}{'labels':>8}{'right':>8}{'wrong':>8}{'missed':>8}{'precision':>11}{'recall':>8}"
    ]
    total = Outcome(
        "all",
        sum((one.right for one in found), Counter()),
        tuple(x for one in found for x in one.wrong),
        tuple(x for one in found for x in one.missed),
    )
    for one in (*found, total):
        labels = one.right.total() + len(one.missed)
        lines.append(
            f"{one.language:<12}{labels:>8}{one.right.total():>8}{len(one.wrong):>8}{len(one.missed):>8}{one.precision:>11.3f}{one.recall:>8.3f}"
        )
    lines.append("")
    for relation in LABELLED:
        wrong, missed = (
            sum(label[2] == relation for label in group) for group in (total.wrong, total.missed)
        )
        lines.append(
            f"{relation:<12}{total.right[relation] + missed:>8}{total.right[relation]:>8}{wrong:>8}{missed:>8}"
        )
    lines.append("")
    for word, group in (("wrong", total.wrong), ("missed", total.missed)):
        lines += [f"{word}  {file}:{line} {relation} {target}" for file, line, relation, target in group]
    return "\n".join(lines)
