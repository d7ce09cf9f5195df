from __future__ import annotations

import shutil
from pathlib import Path

import pytest

PAY = Path(__file__).resolve().parents[3] / "examples" / "pay"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """examples/pay as a project of its own, not yet indexed."""
    folder = tmp_path / "pay"
    shutil.copytree(PAY, folder, ignore=shutil.ignore_patterns(".daypack", "__pycache__"))
    (folder / "pyproject.toml").touch()
    return folder
