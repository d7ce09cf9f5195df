"""Trees of files: what a repository held at a commit, as text files below <owner>__<name>/<commit>/."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of `repository` ("owner__name") at a commit."""

    repository: str
    commit: str
    folder: Path

    @property
    def name(self) -> str:
        return f"{self.repository}/{self.commit}"

    def files(self) -> Iterator[tuple[str, str]]:
        """(path in the repository, text), sorted by path; line ends as they are in the file."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                yield path.relative_to(self.folder).as_posix(), path.read_bytes().decode("utf-8", "replace")


def tree_of(trees: Path, repository: str, commit: str, dataset: str) -> Tree:
    """The tree of a query. Raises FileNotFoundError that says how trees are made."""
    tree = Tree(repository.replace("/", "__"), commit, trees / repository.replace("/", "__") / commit)
    if not tree.folder.is_dir():
        raise FileNotFoundError(
            f"{trees} holds no {tree.name}; with clones of the repositories at hand, `materialize.py {dataset} CLONES {trees}` writes it"
            " (the script lies beside the set), or --trees names another folder"
        )
    return tree


def line_starts(text: str) -> list[int]:
    """Offset at which each line begins; lines end with a line feed."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
