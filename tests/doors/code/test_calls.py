"""Calls that lead to one place only if the rules of their language are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

CALLS: dict[str, tuple[dict[str, str], str, str]] = {
    "a type of the class around it, which has a constructor": (
        {"Port.java": "class Port {\n  Port() {}\n  void moor() {}\n  static void all(Port other) {\n    other.moor();\n  }\n}\n",
         "Quay.java": "class Quay {\n  void moor() {}\n}\n"},
        "Port.java:5", "Port.java Port.moor"),
    "a type of the base, which has a constructor": (
        {"a/Port.cs": "namespace A {\n  class Port {\n    public Port() {}\n    public void Moor() {}\n  }\n}\n",
         "b/Quay.cs": "namespace A.B {\n  class Quay : Port {\n    Port _port;\n    void Go() {\n      _port.Moor();\n    }\n    void Moor(int x) {}\n  }\n}\n"},
        "b/Quay.cs:5", "a/Port.cs Port.Moor"),
    "an extension method with overloads, far from its call": (
        {"util/Text.cs": "namespace U {\n  static class Text {\n    public static string Hoist(this string a, int b) { return a; }\n    public static string Hoist(this string a) { return a; }\n  }\n}\n",
         "app/Desk.cs": "namespace P {\n  class Desk {\n    string Go(string name) {\n      return name.Hoist(1);\n    }\n  }\n}\n"},
        "app/Desk.cs:4", "util/Text.cs Text.Hoist"),
    "a function that is called on a value of a foreign type, imported by its name": (
        {"util/Hex.kt": "package util\n\nfun ByteArray.toHex(big: Boolean = true): String {\n  return \"\"\n}\n",
         "app/Desk.kt": "package app\n\nimport util.toHex\n\nclass Desk(val data: ByteArray) {\n  fun go(): String {\n    return data.toHex()\n  }\n}\n"},
        "app/Desk.kt:7", "util/Hex.kt toHex"),
    "a function of the package, which lies in another folder": (
        {"src/commonMain/kotlin/Bits.kt": "package port.bits\n\nfun flipped(a: Int): Int {\n  return -a\n}\n",
         "src/jvmTest/kotlin/BitsTest.kt": "package port.bits\n\nclass BitsTest {\n  fun flips() {\n    flipped(1)\n  }\n}\n"},
        "src/jvmTest/kotlin/BitsTest.kt:5", "src/commonMain/kotlin/Bits.kt flipped"),
    "a function beside the class whose value it is called on": (
        {"Zip.kt": "class Source {\n  fun read(): Int = 1\n}\n\nfun go(path: String) {\n  open(path).use { source ->\n    source.readEntry()\n  }\n}\n\nfun Source.readEntry(): Int {\n  return read()\n}\n"},
        "Zip.kt:7", "Zip.kt readEntry"),
    "a property that is called as its type": (
        {"a/Crane.cs": "namespace A {\n  class Crane {\n    public void Lift() {}\n  }\n  class Winch {\n    public void Lift() {}\n  }\n}\n",
         "a/Port.cs": "namespace A {\n  class Port {\n    public Crane Crane { get; }\n    void Go() {\n      Crane.Lift();\n    }\n  }\n}\n"},
        "a/Port.cs:5", "a/Crane.cs Crane.Lift"),
    "a field of a class whose methods stand in a namespace beside it": (
        {"port.h": "namespace a {\nclass Crane {\n public:\n  void Lift();\n};\nclass Winch {\n public:\n  void Lift();\n};\nclass Port {\n  void Go();\n  Crane crane_;\n};\n}\n",
         "port.cc": "#include \"port.h\"\nnamespace a {\nvoid Crane::Lift() {\n}\nvoid Winch::Lift() {\n}\nvoid Port::Go() {\n  crane_.Lift();\n}\n}\n"},
        "port.cc:8", "port.h a.Crane.Lift"),
    "a function of the folder, where another folder has one of that name": (
        {"src/unix/tide.c": "int tide(void) {\n  return 1;\n}\n", "src/win/tide.c": "int tide(void) {\n  return 2;\n}\n",
         "src/win/port.c": "int port(void) {\n  return tide();\n}\n"},
        "src/win/port.c:2", "src/win/tide.c tide"),
    "a function that a test defines as well": (
        {"src/tide.c": "int tide(void) {\n  return 1;\n}\n", "app/port.c": "int port(void) {\n  return tide();\n}\n",
         "test/test_tide.c": "int tide(void) {\n  return 3;\n}\n"},
        "app/port.c:2", "src/tide.c tide"),
    "a method of a class that an export macro marks": (
        {"port.h": "namespace a {\nclass PORT_API Crane {\n public:\n  void Lift();\n};\nclass Winch {\n public:\n  void Lift();\n};\n}\n",
         "port.cc": "#include \"port.h\"\nnamespace a {\nPORT_INLINE void go(Crane &crane) {\n  crane.Lift();\n}\n}\n"},
        "port.cc:4", "port.h a.Crane.Lift"),
    "a function that the body of a macro calls": (
        {"tide.c": "int rise(int a) {\n  return a;\n}\n",
         "port.c": "#define RAISE(where) \\\n  do { \\\n    log(\"no fall(2)\"); \\\n    rise(where); \\\n  } while (0)\n"},
        "port.c:4", "tide.c rise"),
    "a function with a guard": (
        {"tide.ex": "defmodule Tide do\n  @spec rise(integer) :: integer\n  def rise(level) when level > 1 do\n    level\n  end\n\n  def go do\n    rise(2)\n  end\nend\n"},
        "tide.ex:8", "tide.ex Tide.rise"),
    "a reader of an attribute": (
        {"port.rb": "class Port\n  attr_reader :cranes, :tide\n  def go\n    cranes.first\n  end\nend\n"},
        "port.rb:4", "port.rb Port.cranes"),
    "the base of the module around it": (
        {"a.rb": "module A\n  class Base\n    def moor\n    end\n  end\nend\n", "b.rb": "module B\n  class Base\n    def moor\n    end\n  end\nend\n",
         "c.rb": "module B\n  class Port < Base\n    def go\n      moor\n    end\n  end\nend\n"},
        "c.rb:4", "b.rb B.Base.moor"),
    "a function of a module that is mixed in": (
        {"loader.rb": "module Port\n  module Loader\n    def hoist\n    end\n  end\nend\n",
         "crane.rb": "class Crane\n  def hoist\n  end\nend\n",
         "common.rb": "module Port\n  module Common\n    extend Loader\n    hoist\n  end\nend\n"},
        "common.rb:4", "loader.rb Port.Loader.hoist"),
    "a function of another part of the module": (
        {"a.rb": "module Port\n  def self.hoist\n  end\nend\n", "crane.rb": "class Crane\n  def hoist\n  end\nend\n",
         "b.rb": "module Port\n  hoist :crane\nend\n"},
        "b.rb:2", "a.rb Port.hoist"),
    "a method of the class that runs it": (
        {"port.rb": "class Port\n  def self.tides\n    []\n  end\n  def go\n    self.class.tides\n  end\nend\n",
         "quay.rb": "class Quay\n  def self.tides\n    []\n  end\nend\n"},
        "port.rb:6", "port.rb Port.tides"),
    "a function of a module that a macro declares": (
        {"Cargo.toml": "[package]\nname = \"port\"\n", "src/lib.rs": "on_unix! {\n    mod tide;\n}\nmod quay;\n",
         "src/tide.rs": "pub fn rise(a: u8) -> u8 {\n    a\n}\n", "src/quay.rs": "pub fn go() -> u8 {\n    crate::tide::rise(1)\n}\n"},
        "src/quay.rs:2", "src/tide.rs rise"),
    "a function in another block of the namespace": (
        {"tide.hpp": "namespace port {\ninline int rise(int a) {\n  return a;\n}\n}\n",
         "quay.hpp": "namespace port {\nint go() {\n  return port::rise(1);\n}\n}\n",
         "old/tide.hpp": "namespace lake {\ninline int rise(int a) {\n  return a;\n}\n}\n"},
        "quay.hpp:3", "tide.hpp port.rise"),
    "a class in another file of the module": (
        {"error.rb": "module Port\n  class TideError < StandardError\n  end\nend\n", "lake.rb": "module Lake\n  class TideError\n  end\nend\n",
         "quay.rb": "module Port\n  class Quay\n    def go\n      raise Port::TideError, 'low'\n    end\n  end\nend\n"},
        "quay.rb:4", "error.rb Port.TideError"),
    "a method in another part of the class": (
        {"a/Port.cs": "namespace A {\n  partial class Port {\n    public void Moor() {}\n  }\n}\n",
         "b/Port.Go.cs": "namespace A {\n  partial class Port {\n    void Go() {\n      Moor();\n    }\n  }\n}\n",
         "c/Quay.cs": "namespace A {\n  class Quay {\n    public void Moor() {}\n  }\n}\n"},
        "b/Port.Go.cs:4", "a/Port.cs Port.Moor"),
    "a function that another block of the module mixes in": (
        {"setup.rb": "module Port\n  module Loader\n    def hoist(name)\n    end\n  end\n  module Common\n    extend Loader\n  end\nend\n",
         "base.rb": "module Port\n  def self.hoist(name)\n  end\nend\n", "common.rb": "module Port\n  module Common\n    hoist :crane\n  end\nend\n"},
        "common.rb:3", "setup.rb Port.Loader.hoist"),
    "a function that is named like a constant": (
        {"utils.rb": "module Port\n  module Utils\n    def Tide(at)\n    end\n  end\nend\n",
         "quay.rb": "module Port\n  class Quay\n    def go\n      Utils.Tide(3)\n    end\n  end\nend\n"},
        "quay.rb:4", "utils.rb Port.Utils.Tide"),
    "a method of a class below macros of the compiler": (
        {"port.hpp": "PORT_BEGIN\nnamespace port\n{\nclass Crane\n{\n  public:\n    PORT_NON_NULL(3)\n    PORT_RESULT\n    static int lift(int a)\n    {\n      return a;\n    }\n};\n}\nPORT_END\n",
         "quay.hpp": "PORT_BEGIN\nnamespace port\n{\nclass Winch : public Crane\n{\n  static int go()\n  {\n    return Crane::lift(1);\n  }\n};\n}\nPORT_END\n"},
        "quay.hpp:8", "port.hpp port.Crane.lift"),
    "a method below a macro that says who may call it, and comments": (
        {"port.hpp": "PORT_BEGIN\n\n/*!\n@brief lifts\n*/\ntemplate<typename T>\nstruct Crane\n{\n  PORT_PRIVATE_UNLESS_TESTED:\n    bool lift(int a)\n    {\n      return a;\n    }\n    bool go()\n    {\n      return this->lift(1);\n    }\n};\nstruct Winch\n{\n    bool lift(int a)\n    {\n      return a;\n    }\n};\nPORT_END\n"},
        "port.hpp:16", "port.hpp Crane.lift"),
    "a macro of the compiler": (
        {"macros.h": "#define PORT_RESULT __attribute__((warn_unused_result))\n", "port.hpp": "class Crane\n{\n    PORT_RESULT\n    static int lift(int a);\n};\n"},
        "port.hpp:3", "macros.h PORT_RESULT"),
    "a property of values of a foreign type": (
        {"util/Types.kt": "package util\n\nval Type.raw: Int\n  get() = 1\n",
         "app/Desk.kt": "package app\n\nimport util.raw\n\nfun go(type: Type): Int {\n  return type.raw\n}\n"},
        "app/Desk.kt:6", "util/Types.kt raw"),
    "a function of a file that Java calls as a member of the class of the file": (
        {"port/tides.kt": "package port\n\nfun rise(level: Int): Int {\n  return level\n}\n",
         "quay/Quay.java": "package quay;\n\nimport port.TidesKt;\n\nclass Quay {\n  int go() {\n    return TidesKt.rise(1);\n  }\n}\n"},
        "quay/Quay.java:7", "port/tides.kt rise"),
    "a function of a file that names the class by which Java calls it": (
        {"port/Tides.kt": "@file:JvmName(\"Levels\")\n\npackage port\n\nfun Crane.rise(level: Int): Int {\n  return level\n}\n",
         "port/Other.kt": "package port\n\nfun rise(level: Int): Int {\n  return level\n}\n",
         "port/Quay.java": "package port;\n\nclass Quay {\n  int go(Crane crane) {\n    return Levels.rise(crane, 1);\n  }\n}\n"},
        "port/Quay.java:5", "port/Tides.kt rise"),
    "a function of a file with a dot in its name": (
        {"port/Tides.jvm.kt": "package port\n\nfun rise(level: Int): Int {\n  return level\n}\n",
         "quay/Quay.java": "package quay;\n\nimport port.Tides_jvmKt;\n\nclass Quay {\n  int go() {\n    return Tides_jvmKt.rise(1);\n  }\n}\n"},
        "quay/Quay.java:7", "port/Tides.jvm.kt rise"),
    "a function that Java imports from the class of its file": (
        {"port/Tides.kt": "@file:JvmName(\"Levels\")\n\npackage port\n\nfun rise(level: Int): Int {\n  return level\n}\n",
         "quay/Quay.java": "package quay;\n\nimport static port.Levels.rise;\n\nclass Quay {\n  int go() {\n    return rise(1);\n  }\n}\n"},
        "quay/Quay.java:7", "port/Tides.kt rise"),
    "a field whose value is a function": (
        {"port.ts": "export class Port {\n  tide: Tide = (a) => {\n    return a\n  }\n  go() {\n    return this.tide(1)\n  }\n}\n"},
        "port.ts:6", "port.ts Port.tide"),
    "a method of Perl that is called on the object of its own package": (
        {"lib/Port.pm": "package Port;\n\nsub moor {\n  my ($self) = @_;\n  return $self->lift(1);\n}\n\nsub lift {\n  return 1;\n}\n\n1;\n",
         "lib/Quay.pm": "package Quay;\n\nsub lift {\n  return 2;\n}\n\n1;\n"},
        "lib/Port.pm:5", "lib/Port.pm lift"),
    "a method of Perl that is called on the name of its package": (
        {"lib/Sea/Port.pm": "package Sea::Port;\n\nsub lift {\n  return 1;\n}\n\n1;\n",
         "lib/Sea/Quay.pm": "package Sea::Quay;\n\nsub lift {\n  return 2;\n}\n\n1;\n",
         "bin/go.pl": "use Sea::Port;\n\nsub go {\n  Sea::Port->lift(1);\n}\n"},
        "bin/go.pl:4", "lib/Sea/Port.pm lift"),
    "a function of Perl that is called by its full name": (
        {"lib/Sea/Port.pm": "package Sea::Port;\n\nsub lift {\n  return 1;\n}\n\n1;\n",
         "lib/Sea/Quay.pm": "package Sea::Quay;\n\nsub lift {\n  return 2;\n}\n\n1;\n",
         "bin/go.pl": "sub go {\n  return Sea::Port::lift(1);\n}\n"},
        "bin/go.pl:2", "lib/Sea/Port.pm lift"),
    "a method of Perl that no other package of the program has": (
        {"lib/Sea/Port.pm": "package Sea::Port;\n\nsub moor_ship {\n  return 1;\n}\n\n1;\n",
         "bin/go.pl": "use Sea::Port;\n\nmy $port = Sea::Port->new;\n$port->moor_ship(1);\n"},
        "bin/go.pl:4", "lib/Sea/Port.pm moor_ship"),
    "a function of the table that a file of Lua returns": (
        {"lua/sea/port.lua": "local port = {}\n\nport.lift = function(a)\n  return a\nend\n\nreturn port\n",
         "lua/sea/quay.lua": "local quay = {}\n\nquay.lift = function(a)\n  return a\nend\n\nreturn quay\n",
         "lua/go.lua": "local tools = require \"sea.port\"\n\nlocal function go()\n  return tools.lift(1)\nend\n"},
        "lua/go.lua:4", "lua/sea/port.lua port.lift"),
    "a method of the class that a file of Lua returns": (
        {"lua/sea/port.lua": "local Port = {}\nPort.__index = Port\n\nfunction Port:new(a)\n  return a\nend\n\nreturn Port\n",
         "lua/sea/quay.lua": "local Quay = {}\n\nfunction Quay:new(a)\n  return a\nend\n\nreturn Quay\n",
         "lua/go.lua": "local Port = require(\"sea.port\")\n\nlocal function go()\n  return Port:new(1)\nend\n"},
        "lua/go.lua:4", "lua/sea/port.lua Port.new"),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_a_call_leads_to_what_it_calls(tmp_path: Path, case: str) -> None:
    files, where, target = CALLS[case]
    file, _, line = where.rpartition(":")
    with opened(tmp_path / "app", files) as dp:
        found = {
            (f"{edge.target.file} {edge.target.name}", edge.ambiguous)
            for edge in dp.code.edges(file)
            if edge.line == int(line)
            and edge.target.name.rpartition(".")[2] == target.rpartition(".")[2].rpartition(" ")[2]
        }
    assert found == {(target, False)}


@pytest.mark.parametrize(
    ("files", "where"),
    [
        # a function of a module is no function of everything
        ({"a.rb": "module Loader\n  def autoload(name)\n  end\nend\n", "lib/b.rb": "module Port\n  autoload :Tide\nend\n"}, "lib/b.rb:2"),
        # the type of a function, and its own head
        ({"tide.ex": "defmodule Tide do\n  @spec rise(integer) :: integer\n  def rise(level) when level > 1, do: level\nend\n"}, "tide.ex:2"),
        # a function beside classes that is called on no value
        ({"Zip.kt": "class Zip(val parts: Any) {\n  fun go() {\n    parts.unpack()\n  }\n}\n\nfun unpack() {\n}\n"}, "Zip.kt:3"),
        # containers have such a method in Ruby
        ({"a.rb": "class Jar\n  def flatten\n  end\nend\n", "b.rb": "def go(codes)\n  codes.flatten\nend\n"}, "b.rb:2"),
        # the class before the dot is none of the project's
        ({"src/Quay.php": "<?php\nnamespace Port;\nclass Quay {\n    public function tides() {}\n}\n",
          "src/Desk.php": "<?php\nnamespace Port;\nclass Desk {\n    public function go() {\n        return Lake\\Utils::tides();\n    }\n}\n"}, "src/Desk.php:5"),
        # a variable in a block is no function of its name
        ({"Port.kt": "fun tide(a: Int): Int {\n  return a\n}\n\nfun go() {\n  try {\n    val tide = 3\n    print(tide)\n  } finally {\n  }\n}\n"}, "Port.kt:8"),
        # the file has another class for Java
        ({"Tides.kt": "@file:JvmName(\"Levels\")\nfun rise(level: Int): Int {\n  return level\n}\n",
          "Quay.java": "class Quay {\n  int go() {\n    return TidesKt.rise(1);\n  }\n}\n"}, "Quay.java:3"),
        # labels name the place to return to, or whose `this` it is
        ({"Port.kt": "fun tide(a: Int): Int = a\n\nfun Crane.go() {\n  list.tide tide@{ if (it) return@tide; print(this@tide); super@tide.moor() }\n}\n"}, "Port.kt:4"),
        ({"Port.kt": "fun tide(a: Int): Int = a\n\nfun go() {\n  tide@ for (i in 1..2) { if (i > 1) break@tide else continue@tide }\n}\n"}, "Port.kt:4"),
        # what the name stands for says nothing of a class of the project
        ({"Port.java": "class Port {\n  boolean isAnchored(int a) { return true; }\n  boolean isAnchored(String a) { return true; }\n}\n",
          "b/Quay.java": "class Quay {\n  void go(Class<?> c) {\n    c.isAnchored(1);\n  }\n}\n"}, "b/Quay.java:3"),
    ],
)  # fmt: skip
def test_a_name_alone_is_no_certain_call(tmp_path: Path, files: dict[str, str], where: str) -> None:
    file, _, line = where.rpartition(":")
    with opened(tmp_path / "app", files) as dp:
        assert [edge for edge in dp.code.edges(file) if edge.line == int(line) and not edge.ambiguous] == []


# ---------------------------------------------------------------- notebooks

_NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "source": ["from shop import fees\\n", "from shop.fees import fee"], "outputs": []},'
    ' {"cell_type": "code", "source": ["def total(rows):\\n", "    return sum(fee(row) for row in rows)"], "outputs": []},'
    ' {"cell_type": "code", "source": ["total([3]) + fees.rounded(2)"], "outputs": []}],'
    ' "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}'
)
_FEES = "def fee(amount):\n    return amount // 10\n\n\ndef rounded(amount):\n    return amount\n"


def test_a_notebook_calls_the_functions_that_it_imports(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/fees.py": _FEES,
        "notebooks/fees.ipynb": _NOTEBOOK,
        "reports/fees.qmd": "# Fees\n\n```{python}\nfrom shop.fees import fee\nfee(7)\n```\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [(row.symbol.name, row.symbol.file) for row in dp.code.callers("fee")] == [
            ("total", "notebooks/fees.ipynb"),
            ("reports/fees.qmd", "reports/fees.qmd"),
        ]
        assert [row.symbol.name for row in dp.code.callers("rounded")] == ["notebooks/fees.ipynb"]


def test_code_does_not_call_a_function_of_a_notebook_or_an_example(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/fees.py": _FEES,
        "shop/cart.py": "def priced(rows):\n    return total(rows)\n",
        "notebooks/fees.ipynb": _NOTEBOOK,
        "README.md": "# Shop\n\n```python\nfrom shop.fees import fee\n\nfee(7)\n```\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [row.symbol.name for row in dp.code.callers("total")] == ["notebooks/fees.ipynb"]
        assert [row.symbol.file for row in dp.code.callers("fee")] == ["notebooks/fees.ipynb"]
