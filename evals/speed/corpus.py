"""Real text that is on this machine anyway: documentation as prose, Python's standard library as code.

Ten times the size is not ten copies: in each further copy one in ten words of five letters and more, chosen
by a hash of word and copy, gets a suffix, everywhere alike. So the vocabulary grows with the text, as it does
in real collections, and no two chunks of any length are equal.
"""

from __future__ import annotations

import hashlib
import keyword
import re
import shutil
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROSE_ENDINGS = frozenset({".md", ".rst", ".txt"})
SMALLEST, LARGEST = 1_000, 400_000  # bytes of a file: no lists of names, no data in the clothes of text
_WORD = re.compile(r"[A-Za-z]{5,}")
_KEPT = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
_SUFFIXES = "bdfgklmnprstvz"


@dataclass(frozen=True)
class Corpus:
    """A folder of text."""

    folder: Path
    files: int
    bytes: int
    origin: str

    @property
    def megabytes(self) -> float:
        return self.bytes / 1e6


def _roots() -> dict[str, list[Path]]:
    paths = sysconfig.get_paths()
    libraries = [Path(paths["stdlib"]), Path(paths["purelib"])]
    return {"prose": [*libraries, Path("/usr/share/doc")], "code": [Path(paths["stdlib"])]}


def _candidates(kind: str) -> Iterator[Path]:
    endings = PROSE_ENDINGS if kind == "prose" else frozenset({".py"})
    for root in _roots()[kind]:
        if not root.is_dir():
            continue
        for path in root.rglob("*"):
            if path.suffix.lower() not in endings or path.is_symlink() or not path.is_file():
                continue
            if kind == "code" and ("site-packages" in path.parts or "lib2to3" in path.parts):
                continue
            if SMALLEST <= path.stat().st_size <= LARGEST:
                yield path


def build(kind: str, folder: Path, megabytes: float, *, times: int = 1, files: int | None = None) -> Corpus:
    """About `megabytes` of `kind` in `folder`, and `times` - 1 changed copies of it.

    Files come in the order of a hash of their names.
    """
    chosen: list[tuple[Path, str]] = []
    size = 0
    seen: set[str] = set()
    for path in sorted(_candidates(kind), key=lambda path: hashlib.blake2b(str(path).encode()).digest()):
        if size >= megabytes * 1e6 or (files is not None and len(chosen) >= files):
            break
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        digest = hashlib.blake2b(text.encode()).hexdigest()
        if digest in seen or (kind == "prose" and _is_data(text)):
            continue
        seen.add(digest)
        chosen.append((path, text))
        size += len(text.encode())
    total = 0
    for copy in range(times):
        for number, (path, text) in enumerate(chosen):
            target = folder / f"part{copy:02}" / f"group{number % 23:02}" / f"{number:05}_{path.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            data = (changed(text, copy) if copy else text).encode()
            target.write_bytes(data)
            total += len(data)
    roots = ", ".join(
        _shown(root) for root in _roots()[kind] if any(path.is_relative_to(root) for path, _ in chosen)
    )
    what = "Markdown, reStructuredText and text files" if kind == "prose" else "Python sources"
    return Corpus(
        folder,
        len(chosen) * times,
        total,
        f"{total / 1e6:.1f} MB in {len(chosen) * times:,} files: {what} from {roots}",
    )


def copied(project: Path, folder: Path) -> Corpus:
    """A copy of a project, without its history and without a store."""
    shutil.copytree(project, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", ".daypack"))
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return Corpus(
        folder, len(sizes), sum(sizes), f"{sum(sizes) / 1e6:.1f} MB in {len(sizes):,} files: {project.name}"
    )


def _shown(root: Path) -> str:
    paths = sysconfig.get_paths()
    return {paths["stdlib"]: "the standard library's folder", paths["purelib"]: "site-packages"}.get(
        str(root), str(root)
    )


def _is_data(text: str) -> bool:
    """Tables of numbers and lists of names end in .txt too."""
    head = text[:20_000]
    letters = sum(letter.isalpha() or letter == " " for letter in head)
    return letters < 0.7 * len(head) or head.count(" ") < 0.08 * len(head)


def changed(text: str, copy: int) -> str:
    """The text with one in ten of its longer words changed, the same word always alike."""
    suffix = _SUFFIXES[copy % len(_SUFFIXES)] + "aeiou"[copy % 5]
    known: dict[str, str] = {}

    def change(match: re.Match[str]) -> str:
        word = match.group()
        if word not in known:
            hit = (
                int.from_bytes(
                    hashlib.blake2b(f"{copy}:{word.lower()}".encode(), digest_size=2).digest(), "big"
                )
                % 10
                == 0
            )
            known[word] = word + suffix if hit and word not in _KEPT else word
        return known[word]

    return _WORD.sub(change, text)
