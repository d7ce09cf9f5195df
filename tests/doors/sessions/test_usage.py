"""Counts of what agents asked and used, from the sessions that hooks recorded."""

from __future__ import annotations

import json
from pathlib import Path

from daypack import Daypack, Settings
from support import daypack, project


def test_sources_are_cited_opened_or_never_used(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop",
        {
            f"{name}.md": f"# {name}\n\nRefunds of {name} are retried three times.\n"
            for name in ("cards", "cash", "vouchers")
        },
    )
    none = daypack("stats", cwd=shop, status=None)
    assert none.stdout == ""
    with Daypack.open(shop / ".daypack", settings=Settings(embedder="hashing")) as dp:
        dp.files.add(shop)
        pack = dp.pack("How often are refunds retried?", after="")
        assert len(pack.excerpts) == 3

    def hook(name: str, **more: object) -> None:
        event = {"hook_event_name": name, "session_id": "s", "cwd": str(shop), **more}
        daypack("session", "capture", cwd=shop, input=json.dumps(event).encode())

    hook("PostToolUse", tool_name="mcp__daypack__pack", tool_input={"query": "refunds"}, tool_response="…")
    hook("PostToolUse", tool_name="Read", tool_input={"file_path": "cash.md"}, tool_response="…")
    hook("Stop", last_assistant_message="Three times (cards.md:3).")
    assert daypack("stats", cwd=shop).stdout == (
        "asked   pack 1\n"
        "given   1 pack, 3 items of 3 sources\n"
        "used    1 source cited in a reply, 1 opened or changed, 1 never\n"
        "unused  vouchers.md (1)\n"
    )
    assert json.loads(daypack("stats", "--json", cwd=shop).stdout)["never"] == 1
