"""Secrets are replaced before anything is hashed, stored, embedded or logged.

    redact("token = 'ghp_…'")  →  "token = '[REDACTED:github_token:1f0c9a3e]'"

Three kinds of rules. Tokens of a known form are found by their form (`secret_forms`); eight hex digits of a
hash tell two of them apart, which is safe because they are long and random. Values that are secret because of
the name beside them (`password = …`, `secret_names`) or of their place (`mysql -p…`, `secret_places`) are
found by these and by their randomness; they get no hash, because a short password could be guessed from it.

Line breaks inside a secret stay, so line numbers still match the file. Redacting twice is redacting once.

A hook redacts what it spools and has 50 ms of CPU for everything: dataclasses, OpenSSL's hashes and the nouns
of `daypack.types` would take as long as all the rest here, so this module imports none of these.
"""

from __future__ import annotations

import re
from _blake2 import blake2b  # hashlib's own; hashlib itself loads OpenSSL first
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from daypack.guard import secret_forms, secret_names, secret_places
from daypack.guard.secret_values import LONG_RUN, LONGEST_VALUE, Find, Finder, is_aws_secret
from daypack.guard.suspects import PASSWORD_WORDS


class Redacted(NamedTuple):
    """Text without its secrets, the number of replacements, and their number by kind."""

    text: str
    count: int = 0  # type: ignore[assignment]  # hides a method of tuples that is not called
    kinds: Mapping[str, int] = MappingProxyType({})


def redact(text: str) -> Redacted:
    """Replace every secret by `[REDACTED:kind]` or `[REDACTED:kind:hash8]`."""
    finds = _whole(text)
    if not finds:  # nearly every text
        return Redacted(text)
    kinds: Counter[str] = Counter()
    # The text behind a secret may only be recognised once the secret is gone, so this repeats until nothing
    # is found.
    while finds:
        kinds.update(find.kind for find in finds)
        text = _replaced(text, finds)
        finds = _whole(text)
    return Redacted(text, kinds.total(), kinds)


_FINDERS: dict[str, list[Finder]] = {}  # by the substring that each looks at, so that a text is searched once
for _needle, _finder in (*secret_names.FINDERS, *secret_places.FINDERS):
    _FINDERS.setdefault(_needle, []).append(_finder)


def _finds(text: str) -> Iterator[Find]:
    """Every secret of a text; they may overlap."""
    yield from secret_forms.finds(text)
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals become two characters; then only ASCII may change
        lower = text.translate({capital: capital + 32 for capital in range(65, 91)})
    for needle, finders in _FINDERS.items():
        at = lower.find(needle)
        while at != -1:
            for find in finders:
                yield from find(text, at)
            at = lower.find(needle, at + 1)


# ---------------------------------------------------------------- JSON


def redact_json(value: Any) -> tuple[Any, int]:
    """A JSON value without its secrets, and their number.

    Each string is redacted as a text of its own and as the value of its name. Two kinds of values are secret
    because of the ones beside them: the secret half of an AWS key, and the data of a Kubernetes Secret.
    """
    return _redacted(value, "", secret=False) if holds_secret([value]) else (value, 0)


def holds_secret(values: Sequence[Any]) -> bool:
    """True when `redact_json` would change one of the values; many are checked as fast as one long text."""
    texts: list[str] = []
    named: list[tuple[str, str]] = []
    secrets = False
    waiting: list[tuple[str, Any]] = [("", value) for value in values]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
            if name and _TELLING_NAME.search(name):
                named.append((name, value))
        elif isinstance(value, list):
            waiting += ((name, item) for item in value)
        elif isinstance(value, dict):
            texts += value
            waiting += value.items()
            secrets = secrets or value.get("kind") == "Secret"
    return (
        secrets
        or next(_finds("\n\n".join(texts)), None) is not None
        or any(_redacted_by_name(name, value).count for name, value in named)
    )


_TELLING_NAME = re.compile(
    "pass|pwd|secret|token|key|credential|auth|cookie|psk|" + "|".join(PASSWORD_WORDS), re.IGNORECASE
)
_LONGEST_NAMED = 5000  # characters of a value that its name may give away


def _redacted(value: Any, name: str, *, secret: bool) -> tuple[Any, int]:
    """A value of JSON under its name; a `secret` one loses every string."""
    if isinstance(value, str):
        if secret and value and not value.startswith("[REDACTED:"):
            return "[REDACTED:secret]", 1
        own = redact(value)
        beside = _redacted_by_name(name, own.text) if _TELLING_NAME.search(name) else Redacted(own.text)
        return beside.text, own.count + beside.count
    if isinstance(value, list):
        pairs = [_redacted(item, name, secret=secret) for item in value]
        return [item for item, _ in pairs], sum(count for _, count in pairs)
    if not isinstance(value, dict):
        return value, 0
    of_kubernetes = value.get("kind") == "Secret"
    of_aws = any(isinstance(item, str) and secret_forms.holds_aws_id(item) for item in value.values())
    clean: dict[str, Any] = {}
    total = 0
    for key, item in value.items():
        known = redact(key)
        if of_aws and isinstance(item, str) and is_aws_secret(item):
            done, count = redact(f"aws_secret_access_key={item}").text.partition("=")[2], 1
        else:
            inside = secret or (of_kubernetes and key in ("data", "stringData"))
            done, count = _redacted(item, key, secret=inside)
        label = known.text
        while label in clean:  # two secrets may leave one mark
            label += "'"
        clean[label] = done
        total += count + known.count
    return clean, total


def _redacted_by_name(name: str, value: str) -> Redacted:
    """A string without the secrets that its name gives away."""
    if len(value) > _LONGEST_NAMED or len(name) > 80 or not _QUOTABLE.fullmatch(value):
        return Redacted(value)
    text = f'"{name}": "{value}"'
    begin = len(name) + 5
    finds = [find for find in _whole(text) if begin <= find.start and find.end < len(text)]
    if not finds:
        return Redacted(value)
    return Redacted(_replaced(text, finds)[begin:-1], len(finds), Counter(find.kind for find in finds))


_QUOTABLE = re.compile(r"""[^"\n\r]*""")


def refuse_secret(what: str, name: str) -> None:
    """Raise InputError where a name looks like a secret: names identify and are shown, so they cannot be replaced."""
    if redact(name).count:
        from daypack.errors import InputError  # hooks do not call this

        raise InputError(f"the {what} looks like a secret, and names are shown; give it another one")


_RUN = re.compile(LONG_RUN + "*=*")


def _whole(text: str) -> list[Find]:
    """The secrets of a text in order. Overlapping finds become one, so that no half of a secret is left over, and so does
    a find with the characters behind those that were tested.
    """
    merged: list[Find] = []
    for find in sorted(_finds(text)):
        if merged and find.start < merged[-1].end:
            last = merged[-1]
            if find.end <= last.end:
                continue
            find = Find(last.start, find.end, last.kind, last.hashed and find.hashed)
            merged.pop()
        if find.end - find.start >= LONGEST_VALUE and (run := _RUN.match(text, find.end)):
            find = find._replace(end=run.end())
        merged.append(find)
    return merged


_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def _replaced(text: str, finds: list[Find]) -> str:
    parts = []
    behind = 0
    for find in finds:
        secret = text[find.start : find.end]
        mark = (
            f":{blake2b(secret.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
            if find.hashed
            else ""
        )
        parts += [text[behind : find.start], f"[REDACTED:{find.kind}{mark}]", *_BREAKS.findall(secret)]
        behind = find.end
    parts.append(text[behind:])
    return "".join(parts)
