"""Languages whose code is in classes or objects."""

from __future__ import annotations

from daypack.chunk.languages.language import language

CLASSES = (
    language(
        "java",
        functions="method_declaration constructor_declaration compact_constructor_declaration static_initializer",
        classes="class_declaration record_declaration",
        interfaces="interface_declaration annotation_type_declaration",
        enums="enum_declaration",
        scopes="enum_body_declarations",
        imports="import_declaration",
        needs_body="method_declaration",
    ),
    language(
        "kotlin",
        functions="function_declaration secondary_constructor",
        classes="class_declaration object_declaration companion_object",
        types="type_alias",
        values="property_declaration",
        objects="object_literal",
        imports="import import_header",
        needs_body="function_declaration",
        scopes="import_list enum_class_body",
        # class Foo⏎@Inject constructor(
        joined=r"\bclass[ \t]+\w+(?:<[^{}()\n]*>)?(?:\s+(?:@[\w.:]+(?:\([^()\n]*\))?|\w+)){0,6}\s+constructor[ \t]*\(",
    ),
    language(
        "scala",
        functions="function_definition",
        classes="object_definition class_definition",
        interfaces="trait_definition",
        enums="enum_definition",
        modules="package_object",
        types="type_definition",
        imports="import_declaration",
        scopes="template_body",
    ),
    language(
        "groovy",
        functions="function_definition",
        classes="class_definition",
        imports="groovy_import",
        leads=("groovy_doc",),
    ),
    language(
        "csharp",
        functions="method_declaration constructor_declaration destructor_declaration operator_declaration conversion_operator_declaration"
        " local_function_statement",
        classes="class_declaration record_declaration",
        structs="struct_declaration record_struct_declaration",
        interfaces="interface_declaration",
        enums="enum_declaration",
        types="delegate_declaration",
        modules="namespace_declaration",
        wrappers="global_statement",
        scopes="file_scoped_namespace_declaration declaration_list preproc_if preproc_else preproc_elif",
        imports="using_directive",
        needs_body="method_declaration",
    ),
    language(
        "swift",
        functions="function_declaration init_declaration deinit_declaration subscript_declaration",
        classes="class_declaration",
        interfaces="protocol_declaration",
        types="typealias_declaration",
        imports="import_declaration",
    ),
    language(
        "dart",
        functions="function_signature method_signature getter_signature setter_signature",
        classes="class_definition mixin_declaration",
        impls="extension_declaration",
        enums="enum_declaration",
        types="type_alias",
        imports="import_or_export",
        tail="function_body",
        leads=("documentation_comment",),
    ),
    language(
        "solidity",
        functions="function_definition modifier_definition constructor_definition",
        classes="contract_declaration",
        interfaces="interface_declaration",
        modules="library_declaration",
        imports="import_directive",
    ),
)
