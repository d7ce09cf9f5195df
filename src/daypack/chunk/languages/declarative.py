"""Languages of declarations: schemas, queries, infrastructure; builds, whose definitions are targets and rules; style sheets, in
which the name of a rule is its selector.
"""

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

_CMAKE_TARGETS = "add_executable add_library add_custom_target add_test"

BUILDS = (
    language(
        "cmake",
        functions=f"function_def macro_def {_CMAKE_TARGETS} {_CMAKE_TARGETS.upper()}",
        scopes="if_condition foreach_loop while_loop block_def body",
        imports="include INCLUDE find_package FIND_PACKAGE add_subdirectory ADD_SUBDIRECTORY",
        calls="normal_command",
        labels="argument",
        ends=r"\s*\n",
    ),
    language(
        "make",
        functions="rule define_directive",
        scopes="conditional elsif_directive else_directive",
        imports="include_directive",
        needs_body="rule",
        calls="rule",
        labels="targets",
        leads=(".PHONY",),
    ),
)

_CSS = language(
    "css",
    functions="rule_set keyframes_statement",
    modules="media_statement supports_statement at_rule",
    imports="import_statement",
    needs_body="at_rule",
    labels="selectors keyframes_name",
    runs=True,
)

STYLES = (
    _CSS,
    language(
        "scss",
        _CSS,
        functions="mixin_statement function_statement placeholder",
        labels="name",
        imports="use_statement forward_statement",
    ),
)
