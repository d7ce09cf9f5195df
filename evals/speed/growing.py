"""Text for stores of a chosen number of chunks: real prose and code of this machine, in no exact copies.

Prose are records of some 600 characters, from documentation and from the strings that document code; code are whole pieces of
sources, of some 6,000 characters. Where the text of the machine is used up it comes again, with one in ten of its longer words
changed (`corpus.changed`), so the vocabulary grows with the store, and no two chunks are equal.
"""

from __future__ import annotations

import hashlib
import sysconfig
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path

from daypack.types import Record, RecordKind
from evals.speed.corpus import LARGEST, SMALLEST, changed

PROSE, CODE = 600, 6_000  # characters of a record
_ENDINGS = frozenset({".md", ".rst", ".txt"})


def _files() -> list[Path]:
    paths = sysconfig.get_paths()
    roots = {Path(paths["stdlib"]).resolve(), Path(paths["purelib"]).resolve(), Path("/usr/share/doc")}
    found = {
        path
        for root in roots
        if root.is_dir()
        for path in root.rglob("*")
        if path.suffix in _ENDINGS | {".py"}
        and not path.is_symlink()
        and path.is_file()
        and SMALLEST <= path.stat().st_size <= LARGEST
    }
    return sorted(found, key=lambda path: hashlib.blake2b(path.name.encode() + bytes(path)).digest())


def _read(files: list[Path]) -> Iterator[tuple[str, str]]:
    """(a name, text) of every file that is text, each text once."""
    seen: set[bytes] = set()
    for number, path in enumerate(files):
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        if digest not in seen:
            seen.add(digest)
            yield f"{path.parent.name}/{number:05}_{path.name}", text


def _cut(text: str, size: int, between: str) -> Iterator[str]:
    """Runs of whole paragraphs or lines, of about `size` characters; a longer one is cut at a space."""
    held = ""
    for part in text.split(between):
        while len(part) > 2 * size:
            at = part.rfind(" ", 0, size) + 1 or size
            yield part[:at]
            part = part[at:]
        if held and len(held) + len(part) > size:
            yield held
            held = ""
        held = f"{held}{between}{part}" if held else part
    if len(held) > size // 4:
        yield held


def _prose(files: list[Path]) -> Iterator[Record]:
    for copy in count():
        for name, whole in _read(files):
            texts = whole.split('"""')[1::2] if name.endswith(".py") else [whole]
            for number, part in enumerate(chain.from_iterable(_cut(text, PROSE, "\n") for text in texts)):
                uri = f"docs/part{copy:02}/{name.rpartition('.')[0]}/{number:04}.md"
                text = changed(part, copy) if copy else part
                yield Record(uid=uri, uri=uri, text=text, language="markdown")


def _code(files: list[Path]) -> Iterator[Record]:
    for copy in count():
        for name, whole in _read([path for path in files if path.suffix == ".py"]):
            for number, part in enumerate(_cut(whole, CODE, "\n\n\n")):
                uri = f"src/part{copy:02}/{name.removesuffix('.py')}_{number}.py"
                text = changed(part, copy) if copy else part
                yield Record(uid=uri, uri=uri, text=text, kind=RecordKind.CODE, language="python")


def records() -> Iterator[Record]:
    """Records without end: of every twelve, eleven prose and one code, which makes about as many chunks of each."""
    files = _files()
    prose, code = _prose(files), _code(files)
    while True:
        yield from islice(prose, 11)
        yield next(code)
