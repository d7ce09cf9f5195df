"""A sample of the disks that fail: `make storm` fails every operation."""

from __future__ import annotations

from pathlib import Path

import pytest
from faulty import KINDS, VERBS, is_well, one_round, prepare

AT = (1, 2, 5, 40, 150, 260, 430, 700)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("faulty") / "prepared")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_row_31_a_disk_that_fails_at_any_step_loses_no_acknowledged_write(
    prepared: Path, tmp_path: Path, kind: str
) -> None:
    outcomes = [one_round(prepared, tmp_path / "target", kind, at) for at in AT]
    for outcome in outcomes:
        assert is_well(outcome), outcome
    hit = [outcome for outcome in outcomes if outcome["hit"]]
    assert hit, "the fault never happened, so this showed nothing"
    if kind in ("write", "sync", "truncate"):
        assert all(outcome["codes"] and {*outcome["codes"]} == {"disk_full"} for outcome in hit)
    if kind in ("short read", "short write"):
        assert not any(outcome["codes"] for outcome in outcomes), "a transfer of half is not an error"
    if kind != "power":
        assert all(outcome["done"] == len(VERBS) for outcome in outcomes)
