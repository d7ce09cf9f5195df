"""Expressions, types and paths of imports in one notation of names and dots for all languages.

Texts in, texts out, without a syntax tree. `a->b::<T>(x)?.c` becomes `a.b().c`, `Optional[list[Store]]` has no single type,
`use a::{b as c, d}` becomes two paths.
"""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_EXPRESSION = 120

_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LEADING = re.compile(r"(?:(?:await|new|mut|ref|dyn|const|co_await|try[!?]?|go|defer)\s+|[&*!]+|\.\.\.|@)+")
_PLAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_JOINTS = ("?.", "!.", "?->", "->", "::", "!!.", "&.", ".", "\\")


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
    out: list[str] = []
    at, size = 0, len(text)
    while at < size:
        letter = text[at]
        if letter.isalnum() or letter in "_$":
            end = at + 1
            while end < size and (text[end].isalnum() or text[end] in "_$"):
                end += 1
            if out and out[-1] != ".":
                return "?"
            out.append(text[at:end])
            at = end
            continue
        if letter in "([{<":
            end = _closing(text, at)
            if end < 0 or not out or letter == "[" or (out[-1] == "." and letter != "<"):
                return "?"
            if letter in "({":
                out.append("()")
            elif end + 1 < size and text[end + 1] not in "({:.":
                return "?"  # a comparison
            elif out[-1] == "." and text[end + 1 : end + 2] != ":":
                out.pop()  # parse::<u8>()
            at = end + 1
            if letter == "{" and at < size:
                return "?"
            continue
        if letter.isspace():
            at += 1
            continue
        for joint in _JOINTS:
            if text.startswith(joint, at):
                if out and out[-1] != ".":
                    out.append(".")
                at += len(joint)
                break
        else:
            if letter in "!?" and out:
                at += 1
                continue
            return "?"
    found = "".join(out)
    return found if found and not found.endswith(".") and len(found) <= LONGEST_EXPRESSION else "?"


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
    """A qualified name with dots for the language's separators, and without generics."""
    bare = re.sub(r"<[^<>]*>", "", name) if "<" in name else name
    return re.sub(r"::?|->|\\|\s+", ".", bare.strip().lstrip("&*~$\\")).strip(".")


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
