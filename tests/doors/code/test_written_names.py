"""Names as each language writes them: with signs, through paths, inside macros, by an alias."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.extraction.pages import extract_manifest

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
    "a method inside a macro of Rust": (
        {"src/lib.rs": "struct Port;\nimpl Port {\n    fn tide(&self) -> u8 { 1 }\n}\nfn go(port: Port) {\n    assert_eq!(port.tide(), 1);\n}\nstruct Quay;\nimpl Quay {\n    fn tide(&self) -> u8 { 2 }\n}\n"},
        "src/lib.rs:6", {"src/lib.rs Port.tide"}),
    "a function after a comma inside a macro of Rust, whose argument is a value": (
        {"src/lib.rs": "struct Port;\nimpl Port {\n    fn tide(&self) -> u8 { 1 }\n}\nfn tide() -> u8 { 2 }\nconst LOW: u8 = 2;\nfn go(port: Port) {\n    assert_eq!(port, tide(), \"{}\", LOW);\n}\n"},
        "src/lib.rs:8", {"src/lib.rs tide", "src/lib.rs LOW"}),
    "members of values of a call, of a type and of a module inside a macro of Rust": (
        {"src/lib.rs": "mod quay;\nstruct Port;\nimpl Port {\n    fn new() -> Port { Port }\n    fn tide<T>(&self) -> u8 { 1 }\n}\nfn go() {\n    vec![Port::new().tide::<u8>(), (Port { tide: 1 }), \"a\".high(), quay::low(2)];\n}\nfn high() {}\n",
         "src/quay.rs": "pub fn low(a: u8) -> u8 { a }\n"},
        "src/lib.rs:8", {"src/lib.rs Port", "src/lib.rs Port.new", "src/lib.rs Port.tide", "src/quay.rs low"}),
    "a function of Rust that has the name of its module": (
        {"src/lib.rs": "mod quay;\nmod tide;\n", "src/tide/mod.rs": "mod rise;\npub use self::rise::rise;\n",
         "src/tide/rise.rs": "pub fn rise(a: u8) -> u8 { a }\npub fn fall(a: u8) -> u8 { a }\n",
         "src/quay.rs": "use crate::tide::rise;\npub fn go() -> u8 { rise(1) }\n"},
        "src/quay.rs:2", {"src/tide/rise.rs rise"}),
    "another function of a module of Rust that has a function of its name": (
        {"src/lib.rs": "mod rise;\nuse rise::rise;\npub fn go() -> u8 {\n    rise::fall(rise(1))\n}\n",
         "src/rise.rs": "pub fn rise(a: u8) -> u8 { a }\npub fn fall(a: u8) -> u8 { a }\n"},
        "src/lib.rs:4", {"src/rise.rs rise", "src/rise.rs fall"}),
    "an imported module of Rust that has a function of its name": (
        {"src/lib.rs": "mod quay;\nmod rise;\npub use self::rise::rise;\n", "src/quay.rs": "use crate::rise;\npub fn go() -> u8 {\n    rise::\n        fall(1)\n}\n",
         "src/rise.rs": "pub fn rise(a: u8) -> u8 { a }\npub fn fall(a: u8) -> u8 { a }\n"},
        "src/quay.rs:4", {"src/rise.rs fall"}),
    "a function outside of the module of Rust around a test": (
        {"src/lib.rs": "mod tide;\nfn rise() -> u8 { 1 }\n", "src/tide.rs": "fn rise() -> u8 { 2 }\nmod tests {\n    fn rises() {\n        super::rise();\n    }\n}\n"},
        "src/tide.rs:4", {"src/tide.rs rise"}),
    "a crate whose manifest has a list before its name": (
        {"tide/Cargo.toml": "[package]\nauthors = [\"a\"]\nname = \"tide-tables\"\n", "tide/src/lib.rs": "pub fn rise(a: u8) -> u8 { a }\n",
         "quay/Cargo.toml": "[package]\nname = \"quay\"\n", "quay/src/lib.rs": "use tide_tables::rise;\npub fn go() -> u8 { rise(1) }\n"},
        "quay/src/lib.rs:2", {"tide/src/lib.rs rise"}),
    "a crate whose library has another name": (
        {"tide/Cargo.toml": "[package]\nname = \"tide-tables\"\n[lib]\nname = \"tides\"\n", "tide/src/lib.rs": "pub fn rise(a: u8) -> u8 { a }\n",
         "quay/Cargo.toml": "[package]\nname = \"quay\"\n", "quay/src/lib.rs": "use tides::rise;\npub fn go() -> u8 { rise(1) }\n"},
        "quay/src/lib.rs:2", {"tide/src/lib.rs rise"}),
    "a package whose manifest names its author first": (
        {"tide/package.json": '{"author": {"name": "quay"}, "name": "@port/tide"}', "tide/src/index.ts": "export function rise(a: number) { return a }\n",
         "quay/src/go.ts": "import { rise } from '@port/tide'\nexport const go = () => rise(1)\n"},
        "quay/src/go.ts:2", {"tide/src/index.ts rise"}),
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


@pytest.mark.parametrize(
    ("name", "text"),
    [("Cargo.toml", "[package"), ("Cargo.toml", "[workspace]\n"), ("Cargo.toml", "lib = 1\n"), ("package.json", "{,}"), ("package.json", "[]"), ("go.mod", "")],
)  # fmt: skip
def test_a_manifest_without_a_name_names_nothing(name: str, text: str) -> None:
    assert extract_manifest(text, name, "text").module == ""


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
