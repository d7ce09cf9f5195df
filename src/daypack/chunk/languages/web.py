"""JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from daypack.chunk.languages.language import CLASS, ENUM, INTERFACE, MODULE, TYPE, Language
from daypack.text.name_sets import name_set

_JAVASCRIPT = Language(
    grammar="javascript",
    functions=name_set(
        "function_declaration generator_function_declaration method_definition arrow_function function_expression generator_function"
    ),
    containers={"class_declaration": CLASS, "class": CLASS},
    wrappers=name_set(
        "export_statement lexical_declaration variable_declaration expression_statement ambient_declaration"
    ),
    scopes=name_set("else_clause if_statement try_statement statement_block labeled_statement"),
    values=name_set(
        "variable_declarator field_definition public_field_definition assignment_expression pair"
    ),
    lambdas=name_set("arrow_function function_expression generator_function class"),
    objects=name_set("object"),
    imports=name_set("import_statement"),
    import_pattern=r"(?:\brequire|\bimport)\s*\(\s*['\"`]",
    closures=True,
)

_TYPESCRIPT = replace(
    _JAVASCRIPT,
    grammar="typescript",
    functions=_JAVASCRIPT.functions | {"function_signature"},
    containers={
        **_JAVASCRIPT.containers,
        "abstract_class_declaration": CLASS,
        "interface_declaration": INTERFACE,
        "enum_declaration": ENUM,
        "type_alias_declaration": TYPE,
        "internal_module": MODULE,
        "module": MODULE,
    },
    imports=_JAVASCRIPT.imports | {"import_alias"},
)

WEB: Mapping[str, Language] = {
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": replace(_TYPESCRIPT, grammar="tsx"),
}
