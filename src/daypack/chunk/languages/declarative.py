"""Languages of declarations: schemas, queries, infrastructure."""

from __future__ import annotations

from daypack.chunk.languages.language import language

DECLARATIVE = (
    language(
        "graphql",
        structs="object_type_definition input_object_type_definition",
        interfaces="interface_type_definition",
        enums="enum_type_definition",
        types="union_type_definition",
        wrappers="definition type_system_definition type_definition",
        scopes="document",
    ),
    language(
        "proto",
        functions="rpc",
        structs="message",
        enums="enum",
        interfaces="service",
        imports="import",
        compact=True,
    ),
    language("hcl", functions="block", scopes="body", ends=r"\s*\{"),
)
