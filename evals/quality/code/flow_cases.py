"""python -m evals.quality.code.flow_cases REPOSITORY... --out DIR [--most 40] [--reach 4000]

Cases of work-flow questions, mined from histories and trees. DIR is a set of `commits mine`: the tree of each repository
is read there. DIR/flows.jsonl gets a line a case:

    flow    edit    a diff of one function of a commit        → the other places that the commit changes
            tests   the diff of the code of a commit          → the places in tests that it changes
            uses    a name that the tree defines once         → the lines of other files that call it
    id, repo, base_commit, text
    gold    [file, name, [[first, last], ...]] a place: the lines of the tree that the commit removes or after which it
            inserts, under one heading of git; new definitions change nothing that is there. For `uses` the lines of one file

The tree is older than every commit. Lines are carried back to it through the changes between; places that it lacks are
left out, and so are change logs, which change with everything. Calls are found by letters and imports, not by a parser.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from daypack.text.paths import is_test_path
from evals.arguments import command_line
from evals.quality.code.commits import CODE, Repository, carried_back, is_source, spans_of

MOST_FILES, MOST_LINES = 12, 300  # that a commit changes
LONGEST_DIFF = 8_000  # characters
FEWEST_USES, MOST_USES = 3, 40  # files that call a name
_DRIVERS = {
    "python": "py", "golang": "go", "rust": "rs", "java": "java", "csharp": "cs", "cpp": "c h cc cpp hpp",
    "php": "php", "ruby": "rb", "kotlin": "kt", "scala": "scala", "elixir": "ex exs", "markdown": "md",
}  # fmt: skip
_TEXTS = (
    *CODE,
    ".md",
    ".rst",
    ".txt",
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".cfg",
    ".ini",
    ".gradle",
    ".xml",
    ".html",
)
_LOGS = re.compile(
    r"(?i)(^|/)(changes?|changelog|news|history|releases?|whatsnew|newsfragments|unreleased)\b"
)
_DEFINITION = (
    r"\s*(?:@|#\[|\[\w+\(?\]?|(?:export|pub|async|static|public|private|protected|internal|override|suspend|default)\b.{0,40}\b|)"
    r"\s*(?:@\w|#\[|\[(?:Test|Fact)|(?:def|defp|class|func|fn|function|fun|test|it|describe|context|struct|enum|interface|trait|impl|type|void)\b|Deno\.test)"
    r"|[A-Za-z_][\w *]+\([^;]*$"
)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@ ?(.*)")


class Change(NamedTuple):
    """The changes of a file under one heading: lines of the old file, and the text of the diff."""

    path: str
    heading: str
    lines: tuple[int, ...]
    diff: str
    size: int  # lines added and removed


def changes_of(repository: Repository, commit: str, path: str, attributes: Path) -> list[Change]:
    """The changes of a file by a commit, by the heading that git prints above them."""
    text = repository.git(
        "-c", f"core.attributesFile={attributes}", "diff", "-U3", "--no-renames", f"{commit}^", commit, "--", path,
    )  # fmt: skip
    head, *hunks = re.split(r"(?m)^(?=@@ -)", text)
    found: dict[str, list[tuple[list[int], str, int]]] = {}
    for hunk in hunks:
        rows = hunk.splitlines()
        match = _HUNK.match(rows[0])
        if match is None:
            continue
        line, size = int(match[1]), 0
        touched: list[int] = []
        for sign, group in groupby(rows[1:], key=lambda row: row[:1]):
            block = [*group]
            if sign == "-":
                touched += range(line, line + len(block))
            elif sign == "+" and not _begins_definition(block):
                touched.append(max(1, line - 1))
            size += len(block) if sign in "+-" else 0
            line += len(block) if sign not in "+\\" else 0
        found.setdefault(match[3].strip(), []).append((touched, hunk, size))
    header = "".join(row for row in head.splitlines(keepends=True) if row.startswith(("---", "+++")))
    return [
        Change(path, heading, tuple(sorted({n for one in parts for n in one[0]})), header + "".join(p[1] for p in parts), sum(p[2] for p in parts))
        for heading, parts in found.items()
    ]  # fmt: skip


def _begins_definition(block: Sequence[str]) -> bool:
    """True of added lines that begin with a new definition, which changes nothing that is there."""
    first = next((row[1:] for row in block if row[1:].strip(" \t}])>;,")), "")
    return bool(re.match(_DEFINITION, first))


class Tree:
    """The files of a tree, and the changes between it and later commits."""

    def __init__(self, repository: Repository, folder: Path) -> None:
        self.repository = repository
        self.folder = folder
        self.base = folder.name
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        if path not in self._lines:
            file = self.folder / path
            self._lines[path] = file.read_text("utf-8", "replace").splitlines() if file.is_file() else []
        return self._lines[path]

    def place(self, change: Change, commit: str) -> list[Any] | None:
        """The place of a change in the tree, None where the tree lacks all of its lines."""
        own = self.lines(change.path)
        if not own:
            return None
        earlier = self.repository.hunks(self.base, f"{commit}^", change.path)
        carried = {found for n in change.lines if (found := carried_back(n, earlier)) is not None}
        told = {n for line in carried if (n := _above(own, line))}
        return [change.path, change.heading, spans_of(told)] if told else None


def _above(rows: Sequence[str], line: int) -> int:
    """The line, or the next above it that says something; 0 where none does."""
    line = min(line, len(rows))
    while line > 0 and not rows[line - 1].strip():
        line -= 1
    return line


def cases_of(tree: Tree, commit: str, attributes: Path) -> Iterator[dict[str, Any]]:
    """The cases of a commit: at most one `edit` and one `tests`."""
    changed = [path for status, path in tree.repository.changed(commit) if status == "M"]
    changed = [path for path in changed if path.endswith(_TEXTS) and not _LOGS.search(path)]
    if not 0 < len(changed) <= MOST_FILES or not any(map(is_source, changed)):
        return
    changes = [one for path in changed for one in changes_of(tree.repository, commit, path, attributes)]
    if sum(one.size for one in changes) > MOST_LINES:
        return
    known = {
        "id": f"{tree.repository.name}:{commit[:12]}",
        "repo": tree.repository.name,
        "base_commit": tree.base,
    }
    placed = [(one, place) for one in changes if one.lines and (place := tree.place(one, commit)) is not None]
    code = [(one, place) for one, place in placed if is_source(one.path) and one.heading]
    if code and len(placed) > 1:
        given = max(code, key=lambda item: item[0].size)[0]
        gold = [place for one, place in placed if one is not given]
        yield {**known, "flow": "edit", "text": given.diff[:LONGEST_DIFF], "gold": gold}
    tests = [place for one, place in placed if is_test_path(one.path) and one.path.endswith(tuple(CODE))]
    if code and tests:
        text = "".join(one.diff for one in changes if is_source(one.path))
        yield {**known, "flow": "tests", "text": text[:LONGEST_DIFF], "gold": tests}


# ---------------------------------------------------------------- calls by letters

_DEFINES = {
    ".py": r"^(?:async )?(?:def|class) (\w+)", ".go": r"^func (\w+)\(", ".rs": r"^\s*pub (?:async )?fn (\w+)",
    ".ts": r"^export (?:async )?function (\w+)", ".js": r"^export (?:async )?function (\w+)",
    ".java": r"^    public static [\w<>\[\], ]+ (\w+)\(", ".cs": r"^\s+public static [\w<>\[\], ]+ (\w+)\(",
    ".kt": r"^(?:public |inline )*fun (?:<[^>]+> )?(\w+)\(", ".c": r"^[\w *]+?\b(\w+)\([^;]*$",
    ".rb": r"^\s+def (\w+[?!]?)", ".php": r"^    public (?:static )?function (\w+)\(", ".swift": r"^\s+public func (\w+)",
    ".ex": r"^  def (\w+[?!]?)", ".scala": r"^\s+def (\w+)",
}  # fmt: skip
_COMMENTS = ("#", "//", "*", "/*", "--", "..")


def imports(text: str, suffix: str, path: str, name: str, origin: str) -> bool:
    """True where a file can mean the definition of `name` in `origin` by it, as far as letters tell."""
    stem = (
        Path(origin).stem
        if Path(origin).stem not in ("__init__", "index", "mod")
        else Path(origin).parent.name
    )
    if suffix == ".py":
        package = Path(origin).parent.name
        return bool(
            re.search(rf"(?ms)^\s*from [\w.]*\b(?:{stem}|{package}) import (?:\([^)]*\b{name}\b|[^\n(]*\b{name}\b)", text)
            or re.search(rf"(?m)^\s*from \.+ import [^\n]*\b(?:{name}|{stem})\b", text)
            or (re.search(rf"(?m)^\s*(?:import|from) [^\n]*\b{stem}\b", text) and re.search(rf"\b{stem}\.{name}\(", text))
        )  # fmt: skip
    if suffix == ".go":
        folder = str(Path(origin).parent)
        if str(Path(path).parent) == folder:
            return True
        return f'{folder}"' in text and f"{Path(folder).name}.{name}(" in text
    if suffix in (".ts", ".js"):
        return bool(re.search(rf"import[^;]*\b{name}\b[^;]*from", text))
    return True  # a name that the tree defines once


def uses_of(tree: Tree, most: int, seed: int) -> Iterator[dict[str, Any]]:
    """Names that files of other names call, drawn by chance."""
    texts = {
        path: file.read_text("utf-8", "replace")
        for file in sorted(tree.folder.rglob("*"))
        if file.is_file() and (path := str(file.relative_to(tree.folder))).endswith(tuple(CODE))
    }
    defined: dict[str, list[str]] = {}
    for path, text in texts.items():
        pattern = _DEFINES.get(Path(path).suffix)
        if pattern and is_source(path):
            for match in re.finditer(f"(?m){pattern}", text):
                defined.setdefault(match[1], []).append(path)
    once = sorted((name, paths[0]) for name, paths in defined.items() if len(paths) == 1 and len(name) > 3)
    random.Random(seed).shuffle(once)
    found = 0
    for name, origin in once:
        if found == most:
            return
        suffix = Path(origin).suffix
        call = re.compile(rf"(?<![\w]){re.escape(name)}\s?\(")
        gold = []
        for path, text in texts.items():
            alike = Path(path).suffix == suffix
            if (
                not alike
                or path == origin
                or name not in text
                or not imports(text, suffix, path, name, origin)
            ):
                continue
            lines = [
                n
                for n, row in enumerate(text.splitlines(), 1)
                if call.search(row)
                and not row.lstrip().startswith(_COMMENTS)
                and not re.search(rf"\b(?:def|func|fn|function|fun|class) {re.escape(name)}\b", row)
            ]
            if lines:
                gold.append([path, name, spans_of(lines)])
        if FEWEST_USES <= len(gold) <= MOST_USES:
            found += 1
            yield {
                "id": f"{tree.repository.name}:{name}", "repo": tree.repository.name, "base_commit": tree.base,
                "flow": "uses", "text": name, "gold": gold,
            }  # fmt: skip


def mined(tree: Tree, most: int, reach: int, attributes: Path) -> Iterator[dict[str, Any]]:
    """Up to `most` cases of each flow, of the commits next to the tree first."""
    repository = tree.repository
    log = repository.git("log", "--no-merges", "--reverse", "--format=%H", f"{tree.base}..HEAD").split()
    taken = {"edit": 0, "tests": 0}
    for commit in log[:reach]:
        for case in cases_of(tree, commit, attributes):
            if taken[case["flow"]] < most:
                taken[case["flow"]] += 1
                yield case
        if min(taken.values()) >= most:
            break
    yield from uses_of(tree, most, seed=len(log))


def main() -> None:
    """Mine the cases of the trees of a set."""
    parser = command_line("evals.quality.code.flow_cases", __doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--most", type=int, default=40, help="cases of a flow and repository (default: 40)")
    parser.add_argument("--reach", type=int, default=4_000, help="commits that are looked at (default: 4000)")
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".attributes") as attributes, (options.out / "flows.jsonl").open("a") as out:  # fmt: skip
        attributes.writelines(
            f"*.{end} diff={name}\n" for name, ends in _DRIVERS.items() for end in ends.split()
        )
        attributes.flush()
        for folder in options.repositories:
            repository = Repository(folder)
            for base in sorted((options.out / "trees" / repository.name.replace("/", "__")).iterdir()):
                cases = [*mined(Tree(repository, base), options.most, options.reach, Path(attributes.name))]
                out.writelines(json.dumps(case) + "\n" for case in cases)
                out.flush()
                counts = {
                    flow: len([*group]) for flow, group in groupby(sorted(case["flow"] for case in cases))
                }
                print(f"{repository.name}: {counts}, tree {base.name[:12]}", flush=True)


if __name__ == "__main__":
    main()
