"""The commands that the documentation writes, in prose and in blocks, and their kinds."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from daypack.surfaces.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
PROGRAMS = "daypack|pip|git|make|python|python3.11|curl|llm|cd"
FENCED = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(rf"(?<!`)`((?:{PROGRAMS}) [^`\n]+)`(?!`)")
_LINE = re.compile(rf"^(?:    |\$ )?((?:{PROGRAMS})(?: (?:.*\\\n)*.*)?)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"…|<|\b[A-Z]{4,}\b")


def written(page: Path) -> Iterator[str]:
    """Every command of a page, without the comment behind it, in order of their kinds."""
    text = page.read_text(encoding="utf-8")
    prose = FENCED.sub("", text)
    found = [*_INLINE.findall(prose), *_LINE.findall(prose)]
    for _, kind, block in FENCED.findall(text):
        if kind in ("console", "sh"):
            found += _LINE.findall(block)
    for command in found:
        yield re.sub(r"\s+#.*$", "", command).strip()


def words_of(command: str) -> list[str]:
    """The words behind `daypack`, up to a pipe or a redirection."""
    return shlex.split(re.split(r" (?:[|<>]|&&) ?", f"{command} ")[0])[1:]


def unknown(command: str) -> str:
    """The first unknown word or option of a command; "" when the program knows all of them.

    Options before `--` count, and nothing behind a pipe.
    """
    found, words = _found([word.replace("…", "X") for word in words_of(command)])
    if isinstance(found, str):
        return found
    known = {name for one in found.params for name in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
    for word in words:
        if word == "--":
            return ""
        if re.match(r"--?[a-zA-Z]", word) and word.split("=")[0] not in known:
            return word
    return ""


def is_complete(command: str) -> bool:
    """True for a command that can run unchanged: nothing is left out, and no word is a placeholder."""
    words = words_of(command)
    if _PLACEHOLDER.search(command) or any(re.fullmatch("[A-Z]+", word) for word in words):
        return False
    found, rest = _found(words)
    if isinstance(found, (str, click.Group)):
        return False
    with contextlib.suppress(click.UsageError), found.make_context(found.name, rest):
        return True
    return False


def _found(words: list[str]) -> tuple[click.Command | str, list[str]]:
    """The command that words lead to, with the remaining words.

    Instead of the command: "" for a form with placeholders, or the word that leads nowhere.
    """
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        word, *words = words
        if word.startswith("["):
            return "", []
        if word.startswith("-"):
            if word.split("=")[0] not in {name for one in command.params for name in one.opts} | {
                "--help",
                "--version",
                "-h",
            }:
                return word, []
            if word == "--store":
                words = words[1:]
        elif word.isupper() or word == "X":
            return "", []
        elif (found := command.get_command(click.Context(command), word)) is None:
            return word, []
        else:
            command = found
    return command, words
