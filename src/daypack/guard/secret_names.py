"""The places of secrets with a telling name beside them: in code, configuration, command lines and HTTP headers.

As with forms, a text is searched for substrings first, and an expression runs where one was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from daypack.guard.secret_values import Find, Finder, compiled, is_aws_secret, is_configured_secret, is_secret

_KINDS = (
    ("pass", "password"),
    ("pwd", "password"),
    ("secret", "secret"),
    ("token", "token"),
    ("key", "api_key"),
    ("credential", "secret"),
)
_STRONG = frozenset({"pass", "pwd", "secret"})
_PASS = re.compile(r"pass(?:w(?:or)?d|w|phrase|code)?", re.IGNORECASE)
# Names with "key" in them that are secret; matched backwards from the "key".
_KEY_NAME = re.compile(
    r"(?:api|access|private|account|signing|encryption|auth|secret|master|shared|service|session|deploy|license|app)[_-]?\Z",
    re.IGNORECASE,
)
# A name with such an end tells about a secret.
_ABOUT = (
    r"(?i)(?:regexp?|pattern|length|len|min|max|field|name|type|url|uri|path|file|dir|policy|hint|prompt|label|placeholder|error"
    r"|message|msg|help|text|title|format|class|id|count|limit|index|ttl|expiry|expires|at|input|reset|column|param|header|env|ref"
    r"|hashers?|validators?|algorithm|alg|version|enabled|required|strength|rules?|stdin)s?\Z"
)
# An end that leaves the name a secret's own.
_PLAIN_END = r"(?i)(?:[_.-]?(?:key|base|value|prod|production|dev|staging|live|old|new|current|secret|token|password|root|db|data))*[_-]?[0-9]{0,2}"
_ASSIGNED = re.compile(
    r"""(?P<rest>[\w.-]{0,30}+)                           # the rest of the name
        (?: ["'\]]{0,3} [ \t]{0,8}
            (?: : [ \t]{0,2} (?:str|string|String|&str) \b [ \t]{0,4} )?
            (?P<sign> :=|=>|={1,3}|: ) [ \t]{0,8}
          | (?P<tag> > | ["'][ ]value= )                  # <password>…, name="password" value="…"
          | (?P<space> [ \t]{1,4}) )                      # --password …, ENV PASSWORD …
        (?: [bBrRuU]{0,2} "(?P<double>[^"\n\r]{6,300})"
          | [bBrRuU]{0,2} '(?P<single>[^'\n\r]{6,300})'
          | (?P<bare>[^\s"'`]\S{3,300}) )""",
    re.VERBOSE,
)
# "the password of the printer is …", in a sentence, where a value has to look like no word and no code
_SAID = (
    r"(?i)(?:ort)?(?:[ \t]+(?:for|of|on|to|in|at|f[üu]r|von|zum|im)(?:[ \t]+[\w.@-]{1,40}){1,4}?)?[ \t]+(?:is|was|ist|war|lautet)(?:[ \t]+(?:now|jetzt))?:?[ \t]+"
    r"[\"'`]?(?P<value>[^\s\"'`(){}<>]{8,100})(?=[\"'`)]?[.,;:!?]*(?:\s|\Z))"
)
_CODE_END = r"[^\s\"'`,;&<>(){}\[\]]{8,300}(?=[;&]|[ \t]*(?:\r?\n|\Z)|[ \t]+\#)"
_LINE_END = r"[ \t]*(?:\r?\n|\Z|[#;])"
_LINE_BEGIN = r"[ \t]*(?:[#;/*]{1,3}[ \t]*)?(?:(?:export|set|setx|ENV|ARG|declare|readonly|-)[ \t]+){0,2}[\"'/:@.\w\[\]-]*\Z"
_DOCKER_LINE = r"[ \t]*(?:ENV|ARG)[ \t]+\w*\Z"
_NAME_BEGIN = r"[\w.-]*\Z"
_LONGEST_BEGIN = 120  # characters of a line before the name that mark it as one of configuration


def _value_at(text: str, needle: str, kind: str, at: int) -> Find | None:
    """The secret behind a name that holds the needle."""
    end = at + len(needle)
    if needle == "key" and not _KEY_NAME.search(text, max(0, at - 12), at):
        return None
    if needle == "pass":
        word = _PASS.match(text, at)
        end = word.end() if word else end
        plain = end - at == 4
        if plain and (_inside_word(text, at) or text[end : end + 1].isalpha()):
            return None
    if kind == "password" and (said := compiled(_SAID).match(text, end)):
        value = said["value"].rstrip(".,;:!?)]")
        if is_secret(value, bare=False, strong=True) and is_configured_secret(value, strong=True, loud=False):
            begin = said.start("value")
            return Find(begin, begin + len(value), kind, False)
    match = _ASSIGNED.match(text, end)
    if match is None or compiled(_ABOUT).search(match["rest"]):
        return None
    group = match.lastgroup or ""
    begin, stop = match.span(group)
    value = match[group]
    strong = needle in _STRONG
    if needle in ("secret", "key") and is_aws_secret(value):
        return Find(begin, stop, "aws_secret_key", True)
    own = compiled(_PLAIN_END).fullmatch(match["rest"]) is not None
    if group == "bare":
        return _bare_value(text, match, at, kind, strong=strong, own=own)
    if match["space"]:
        if not own or not _flag_or_sql(text, at):
            return None
        found = is_configured_secret(value, strong=strong, loud=True)
    elif is_secret(value, bare=False, strong=strong):
        found = True
    else:
        name = text[_start_of_name(text, at) : match.start("sign") if match["sign"] else end]
        loud = name.isupper() and match["sign"] == "="
        found = own and is_configured_secret(value, strong=strong, loud=loud)
    return Find(begin, stop, kind, False) if found else None


def _bare_value(
    text: str, match: re.Match[str], at: int, kind: str, *, strong: bool, own: bool
) -> Find | None:
    """The secret that begins where a value without quotation marks begins."""
    begin, stop = match.span("bare")
    name = _start_of_name(text, at)
    if match["tag"]:  # <password>…</password>
        stop = text.find("<", begin, stop)
        value = text[begin:stop] if stop > begin else ""
        if own and text[name - 1 : name] == "<" and is_configured_secret(value, strong=strong, loud=False):
            return Find(begin, stop, kind, False)
        return None
    if match["space"]:
        flag = text[max(0, name - 2) : name].startswith("-") or text[name : name + 1] == "-"
        stop = begin + len(match["bare"].rstrip("\"'`),;]}"))
        value = text[begin:stop]
        line = text.rfind("\n", max(0, at - _LONGEST_BEGIN), at) + 1
        if (
            own
            and (flag or compiled(_DOCKER_LINE).match(text, line, at))
            and is_configured_secret(value, strong=strong, loud=True)
        ):
            return Find(begin, stop, kind, False)
        return None
    tight = match["sign"] in ("=", ":") and match.end("sign") == begin
    before = text[name - 1 : name]
    if (
        own and tight and match["sign"] == "=" and before and before in "?&;"
    ):  # of a URL or a connection string
        part = compiled(_PART).match(text, begin)
        if part and is_configured_secret(part.group(), strong=strong, loud=True):
            return Find(*part.span(), kind, False)
        return None
    if own:
        named = text[name : match.start("sign")]
        loud = tight and match["sign"] == "=" and any(map(str.isalpha, named)) and named.upper() == named
        flag = named.startswith("-")
        cut = compiled(_NEXT_FIELD).search(text, begin, stop)
        shut = cut.start() if cut else begin + len(match["bare"].rstrip("\"'`)]}"))
        whole = text[begin:shut]
        line = text.rfind("\n", 0, at) + 1
        configured = (
            at - line <= _LONGEST_BEGIN
            and compiled(_LINE_BEGIN).match(text, line, at)
            and (cut or (shut == stop and compiled(_LINE_END).match(text, stop)))
        )
        inline = tight and match["sign"] == "=" and (not before or before in " \t\n\"'`")
        if (configured or inline or flag) and is_configured_secret(whole, strong=strong, loud=loud or flag):
            return Find(begin, shut, kind, False)
    part = compiled(_CODE_END).match(text, begin)
    if part and is_secret(part.group(), bare=True, strong=strong):
        return Find(*part.span(), kind, False)
    return None


_PART = r"[^\s\"'`;&<>(){}\[\]]{6,300}"
_NEXT_FIELD = r"[;&]\w+="


def _start_of_name(text: str, at: int) -> int:
    match = compiled(_NAME_BEGIN).search(text, max(0, at - 60), at)
    return match.start() if match else at


def _inside_word(text: str, at: int) -> bool:
    """True unless a word begins here, also inside of a name in camel case."""
    before = text[at - 1 : at] if at else ""
    return before.isalpha() and not (text[at : at + 1].isupper() and before.islower())


_SQL = r"(?i)(?:with|set|identified by|encrypted)[ \t]+\Z"


def _flag_or_sql(text: str, at: int) -> bool:
    """True where a quoted value may follow a name behind a space: `--password '…'`, `WITH PASSWORD '…'`."""
    name = _start_of_name(text, at)
    return text[name : name + 1] == "-" or bool(compiled(_SQL).search(text, max(0, name - 24), name))


def _finder(needle: str, kind: str) -> Finder:
    def find(text: str, at: int) -> Iterable[Find]:
        found = _value_at(text, needle, kind, at)
        return () if found is None else (found,)

    return find


FINDERS: tuple[tuple[str, Finder], ...] = tuple((needle, _finder(needle, kind)) for needle, kind in _KINDS)
