"""The generated part of each agent's page: the entries that `daypack install` writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.contracts import Client, HookForm, SettingsPlace, Syntax, entry, hook

SYSTEMS = {"darwin": "macOS", "win32": "Windows"}


def parts() -> dict[str, Callable[[], str]]:
    """Name of a page's part (client-codex) → the function that makes it."""
    return {f"client-{name}": partial(facts, client) for name, client in CLIENTS.items()}


def facts(client: Client) -> str:
    """Files, the server's entry and the hooks of a client."""
    rows = ["| | In a project | For you, everywhere |", "|---|---|---|"]
    rows.append(f"| server | {_place(client.project)} | {_user_place(client.user)} |")
    hooks = client.hooks
    if hooks:
        rows.append(f"| hooks | {_place(hooks.project)} | {_user_place(hooks.user)} |")
    if any(client.skill):
        rows.append(
            "| skill | "
            + " | ".join(
                f"`{home}{one}/daypack/SKILL.md`" if one else "–"
                for home, one in zip(("", "~/"), client.skill, strict=True)
            )
            + " |"
        )
    place = client.project or client.user
    assert place is not None
    server = entry(client, ("daypack",), project="…/shop")
    made = _nested(place.path, {"daypack": server})
    text = (
        _toml(place.path, made)
        if place.syntax is Syntax.TOML
        else json.dumps(made, indent=2, ensure_ascii=False)
    )
    lines = [*rows, "", "The entry of the server:", "", "```text", text, "```"]
    if hooks and hooks.form is not HookForm.PLUGIN:
        lines += ["", "With `--hooks` these events run a command:", "", "| Event | Runs |", "|---|---|"]
        lines += [f"| `{event}` | `daypack {run}` |" for event, run in hooks.events.items()]
        event, run = next(iter(hooks.events.items()))
        if hooks.form is not HookForm.SCRIPTS:
            lines += ["", f"The entry of a hook, here of `{event}`:", "", "```text"]
            lines += [json.dumps(hook(hooks, ("daypack",), run), indent=2), "```"]
    if hooks and hooks.prompt:
        lines += [
            "",
            f"With `--packs`, `{hooks.prompt}` runs `daypack session answer {client.name} --packs` instead.",
        ]
    return "\n".join(lines) + "\n"


def _place(place: SettingsPlace | None) -> str:
    return f"`{place.file}`{_inside(place)}" if place else "–"


def _inside(place: SettingsPlace) -> str:
    return f", in `{'.'.join(place.path)}`" if place.path else ""


def _user_place(place: SettingsPlace | None) -> str:
    """The file below the home folder, with those of other systems, and the variable that moves it."""
    if place is None:
        return "–"
    files = f"`~/{place.file}`"
    for platform, file in place.on.items():
        files += f", on {SYSTEMS[platform]} `~/{file}`"
    if place.folder_variable:
        files += f" (`{place.file.name}` in `{place.folder_variable}`, where that is set)"
    return files + _inside(place)


def _nested(path: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    for name in reversed(path):
        value = {name: value}
    return value


def _toml(path: tuple[str, ...], value: dict[str, Any]) -> str:
    for name in path:
        value = value[name]
    ((server, members),) = value.items()
    return "\n".join(
        [f"[{'.'.join((*path, server))}]", *(f"{name} = {json.dumps(one)}" for name, one in members.items())]
    )
