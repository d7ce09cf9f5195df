"""The site of docs/: it builds without a warning, asks no other machine, and writes no command that there is not."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from daypack.surfaces.cli.main import cli
from daypack.verbs import verbs

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
INLINE = re.compile(r"(?<!`)`(daypack [^`\n]+)`(?!`)")
LINE = re.compile(r"^(?:    |\$ )?(daypack(?: .*)?)$", re.MULTILINE)
FENCED = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
RUN = {"python", "console", "text", "json", "toml"}  # commands and programs are run; the others show what came of it, or a file


def written(page: Path) -> Iterator[str]:
    """Every command of a page, wherever it stands."""
    text = page.read_text(encoding="utf-8")
    prose = FENCED.sub("", text)
    yield from INLINE.findall(prose)
    yield from LINE.findall(prose)
    for _, kind, block in FENCED.findall(text):
        if kind in ("console", "sh"):
            yield from LINE.findall(block)


def unknown(text: str) -> str:
    """What there is not in a command; "" when all of it is there. Options before `--` count, and nothing behind a pipe."""
    words = shlex.split(re.split(r" (?:[|<>#]|&&) ?", f"{text} ")[0].replace("…", "X"), comments=True)[1:]
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        word = words.pop(0)
        if word.startswith("["):  # the form of a command, not one
            return ""
        if word.startswith("-"):
            if word.split("=")[0] not in {name for one in command.params for name in one.opts} | {"--help", "--version", "-h"}:
                return word
            if word == "--store":
                words = words[1:]
        elif word.isupper() or word == "X":
            return ""
        elif (found := command.get_command(click.Context(command), word)) is None:
            return word
        else:
            command = found
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
    for word in words:
        if word == "--":
            return ""
        if re.match(r"--?[a-zA-Z]", word) and word.split("=")[0] not in known:
            return word
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_that_is_written_is_one_that_there_is(page: Path) -> None:
    assert {text: wrong for text in written(page) if (wrong := unknown(text))} == {}


def test_a_command_that_there_is_not_is_noticed() -> None:
    assert unknown("daypack pakc 'a question'") == "pakc"
    assert unknown("daypack pack 'a question' --buget 5") == "--buget"
    assert unknown("daypack docs find teas '{}' --limit 3 | head") == ""
    assert unknown("daypack run --label tests -- make --anything") == ""


def test_every_page_with_something_to_run_is_run() -> None:
    """scripts/docs.py runs the pages that it names; the frameworks' page is run beside the frameworks, the transcript writes itself."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import docs
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    found = {page.relative_to(ROOT).as_posix(): {kind for _, kind, _ in FENCED.findall(page.read_text(encoding="utf-8"))} for page in PAGES}
    own = {"docs/frameworks.md", "docs/transcript.md"}
    assert {name for name, kinds in found.items() if kinds & {"python", "console"}} - own <= set(docs.PAGES)
    assert {name: kinds - RUN - {"sh", ""} for name, kinds in found.items() if kinds - RUN - {"sh", ""}} == {}


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_asks_no_other_machine(tmp_path: Path) -> None:
    """Links, anchors and the table of contents are checked by the build: with --strict a warning fails it."""
    pytest.importorskip("material", reason="MkDocs is not installed; `make docs` does it")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": os.pathsep.join((str(ROOT / "tests" / "offline"), str(ROOT / "src")))}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = [*(tmp_path / "site").rglob("*.html")]
    assert len(pages) > 40
    reference = (tmp_path / "site" / "verbs.html").read_text(encoding="utf-8")
    assert [name for name in verbs() if f'<h3 id="{name}">' not in reference] == []
    assert "what was forgotten is in no byte of the store" in (tmp_path / "site" / "promises.html").read_text(encoding="utf-8")
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(
            r"""(?:\ssrc|srcset)=["']?(?:https?:)?//|<link[^>]+href=["'](?:https?:)?//|@import|url\((?:https?:)?//""", text
        ), page.name
