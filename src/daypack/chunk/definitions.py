"""Definitions in a syntax tree: the test for a definition, and its name, signature and kind.

Grammars differ most in their definitions. This module resolves wrappers, bindings and declarators, so that the walk over a
file (regions.py) gets definitions of one form for all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from daypack.chunk.heads import called_head, innermost
from daypack.chunk.languages.language import Language
from daypack.text.name_sets import name_set
from daypack.text.syntax import Node
from daypack.types import SymbolKind

SIGNATURE_LIMIT = 300
OBJECT_LINES = 40  # a shorter object is one piece
NAME_LIMIT = 200

DECORATORS = name_set("decorator annotation marker_annotation attribute_list attribute attribute_item")
_BODIES = name_set(
    "block body_statement class_body compound_statement constructor_body declaration_list enum_body "
    "enum_class_body enum_variant_list enumerator_list field_declaration_list function_body "
    "interface_body protocol_body statement_block template_body do_block body extension_body recipe keyframe_block_list"
)
# Their members are their children.
_OWN_BODIES = name_set(
    "object struct_declaration enum_declaration union_declaration "
    "class_interface class_implementation category_interface category_implementation protocol_declaration service"
)
_NAMELESS = name_set(
    "companion_object init_declaration deinit_declaration singleton_class constructor_definition"
)
_FIXED_NAMES = {
    "companion_object": "Companion",
    "init_declaration": "init",
    "deinit_declaration": "deinit",
    "subscript_declaration": "subscript",
    "secondary_constructor": "constructor",
    "constructor_definition": "constructor",
    "static_initializer": "static",
}
_NAMES = name_set(
    "identifier type_identifier simple_identifier constant name property_identifier "
    "function_name simple_name variable value_name module_name class_name message_name enum_name service_name rpc_name "
    "object_reference"
)
_DECLARATORS = name_set("reference_declarator parenthesized_declarator attributed_declarator")
_SIGNATURE_END = re.compile(r"(?:;? end)?[ {:=;]*$")
_CLASS_WORD = re.compile(r"\b(struct|enum|interface|extension|class|actor|object|protocol)\b")
_CLASS_WORDS = {
    "struct": SymbolKind.STRUCT,
    "enum": SymbolKind.ENUM,
    "interface": SymbolKind.INTERFACE,
    "extension": SymbolKind.IMPL,
}
_INNER_KINDS = {  # of the types that Go and C give a name to
    "struct_type": SymbolKind.STRUCT,
    "interface_type": SymbolKind.INTERFACE,
    "struct_specifier": SymbolKind.STRUCT,
    "union_specifier": SymbolKind.STRUCT,
    "enum_specifier": SymbolKind.ENUM,
}


class Definition(NamedTuple):
    """A function or container inside its wrappers. `bound` is the node that names it, if another node does."""

    node: Node
    bound: Node | None


_EXPORT_ITSELF = ("module.exports", "exports")  # the export of a whole file


class Definitions:
    """Finds the definitions of one file in its tree."""

    def __init__(self, source: bytes, spec: Language) -> None:
        self.source = source
        self.spec = spec
        self._words = frozenset(
            (*spec.functions, *spec.containers, *spec.scopes, *spec.imports, *spec.leads)
            if spec.calls
            else ()
        )

    def kind(self, node: Node) -> str:
        """The node's type; in languages whose definitions are calls, the word of the call."""
        if node.type in self.spec.calls and (word := self._word(node)) in self._words:
            return word
        return node.type

    def _word(self, call: Node) -> str:
        """The first word of a call: `defmodule`, `@doc`, `add_library`; `defn` for `s/defn`."""
        if call.type == "unary_operator" or not call.named_children:
            return self._text(call).partition(" ")[0]
        called = call.named_children[0]
        return self._text(called.child_by_field_name("name") or called)

    def of(self, node: Node) -> Definition | None:
        """The function or container that a node is or wraps."""
        spec = self.spec
        for _ in range(6):
            kind = self.kind(node)
            if kind in spec.functions or kind in spec.containers:
                return Definition(node, None) if self._counts(node) else None
            if kind in spec.values:
                return self._bound(node)
            if kind not in spec.wrappers:
                return None
            kinds = (spec.functions, spec.containers, spec.values, spec.wrappers)
            inner = (child for child in node.named_children if any(child.type in one for one in kinds))
            if (wrapped := next(inner, None)) is None:
                return None
            node = wrapped
        return None

    def _counts(self, node: Node) -> bool:
        """True when a node is a definition and not only a mention."""
        if node.type == "type_definition":  # C: typedef struct {…} T
            inner = node.child_by_field_name("type")
            return inner is None or inner.child_by_field_name("body") is not None
        return node.type not in self.spec.needs_body or body_of(node) is not None

    def _bound(self, node: Node) -> Definition | None:
        """A function or class that is bound to a name: `f = () => …`, `exports.f = function …`."""
        if node.named_child_count < 2:
            return None
        value = _field(node, "value", "right") or node.named_children[-1]
        target = _field(node, "name", "property", "left") or node.named_children[0]
        if target.type in self.spec.heads:
            called = called_head(target)
            return Definition(node, called) if called is not None else None
        while value.type == "assignment_expression" and (right := value.child_by_field_name("right")):
            value = right  # proto = module.exports = { … }
        if value.type == "expression_list" and value.named_children:
            value = value.named_children[0]
        if value.type in ("as_expression", "satisfies_expression") and value.named_children:
            value = value.named_children[0]
        for child in node.named_children[:2]:
            if child.type == "variable_declaration":  # Kotlin: behind modifiers, with the type inside
                target = child.named_children[0]
        if value.type in self.spec.lambdas or self._is_large_object(value):
            # module.exports = class Cart: an exported value keeps its own name.
            is_named = self._text(target) in _EXPORT_ITSELF and value.child_by_field_name("name") is not None
            return Definition(value, None if is_named else target)
        if value.type == "call_expression":  # const Button = memo(() => …)
            arguments = value.child_by_field_name("arguments")
            for argument in arguments.named_children[:4] if arguments is not None else ():
                if argument.type in self.spec.lambdas and argument.start_point.row != argument.end_point.row:
                    return Definition(argument, target)
        return None

    def _is_large_object(self, node: Node) -> bool:
        """True for a long object literal that contains functions, as handlers or an instance of an anonymous class."""
        if node.type not in self.spec.objects or node.end_point.row - node.start_point.row < OBJECT_LINES:
            return False
        return any(self._is_function(member) for member in (body_of(node) or node).named_children)

    def _is_function(self, node: Node) -> bool:
        spec = self.spec
        return node.type in spec.functions or (
            node.type in spec.values and node.named_children[-1].type in spec.lambdas
        )

    def container_kind(self, node: Node, signature: str) -> SymbolKind:
        """The kind of a container, for node types that several kinds share."""
        kind = self.spec.containers.get(self.kind(node), SymbolKind.VARIABLE)
        if node.type == "type_declaration":  # Go
            declared = _go_type(node)
            inner = declared.child_by_field_name("type") if declared is not None else None
            if inner is not None:
                return _INNER_KINDS.get(inner.type, kind)
        if node.type == "type_definition" and (inner := node.child_by_field_name("type")) is not None:
            return _INNER_KINDS.get(inner.type, kind)
        by_word = kind is SymbolKind.CLASS and self.spec.grammar in ("swift", "kotlin", "groovy")
        if by_word and node.type in ("class_declaration", "class_definition"):
            word = _CLASS_WORD.search(signature)
            return _CLASS_WORDS.get(word[1], kind) if word else kind
        return kind

    # -- names and signatures

    def _text(self, node: Node) -> str:
        end = min(node.end_byte, node.start_byte + 4 * NAME_LIMIT)
        return self.source[node.start_byte : end].decode("utf-8", "ignore")

    def name(self, node: Node, bound: Node | None, outer: Node) -> tuple[str, ...]:
        """The segments of a definition's name: `("A", "f")` for `A::f`, () for none."""
        if bound is not None and self.spec.heads:
            return (" ".join(self._text(bound).split())[:NAME_LIMIT],)
        if bound is not None:
            written = _EXPORTS.sub("", self._text(bound)).replace(".prototype.", ".")
            return self._segments(written)
        kind = node.type
        if self.spec.grammar == "hcl":
            labels = [child for child in node.named_children if child.type == "string_lit"]
            return tuple(self._text(label).strip('"') for label in labels or node.named_children[:1])
        if self.spec.grammar == "julia":
            head = innermost(node)
            return (" ".join(self._text(head).split())[:NAME_LIMIT],) if head is not None else ()
        if self.spec.labels and node.child_by_field_name("name") is None:
            return (self._label(node),)
        named = self._name_node(node)
        if named is None:
            return self._fixed_name(kind, outer)
        name = self._text(named)
        if kind == "instance" and (of := node.child_by_field_name("patterns")) is not None:
            return (f"{name} {' '.join(self._text(of).split())}"[:NAME_LIMIT],)  # Haskell: Show Item
        if kind == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
            return (*_receiver(self._text(receiver)), name)
        segments = self._segments(name)
        return segments[-1:] if kind == "impl_item" else segments  # the path before a type is not its scope

    def _name_node(self, node: Node) -> Node | None:
        kind = node.type
        if self.spec.grammar in ("c", "cpp", "objc") and kind in ("function_definition", "type_definition"):
            return _declared(node)
        if kind in self.spec.calls:
            return _called_name(node)
        if kind == "impl_item":
            return node.child_by_field_name("type")
        if kind == "type_declaration":
            declared = _go_type(node)
            return declared.child_by_field_name("name") if declared is not None else None
        named = node.child_by_field_name("name") or node.child_by_field_name("function")
        return _named_inside(node) if named is None and kind not in _NAMELESS else named

    def _segments(self, name: str) -> tuple[str, ...]:
        return (name.strip('`"()')[:NAME_LIMIT],) if self.spec.whole_names else _segments(name)

    def _label(self, node: Node) -> str:
        """The name of a definition as written: a selector, the targets of a rule; else all text before the body."""
        body = body_of(node)
        end = node.end_byte if body is None else body.start_byte
        written = self.source[node.start_byte : end].decode("utf-8", "ignore")
        waiting = [node]
        while waiting:
            current = waiting.pop()
            if current.type in self.spec.labels:
                written = self._text(current)
                break
            waiting += [child for child in reversed(current.named_children) if child.start_byte < end]
        return " ".join(written.split())[:NAME_LIMIT]

    def _fixed_name(self, kind: str, outer: Node) -> tuple[str, ...]:
        if kind in _FIXED_NAMES:
            return (_FIXED_NAMES[kind],)
        return ("default",) if outer.type == "export_statement" else ()

    def signature(self, outer: Node, node: Node, body: Node | None) -> str:
        """The definition up to its body, on one line."""
        start = _after_decorators(outer)
        end = body.start_byte if body is not None and body.start_byte > start else outer.end_byte
        if is_head := node.type in self.spec.values and bool(self.spec.heads):
            end = node.named_children[0].end_byte  # f(x) = …
        for child in node.children:
            if child.start_byte >= end:
                break
            if child.type.endswith("comment") and child.start_byte > start:
                end = child.start_byte
        head = self._without_comments(outer, start, min(end, start + 8 * SIGNATURE_LIMIT))
        raw = head.decode("utf-8", "ignore")
        if node.type == "type_definition" and (named := _declared(node)) is not None:
            raw = f"{raw.split('{', 1)[0]} {self._text(named)}"
        elif self.spec.ends:
            raw = re.split(self.spec.ends, raw, maxsplit=1)[0]
        elif (body is None and not is_head) or node.type == "type_declaration":
            raw = raw.split("{", 1)[0]
        return _SIGNATURE_END.sub("", " ".join(raw.split())[:SIGNATURE_LIMIT])

    def _without_comments(self, node: Node, start: int, end: int) -> bytes:
        """The source between two offsets inside a node, without comments, which are not a part of the signature."""
        source = self.source[start:end]
        if b"//" not in source and b"/*" not in source:
            return source
        kept, at = [], start
        for comment in _comments(node, start, end):
            kept.append(self.source[at : comment.start_byte])
            at = min(comment.end_byte, end)
        return b"".join([*kept, self.source[at:end]])


