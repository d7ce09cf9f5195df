"""One spelling for each idea, over all commands; and what is accepted beside it, hidden from help."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from daypack.surfaces.cli.build import RowCommand
from daypack.surfaces.cli.main import cli
from daypack.surfaces.cli.options import is_argument, names_of
from daypack.verbs.table import Parameter
from support import daypack, project

IDEAS = {
    "the most that an answer counts": ("--budget", {"budget", "budget_tokens", "token_budget"}),
    "the most results": ("--limit", {"limit", "top_k", "items", "count"}),
    "whose": ("--owner", {"owner", "user", "user_id"}),
    "of which session": ("--session", {"session", "session_id"}),
    "of which project": ("--project", {"project"}),
    "only these files": ("--path", {"path", "paths", "include", "source_glob"}),
    "who sees a record": ("--scope", {"scope", "scopes"}),
    "what tools may do": ("--access", {"access", "ceiling"}),
    "which vectors": ("--vectors", {"vectors", "lexical", "embed"}),
    "from then on": ("--since", {"since", "valid_from"}),
    "until then": ("--before", {"before", "until", "valid_to"}),
    "where to write": ("--out", {"out", "output", "output_dir"}),
    "what to call it": ("--name", {"name", "suite_name"}),
    "in which order": ("--sort", {"sort", "ordering"}),
    "how long": ("--expires", {"expires", "ttl", "ttl_seconds"}),
    "only of these kinds": ("--kind", {"kind", "kinds", "category", "categories"}),
    "only with these tags": ("--tag", {"tag", "tags", "filter_tags"}),
    "which page": ("--page", {"page", "cursor"}),
    "questions": ("--query", {"query", "queries", "questions"}),
    "why": ("--explain", {"explain", "explained", "trace"}),
    "the model": ("--embedder", {"embedder", "embedding_backend"}),
    "the store": ("--store", {"store", "data_root"}),
    "without a look at the disk": ("--no-refresh", {"refresh"}),
    "back to before": ("--undo", {"undo", "remove", "revoke"}),
    "all of them": ("--everything", {"everything"}),
    "as JSON": ("--json", {"as_json"}),
}
"""Idea → its spelling, and the parameters of functions that mean it."""

OTHER_NAMES = {("pack", "source"), ("search", "source")}
"""Commands and parameters that share a spelling and are called otherwise."""


def rows(group: click.Group = cli, words: str = "") -> Iterator[tuple[str, RowCommand]]:
    """Every command that help lists."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from rows(found, f"{words} {name}".lstrip())
        elif isinstance(found, RowCommand) and not found.hidden:
            yield f"{words} {name}".lstrip(), found


def shown(command: click.Command) -> set[str]:
    """The long options that the help of a command shows."""
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return {name for one in options for name in (*one.opts, *one.secondary_opts) if name.startswith("--")}


def options_of(command: RowCommand) -> Iterator[Parameter]:
    for one in command.parameters:
        if not is_argument(one) and not (one.flag and one.flag.instead):
            yield one


@pytest.mark.parametrize("idea", IDEAS)
def test_an_idea_has_one_spelling(idea: str) -> None:
    spelling, parameters = IDEAS[idea]
    for words, command in rows():
        for one in options_of(command):
            long = next(name for name in names_of(one) if name.startswith("--"))
            if one.python in parameters:
                assert long == spelling, f"daypack {words}: {one.python}"


def test_a_spelling_means_one_idea() -> None:
    ideas = dict(IDEAS.values())  # type: ignore[arg-type]
    for words, command in rows():
        for one in options_of(command):
            for name in names_of(one):
                if name in ideas and one.python not in ideas[name]:
                    assert (words, one.python) in OTHER_NAMES, f"daypack {words} {name} is {one.python}"


def test_help_shows_a_hundred_options_or_little_more() -> None:
    """The team server brought --team, --role, --writes and --bytes: people, their rights and their quotas are new ideas."""
    everything = {"--help"} | set().union(*(shown(command) for _, command in rows())) | shown(cli)
    assert len(everything) <= 110, sorted(everything)


