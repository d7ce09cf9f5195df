"""Tests whether a text may hold a secret: a cheap test with a safe answer, for a caller that cannot afford to
load the expressions.

A yes may be wrong, a no may not: everything that `guard.secrets.redact` would replace is suspect here; a
property test holds this. Nothing is imported, because the hook that asks has 50 ms of CPU for everything, and
those expressions alone take twice that.
"""

from __future__ import annotations

SHORTEST_RUN = 24  # letters and digits in a token of a known form
RUN_TABLE = bytes(
    0x61 if byte < 128 and (chr(byte).isalnum() or chr(byte) in "_-") else 0x20 for byte in range(256)
)
_MARKERS = ("AKIA", "ASIA", "Q~", "-----BEGIN", "PRIVATE KEY", "LS0tLS1CRUdJTi", "Secret")
_NAMES = (
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "authorization",
    "cookie",
    "masterauth",
    "mysql",
    "mariadb",
    "curl",
)
_PLACES = (
    "basic ",
    'auth"',
    "_auth=",
    "sig=",
    "signature=",
    "redis-cli ",
    "psk=",
    "identified by ",
    ":543",
    ":*:",
    " -p",
    # commands that take a secret from a pipe or as an argument
    "sudo -",
    "<<<",
    "passwd",
    "-stdin",
    "with-token",
    " -w",
    "ssh-keygen",
)
PASSWORD_WORDS = (
    "kennwort", "wachtwoord", "contrase", "senha", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
    "hasło", "haslo", "heslo", "şifre", "şifresi", "sifre", "sifresi", "parola", "parolası", "lösenord", "adgangskode", "salasana", "jelszó",
    "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא", "पासवर्ड", "รหัสผ่าน", "mật khẩu",
)  # fmt: skip
"""The words for a password, in small letters, of languages in which it has no "pass"."""
_CARD = 15  # digits, spaces and dashes left out
_SEED = 10  # words of a seed phrase between the first and the last one
_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else 0x20 for byte in range(256))
_BEHIND_A_NAME = 60  # characters: the rest of the name, its quotes and its type, up to the assignment sign


def may_hold_secret(text: str) -> bool:
    """True for every text that `redact` would change, and for some others. Linear in the text."""
    if b"a" * SHORTEST_RUN in text.encode("latin-1", "replace").translate(RUN_TABLE):
        return True
    if any(marker in text for marker in _MARKERS) or ("://" in text and "@" in text):
        return True
    lower = text.translate(_LOWER)
    if any(place in lower for place in _PLACES) or any(_assigned(lower, name) for name in _NAMES):
        return True
    folded = lower if text.isascii() else text.lower()
    if any(word in folded for word in PASSWORD_WORDS):
        return True
    digits = text.replace(" ", "").replace("-", "").encode("latin-1", "replace").translate(_DIGITS)
    return b"0" * _CARD in digits or _has_many_words(text)


def _has_many_words(text: str) -> bool:
    """True when many short words of small letters follow each other."""
    row = 0
    for word in text.split() if text.count(" ") > _SEED else ():
        row = row + 1 if 3 <= len(word) <= 8 and word.isalpha() and word.islower() else 0
        if row == _SEED:
            return True
    return False


# İ, the Kelvin sign and ſ fold to ASCII, too.
_LOWER = {capital: capital + 32 for capital in range(65, 91)} | {0x130: 0x69, 0x212A: 0x6B, 0x17F: 0x73}


def _assigned(lower: str, name: str) -> bool:
    """True when the value may come anywhere behind the name."""
    at = lower.find(name)
    while at != -1:
        end = at + len(name)
        behind = lower[end : end + _BEHIND_A_NAME]
        if any(sign in behind for sign in ":=,> \t"):
            return True
        at = lower.find(name, end)
    return False