def _comments(node: Node, start: int, end: int) -> Iterator[Node]:
    """The comments inside a node that begin between two offsets, in order."""
    waiting = [node]
    while waiting:  # not by recursion, because a source may be nested deeper than Python's calls
        current = waiting.pop()
        if current.type.endswith("comment"):
            if start <= current.start_byte < end:
                yield current
            continue
        waiting += [
            child for child in reversed(current.children) if child.end_byte > start and child.start_byte < end
        ]


def _field(node: Node, *names: str) -> Node | None:
    """The first of the fields that the node has."""
    return next(filter(None, map(node.child_by_field_name, names)), None)


def body_of(node: Node) -> Node | None:
    """The node of a definition's body; None for a declaration."""
    body = node.child_by_field_name("body")
    if body is None:
        body = next((child for child in node.named_children if child.type in _BODIES), None)
    return node if body is None and node.type in _OWN_BODIES else body


def _named_inside(node: Node) -> Node | None:
    """The name of a definition without a field for it: a child, or the name in the first child that has one."""
    heads = [child for child in node.named_children[:2] if child.type not in _BODIES]
    calls = [head.named_children[0] for head in heads if head.type == "signature" and head.named_children]
    for parent in (node, *heads, *calls):
        found = parent.child_by_field_name("name") or next(
            (child for child in parent.named_children if child.type in _NAMES), None
        )
        if found is not None:
            return found
    return None


