"""The places of secrets that have a form of their own: tokens, private keys, passwords in URLs, card numbers
and seed phrases.

Clean text is the usual case and costs substring searches only; every expression runs on the few places that
those find. No expression nests quantifiers, so the time is linear in the text.
"""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Iterator
from functools import cache

from daypack.guard.secret_tokens import NO_MORE, TOKENS
from daypack.guard.secret_values import (
    AWS_SECRET,
    TEMPLATE,
    Find,
    compiled,
    is_aws_secret,
    is_form_placeholder,
)
from daypack.guard.suspects import RUN_TABLE, SHORTEST_RUN


def places(text: str, needle: str) -> Iterator[int]:
    """Places where a substring begins, overlapping ones too."""
    at = text.find(needle)
    while at != -1:
        yield at
        at = text.find(needle, at + 1)


def finds(text: str) -> Iterator[Find]:
    """Every secret of a text that its form gives away; they may overlap."""
    # One byte a character, so that places are equal; a character outside Latin-1 becomes "?".
    narrow = text.encode("latin-1", "replace")
    yield from _tokens_in_long_runs(text, narrow)
    yield from _tokens_by_a_constant(text)
    yield from _private_keys(text)
    yield from _private_keys_in_base64(text)
    yield from _passwords_in_urls(text)
    shapes = narrow.translate(_SHAPES)
    yield from _card_numbers(text, shapes)
    yield from _seed_phrases(text, shapes)


# ---------------------------------------------------------------- tokens of a known form


def _kinds(*expressions: tuple[str, str]) -> re.Pattern[str]:
    """One expression with a named group a kind; none begins inside a word."""
    return re.compile(
        r"(?<![A-Za-z0-9])(?:"
        + "|".join(f"(?P<{kind}>{expression})" for kind, expression in expressions)
        + ")"
    )


# Tokens have two dozen letters, digits, dashes and underscores in a row. Such runs are rare in text and found
# by one search; the constant part of a token (second column) is rare in runs; so the long expression sees a
# few windows of a project. The shortest run here: the last part of a Slack webhook.
_RUN_NEEDLE = b"a" * SHORTEST_RUN
# A bot token of Discord begins with an id in Base64, whose digits all begin with these letters.
_DISCORD = r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,42}"
_DISCORD_TOKEN = re.compile(_DISCORD)
_CONSTANTS = sorted({constant for _, constants, _ in TOKENS for constant in constants.split()})

