"""The places of secrets that their surroundings give away: command lines, HTTP headers, URLs that are signed,
and files of Kubernetes, Docker, netrc and PostgreSQL.
"""

from __future__ import annotations

from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from daypack.guard.secret_values import (
    TEMPLATE,
    Find,
    Finder,
    compiled,
    entropy,
    is_configured_secret,
    is_form_placeholder,
    is_given_password,
)


class _Place(NamedTuple):
    """An expression that is matched where a substring of the text in small letters was found, and one for the text before it.
    One of the two has the group `value`, a secret if `accepts` says so.
    """

    needle: str
    expression: str
    kind: str
    accepts: Callable[[str], bool]
    before: str = ""  # an expression for the text before the needle


def _is_basic(value: str) -> bool:
    """True for `name:password` in Base64 where the password is none of documentation."""
    try:
        name, colon, password = (
            a2b_base64(value + "=" * (-len(value) % 4), strict_mode=True).decode().partition(":")
        )
    except (NotBase64, ValueError):
        return False
    return bool(colon) and name.isprintable() and password.isprintable() and is_given_password(password)


def _is_random(value: str) -> bool:
    return not is_form_placeholder(value) and entropy(value) > 3.0


def _is_bearer(value: str) -> bool:
    return _is_random(value) and not TEMPLATE.search(value)


def _is_configured(value: str) -> bool:
    return is_configured_secret(value, strong=True, loud=True)


def _is_signature(value: str) -> bool:
    return any(sign.isdigit() for sign in value) and _is_random(value)


def _after(programs: str) -> str:
    """An expression for the text between the name of a program and one of its options."""
    return rf"\b(?:{programs})(?:\.exe)?(?:[ \t][^\n|;&]{{0,300}})?"


_ARGUMENT = r"(?P<quote>[\"']?)(?P<value>[^\s\"'|;&<>-][^\s\"'|;<>]{2,200})(?P=quote)"
# echo … | docker login --password-stdin
_PIPED = (
    r"\b(?:echo|printf)(?:[ \t]+-[neE]{1,3})?(?:[ \t]+[\"']?%s(?:\\n)?[\"']?)?[ \t]+"
    rf"{_ARGUMENT}[ \t]*\|[^\n|;&]{{0,200}}"
)
# (a substring of a command that reads a secret from its input, the expression of the command)
_READERS = (
    ("pass", r"pass(?:word-stdin|wd[ \t]+--stdin|phrase-fd[= ]0\b)|(?<=ch)passwd\b"),
    ("secret", r"secrets? (?:set|put|create|import|versions add)\b"),
    ("token", r"(?<=with-)token\b"),
    ("sudo -", r"sudo(?:[ \t]+(?!-[A-Za-z]*S\b)[^\s|;&<>]+){0,6}[ \t]+-[A-Za-z]*S\b"),
)


def _password(needle: str, expression: str, before: str = "") -> _Place:
    return _Place(needle, expression, "password", is_given_password, before)