def _declared(node: Node) -> Node | None:
    """The name inside a C declarator: through pointers, references and parameters."""
    current = node.child_by_field_name("declarator")
    for _ in range(16):
        if current is None:
            return None
        inner = current.child_by_field_name("declarator")
        if inner is None and current.type in _DECLARATORS:
            ends = ("declarator", "identifier")
            inner = next((child for child in current.named_children if child.type.endswith(ends)), None)
        if inner is None:
            return current
        current = inner
    return current


def _called_name(node: Node) -> Node | None:
    """The name in a definition that is a call: `def f(x) when x > 1`, `@callback f(x) :: y`, `defmodule A.B`, `(defn f [x])`."""
    if node.type == "list_lit":
        return node.named_children[1].child_by_field_name("name") if node.named_child_count > 1 else None
    call = node.named_children[0] if node.type == "unary_operator" else node
    found = next((child for child in call.named_children if child.type == "arguments"), None)
    current = found.named_children[0] if found is not None and found.named_children else None
    for _ in range(8):
        if current is None or current.type in ("identifier", "alias"):
            return current
        current = current.child_by_field_name("left" if current.type == "binary_operator" else "target")
    return None


def _go_type(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type in ("type_spec", "type_alias")), None)


def _after_decorators(node: Node) -> int:
    """The start of a definition without its decorators."""
    for child in node.children:
        if child.type in DECORATORS or child.type.endswith("comment"):
            continue
        if child.type == "modifiers":
            plain = next((part for part in child.children if part.type not in DECORATORS), None)
            if plain is None:
                continue
            return plain.start_byte
        return child.start_byte
    return node.start_byte


_EXPORTS = re.compile(r"(?:module\.)?exports\.|(?:this|window|globalThis|self)\.")
_GENERICS = re.compile(r"<[^<>]*>")


def _segments(name: str) -> tuple[str, ...]:
    """The parts of a qualified name, with any separator of the language between them."""
    if name.isidentifier() and len(name) <= NAME_LIMIT:  # nearly all names
        return (name,)
    if "operator" not in name:
        for _ in range(4):
            name, changed = _GENERICS.subn("", name)
            if not changed:
                break
    parts = re.split(r"::|->|[.:\\]", name[:NAME_LIMIT])
    cleaned = tuple("".join(part.split()).strip("\"'`&*()[]") for part in parts)
    return tuple(part for part in cleaned if part)


_RECEIVER = re.compile(r"\(\s*(?:\w+\s+)?\*?\s*(\w+)")


def _receiver(text: str) -> tuple[str, ...]:
    """The type of a Go receiver: `(r *Retry[T])` is `Retry`."""
    match = _RECEIVER.match(text)
    return (match[1],) if match else ()
