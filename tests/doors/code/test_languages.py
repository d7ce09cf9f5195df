"""What is known of a file in each language: its symbols, what they are called with, what is said of them,
whose they are, and who calls them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.languages import languages

# One file a language: a documented member FUN of Port (or a function, where there are no members), which USE
# calls. ending → (text, whom FUN belongs to, what its signature is)
DOCUMENTED: dict[str, tuple[str, str, str]] = {
    "py": (
        'class Port:\n    def FUN(self, day):\n        """Counts the boats."""\n        return day\n\n\ndef USE(port: Port):\n    return port.FUN(1)\n',
        "Port",
        "def FUN(self, day)",
    ),
    "js": (
        "class Port {\n  /** Counts the boats. */\n  FUN(day) {\n    return day;\n  }\n}\nfunction USE() {\n  return new Port().FUN(1);\n}\n",
        "Port",
        "FUN(day)",
    ),
    "ts": (
        "class Port {\n  /** Counts the boats. */\n  FUN(day: number): number {\n    return day;\n  }\n}\nfunction USE(port: Port) {\n  return port.FUN(1);\n}\n",
        "Port",
        "FUN(day: number): number",
    ),
    "tsx": (
        "// Counts the boats.\nfunction FUN(day: number) {\n  return day;\n}\nfunction USE() {\n  return <b>{FUN(1)}</b>;\n}\n",
        "",
        "function FUN(day: number)",
    ),
    "go": (
        "package port\n\ntype Port struct{}\n\n// Counts the boats.\nfunc (p *Port) FUN(day int) int {\n\treturn day\n}\n\nfunc USE(p *Port) int {\n\treturn p.FUN(1)\n}\n",
        "Port",
        "func (p *Port) FUN(day int) int",
    ),
    "rs": (
        "struct Port;\nimpl Port {\n    /// Counts the boats.\n    fn FUN(&self, day: u32) -> u32 {\n        day\n    }\n}\nfn USE(port: &Port) -> u32 {\n    port.FUN(1)\n}\n",
        "Port",
        "fn FUN(&self, day: u32) -> u32",
    ),
    "java": (
        "class Port {\n  /** Counts the boats. */\n  int FUN(int day) {\n    return day;\n  }\n  int USE() {\n    return FUN(1);\n  }\n}\n",
        "Port",
        "int FUN(int day)",
    ),
    "c": (
        "/* Counts the boats. */\nint FUN(int day) {\n  return day;\n}\nint USE(void) {\n  return FUN(1);\n}\n",
        "",
        "int FUN(int day)",
    ),
    "cpp": (
        "class Port {\n public:\n  // Counts the boats.\n  int FUN(int day) { return day; }\n};\nint USE(Port& port) {\n  return port.FUN(1);\n}\n",
        "Port",
        "int FUN(int day)",
    ),
    "cs": (
        "class Port {\n  /// Counts the boats.\n  public int FUN(int day) {\n    return day;\n  }\n  int USE() {\n    return FUN(1);\n  }\n}\n",
        "Port",
        "public int FUN(int day)",
    ),
    "rb": (
        "class Port\n  # Counts the boats.\n  def FUN(day)\n    day\n  end\n\n  def USE\n    FUN(1)\n  end\nend\n",
        "Port",
        "def FUN(day)",
    ),
    "php": (
        "<?php\nclass Port {\n  /** Counts the boats. */\n  function FUN($day) {\n    return $day;\n  }\n  function USE() {\n    return $this->FUN(1);\n  }\n}\n",
        "Port",
        "function FUN($day)",
    ),
    "kt": (
        "class Port {\n  // Counts the boats.\n  fun FUN(day: Int): Int {\n    return day\n  }\n}\n\nfun USE(port: Port): Int {\n  return port.FUN(1)\n}\n",
        "Port",
        "fun FUN(day: Int): Int",
    ),
    "swift": (
        "class Port {\n  /// Counts the boats.\n  func FUN(_ day: Int) -> Int {\n    return day\n  }\n}\nfunc USE(port: Port) -> Int {\n  return port.FUN(1)\n}\n",
        "Port",
        "func FUN(_ day: Int) -> Int",
    ),
    "scala": (
        "class Port {\n  /** Counts the boats. */\n  def FUN(day: Int): Int = { day }\n  def USE(): Int = { FUN(1) }\n}\n",
        "Port",
        "def FUN(day: Int): Int",
    ),
    "lua": (
        "local Port = {}\n-- Counts the boats.\nfunction Port.FUN(day)\n  return day\nend\nfunction USE()\n  return Port.FUN(1)\nend\nreturn Port\n",
        "Port",
        "function Port.FUN(day)",
    ),
    "sh": ('# Counts the boats.\nFUN() {\n  echo "$1"\n}\nUSE() {\n  FUN 1\n}\n', "", "FUN()"),
    "R": (
        "# Counts the boats.\nFUN <- function(day) {\n  day\n}\nUSE <- function() {\n  FUN(1)\n}\n",
        "",
        "FUN <- function(day)",
    ),
    "ex": (
        "defmodule Port do\n  # Counts the boats.\n  def FUN(day) do\n    day\n  end\n\n  def USE() do\n    FUN(1)\n  end\nend\n",
        "Port",
        "def FUN(day)",
    ),
    "pl": (
        "package Port;\n# Counts the boats.\nsub FUN {\n  return 1;\n}\nsub USE {\n  return FUN(1);\n}\n",
        "",
        "sub FUN",
    ),
    "jl": (
        "# Counts the boats.\nfunction FUN(day)\n    day\nend\n\nfunction USE()\n    FUN(1)\nend\n",
        "",
        "function FUN(day)",
    ),
    "dart": (
        "class Port {\n  /// Counts the boats.\n  int FUN(int day) {\n    return day;\n  }\n  int USE() {\n    return FUN(1);\n  }\n}\n",
        "Port",
        "int FUN(int day)",
    ),
    "sol": (
        "contract Port {\n    /// Counts the boats.\n    function FUN(uint day) public {\n        day;\n    }\n    function USE() public {\n        FUN(1);\n    }\n}\n",
        "Port",
        "function FUN(uint day) public",
    ),
    "f90": (
        "module Port\ncontains\n! Counts the boats.\nsubroutine FUN(day)\n  integer :: day\nend subroutine\nsubroutine USE()\n  call FUN(1)\nend subroutine\nend module\n",
        "Port",
        "subroutine FUN(day)",
    ),
    "m": (
        "// Counts the boats.\nint FUN(int day) {\n  return day;\n}\nint USE(void) {\n  return FUN(1);\n}\n",
        "",
        "int FUN(int day)",
    ),
}


def test_every_language_that_has_a_file_has_a_sample() -> None:
    assert len(DOCUMENTED) == len(languages()) >= 20


@pytest.mark.parametrize("ending", sorted(DOCUMENTED))
def test_a_documented_function_is_found_with_what_it_is_called_with_whose_it_is_and_who_calls_it(
    tmp_path: Path, ending: str
) -> None:
    text, owner, signature = DOCUMENTED[ending]
    name = f"boats_of_{ending}"
    lines = text.split("\n")
    file = f"boats.{ending}"
    with opened(tmp_path / "port", {file: text.replace("FUN", name).replace("USE", "counted")}) as dp:
        (row,) = dp.code.symbols(name)
        assert (row.name, row.doc) == (f"{owner}.{name}" if owner else name, "Counts the boats.")
        assert row.signature == signature.replace("FUN", name)
        first = next(number for number, line in enumerate(lines, 1) if "FUN" in line)
        assert row.line <= first <= row.end_line
        (caller,) = dp.code.callers(name)
        called = max(number for number, line in enumerate(lines, 1) if "FUN" in line)
        assert (caller.symbol.name.rpartition(".")[2], caller.at) == ("counted", f"{file}:{called}")
        # The body belongs to it: what stands in the last line of a caller is still the caller's.
        assert caller.symbol.line <= called <= caller.symbol.end_line


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "elixir",
            'defmodule Port do\n  @doc """\n  Counts the boats.\n  """\n  def boats(day) do\n    day\n  end\nend\n',
        ),
        ("julia", '"""\nCounts the boats.\n"""\nfunction boats(day)\n    day\nend\n'),
        ("r", "#' Counts the boats.\n#'\n#' @param day one\nboats <- function(day) day\n"),
        (
            "csharp",
            "class Port {\n  /// <summary>\n  /// Counts the boats.\n  /// </summary>\n  int boats(int day) { return day; }\n}\n",
        ),
        (
            "java",
            "class Port {\n  /**\n   * Counts the boats.\n   * @param day one\n   */\n  int boats(int day) { return day; }\n}\n",
        ),
    ],
)
def test_what_a_language_writes_its_documentation_in_is_read(language: str, text: str) -> None:
    (doc,) = [symbol.doc for symbol in extract(text, language).symbols if symbol.name == "boats"]
    assert doc == "Counts the boats."


@pytest.mark.parametrize("ending", ["js", "ts", "tsx"])
def test_a_class_that_is_written_as_a_value_is_a_class(tmp_path: Path, ending: str) -> None:
    """`module.exports = class Port …` is how many packages of Node.js define their main class."""
    files = {
        f"lib/port.{ending}": "module.exports = class Port {\n  boats (day) {\n    return day\n  }\n}\n",
        f"lib/pier.{ending}": "const Pier = class {\n  ropes () {}\n}\nexports.Quay = class extends Pier {\n  cranes () {}\n}\n",
        f"lib/main.{ending}": "import Port from './port'\n\nfunction open () {\n  return new Port()\n}\n",
    }
    with opened(tmp_path, files) as dp:
        kinds = {row.name: row.kind for row in dp.code.symbols()}
        assert [kinds.get(name) for name in ("Port", "Pier", "Quay")] == ["class"] * 3
        assert {"Port.boats", "Pier.ropes", "Quay.cranes"} <= {
            symbol.qualified
            for name in ("port", "pier")
            for symbol in extract(
                files[f"lib/{name}.{ending}"], {"js": "javascript", "ts": "typescript"}.get(ending, ending)
            ).symbols
        }
        assert [row.at for row in dp.code.callers("Port")] == [f"lib/main.{ending}:4"]


@pytest.mark.parametrize(
    ("language", "text", "signature"),
    [
        ("typescript", "function go( // lint-disable-next-line\n  a = 'http://port', /* b */ b = 1) {}\n", "function go( a = 'http://port', b = 1)"),
        ("python", "def go(  # lint: off\n    a='#'):\n    pass\n", "def go( a='#')"),
    ],
)  # fmt: skip
def test_a_signature_is_written_without_its_comments(language: str, text: str, signature: str) -> None:
    assert [symbol.signature for symbol in extract(text, language).symbols] == [signature]
