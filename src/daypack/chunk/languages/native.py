"""C, its relatives, and other languages that are compiled to machine code."""

from __future__ import annotations

from daypack.chunk.languages.language import language

_C_SCOPES = "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list field_declaration_list"

NATIVE = (
    language(
        "c",
        functions="function_definition",
        structs="struct_specifier union_specifier",
        enums="enum_specifier",
        types="type_definition",
        scopes=_C_SCOPES,
        imports="preproc_include",
        needs_body="struct_specifier union_specifier enum_specifier",
    ),
    language(
        "cpp",
        functions="function_definition",
        classes="class_specifier",
        structs="struct_specifier union_specifier",
        enums="enum_specifier",
        types="type_definition concept_definition",
        modules="namespace_definition",
        wrappers="template_declaration",
        scopes=_C_SCOPES,
        imports="preproc_include using_declaration import_declaration",
        needs_body="class_specifier struct_specifier union_specifier enum_specifier",
    ),
    language(
        "objc",
        functions="function_definition method_definition",
        interfaces="class_interface protocol_declaration category_interface",
        classes="class_implementation category_implementation",
        wrappers="implementation_definition",
        imports="preproc_include preproc_import module_import",
        scopes="preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification",
        ends=r"\s*[{\n]",
    ),
    language(
        "go",
        functions="function_declaration method_declaration",
        types="type_declaration",
        imports="import_declaration",
    ),
    language(
        "rust",
        functions="function_item macro_definition",
        structs="struct_item union_item",
        enums="enum_item",
        interfaces="trait_item",
        impls="impl_item",
        modules="mod_item",
        types="type_item",
        scopes="foreign_mod_item declaration_list",
        # `mod name;`, as one with a body is a container
        imports="use_declaration extern_crate_declaration mod_item",
        needs_body="mod_item",
    ),
    language(
        "zig",
        functions="function_declaration test_declaration",
        structs="struct_declaration union_declaration",
        enums="enum_declaration",
        values="variable_declaration",
        lambdas="struct_declaration enum_declaration union_declaration",
    ),
    language(
        "fortran",
        functions="function subroutine",
        scopes="module submodule program internal_procedures",
        ends=r"\n",
    ),
)
