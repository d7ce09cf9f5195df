"""What reads files and cuts texts has a version that rises when either changes (`READER_VERSION`), or a store would not
say that it was read by an earlier one.

The specimens are texts of this project and documents made here, so not every change shows. A specimen that was edited or is
new is not compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack.doors.reading.formats import record_from_bytes
from daypack.engine.ingest import prepare
from daypack.engine.upkeep import READER_VERSION
from daypack.ports import Handling
from daypack.types import Record
from documents_made import docx, epub, paragraph, pdf, pptx, printed, rtf, word_table, xlsx

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("reader_changes.json")
FOLDERS = ("examples", "evals/relations", "clients", "docs/decisions", "docs/how-to", "fuzz/corpus/chunks")
STATIC = "src/daypack/surfaces/web/static"
LONGEST = 60_000  # bytes


TEXTS = {
    "made/灯台.md": "# 灯台\n\n"
    + "灯は日没にともる。風が強い日は早くともす！だれがともすのか？次の表を見る：\n\n- 一月\n- 二月\n" * 12,
    "made/Hafen.md": "# Hafengebühren\n\n"
    + "Der Liegeplatz kostet 18 Euro am Tag. Vgl. dazu die Tabelle, z. B. für Boote.\n" * 20,
    "made/tide.cpp": "namespace tide {\nclass PORT_API Clock final {\npublic:\n  int low() const { return 1; }\n};\n#define EACH(x) \\\n  for (auto x : all)\n}\n",
    "made/tide.c": "int low(int x) {\n#ifdef FAST\n  if (x) {\n#endif\n    x = 1;\n#ifdef FAST\n  }\n#endif\n  return x;\n}\n\nint high(void) {\n  return low(2);\n}\n",
    "made/Tide.cs": "namespace Tide;\npublic partial class Clock {\n    public int Low => 1;\n    public int High(int day) { return day; }\n}\n",
    "made/Tide.java": "package tide;\n/** A clock. */\nclass Clock {\n  int low() { return 1; }\n  record Turn(int at) {}\n}\n",
    "made/tide.kt": "package tide\nval Int.low: Int get() = 1\nclass Clock(val at: Int) {\n  fun high() = at\n}\n",
    "made/tide.gd": "class_name Tide extends Node\n\n## Raise it.\nfunc rise(by: int) -> void:\n\tlevel += by\n",
    "made/tide.rb": "module Tide\n  class Clock\n    def low = 1\n    def self.high\n      2\n    end\n  end\nend\n",
    "made/tide.php": "<?php\nnamespace Tide;\nfinal class Clock {\n  public function low(): int { return 1; }\n}\n",
    "made/tide.swift": "extension Clock {\n  func low() -> Int { 1 }\n}\n",
    "made/tide.ex": "defmodule Tide do\n  def low(1), do: 1\n  def low(n) do\n    n\n  end\nend\n",
    "made/tide.sql": "CREATE TABLE tide (at INT);\nCREATE VIEW low AS SELECT * FROM tide;\n",
    "made/tide.yaml": "kind: Job\nmetadata:\n  name: tide\nspec:\n  # when it turns\n  at: |\n    high: 1\n---\nlow: 2\n",
    "made/tide.prisma": "// A tide.\nmodel Tide {\n  at Int\n}\nenum Kind {\n  LOW\n}\n",
    "made/tide.proto": 'syntax = "proto3";\nservice Tides {\n  rpc Low (Day) returns (Hour);\n}\n',
    "made/tide.env": "# When it turns.\nTIDE_AT=1\n\n# Where.\nTIDE_PORT=2\n",
    "made/Dockerfile": "FROM tide AS build\nRUN make\n# Ships.\nFROM scratch\nCOPY a b\n",
    "made/tide.conf": "# When it turns.\ntide {\n  at 6;\n\n  # Where.\n  port 2;\n}\n",
    "made/tide.nix": "{ lib, ... }:\n\n{\n  # When it turns.\n  tide.at = 6;\n}\n",
    "made/BUILD": 'load("//tide:defs.bzl", "tide")\n\n# When it turns.\ntide(\n    name = "low",\n)\n',
    "made/_helpers.tpl": '{{/* When it turns. */}}\n{{- define "tide.at" -}}\n6\n{{- end }}\n',
    "made/table.md": "# Tariff\n\nPrices.\n\n| Berth | Day |\n|---|---|\n" + "| up to 8 m | 18.00 |\n" * 80,
    "made/CHANGES.rst": "Changes\n=======\n\n2.1 (2025-01-02)\n----------------\n\n* Fixed the lamp.\n",
    "made/SPEC.rdoc": "= Tides\n\n== Low\n\nTwice a day.\n\n  low(1)\n\n=== Pumps\n\n* One lifts.\n* Two rest.\n",
    "made/rules.txt": "1. Boats\n\n   All float.\n\n2. Oars\n\n2.1 Care\n\n   Oil them.\n\n3. Fees\n\n   None is due.\n",
    "made/pump.txt": "NAME\n     pump - lift water\n\nOPTIONS\n     -v   Say more.\n\n          Twice says all.\n\nFILES\n     None.\n",
    "made/book.txt": "  Boats.\n\n- 1 -\n\fThe book\n\n  Oars.\n\n- 2 -\n\fThe book\n\n  Sails.\n\n- 3 -\n\fThe book\n\n  Ropes.\n",
    "made/talk.srt": "1\n00:00:01,000 --> 00:00:02,000\nThe lamp\n\n2\n00:00:02,000 --> 00:00:04,000\nis lit.\n",
    "made/cur/1793696400.M1P2.quay:2,S": "Received: by quay\nFrom: Bo <bo@quay>\nDate: Tue, 3 Nov 2026 10:00:00 +0100\nSubject: Fee\n\n=46ee.\n",
    "made/lamp.1": ".TH LAMP 1\n.SH NAME\nlamp \\- light it\n.SH OPTIONS\n.TP\n.B \\-v\nSay more.\n",
}


def specimens() -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the texts and documents that are read and cut."""
    for folder in (*FOLDERS, STATIC):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.stat().st_size <= LONGEST:
                yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    yield from ((name, text.encode()) for name, text in TEXTS.items())
    yield (
        "made/tides.pdf",
        pdf(["Tides\n\nThe tide turns twice a day.", "Pumps\n\nA pump lifts water."], title="Tides"),
    )
    yield "made/bill.pdf", pdf([printed(("F", 11, 72, 600, "Total 40"), ("F", 11, 72, 700, "Bill 7"))])
    name = "/Subtype /Widget /FT /Tx /T (name) /Rect [110 715 200 730] /V (Ann)"
    yield "made/form.pdf", pdf(["Name\nSigned"], added=[name])
    yield (
        "made/report.docx",
        docx(paragraph("Report", "Heading1"), paragraph("All is well."), word_table(("a", "b"), ("1", "2"))),
    )
    yield "made/talk.pptx", pptx(("Opening", ["one", "two"], "say hello"))
    yield "made/table.xlsx", xlsx({"prices": [["tea", 3], ["milk", 1.5]]})
    yield (
        "made/keeper.epub",
        epub({"one.xhtml": "<h1>One</h1><p>The lamp is lit at dusk.</p>"}, title="The keeper"),
    )
    yield "made/note.rtf", rtf(r"\b Bold\b0  and plain.\par Second line.", title="Note")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def cut_of(name: str, data: bytes) -> str:
    """A digest of everything that a store would hold of a file, apart from its times."""
    record = record_from_bytes(data, uid=name)
    if not isinstance(record, Record):
        return digest(repr((record.reason, record.detail)).encode())
    prepared, _ = prepare(record, Handling())
    facts = (record.title, record.kind, record.language, record.rendered, prepared.hash, prepared.cut)
    return digest(repr(facts).encode())


def test_the_version_of_the_reader_rises_when_a_cut_changes(request: pytest.FixtureRequest) -> None:
    now = {f"{name} {digest(data)}": cut_of(name, data) for name, data in specimens()}
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"version": 0, "cuts": {}}
    changed = [name for name, cut in now.items() if kept["cuts"].get(name, cut) != cut]
    assert not changed or kept["version"] < READER_VERSION, (
        f"{len(changed)} specimens are read or cut otherwise ({', '.join(changed[:3])}): raise READER_VERSION in "
        "src/daypack/engine/upkeep.py, then run this test with --update-golden"
    )
    if request.config.getoption("--update-golden"):
        KEPT.write_text(
            json.dumps({"version": READER_VERSION, "cuts": now}, indent=0, sort_keys=True) + "\n",
            encoding="utf-8",
        )
    else:
        assert kept["version"] == READER_VERSION, "run this test with --update-golden"
        assert now.keys() & kept["cuts"].keys(), "no specimen is known"
