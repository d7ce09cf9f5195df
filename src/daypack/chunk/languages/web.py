"""JavaScript and TypeScript."""

from __future__ import annotations

from daypack.chunk.languages.language import language

_JAVASCRIPT = language(
    "javascript",
    functions="function_declaration generator_function_declaration method_definition arrow_function function_expression generator_function",
    classes="class_declaration class",
    wrappers="export_statement lexical_declaration variable_declaration expression_statement ambient_declaration",
    scopes="else_clause if_statement try_statement statement_block labeled_statement",
    values="variable_declarator field_definition public_field_definition assignment_expression pair",
    lambdas="arrow_function function_expression generator_function class",
    objects="object",
    imports="import_statement",
    import_pattern=r"(?:\brequire|\bimport)\s*\(\s*['\"`]",
    closures=True,
)
_TYPESCRIPT = language(
    "typescript",
    _JAVASCRIPT,
    functions="function_signature",
    classes="abstract_class_declaration",
    interfaces="interface_declaration",
    enums="enum_declaration",
    types="type_alias_declaration",
    modules="internal_module module",
    imports="import_alias",
)

WEB = (_JAVASCRIPT, _TYPESCRIPT, language("tsx", _TYPESCRIPT))
