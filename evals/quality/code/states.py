"""Packs of code while git changes what they are of: `python -m evals states REPOSITORY`.

A clone of the repository is disturbed at random by what people and tools do: edits, also to the same length,
renames, deletions, commits, switches, stashes, rebases, resets. After each a pack is made; every third is of
what is stored, without a look at the disk. An item is wrong when it is not what its file holds in those lines
and does not say that the file changed.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from daypack import Daypack, Settings
from daypack.doors.code.types import CodePack
from daypack.doors.reading.formats import record_from_bytes
from daypack.guard.secrets import redact
from daypack.types import Record

AUTHOR = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}
WAYS = (
    "edit",
    "edit",
    "new",
    "delete",
    "rename",
    "commit",
    "branch",
    "switch",
    "switch",
    "stash",
    "unstash",
    "reset",
    "rebase",
    "clean",
    "same",
)
OLD_COMMITS = 40  # that are switched to
NAMES = 200  # of symbols that are asked for


def git(folder: Path, *arguments: str, status: int | None = 0) -> str:
    """Output of git. Fails where git ends with another status than `status`; None allows any."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **AUTHOR},
    )
    if status is not None and done.returncode != status:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr}")
    return done.stdout.strip()


def disturb(folder: Path, rng: random.Random, commits: Sequence[str] = ()) -> str:
    """Do something to a work tree that people and tools do; what it was."""
    files = [
        path
        for name in sorted({*git(folder, "ls-files", "-z", "--", "*.py", "*.go", "*.ts", "*.rs").split("\0")})
        if (path := folder / name).is_file()
    ]
    what = rng.choice(WAYS)
    match what:
        case "edit" if files:
            path, number = rng.choice(files), rng.randrange(1_000)
            path.write_text(
                _read(path) + f"\n\ndef added_{number}():\n    return {number}\n", encoding="utf-8"
            )
        case "same" if files:
            path = rng.choice(files)
            path.write_text(_read(path).replace("return", "retorn", 3), encoding="utf-8")
        case "new":
            (folder / f"more_{rng.randrange(100)}.py").write_text(
                f"def brought_{rng.randrange(100)}():\n    return 1\n", encoding="utf-8"
            )
        case "delete" if len(files) > 3:
            rng.choice(files).unlink()
        case "rename" if files:
            path = rng.choice(files)
            path.rename(path.with_name(f"moved_{rng.randrange(100)}{path.suffix}"))
        case "commit":
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", "more", "--allow-empty")
        case "branch":
            git(folder, "switch", "-qc", f"b{rng.randrange(10_000)}", status=None)
        case "switch":
            branches = git(folder, "branch", "--format=%(refname:short)").split("\n")
            git(folder, "switch", "-q", "--detach", rng.choice([*branches, *commits]), status=None)
        case "stash":
            git(folder, "stash", "-qu", status=None)
        case "unstash":
            git(folder, "stash", "pop", "-q", status=None)
        case "reset":
            git(folder, "reset", "-q", "--hard")
        case "rebase":
            branches = git(folder, "branch", "--format=%(refname:short)").split("\n")
            git(folder, "rebase", "-q", rng.choice(branches), status=None)
            git(folder, "rebase", "--abort", status=None)
        case "clean":
            git(folder, "clean", "-qfd", "-e", ".daypack")
    return what


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def untrue(root: Path, pack: CodePack) -> list[str]:
    """Ids of items that are not what their files hold, as a file is read: decoded, pages as Markdown, without
    secrets. Those that say that the file changed are not asked.
    """
    found = []
    for item in pack.items:
        path = root / item.file
        record = record_from_bytes(path.read_bytes(), uid=item.file) if path.is_file() else None
        there = redact(record.text).text.split("\n") if isinstance(record, Record) else []
        if not item.changed and "\n".join(there[item.start_line - 1 : item.end_line]).rstrip() != item.body:
            found.append(item.id)
    return found


@dataclass(frozen=True)
class Outcome:
    """Packs of one repository: what they cited, how often that was marked as changed, and what was wrong."""

    states: int
    ways: Counter[str]
    items: int
    marked: int
    wrong: tuple[str, ...]


def through_states(repository: Path, states: int, *, seed: int = 3) -> Outcome:
    """Disturb a clone of a repository `states` times, and ask for a pack after each."""
    rng = random.Random(seed)
    ways: Counter[str] = Counter()
    items = marked = 0
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "clone"
        git(Path(place), "clone", "-q", "--no-hardlinks", str(repository), str(folder))
        (folder / ".git" / "info" / "exclude").write_text(".daypack\n", encoding="utf-8")
        commits = git(folder, "log", "--format=%h", f"-{OLD_COMMITS}").split()
        with Daypack.open(folder / ".daypack", root=folder, settings=Settings(embedder="hashing")) as dp:
            dp.files.add(folder)
            rows = dp.code.symbols(limit=1_000, refresh=False)
            queries = [row.name for row in rng.sample(rows, min(NAMES, len(rows)))]
            for number in range(states):
                ways[disturb(folder, rng, commits)] += 1
                pack = dp.code.pack(
                    rng.choice(queries), anchor_policy="off", profile="fast", refresh=number % 3 != 2
                )
                items += len(pack.items)
                marked += sum(item.changed for item in pack.items)
                wrong += [f"state {number}: {name}" for name in untrue(folder, pack)]
    return Outcome(states, ways, items, marked, tuple(wrong))


def report(found: Outcome) -> str:
    ways = ", ".join(f"{way} {count}" for way, count in found.ways.most_common())
    head = f"{found.states} states ({ways})\n{found.items} items cited, {found.marked} of them marked as changed, {len(found.wrong)} wrong"
    return "\n".join([head, *found.wrong])
