"""python -m evals.quality.code.commits mine REPOSITORY... --out DIR [--most 60] [--reach 2500]

Questions about code that were not written for a test: the messages of commits, and the lines that each commit changed.
For each repository (a clone or a bare folder, read only) one tree is written, as DIR/trees/<name>/<commit>, and
DIR/queries.jsonl gets a line a commit:

    id, repo, base_commit, fix_commit, text
    gold_files        files of code that the commit changes, tests apart
    gold_line_spans   per file, [first, last] lines of the tree: those that the commit removes, or after which it inserts
    gold_functions    per file, the headings that git prints above the changes

The tree is older than every commit. Lines are carried back to it through the changes between, and a commit with a
line that the tree lacks is left out, so are merges, reverts, releases, wide changes, and messages of few words.

`python -m evals.quality.code.commits run --from DIR --stores DIR [--arms none,auto] [--budgets 500,1000,4000]`
asks Daypack and prints the means by repository and over all: Acc@k, whether all gold files are among the first k;
Lines@B, the share of the gold lines in a pack of B tokens; Touched@B, whether it shows something of every gold file.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from daypack import Daypack, Settings
from daypack.text.paths import is_aside_path, is_test_path
from daypack.types import VectorMode
from evals.arguments import command_line, numbers, words

CODE = [
    ".py",
    ".js",
    ".mjs",
    ".ts",
    ".tsx",
    ".jsx",
    ".go",
    ".rs",
    ".java",
    ".kt",
    ".scala",
    ".cs",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".hpp",
    ".rb",
    ".php",
    ".swift",
    ".ex",
    ".exs",
    ".hs",
    ".lua",
    ".sh",
    ".bash",
    ".dart",
    ".zig",
]
LARGEST = 400_000  # bytes of a file of a tree
MOST_FILES, MOST_LINES = 4, 150  # that a commit changes
FEWEST_WORDS = 4  # of a message
_UNTELLING = re.compile(
    r"(?i)^(?:merge|revert|release|bump|version|update (?:changelog|readme|dependenc|version|copyright)|prepare|\[?bot|chore|v?\d+\.\d|format|lint|typo|fix(?:es)? typo|docs?\b|tests?\b|ci\b|style)"
)
_TRAILER = re.compile(
    r"(?im)^(?:[A-Z][\w-]+-by|change-id|piperorigin-revid|co-authored|cc)\b ?:?.{0,120}$"
    r"|^(?:closes?|fix(?:es)?|ref(?:s|erences)?|see|bug|issue)\b ?:? ?(?:[\w./-]*#?\d|https?:).{0,80}$|\(#\d+\)|https?://\S+"
)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")


class Hunk(NamedTuple):
    """A change: the lines of the old file that it replaces, from 1, and how many stand there after it."""

    first: int
    removed: int
    added: int
    heading: str


class Repository:
    """A git repository that is only read."""

    def __init__(self, folder: Path) -> None:
        inner = [folder, folder / ".git", folder / "repo"]
        found = [one for one in inner if (one / "HEAD").is_file()]
        if not found:
            raise FileNotFoundError(f"{folder} holds no git repository")
        self.folder = found[0]
        self.name = (
            (folder.parent if folder.name in ("repo", ".git") else folder)
            .name.replace("+", "/")
            .removesuffix(".git")
        )

    def git(self, *arguments: str) -> str:
        """The output of a git command. Raises CalledProcessError."""
        return self._run(*arguments).decode("utf-8", "replace")

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(
            command,
            check=True,
            capture_output=True,
            input=stdin,
            env={**os.environ, "GIT_NO_LAZY_FETCH": "1"},
        ).stdout

    def commits(self, reach: int) -> list[str]:
        """The last commits that have one parent, newest first."""
        return self.git("log", "--no-merges", f"-{reach}", "--format=%H", "HEAD").split()

    def message(self, commit: str) -> str:
        """The message of a commit without trailers, links and numbers of issues."""
        text = _TRAILER.sub("", self.git("log", "-1", "--format=%B", commit))
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def changed(self, commit: str) -> list[tuple[str, str]]:
        """(status, path) of the files that a commit changes."""
        rows = self.git(
            "diff-tree", "-r", "--no-commit-id", "--name-status", "--no-renames", commit
        ).splitlines()
        return [(status, path) for status, _, path in (row.partition("\t") for row in rows)]

    def hunks(self, old: str, new: str, path: str) -> list[Hunk]:
        """The changes of a file between two commits."""
        rows = self.git("diff", "-U0", "--no-renames", old, new, "--", path).splitlines()
        found = [match for row in rows if (match := _HUNK.match(row))]
        return [Hunk(int(one[1]), int(one[2] or 1), int(one[4] or 1), one[5].strip()) for one in found]

    def write_tree(self, commit: str, folder: Path) -> None:
        """Write the text files of a commit, byte for byte; those that the repository lacks are left out."""
        rows = [row.partition("\t") for row in self.git("ls-tree", "-r", "-z", commit).split("\0") if row]
        blobs = {path: meta.split()[2] for meta, _, path in rows if meta.startswith("100")}
        wanted = "".join(f"{blob}\n" for blob in blobs.values()).encode()
        found = io.BytesIO(self._run("cat-file", "--batch", stdin=wanted))
        for name in blobs:
            header = found.readline().split()
            if header[-1] == b"missing":
                continue
            content = found.read(int(header[-1]) + 1)[:-1]
            if len(content) > LARGEST or b"\0" in content[:8000]:
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def is_source(path: str) -> bool:
    """True for code that is no test and stands aside of nothing."""
    return path.endswith(tuple(CODE)) and not is_test_path(path) and not is_aside_path(path)


def carried_back(line: int, hunks: Sequence[Hunk]) -> int | None:
    """The line of the old file that a line of the new one is; None for one that was added or changed between."""
    shift = 0
    for hunk in hunks:
        first = hunk.first + shift + (0 if hunk.removed else 1)  # in the new file
        if line < first:
            break
        if line < first + hunk.added:
            return None
        shift += hunk.added - hunk.removed
    return line - shift


def spans_of(lines: Iterable[int]) -> list[list[int]]:
    """Runs of lines as [first, last]."""
    rows = sorted(set(lines))
    starts = [0, *(n for n, (a, b) in enumerate(pairwise(rows), 1) if b > a + 1), len(rows)]
    return [[rows[a], rows[b - 1]] for a, b in pairwise(starts)] if rows else []


def candidate(repository: Repository, commit: str) -> tuple[str, list[str]] | None:
    """(message, files of code that it changes) of a commit that asks something; None for others."""
    text = repository.message(commit)
    if _UNTELLING.match(text) or len(re.findall(r"[A-Za-z]{2,}", text)) < FEWEST_WORDS:
        return None
    changed = repository.changed(commit)
    sources = [path for status, path in changed if status == "M" and is_source(path)]
    others = [path for status, path in changed if status != "M" and is_source(path)]
    return (text, sources) if 0 < len(sources) <= MOST_FILES and not others else None


def question(
    repository: Repository, base: str, commit: str, text: str, files: Sequence[str]
) -> dict[str, Any] | None:
    """The line of queries.jsonl for a commit; None where the tree lacks a line that it changes."""
    spans: dict[str, list[list[int]]] = {}
    functions: dict[str, list[str]] = {}
    total = 0
    for path in files:
        hunks = repository.hunks(f"{commit}^", commit, path)
        earlier = repository.hunks(base, f"{commit}^", path)
        touched = [
            n for hunk in hunks for n in range(max(1, hunk.first), max(1, hunk.first) + max(1, hunk.removed))
        ]
        lines = [carried_back(n, earlier) for n in touched]
        total += len(lines)
        if not lines or None in lines or total > MOST_LINES:
            return None
        spans[path] = spans_of([n for n in lines if n is not None])
        functions[path] = list(dict.fromkeys(hunk.heading for hunk in hunks if hunk.heading))
    return {
        "id": f"{repository.name}:{commit[:12]}", "repo": repository.name, "base_commit": base, "fix_commit": commit, "text": text,
        "gold_files": list(files), "gold_line_spans": spans, "gold_functions": functions,
    }  # fmt: skip


def mined(repository: Repository, most: int, reach: int) -> tuple[str, list[dict[str, Any]]]:
    """The commit of the tree, and up to `most` questions of later commits, newest first."""
    found: list[tuple[str, str, list[str]]] = []
    for commit in repository.commits(reach):
        if (asked := candidate(repository, commit)) is not None:
            found.append((commit, *asked))
        if len(found) == 2 * most:  # many are lost where the tree lacks their lines
            break
    if not found:
        return "", []
    base = repository.git("rev-parse", f"{found[-1][0]}^").strip()
    there = {*repository.git("ls-tree", "-r", "--name-only", base).splitlines()}
    questions: list[dict[str, Any]] = []
    for commit, text, files in reversed(found):  # the oldest are the nearest to the tree
        if there.issuperset(files) and (one := question(repository, base, commit, text, files)) is not None:
            questions.append(one)
        if len(questions) == most:
            break
    return base, questions


def mine(folders: Sequence[Path], out: Path, *, most: int, reach: int) -> Iterator[str]:
    """Write the set; a line to print for each repository."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "queries.jsonl").open("a", encoding="utf-8") as queries:
        for folder in folders:
            repository = Repository(folder)
            base, questions = mined(repository, most, reach)
            if questions:
                tree = out / "trees" / repository.name.replace("/", "__") / base
                if not tree.exists():
                    repository.write_tree(base, tree)
                queries.writelines(json.dumps(one) + "\n" for one in questions)
                queries.flush()
            yield f"{repository.name}: {len(questions)} commits, tree {base[:12]}"


