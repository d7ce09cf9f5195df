"""Settings behind links, in folders of the user, and in places that cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from installed import Run, written

from daypack.surfaces.install.clients import CLIENTS


def all_below(folder: Path) -> dict[str, str]:
    """Files, folders and links with what they hold."""
    return {
        str(path.relative_to(folder)): os.readlink(path)
        if path.is_symlink()
        else path.read_text()
        if path.is_file()
        else "/"
        for path in sorted(folder.rglob("*"))
        if ".local" not in path.parts
    }


@pytest.mark.parametrize(("client", "name"), [("claude-code", ".claude"), ("cursor", ".cursor")])
def test_a_linked_folder_of_settings_stays_a_link(
    client: str, name: str, folders: tuple[Path, Path], run: Run
) -> None:
    home = folders[1]
    (home / "dot").mkdir()
    (home / name).symlink_to(home / "dot")
    before = all_below(home)
    run(["install", "--client", client, "--user", "--hooks"])
    assert "removed from" in run(["uninstall", "--client", client, "--user"])
    assert all_below(home) == before
    assert "have no entry" in run(["uninstall", "--client", client, "--user"])


def test_a_link_to_a_missing_file_is_left_as_it_was(folders: tuple[Path, Path], run: Run) -> None:
    home = folders[1]
    (home / ".claude.json").symlink_to("dot.json")
    before = all_below(home)
    run(["install", "--client", "claude-code", "--user"])
    assert "daypack" in (home / "dot.json").read_text()
    run(["uninstall", "--client", "claude-code", "--user"])
    assert all_below(home) == before


def test_only_folders_that_were_made_are_removed(folders: tuple[Path, Path], run: Run) -> None:
    project, home = folders
    (home / "Documents").mkdir()
    run(["install", "--client", "cline", "--user", "--hooks"])
    run(["install", "--client", "cline", "--user", "--packs"])
    run(["uninstall", "--client", "cline", "--user"])
    assert all_below(home) == {"Documents": "/"}

    for client in ("copilot", "vscode"):
        run(["install", "--client", client, "--hooks"])
    for client in ("copilot", "vscode"):
        run(["uninstall", "--client", client])
    assert all_below(project) == {"pyproject.toml": ""}


@pytest.mark.parametrize("existing", [True, False])
def test_when_one_file_cannot_be_written_the_others_are_as_they_were(
    existing: bool, folders: tuple[Path, Path], run: Run
) -> None:
    project, home = folders
    if existing:
        (project / ".mcp.json").write_text('{"mcpServers": {}}')
    (project / ".claude").write_text("a file")
    before = all_below(project)
    said = run(["install", "--client", "claude-code", "--hooks"], status=3)
    assert "settings.json cannot be written" in said
    assert "nothing was changed" in said
    assert all_below(project) == before
    (project / ".claude").unlink()
    run(["install", "--client", "claude-code"])
    run(["uninstall", "--client", "claude-code"])
    assert [*written(project)] == [*([".mcp.json"] if existing else []), "pyproject.toml"]
    assert not [*(home / ".local/state/daypack/installed").glob("*.json")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_when_one_file_cannot_be_removed_the_others_are_as_they_were(
    folders: tuple[Path, Path], run: Run
) -> None:
    project = folders[0]
    run(["install", "--client", "claude-code", "--hooks"])
    before = all_below(project)
    (project / ".claude").chmod(0o500)
    try:
        assert "nothing was changed" in run(["uninstall", "--client", "claude-code"], status=3)
        assert all_below(project) == before
    finally:
        (project / ".claude").chmod(0o700)
    run(["uninstall", "--client", "claude-code"])
    assert all_below(project) == {"pyproject.toml": ""}


def test_a_client_without_a_server_in_a_project_has_no_other_files_there() -> None:
    for client in CLIENTS.values():
        if client.project is None:
            assert client.hook_place(for_user=False) is None, client.name
            assert client.skill_place(for_user=False) is None, client.name


@pytest.mark.parametrize(
    ("words", "step"),
    [
        (("codex", "--hooks"), "after you open `/hooks` and trust them"),
        (("codex", "--packs"), "after you open `/hooks` and trust them"),
        (("cline", "--user", "--hooks"), "after you switch hooks on in its settings"),
    ],
)
def test_install_names_the_step_before_new_hooks_run(words: tuple[str, ...], step: str, run: Run) -> None:
    assert f"Its hooks run only {step}." in run(["install", "--client", *words])


def test_without_hooks_install_names_no_step_for_hooks(run: Run) -> None:
    assert "Its hooks run" not in run(["install", "--client", "codex"])