# Tokens with shorter runs are found by their constant part.
_AWS_ID = re.compile(rf"(?<![A-Za-z0-9])A[KS]IA[A-Z2-7]{{16}}{NO_MORE}")
_ENTRA = _kinds(("azure_secret", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"))


@cache
def _expression_of(constants: tuple[str, ...]) -> re.Pattern[str]:
    """The forms of tokens with one of the constants: an expression of all forms takes long to compile and to try."""
    return _kinds(
        ("discord_token", _DISCORD),
        *(
            (kind, expression)
            for kind, of_kind, expression in TOKENS
            if not set(constants).isdisjoint(of_kind.split())
        ),
    )


def holds_aws_id(text: str) -> bool:
    """True when a text is the public half of an AWS key: the secret half is beside it."""
    return _AWS_ID.fullmatch(text) is not None or text.startswith("[REDACTED:aws_access_key")


_REST_OF_TOKEN = re.compile(r"[A-Za-z0-9_.+/=-]*")
# the constant of a token without one in CONSTANT_OF_2_WORDS
_RANDOM = re.compile(r"[a-z][A-Z0-9]|[0-9][a-z]|AGE-|NRAK-")


def _tokens_in_long_runs(text: str, narrow: bytes) -> Iterator[Find]:
    low = high = 0
    runs = narrow.translate(RUN_TABLE)
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
    if high <= low:
        return
    window = text[max(0, low - 64) : high]
    # One search for each of the constants takes a fifth of the time of an expression that looks for all.
    constants = tuple(filter(window.__contains__, _CONSTANTS))
    if not constants and _DISCORD_TOKEN.search(window) is None:
        return
    few = constants if len(constants) <= 1 else tuple(_CONSTANTS)  # a text may combine them in many ways
    for match in _expression_of(few).finditer(text, low, high):
        kind = match.lastgroup or ""
        if not is_form_placeholder(match.group()) and (kind != "discord_token" or _is_id(match.group())):
            yield Find(*match.span(), kind, True)


def _is_id(token: str) -> bool:
    """True when the first part of a token is a decimal number in Base64."""
    first = token.partition(".")[0]
    try:
        return a2b_base64(first + "=" * (-len(first) % 4)).isdigit()
    except NotBase64:
        return False


def _tokens_by_a_constant(text: str) -> Iterator[Find]:
    for needle in ("AKIA", "ASIA"):
        for at in places(text, needle):
            found = _AWS_ID.match(text, at)
            if found is None or is_form_placeholder(found.group()):
                continue
            yield Find(*found.span(), "aws_access_key", True)
            # The secret half has no form of its own; the id beside it gives it away.
            for near in AWS_SECRET.finditer(text, found.end(), found.end() + 300):
                if is_aws_secret(near.group()):
                    yield Find(*near.span(), "aws_secret_key", True)
    if "~" in text:
        for at in places(text, "Q~"):
            match = _ENTRA.match(text, at - 4) if at >= 4 else None
            if match:
                yield Find(*match.span(), "azure_secret", True)


# ---------------------------------------------------------------- private keys


_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_BODY = r"[A-Za-z0-9+/=]{24}"
_KEY_LINE = r"[\s>#*\"'|+\\n]{0,12}(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{2,20}: .{0,80})?[\"',;+\\n\s]{0,8}"
_SHORTEST_KEY_LINE = 16
_MAX_KEY = 20_000  # characters; a 16,384-bit RSA key has 12,700


def _private_keys(text: str) -> Iterator[Find]:
    behind = 0
    for at in places(text, "-----BEGIN "):
        begin = _KEY_BEGIN.match(text, at)
        if begin is None or at < behind:
            continue
        end = compiled(_KEY_END).search(text, begin.end(), begin.end() + _MAX_KEY)
        following = text.find("-----BEGIN ", begin.end(), end.start() if end else begin.end())
        stop = _end_of_cut_key(text, begin.end()) if end is None or following != -1 else end.end()
        # A pattern or a sentence that names the marker has no body.
        if compiled(_KEY_BODY).search(text, begin.end(), stop):
            yield Find(at, stop, "private_key", True)
            behind = stop
    for at in places(text, "-----END "):
        end = compiled(_KEY_END).match(text, at)
        if (
            end
            and (start := _start_of_cut_key(text, at)) < at
            and compiled(_KEY_BODY).search(text, start, at)
        ):
            yield Find(start, end.end(), "private_key", True)


_KEY_IN_BASE64 = r"[A-Za-z0-9+/=]{64,20000}"


def _private_keys_in_base64(text: str) -> Iterator[Find]:
    for at in places(text, "LS0tLS1CRUdJTi"):  # "-----BEGIN"
        match = compiled(_KEY_IN_BASE64).match(text, at)
        if match and b"PRIVATE KEY" in a2b_base64(text[at : at + 64]):
            yield Find(*match.span(), "private_key", True)


def _end_of_cut_key(text: str, at: int) -> int:
    """The end of the body of a key whose end marker is missing: the first line that is not key material."""
    stop = at
    for _ in range(400):
        line_end = text.find("\n", at, at + _MAX_KEY)
        line_end = min(len(text), at + _MAX_KEY) if line_end == -1 else line_end
        line = text[at:line_end]
        if not compiled(_KEY_LINE).fullmatch(line):
            # On one line with the marker, as in JSON: the body ends with its characters.
            body = re.compile(r"(?:\\[nr]|[A-Za-z0-9+/=])*").match(text, at, line_end)
            return max(stop, body.end()) if body and stop == at else stop
        if line.strip():
            stop = line_end
        if line_end >= len(text):
            break
        at = line_end + 1
    return stop


_KEY_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_BEFORE_KEY_LINE = " \t>#*\"'|+"


def _start_of_cut_key(text: str, at: int) -> int:
    """The start of the body of a key whose end marker is at `at`: the end of a longer text may begin inside a key."""
    low = max(0, at - _MAX_KEY)
    line = max(low, text.rfind("\n", low, at) + 1)
    if text[line:at].strip(_BEFORE_KEY_LINE):  # on one line with the marker, as in JSON
        return line + len(text[line:at].rstrip(_KEY_CHARACTERS + "\\"))
    start = at
    while line > low:
        end, line = line - 1, max(low, text.rfind("\n", low, line - 1) + 1)
        body = text[line:end].strip(_BEFORE_KEY_LINE + "\r\\,;")
        if body.strip(_KEY_CHARACTERS) or (len(body) < _SHORTEST_KEY_LINE and line > 0 and start < at):
            break
        start = line if body else start
    return start


# ---------------------------------------------------------------- passwords in URLs


_URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>`]{0,100}:([^\s/@\"'<>`]{1,200})@[A-Za-z0-9\[_.-]")
_URL_TOKEN = re.compile(
    r"://([0-9a-f]{40})(?::x-oauth-basic)?@"
)  # a token of GitHub in the place of the user
# The word that documentation writes in its place; a real password in a URL may be as plain as "postgres".
_URL_PLACEHOLDER = re.compile(
    r".*\[REDACTED.*|(?:my|your|the)?[-_]?(?:pass(?:word|wd)?|pwd|secret|token)|change[-_]?me|x+|\*+|\.+|example|repo|guest|anonymous",
    re.IGNORECASE,
)


def _passwords_in_urls(text: str) -> Iterator[Find]:
    if "@" not in text:
        return
    for at in places(text, "://"):
        match = _URL_PASSWORD.match(text, at)
        if (
            match
            and len(match[1]) >= 4
            and not _URL_PLACEHOLDER.fullmatch(match[1])
            and not TEMPLATE.search(match[1])
        ):
            yield Find(*match.span(1), "url_password", False)
        elif user := _URL_TOKEN.match(text, at):
            yield Find(*user.span(1), "github_token", True)


# ---------------------------------------------------------------- card numbers and seed phrases


_SHAPES = bytes(
    0x30 if 0x30 <= byte <= 0x39 else 0x20 if byte in b" -" else 0x61 if 0x61 <= byte <= 0x7A else 0x2E
    for byte in range(256)
)
_CARD_SHAPES = (b"0000 0000 0000", b"0000 000000 ", b"0" * 15)
_CARD = (
    r"(?<![\w.+/=-])(?:"
    r"3[47][0-9]{2}([ -]?)[0-9]{6}\1[0-9]{5}"
    r"|(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}|64[4-9][0-9]|35[2-8][0-9])([ -]?)[0-9]{4}\2[0-9]{4}\2[0-9]{4}"
    r")(?![\w+/=-]|\.[0-9])"
)


def _card_numbers(text: str, shapes: bytes) -> Iterator[Find]:
    for shape in _CARD_SHAPES:
        at = shapes.find(shape)
        while at != -1:
            match = compiled(_CARD).match(text, at)
            if match and _luhn(match.group()) and not _is_number_of_other(text, match):
                yield Find(*match.span(), "card_number", False)
            at = shapes.find(shape, at + 4)


_OTHER_NUMBER = (
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:ids?|uid|pid|ref|inode|offset|seed|nonce|seq|sequence|serial|timestamp|time|ts|hash|checksum|order|invoice"
    r"|tracking|imei|isbn|trace|span|size|bytes|count|total|sum|ns|us|version|revision)(?:no|nr|number)?[\"']?(?:[ ]?[:=#][ ]?|[ ])[\"'#]?\Z"
)


def _is_number_of_other(text: str, match: re.Match[str]) -> bool:
    """True for digits without gaps whose name says that they number or measure something else."""
    at = match.start()
    return match.group().isdigit() and compiled(_OTHER_NUMBER).search(text, max(0, at - 20), at) is not None


def _luhn(number: str) -> bool:
    """True when the check digit of a card number is right, and it is not one digit repeated."""
    digits = [int(digit) for digit in number if digit.isdigit()]
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[-2::-2])
    return len(set(digits)) > 2 and (sum(digits[::-2]) + sum(doubled)) % 10 == 0