class Answer(NamedTuple):
    """The files and lines of one answer against the gold of one commit."""

    repo: str
    arm: str
    measures: dict[str, float]


def asked(dp: Daypack, query: dict[str, Any], arm: str, budgets: Sequence[int]) -> Answer:
    """Ask one question: files by search, lines by packs."""
    gold = {
        path: {n for first, last in spans for n in range(first, last + 1)}
        for path, spans in query["gold_line_spans"].items()
    }
    mode = VectorMode(arm)
    files = [one.uri for one in dp.search(query["text"], limit=20, vectors=mode).files]
    measures = {f"Acc@{k}": float(gold.keys() <= {*files[:k]}) for k in (1, 5, 10)}
    for budget in budgets:
        shown: dict[str, set[int]] = {}
        for excerpt in dp.pack(query["text"], budget=budget, vectors=mode).excerpts:
            span = excerpt.citation.span
            shown.setdefault(excerpt.citation.uri, set()).update(range(span.start_line, span.end_line + 1))
        hit = sum(len(lines & shown.get(path, set())) for path, lines in gold.items())
        measures[f"Lines@{budget}"] = hit / sum(map(len, gold.values()))
        measures[f"Touched@{budget}"] = float(gold.keys() <= shown.keys())
    return Answer(query["repo"], arm, measures)


