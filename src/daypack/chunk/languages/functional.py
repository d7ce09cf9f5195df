"""Functional languages, most of which write a function as several clauses."""

from __future__ import annotations

from daypack.chunk.languages.language import language

FUNCTIONAL = (
    language(
        "haskell",
        functions="function bind",
        structs="data_type newtype",
        types="type_synomym",
        interfaces="class",
        impls="instance",
        imports="import",
        scopes="declarations imports",
        ends=r"\s(?:where|=)\s",
        clauses=True,
        whole_names=True,
        leads=("signature", "haddock", "pragma"),
    ),
    language(
        "ocaml",
        functions="let_binding",
        modules="module_binding",
        types="type_binding",
        classes="class_binding",
        wrappers="value_definition module_definition type_definition class_definition",
        imports="open_module",
    ),
    language(
        "elixir",
        functions="def defp defmacro defmacrop defguard defguardp defdelegate @callback @macrocallback",
        modules="defmodule",
        interfaces="defprotocol",
        impls="defimpl",
        scopes="if unless",
        imports="alias import require use",
        calls="call unary_operator",
        ends=", do:",
        clauses=True,
        leads=("@doc", "@spec", "@impl", "@deprecated"),
    ),
    language(
        "clojure",
        functions="defn defn- defmacro defmulti defmethod deftest",
        interfaces="defprotocol definterface",
        structs="defrecord deftype",
        impls="extend-type extend-protocol",
        scopes="read_cond_lit",
        imports="ns require use import",
        calls="list_lit",
        ends=r"(?<=\])",
        clauses=True,
        whole_names=True,
    ),
    language("erlang", functions="fun_decl", ends=r"\s*->", clauses=True, leads=("spec",)),
)
