"""Scripts of Godot are cut at their functions, with the name of their class and the comments above them."""

from __future__ import annotations

from chunk_checks import cut_source, names, texts

from daypack.types import SymbolKind

TIDE = '''\
@tool
class_name Tide extends Node

signal risen(by: int)
const STEPS := {
\t"low": 1,
}
var level := 0:
\tset(value):
\t\tlevel = maxi(value, 0)


## Raise the level.
## Boats rise with it.
func rise(
\t\tby: int, # in metres
\t\tboats: Array[Node] = []) -> void:
\tlevel += by
\tboats.map(func(boat): boat.rise())

\trisen.connect(
\t\tfunc _on_risen(by: int) -> void:
\t\t\tprint("""
no function:
func none():
""")
\t)
\t# the end


@rpc("any_peer")
static func lowest() -> int:
\treturn 0


var boats := []


class Wave extends RefCounted:
\tvar height := 1

\tfunc roll() -> void:
\t\tpass

\tfunc break_up() -> void:
\t\tpass
'''


def test_functions_of_godot_are_pieces_with_the_name_of_their_class() -> None:
    result = cut_source(TIDE, "gdscript")
    assert names(result) == [
        "Tide",
        "Tide.rise",
        "Tide.lowest",
        "Tide.Wave",
        "Tide.Wave.roll",
        "Tide.Wave.break_up",
    ]
    rise = texts(TIDE, result)[1]
    assert rise.startswith("## Raise the level.")
    assert rise.endswith("# the end")
    assert texts(TIDE, result)[2].startswith('@rpc("any_peer")\nstatic func lowest')
    assert [piece.symbol for piece in result.pieces[:3]] == [
        SymbolKind.CLASS,
        SymbolKind.METHOD,
        SymbolKind.METHOD,
    ]
    assert result.pieces[0].signature == "class_name Tide extends Node"
    assert result.pieces[5].signature == "func roll() -> void"


def test_a_script_of_godot_without_a_name_has_functions_without_a_class() -> None:
    text = "extends Node\n\nfunc _ready():\n\tpass\n\nfunc _process(delta): pass\n"
    assert names(cut_source(text, "gdscript")) == ["_ready", "_process"]


def test_a_script_without_functions_is_cut_by_lines() -> None:
    assert cut_source("extends Node\n\nvar x := 1\n", "gdscript").fallback == "no grammar"


def test_a_script_with_an_endless_annotation_is_cut_in_a_moment() -> None:
    text = "func rise():\n\tpass\n@" + "a" * 1_000_000 + "\n"
    assert names(cut_source(text, "gdscript"))[0] == "rise"  # an hour if quadratic