# Twelve words of a wallet and the spaces between them have so many letters in a row.
_SEED_SHAPE = b"a" * 47
_SEED_SHAPES = bytes(0x61 if byte in b" a" else byte for byte in range(256))
_ROW = re.compile(rb"a*+")
_SEED_WORD = r"[a-z]+"
_LEAST_SEED = 12  # words


def _seed_phrases(text: str, shapes: bytes) -> Iterator[Find]:
    rows = shapes.translate(_SEED_SHAPES)
    at = rows.find(_SEED_SHAPE)
    while at != -1:
        row = _ROW.match(rows, at)
        end = row.end() if row else at + 1
        # A phrase has a word in every twelfth place; prose seldom has one of the list there.
        if not _seed_words().isdisjoint(text[at:end].split()[_LEAST_SEED - 1 :: _LEAST_SEED]):
            yield from _seed_words_between(text, at, end)
        at = rows.find(_SEED_SHAPE, end)


def _seed_words_between(text: str, low: int, high: int) -> Iterator[Find]:
    """Rows of words of the list between two places, most of them different."""
    known = _seed_words()
    row: list[re.Match[str]] = []
    for word in (*compiled(_SEED_WORD).finditer(text, low, high), None):
        if word and word.group() in known:
            row.append(word)
            continue
        if len(row) >= _LEAST_SEED and len({one.group() for one in row}) >= _LEAST_SEED * 2 / 3:
            yield Find(row[0].start(), row[-1].end(), "seed_phrase", False)
        row = []


@cache
def _seed_words() -> frozenset[str]:
    """The English words of BIP-39, of which the phrases of most wallets are made."""
    with open(__file__.rpartition("secret_forms")[0] + "seed_words.txt", encoding="ascii") as words:  # noqa: PTH123  # a hook has no time for pathlib
        return frozenset(words.read().split())
