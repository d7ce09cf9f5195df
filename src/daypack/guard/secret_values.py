"""Tests of values: whether one can be the secret that its name or its place promises.

Code and documentation have many other values beside such names: variables, types, templates, words in the
place of a password. The more certain a place is, the less randomness a test asks.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple


class Find(NamedTuple):
    start: int
    end: int
    kind: str
    hashed: bool


# (text, where a substring of its small letters was found) → the secrets there
Finder = Callable[[str, int], Iterable[Find]]

compiled = cache(re.compile)  # few texts need most of the expressions, and a hook has no time to compile all


LONGEST_VALUE = (
    300  # characters of a value that are tested; a longer one has only characters of Base64 and URLs
)
LONG_RUN = r"[A-Za-z0-9+/_.~%:-]"

TEMPLATE = re.compile(r"\$\{|\{\{|\$\(|%\(|<[a-zA-Z]|\}\}|\{[a-zA-Z_0-9.]*\}|^[$%{<]|\\x[0-9a-fA-F]{2}")
_PLACEHOLDER = (
    r"(?i)\[REDACTED|example|change[-_ ]?me|your[-_ ]?|my[-_]|dummy|sample|placeholder|fake|mock|insert|replace|redacted|undefined|default"
    r"|foo_?bar|password|passwd|secret|token|x{4,}|\*{3,}|\.{3,}|-{4,}|_{4,}|0{6,}|1234567|abcdef|qwerty|lorem|todo|test"
)
_FORM_PLACEHOLDER = re.compile(
    r"EXAMPLE|example|xxxxxx|XXXXXX|\.\.\.|000000000000|123456789012|your|placeholder"
)
_HEX = re.compile(r"[0-9a-fA-F]+")
_WORDS = r"[A-Za-z]*[0-9]{0,4}(?:[-_./:@ ](?:[A-Za-z]*[0-9]{0,4}|-?[0-9]{5,20}))+"  # oauth2-token, a/b.c, v1:name, chat:12345
_CONTRACT = re.compile(r"0x[0-9a-fA-F]{40}")  # the public address of a contract or an account
_NAME_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")


def is_secret(value: str, *, bare: bool, strong: bool) -> bool:
    """True for a value as random as a secret. With a `strong` name (password) a short one suffices."""
    if _is_long_text(value) or TEMPLATE.search(value) or compiled(_PLACEHOLDER).search(value) or " " in value:
        return False
    if _UUID.fullmatch(value):
        return True
    characters = _Characters(value)
    if _HEX.fullmatch(value):
        return len(value) >= 24 and characters.digits > 0 and entropy(value) >= 3.0
    if compiled(_WORDS).fullmatch(value) or _CONTRACT.fullmatch(value) or _is_address(value):
        return False
    if bare and _NAME_PATH.fullmatch(value):
        return _is_too_random_for_code(value, characters)
    if len(value) >= 20:
        return characters.digits >= 2 and characters.classes >= 2 and entropy(value) >= 3.5
    if len(value) >= 16:
        return characters.digits >= 2 and characters.classes >= 3 and entropy(value) >= 3.3
    return strong and len(value) >= 8 and _is_short_password(value, characters)


def _is_too_random_for_code(value: str, characters: _Characters) -> bool:
    """True for a value that is spelled as a variable or an attribute, but is too random for one."""
    long = len(value) >= (50 if "." in value or ":" in value else 20)
    many = characters.digits >= 3 and characters.uppers >= 2 and characters.lowers >= 2
    return long and many and entropy(value) >= 3.8


def _is_short_password(value: str, characters: _Characters) -> bool:
    with_signs = characters.digits > 0 or characters.others > 0
    return with_signs and characters.classes >= 3 and entropy(value) >= 2.75


# ---------------------------------------------------------------- in configuration and on command lines


# Words in the place of a password, in documentation and in configuration that is not secret.
_STAND_IN = (
    r"(?i).*(?:\[REDACTED|example|change[-_ ]?me|your|placeholder|dummy|replace|redacted|undefined|insert|fixme|x{4,}|\*{3,}|\.{3,}"
    r"|0{6,}|1234567|abcdef|qwerty).*"
    r"|(?:[a-z]+[-_. ]?){0,2}?(?:pass(?:w(?:or)?d|phrase|code)?|pwd|secret|token|api[-_]?key|key|test(?:ing)?|foo|bar|baz|default|admin"
    r"|root|user|guest|demo|sample|fake|mock|value|string|none|null|true|false|postgres|mysql|redis)s?(?:[-_. ]?[a-z]+)?[-_. ]?[0-9]{0,4}"
)
# Words, numbers and signs between them: camelCase, snake_case, types, calls, expressions.
_IN_WORDS = r"(?>(?:i18n|l10n|k8s|s3|x86|p12|e2e|a11y|cl100k|o200k|(?:[Ee]d|ED|[Xx]|[Cc]urve)(?:25519|448))(?![a-z0-9])|(?<![A-Za-z0-9])v[0-9]++(?:\.[0-9]++)*+(?![A-Za-z0-9])|[A-Z]?[a-z]{2,}+|[A-Z]{2,}+|[0-9]{1,4}+|[^A-Za-z0-9]|(?<![A-Za-z0-9])[A-Za-z](?![A-Za-z0-9]))*+"
_CODE = r"\w\(|=>|->|::|&&|\|\||==|!=|[,;({\[|\\]$|^[(\[{|>]|^0x|^[-+]?[0-9]*\.[0-9]+$|\+\+?\w+\.\w"
_BASE64 = r"(?=.*[A-Z])(?=.*[a-z])(?=(?:.*[0-9]){3})[A-Za-z0-9+/]{24,}={0,2}"
_CAMEL_CASE = r"[a-z]*(?:[A-Z][a-z]+)*[A-Z]*[0-9]*"
_WORD_AND_NUMBER = r"(?i)(?!(?:sha|md|[hrpe]s|base|utf|u?int|float|aes|rsa|hmac|blake|latin|iso|ascii|str|bytes?|ed|curve|v|port|line|step)[0-9])[A-Za-z]{4,}[0-9]+"


def is_configured_secret(value: str, *, strong: bool, loud: bool) -> bool:
    """True for a secret among the bare and quoted values of configuration.

    `strong` says that the name means a password. `loud` says that the place leaves no doubt that this is a
    value and no code: `DB_PASSWORD=…`, `--password …`; then one word with a number suffices.
    """
    value = value.rstrip(";")
    if len(value) < (6 if strong else 8 if loud else 12) or _is_other_text(value):
        return False
    if _UUID.fullmatch(value):
        return True
    characters = _Characters(value)
    if not characters.letters:  # a PIN
        return strong and loud and characters.digits == len(value) and len(set(value)) > 2
    if _HEX.fullmatch(value):
        return characters.digits > 0 and len(value) >= (8 if strong else 16)
    if _NAME_PATH.fullmatch(value) and "." in value:
        return is_secret(value, bare=True, strong=strong)
    if loud and not strong and _is_random_run(value, characters):
        return True
    if compiled(_IN_WORDS).fullmatch(value):
        return strong and _is_password_of_words(value, characters, loud=loud)
    if strong:
        return _is_password_of_no_words(value, characters, loud=loud)
    return characters.digits >= 2 and len({*value}) >= 8 and entropy(value) >= 3.0


def _is_random_run(value: str, characters: _Characters) -> bool:
    """True for letters and digits in an order that no words have."""
    return (
        len(value) >= 16
        and value.isalnum()
        and (characters.classes >= 3 or characters.digits >= 2)
        and _turns(value) >= _RANDOM_TURNS
        and compiled(_CAMEL_CASE).fullmatch(value) is None
    )


def _is_other_text(value: str) -> bool:
    """True for a phrase, a template, a stand-in, code or an address."""
    return (
        " " in value
        or _is_long_text(value)
        or "%20" in value  # a phrase, as a URL spells it
        or TEMPLATE.search(value) is not None
        or compiled(_STAND_IN).fullmatch(value) is not None
        or compiled(_CODE).search(value.rstrip("=")) is not None  # "==" at the end fills up Base64
        or _is_address(value)
    )


def _is_long_text(value: str) -> bool:
    """True for a value that goes on behind its tested characters and holds others than a token does."""
    return len(value) >= LONGEST_VALUE and compiled(LONG_RUN + "*=*").fullmatch(value) is None


def _is_address(value: str) -> bool:
    """True for a URL or a path; a key in Base64 may begin with a slash, too."""
    if not value.startswith(("/", "./", "../", "~/")):
        return "://" in value
    return compiled(_BASE64).fullmatch(value) is None or compiled(_IN_WORDS).fullmatch(value) is not None


def _is_password_of_words(value: str, characters: _Characters, *, loud: bool) -> bool:
    """True for a password among values that a person can read: `hunter22`, `blue!Horse7`, a long passphrase."""
    if not characters.digits:
        return loud and characters.lowers == len(value) >= 16
    if characters.others:
        joined = re.search(r"[!@#$%^&*]", value[1:]) is not None and not re.search(r"[<>|=,/]", value)
        return joined and characters.letters >= 3
    long = len(value) >= 8 and characters.digits >= 2
    return loud or (long and compiled(_WORD_AND_NUMBER).fullmatch(value) is not None)


def _is_password_of_no_words(value: str, characters: _Characters, *, loud: bool) -> bool:
    """True for a password among values that are not made of words; one of letters alone must change their size often."""
    if not characters.digits and not characters.others:
        turns = sum(first.islower() and second.isupper() for first, second in pairwise(value))
        return len(value) >= 8 and turns >= 3 and entropy(value) >= 3.0
    return characters.digits > 0 or (loud and characters.uppers > 0 and characters.lowers > 0)


def is_listed_secret(value: str, *, strong: bool) -> bool:
    """True for a secret where code may have a variable: between other values, parentheses or braces."""
    if is_secret(value, bare=True, strong=strong):
        return True
    if not is_configured_secret(value, strong=strong, loud=False):
        return False
    return not compiled(_IDENTIFIER).fullmatch(value) or _turns(value) >= _RANDOM_TURNS


_IDENTIFIER = r"[A-Za-z_$.][\w$.-]*"
_RANDOM_TURNS = 3  # from one class of characters to another, a capital of a word aside: b64Encoded has two


def _turns(value: str) -> int:
    return sum(
        _class_of(first) != _class_of(second) and not (first.isupper() and second.islower())
        for first, second in pairwise(value)
    )


def _class_of(sign: str) -> str:
    return "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.islower() else "."


def is_given_password(value: str) -> bool:
    """True for a value in a place that holds nothing but a password: `mysql -p…`, `curl -u name:…`."""
    if len(value) < 4 or TEMPLATE.search(value) or compiled(_STAND_IN).fullmatch(value):
        return False
    return any(sign.isdigit() for sign in value) or is_configured_secret(value, strong=True, loud=True)


class _Characters:
    """The numbers of digits, capitals, small letters and other characters of a value."""

    __slots__ = ("digits", "lowers", "others", "uppers")  # a NamedTuple takes a hook longer to define

    def __init__(self, value: str) -> None:
        self.digits = sum(character.isdigit() for character in value)
        self.uppers = sum(character.isupper() for character in value)
        self.lowers = sum(character.islower() for character in value)
        self.others = len(value) - self.digits - self.letters

    @property
    def letters(self) -> int:
        return self.uppers + self.lowers

    @property
    def classes(self) -> int:
        """The number of these classes that the value uses."""
        return sum(count > 0 for count in (self.digits, self.uppers, self.lowers, self.others))


def is_form_placeholder(value: str) -> bool:
    """True for a value that documentation writes in place of a token."""
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
        and not is_form_placeholder(value)
        and entropy(value) > 4.2
    )