_PLACES = (
    *(_password(needle, reader, _PIPED) for needle, reader in _READERS),
    _password(
        "<<<",
        rf"<<<[ \t]*{_ARGUMENT}",
        rf"(?:{'|'.join(reader for _, reader in _READERS)})[^\n|;&<]{{0,200}}",
    ),
    _Place(
        "secret",
        rf"secret set[ \t](?:[^\n|;&]{{0,300}}?[ \t])??(?:--body[ \t=]|-b[ \t=]?){_ARGUMENT}",
        "secret",
        is_given_password,
        r"\bgh[ \t]+",
    ),
    _password(" -w", rf" -w[ \t]{{0,4}}{_ARGUMENT}", _after(r"ldap\w{3,8}")),
    _password(" -p", rf" -P[ \t]{{0,4}}{_ARGUMENT}", _after("sqlcmd|bcp|(?:un)?zip|mosquitto_[ps]ub")),
    _password(" -p", rf" -p{_ARGUMENT}", _after("7z[arz]?|rar|unrar")),
    _password("ssh-keygen", rf"ssh-keygen[ \t](?:[^\n|;&]{{0,300}}?[ \t])??-[NP][ \t]{{0,4}}{_ARGUMENT}"),
    _Place(
        "auth",
        r"(?i)authorization[\"']?[ \t]{0,4}[:=,][ \t]{0,4}[\"']?(?:bearer|basic|token|ssws)[ \t]{1,4}(?P<value>[a-z0-9._~+/=-]{16,})",
        "authorization",
        _is_bearer,
    ),
    _Place(
        "auth",
        r"(?i:auth)\"[ ]{0,2}:[ ]{0,2}\"(?P<value>[A-Za-z0-9+/]{8,2000}={0,2})\"",
        "authorization",
        _is_basic,
    ),
    _password("auth", r"(?i)auth[ \t]+[\"']?(?P<value>[^\s\"']{4,512})", r"\bmaster"),
    _Place("_auth=", r"_auth=[\"']?(?P<value>[A-Za-z0-9+/]{8,2000}={0,2})", "authorization", _is_basic),
    _Place("basic ", r"(?i)basic[ ](?P<value>[a-z0-9+/]{6,400}={0,2})", "authorization", _is_basic),
    _Place(
        "sig",
        r"(?i)sig(?:nature)?=(?P<value>(?:[a-z0-9+/_-]|%[0-9a-f]{2}){24,600}={0,2})",
        "signature",
        _is_signature,
    ),
    _password(" -p", rf" -p{_ARGUMENT}", r"(?:mysql|mariadb)[\w-]{0,20}(?:\.exe)?(?:[ \t][^\n|;]{0,300})?"),
    _password(
        " -p",
        rf" -p[ \t]{_ARGUMENT}",
        r"(?:(?:docker|podman|helm registry) login|sshpass)(?:[ \t][^\n|;]{0,300})?",
    ),
    _password("pass", rf"pass[ \t]-p{_ARGUMENT}", r"\bssh"),
    _password("pass", r"pass(?:in|out)[ =]pass:(?P<value>[^\s\"']{4,200})"),
    _password("pass", r"(?i)pass[ \t]+[\"']?(?P<value>[^\s\"']{4,512})", r"\brequire"),
    _password(
        "pass",
        r"password[ \t]+(?P<value>\S{4,200})",
        r"\b(?:machine[ \t]+\S{1,100}|default)\s{1,20}(?:(?:login|account)[ \t]+\S{1,100}\s{1,20}){0,2}",
    ),
    _password("redis-cli ", rf"redis-cli[ \t](?:[^\n|;]{{0,300}}?[ \t])??-a[ \t]{_ARGUMENT}"),
    _password(
        "curl ",
        r"curl[ \t](?:[^\n|;]{0,300}?[ \t])??(?:-u|--user|--proxy-user)[ \t=]{0,2}[\"']?[\w.@-]{1,64}:(?P<value>[^\s\"'|;<>]{4,200})",
    ),
    _Place("psk=", r"(?i:psk)=\"?(?P<value>[^\s\"]{8,64})", "password", _is_configured),
    _password(
        "identified by ", r"(?i)identified by[ ](?:password[ ])?(?P<q>[\"'])(?P<value>[^\"'\s]{4,200})(?P=q)"
    ),
    *(
        _password(
            needle, r":(?:[0-9]+|\*):[\w*-]{1,64}:[\w.*@-]{1,64}:(?P<value>[^\s:]{4,200})(?=\s*?(?:\n|\Z))"
        )
        for needle in (":543", ":*:")
    ),
)
_BEFORE = 400  # characters that are looked at before a needle


