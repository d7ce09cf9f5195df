from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from server import Page, served

from support import daypack

PAY = Path(__file__).resolve().parents[2] / "examples" / "pay"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """examples/pay, indexed, with memories."""
    folder = tmp_path_factory.mktemp("page") / "pay"
    shutil.copytree(PAY, folder, ignore=shutil.ignore_patterns(".daypack", "__pycache__"))
    (folder / "pyproject.toml").touch()
    daypack("add", ".", "--embed", cwd=folder)
    daypack("memory", "remember", "release/cadence", "we release on Thursdays", cwd=folder)
    daypack("memory", "remember", "release/cadence", "we release on Tuesdays <script>alert(1)</script>", cwd=folder)
    daypack("memory", "remember", "web/claim", "the page says so", "--source", "https://example.org", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def page(project: Path) -> Iterator[Page]:
    with served(project, "--tools", "all", "--scope", "dangerous") as found:
        yield found
