"""A table of syntax-tree node types: for each language, the facts that cutting its code needs.

A node is one of five things to the cutter:

    function    one piece, with everything inside it
    container   a header piece; the walk goes on through its body, inside the container's scope
    wrapper     surrounds one function or container and belongs to its piece: `export`, decorators, `template <…>`
    scope       surrounds several and belongs to none: `if`, `#ifdef`, `extern "C"`
    other       rest, which becomes runs of lines

A new language is a new entry; nothing else in this room knows a language by name, apart from the spelling of
names in a few.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from daypack.text.name_sets import name_set
from daypack.text.syntax import plain_name
from daypack.types import SymbolKind

CLASS, STRUCT, ENUM, INTERFACE, MODULE = (
    SymbolKind.CLASS,
    SymbolKind.STRUCT,
    SymbolKind.ENUM,
    SymbolKind.INTERFACE,
    SymbolKind.MODULE,
)
IMPL, TYPE = SymbolKind.IMPL, SymbolKind.TYPE


@dataclass(frozen=True, slots=True)
class Language:
    """Node types of one grammar. `values` are bindings that count as functions when a function is bound."""

    grammar: str
    functions: frozenset[str]
    containers: Mapping[str, SymbolKind] = field(default_factory=lambda: MappingProxyType({}))
    wrappers: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    lambdas: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()  # values that are containers when they are long and hold functions
    imports: frozenset[str] = frozenset()
    import_pattern: str = ""  # for languages whose imports are ordinary calls
    needs_body: frozenset[str] = frozenset()  # definitions that are only a mention without a body
    closures: bool = False  # long top-level calls may hold functions: modules, test suites
    docstring: bool = False  # a string that begins the file describes it
    # definitions are calls: `def f(x) do … end`; the tables above then name the word that is called
    called: bool = False
    ends: str = ""  # where a signature ends, if no node holds the body
    clauses: bool = False  # a function may go on in definitions of the same name
    tail: str = ""  # the node behind a function that holds its body
    # a stretch whose line breaks the grammar does not expect: they are blanks to it
    joined: str = ""
    leads: tuple[str, ...] = ()  # beginnings of lines above a definition that belong to it, beside comments


_SCRIPT_SCOPES = name_set("else_clause if_statement try_statement statement_block labeled_statement")
_SCRIPT_FUNCTIONS = name_set(
    "function_declaration generator_function_declaration method_definition arrow_function function_expression generator_function"
)
_SCRIPT_WRAPPERS = name_set(
    "export_statement lexical_declaration variable_declaration expression_statement ambient_declaration"
)
_SCRIPT_VALUES = name_set(
    "variable_declarator field_definition public_field_definition assignment_expression pair"
)
_SCRIPT_LAMBDAS = name_set("arrow_function function_expression generator_function class")
_SCRIPT_OBJECTS = name_set("object")
_REQUIRE = r"(?:\brequire|\bimport)\s*\(\s*['\"`]"

_JAVASCRIPT = Language(
    grammar="javascript",
    functions=_SCRIPT_FUNCTIONS,
    containers={"class_declaration": CLASS, "class": CLASS},
    wrappers=_SCRIPT_WRAPPERS,
    scopes=_SCRIPT_SCOPES,
    values=_SCRIPT_VALUES,
    lambdas=_SCRIPT_LAMBDAS,
    objects=_SCRIPT_OBJECTS,
    imports=name_set("import_statement"),
    import_pattern=_REQUIRE,
    closures=True,
)


def _typescript(grammar: str) -> Language:
    return Language(
        grammar=grammar,
        functions=_SCRIPT_FUNCTIONS | {"function_signature"},
        containers={
            "class_declaration": CLASS,
            "abstract_class_declaration": CLASS,
            "class": CLASS,
            "interface_declaration": INTERFACE,
            "enum_declaration": ENUM,
            "type_alias_declaration": TYPE,
            "internal_module": MODULE,
            "module": MODULE,
        },
        wrappers=_SCRIPT_WRAPPERS,
        scopes=_SCRIPT_SCOPES,
        values=_SCRIPT_VALUES,
        lambdas=_SCRIPT_LAMBDAS,
        objects=_SCRIPT_OBJECTS,
        imports=name_set("import_statement import_alias"),
        import_pattern=_REQUIRE,
        closures=True,
    )


_C_SCOPES = name_set(
    "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list field_declaration_list"
)

LANGUAGES: Mapping[str, Language] = {
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
    "javascript": _JAVASCRIPT,
    "typescript": _typescript("typescript"),
    "tsx": _typescript("tsx"),
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
    "ruby": Language(
        grammar="ruby",
        functions=name_set("method singleton_method"),
        containers={"class": CLASS, "module": MODULE, "singleton_class": CLASS},
        wrappers=name_set("call argument_list"),  # private def f
        scopes=name_set("body_statement if unless begin"),
        import_pattern=r"\A\s*(?:require|require_relative|load|autoload)\b",
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
    "elixir": Language(
        grammar="elixir",
        functions=name_set(
            "def defp defmacro defmacrop defguard defguardp defdelegate @callback @macrocallback"
        ),
        containers={"defmodule": MODULE, "defprotocol": INTERFACE, "defimpl": IMPL},
        scopes=name_set("if unless"),
        imports=name_set("alias import require use"),
        called=True,
        clauses=True,
        leads=("@doc", "@spec", "@impl", "@deprecated"),
    ),
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
    "hcl": Language(grammar="hcl", functions=name_set("block"), scopes=name_set("body"), ends=r"\s*\{"),
    "graphql": Language(
        grammar="graphql",
        functions=frozenset(),
        containers={
            "object_type_definition": STRUCT,
            "input_object_type_definition": STRUCT,
            "interface_type_definition": INTERFACE,
            "enum_type_definition": ENUM,
            "union_type_definition": TYPE,
        },
        wrappers=name_set("definition type_system_definition type_definition"),
        scopes=name_set("document"),
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
    ),
    "sql": Language(
        grammar="sql",
        functions=name_set("create_function create_procedure create_trigger"),
        containers={"create_table": STRUCT, "create_view": STRUCT, "create_type": TYPE},
        wrappers=name_set("statement"),
        ends=r"\s*[\n(]",
    ),
    "haskell": Language(
        grammar="haskell",
        functions=name_set("function bind"),
        containers={
            "data_type": STRUCT,
            "newtype": STRUCT,
            "type_synomym": TYPE,  # as the grammar spells it
            "class": INTERFACE,
            "instance": IMPL,
        },
        imports=name_set("import"),
        scopes=name_set("declarations imports"),
        ends=r"\s(?:where|=)\s",
        clauses=True,
        leads=("signature", "haddock", "pragma"),
    ),
    "ocaml": Language(
        grammar="ocaml",
        functions=name_set("let_binding"),
        containers={"module_binding": MODULE, "type_binding": TYPE, "class_binding": CLASS},
        wrappers=name_set("value_definition module_definition type_definition class_definition"),
        imports=name_set("open_module"),
    ),
    "erlang": Language(
        grammar="erlang", functions=name_set("fun_decl"), ends=r"\s*->", clauses=True, leads=("spec",)
    ),
    "julia": Language(
        grammar="julia",
        functions=name_set("function_definition macro_definition"),
        containers={"module_definition": MODULE, "struct_definition": STRUCT},
        imports=name_set("using_statement import_statement"),
        leads=("string_literal",),
    ),
    "perl": Language("perl", name_set("function_definition"), imports=name_set("use_no_statement")),
    "powershell": Language(
        grammar="powershell",
        functions=name_set("function_statement"),
        containers={"class_statement": CLASS, "enum_statement": ENUM},
        scopes=name_set("statement_list"),
    ),
    "r": Language(
        grammar="r",
        functions=frozenset(),
        values=name_set("binary_operator"),
        lambdas=name_set("function_definition"),
        import_pattern=r"\A(?:library|require)\(",
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
    "zig": Language(
        grammar="zig",
        functions=name_set("function_declaration test_declaration"),
        containers={"struct_declaration": STRUCT, "enum_declaration": ENUM, "union_declaration": STRUCT},
        values=name_set("variable_declaration"),
        lambdas=name_set("struct_declaration enum_declaration union_declaration"),
    ),
    "starlark": Language(grammar="starlark", functions=name_set("function_definition")),
    "fortran": Language(
        grammar="fortran",
        functions=name_set("function subroutine"),
        scopes=name_set("module submodule program internal_procedures"),
        ends=r"\n",
    ),
    "vim": Language(grammar="vim", functions=name_set("function_definition")),
    "proto": Language(
        grammar="proto",
        functions=frozenset(),
        containers={"message": STRUCT, "enum": ENUM, "service": INTERFACE},
        imports=name_set("import"),
    ),
}


def find(language: str) -> Language | None:
    """The entry of a language by any of its usual names, or None."""
    return LANGUAGES.get(plain_name(language))
