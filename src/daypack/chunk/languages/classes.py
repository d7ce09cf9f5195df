"""Languages whose code is in classes or objects."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import CLASS, ENUM, IMPL, INTERFACE, MODULE, STRUCT, TYPE, Language
from daypack.text.name_sets import name_set

CLASSES: Mapping[str, Language] = {
    "java": Language(
        grammar="java",
        functions=name_set(
            "method_declaration constructor_declaration compact_constructor_declaration static_initializer"
        ),
        containers={
            "class_declaration": CLASS,
            "interface_declaration": INTERFACE,
            "enum_declaration": ENUM,
            "record_declaration": CLASS,
            "annotation_type_declaration": INTERFACE,
        },
        scopes=name_set("enum_body_declarations"),
        imports=name_set("import_declaration"),
        needs_body=name_set("method_declaration"),
    ),
    "kotlin": Language(
        grammar="kotlin",
        functions=name_set("function_declaration secondary_constructor"),
        containers={
            "class_declaration": CLASS,
            "object_declaration": CLASS,
            "companion_object": CLASS,
            "type_alias": TYPE,
        },
        values=name_set("property_declaration"),
        objects=name_set("object_literal"),
        imports=name_set("import import_header"),
        needs_body=name_set("function_declaration"),
        scopes=name_set("import_list enum_class_body"),
        # class Foo⏎@Inject constructor(
        joined=r"\bclass[ \t]+\w+(?:<[^{}()\n]*>)?(?:\s+(?:@[\w.:]+(?:\([^()\n]*\))?|\w+)){0,6}\s+constructor[ \t]*\(",
    ),
    "scala": Language(
        grammar="scala",
        functions=name_set("function_definition"),
        containers={
            "object_definition": CLASS,
            "class_definition": CLASS,
            "trait_definition": INTERFACE,
            "enum_definition": ENUM,
            "package_object": MODULE,
            "type_definition": TYPE,
        },
        imports=name_set("import_declaration"),
        scopes=name_set("template_body"),
    ),
    "groovy": Language(
        grammar="groovy",
        functions=name_set("function_definition"),
        containers={"class_definition": CLASS},
        imports=name_set("groovy_import"),
        leads=("groovy_doc",),
    ),
    "csharp": Language(
        grammar="csharp",
        functions=name_set(
            "method_declaration constructor_declaration destructor_declaration operator_declaration conversion_operator_declaration"
            " local_function_statement"
        ),
        containers={
            "class_declaration": CLASS,
            "struct_declaration": STRUCT,
            "record_declaration": CLASS,
            "record_struct_declaration": STRUCT,
            "interface_declaration": INTERFACE,
            "enum_declaration": ENUM,
            "delegate_declaration": TYPE,
            "namespace_declaration": MODULE,
        },
        wrappers=name_set("global_statement"),
        scopes=name_set(
            "file_scoped_namespace_declaration declaration_list preproc_if preproc_else preproc_elif"
        ),
        imports=name_set("using_directive"),
        needs_body=name_set("method_declaration"),
    ),
    "swift": Language(
        grammar="swift",
        functions=name_set("function_declaration init_declaration deinit_declaration subscript_declaration"),
        containers={
            "class_declaration": CLASS,
            "protocol_declaration": INTERFACE,
            "typealias_declaration": TYPE,
        },
        imports=name_set("import_declaration"),
    ),
    "dart": Language(
        grammar="dart",
        functions=name_set("function_signature method_signature getter_signature setter_signature"),
        containers={
            "class_definition": CLASS,
            "mixin_declaration": CLASS,
            "extension_declaration": IMPL,
            "enum_declaration": ENUM,
            "type_alias": TYPE,
        },
        imports=name_set("import_or_export"),
        tail="function_body",
        leads=("documentation_comment",),
    ),
    "solidity": Language(
        grammar="solidity",
        functions=name_set("function_definition modifier_definition constructor_definition"),
        containers={
            "contract_declaration": CLASS,
            "interface_declaration": INTERFACE,
            "library_declaration": MODULE,
        },
        imports=name_set("import_directive"),
    ),
}
