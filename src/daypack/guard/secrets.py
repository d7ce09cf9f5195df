"""Secrets are replaced before anything is hashed, stored, embedded or logged.

    redact("token = 'ghp_…'")  →  "token = '[REDACTED:github_token:1f0c9a3e]'"

Two kinds of rules. Tokens of a known form are found by their form; eight hex digits of a hash tell two of
them apart, which is safe because they are long and random. Values that are secret because of the name beside
them (`password = …`) are found by that name and by their randomness; they get no hash, because a short
password could be guessed from it.

Line breaks inside a secret stay, so line numbers still match the file. Redacting twice is redacting once.

A hook redacts what it spools and has 50 ms of CPU for everything: dataclasses, OpenSSL's hashes and the nouns
of `daypack.types` would take as long as all the rest here, so this module imports none of these.
"""

from __future__ import annotations

import re
from _blake2 import blake2b  # hashlib's own; hashlib itself loads OpenSSL first
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from daypack.guard import secret_forms
from daypack.guard.secret_forms import Find


class Redacted(NamedTuple):
    """Text without its secrets, the number of replacements, and their number by kind."""

    text: str
    count: int = 0  # type: ignore[assignment]  # hides a method of tuples that is not called
    kinds: Mapping[str, int] = MappingProxyType({})


def redact(text: str) -> Redacted:
    """Replace every secret by `[REDACTED:kind]` or `[REDACTED:kind:hash8]`."""
    kinds: Counter[str] = Counter()
    # The text behind a secret may only be recognised once the secret is gone, so this repeats until nothing
    # is found.
    while finds := _merged(sorted(secret_forms.finds(text))):
        kinds.update(find.kind for find in finds)
        text = _replaced(text, finds)
    return Redacted(text, kinds.total(), kinds) if kinds else Redacted(text)


def redact_json(value: Any) -> tuple[Any, int]:
    """A JSON value without its secrets, and their number. Raises ValueError where the rest is not JSON."""
    import json

    count = 0
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\" in body:
        value, count = _redacted_strings(value)
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    found = redact(body)  # as a whole, because a name marks the value beside it as secret
    return (json.loads(found.text), count + found.count) if found.count else (value, count)


def _redacted_strings(value: Any) -> tuple[Any, int]:
    """A value with a function applied to each string in its plain form, without JSON's escapes."""
    if isinstance(value, str):
        found = redact(value)
        return found.text, found.count
    if isinstance(value, list):
        pairs = [_redacted_strings(item) for item in value]
        return [item for item, _ in pairs], sum(count for _, count in pairs)
    if isinstance(value, dict):
        named = {name: _redacted_strings(item) for name, item in value.items()}
        return {name: item for name, (item, _) in named.items()}, sum(count for _, count in named.values())
    return value, 0


def refuse_secret(what: str, name: str) -> None:
    """Raise InputError where a name looks like a secret: names identify and are shown, so they cannot be replaced."""
    if redact(name).count:
        from daypack.errors import InputError  # hooks do not call this

        raise InputError(f"the {what} looks like a secret, and names are shown; give it another one")


def _merged(finds: list[Find]) -> list[Find]:
    """Overlapping finds become one, so that no half of a secret is left over."""
    merged: list[Find] = []
    for find in finds:
        if merged and find.start < merged[-1].end:
            last = merged[-1]
            if find.end > last.end:
                merged[-1] = Find(last.start, find.end, last.kind, last.hashed and find.hashed)
        else:
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