def test_access_is_for_tools_and_scope_for_records() -> None:
    for words, command in rows():
        assert ("--access" in shown(command)) == (words in ("mcp", "serve", "install"))
        if words in ("mcp", "serve", "install", "uninstall"):
            assert "--scope" not in shown(command)


# ---------------------------------------------------------------- what is accepted beside


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = project(tmp_path / "shop", {"docs/retry.md": "# Retries\n\nA payment is retried three times.\n"})
    daypack("remember", "cadence", "Weekly", cwd=folder)
    daypack("source", "upsert", "lease", "--text", "The lease ends in May.", "--owner", "ana", cwd=folder)
    return folder


@pytest.mark.parametrize(
    ("seed", "ours"),
    [
        ("memory pack cadence --budget-tokens 90", "memory pack cadence --budget 90"),
        ("memory search weekly --top-k 1", "memory search weekly --limit 1"),
        ("source list --user-id ana", "source list --owner ana"),
        ("code pack retry --prefer-docs --max-chars 900", "code pack retry --prefer docs --max-chars 900"),
        ("search retry --refresh", "search retry"),
    ],
)
def test_a_spelling_of_a_seed_does_the_same_without_a_word(shop: Path, seed: str, ours: str) -> None:
    done = daypack(*seed.split(), cwd=shop, status=None)
    expected = daypack(*ours.split(), cwd=shop, status=None)
    assert done.returncode == expected.returncode
    assert done.stderr == expected.stderr == ""
    if seed.split()[0] != "code":  # its envelope says how long it took
        assert done.stdout == expected.stdout


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("search retried --lexical", "search retried --vectors none", "--lexical is now --vectors none"),
        ("search retried --source docs/", "search retried --path docs/", "--source is now --path"),
        ("memory list --cursor=", "memory list", "--cursor is now --page"),
        ("status --why docs/retry.md", "status docs/retry.md", "--why is now `daypack status FILE`"),
        (
            "install --client zed --project --dry-run",
            "install --client zed --dry-run",
            "--project is now the default, without --user",
        ),
    ],
)
def test_an_old_spelling_of_ours_still_works_and_names_the_new_one(
    shop: Path, before: str, now: str, said: str
) -> None:
    daypack("add", ".", cwd=shop)
    done = daypack(*before.split(), cwd=shop)
    assert done.stderr == f"daypack: {said}\n"
    assert done.stdout == daypack(*now.split(), cwd=shop).stdout
    assert daypack(*before.split(), "--quiet", cwd=shop).stderr == ""


def test_a_policy_is_one_option_and_its_parts_are_checked(shop: Path) -> None:
    asked = ("source", "ingest", "--text", "Only for Ben.", "--owner", "ana")
    daypack(*asked, "--policy", '{"allowed_user_ids": ["ben"]}', cwd=shop)
    done = daypack(*asked, "--allow-user", "ben", cwd=shop)
    assert done.stderr == "daypack: --allow-user is now --policy JSON\n"
    assert (
        "allowed_user_ids"
        in daypack(*asked, "--policy", '{"alowed_user_ids": []}', cwd=shop, status=2).stderr
    )
    assert "object" in daypack(*asked, "--policy", "[]", cwd=shop, status=2).stderr


def test_scopes_of_a_retrieval(shop: Path) -> None:
    daypack("source", "upsert", "all", "--text", "The lease of all.", "--scope", "global", cwd=shop)
    daypack("source", "upsert", "mine", "--text", "The lease of mine.", "--scope", "user", cwd=shop)
    found = daypack("source", "retrieve", "lease", "--scope", "user", "--vectors", "none", cwd=shop)
    assert "of mine" in found.stdout
    assert "of all" not in found.stdout
    old = daypack("source", "retrieve", "lease", "--no-global-scope", "--vectors", "none", cwd=shop)
    assert "of mine" in old.stdout
    assert "of all" not in old.stdout
