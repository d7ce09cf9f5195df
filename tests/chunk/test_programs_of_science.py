"""Julia, Stan, MATLAB and Octave: definitions have their names, and a short model is one piece."""

from __future__ import annotations

import pytest
from chunk_checks import cut_source, names, texts

from daypack.doors.reading.languages import detect_language
from daypack.types import SymbolKind

JULIA = '''\
"""
    Ring(r)

A ring.
"""
struct Ring{T<:Real} <: Shape{T}
    r::T
    Ring{T}(r) where {T} = new{T}(r)
end

function Base.show(io::IO, x::Ring{T})::Nothing where {T}
    print(io, x.r)
end

abstract type Shape{T} end

"The size."
area(x::Ring) = pi * x.r^2
width(x::Ring{T}) where {T<:Real} = 2 * x.r
@inline radius(x)::Float64 = x.r

double = x -> 2x
n::Int = 3
limit = 4
'''


def test_parametric_definitions_of_julia_have_their_names() -> None:
    result = cut_source(JULIA, "julia")
    assert names(result) == ["Ring", "Base.show", "Shape", "area, width, radius", "double"]
    assert texts(JULIA, result)[0].startswith('"""\n    Ring(r)')
    assert result.pieces[3].signature == "area(x::Ring)"


def test_methods_of_one_function_are_named_once() -> None:
    text = "".join(f"size(x::T{n}) = {n}\n" for n in range(5))
    assert names(cut_source(text, "julia")) == ["size"]


def test_a_long_function_of_julia_is_not_in_a_run() -> None:
    text = "f(x) = 1\n\nfunction g(x)\n    2\nend\n\nh(x) = 3\n"
    assert names(cut_source(text, "julia")) == ["f", "g", "h"]


STAN = """\
// Linear model with a weak prior
data {
  int<lower=0> N;
}
parameters {
  real alpha;
}
transformed parameters {
  real beta = 2 * alpha;
}
model {
  alpha ~ normal(0, 10);
}
"""


def test_a_short_program_of_stan_is_one_piece_named_by_its_comment() -> None:
    assert detect_language("lin.stan", STAN)[0] == "stan"
    assert names(cut_source(STAN, "stan")) == ["Linear model with a weak prior"]


def test_a_long_program_of_stan_has_a_piece_for_each_block() -> None:
    text = STAN.replace("  real alpha;\n", "".join(f"  real alpha{n};\n" for n in range(60)))
    found = dict.fromkeys(names(cut_source(text, "stan")))
    assert [*found] == ["data", "parameters", "transformed parameters", "model"]


MATLAB = """\
function [w, se] = fitline(x, y)
% FITLINE  Least squares line.
w = x \\ y;
end

% Residuals of the line.
function r = resid(x, y, w)
r = y - x*w;
end
"""


def test_functions_of_matlab_are_pieces_with_their_comments() -> None:
    result = cut_source(MATLAB, "matlab")
    assert names(result) == ["fitline", "resid"]
    assert result.pieces[0].signature == "function [w, se] = fitline(x, y)"
    assert texts(MATLAB, result)[1].startswith("% Residuals")


def test_methods_of_a_class_of_matlab_are_named_in_it() -> None:
    text = "classdef Ring < handle\n  properties\n    r = 1\n  end\n  methods\n    function a = area(self)\n      a = self.r;\n    end\n  end\nend\n"
    result = cut_source(text, "matlab")
    assert [(piece.name, piece.symbol) for piece in result.pieces] == [
        ("Ring", SymbolKind.CLASS),
        ("Ring.area", SymbolKind.METHOD),
    ]


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("## Copyright (C) 2020\nfunction y = twice (x)\n", "matlab"),
        ("# a script\nx = 1;\n", "matlab"),
        ("% a script\n", "matlab"),
        ("#import <Foundation/Foundation.h>\n", "objc"),
        ("#include <a.h>\n", "objc"),
        ("// Copyright\n@interface A\n", "objc"),
        ("/* a */\n", "objc"),
    ],
)
def test_files_of_octave_are_not_taken_for_objective_c(head: str, language: str) -> None:
    assert detect_language("a.m", head)[0] == language


def test_the_comment_above_a_long_function_is_cut_between_its_paragraphs() -> None:
    tags = "".join(
        f"#' @param p{n} The value number {n}.\n#'   It may be missing, and then it is zero or one.\n"
        for n in range(40)
    )
    body = "".join(f"  x{n} <- p{n} + 1\n" for n in range(120))
    text = f"#' Add one\n#'\n{tags}f <- function(p) {{\n{body}}}\n"
    result = cut_source(text, "r")
    assert {piece.name for piece in result.pieces} == {"f"}
    shown = texts(text, result)
    assert all(part.startswith(("#' Add", "#' @param", "f <-", "  x")) for part in shown)
    assert any(part.startswith("f <- function") for part in shown)
