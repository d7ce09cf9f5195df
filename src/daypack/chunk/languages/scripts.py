"""Languages of scripts and notebooks: functions and classes at the top level."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import CLASS, ENUM, INTERFACE, MODULE, STRUCT, TYPE, Language
from daypack.text.name_sets import name_set

SCRIPTS: Mapping[str, Language] = {
    "python": Language(
        grammar="python",
        functions=name_set("function_definition"),
        containers={"class_definition": CLASS},
        wrappers=name_set("decorated_definition"),
        scopes=name_set(
            "if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement block"
        ),
        imports=name_set("import_statement import_from_statement future_import_statement"),
        docstring=True,
    ),
    "ruby": Language(
        grammar="ruby",
        functions=name_set("method singleton_method"),
        containers={"class": CLASS, "module": MODULE, "singleton_class": CLASS},
        wrappers=name_set("call argument_list"),  # private def f
        scopes=name_set("body_statement if unless begin"),
        import_pattern=r"\A\s*(?:require|require_relative|load|autoload)\b",
    ),
    "php": Language(
        grammar="php",
        functions=name_set("function_definition method_declaration"),
        containers={
            "class_declaration": CLASS,
            "interface_declaration": INTERFACE,
            "trait_declaration": CLASS,
            "enum_declaration": ENUM,
            "namespace_definition": MODULE,
        },
        scopes=name_set("if_statement compound_statement"),
        imports=name_set("namespace_use_declaration"),
        import_pattern=r"\A\s*(?:require|require_once|include|include_once)\b",
        needs_body=name_set("namespace_definition method_declaration"),
    ),
    "perl": Language("perl", name_set("function_definition"), imports=name_set("use_no_statement")),
    "lua": Language(
        grammar="lua",
        functions=name_set("function_declaration"),
        wrappers=name_set("variable_declaration"),
        values=name_set("assignment_statement"),
        lambdas=name_set("function_definition"),
        import_pattern=r"\brequire\s*[('\"]",
    ),
    "bash": Language(
        grammar="bash",
        functions=name_set("function_definition"),
        scopes=name_set("if_statement else_clause elif_clause compound_statement"),
        import_pattern=r"\A\s*(?:source|\.)\s",
    ),
    "powershell": Language(
        grammar="powershell",
        functions=name_set("function_statement"),
        containers={"class_statement": CLASS, "enum_statement": ENUM},
        scopes=name_set("statement_list"),
    ),
    "vim": Language(grammar="vim", functions=name_set("function_definition")),
    "r": Language(
        grammar="r",
        functions=frozenset(),
        values=name_set("binary_operator"),
        lambdas=name_set("function_definition"),
        whole_names=True,
        import_pattern=r"\A(?:library|require)\(",
    ),
    "julia": Language(
        grammar="julia",
        functions=name_set("function_definition macro_definition"),
        containers={
            "module_definition": MODULE,
            "struct_definition": STRUCT,
            "abstract_definition": TYPE,
            "primitive_definition": TYPE,
        },
        wrappers=name_set("macrocall_expression macro_argument_list const_statement"),
        values=name_set("assignment"),
        lambdas=name_set("arrow_function_expression function_expression"),
        heads=name_set("call_expression where_expression typed_expression"),
        runs=True,
        compact=True,
        imports=name_set("using_statement import_statement"),
        leads=("string_literal",),
    ),
}
