"""A log is known by its lines, whatever its name is."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record
from support import WORDS, project

JAVA = "2026-11-18 14:00:{0:02},148 INFO  [http-4] d.h.t.Gauges - reading {0} of gauge 3"
PINO = '{{"level":30,"time":17634240{0:05},"pid":17,"msg":"request completed","url":"/orders/{0}"}}'
LOGS = {
    "tide.out": JAVA,
    "server.log.1": "Nov 17 00:00:{0:02} gate-7 barrier[820]: vehicle {0} passed lane 2",
    "orders.jsonl": PINO,
    "access.txt": '10.0.0.{0} - - [16/Nov/2026:10:00:{0:02} +0000] "GET /quote HTTP/1.1" 200 512',
    "nightly.txt": "2026-11-22T04:00:{0:02}.2450128Z scenario {0} done",
    "error": "2026/11/18 02:00:{0:02} [info] 1200#0: *88000 client closed keepalive connection",
}
OTHERS = {
    "meeting.txt": "[00:12:{0:02}] Anna: the {0} pumps failed again, she said",
    "film.txt": "{0}\n00:01:{0:02},000 --> 00:01:{0:02},900\nWhere is everybody?\n",
    "letter.txt": "The {0}th pump of the north pier is an ERROR of the builders.",
    "rows.jsonl": '{{"name":"pump {0}","level":3,"bar":2.5}}',
}


def language(name: str, line: str) -> str:
    text = "".join(line.format(n) + "\n" for n in range(1, 50))
    record = record_from_bytes(text.encode(), uid=name)
    assert isinstance(record, Record)
    return record.language


@pytest.mark.parametrize(("name", "line"), LOGS.items())
def test_a_log_is_known_by_its_lines(name: str, line: str) -> None:
    assert language(name, line) == "log"


@pytest.mark.parametrize(("name", "line"), OTHERS.items())
def test_texts_and_rows_with_times_or_levels_are_not_taken_for_logs(name: str, line: str) -> None:
    assert language(name, line) != "log"


def test_a_log_of_json_lines_shows_its_failure_whatever_the_question_says(tmp_path: Path) -> None:
    lines = [PINO.format(n) for n in range(500)]
    lines[300] = '{"level":60,"time":1763424000300,"pid":17,"msg":"shutting down, valve seven is stuck"}'
    folder = project(tmp_path / "plant", {"orders.jsonl": "\n".join(lines)})
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        assert "valve seven" in dp.pack("purple elephants", source="*.jsonl", budget=150, vectors="none").text
