"""Expressions, types and paths of imports in one notation of names and dots for all languages.

Texts in, texts out, without a syntax tree. `a->b::<T>(x)?.c` becomes `a.b().c`, `Optional[list[Store]]` has no single type,
`use a::{b as c, d}` becomes two paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

LONGEST_EXPRESSION = 120

_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LEADING = re.compile(r"(?:(?:await|new|mut|ref|dyn|const|co_await|try[!?]?|go|defer)\s+|[&*!]+|\.\.\.|@)+")
_PLAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
# A token of an expression that is not plain; the group names its case in _TOKENS.
_TOKEN = re.compile(
    r"(?P<name>[\w$]+)|(?P<joint>\?\.|!\.|\?->|->|::|!!\.|&\.|[.\\])|(?P<call>[({])|(?P<generic><)|(?P<mark>[!?])|(?P<space>\s+)"
)


@lru_cache(maxsize=8192)  # a file repeats `self.client` a hundred times
def expression(text: str) -> str:
    """An expression as names, dots and empty parentheses; "?" for any other expression."""
    if len(text) <= LONGEST_EXPRESSION and _PLAIN.fullmatch(text):
        return text
    text = text.strip()
    if text.startswith("(") and (end := _closing(text, 0)) == len(text) - 1:
        return expression(text[1:end])
    if match := _LEADING.match(text):
        text = text[match.end() :]
    if text[:1].isdigit():
        return "?"
    parts: list[str] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or token.lastgroup is None:
            return "?"
        at = _TOKENS[token.lastgroup](token, parts)
        if at == _UNCLEAR:
            return "?"
    found = "".join(parts)
    return found if found and not found.endswith(".") and len(found) <= LONGEST_EXPRESSION else "?"


_UNCLEAR = -1

# A function for each group of _TOKEN: it adds to the parts and returns the offset of the next token, or _UNCLEAR.


def _name(token: re.Match[str], parts: list[str]) -> int:
    if parts and parts[-1] != ".":
        return _UNCLEAR
    parts.append(token[0])
    return token.end()


def _joint(token: re.Match[str], parts: list[str]) -> int:
    if parts and parts[-1] != ".":
        parts.append(".")
    return token.end()


def _call(token: re.Match[str], parts: list[str]) -> int:
    """Arguments in parentheses, or the fields of a new object in braces, after which nothing may follow."""
    end = _closing(token.string, token.start())
    if end < 0 or not parts or parts[-1] == "." or (token[0] == "{" and end + 1 < len(token.string)):
        return _UNCLEAR
    parts.append("()")
    return end + 1


def _generic(token: re.Match[str], parts: list[str]) -> int:
    """Types in angle brackets, which are left out; what else `<` may be is a comparison."""
    end = _closing(token.string, token.start())
    following = token.string[end + 1 : end + 2]
    if end < 0 or not parts or (following and following not in "({:."):
        return _UNCLEAR
    if parts[-1] == "." and following != ":":
        parts.pop()  # parse::<u8>()
    return end + 1


def _mark(token: re.Match[str], parts: list[str]) -> int:
    return token.end() if parts else _UNCLEAR


def _space(token: re.Match[str], _parts: list[str]) -> int:
    return token.end()


_TOKENS: dict[str, Callable[[re.Match[str], list[str]], int]] = {
    "name": _name,
    "joint": _joint,
    "call": _call,
    "generic": _generic,
    "mark": _mark,
    "space": _space,
}


def _closing(text: str, at: int) -> int:
    """The offset of the bracket that closes the one at `at`, -1 when none does. Quotations are skipped."""
    opening, closing = text[at], _OPEN[text[at]]
    depth = 0
    quote = ""
    skip = False
    for place in range(at, len(text)):
        letter = text[place]
        if skip:
            skip = False
        elif quote:
            if letter == "\\":
                skip = True
            elif letter == quote:
                quote = ""
        elif letter in '"`' or (letter == "'" and opening != "<"):
            quote = letter
        elif letter == opening:
            depth += 1
        elif letter == closing and not (closing == ">" and text[place - 1] in "-="):
            depth -= 1
            if not depth:
                return place
    return -1


_TYPE_NOISE = re.compile(
    r"^(?:->|=>|:)\s*|^(?:[&*]|'\w+\b|mut\b|dyn\b|impl\b|const\b|readonly\b|final\b|struct\b|enum\b|class\b|ref\b|out\b|in\b|\s)+"
)
_NOTHING = frozenset({"var", "auto", "let", "val", "None", "null", "undefined", "nil", "void", "error"})


@lru_cache(maxsize=8192)
def type_expression(text: str, transparent: frozenset[str]) -> str:
    """The type in which a method is looked up; "" for a list, a union or a function."""
    text = text.strip()
    for _ in range(6):
        text = _TYPE_NOISE.sub("", text).strip().strip("\"'").rstrip("?!*& ").strip()
        if text.startswith("("):
            end = _closing(text, 0)
            inner = text[1:end] if end > 0 else ""
            parts = [part.strip() for part in _split(inner, ",")]
            text = parts[0] if parts else ""  # Go: (*Store, error)
            continue
        parts = [
            part for part in (part.strip() for part in _split(text, "|")) if part and part not in _NOTHING
        ]
        if len(parts) != 1:
            return ""
        text = parts[0]
        match = re.match(r"[\w$.:\\]+", text)
        if match is None:
            return ""
        name, rest = match[0].rstrip(":"), text[match.end() :].strip()
        if not rest:
            return normal_name(name)
        if rest[0] not in "[<":
            return normal_name(name) if rest[0] in "({" else ""
        end = _closing(rest, 0)
        if end < 0 or rest[1:end].strip() == "" or rest[end + 1 :].strip(" ?!*&") not in ("", "+"):
            return ""
        if normal_name(name).rpartition(".")[2] not in transparent:
            return normal_name(name)
        text = _split(rest[1:end], ",")[0]
    return ""


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == separator and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return parts


def normal_name(name: str) -> str:
    """A qualified name with dots for the language's separators, and without generics; an operator as it is: `<=>`."""
    if not re.search(r"\w", name):
        return name.strip()
    bare = re.sub(r"<[^<>]*>", "", name) if "<" in name else name
    return re.sub(r"::?|->|\\|\s+", ".", bare.strip().lstrip("&*~\\")).strip(".")


def unquoted(text: str) -> str:
    return text.strip().strip("\"'`<>").strip()


def expanded(tree: str) -> list[tuple[str, str, str]]:
    """(module, item, name) of each path that an import with braces names: use a::{b as c, d::e, self}."""
    found: list[tuple[str, str, str]] = []
    stack = [("", tree)]
    while stack and len(found) < 500:
        prefix, rest = stack.pop()
        rest = rest.strip()
        at = rest.find("{")
        if at >= 0 and (end := _closing(rest, at)) > 0:
            stack.extend(
                (prefix + rest[:at].strip(), part)
                for part in reversed(_split(rest[at + 1 : end], ","))
                if part.strip()
            )
            continue
        path, _, alias = rest.partition(" as ")
        full = normal_name(prefix + path.strip())
        module, _, item = full.rpartition(".")
        if item == "self" and prefix:
            module, _, item = module.rpartition(".")
        if item:
            found.append((module, item, alias.strip() or item))
    return found