def run(folder: Path, stores: Path, arms: Sequence[str], budgets: Sequence[int]) -> Iterator[Answer]:
    """Ask every question of the set; stores are made where they are missing, and kept."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as rows:
        queries = [json.loads(row) for row in rows]
    for (repo, base), group in groupby(queries, key=lambda query: (query["repo"], query["base_commit"])):
        name = repo.replace("/", "__")
        tree, store = folder / "trees" / name / base, stores / name / base
        fresh = not store.exists()
        store.parent.mkdir(parents=True, exist_ok=True)
        with Daypack.open(store, root=tree, settings=Settings(refresh=False)) as dp:
            if fresh:
                dp.files.add(tree)
            for query in group:
                for arm in arms:
                    yield asked(dp, query, arm, budgets)


def report(answers: Sequence[Answer]) -> str:
    """Means of each arm by repository and over all questions, a line each."""
    lines = []
    for arm in dict.fromkeys(answer.arm for answer in answers):
        own = [answer for answer in answers if answer.arm == arm]
        for repo in (*dict.fromkeys(answer.repo for answer in own), "all"):
            rows = [answer.measures for answer in own if repo in ("all", answer.repo)]
            means = "  ".join(f"{key} {sum(row[key] for row in rows) / len(rows):.3f}" for key in rows[0])
            lines.append(f"{arm:5} {repo:28} {len(rows):5}  {means}")
    return "\n".join(lines)


def main() -> None:
    """Mine a set of commits, or ask one."""
    parser = command_line("evals.quality.code.commits", __doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    miner = verbs.add_parser("mine", help="write a set from the histories of repositories")
    miner.add_argument("repositories", nargs="+", type=Path)
    miner.add_argument("--out", required=True, type=Path)
    miner.add_argument("--most", type=int, default=60, help="questions of a repository (default: 60)")
    miner.add_argument("--reach", type=int, default=2_500, help="commits that are looked at (default: 2500)")
    runner = verbs.add_parser("run", help="ask a set")
    runner.add_argument("--from", dest="folder", required=True, type=Path)
    runner.add_argument("--stores", required=True, type=Path)
    runner.add_argument("--arms", type=words, default="none,auto")
    runner.add_argument("--budgets", type=numbers, default="500,1000,2000,4000,8192")
    options = parser.parse_args()
    if options.verb == "mine":
        for line in mine(options.repositories, options.out, most=options.most, reach=options.reach):
            print(line, flush=True)
    else:
        print(report([*run(options.folder, options.stores, options.arms, options.budgets)]))


if __name__ == "__main__":
    main()
