"""Languages of scripts and notebooks: functions and classes at the top level."""

from __future__ import annotations

from daypack.chunk.languages.language import language

SCRIPTS = (
    language(
        "python",
        functions="function_definition",
        classes="class_definition",
        wrappers="decorated_definition",
        scopes="if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement block",
        imports="import_statement import_from_statement future_import_statement",
        docstring=True,
    ),
    language(
        "ruby",
        functions="method singleton_method",
        classes="class singleton_class",
        modules="module",
        wrappers="call argument_list",  # private def f
        scopes="body_statement if unless begin",
        import_pattern=r"\A\s*(?:require|require_relative|load|autoload)\b",
    ),
    language(
        "php",
        functions="function_definition method_declaration",
        classes="class_declaration trait_declaration",
        interfaces="interface_declaration",
        enums="enum_declaration",
        modules="namespace_definition",
        scopes="if_statement compound_statement",
        imports="namespace_use_declaration",
        import_pattern=r"\A\s*(?:require|require_once|include|include_once)\b",
        needs_body="namespace_definition method_declaration",
    ),
    language("perl", functions="function_definition", imports="use_no_statement"),
    language(
        "lua",
        functions="function_declaration",
        wrappers="variable_declaration",
        values="assignment_statement",
        lambdas="function_definition",
        import_pattern=r"\brequire\s*[('\"]",
    ),
    language(
        "bash",
        functions="function_definition",
        scopes="if_statement else_clause elif_clause compound_statement",
        import_pattern=r"\A\s*(?:source|\.)\s",
    ),
    language(
        "powershell",
        functions="function_statement",
        classes="class_statement",
        enums="enum_statement",
        scopes="statement_list",
    ),
    language("vim", functions="function_definition"),
    language(
        "r",
        values="binary_operator",
        lambdas="function_definition",
        whole_names=True,
        import_pattern=r"\A(?:library|require)\(",
    ),
    language(
        "julia",
        functions="function_definition macro_definition",
        modules="module_definition",
        structs="struct_definition",
        types="abstract_definition primitive_definition",
        wrappers="macrocall_expression macro_argument_list const_statement",
        values="assignment",
        lambdas="arrow_function_expression function_expression",
        heads="call_expression where_expression typed_expression",
        runs=True,
        compact=True,
        imports="using_statement import_statement",
        leads=("string_literal",),
    ),
)
