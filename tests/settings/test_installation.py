"""The command that adds an extra fits the installation: pip does not reach the environments of pipx and uv."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack.errors import MissingExtra
from daypack.settings.installation import adding


@pytest.mark.parametrize(
    ("receipt", "command"),
    [
        ("pipx_metadata.json", "pipx install --force '.[serve]'"),
        ("uv-receipt.toml", "uv tool install '.[serve]'"),
        ("pyvenv.cfg", "pip install '.[serve]'"),
    ],
)
def test_an_extra_is_added_by_the_tool_that_installed_daypack(
    receipt: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / receipt).touch()
    assert adding("serve", prefix=str(tmp_path)) == f"`{command}` in a clone of Daypack"


def test_a_missing_extra_is_reported_with_that_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pipx_metadata.json").touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    error = MissingExtra("serve", "the package jinja2", adding("serve"))
    assert str(error) == (
        "this needs the package jinja2, which is not installed; run `pipx install --force '.[serve]'` in a clone of Daypack"
    )
