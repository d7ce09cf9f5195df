"""Settings from files and variables: which one holds, what waits for trust, and what a wrong one says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from daypack.errors import BadConfiguration
from daypack.settings.configuration import SETTINGS, load_configuration
from daypack.types import OWNER
from support import daypack, environment


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".daypack").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[project]\nname = "refunds"\n')
    (root / "refunds.md").write_text(
        "# Refunds\n\nA refund is retried three times.\n" + "Other words follow it. " * 400
    )
    return root


def asked(root: Path, *arguments: str, status: int | None = 0, **variables: str) -> Any:
    home = root.parent / "home"
    home.mkdir(exist_ok=True)
    return daypack(*arguments, cwd=root, status=status, env=environment(HOME=str(home), **variables))


def shown(root: Path, **variables: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(asked(root, "config", "show", "--json", **variables).stdout)
    return found


def test_the_nearest_say_wins_an_option_before_a_variable_before_the_project_before_the_user(
    project: Path,
) -> None:
    user = project.parent / "home" / ".config" / "daypack" / "config.toml"
    user.parent.mkdir(parents=True)
    levels = []
    for change in (
        lambda: None,
        lambda: user.write_text("budget = 101\n"),
        lambda: (project / "pyproject.toml").write_text("[tool.daypack]\nbudget = 102\n"),
        lambda: (project / ".daypack" / "config.toml").write_text("budget = 103\n"),
    ):
        change()
        levels.append((shown(project)["budget"]["value"], shown(project)["budget"]["level"]))
    assert levels == [(4000, "default"), (101, "user"), (102, "project"), (103, "project")]
    assert shown(project, DAYPACK_BUDGET="104")["budget"] == {
        "value": 104,
        "level": "variable",
        "origin": "DAYPACK_BUDGET",
        "waits_for_trust": False,
    }

    def limit(*options: str, **variables: str) -> int:
        return int(
            json.loads(asked(project, "pack", "refund", "--json", *options, status=None, **variables).stdout)[
                "budget"
            ]["limit"]
        )

    assert (limit(), limit(DAYPACK_BUDGET="104"), limit("--budget", "105", DAYPACK_BUDGET="104")) == (
        103,
        104,
        105,
    )


def test_a_clone_chooses_no_model_address_owner_or_fetching_before_it_is_trusted(project: Path) -> None:
    hostile = 'embedder = "endpoint:http://192.0.2.1"\nembedder_model = "m"\nweb = true\nowner = "ada"\nproject = "other"\n'
    file = project / ".daypack" / "config.toml"
    file.write_text(hostile + "budget = 90\n")
    before = shown(project, DAYPACK_EMBEDDER="")
    names = ("embedder", "embedder_model", "web", "owner", "project")
    assert all(before[name]["level"] == "default" and before[name]["waits_for_trust"] for name in names)
    assert before["budget"]["value"] == 90, "how long a pack is harms nobody"
    done = asked(project, "remember", "a", "one")
    assert "has no effect before `daypack trust`" in done.stderr
    assert "--web" in asked(project, "add", "https://example.com/", status=2).stderr

    agreed = asked(project, "trust").stdout
    assert "endpoint:http://192.0.2.1" in agreed, "what is agreed to is shown"
    after = shown(project, DAYPACK_EMBEDDER="")
    assert [after[name]["value"] for name in names] == [
        "endpoint:http://192.0.2.1",
        "m",
        True,
        "ada",
        "other",
    ]
    asked(project, "recall", "a", status=1, DAYPACK_EMBEDDER="hashing")

    file.write_text(hostile.replace("192.0.2.1", "192.0.2.2"))
    assert shown(project, DAYPACK_EMBEDDER="")["embedder"]["level"] == "default", (
        "what says something else waits again"
    )
    file.write_text(hostile + "budget = 90\n")
    assert shown(project, DAYPACK_EMBEDDER="")["web"]["value"] is True
    asked(project, "trust", "--undo")
    assert shown(project, DAYPACK_EMBEDDER="")["web"]["value"] is False


def test_trust_is_of_one_folder_and_does_not_go_with_a_copy(project: Path) -> None:
    (project / ".daypack" / "config.toml").write_text("web = true\n")
    asked(project, "trust")
    copy = project.parent / "copy"
    (copy / ".daypack").mkdir(parents=True)
    (copy / ".git").mkdir()
    (copy / ".daypack" / "config.toml").write_text("web = true\n")
    assert (shown(project)["web"]["value"], shown(copy)["web"]["value"]) == (True, False)


def test_a_key_is_never_shown_and_never_read_from_a_file(project: Path) -> None:
    said = asked(project, "config", "show", DAYPACK_EMBEDDER_KEY="hunter2-hunter2")
    assert "hunter2" not in said.stdout + said.stderr
    assert "DAYPACK_EMBEDDER_KEY" in said.stdout
    (project / ".daypack" / "config.toml").write_text('embedder_key = "k"\n')
    assert "set DAYPACK_EMBEDDER_KEY" in asked(project, "config", "show", status=2).stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budgte = 3", "did you mean budget?"),
        ('budget = "many"', "must be a whole number"),
        ("budget = -3", "budget must be a whole number from 0 on, not -3"),
        ("budget = true", "must be a whole number"),
        ('packing = "atuo"', "did you mean auto?"),
        ("budget = ", "is not TOML"),
        ('store = "/elsewhere"', "store must be a server"),
        ('store = "postgresql://ada:secret@db/team"', "store holds a password"),
        ('embedder_key = "k"', "not read from files"),
        ("#" * 1_100_000, "settings need a few lines"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong_in_it(project: Path, text: str, said: str) -> None:
    file = project / ".daypack" / "config.toml"
    file.write_text(text)
    for arguments in (("pack", "refund"), ("config", "show")):
        stderr = asked(project, *arguments, status=2).stderr
        assert said in stderr
        assert str(file) in stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DAYPACK_BUDGET", "many"),
        ("DAYPACK_BUDGET", "²"),
        ("DAYPACK_WEB", "perhaps"),
        ("DAYPACK_PACKING", "x"),
    ],
)
def test_a_wrong_variable_is_named(project: Path, name: str, value: str) -> None:
    assert name in asked(project, "config", "show", status=2, **{name: value}).stderr


def test_a_number_out_of_range_is_told_its_range(project: Path) -> None:
    """-3 was refused as no whole number, and so was a number of twenty digits."""
    said = asked(project, "config", "show", status=2, DAYPACK_PROCESSES="-3").stderr
    assert "DAYPACK_PROCESSES: must be a whole number from 0 on, not '-3'" in said
    said = asked(project, "pack", "refund", status=2, DAYPACK_BUDGET="9" * 20).stderr
    assert "is not a whole number from 0 to" in said


def test_settings_come_from_the_variables_that_are_passed_in(tmp_path: Path) -> None:
    variables = {
        "DAYPACK_EMBEDDER": "endpoint:http://127.0.0.1:1",
        "DAYPACK_EMBEDDER_MODEL": "m",
        "DAYPACK_EMBEDDER_KEY": "k",
    }
    given = load_configuration(tmp_path, variables, tmp_path).settings()
    assert (given.embedder, given.embedder_model, given.embedder_key) == (
        "endpoint:http://127.0.0.1:1",
        "m",
        "k",
    )
    assert load_configuration(tmp_path, {}, tmp_path).settings(embedder="hashing").embedder == "hashing"


def test_other_peoples_pyproject_is_not_ours_to_complain_about(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is = = not toml")
    assert load_configuration(tmp_path, {}, tmp_path)["budget"] == 4000
    (tmp_path / "pyproject.toml").write_text("# tool.daypack\nthis is = = not toml")
    with pytest.raises(BadConfiguration, match="is not TOML"):
        load_configuration(tmp_path, {}, tmp_path)


def test_nothing_is_said_or_written_where_nothing_is_set(project: Path) -> None:
    assert "need trust" in asked(project, "trust").stdout
    assert not (project.parent / "home" / ".local").exists()


def test_defaults_are_those_of_the_types_and_of_the_commands(project: Path) -> None:
    defaults = {setting.name: setting.default for setting in SETTINGS}
    assert defaults["owner"] == OWNER
    from daypack.surfaces.cli.main import cli
    from daypack.surfaces.cli.options import SettingOption

    def command_named(name: str) -> click.Command:
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        return found

    options = [
        option
        for name in cli.list_commands(click.Context(cli))
        for option in command_named(name).params
        if isinstance(option, SettingOption)
    ]
    assert {option.name for option in options} >= {"budget", "tokenizer", "packing", "vectors", "web"}
    assert all(option.default == defaults[str(option.name)] for option in options)
