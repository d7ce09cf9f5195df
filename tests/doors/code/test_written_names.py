"""Names as each language writes them: with signs, through paths, inside macros, by an alias."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract

# what is used → (files, file:line, (file, qualified name) of every certain edge on that line)
NAMES: dict[str, tuple[dict[str, str], str, set[str]]] = {
    "a class whose name begins with a dollar sign": (
        {"port.ts": "export class $Port { tide(): number { return 1 } }\n", "quay.ts": "import { $Port } from './port'\nexport const go = () => new $Port().tide()\n"},
        "quay.ts:2", {"port.ts $Port", "port.ts $Port.tide"}),
    "a field whose name begins with a dollar sign": (
        {"port.js": "class Crane {\n  lift() {}\n}\nclass Port {\n  constructor() {\n    this.$crane = new Crane()\n  }\n  go() {\n    this.$crane.lift()\n  }\n}\nclass Winch {\n  lift() {}\n}\n"},
        "port.js:9", {"port.js Crane.lift"}),
    "a field of PHP, which is declared with a dollar sign": (
        {"port.php": "<?php\nclass Crane {\n  function lift() {}\n}\nclass Winch {\n  function lift() {}\n}\nclass Port {\n  private Crane $crane;\n  function go() {\n    $this->crane->lift();\n  }\n}\n"},
        "port.php:11", {"port.php Crane.lift"}),
    "a nested class of Java whose name begins with a dollar sign": (
        {"Port.java": "class Port {\n  static class $Crane {\n    void lift() {}\n  }\n  void go($Crane crane) {\n    crane.lift();\n  }\n}\nclass Winch {\n  void lift() {}\n}\n"},
        "Port.java:6", {"Port.java Port.$Crane.lift"}),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMES)
def test_a_name_leads_to_its_definition(tmp_path: Path, case: str) -> None:
    files, where, wanted = NAMES[case]
    file, _, line = where.rpartition(":")
    with opened(tmp_path / "app", files) as dp:
        found = {
            f"{edge.target.file} {edge.target.name}"
            for edge in dp.code.edges(file)
            if edge.line == int(line) and not edge.ambiguous and edge.relation in ("calls", "uses", "extends")
        }
    assert found == wanted


def test_operators_of_ruby_are_methods_of_their_names() -> None:
    text = "class Port\n" + "".join(
        f"  def {sign}(other)\n  end\n" for sign in ("<=>", "==", "<<", "*", "[]", "&")
    )
    assert [symbol.qualified for symbol in extract(text + "end\n", "ruby").symbols] == [
        "Port",
        "Port.<=>",
        "Port.==",
        "Port.<<",
        "Port.*",
        "Port.[]",
        "Port.&",
    ]
