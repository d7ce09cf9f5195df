"""The places of secrets in a text: tokens of a known form, and values that a name gives away.

Clean text is the usual case and costs substring searches only; every expression runs on the few places that
those find. No expression nests quantifiers, so the time is linear in the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class Find(NamedTuple):
    start: int
    end: int
    kind: str
    hashed: bool


def finds(text: str) -> Iterator[Find]:
    """Every secret of a text; they may overlap."""
    yield from _tokens_in_long_runs(text)
    yield from _tokens_by_a_constant(text)
    yield from _private_keys(text)
    yield from _passwords_in_urls(text)
    yield from _named_values(text)


# ---------------------------------------------------------------- tokens of a known form


def _kinds(*expressions: tuple[str, str]) -> re.Pattern[str]:
    """One expression with a named group a kind; none begins inside a word."""
    return re.compile(
        r"(?<![A-Za-z0-9])(?:"
        + "|".join(f"(?P<{kind}>{expression})" for kind, expression in expressions)
        + ")"
    )


_NO_MORE = r"(?![A-Za-z0-9])"

# Tokens have two dozen letters, digits, dashes and underscores in a row. Such runs are rare in text and found
# by one search; the constant part of a token (second column) is rare in runs; so the long expression sees a
# few windows of a project. The shortest run here: the last part of a Slack webhook.
_RUN = 24
_RUN_TABLE = bytes(
    0x61 if byte < 128 and (chr(byte).isalnum() or chr(byte) in "_-") else 0x20 for byte in range(256)
)
_RUN_NEEDLE = b"a" * _RUN
_TOKENS = (
    (
        "github_token",
        "gho_ ghp_ ghs_ ghu_ ghr_ github_pat_",
        r"gh[opsur]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}",
    ),
    (
        "stripe_key",
        "k_live_ k_test_ whsec_",
        r"[rs]k_(?:live|test)_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/]{32,}={0,2}",
    ),
    ("slack_token", "xox xapp-", r"xox[a-z]-[A-Za-z0-9-]{20,}|xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    (
        "slack_webhook",
        "/services/T",
        r"(?<=hooks\.slack\.com/services/)T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{20,}",
    ),
    ("discord_webhook", "/webhooks/", r"(?<=/api/webhooks/)[0-9]{17,20}/[A-Za-z0-9_-]{60,}"),
    ("huggingface_token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{34,}"),
    ("npm_token", "npm_", rf"npm_[A-Za-z0-9]{{36}}{_NO_MORE}"),
    ("pypi_token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{12,}\.eyJ[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{16,}"),
    ("twilio_key", "SK", rf"SK[0-9a-f]{{32}}{_NO_MORE}"),
    ("mailgun_key", "key-", rf"key-[0-9a-f]{{32}}{_NO_MORE}"),
    ("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
    ("digitalocean_token", "doo_v1_ dop_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    ("databricks_token", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("grafana_token", "glsa_ glc_", r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}"),
    ("vault_token", "hvb. hvs. hvr.", r"hv[bsr]\.[A-Za-z0-9_-]{24,}"),
    ("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}"),
    ("linear_key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion_token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    ("supabase_token", "sbp_ sb_secret_", r"sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{22,}"),
    ("postman_key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("newrelic_key", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    ("xai_key", "xai-", r"xai-[A-Za-z0-9]{40,}"),
    ("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    ("replicate_token", "r8_", r"r8_[A-Za-z0-9]{37,}"),
    ("age_key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("anthropic_key", "sk-", r"sk-ant-[A-Za-z0-9_-]{24,}"),
    ("openai_key", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{32,})"),
    ("openrouter_key", "sk-", r"sk-or-v[0-9]-[A-Za-z0-9_-]{24,}"),
    ("google_api_key", "AIza", rf"AIza[A-Za-z0-9_-]{{35}}{_NO_MORE}"),
    ("google_secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{24,}"),
    ("google_token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,}"),
    (
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_.-]{20,}",
    ),
    ("sendgrid_key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ("docker_token", "dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{24,}"),
    ("telegram_token", ":AA", rf"[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,34}}{_NO_MORE}"),
)
_CONSTANT = re.compile(
    "|".join(sorted({re.escape(constant) for _, constants, _ in _TOKENS for constant in constants.split()}))
)

# Tokens with shorter runs are found by their constant part.
_AWS_ID = re.compile(rf"(?<![A-Za-z0-9])A[KS]IA[A-Z2-7]{{16}}{_NO_MORE}")
_ENTRA = _kinds(("azure_secret", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"))


@cache
def _long_run() -> re.Pattern[str]:  # most projects have no window, and it takes long to compile
    return _kinds(*((kind, expression) for kind, _, expression in _TOKENS))


_REST_OF_TOKEN = re.compile(r"[A-Za-z0-9_.+/=-]*")
_RANDOM = re.compile(
    r"[a-z][A-Z0-9]|[0-9][a-z]|AGE-|NRAK-"
)  # the constant of a token without one in CONSTANT_OF_2_WORDS


def _tokens_in_long_runs(text: str) -> Iterator[Find]:
    low = high = 0
    # One byte a character, so that places are equal; a character outside Latin-1 becomes "?", which ends a run.
    runs = text.encode("latin-1", "replace").translate(_RUN_TABLE)
    at = runs.find(_RUN_NEEDLE)
    while at != -1:
        end = runs.find(b" ", at)
        end = len(runs) if end == -1 else end
        if _RANDOM.search(text, at, min(end, at + 200)):  # no ruler of dashes, no long name
            begin = max(0, at - 64)
            if begin > high:
                yield from _in_window(text, low, high)
                low = begin
            match = _REST_OF_TOKEN.match(text, end, end + 4096)
            high = match.end() if match else end
        at = runs.find(_RUN_NEEDLE, end)
    yield from _in_window(text, low, high)


def _in_window(text: str, low: int, high: int) -> Iterator[Find]:
    # A webhook's constant stands before its first character, and so perhaps before the window.
    if high <= low or _CONSTANT.search(text, max(0, low - 64), high) is None:
        return
    for match in _long_run().finditer(text, low, high):
        if not _is_placeholder(match.group()):
            yield Find(*match.span(), match.lastgroup or "", True)


def _tokens_by_a_constant(text: str) -> Iterator[Find]:
    for needle in ("AKIA", "ASIA"):
        for at in _places(text, needle):
            found = _AWS_ID.match(text, at)
            if found is None or _is_placeholder(found.group()):
                continue
            yield Find(*found.span(), "aws_access_key", True)
            # The secret half has no form of its own; the id beside it gives it away.
            for near in _AWS_SECRET.finditer(text, found.end(), found.end() + 300):
                if _is_aws_secret(near.group()):
                    yield Find(*near.span(), "aws_secret_key", True)
    if "~" in text:
        for at in _places(text, "Q~"):
            match = _ENTRA.match(text, at - 4) if at >= 4 else None
            if match:
                yield Find(*match.span(), "azure_secret", True)


def _places(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at != -1:
        yield at
        at = text.find(needle, at + 1)


# ---------------------------------------------------------------- private keys


_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{24}")
_KEY_LINE = re.compile(
    r"[\s>#*\"'|+\\n]{0,12}(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{2,20}: .{0,80})?[\"',;+\\n\s]{0,8}"
)
_MAX_KEY = 20_000  # characters; a 16,384-bit RSA key has 12,700


def _private_keys(text: str) -> Iterator[Find]:
    behind = 0
    for at in _places(text, "-----BEGIN "):
        begin = _KEY_BEGIN.match(text, at)
        if begin is None or at < behind:
            continue
        end = _KEY_END.search(text, begin.end(), begin.end() + _MAX_KEY)
        following = text.find("-----BEGIN ", begin.end(), end.start() if end else begin.end())
        stop = _end_of_cut_key(text, begin.end()) if end is None or following != -1 else end.end()
        # A pattern or a sentence that names the marker has no body.
        if _KEY_BODY.search(text, begin.end(), stop):
            yield Find(at, stop, "private_key", True)
            behind = stop


def _end_of_cut_key(text: str, at: int) -> int:
    """The end of the body of a key whose end marker is missing: the first line that is not key material."""
    stop = at
    for _ in range(400):
        line_end = text.find("\n", at, at + _MAX_KEY)
        line_end = min(len(text), at + _MAX_KEY) if line_end == -1 else line_end
        line = text[at:line_end]
        if not _KEY_LINE.fullmatch(line):
            # On one line with the marker, as in JSON: the body ends with its characters.
            body = re.compile(r"(?:\\[nr]|[A-Za-z0-9+/=])*").match(text, at, line_end)
            return max(stop, body.end()) if body and stop == at else stop
        if line.strip():
            stop = line_end
        if line_end >= len(text):
            break
        at = line_end + 1
    return stop


# ---------------------------------------------------------------- passwords in URLs


_URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>`]{0,100}:([^\s/@\"'<>`]{1,200})@[A-Za-z0-9\[_.-]")
# The word that documentation writes in its place; a real password in a URL may be as plain as "postgres".
_URL_PLACEHOLDER = re.compile(
    r".*\[REDACTED.*|(?:my|your|the)?[-_]?(?:pass(?:word|wd)?|pwd|secret|token)|change[-_]?me|x+|\*+|\.+|example|repo",
    re.IGNORECASE,
)


def _passwords_in_urls(text: str) -> Iterator[Find]:
    if "@" not in text:
        return
    for at in _places(text, "://"):
        match = _URL_PASSWORD.match(text, at)
        if (
            match
            and len(match[1]) >= 4
            and not _URL_PLACEHOLDER.fullmatch(match[1])
            and not _TEMPLATE.search(match[1])
        ):
            yield Find(*match.span(1), "url_password", False)


# ---------------------------------------------------------------- values that a name gives away


_NEEDLES = ("passw", "passphrase", "pwd", "secret", "token", "key", "credential", "authorization")
# Names with "key" in them that are secret; matched backwards from the "key".
_KEY_NAME = re.compile(
    r"(?:api|access|private|account|signing|encryption|auth|secret|master|shared|service|session|deploy|license)[_-]?\Z"
)
_NAMED = re.compile(
    r"""[\w.-]{0,30}+                                     # the rest of the name
        ["'\]]{0,3} [ \t]{0,8}
        (?: : [ \t]{0,2} (?:str|string|String|&str) \b [ \t]{0,4} )?
        (?: :=|=>|={1,3}|: ) [ \t]{0,8}
        (?: [bBrRuU]{0,2} "(?P<double>[^"\n\r]{8,300})"
          | [bBrRuU]{0,2} '(?P<single>[^'\n\r]{8,300})'
          | (?P<bare>[^\s"'`,;&<>(){}\[\]]{8,300}) (?P<stop>[;&]|[ \t]*(?:\r?\n|\Z)|[ \t]+\#)
        )""",
    re.VERBOSE,
)
_HEADER = re.compile(
    r"uthorization[\"']?[ \t]{0,4}[:=,][ \t]{0,4}[\"']?(?:bearer|basic|token)[ \t]{1,4}([a-z0-9._~+/=-]{16,})",
    re.IGNORECASE,
)


def _named_values(text: str) -> Iterator[Find]:
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals become two characters; then only ASCII may change
        lower = text.translate({capital: capital + 32 for capital in range(65, 91)})
    for needle in _NEEDLES:
        for at in _places(lower, needle):
            if needle == "key" and not _KEY_NAME.search(lower, max(0, at - 12), at):
                continue
            if needle == "authorization":
                header = _HEADER.match(text, at + 1)
                if header and not _is_placeholder(header[1]) and _entropy(header[1]) > 3.0:
                    yield Find(*header.span(1), "authorization", False)
                continue
            match = _NAMED.match(text, at + len(needle))
            if match is None:
                continue
            group = match.lastgroup if match.lastgroup != "stop" else "bare"
            value = match[group or "bare"]
            if needle in ("secret", "key") and _is_aws_secret(value):
                yield Find(*match.span(group or "bare"), "aws_secret_key", True)
            elif _is_secret(
                value, bare=group == "bare", strong=needle in ("passw", "passphrase", "pwd", "secret")
            ):
                yield Find(*match.span(group or "bare"), _KIND[needle], False)


_KIND = {
    "passw": "password",
    "passphrase": "password",
    "pwd": "password",
    "secret": "secret",
    "token": "token",
    "key": "api_key",
    "credential": "secret",
}


# ---------------------------------------------------------------- how random a value looks


_TEMPLATE = re.compile(r"\$\{|\{\{|\$\(|%\(|<[a-zA-Z]|\}\}|\{[a-zA-Z_0-9.]*\}|^[$%{<]")
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
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")


def _is_secret(value: str, *, bare: bool, strong: bool) -> bool:
    """True for a value as random as a secret. With a `strong` name (password) a short one suffices."""
    if _TEMPLATE.search(value) or _PLACEHOLDER.search(value) or " " in value:
        return False
    digits = sum(character.isdigit() for character in value)
    uppers = sum(character.isupper() for character in value)
    lowers = sum(character.islower() for character in value)
    others = len(value) - digits - uppers - lowers
    classes = (digits > 0) + (uppers > 0) + (lowers > 0) + (others > 0)
    if _UUID.fullmatch(value):
        return True
    if _HEX.fullmatch(value):
        return len(value) >= 24 and digits > 0 and _entropy(value) >= 3.0
    if _WORDS.fullmatch(value) or "://" in value or value.startswith(("/", "./", "../", "~/")):
        return False
    if bare and _NAME_PATH.fullmatch(value):  # could be code: a variable, an attribute
        long = len(value) >= (50 if "." in value or ":" in value else 20)
        return long and digits >= 3 and uppers >= 2 and lowers >= 2 and _entropy(value) >= 3.8
    if len(value) >= 20:
        return digits >= 2 and classes >= 2 and _entropy(value) >= 3.5
    if len(value) >= 16:
        return digits >= 2 and classes >= 3 and _entropy(value) >= 3.3
    return strong and classes >= 3 and (digits > 0 or others > 0) and _entropy(value) >= 2.75


def _is_placeholder(value: str) -> bool:
    """True for a value that documentation writes in place of a secret."""
    return (
        bool(_FORM_PLACEHOLDER.search(value))
        or "[REDACTED" in value
        or len(set(value)) < min(8, len(value) // 2)
    )


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


def _is_aws_secret(value: str) -> bool:
    """True when a value is random enough for the secret half of an AWS key, which has no form of its own."""
    return (
        bool(_AWS_SECRET.fullmatch(value))
        and not _HEX.fullmatch(value)
        and not _is_placeholder(value)
        and _entropy(value) > 4.2
    )
