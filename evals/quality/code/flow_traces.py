"""python -m evals.quality.code.flow_traces REPOSITORY... --out DIR --python PYTHON [--most 25] [--reach 800]

Cases of `trace`: the output of a test that really fails, and the lines whose change mends it. For commits of Python
repositories that change code and tests, the tests of the commit run over the code before it, then over its own code. A
test that fails and then passes gives a case: DIR/flows.jsonl gets its output (pytest's or Python's own traceback, in
turns), and as gold the places that the commit changes in the code, by the tree that `flow_cases` uses, or a new one.

PYTHON is an interpreter that has pytest and what the repositories import. Tests of foreign repositories run here with
all rights of the user: run it in a container.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from daypack.text.paths import is_test_path
from evals.arguments import command_line
from evals.quality.code.commits import Repository, is_source
from evals.quality.code.flow_cases import Tree, changes_of

SECONDS = 60.0  # of one run
LONGEST = 8_000  # characters of an output
MOST_SOURCES = 5  # files of code that a commit changes
_FAILED = re.compile(r"(?m)^FAILED (\S+)")
_BLOCK = re.compile(r"(?ms)^_{3,} .*? _{3,}\n(.*?)(?=^_{3,} |^={5,} )")


class Workshop:
    """A folder in which the tree of a commit is unpacked and its tests run."""

    def __init__(self, repository: Repository, python: Path, folder: Path) -> None:
        self.repository = repository
        self.python = python
        self.folder = folder / repository.name.rpartition("/")[2]

    def unpack(self, commit: str) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "-C", str(self.repository.folder), "archive", commit],
            check=True, capture_output=True, env={**os.environ, "GIT_NO_LAZY_FETCH": "1"},
        )  # fmt: skip
        subprocess.run(["tar", "-x", "-C", str(self.folder)], check=True, input=archive.stdout)

    def overlay(self, commit: str, paths: Sequence[str]) -> None:
        for path in paths:
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.repository.git("show", f"{commit}:{path}"), encoding="utf-8")

    def tested(self, tests: Sequence[str], style: str) -> tuple[int, str]:
        """(exit status, output) of pytest up to the first failure; (-1, "") where it takes too long."""
        command = [str(self.python), "-m", "pytest", "-x", "-q", "-rf", "--no-header", f"--tb={style}", "-W", "ignore", "-o", "addopts=", "-o", "xfail_strict=false", "-p", "no:cacheprovider", *tests]  # fmt: skip
        folders = os.pathsep.join([str(self.folder / "src"), str(self.folder)])
        settings = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "PYTHONPATH": folders, "PYTHONDONTWRITEBYTECODE": "1", "AIOHTTP_NO_EXTENSIONS": "1", "COLUMNS": "100"}  # fmt: skip
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(
                command, cwd=self.folder, env=settings, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip
            try:
                status = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                return -1, ""
            out.seek(0)
            return status, out.read().decode("utf-8", "replace")


def case_of(
    workshop: Workshop, tree: Tree, commit: str, style: str, attributes: Path
) -> dict[str, Any] | None:
    """The case of a commit; None where no test of it fails before and passes after."""
    repository = workshop.repository
    changed = repository.changed(commit)
    sources = [path for status, path in changed if status == "M" and is_source(path) and path.endswith(".py")]
    tests = [path for status, path in changed if status != "D" and is_test_path(path)]
    modules = [path for path in tests if re.search(r"(^|/)test_[^/]*\.py$|_test\.py$", path)]
    gold = [
        place
        for path in sources
        for one in changes_of(repository, commit, path, attributes)
        if one.lines and (place := tree.place(one, commit)) is not None
    ]
    if not gold:
        return None
    workshop.unpack(f"{commit}^")
    workshop.overlay(commit, tests)
    status, output = workshop.tested(modules, style)
    failed, block = _FAILED.search(output), _BLOCK.search(output)
    if status != 1 or failed is None or block is None:
        return None
    workshop.overlay(commit, [path for status, path in changed if status != "D" and path not in tests])
    if workshop.tested([failed[1]], style)[0] != 0:
        return None
    text = block[1].replace(str(workshop.folder), f"/home/dev/{workshop.folder.name}").strip()
    return {
        "id": f"{repository.name}:{commit[:12]}", "repo": repository.name, "base_commit": tree.base, "flow": "trace",
        "text": text[-LONGEST:], "gold": gold,
    }  # fmt: skip


def candidates(repository: Repository, start: str, reach: int) -> list[str]:
    """Commits that change a few files of code and a test module, newest first."""
    span = f"{start}..HEAD" if start else "HEAD"
    found = []
    for commit in repository.git("log", "--no-merges", "--format=%H", f"-{reach}", span).split():
        changed = repository.changed(commit)
        sources = [path for status, path in changed if status == "M" and is_source(path)]
        tests = [path for _, path in changed if is_test_path(path) and path.endswith(".py")]
        if 0 < len(sources) <= MOST_SOURCES and tests and sources[0].endswith(".py"):
            found.append(commit)
    return found


def mined(
    folder: Path, out: Path, python: Path, most: int, reach: int, attributes: Path
) -> Iterator[dict[str, Any]]:
    """Up to `most` cases of a repository; a tree is written where it has none."""
    repository = Repository(folder)
    trees = out / "trees" / repository.name.replace("/", "__")
    bases = sorted(one.name for one in trees.iterdir()) if trees.is_dir() else []
    commits = candidates(repository, bases[0] if bases else "", reach)
    if not bases and commits:
        commits = commits[: 4 * most]
        bases = [repository.git("rev-parse", f"{commits[-1]}^").strip()]
        repository.write_tree(bases[0], trees / bases[0])
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        workshop = Workshop(repository, python, Path(scratch))
        tree = Tree(repository, trees / bases[0])
        for number, commit in enumerate(reversed(commits)):
            case = case_of(workshop, tree, commit, ("auto", "native")[number % 2], attributes)
            if case is not None:
                yield case
                count += 1
            if count == most or (number >= 20 and not count):
                return


def main() -> None:
    """Run the tests of commits and keep what fails."""
    parser = command_line("evals.quality.code.flow_traces", __doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--python", required=True, type=Path)
    parser.add_argument("--most", type=int, default=25, help="cases of a repository (default: 25)")
    parser.add_argument("--reach", type=int, default=800, help="commits that are looked at (default: 800)")
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".attributes") as attributes:
        attributes.write("*.py diff=python\n")
        attributes.flush()
        for folder in options.repositories:
            count = 0
            for case in mined(
                folder, options.out, options.python, options.most, options.reach, Path(attributes.name)
            ):
                with (options.out / "flows.jsonl").open("a") as out:
                    out.write(json.dumps(case) + "\n")
                count += 1
            print(f"{folder.name}: {count} traces", flush=True)


if __name__ == "__main__":
    main()
