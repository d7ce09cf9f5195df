"""C, its relatives, and other languages that are compiled to machine code."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import CLASS, ENUM, IMPL, INTERFACE, MODULE, STRUCT, TYPE, Language
from daypack.text.name_sets import name_set

_C_SCOPES = name_set(
    "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list field_declaration_list"
)

NATIVE: Mapping[str, Language] = {
    "c": Language(
        grammar="c",
        functions=name_set("function_definition"),
        containers={
            "struct_specifier": STRUCT,
            "union_specifier": STRUCT,
            "enum_specifier": ENUM,
            "type_definition": TYPE,
        },
        scopes=_C_SCOPES,
        imports=name_set("preproc_include"),
        needs_body=name_set("struct_specifier union_specifier enum_specifier"),
    ),
    "cpp": Language(
        grammar="cpp",
        functions=name_set("function_definition"),
        containers={
            "class_specifier": CLASS,
            "struct_specifier": STRUCT,
            "union_specifier": STRUCT,
            "enum_specifier": ENUM,
            "type_definition": TYPE,
            "namespace_definition": MODULE,
            "concept_definition": TYPE,
        },
        wrappers=name_set("template_declaration"),
        scopes=_C_SCOPES,
        imports=name_set("preproc_include using_declaration import_declaration"),
        needs_body=name_set("class_specifier struct_specifier union_specifier enum_specifier"),
    ),
    "objc": Language(
        grammar="objc",
        functions=name_set("function_definition method_definition"),
        containers={
            "class_interface": INTERFACE,
            "class_implementation": CLASS,
            "protocol_declaration": INTERFACE,
            "category_interface": INTERFACE,
            "category_implementation": CLASS,
        },
        wrappers=name_set("implementation_definition"),
        imports=name_set("preproc_include preproc_import module_import"),
        scopes=name_set("preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification"),
        ends=r"\s*[{\n]",
    ),
    "go": Language(
        grammar="go",
        functions=name_set("function_declaration method_declaration"),
        containers={"type_declaration": TYPE},
        imports=name_set("import_declaration"),
    ),
    "rust": Language(
        grammar="rust",
        functions=name_set("function_item macro_definition"),
        containers={
            "struct_item": STRUCT,
            "union_item": STRUCT,
            "enum_item": ENUM,
            "trait_item": INTERFACE,
            "impl_item": IMPL,
            "mod_item": MODULE,
            "type_item": TYPE,
        },
        scopes=name_set("foreign_mod_item declaration_list"),
        # `mod name;`, as one with a body is a container
        imports=name_set("use_declaration extern_crate_declaration mod_item"),
        needs_body=name_set("mod_item"),
    ),
    "zig": Language(
        grammar="zig",
        functions=name_set("function_declaration test_declaration"),
        containers={"struct_declaration": STRUCT, "enum_declaration": ENUM, "union_declaration": STRUCT},
        values=name_set("variable_declaration"),
        lambdas=name_set("struct_declaration enum_declaration union_declaration"),
    ),
    "fortran": Language(
        grammar="fortran",
        functions=name_set("function subroutine"),
        scopes=name_set("module submodule program internal_procedures"),
        ends=r"\n",
    ),
}
