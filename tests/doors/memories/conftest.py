from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support_memory import opened

from daypack import Daypack
from support import Clock


@pytest.fixture
def dp(tmp_path: Path, clock: Clock) -> Iterator[Daypack]:
    with opened(tmp_path, clock) as daypack:
        yield daypack
