"""Calls as coding agents make them in the course of a day: after their own edits, in their own spelling."""

from __future__ import annotations

from pathlib import Path

import pytest
from tool_calls import talked

from daypack import Daypack
from daypack.surfaces.host import Host
from support import WORDS


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """The server of a small project that is indexed."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "fees.py").write_text("def fee(amount):\n    return amount // 10\n")

    def opened() -> Daypack:
        return Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS)

    with opened() as dp:
        dp.files.add(tmp_path)
    return Host(opened, embeds=False)


def test_a_path_is_opened_as_the_file_is_after_an_edit(tmp_path: Path, host: Host) -> None:
    (tmp_path / "src" / "fees.py").write_text("RATE = 20\n\n\ndef fee(amount):\n    return amount // RATE\n")
    (text,) = talked(host, ("get", {"reference": "src/fees.py:4-5"}))
    assert "return amount // RATE" in text
    assert "changed since" not in text


def test_a_file_that_the_agent_has_just_written_can_be_opened(tmp_path: Path, host: Host) -> None:
    (tmp_path / "src" / "rates.py").write_text("RATE = 20\n")
    text, unknown = talked(
        host, ("get", {"reference": "src/rates.py"}), ("get", {"reference": "src/rate.py"})
    )
    assert "RATE = 20" in text
    assert unknown.endswith("did you mean src/rates.py?")


def test_a_citation_with_its_checksum_still_shows_the_cited_text_after_an_edit(
    tmp_path: Path, host: Host
) -> None:
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        cited = dp.get("src/fees.py").record_hash[:8]
    (tmp_path / "src" / "fees.py").write_text("RATE = 20\n")
    (text,) = talked(host, ("get", {"reference": f"src/fees.py:1-2@{cited}"}))
    assert "return amount // 10" in text
    assert "the file changed since it was indexed; this is the indexed text" in text


def test_a_memory_is_written_and_forgotten_by_the_name_that_a_pack_cites(host: Host) -> None:
    _, _, listed, forgotten, gone = talked(
        host,
        ("remember", {"key": "fees/rate", "value": "The rate is 10 %."}),
        ("remember", {"key": "memory:fees/rate", "value": "The rate is 20 %."}),
        ("search", {"queries": ["rate"], "in": ["memories"]}),
        ("forget", {"key": "memory:fees/rate:1-1"}),
        ("get", {"reference": "memory:fees/rate"}),
    )
    assert "memory:memory:" not in listed
    assert listed.count("memory:fees/rate") == 1
    assert '"keys":["fees/rate"]' in forgotten
    assert "no record named" in gone


def test_a_write_does_not_send_back_the_text_that_the_agent_has_just_sent(host: Host) -> None:
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    plain, lost = talked(
        host,
        ("remember", {"key": "fees/rate", "value": "The rate is 10 %.", "tags": ["fees"]}),
        ("remember", {"key": "fees/token", "value": f"The token is {secret}."}),
    )
    assert "The rate is 10 %." not in plain
    assert '"key":"fees/rate"' in plain
    assert '"version":' in plain
    assert "The token is [REDACTED" in lost


def test_the_id_of_a_result_still_shows_its_text_after_an_edit(tmp_path: Path, host: Host) -> None:
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        (result,) = dp.search("fee")
    (tmp_path / "src" / "fees.py").write_text("RATE = 20\n")
    (text,) = talked(host, ("get", {"reference": str(result.chunk.id)}))
    assert "return amount // 10" in text
    assert "the file changed since it was indexed; this is the indexed text" in text
