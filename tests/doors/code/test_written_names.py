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
    "types of a TypeScript module that is imported whole": (
        {"tide.ts": "export interface Low { a: string }\nexport class Port {}\nexport type High<T> = T\n",
         "quay.ts": "import * as tide from './tide'\nexport abstract class Quay extends tide.Port implements tide.Low { go(x: tide.High<string>): tide.Low { return x } }\nexport interface Pier extends tide.Low {}\n"},
        "quay.ts:2", {"tide.ts Low", "tide.ts Port", "tide.ts High"}),
    "modules of Elixir that one alias names together": (
        {"tide.ex": "defmodule Port.Tide do\n  defstruct [:a]\n  def rise(x), do: x\nend\n", "lake.ex": "defmodule Lake.Tide do\n  defstruct [:a]\n  def rise(x), do: x\nend\n",
         "quay.ex": "defmodule Port.Quay do\n  alias Port.{Other, Tide}\n  def go(x), do: Tide.rise(%Tide{a: x})\nend\n"},
        "quay.ex:3", {"tide.ex Port.Tide", "tide.ex Port.Tide.rise"}),
    "a module of Elixir by another name": (
        {"tide.ex": "defmodule Port.Tide do\n  defstruct [:a]\n  def rise(x), do: x\nend\n",
         "quay.ex": "defmodule Port.Quay do\n  alias Port.Tide, as: T\n  def go(x), do: T.rise(%T{a: x})\nend\n"},
        "quay.ex:3", {"tide.ex Port.Tide", "tide.ex Port.Tide.rise"}),
    "a module of Elixir by its full name": (
        {"tide.ex": "defmodule Port.Tide do\n  defstruct [:a]\n  def rise(x), do: x\nend\n", "lake.ex": "defmodule Lake.Tide do\n  defstruct [:a]\n  def rise(x), do: x\nend\n",
         "quay.ex": "defmodule Port.Quay do\n  def go(x), do: Port.Tide.rise(%Port.Tide{a: x})\nend\n"},
        "quay.ex:2", {"tide.ex Port.Tide", "tide.ex Port.Tide.rise"}),
    "a module of Elixir below one that an alias names": (
        {"tide.ex": "defmodule Port.Tide.Low do\n  def rise(x), do: x\nend\n", "quay.ex": "defmodule Quay do\n  alias Port.Tide\n  def go(x), do: Tide.Low.rise(x)\nend\n"},
        "quay.ex:3", {"tide.ex Port.Tide.Low", "tide.ex Port.Tide.Low.rise"}),
    "a function of Elixir that is handed on, beside a variable of its name": (
        {"tide.ex": "defmodule Tide do\n  def go(x) do\n    rise = 1\n    Enum.map(x, &rise/1)\n  end\n  def rise(x), do: x\nend\n"},
        "tide.ex:4", {"tide.ex Tide.rise"}),
    "a function of the module of Elixir around it": (
        {"tide.ex": "defmodule Tide do\n  def go(x), do: __MODULE__.rise(x)\n  def rise(x), do: x\nend\n", "lake.ex": "defmodule Lake do\n  def rise(x), do: x\nend\n"},
        "tide.ex:2", {"tide.ex Tide.rise"}),
    "a base of PHP with its namespace": (
        {"a/Base.php": "<?php\nnamespace Port\\Test;\nclass Base {\n  function tide() {}\n}\n", "b/Base.php": "<?php\nnamespace Lake;\nclass Base {\n  function tide() {}\n}\n",
         "c/Quay.php": "<?php\nnamespace Port;\nclass Quay extends \\Port\\Test\\Base { function go() { $this->tide(); } }\n"},
        "c/Quay.php:3", {"a/Base.php Base", "a/Base.php Base.tide"}),
    "a class of PHP below an imported namespace": (
        {"a/Base.php": "<?php\nnamespace Port\\Test;\nclass Base {\n  static function tide() {}\n}\n", "b/Base.php": "<?php\nnamespace Lake;\nclass Base {\n  static function tide() {}\n}\n",
         "c/Quay.php": "<?php\nnamespace Quay;\nuse Port\\Test as T;\nfunction go(T\\Base $x) { T\\Base::tide(); }\n"},
        "c/Quay.php:4", {"a/Base.php Base", "a/Base.php Base.tide"}),
    "a base of PHP below an imported namespace": (
        {"a/Base.php": "<?php\nnamespace Port\\Test;\nclass Base {\n  function tide() {}\n}\n", "b/Base.php": "<?php\nnamespace Lake;\nclass Base {\n  function tide() {}\n}\n",
         "c/Quay.php": "<?php\nnamespace Quay;\nuse Port\\Test;\nclass Quay extends Test\\Base { function go() { $this->tide(); } }\n"},
        "c/Quay.php:4", {"a/Base.php Base", "a/Base.php Base.tide"}),
    "a new object and a function of PHP with their namespaces": (
        {"a/Base.php": "<?php\nnamespace Port\\Test;\nclass Base {\n}\nfunction tide() {\n}\n", "b/Base.php": "<?php\nnamespace Lake;\nclass Base {\n}\nfunction tide() {\n}\n",
         "c/Quay.php": "<?php\nnamespace Quay;\n\\Port\\Test\\tide(new \\Port\\Test\\Base());\n"},
        "c/Quay.php:3", {"a/Base.php Base", "a/Base.php tide"}),
    "classes of PHP that one `use` names together": (
        {"a/Base.php": "<?php\nnamespace Port\\Test;\nclass Base {\n}\nclass Tide {\n}\n", "b/Base.php": "<?php\nnamespace Lake;\nclass Base {\n}\nclass Tide {\n}\n",
         "c/Quay.php": "<?php\nnamespace Quay;\nuse Port\\{Test\\Base, Test\\Tide as Low};\nfunction go(Base $a, Low $b) {}\n"},
        "c/Quay.php:4", {"a/Base.php Base", "a/Base.php Tide"}),
    "a base of Java with its package": (
        {"port/test/Base.java": "package port.test;\npublic class Base {\n  void tide() {}\n}\n", "lake/Base.java": "package lake;\npublic class Base {\n  void tide() {}\n}\n",
         "quay/Quay.java": "package quay;\nclass Quay extends port.test.Base {\n  void go() { tide(); new port.test.Base(); }\n}\n"},
        "quay/Quay.java:3", {"port/test/Base.java Base", "port/test/Base.java Base.tide"}),
    "a base of Kotlin with its package": (
        {"port/test/Base.kt": "package port.test\nopen class Base {\n  fun tide() {}\n}\n", "quay/Quay.kt": "package quay\nclass Quay : port.test.Base() {\n  fun go() { tide() }\n}\n"},
        "quay/Quay.kt:3", {"port/test/Base.kt Base.tide"}),
    "a class of C# below a namespace around it": (
        {"a/Base.cs": "namespace Port.Test;\npublic class Base {\n  public static void Tide() {}\n}\n", "b/Base.cs": "namespace Lake;\npublic class Base {\n  public static void Tide() {}\n}\n",
         "c/Quay.cs": "namespace Port.App;\nclass Quay : Test.Base {\n  void Go(Test.Base x) { Port.Test.Base.Tide(); }\n}\n"},
        "c/Quay.cs:3", {"a/Base.cs Base", "a/Base.cs Base.Tide"}),
    "a base of C# by another name, in a folder that is called like one of tests": (
        {"Test/Base.cs": "namespace Port.Test;\npublic class Base {\n  public void Tide() {}\n}\n", "c/Quay.cs": "using Low = Port.Test.Base;\nnamespace Port.App;\nclass Quay : Low { void Go() { Tide(); } }\n"},
        "c/Quay.cs:3", {"Test/Base.cs Base", "Test/Base.cs Base.Tide"}),
    "extension methods of C# on values of a class, of an enum and of a result": (
        {"a/Ext.cs": "namespace Port;\npublic static class Ext {\n  public static int Rise(this Tide t) => 1;\n  public static int Fall(this Low l, int by = 1) => 2;\n  public static int Any<T>(this T t) => 3;\n}\n",
         "a/Lake.cs": "namespace Port;\npublic static class Lake {\n  public static int Rise(this Quay q) => 1;\n  public static int Fall(this string s) => 2;\n}\n",
         "a/Tide.cs": "namespace Port;\npublic class Tide {}\npublic enum Low { A }\npublic class Quay {}\n",
         "b/Use.cs": "namespace Port.App;\nclass Use {\n  int Go(Tide t, Low l) { return t.Rise() + l.Fall(2) + Make().Rise() + t.Any(); }\n  Tide Make() => null;\n}\n"},
        "b/Use.cs:3", {"a/Ext.cs Ext.Rise", "a/Ext.cs Ext.Fall", "a/Ext.cs Ext.Any", "a/Tide.cs Tide", "a/Tide.cs Low", "b/Use.cs Use.Make"}),
    "an extension method of C# on an interface that a base has": (
        {"a/Ext.cs": "namespace Port;\npublic static class Ext {\n  public static int Rise(this IList<int> list) => 1;\n  public static int Rise(this Low l) => 1;\n}\n",
         "a/Tide.cs": "namespace Port;\npublic class Low {}\npublic class Base : IList<int> {}\npublic class Tide : Base {}\n",
         "b/Use.cs": "namespace Port.App;\nclass Use {\n  int Go(Tide tide) {\n    return tide.Rise();\n  }\n}\n"},
        "b/Use.cs:4", {"a/Ext.cs Ext.Rise"}),
    "a foreign package of Scala with the name of an object of another package": (
        {"build/Tool.scala": "package build\n\nobject sys {\n  def level = 1\n}\n", "app/Use.scala": "package app\n\nimport sys._\n\nobject Use {\n  def go() = sys.level + sys.rise()\n}\n"},
        "app/Use.scala:6", set()),
    "a package of Scala that an import brings whole, and one below the package of the file": (
        {"src/Level.scala": "package port\n\nobject Level {\n  case class High(a: Int)\n  def of(a: Int) = a\n}\nobject tide {\n  def rise() = 1\n}\n", "test/Use.scala": "package test.port\n\nimport port._\nimport Kit._\n\nobject Use {\n  def go() = prep(tide.rise() + Level.of(1), new Level.High(2))\n}\n",
         "lib/Kit.scala": "package test.port\n\nobject Kit {\n  def prep(a: Int) = a\n}\n"},
        "test/Use.scala:7", {"src/Level.scala Level", "src/Level.scala Level.of", "src/Level.scala Level.High", "src/Level.scala tide", "src/Level.scala tide.rise", "lib/Kit.scala Kit.prep"}),
    "a label of a switch of Java": (
        {"a/Tide.java": "package a;\npublic enum Tide { LOW, HIGH }\n", "b/Lake.java": "package b;\npublic enum Lake { LOW }\n",
         "b/Use.java": "package b;\nimport a.Tide;\nclass Use {\n  static final int FULL = 1;\n  int go(Tide tide, int level) {\n    switch (tide) { case LOW: return 1; default: }\n    switch (level) { case FULL: return 1; default: }\n    return switch (tide) { case HIGH -> 1; default -> 2; };\n  }\n}\n"},
        "b/Use.java:6", {"a/Tide.java Tide.LOW"}),
    "a label with an arrow of a switch of Java": (
        {"a/Tide.java": "package a;\npublic enum Tide { LOW, HIGH }\n", "b/Use.java": "package b;\nimport a.Tide;\nclass Use {\n  int go(Tide tide) {\n    return switch (tide) { case LOW, HIGH -> 1; };\n  }\n}\n"},
        "b/Use.java:5", {"a/Tide.java Tide.LOW", "a/Tide.java Tide.HIGH"}),
    "a label of a switch of Java that is no member": (
        {"b/Use.java": "package b;\nclass Use {\n  static final int FULL = 1;\n  int go(int level) {\n    switch (level) { case FULL: return 1; default: return 2; }\n  }\n}\n"},
        "b/Use.java:5", {"b/Use.java Use.FULL"}),
    "a default and a type of Python with the names of their parameters": (
        {"tide.py": "LIMIT = 3\nclass level: ...\ndef rise(): ...\ndef go(a, LIMIT=LIMIT, rise: object = rise, *, level: level = None): return LIMIT + rise()\n"},
        "tide.py:4", {"tide.py LIMIT", "tide.py rise", "tide.py level"}),
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


