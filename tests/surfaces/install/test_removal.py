"""What `uninstall` removes: Daypack's entries, found in the file, however it came there and whoever changed it since."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from installed import Run, written

MINE = {"type": "command", "command": "notify-send done"}


def edited(file: Path, **members: Any) -> None:
    """Add members to the first object of a JSON file, as its owner does."""
    data = json.loads(file.read_text())
    next(iter(data.values())).update(members)
    file.write_text(json.dumps(data, indent=2))


def test_a_file_that_was_edited_between_two_installs_loses_both(folders: tuple[Path, Path], run: Run) -> None:
    project, _ = folders
    server, hooks = project / ".mcp.json", project / ".claude/settings.json"
    install = ["install", "--client", "claude-code", "--no-skill"]
    run([*install, "--hooks"])
    edited(server, mine={"command": "m"})
    edited(hooks, Notification=[{"hooks": [MINE]}])
    run([*install, "--packs", "--access", "read"])
    run(["uninstall", "--client", "claude-code"])
    assert json.loads(server.read_text()) == {"mcpServers": {"mine": {"command": "m"}}}
    assert json.loads(hooks.read_text()) == {"hooks": {"Notification": [{"hooks": [MINE]}]}}

    codex, config = ["--client", "codex", "--no-skill"], project / ".codex/config.toml"
    run(["install", *codex])
    config.write_text(config.read_text() + '\n[profiles.x]\nmodel = "o5"\n')
    run(["install", *codex, "--access", "read"])
    run(["uninstall", *codex[:2]])
    assert config.read_text() == '[profiles.x]\nmodel = "o5"\n'


def test_the_entries_of_a_folder_that_was_moved_are_found(folders: tuple[Path, Path], run: Run) -> None:
    project, _ = folders
    (project / ".claude").mkdir()
    mine = '{\n  "model": "opus"\n}\n'
    (project / ".claude/settings.json").write_text(mine)
    run(["install", "--client", "claude-code", "--hooks"])
    moved = project.rename(project.with_name("moved"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(moved)
        assert "removed from Claude Code" in run(["uninstall", "--client", "claude-code"])
    assert written(moved) == {"pyproject.toml": b"", ".claude/settings.json": mine.encode()}
    assert not (moved / ".claude/skills/daypack").exists()


def test_the_entries_that_a_colleague_checked_in_are_found(
    folders: tuple[Path, Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for client in ("claude-code", "cursor", "codex", "opencode"):
        run(["install", "--client", client, "--hooks"])
    monkeypatch.setenv("HOME", str(folders[1] / "colleague"))
    for client in ("claude-code", "cursor", "codex", "opencode"):
        assert "nothing was changed" in run(["install", "--client", client, "--hooks"])
        run(["uninstall", "--client", client])
        assert "have no entry of Daypack" in run(["uninstall", "--client", client])
    assert written(folders[0]) == {"pyproject.toml": b""}


def test_a_shared_file_without_a_note_stays_for_the_other_client(
    folders: tuple[Path, Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for client in ("codex", "zed"):
        run(["install", "--client", client])
    monkeypatch.setenv("HOME", str(folders[1] / "colleague"))
    run(["uninstall", "--client", "codex"])
    assert [*written(folders[0])] == [
        ".agents/skills/daypack/SKILL.md",
        ".zed/settings.json",
        "pyproject.toml",
    ]
    run(["uninstall", "--client", "zed"])
    assert written(folders[0]) == {"pyproject.toml": b""}


def test_hooks_that_share_a_group_with_ours_stay(folders: tuple[Path, Path], run: Run) -> None:
    file = folders[0] / ".claude/settings.json"
    install = ["install", "--client", "claude-code", "--hooks"]
    run(install)
    data = json.loads(file.read_text())
    data["hooks"]["Stop"][0]["hooks"].append(MINE)
    file.write_text(json.dumps(data, indent=2))
    assert "nothing was changed" in run(install)
    assert json.loads(file.read_text()) == data
    data["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 99
    file.write_text(json.dumps(data, indent=2))
    run(install)
    group = json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"]
    assert [hook.get("timeout") for hook in group] == [10, None]
    run(["uninstall", "--client", "claude-code"])
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [{"hooks": [MINE]}]}}


def test_a_hook_of_another_program_stays(folders: tuple[Path, Path], run: Run) -> None:
    file = folders[0] / ".cursor/hooks.json"
    file.parent.mkdir()
    others = {
        "stop": [
            {"command": "my-daypack session capture"},
            {"command": "./say", "why": "as daypack session capture"},
        ]
    }
    file.write_text(json.dumps({"version": 1, "hooks": others}))
    run(["install", "--client", "cursor", "--hooks"])
    edited(file.with_name("mcp.json"), mine={})
    file.write_text(file.read_text() + "\n")
    run(["uninstall", "--client", "cursor"])
    assert json.loads(file.read_text()) == {"version": 1, "hooks": others}


@pytest.mark.parametrize(
    "mine",
    [
        "echo 'hint: daypack session resume' && ./setup-env.sh",
        "cd /srv/pay && daypack session resume --json > /tmp/last.json && ./notify.sh",
        "daypack session capture; ./notify.sh",
        "daypack session capture\n./notify.sh",
        "daypack session capture > /tmp/log",
        "daypack session capture 'and more",
    ],
)
def test_a_command_of_the_user_that_also_runs_daypack_stays(
    mine: str, folders: tuple[Path, Path], run: Run
) -> None:
    file = folders[0] / ".claude/settings.json"
    file.parent.mkdir()
    hooks = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": mine}]}]}}
    file.write_text(json.dumps(hooks))
    run(["install", "--client", "claude-code", "--hooks"])
    assert json.loads(file.read_text())["hooks"]["SessionStart"][0] == hooks["hooks"]["SessionStart"][0]
    file.write_text(file.read_text() + "\n")
    run(["uninstall", "--client", "claude-code"])
    assert json.loads(file.read_text()) == hooks


@pytest.mark.parametrize(
    "ours",
    [
        "daypack session resume --budget 800",
        "'/old path/daypack' session answer claude-code --packs",
        '"C:\\Program Files\\daypack.exe" session capture',
        "& C:\\bin\\daypack.exe session capture",
        "/usr/bin/python3 -m daypack session capture",
    ],
)
def test_a_hook_that_daypack_wrote_anywhere_is_removed(
    ours: str, folders: tuple[Path, Path], run: Run
) -> None:
    file = folders[0] / ".claude/settings.json"
    file.parent.mkdir()
    group = {"hooks": [{"type": "command", "command": ours}, MINE]}
    file.write_text(json.dumps({"hooks": {"Stop": [group]}}))
    run(["uninstall", "--client", "claude-code"])
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [{"hooks": [MINE]}]}}


def toml_cases() -> dict[str, str]:
    ours = '[mcp_servers.daypack]\ncommand = "daypack"\nargs = ["mcp"]\n'
    return {
        "a comment above the next table": ours + "# my profile; keep\n",
        "line ends of Windows": ours.replace("\n", "\r\n"),
        "a comment behind the head": ours.replace("]\n", "] # x\n", 1),
        "a table in ours": ours + '\n[mcp_servers.daypack.env]\nA = "1"\n',
        "a list in a list": ours.replace("args", 'env_vars = [\n["a"],\n]\nargs'),
        "a byte order mark": "\ufeff" + ours,
    }


@pytest.mark.parametrize("case", toml_cases())
def test_only_our_table_goes_from_an_edited_file_of_codex(
    case: str, folders: tuple[Path, Path], run: Run
) -> None:
    file = folders[0] / ".codex/config.toml"
    run(["install", "--client", "codex"])
    profile = '[profiles.review]\nmodel = "o5"\n'
    file.write_bytes((toml_cases()[case] + profile).encode())
    run(["uninstall", "--client", "codex"])
    text = file.read_bytes().decode("utf-8-sig")
    assert tomllib.loads(text) == {"profiles": {"review": {"model": "o5"}}}
    assert ("# my profile; keep\n" in text) == ("comment above" in case)
    assert file.read_bytes().startswith(b"\xef\xbb\xbf") == ("mark" in case)


def test_a_table_of_codex_in_a_line_of_others_is_left_with_the_reason(
    folders: tuple[Path, Path], run: Run
) -> None:
    file = folders[0] / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text('mcp_servers = { daypack = { command = "daypack" }, mine = { command = "m" } }\n')
    before = written(folders[0])
    for command in ("install", "uninstall"):
        said = run([command, "--client", "codex"], status=2)
        assert "change it by hand, nothing was changed" in said
        assert "config.toml" in said
    assert written(folders[0]) == before


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "{}", '{"before": null, "after": "x", "folders": 1}', "\udcff"]
)
def test_a_damaged_note_of_one_file_holds_up_no_install(
    damage: str, folders: tuple[Path, Path], run: Run
) -> None:
    run(["install", "--client", "claude-code"])
    for note in (folders[1] / ".local/state/daypack/installed").glob("*.json"):
        note.write_bytes(damage.encode("utf-8", "surrogateescape"))
    run(["install", "--client", "cursor"])
    run(["install", "--client", "claude-code", "--access", "read"])
    for client in ("cursor", "claude-code"):
        run(["uninstall", "--client", client])
    assert "daypack" not in "".join(map(str, written(folders[0]).values()))


def test_a_file_that_was_emptied_has_no_entry(folders: tuple[Path, Path], run: Run) -> None:
    run(["install", "--client", "claude-code", "--no-skill"])
    (folders[0] / ".mcp.json").write_text("")
    assert "have no entry of Daypack" in run(["uninstall", "--client", "claude-code"])


@pytest.mark.parametrize("client", ["zed", "gemini", "claude-code", "codex"])
def test_a_byte_order_mark_stays(client: str, folders: tuple[Path, Path], run: Run) -> None:
    files = {"zed": ".zed/settings.json", "gemini": ".gemini/settings.json", "codex": ".codex/config.toml"}
    file = folders[0] / files.get(client, ".mcp.json")
    file.parent.mkdir(exist_ok=True)
    before = b"\xef\xbb\xbf" + (b'a = "b"\r\n' if client == "codex" else b'{\r\n  "a": "b"\r\n}\r\n')
    file.write_bytes(before)
    run(["install", "--client", client, "--no-skill"])
    after = file.read_bytes()
    assert after.startswith(before[:6])
    assert after.count(b"\n") == after.count(b"\r\n") > 3
    file.write_bytes(after + b"\r\n")
    run(["uninstall", "--client", client])
    assert file.read_bytes() == before + b"\r\n"
