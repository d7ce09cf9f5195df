"""Heads of definitions that are written like calls, as those of Julia: `area(c::Circle{T})::T where {T} = π * c.r^2`."""

from __future__ import annotations

from daypack.text.name_sets import name_set
from daypack.text.syntax import Node

# Nodes between a definition and its name: show(io::IO, x::P{T})::Nothing where {T}   struct Box{T<:Real} <: Shape
_HEADS = name_set(
    "signature where_expression typed_expression call_expression type_head binary_expression parametrized_type_expression"
)


def innermost(node: Node) -> Node | None:
    """The name of a definition of Julia, without parameters, types and supertypes."""
    current = next(iter(node.named_children), None)
    for _ in range(8):
        if current is None or current.type not in _HEADS:
            return current
        current = next(iter(current.named_children), None)
    return current


def called_head(target: Node) -> Node | None:
    """The name of the function that `area(r) = …` defines; None for a binding with a type (`n::Int = 3`)."""
    while target.type in ("where_expression", "typed_expression") and target.named_children:
        target = target.named_children[0]
    return innermost(target) if target.type == "call_expression" else None
