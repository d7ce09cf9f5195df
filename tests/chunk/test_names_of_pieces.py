"""Names that are one word with signs of their own, and documentation above a definition, by language."""

import pytest
from chunk_checks import cut_source, names, texts

from daypack.types import SymbolKind


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("clojure", "(defn- str->bytes [s]\n  s)\n\n(defn map->Tide [m] m)\n", ["str->bytes", "map->Tide"]),
        ("r", "print.tide <- function(x) {\n  x\n}\n\n`[.tide` <- function(x, i) {\n  x\n}\n", ["print.tide", "[.tide"]),
        ("haskell", "run' :: Int -> Int\nrun' a = a\n\ndata Tide' a = Low a\n", ["run'", "Tide'"]),
    ],
)  # fmt: skip
def test_a_name_keeps_the_signs_that_are_letters_in_its_language(language, source, expected):
    pieces = cut_source(source, language)
    assert [name for name in names(pieces) if name] == expected
    assert SymbolKind.METHOD not in {piece.symbol for piece in pieces.pieces}


def test_the_documentation_above_a_dart_method_belongs_to_it():
    source = "/// A tide.\nclass Tide {\n  final int level;\n\n  /// How high it rises,\n  /// in metres.\n  @override\n  int rise() {\n    return level;\n  }\n}\n\n/// How low.\nint fall() => 1;\n"
    pieces = texts(source, cut_source(source, "dart"))
    assert [piece.split("\n")[0].strip() for piece in pieces] == [
        "/// A tide.",
        "/// How high it rises,",
        "/// How low.",
    ]


def test_a_macro_above_a_namespace_takes_no_part_in_names():
    source = "#ifndef TIDE_H\n#define TIDE_H\n\nPORT_BEGIN_NAMESPACE\n\nnamespace tide {\nPORT_EXPORT\ntemplate <typename T>\nint rise(T a) {\n  return a;\n}\n}\n\nPORT_END_NAMESPACE\n\n#endif\n"
    assert names(cut_source(source, "cpp")) == ["tide", "tide.rise"]
