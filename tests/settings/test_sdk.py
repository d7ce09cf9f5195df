"""The SDK takes the same settings as the command line: variables, the project's files, the user's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sources.types import RetrieveRequest, SourceDraft
from daypack.errors import BadConfiguration
from daypack.settings import Settings


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_variables_hold_for_a_store_that_a_program_opens(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYPACK_QUERY_TOP_K", "2")
    monkeypatch.setenv("DAYPACK_MAX_RECORDS_PER_SCOPE_KIND", "4")
    monkeypatch.setenv("DAYPACK_OWNER", "ana")
    with Daypack.open(root / ".daypack") as daypack:
        for number in range(6):
            daypack.sources.ingest(
                SourceDraft(
                    text=f"The lease of pier {number} ends in May.", kind="research_finding", scope="user"
                )
            )
        assert daypack.engine.settings.embedder == "hashing"
        assert len(daypack.sources.retrieve(RetrieveRequest("when does the lease end?")).items) == 2
        assert daypack.sources.listed()[1] == 4
        daypack.memories.remember("pier/lease", "May")
    with Daypack.open(root / ".daypack", owner="ben") as daypack:
        assert not daypack.memories.list().memories
    with Daypack.open(root / ".daypack") as daypack:
        assert daypack.memories.list().memories


def test_files_of_the_project_hold_as_well_and_settings_that_are_given_replace_all(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.daypack]\nquery_top_k = 3\n")
    with Daypack.open(root / ".daypack") as daypack:
        assert daypack.sources.settings.query_top_k == 3
    with Daypack.open(root / ".daypack", settings=Settings(embedder="hashing")) as daypack:
        assert daypack.sources.settings.query_top_k == 6


def test_a_wrong_setting_is_refused_before_a_store_is_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAYPACK_QUERY_TOP_K", "many")
    with pytest.raises(BadConfiguration, match="DAYPACK_QUERY_TOP_K"):
        Daypack.open(root / ".daypack")
    assert not (root / ".daypack").exists()
