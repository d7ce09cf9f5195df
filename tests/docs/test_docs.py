"""The documentation says what the program does. `make docs` renews what these tests find stale."""

from __future__ import annotations

import difflib
import html
import importlib
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")])
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp|opt|private|mnt)/")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
sys.path.insert(0, str(ROOT / "scripts"))
written = importlib.import_module("docs")  # scripts/docs.py, which writes the generated parts
sys.path.remove(str(ROOT / "scripts"))
FENCED = re.compile(r"^(`{3,}+)[^\n]*\n.*?^\1$", re.DOTALL | re.MULTILINE)


def assert_same(page: str, stored: str, current: str) -> None:
    if stored != current:
        pytest.fail(
            "".join(
                difflib.unified_diff(
                    stored.splitlines(True), current.splitlines(True), page, "what the program says"
                )
            )
            + "\nrun `make docs` and review the diff"
        )


def with_answers_of_the_model(page: str) -> bool:
    return "<!-- vectors " in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in written.pages() if not with_answers_of_the_model(page)])
def test_the_generated_parts_of_a_page_are_current(page: str) -> None:
    assert_same(
        page, written.masked((ROOT / page).read_text(encoding="utf-8")), written.masked(written.current(page))
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in written.pages() if with_answers_of_the_model(page)])
def test_a_page_with_answers_of_the_model_runs_and_prints_what_it_shows(page: str) -> None:
    """Its commands and Python blocks are run; on a processor whose vectors round differently, only the
    commands are compared.
    """
    stored, current = (ROOT / page).read_text(encoding="utf-8"), written.current(page)
    if f"<!-- vectors {written.fingerprint()} -->" in stored:
        assert_same(page, written.masked(stored), written.masked(current))
    else:
        commands = re.compile(r"^\$ .*$", re.MULTILINE)
        assert commands.findall(stored) == commands.findall(current)


@pytest.mark.slow
def test_the_recorded_terminal_is_a_real_run_of_today() -> None:
    drawn = (ROOT / written.recording.OUT).read_text(encoding="utf-8")
    assert len(drawn) < 20_000
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    for command in written.recording.COMMANDS:
        assert f">{html.escape(command)}<" in drawn
    if f"<!-- vectors {written.fingerprint()} -->" in drawn:
        assert_same(
            written.recording.OUT,
            written.recording.masked(drawn),
            written.recording.masked(written.recorded()),
        )


def test_a_recorded_terminal_shows_what_is_left_when_progress_is_gone() -> None:
    shown = written.recording.screen(
        "indexing 1\r\x1b[2Kindexing 2\r\n\x1b[1A\x1b[2K\x1b[1;32mdone\x1b[0m & well\r\n"
    )
    assert [[text for text, _ in line] for line in shown] == [["done", " & well"]]
    assert "&amp; well" in written.recording.drawing([("daypack status", shown)])


def test_the_reference_of_the_command_line_has_a_current_page_for_each_group() -> None:
    made = written.command_pages.pages()
    folder = ROOT / written.command_pages.FOLDER
    kept = {path.relative_to(ROOT).as_posix() for path in folder.glob("*.md")} - {
        f"{written.command_pages.FOLDER}/index.md"
    }
    assert kept == set(made)
    for page, text in made.items():
        assert_same(page, written.masked((ROOT / page).read_text(encoding="utf-8")), written.masked(text))


def test_every_command_and_every_option_has_help() -> None:
    for name, command in written.command_pages.commands().items():
        assert (command.help or "").strip(), f"{name} says nothing about itself"
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.help, f"{name} {parameter.opts[0]} has no help"


def test_the_help_of_a_command_does_not_depend_on_who_asked_first() -> None:
    command = click.Command("greet", help="Say hello.")
    # what a test does that parses one command alone: it knows `--help` only
    command.get_help(click.Context(command))
    assert "-h, --help" in written.command_pages.help_of("daypack greet", command)


def test_every_command_is_in_the_reference() -> None:
    found: list[str] = []
    for page in written.command_pages.pages():
        found += re.findall(r"^## (daypack.*)$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(found) == sorted(written.command_pages.commands())


@pytest.mark.parametrize(
    ("page", "option"),
    [("daypack", "--packs"), ("daypack", "--no-skill"), ("daypack", "--history"), ("daypack", "--known-at")],
)
def test_the_reference_lists_rarely_used_options(page: str, option: str) -> None:
    text = (ROOT / "docs" / "reference" / "cli" / f"{page}.md").read_text(encoding="utf-8")
    assert re.search(rf"^  {option}\b", text, re.MULTILINE)
    assert "shows more options" not in text


@pytest.mark.parametrize(("page", "most"), [("README.md", 9_000), ("ARCHITECTURE.md", 15_000)])
def test_the_first_pages_stay_short(page: str, most: int) -> None:
    assert len((ROOT / page).read_bytes()) <= most


def test_no_page_is_too_long_to_read_in_one_sitting() -> None:
    """Reference pages are looked things up in, and may be longer."""
    pages = {path.relative_to(ROOT).as_posix(): path.stat().st_size for path in (ROOT / "docs").rglob("*.md")}
    assert {
        page: size
        for page, size in pages.items()
        if size > 20_000 and not page.startswith(("docs/reference/", "docs/evaluation/results"))
    } == {}


def test_the_first_python_block_of_the_readme_is_short() -> None:
    """Eleven lines at most fit the first screen."""
    code = written._PYTHON.search(written._PART.sub("", (ROOT / "README.md").read_text(encoding="utf-8")))[
        "code"
    ]
    assert len(code.splitlines()) <= 11


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for match in LINK.finditer(text):
        target = match["target"].partition("#")[0]
        if target and "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_names_a_path_of_the_machine_it_was_written_on(page: Path) -> None:
    assert not MACHINE_PATH.search(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("example", ["sdk_quickstart.py", "sdk_records.py", "workflows.py"])
def test_the_examples_run(example: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_requirements_are_pinned_with_hashes_and_name_no_host() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert re.fullmatch(
                r"# .*|-r \w+\.txt|[\w.-]+==[\w.+!-]+( ;.*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line
            ), f"{path.name}: {line}"


def test_every_dependency_is_pinned() -> None:
    """requirements/ pins every dependency of pyproject.toml; `make pin` renews them."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {
        re.sub(r"[-_.]+", "-", match.lower())
        for path in (ROOT / "requirements").glob("*.txt")
        for match in re.findall(r"^([\w.-]+)==", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    extras = project["optional-dependencies"]
    for requirement in [*project["dependencies"], *extras["test"], *extras["lint"], *extras.get("bench", [])]:
        name = re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0].lower())  # type: ignore[index]
        assert name in pinned, f"{name} is not pinned: run `make pin`"


def test_the_makefile_explains_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE))
