"""Setting Daypack up in an agent changes what it must and nothing else, and taking it out leaves the bytes
that were there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from installed import Run, written

from daypack.surfaces.install import jsonc
from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.contracts import SettingsPlace, Syntax, started_by
from daypack.surfaces.install.wholes import SKILL
from daypack.tokens import counter
from daypack.types import Tokenizer
from support import daypack, environment, project

# Settings as people have them: comments, trailing commas, tabs, other servers, no line end, hooks of their
# own.
FILES: dict[str, list[str]] = {
    ".mcp.json": ['{\n  "mcpServers": {\n    "other": { "command": "other", "args": ["a"] }\n  }\n}\n', "{}", "", '{"mcpServers": {}}\n'],
    ".claude/settings.json": [
        '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] }\n\t\t]\n\t}\n}\n',
        '{"permissions": {"allow": ["Bash(ls:*)"]}}',
    ],
    ".codex/config.toml": [
        'model = "o5"  # the good one\n\n[mcp_servers.other]\ncommand = "other"\n\n[profiles.x]\napproval = "never"\n',
        'model = "o5"', "",
    ],
    ".codex/hooks.json": ['{"hooks": {}}\n'],
    ".cursor/mcp.json": ['{\n    "mcpServers": {}\n}\n'],
    ".cursor/hooks.json": ['{\n  "version": 1,\n  "hooks": {\n    "stop": [{"command": "./mine.sh"}]\n  }\n}'],
    ".gemini/settings.json": ['{\n  "theme": "dark",\n  "selectedAuthType": "oauth"\n}\n'],
    ".vscode/mcp.json": [
        '{\n  // servers of this project\n  "servers": {\n    "other": {"type": "http", "url": "http://localhost:1"}, // mine\n  },\n  "inputs": [],\n}\n',
        '{\n  /* nothing yet */\n}\n',
    ],
    ".zed/settings.json": ['// mine\n{\n  "theme": "One",\n  "context_servers": {},\n}\n'],
    "opencode.json": ['{"$schema": "https://opencode.ai/config.json", "model": "m"}\n'],
    ".codeium/windsurf/mcp_config.json": ['{"mcpServers": {"other": {"serverUrl": "http://localhost:1"}}}\n'],
    ".config/Claude/claude_desktop_config.json": ['{\n  "globalShortcut": "Ctrl+Space"\n}'],
    ".cline/data/settings/cline_mcp_settings.json": ['{"mcpServers": {}}'],
}  # fmt: skip


def cases() -> list[tuple[str, str, int]]:
    found = []
    for name, client in CLIENTS.items():
        for level in ("--project", "--user"):
            place = client.project if level == "--project" else client.user
            if place is None:
                continue
            variants = max(
                (len(texts) for file, texts in FILES.items() if file in _files_of(name)), default=1
            )
            found += [(name, level, variant) for variant in range(variants + 1)]
    return found


def _hook_place(name: str, level: str = "--project") -> SettingsPlace | None:
    return CLIENTS[name].hook_place(for_user=level == "--user")


def _files_of(name: str) -> set[str]:
    client = CLIENTS[name]
    places = (client.project, client.user, _hook_place(name), _hook_place(name, "--user"))
    return {str(place.file) for place in places if place is not None and place.path}


@pytest.mark.parametrize(("name", "level", "variant"), cases())
def test_installed_twice_and_taken_out_leaves_every_byte_as_it_was(
    name: str, level: str, variant: int, folders: tuple[Path, Path], run: Run
) -> None:
    base = folders[0] if level == "--project" else folders[1]
    for file in _files_of(name) if variant else ():
        texts = FILES.get(file, ["{}"])
        (base / file).parent.mkdir(parents=True, exist_ok=True)
        (base / file).write_text(texts[(variant - 1) % len(texts)])
    before = written(base)
    arguments = ["--client", name, level]
    hooks = ["--hooks"] if CLIENTS[name].hooks else []
    hooks += ["--packs"] if CLIENTS[name].hooks and CLIENTS[name].hooks.prompt else []

    said = run(["install", *arguments, *hooks])
    assert "+" in said
    once = written(base)
    assert once != before
    assert "nothing was changed" in run(["install", *arguments, *hooks])
    assert written(base) == once

    place = CLIENTS[name].project if level == "--project" else CLIENTS[name].user
    assert place is not None
    text = (base / place.file).read_text()
    data = tomllib.loads(text) if place.syntax is Syntax.TOML else jsonc.read(text).value
    assert "mcp" in started_by(data[place.path[0]]["daypack"])

    run(["uninstall", *arguments])
    assert written(base) == before
    assert "no entry of Daypack" in run(["uninstall", *arguments])


@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.project])
def test_what_was_changed_since_stays_and_only_ours_goes(
    name: str, folders: tuple[Path, Path], run: Run
) -> None:
    client, project = CLIENTS[name], folders[0]
    assert client.project is not None
    hooks = ["--hooks"] if client.hooks else []
    run(["install", "--client", name, *hooks])
    file = project / client.project.file
    if client.project.syntax is Syntax.TOML:
        file.write_text(
            '# mine\nmodel = "o5"\n\n' + file.read_text() + '\n[mcp_servers.later]\ncommand = "later"\n'
        )
    else:
        file.write_text(jsonc.put(file.read_text(), (*client.project.path, "later"), {"command": "later"}))
    place = _hook_place(name)
    if client.hooks is not None and place is not None and place.path:
        hook_file = project / place.file
        event = next(iter(client.hooks.events))
        hook_file.write_text(
            jsonc.put(hook_file.read_text(), ("hooks", event, "-"), {"command": "./mine.sh"})
        )
    run(["uninstall", "--client", name])
    text = file.read_text()
    data = tomllib.loads(text) if client.project.syntax is Syntax.TOML else jsonc.read(text).value
    assert data[client.project.path[0]] == {"later": {"command": "later"}}
    assert "daypack" not in "".join(
        path.read_text() for path in project.rglob("*") if path.is_file() and path.suffix == ".json"
    )
    if place is not None and place.path:
        assert jsonc.read((project / place.file).read_text()).value["hooks"] == {
            event: [{"command": "./mine.sh"}]
        }


@pytest.mark.parametrize(
    ("file", "text", "client"),
    [
        (".mcp.json", '{"mcpServers": {', "claude-code"),
        (".mcp.json", '{"mcpServers": []}', "claude-code"),
        (".mcp.json", "[]", "claude-code"),
        (".mcp.json", '{"a": 1} trailing', "claude-code"),
        (".codex/config.toml", "model = = 1", "codex"),
        (".codex/config.toml", 'mcp_servers = "none"', "codex"),
        (".vscode/mcp.json", "{'servers': {}}", "vscode"),
    ],
)
def test_a_broken_file_is_reported_and_left_alone(
    file: str, text: str, client: str, folders: tuple[Path, Path], run: Run
) -> None:
    path = folders[0] / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    said = run(["install", "--client", client], status=2)
    assert "mend it first, nothing was changed" in said
    assert file in said
    assert path.read_text() == text


def test_a_dry_run_shows_the_difference_and_writes_nothing(folders: tuple[Path, Path], run: Run) -> None:
    said = run(["install", "--client", "claude-code", "--dry-run", "--access", "ro", "--tools", "memory"])
    assert '+      "args": [' in said
    assert '"--access"' in said
    assert '"read"' in said
    assert written(folders[0]) == {"pyproject.toml": b""}
    assert "not a toolset" in run(["install", "--client", "codex", "--tools", "everything"], status=2)


def test_a_backup_holds_what_was_there_and_a_link_stays_a_link(folders: tuple[Path, Path], run: Run) -> None:
    project, home = folders
    real = home / "dotfiles.json"
    real.write_text('{"mcpServers": {}}')
    (project / ".mcp.json").symlink_to(real)
    said = run(["install", "--client", "claude-code"])
    backup = Path(said.split("a backup is in ")[1].split("\n")[0])
    assert backup.read_text() == '{"mcpServers": {}}'
    assert (project / ".mcp.json").is_symlink()
    assert "daypack" in real.read_text()


def test_a_file_that_two_clients_read_goes_with_the_last(folders: tuple[Path, Path], run: Run) -> None:
    project = folders[0]
    run(["install", "--client", "vscode", "--hooks"])
    run(["install", "--client", "copilot", "--hooks"])
    shared = (project / ".github/hooks/daypack.json", project / ".github/skills/daypack/SKILL.md")
    run(["uninstall", "--client", "vscode"])
    assert all(file.exists() for file in shared)
    assert not (project / ".vscode").exists()
    run(["uninstall", "--client", "copilot"])
    assert written(project) == {"pyproject.toml": b""}


def test_a_skill_that_its_owner_wrote_or_changed_is_left(folders: tuple[Path, Path], run: Run) -> None:
    mine = folders[0] / ".claude/skills/daypack/SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    assert f"left as it is, because Daypack did not write it: {mine}" in run(
        ["install", "--client", "claude-code"]
    )
    run(["uninstall", "--client", "claude-code"])
    assert mine.read_text() == "mine\n"
    mine.unlink()
    run(["install", "--client", "claude-code"])
    assert mine.read_text() == SKILL
    mine.write_text(SKILL + "And be brief.\n")
    assert "left as it is, because Daypack did not write it so" in run(
        ["uninstall", "--client", "claude-code"]
    )
    assert mine.read_text().endswith("And be brief.\n")


def test_no_skill_leaves_the_skill_out(folders: tuple[Path, Path], run: Run) -> None:
    run(["install", "--client", "zed", "--no-skill"])
    assert not (folders[0] / ".agents").exists()


def test_the_skill_takes_less_than_200_tokens() -> None:
    assert counter(Tokenizer.O200K)(SKILL) < 200


def test_hooks_of_an_earlier_release_give_way(folders: tuple[Path, Path], run: Run) -> None:
    """The events that were recorded twice, and seconds where Gemini expects milliseconds."""
    cursor, gemini = (folders[0] / f".{name}" for name in ("cursor/hooks.json", "gemini/settings.json"))
    for file in (cursor, gemini):
        file.parent.mkdir()
    cursor.write_text(
        '{"version": 1, "hooks": {"afterFileEdit": [{"command": "daypack session capture"}], "stop": [{"command": "./mine.sh"}]}}'
    )
    old = {"hooks": [{"type": "command", "command": "daypack session capture", "timeout": 10}]}
    gemini.write_text(json.dumps({"hooks": {"AfterTool": [old]}}))
    for name in ("cursor", "gemini"):
        run(["install", "--client", name, "--hooks"])
    hooks = json.loads(cursor.read_text())["hooks"]
    assert "capture" not in json.dumps(hooks.get("afterFileEdit", []))
    assert hooks["stop"] == [{"command": "./mine.sh"}]
    assert [hook["timeout"] for hook in hooks["postToolUse"]] == [10]
    (after,) = json.loads(gemini.read_text())["hooks"]["AfterTool"]
    assert after["hooks"][0]["timeout"] == 10_000


def test_packs_are_refused_where_a_hook_cannot_add_to_a_prompt(folders: tuple[Path, Path], run: Run) -> None:
    assert "cannot add to a prompt" in run(["install", "--client", "cursor", "--packs"], status=2)
    assert "has no hooks" in run(["install", "--client", "zed", "--packs"], status=2)
    run(["install", "--client", "codex", "--packs"])
    hooks = json.loads((folders[0] / ".codex/hooks.json").read_text())["hooks"]
    assert "session answer codex --packs" in json.dumps(hooks["UserPromptSubmit"])


def test_a_client_that_starts_elsewhere_gets_the_project_by_name(
    folders: tuple[Path, Path], run: Run
) -> None:
    assert "has no settings of a project; add --user" in run(
        ["install", "--client", "claude-desktop"], status=2
    )
    run(["install", "--client", "claude-desktop", "--user"])
    data = json.loads((folders[1] / ".config/Claude/claude_desktop_config.json").read_text())
    assert data["mcpServers"]["daypack"]["args"] == ["mcp", "--root", str(folders[0])]


PLUGIN_TEST = """
import { Daypack } from "./.opencode/plugins/daypack.js"
const hooks = await Daypack({ directory: process.cwd() })
await hooks["chat.message"]({ sessionID: "s" }, { parts: [{ type: "text", text: "Round the fees down" }, { type: "file" }] })
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c", args: { command: "make" } }, { output: "no rule", metadata: { exit: 2 } })
await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s" } } })
const output = { context: [] }
await hooks["experimental.session.compacting"]({ sessionID: "s" }, output)
console.log(output.context.join(""))
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_plugin_of_opencode_records_and_answers(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"a.md": "# A\n\nText.\n"})
    home = environment(HOME=str(tmp_path))
    daypack("install", "--client", "opencode", "--hooks", cwd=shop, env=home)
    (shop / "try.mjs").write_text(PLUGIN_TEST)
    (shop / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(["node", "try.mjs"], cwd=shop, env=home, capture_output=True, text=True, check=True)
    assert "Round the fees down" in done.stdout
    assert "`make` failed: no rule" in done.stdout
