"""The first screen, the help of groups, and `daypack help`."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from daypack.surfaces.cli.helping import BEHIND, EVERYDAY, SET_UP
from daypack.surfaces.cli.main import MEMBERS, cli
from support import daypack, project

GROUPS = sorted(name for name, member in MEMBERS.items() if isinstance(member, click.Group))


def test_the_first_screen_fits_a_small_terminal(tmp_path: Path) -> None:
    screen = daypack("--help", cwd=tmp_path).stdout
    assert len(screen.splitlines()) <= 24
    assert max(map(len, screen.splitlines())) <= 80
    assert "..." not in screen, "a sentence is cut"
    listed = re.findall(r"^  ([a-z]+) ", screen, re.MULTILINE)
    assert listed == [*EVERYDAY, *SET_UP]
    assert len(listed) <= 16
    assert f"Groups: {' '.join(BEHIND)}." in screen


@pytest.mark.parametrize(("name", "about"), [*EVERYDAY.items(), *SET_UP.items()])
def test_the_first_screen_says_of_a_command_what_its_own_help_begins_with(name: str, about: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.get_short_help_str(limit=68) == about


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",), ("help",)])
def test_daypack_alone_prints_the_first_screen(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = daypack(*arguments, cwd=tmp_path)
    assert done.stdout.startswith("Pack what a task needs")
    assert done.stderr == ""


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_alone_says_what_it_is_for_with_an_example_that_is_one_of_its_commands(
    tmp_path: Path, group: str
) -> None:
    done = daypack(group, cwd=tmp_path)
    assert done.stderr == ""
    about, example, usage = done.stdout.split("\n\n")[:3]
    assert re.fullmatch(r"[A-Z][^.]*\.", about)
    assert usage.startswith(f"Usage: daypack {group} ")
    found = MEMBERS[group]
    assert isinstance(found, click.Group)
    words = example.split()
    assert words[:2] == ["daypack", group]
    assert words[2] in found.list_commands(click.Context(found))


def test_help_all_lists_what_the_first_screen_leaves_out(tmp_path: Path) -> None:
    listed = daypack("help", "all", cwd=tmp_path).stdout
    for words in ("uninstall", "reindex", "trust", "completion", "memory redact", "eval gate"):
        assert re.search(rf"^{words}  ", listed, re.MULTILINE), words
    assert "context-pack" not in listed


def test_help_of_a_command_shows_every_spelling_that_it_accepts(tmp_path: Path) -> None:
    assert "--prefer-code" not in daypack("code", "pack", "--help", cwd=tmp_path).stdout
    assert "--prefer-code" in daypack("help", "code", "pack", cwd=tmp_path).stdout
    assert daypack("help", "code", cwd=tmp_path).stdout == daypack("code", cwd=tmp_path).stdout
    assert "`daypack help all`" in daypack("help", "cod", cwd=tmp_path, status=2).stderr


def test_help_all_shows_whole_sentences_and_wraps_them_below_themselves(tmp_path: Path) -> None:
    wide = daypack("help", "all", cwd=tmp_path, env={"COLUMNS": "200"}).stdout
    assert "..." not in wide
    assert len(wide.splitlines()) < len(daypack("help", "all", cwd=tmp_path).stdout.splitlines())
    for words in (("help", "all"), ("--help",)):
        narrow = daypack(*words, cwd=tmp_path, env={"COLUMNS": "60"}).stdout
        assert max(map(len, narrow.splitlines())) <= 60
        assert " ".join(narrow.split()) == " ".join(daypack(*words, cwd=tmp_path).stdout.split())


@pytest.mark.parametrize(
    ("words", "meant"),
    [("pakc", "'pack'"), ("version", "`daypack --version`"), ("team usr", "'user'"), ("docs add", "`daypack docs insert")],
)  # fmt: skip
def test_help_of_a_mistyped_command_names_the_one_that_was_meant(
    tmp_path: Path, words: str, meant: str
) -> None:
    for asked in (("help", *words.split()), words.split()):
        assert f"id you mean {meant}" in daypack(*asked, cwd=tmp_path, status=2).stderr


@pytest.mark.parametrize(
    ("words", "command"),
    [("pack -b", "pack"), ("code pack q --budget", "code pack"), ("--store", ""), ("docs --store", "docs")],
)
def test_an_option_without_its_value_leads_to_the_help_of_its_command(
    tmp_path: Path, words: str, command: str
) -> None:
    said = daypack(*words.split(), cwd=tmp_path, status=2).stderr
    assert said.endswith(f"see `{' '.join(['daypack', *command.split()])} --help`\n")


def test_everyday_memory_commands_have_one_definition_and_two_names(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert daypack("remember", "cadence", "Weekly", cwd=tmp_path).stderr == ""
    done = daypack("memory", "recall", "cadence", cwd=tmp_path)
    assert done.stdout == "Weekly\n"
    assert done.stderr == "daypack: `daypack memory recall` is now `daypack recall`\n"
    assert daypack("memory", "recall", "cadence", "--quiet", cwd=tmp_path).stderr == ""
    assert daypack("--quiet", "memory", "recall", "cadence", cwd=tmp_path).stderr == ""
    assert "recall" not in [*cli.get_command(click.Context(cli), "memory").list_commands(click.Context(cli))]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "spelling", "said"),
    [
        ("pack", "--refresh", "The default."),
        ("search", "--refresh", "The default."),
        ("code trace", "--refresh", "The default."),
        ("serve", "--open", "The opposite of --no-open."),
        ("install", "--project", "The default."),
        ("pack", "--lexical", "The same as --vectors none."),
    ],
)
def test_help_of_another_spelling_says_what_it_does(
    tmp_path: Path, words: str, spelling: str, said: str
) -> None:
    shown = " ".join(daypack("help", *words.split(), cwd=tmp_path).stdout.split())
    assert f"{spelling} {said}" in shown


def test_help_of_a_group_shows_whole_sentences(tmp_path: Path) -> None:
    """A line was cut after "with the token that..."."""
    for group in ("memory", "code", "docs", "source", "audit"):
        assert "..." not in daypack(group, cwd=tmp_path).stdout.partition("Commands:")[2], group
    said = " ".join(daypack("memory", cwd=tmp_path).stdout.split())
    assert "newest first, with the token that `restore` takes." in said


def test_help_of_the_audit_says_that_it_logs_scoped_records_alone(tmp_path: Path) -> None:
    said = " ".join(daypack("audit", "list", "--help", cwd=tmp_path).stdout.split())
    assert "The calls of `daypack source` are logged, none on files, memories or documents." in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pack", "x", "--shape", "xml"), "No such option '--shape'; did you mean --scope or --page? See `daypack pack --help`"),
        (("pack", "x", "--nonsense"), "No such option '--nonsense'; see `daypack pack --help`"),
        (("store", "copy", "a", "b"), "Did you mean `daypack store migrate SRC DST`?"),
        (("eval", "list"), "Did you mean `daypack eval runs`?"),
        (("ls",), "Did you mean `daypack status`?"),
    ],
)  # fmt: skip
def test_a_word_that_is_unknown_leads_to_the_right_one_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    assert said in daypack(*words, cwd=tmp_path, status=2).stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--store", "notes.md", "status"), 3, "it is a file; name the folder of a store with --store"),
        (("check", "--sample", "500%"), 2, "'500%' is not a share; write 5% or 0.05"),
        (("export", "nowhere/x"), 2, "cannot be written (No such file or directory); check the path"),
        (("pack", "kettle", "--after", "zzz"), 1, "ask without --after, which begins a new conversation"),
    ],
)
def test_a_refusal_names_a_step_that_can_be_taken(
    tmp_path: Path, words: tuple[str, ...], status: int, said: str
) -> None:
    root = project(tmp_path / "shop", {"notes.md": "# Kettle\n\nThe kettle is copper.\n"})
    daypack("add", ".", cwd=root)
    assert said in daypack(*words, cwd=root, status=status).stderr
