"""The places of secrets with a telling name beside them: in code, configuration, command lines and HTTP headers.

As with forms, a text is searched for substrings first, and an expression runs where one was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from daypack.guard.secret_values import (
    LONGEST_VALUE,
    Find,
    Finder,
    compiled,
    is_aws_secret,
    is_configured_secret,
    is_listed_secret,
    is_secret,
)
from daypack.guard.suspects import PASSWORD_WORDS

_KINDS = (
    ("pass", "password"),
    ("pwd", "password"),
    ("secret", "secret"),
    ("token", "token"),
    ("key", "api_key"),
    ("credential", "secret"),
    *((word, "password") for word in PASSWORD_WORDS),
)
_STRONG = frozenset({"pass", "pwd", "secret", *PASSWORD_WORDS})
_PASS = re.compile(
    r"(?<=mot[ _-]de[ _-]|alavra-)passe|(?<=motde)passe|pass(?:w(?:or)?d|wort|w|phrase|code)?", re.IGNORECASE
)
_CONTRASENA = r"(?i)contrase(?:ñ|n\u0303?)a"
# Names with "key" in them that are secret; matched backwards from the "key".
_KEY_NAME = re.compile(
    r"(?:api|access|private|account|signing|encryption|auth|secret|master|shared|service|session|deploy|license|app"
    r"|admin|hmac|storage|role|functions|subscription|stripe|webhook|jwt)[ _-]?\Z",
    re.IGNORECASE,
)
# A name with such an end tells about a secret.
_ABOUT = (
    r"(?i)(?:regexp?|pattern|length|len|min|max|field|name|type|url|uri|path|file|dir|policy|hint|prompt|label|placeholder|error"
    r"|message|msg|help|text|title|format|class|id|count|limit|index|ttl|expiry|expires|at|input|reset|column|param|header|env|ref"
    r"|hashers?|validators?|algorithm|alg|version|enabled|required|strength|rules?|stdin)s?\Z"
)
# A digest of a random key tells nothing; that of a password can be guessed.
_DIGEST = r"(?i)(?:hash|digest|checksum|fingerprint|thumbprint|sha1|sha256|sha512|md5)(?:es|s)?\Z"
# An end that leaves the name a secret's own.
_PUBLIC, _PUBLIC_REACH = r"(?i)public[_-]?key[_-]?\Z", 12  # PublicKeyToken=…, of .NET, which tells no key
_PLAIN_END = r"(?i)(?:[_.-]?(?:key|base|value|prod|production|dev|staging|live|old|new|current|secret|token|password|root|db|data))*[_-]?[0-9]{0,2}"
_LONG = (
    rf"(?<=[^\s\"'`]{{{LONGEST_VALUE}}})"  # instead of an end; `guard.secrets` finds that of a long secret
)
_ASSIGNED = re.compile(
    r"""(?P<rest>[\w.-]{0,30}+)                           # the rest of the name
        (?: ["'\]*]{0,3} [ \t\u00a0\u202f]{0,8}
            (?: : [ \t]{0,2} (?:str|string|String|&str) \b [ \t]{0,4} )?
            (?P<sign> :=|=>|={1,3}|[:：] ) (?: (?<=:) \*{2} )? [ \t\u00a0]{0,8}
          | (?P<tag> > | ["'][ ]value= )                  # <password>…, name="password" value="…"
          | (?P<space> [ \t]{1,4}) )                      # --password …, ENV PASSWORD …
    """
    rf"""(?: [bBrRuU]{{0,2}} "(?P<double>[^"\n\r]{{6,{LONGEST_VALUE}}}+)(?:"|{_LONG})
          | [bBrRuU]{{0,2}} '(?P<single>[^'\n\r]{{6,{LONGEST_VALUE}}}+)(?:'|{_LONG})
          | `(?P<ticked>[^`\n\r]{{6,{LONGEST_VALUE}}}+)(?:`|{_LONG})
          | (?P<bare>[^\s"'`]\S{{3,{LONGEST_VALUE - 1}}}) )""",
    re.VERBOSE,
)
# The value is on the next line, in the next field, element or argument, or in JSON inside of a string.
_BESIDE = (
    r"(?P<rest>[\w.-]{0,30}+)(?:"
    r"[\"']?[ \t]*\r?\n[ \t]*value:[ \t]+[\"']?"
    r"|[\"'][ ]?,\s{0,20}[\"']value[\"'][ ]?:[ ]?[\"']"
    r"|</key>\s{0,40}<string>"
    r"|[\"']>"
    r"|:[ \t]+[|>][+-]?[ \t]*\r?\n[ \t]+"
    r"|\\{1,3}[\"'][ ]?:[ ]?\\{1,3}[\"']"
    r"|(?P<argument>[\"'],[ \t]{0,4}[\"'])"
    rf")(?P<value>[^\s\"'`<>\\]{{6,{LONGEST_VALUE}}}+)(?:{_LONG}|(?=[\"'\\<]|[ \t]*(?:\r?\n|\Z)))"
)
# "the password of the printer is …", in a sentence, where a value has to look like no word and no code
_SAID = (
    r"(?i)(?:[ \t]+(?:for|of|on|to|in|at|f[üu]r|von|zum|im)(?:[ \t]+[\w.@-]{1,40}){1,4}?)?[ \t]+(?:is|was|ist|war|lautet|es|est|é|è|jest)(?:[ \t]+(?:now|jetzt))?:?[ \t]+"
    r"[\"'`]?(?P<value>[^\s\"'`(){}<>]{8,100})(?=[\"'`)]?[.,;:!?]*(?:\s|\Z))"
)
_CODE_END = rf"[^\s\"'`,;&<>(){{}}\[\]]{{8,{LONGEST_VALUE}}}+(?:{_LONG}|(?=[;&]|[ \t]*(?:\r?\n|\Z)|[ \t]+\#))"
_NOTED = rf"[^\s\"'`(){{}}<>]{{8,{LONGEST_VALUE}}}+(?:{_LONG}|(?=[\"'`)}}\]]?[.,;:!?]*(?:\s|\Z)))"
_LISTED = rf"[^\s\"'`,;&<>(){{}}\[\]]{{6,{LONGEST_VALUE}}}+(?=[,)}}\]])"
_BEFORE_LISTED = " \t\r\n\"'`,|({["
_LINE_END = r"[ \t]*(?:\r?\n|\Z|[#;])"
_LINE_BEGIN = r"[ \t]*(?:[#;/*]{1,3}[ \t]*)?(?:(?:export|set|setx|ENV|ARG|declare|readonly|-)[ \t]+){0,2}[\"'/:@.\w\[\]-]*\Z"
_SHELL_LINE = r"[ \t]*(?:ENV|ARG|setx|set[ \t]+-[a-zA-Z]{1,3})[ \t]+\w*\Z"
_PART = rf"[^\s\"'`;&<>(){{}}\[\]]{{6,{LONGEST_VALUE}}}"
_NEXT_FIELD, _NEXT_OF_OPTION = r"[;&]\w+=", r"[;&,][\w.-]+="
# --from-literal=…, --set-env-vars=A=1,… and --set a=1,…
_OPTION = r"(?<!\S)--?[A-Za-z][\w-]*(?:=|[ \t]+)[\"']?(?:[\w.\[\]-]+=[^\s,\"']*,)*[\"']?\Z"
_BEFORE_QUOTED = (
    r"(?i)(?:with|set|identified by|encrypted|\#[ \t]*define|\bsetx|\bset[ \t]+-[a-z]{1,3})[ \t]+\Z"
)
_NAME_BEGIN = r"[\w.-]*\Z"
_LONGEST_OPTION = 400  # characters of an option before the name in its value
_LONGEST_BEGIN = 120  # characters of a line before the name that mark it as one of configuration


_Span = tuple[int, int]


class _Place:
    """A value behind a telling name."""

    __slots__ = ("at", "before", "match", "name", "own", "span", "strong", "text", "value")

    def __init__(self, text: str, at: int, match: re.Match[str], *, strong: bool) -> None:
        group = match.lastgroup or ""
        self.text = text
        self.at = at  # the beginning of the telling word
        self.name = _start_of_name(text, at)  # the beginning of the whole name
        self.before = text[self.name - 1 : self.name]  # "" at the beginning of the text
        self.match = match  # of _ASSIGNED, behind the word
        self.value, self.span = match[group], match.span(group)
        self.strong = strong  # the name means a password
        # nothing in the name says that the value is only about a secret
        self.own = compiled(_PLAIN_END).fullmatch(match["rest"]) is not None

    @property
    def is_tight(self) -> bool:
        """True for `name=value`, without spaces."""
        return self.match["sign"] == "=" and self.match.end("sign") == self.span[0]

    @property
    def is_long(self) -> bool:
        """True when the value may go on behind its tested characters."""
        return len(self.value) == LONGEST_VALUE

    def is_configured(self, value: str, *, loud: bool) -> bool:
        return is_configured_secret(value, strong=self.strong, loud=loud)


def _value_at(text: str, needle: str, kind: str, at: int) -> Find | None:
    """The secret behind a name that holds the needle."""
    end = _end_of_word(text, needle, at)
    if end is None or (needle == "token" and compiled(_PUBLIC).search(text[max(0, at - _PUBLIC_REACH) : at])):
        return None
    if kind == "password" and (said := _in_sentence(text, end)):
        return Find(*said, kind, False)
    if beside := _beside(text, needle, at, end):
        return Find(*beside, kind, False)
    match = _ASSIGNED.match(text, end)
    if match is None or compiled(_ABOUT).search(match["rest"]):
        return None
    if needle in ("key", "token") and compiled(_DIGEST).search(match["rest"]):
        return None
    place = _Place(text, at, match, strong=needle in _STRONG)
    if needle in ("secret", "key") and is_aws_secret(place.value):
        return Find(*place.span, "aws_secret_key", True)
    span = _bare(place) if match.lastgroup == "bare" else _quoted(place, end)
    return None if span is None else Find(*span, kind, False)


def _end_of_word(text: str, needle: str, at: int) -> int | None:
    """The end of the telling word at a needle; None where the needle is a part of another word."""
    if needle == "key":
        return at + 3 if _KEY_NAME.search(text, max(0, at - 14), at) else None
    if needle == "senha" and at > 0 and text[at - 1].isalpha():  # resenha
        return None
    if needle == "contrase":
        word = compiled(_CONTRASENA).match(text, at)
        return word.end() if word else None
    if needle != "pass":
        return at + len(needle)
    word = _PASS.match(text, at)
    end = word.end() if word else at + 4
    if end == at + 4 and (_inside_word(text, at) or text[end : end + 1].isalpha()):  # compass, passage
        return None
    return end


def _in_sentence(text: str, end: int) -> _Span | None:
    """The password that a sentence states."""
    said = compiled(_SAID).match(text, end)
    if said is None:
        return None
    value = said["value"].rstrip(".,;:!?)]")
    if not is_secret(value, bare=False, strong=True):
        return None
    begin = said.start("value")
    configured = is_configured_secret(value, strong=True, loud=False)
    return (begin, begin + len(value)) if configured else None


def _beside(text: str, needle: str, at: int, end: int) -> _Span | None:
    """A secret in the field, element, line or argument behind the one that holds its name."""
    match = compiled(_BESIDE).match(text, end)
    if match is None or compiled(_ABOUT).search(match["rest"]):
        return None
    if not compiled(_PLAIN_END).fullmatch(match["rest"]):
        return None
    value, strong = match["value"], needle in _STRONG
    start = _start_of_name(text, at)
    name = text[start : match.end("rest")]
    if match["argument"]:
        called = text[max(0, start - 2) : start] in ("('", '("')
        if name.isupper():
            found = called and is_configured_secret(value, strong=strong, loud=True)
        else:
            found = called and is_secret(value, bare=False, strong=strong)
    else:
        found = is_configured_secret(value, strong=strong, loud=name.isupper())
    return match.span("value") if found else None


def _quoted(place: _Place, end: int) -> _Span | None:
    """A secret in quotation marks; the telling word ends at `end`."""
    match = place.match
    if match["space"]:
        found = place.own and _flag_or_sql(place) and place.is_configured(place.value, loud=True)
    elif is_secret(place.value, bare=False, strong=place.strong):
        found = True
    else:
        name = place.text[place.name : match.start("sign") if match["sign"] else end]
        loud = match["sign"] == "=" and (name.isupper() or _in_option(place))
        found = place.own and place.is_configured(place.value, loud=loud)
    return place.span if found else None


def _bare(place: _Place) -> _Span | None:
    """A secret without quotation marks."""
    if place.match["tag"]:
        return _in_tag(place) if place.own else None
    if place.match["space"]:
        return _in_command(place) if place.own else None
    if place.own and place.is_tight and place.before in ("?", "&", ";"):
        return _in_url(place)
    return (
        (_in_configuration(place) if place.own else None)
        or _in_code(place)
        or ((_in_list(place) or _in_note(place)) if place.own else None)
    )


def _in_tag(place: _Place) -> _Span | None:
    """<password>…</password>"""
    begin, end = place.span
    stop = place.text.find("<", begin, end)
    if stop == -1 and place.is_long:
        stop = end
    if place.before != "<" or stop <= begin:
        return None
    return (begin, stop) if place.is_configured(place.text[begin:stop], loud=False) else None


def _in_command(place: _Place) -> _Span | None:
    """--password …, ENV PASSWORD … of a Dockerfile, and `set -x PASSWORD …`"""
    text, at, begin = place.text, place.at, place.span[0]
    flag = text[max(0, place.name - 2) : place.name].startswith("-") or _is_flag(place)
    line = text.rfind("\n", max(0, at - _LONGEST_BEGIN), at) + 1
    if not flag and not compiled(_SHELL_LINE).match(text, line, at):
        return None
    value = place.value.rstrip("\"'`),;]}")
    return (begin, begin + len(value)) if place.is_configured(value, loud=True) else None


def _in_url(place: _Place) -> _Span | None:
    """?token=…, and ;Password=… of a connection string"""
    part = compiled(_PART).match(place.text, place.span[0])
    value = part.group().rstrip(".,") if part else ""
    begin = place.span[0]
    return (begin, begin + len(value)) if place.is_configured(value, loud=True) else None


def _in_configuration(place: _Place) -> _Span | None:
    """A line `name = value`, an assignment `name=value` between spaces, `--name=value`, or `--option=name=value`"""
    text, at, (begin, end) = place.text, place.at, place.span
    in_option = place.is_tight and not _is_flag(place) and _in_option(place)
    flag = _is_flag(place) or in_option
    field = compiled(_NEXT_OF_OPTION if in_option else _NEXT_FIELD).search(text, begin, end)
    stop = field.start() if field else begin + len(place.value.rstrip("\"'`)]}"))
    line = text.rfind("\n", 0, at) + 1
    is_line = (
        at - line <= _LONGEST_BEGIN
        and compiled(_LINE_BEGIN).match(text, line, at)
        and (field or (stop == end and (place.is_long or compiled(_LINE_END).match(text, end))))
    )
    is_assignment = place.is_tight and (not place.before or place.before in " \t\n\"'`")
    if not (is_line or is_assignment or flag):
        return None
    name = text[place.name : place.match.start("sign")]
    loud = place.is_tight and any(map(str.isalpha, name)) and name.upper() == name
    return (begin, stop) if place.is_configured(text[begin:stop], loud=loud or flag) else None


def _in_code(place: _Place) -> _Span | None:
    """A value that ends where an expression could end, and is too random for code"""
    part = compiled(_CODE_END).match(place.text, place.span[0])
    return part.span() if part and is_secret(part.group(), bare=True, strong=place.strong) else None


def _in_list(place: _Place) -> _Span | None:
    """One of several: "host=…, password=…, user=…", "{password=…}", "(password=…)", as logs have it; also arguments of code."""
    if not (place.is_tight and place.before in _BEFORE_LISTED):
        return None
    part = compiled(_LISTED).match(place.text, place.span[0])
    return part.span() if part and is_listed_secret(part.group(), strong=place.strong) else None


def _in_note(place: _Place) -> _Span | None:
    """A label inside a sentence: "my token: … for staging", "password: …, please"."""
    if place.match["sign"] not in (":", "：") or place.before == ":":  # [REDACTED:token:…]
        return None
    part = compiled(_NOTED).match(place.text, place.span[0])
    value = part.group().rstrip(".,;:!?)]") if part else ""
    begin = place.span[0]
    return (begin, begin + len(value)) if place.is_configured(value, loud=False) else None


def _start_of_name(text: str, at: int) -> int:
    match = compiled(_NAME_BEGIN).search(text, max(0, at - 60), at)
    return match.start() if match else at


def _inside_word(text: str, at: int) -> bool:
    """True unless a word begins here, also inside of a name in camel case."""
    before = text[at - 1 : at] if at else ""
    return before.isalpha() and not (text[at : at + 1].isupper() and before.islower())


def _is_flag(place: _Place) -> bool:
    return place.text[place.name : place.name + 1] == "-"


def _in_option(place: _Place) -> bool:
    """True for a name in the value of an option: `--build-arg=TOKEN=…`, `--set image.tag=1,auth.password=…`."""
    if place.before not in ("=", ",", "'", '"'):
        return False
    begin = max(0, place.name - _LONGEST_OPTION)
    return compiled(_OPTION).search(place.text, begin, place.name) is not None


def _flag_or_sql(place: _Place) -> bool:
    """True where a quoted value may follow a name behind a space: `--password '…'`, `WITH PASSWORD '…'`, `#define PASSWORD "…"`."""
    before = compiled(_BEFORE_QUOTED).search(place.text, max(0, place.name - 24), place.name)
    return _is_flag(place) or before is not None


def _finder(needle: str, kind: str) -> Finder:
    def find(text: str, at: int) -> Iterable[Find]:
        found = _value_at(text, needle, kind, at)
        return () if found is None else (found,)

    return find


FINDERS: tuple[tuple[str, Finder], ...] = tuple((needle, _finder(needle, kind)) for needle, kind in _KINDS)
