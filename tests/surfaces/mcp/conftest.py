from __future__ import annotations

from pathlib import Path

import pytest

from support import copy_of_pay


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """examples/pay as a project of its own, not yet indexed."""
    folder = copy_of_pay(tmp_path)
    (folder / "pyproject.toml").touch()
    return folder
