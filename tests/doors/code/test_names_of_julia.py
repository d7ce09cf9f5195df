"""Names of Julia: methods of functions that another module has."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

JULIA = """\
module Tides

struct Tide
    level::Int
end

function Base.sort!(tides::Vector{Tide}; rev=false)
    checked(tides)
end

@inline function Base.getindex(tide::Tide, i)::Int
    raised(tide)
end

Base.length(tide::Tide) = raised(tide)
Base.size(tides::Vector{T}) where {T<:Tide} = checked(tides)

checked(tides) = tides
raised(tide) = tide.level
end
"""


def test_methods_that_julia_adds_to_functions_of_other_modules_are_callers(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"src/Tides.jl": JULIA, "src/use.jl": "go(tides) = sort!(tides)\n"}) as dp:
        checked = [row.symbol.name for row in dp.code.callers("checked")]
        raised = [row.symbol.name for row in dp.code.callers("raised")]
        sorting = [row.symbol.name for row in dp.code.callers("sort!")]
    assert checked == ["Tides.sort!", "Tides.size"]
    assert raised == ["Tides.getindex", "Tides.length"]
    assert sorting == ["go"]
