"""Functional languages, most of which write a function as several clauses."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import CLASS, IMPL, INTERFACE, MODULE, STRUCT, TYPE, Language
from daypack.text.name_sets import name_set

FUNCTIONAL: Mapping[str, Language] = {
    "haskell": Language(
        grammar="haskell",
        functions=name_set("function bind"),
        containers={
            "data_type": STRUCT,
            "newtype": STRUCT,
            "type_synomym": TYPE,  # as the grammar spells it
            "class": INTERFACE,
            "instance": IMPL,
        },
        imports=name_set("import"),
        scopes=name_set("declarations imports"),
        ends=r"\s(?:where|=)\s",
        clauses=True,
        whole_names=True,
        leads=("signature", "haddock", "pragma"),
    ),
    "ocaml": Language(
        grammar="ocaml",
        functions=name_set("let_binding"),
        containers={"module_binding": MODULE, "type_binding": TYPE, "class_binding": CLASS},
        wrappers=name_set("value_definition module_definition type_definition class_definition"),
        imports=name_set("open_module"),
    ),
    "elixir": Language(
        grammar="elixir",
        functions=name_set(
            "def defp defmacro defmacrop defguard defguardp defdelegate @callback @macrocallback"
        ),
        containers={"defmodule": MODULE, "defprotocol": INTERFACE, "defimpl": IMPL},
        scopes=name_set("if unless"),
        imports=name_set("alias import require use"),
        calls=name_set("call unary_operator"),
        ends=", do:",
        clauses=True,
        leads=("@doc", "@spec", "@impl", "@deprecated"),
    ),
    "clojure": Language(
        grammar="clojure",
        functions=name_set("defn defn- defmacro defmulti defmethod deftest"),
        containers={
            "defprotocol": INTERFACE,
            "definterface": INTERFACE,
            "defrecord": STRUCT,
            "deftype": STRUCT,
            "extend-type": IMPL,
            "extend-protocol": IMPL,
        },
        scopes=name_set("read_cond_lit"),
        imports=name_set("ns require use import"),
        calls=name_set("list_lit"),
        ends=r"(?<=\])",
        clauses=True,
        whole_names=True,
    ),
    "erlang": Language(
        grammar="erlang", functions=name_set("fun_decl"), ends=r"\s*->", clauses=True, leads=("spec",)
    ),
}
