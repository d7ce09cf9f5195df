"""An item from a changelog says which version it is about."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack
from support import WORDS, project

OTHER = "\n".join(
    f"- Colour number {n} of the masts is painted by hand with a long brush." for n in range(40)
)
LOG = "# Changes\n\n" + "".join(
    f"## {version} - 2024-03-0{day}\n\n### Fixed\n\n{OTHER}\n\n### Deprecated\n\n- {old} of the harbour is deprecated.\n\n### Removed\n\n- {gone} of the harbour is removed.\n\n"
    for day, version, old, gone in [
        (1, "2.4.0", "The lamp", "The crane"),
        (2, "2.3.0", "The bell", "The sail"),
    ]
)


def test_the_version_is_said_where_neighbouring_sections_are_one_item(tmp_path: Path) -> None:
    project(tmp_path, {"notes.md": LOG})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        pack = daypack.pack("lamp deprecated crane removed harbour", budget=200)
    [first, *_] = pack.excerpts
    assert "The lamp" in first.text and "The crane" in first.text and "2.4.0" not in first.text
    assert first.trail == ("Changes", "2.4.0 - 2024-03-01")
    assert " · 2.4.0]" in pack.text


def test_changes_that_are_not_released_say_so(tmp_path: Path) -> None:
    project(tmp_path, {"CHANGELOG.md": LOG.replace("# Changes\n\n## 2.4.0 - 2024-03-01", "# Unreleased")})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        pack = daypack.pack("lamp of the harbour deprecated", budget=60)
    assert "The lamp" in pack.excerpts[0].text
    assert "Unreleased" in pack.text