def _finder(place: _Place) -> Finder:
    accepts, kind = place.accepts, place.kind
    in_match = "(?P<value>" in place.expression

    def find(text: str, at: int) -> Iterable[Find]:
        match = compiled(place.expression).match(text, at)
        if match is None or (in_match and not accepts(match["value"])):
            return ()
        if place.before:
            before = compiled(rf"(?i)(?:{place.before})\Z").search(text, max(0, at - _BEFORE), at)
            if before is None or (not in_match and not accepts(before["value"])):
                return ()
            match = match if in_match else before
        return (Find(*match.span("value"), kind, False),)

    return find


# ---------------------------------------------------------------- cookies


_COOKIES = r"(?i)cookies?[\"']?[ \t]{0,4}[:=,][ \t]{0,4}[\"']?(?=[\w.-]{1,60}=)"
_COOKIE = r"([\w.-]{1,60})=([^\s;,\"']{6,4096})(?:;[ ]?)?|[^\s;=\"']{1,60}(?:=[^\s;\"']{0,4096})?;[ ]?"
_COOKIE_NAME = r"(?i)sess|sid|auth|token|jwt|csrf|xsrf|remember|login|ticket|identity|connect\."
_MOST_COOKIES = 50


def _cookies(text: str, at: int) -> Iterator[Find]:
    head = compiled(_COOKIES).match(text, at)
    end = head.end() if head else -1
    for _ in range(_MOST_COOKIES if head else 0):
        cookie = compiled(_COOKIE).match(text, end)
        if cookie is None:
            break
        end = cookie.end()
        if cookie[1] and compiled(_COOKIE_NAME).search(cookie[1]) and _is_configured(cookie[2]):
            yield Find(*cookie.span(2), "cookie", False)


# ---------------------------------------------------------------- Secrets of Kubernetes


_OF_KIND = r"\bkind[\"']?:[ ]{0,4}[\"']?\Z"
_NAMED_KIND = r"\bkind[\"']?:[ ]{0,4}[\"']?Secret(?=[\"']?[ \t]*(?:[\r\n,}]|\Z))"
_KIND = r"Secret[\"']?[ \t]*(?=[\r\n,}]|\Z)"
_DATA = r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\r?\n((?:\1[ \t]+\S.*(?:\n|\Z)|[ \t]*\r?\n)+)"
_ENTRY = r"(?m)^[ \t]+[\w.-]+:[ \t]+[\"']?([^\s\"'|>{][^\r\n\"']{3,})"
_JSON_DATA = r"\"(?:data|stringData)\":\s{0,8}\{([^{}]{0,20000})\}"
_JSON_ENTRY = r"\"[\w.-]+\":\s{0,8}\"([^\"\n\\]{4,})\""
_LONGEST_MANIFEST = 50_000


def _of_kubernetes(text: str, at: int) -> Iterator[Find]:
    """Every value below `data` and `stringData` of a Secret."""
    if not (compiled(_OF_KIND).search(text[max(0, at - 16) : at]) and compiled(_KIND).match(text, at)):
        return
    begin = max(text.rfind("\n---", 0, at) + 1, at - _LONGEST_MANIFEST)
    first = compiled(_NAMED_KIND).search(text, begin)
    if first is None or first.end() != at + len("secret"):  # the first one looks at the whole manifest
        return
    end = text.find("\n---", at)
    end = min(len(text) if end == -1 else end, at + _LONGEST_MANIFEST)
    for data, entry in ((_DATA, _ENTRY), (_JSON_DATA, _JSON_ENTRY)):
        for block in compiled(data).finditer(text, begin, end):
            for found in compiled(entry).finditer(text, *block.span(block.lastindex or 0)):
                value = found[1].rstrip()
                if not TEMPLATE.search(value) and "[REDACTED" not in value:
                    yield Find(found.start(1), found.start(1) + len(value), "secret", False)


FINDERS: tuple[tuple[str, Finder], ...] = (
    *((place.needle, _finder(place)) for place in _PLACES),
    ("cookie", _cookies),
    ("secret", _of_kubernetes),
)
