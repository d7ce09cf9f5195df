"""The command lines of evaluations: one parser, and the types and places that their options share."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODES = ("auto", "all", "none")
"""The vectors of a query, as --vectors takes them."""


def command_line(module: str, text: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m MODULE`, whose help shows the text at the top of the module as it is written."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}", description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def words(text: str) -> list[str]:
    """Words with commas between them."""
    return [word for word in text.split(",") if word]


def numbers(text: str) -> list[int]:
    """Numbers with commas between them."""
    try:
        return [int(word) for word in words(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers; write 250,500,1000") from None


@contextmanager
def kept_in(folder: Path | None) -> Iterator[Path]:
    """The folder, which is made where it is missing; without one a folder that goes at the end."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