def test_callers_are_found_by_the_name_that_an_import_gives(tmp_path: Path) -> None:
    files = {
        "tide.ex": "defmodule Port.Tide do\n  defstruct [:a]\nend\n",
        "quay.ex": "defmodule Quay do\n  alias Port.Tide, as: T\n  def go(x), do: %T{a: x}\nend\n",
        "a/Base.php": "<?php\nnamespace Port;\nclass Base {\n}\n",
        "b/Quay.php": "<?php\nnamespace Quay;\nuse Port\\Base as Low;\nfunction moor(Low $a) {}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [row.symbol.name for row in dp.code.callers("Port.Tide")] == ["Quay.go"]
        assert [row.symbol.name for row in dp.code.callers("a/Base.php:Base")] == ["moor"]


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


def test_a_method_of_lua_is_named_with_its_colon(tmp_path: Path) -> None:
    port = "local Port = {}\n\nfunction Port:moor(a)\n  return a\nend\n\nlocal function go()\n  return Port:moor(1)\nend\n\nreturn Port\n"
    with opened(tmp_path / "app", {"port.lua": port}) as dp:
        assert [user.symbol.name for user in dp.code.callers("Port:moor")] == ["go"]


def test_the_tests_of_perl_stand_in_the_folder_t(tmp_path: Path) -> None:
    files = {
        "lib/Sea/Port.pm": "package Sea::Port;\n\nsub moor_ship {\n  return 1;\n}\n\n1;\n",
        "t/port.t": "use Test::More;\nuse Sea::Port;\n\nis(Sea::Port->moor_ship(1), 1);\ndone_testing;\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [edge.symbol.file for edge in dp.code.tests_for("moor_ship")] == ["t/port.t"]
