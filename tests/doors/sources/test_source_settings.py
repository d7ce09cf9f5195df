"""What the environment says of sources: capacity, retention, weights; what it may not say; and where that is
shown.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors import registry
from daypack.doors.sources.settings import SETTINGS, source_settings
from daypack.doors.sources.types import RetrieveRequest, SourceAction, SourceDraft, SourceSettings
from daypack.doors.sources.writing.pruning import PURGED_TOGETHER
from daypack.errors import BadConfiguration
from daypack.settings.configuration import Configuration, Setting, load_configuration
from support import TESTS, WORDS, Clock, bytes_of, daypack, environment, ills


def crowded(tmp_path: Path, clock: Clock, most: int) -> Daypack:
    return Daypack.open(
        tmp_path / ".daypack",
        settings=replace(WORDS, of_doors=(("max_records_per_scope_kind", str(most)),)),
        clock=clock,
    )


def buoy(number: int, **facts: object) -> SourceDraft:
    return SourceDraft(
        f"buoy number{number} lies off the pier",
        **{"scope": "user", "user_id": "ana", "source_key": f"buoy/{number}", **facts},
    )  # type: ignore[arg-type]


def test_without_settings_a_write_prunes_nothing() -> None:
    assert source_settings({}) == SourceSettings()
    assert (SourceSettings().max_records, SourceSettings().retention_days) == (None, None)


def test_a_write_beyond_the_capacity_says_what_had_to_go_and_closing_leaves_no_byte_of_it(
    tmp_path: Path, clock: Clock
) -> None:
    with crowded(tmp_path, clock, 3) as dp:
        for number in (1, 2, 3):
            clock.passes(60)
            assert dp.sources.ingest(buoy(number)).pruned is None
        clock.passes(60)
        dp.sources.retrieve(RetrieveRequest("number1", user_id="ana", source_keys=("buoy/1",)))
        clock.passes(60)
        done = dp.sources.ingest(buoy(4))
        assert done.pruned is not None
        assert (done.action, done.pruned.reason, done.pruned.purged, len(done.pruned.records)) == (
            SourceAction.CREATED,
            "capacity",
            False,  # that is due when the store is closed
            1,
        )
        assert {item.source_key for item in dp.sources.list(user_id="ana")} == {"buoy/1", "buoy/3", "buoy/4"}
        stats = dp.sources.stats(user_id="ana")
        assert (stats["pruned_records_total"], stats["pruned_by_reason"]) == (
            1,
            {"capacity": {"user/research_finding": 1}},
        )
        assert stats["max_records_per_scope_kind"] == 3
        assert ills(dp) == []
    assert b"number2" not in bytes_of(tmp_path)


def test_what_many_writes_prune_leaves_the_file_together(tmp_path: Path, clock: Clock) -> None:
    with crowded(tmp_path, clock, 1) as dp:
        purged = []
        for number in range(1, PURGED_TOGETHER + 2):
            clock.passes(1)
            done = dp.sources.ingest(buoy(number))
            purged.append(done.pruned is not None and done.pruned.purged)
        assert purged == [False] * PURGED_TOGETHER + [True]
        left = bytes_of(tmp_path)
        assert [number for number in range(1, PURGED_TOGETHER + 1) if b"number%d lies" % number in left] == []
        clock.passes(1)
        dp.sources.ingest(buoy(0))
        # who deletes waits for nothing
        assert dp.sources.delete("buoy/0", scope="user", user_id="ana").purged
        assert b"number%d lies" % (PURGED_TOGETHER + 1) not in bytes_of(tmp_path)


def test_what_a_process_that_ended_badly_left_goes_with_the_next_write(tmp_path: Path, clock: Clock) -> None:
    with crowded(tmp_path, clock, 1) as dp:
        dp.sources.ingest(buoy(1))
        clock.passes(1)
        assert dp.sources.ingest(buoy(2)).pruned is not None
        with crowded(tmp_path, clock, 1) as other:
            other.sources.ingest(buoy(9, user_id="ben"))
        assert b"number1" not in bytes_of(tmp_path)


def test_owners_scopes_and_kinds_have_a_capacity_each_and_older_versions_take_none(
    tmp_path: Path, clock: Clock
) -> None:
    with crowded(tmp_path, clock, 2) as dp:
        written = [
            *(
                buoy(
                    number,
                    user_id=user,
                    scope=scope,
                    kind=kind,
                    session_id="s1",
                    source_key=f"{kind}/{number}",
                )
                for user in ("ana", "ben")
                for scope in ("session", "user", "global")
                for kind in ("research_finding", "topic_pattern")
                for number in (1, 2)
            ),
            *(
                buoy(2, source_key="research_finding/2", summary=f"painted {times} times")
                for times in range(5)
            ),
        ]
        for draft in written:
            clock.passes(1)
            assert dp.sources.ingest(draft).pruned is None
        stats = dp.sources.stats(user_id="ana", session_id="s1")
        assert (
            stats["record_count"],
            stats["records_by_source_status"]["superseded"],
            stats["pruned_records_total"],
        ) == (16, 5, 0)
        again = dp.sources.ingest(buoy(3))
        assert again.pruned is not None
        assert len(again.pruned.records) == 1


def test_what_goes_for_capacity_goes_with_its_older_versions(tmp_path: Path, clock: Clock) -> None:
    with crowded(tmp_path, clock, 1) as dp:
        for times in range(3):
            clock.passes(1)
            dp.sources.ingest(buoy(1, summary=f"painted {times} times"))
        clock.passes(1)
        done = dp.sources.ingest(buoy(2))
        assert done.pruned is not None
        assert len(done.pruned.records) == 3
    assert b"number1" not in bytes_of(tmp_path)


def configured(tmp_path: Path, **variables: str) -> Configuration:
    return load_configuration(
        tmp_path,
        {f"DAYPACK_{name.upper()}": value for name, value in variables.items()},
        tmp_path,
        registry.settings(),
    )


def test_settings_are_read_from_the_environment(tmp_path: Path) -> None:
    given = configured(
        tmp_path,
        max_records_per_scope_kind="24",
        retention_days="45",
        query_top_k="8",
        metadata_bonus_weight="0.1",
        decay_start_pct="0.25",
        chunk_chars="",
    ).settings()
    found = source_settings(dict(given.of_doors))
    assert (found.max_records, found.retention_days, found.query_top_k) == (24, 45.0, 8)
    assert (found.weights.key_match, found.weights.tag_match, found.weights.decay_start) == (0.1, 0.1, 0.25)
    assert configured(tmp_path, embedder="hashing").settings().of_doors == ()


def test_settings_may_stand_in_files_and_what_deletes_waits_for_trust(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.daypack]\nquery_top_k = 9\nmax_records_per_scope_kind = 1\n"
    )
    found = configured(tmp_path)
    assert found.settings().of_doors == (("query_top_k", "9"),)
    assert [one.setting.name for one in found.waiting] == ["max_records_per_scope_kind"]
    (tmp_path / "pyproject.toml").write_text("[tool.daypack]\nquery_top_k = 0\n")
    with pytest.raises(
        BadConfiguration, match="query_top_k '0' is not valid; it may be a whole number from 1 to 1,000"
    ):
        configured(tmp_path)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_every_default_is_what_the_settings_are(setting: Setting) -> None:
    assert source_settings({setting.name: str(setting.default)}) == SourceSettings()


THEIRS = {  # variable of a context store, without its prefix → (ours, default)
    "ROOT": ("store", ""), "RECORD_BACKEND": ("record_backend", "sqlite"), "INDEX_BACKEND": ("index_backend", "sqlite"),
    "EMBEDDING_BACKEND": ("embedder", "minilm"), "EMBEDDING_DIMENSIONS": ("embedding_dimensions", "auto"),
    "MAX_RECORDS_PER_SCOPE_KIND": ("max_records_per_scope_kind", "off"), "RETENTION_DAYS": ("retention_days", "off"), "QUERY_TOP_K": ("query_top_k", "6"),
    "CHUNK_CHARS": ("chunk_chars", "auto"), "CHUNK_OVERLAP_CHARS": ("chunk_overlap_chars", "0"), "DEDUP_THRESHOLD": ("dedup_threshold", "0.85"),
    "SEMANTIC_SCORE_WEIGHT": ("semantic_score_weight", "0.6"), "LEXICAL_SCORE_WEIGHT": ("lexical_score_weight", "0.25"),
    "KEYWORD_BONUS_WEIGHT": ("keyword_bonus_weight", "0.08"), "METADATA_BONUS_WEIGHT": ("metadata_bonus_weight", "0.07"),
    "SEMANTIC_CANDIDATE_MULTIPLIER": ("semantic_candidate_multiplier", "4"), "LEXICAL_CANDIDATE_MULTIPLIER": ("lexical_candidate_multiplier", "4"),
    "DECAY_START_PCT": ("decay_start_pct", "0.5"),
}  # fmt: skip


def test_every_variable_of_a_context_store_has_its_counterpart_which_the_page_explains() -> None:
    defaults = {one.name: one.default for one in registry.settings()}
    page = (TESTS.parent / "docs" / "how-to" / "sources.md").read_text(encoding="utf-8")
    for name, default in THEIRS.values():
        assert str(defaults[name]) == default, name
        assert f"`DAYPACK_{name.upper()}`" in page, name


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "DAYPACK_RECORD_BACKEND",
            "file",
            "record_backend 'file' is not valid; it may be sqlite: a write is one transaction of one SQLite file",
        ),
        ("DAYPACK_INDEX_BACKEND", "json", "may be sqlite: a write is one transaction"),
        ("DAYPACK_CHUNK_OVERLAP_CHARS", "120", "may be 0: parts of a text do not overlap"),
        ("DAYPACK_MAX_RECORDS_PER_SCOPE_KIND", "-1", "may be off or a whole number from 1 to 1,000,000"),
        ("DAYPACK_RETENTION_DAYS", "soon", "may be off or a number from 0.001 to 100,000"),
        ("DAYPACK_QUERY_TOP_K", "0", "may be a whole number from 1 to 1,000"),
        ("DAYPACK_SEMANTIC_SCORE_WEIGHT", "nan", "may be a number from 0 to 1,000"),
        ("DAYPACK_DEDUP_THRESHOLD", "1.5", "may be a number from 0 to 1"),
    ],
)
def test_what_a_variable_may_not_be_is_refused_with_the_reason(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    with pytest.raises(BadConfiguration, match=said):
        configured(tmp_path, **{name.removeprefix("DAYPACK_"): value})


def test_weighted_candidates_are_a_multiple_of_the_limit(tmp_path: Path, clock: Clock) -> None:
    weights = (("semantic_candidate_multiplier", "1"), ("lexical_candidate_multiplier", "1"))
    with Daypack.open(tmp_path / ".daypack", settings=replace(WORDS, of_doors=weights), clock=clock) as dp:
        for number in range(6):
            dp.sources.ingest(buoy(number))
        found = dp.sources.retrieve(
            RetrieveRequest("buoy number3 pier", user_id="ana", ranking="weighted", limit=2)
        )
        assert len(found.items) == 2
        assert found.items[0].source_key == "buoy/3"


def test_a_command_is_refused_while_a_variable_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    out = daypack(
        "source",
        "store",
        "user_prompt",
        "x",
        cwd=tmp_path,
        env=environment(DAYPACK_RECORD_BACKEND="file"),
        status=2,
    )
    assert "record_backend 'file' is not valid; it may be sqlite" in out.stderr
    assert "Traceback" not in out.stderr


def test_config_shows_every_setting_of_sources_with_its_origin(tmp_path: Path) -> None:
    shown = json.loads(
        daypack("config", "show", "--json", cwd=tmp_path, env=environment(DAYPACK_RETENTION_DAYS="30")).stdout
    )
    assert (shown["retention_days"]["value"], shown["retention_days"]["origin"]) == (
        "30",
        "DAYPACK_RETENTION_DAYS",
    )
    assert (shown["max_records_per_scope_kind"]["value"], shown["max_records_per_scope_kind"]["level"]) == (
        "off",
        "default",
    )
    assert shown["semantic_score_weight"]["value"] == "0.6"
    assert (
        daypack(
            "config", "show", cwd=tmp_path, env=environment(DAYPACK_INDEX_BACKEND="json"), status=2
        ).stdout
        == ""
    )
