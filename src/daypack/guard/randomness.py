"""Tests whether a value looks as random as a secret, or like a placeholder in its place."""

from __future__ import annotations

import math
import re
from collections import Counter

TEMPLATE = re.compile(r"\$\{|\{\{|\$\(|%\(|<[a-zA-Z]|\}\}|\{[a-zA-Z_0-9.]*\}|^[$%{<]")
_PLACEHOLDER = re.compile(
    r"\[REDACTED|example|change[-_ ]?me|your[-_ ]?|my[-_]|dummy|sample|placeholder|fake|mock|insert|replace|redacted|undefined|default"
    r"|foo_?bar|password|passwd|secret|token|x{4,}|\*{3,}|\.{3,}|-{4,}|_{4,}|0{6,}|1234567|abcdef|qwerty|lorem|todo|test",
    re.IGNORECASE,
)
_FORM_PLACEHOLDER = re.compile(
    r"EXAMPLE|example|xxxxxx|XXXXXX|\.\.\.|000000000000|123456789012|your|placeholder"
)
_HEX = re.compile(r"[0-9a-fA-F]+")
_WORDS = re.compile(r"[A-Za-z]*[0-9]{0,4}(?:[-_./:@ ][A-Za-z]*[0-9]{0,4})+")  # oauth2-token, a/b.c, v1:name
_NAME_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")


def is_secret(value: str, *, bare: bool, strong: bool) -> bool:
    """True when a value looks random enough to be a secret.

    With a `strong` name (password, secret) a short value suffices.
    """
    if TEMPLATE.search(value) or _PLACEHOLDER.search(value) or " " in value:
        return False
    digits = sum(character.isdigit() for character in value)
    uppers = sum(character.isupper() for character in value)
    lowers = sum(character.islower() for character in value)
    others = len(value) - digits - uppers - lowers
    classes = (digits > 0) + (uppers > 0) + (lowers > 0) + (others > 0)
    if _UUID.fullmatch(value):
        return True
    if _HEX.fullmatch(value):
        return len(value) >= 24 and digits > 0 and entropy(value) >= 3.0
    if _WORDS.fullmatch(value) or "://" in value or value.startswith(("/", "./", "../", "~/")):
        return False
    if bare and _NAME_PATH.fullmatch(value):  # could be code: a variable, an attribute
        long = len(value) >= (50 if "." in value or ":" in value else 20)
        return long and digits >= 3 and uppers >= 2 and lowers >= 2 and entropy(value) >= 3.8
    if len(value) >= 20:
        return digits >= 2 and classes >= 2 and entropy(value) >= 3.5
    if len(value) >= 16:
        return digits >= 2 and classes >= 3 and entropy(value) >= 3.3
    return strong and classes >= 3 and (digits > 0 or others > 0) and entropy(value) >= 2.75


def is_placeholder(value: str) -> bool:
    """True for a value that documentation writes in place of a secret."""
    return (
        bool(_FORM_PLACEHOLDER.search(value))
        or "[REDACTED" in value
        or len(set(value)) < min(8, len(value) // 2)
    )


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


def is_aws_secret(value: str) -> bool:
    """True when a value is random enough for the secret half of an AWS key, which has no form of its own."""
    return (
        bool(AWS_SECRET.fullmatch(value))
        and not _HEX.fullmatch(value)
        and not is_placeholder(value)
        and entropy(value) > 4.2
    )
