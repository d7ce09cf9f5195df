"""Languages of declarations: schemas, queries, infrastructure."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import ENUM, INTERFACE, STRUCT, TYPE, Language
from daypack.text.name_sets import name_set

DECLARATIVE: Mapping[str, Language] = {
    "graphql": Language(
        grammar="graphql",
        functions=frozenset(),
        containers={
            "object_type_definition": STRUCT,
            "input_object_type_definition": STRUCT,
            "interface_type_definition": INTERFACE,
            "enum_type_definition": ENUM,
            "union_type_definition": TYPE,
        },
        wrappers=name_set("definition type_system_definition type_definition"),
        scopes=name_set("document"),
    ),
    "proto": Language(
        grammar="proto",
        functions=name_set("rpc"),
        containers={"message": STRUCT, "enum": ENUM, "service": INTERFACE},
        imports=name_set("import"),
        compact=True,
    ),
    "hcl": Language(grammar="hcl", functions=name_set("block"), scopes=name_set("body"), ends=r"\s*\{"),
}
