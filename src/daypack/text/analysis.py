"""Analysis: text → index terms. The index and the query must agree on every letter of it.

    "How does getUserId() retry?"  →  how doe getuserid get user id retri

A word becomes its stem (Snowball English). An identifier becomes its whole, joined without separators so that
`getUserId`, `get_user_id` and `GetUserID` are one term, and the stems of its parts. Writing without spaces
(Han, kana, Hangul, Thai, …) becomes characters and overlapping pairs, so that any substring of two characters
is found. Case, width, ligatures, accents and points are folded, which makes NFC and NFD forms of a word one
term, and digits of every script are those of ASCII. Letters that data writes by their numbers, `M\\u00fcller` or
`M&#252;ller`, and that LaTeX writes with their accents, `M{\\"u}ller`, are read as letters.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, filterfalse
from typing import Any

# longer runs are data (base64, hashes); their first characters suffice to tell them apart
LONGEST_TERM = 64
_CACHED_WORDS = 400_000  # bounds the memory of a long-lived process, about 60 MB
_CACHED_PARTS = 20_000  # of identifiers, which are made of few words
HYPHENS = "-\u2010\u2011"  # in a code; the last does not break at the end of a line

_BLANKED = bytes(
    byte if byte < 128 and (chr(byte).isalnum() or byte == 0x5F) else 0x20 for byte in range(256)
)
# To `re`, combining marks are not word characters, but a word of these scripts falls apart without them.
_MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0981-\u0983\u09bc-\u09cd\u09d7\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c03\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3e-\u0d4d\u0d57\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3\u1b34-\u1b44\u3099\u309a\U000110ba"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]+")
# Latin accents; points of Hebrew and vowels of Arabic, which few texts write, and the line that stretches a word; the nukta of Hindi
_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u0652\u0670\u093c]")
# letters that Unicode does not take apart; a candrabindu is often written as its simpler form
_PLAINER = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "þ": "th", "ı": "i", "ß": "ss",
        "Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Ħ": "H", "Þ": "TH", "ẞ": "SS", "\u0901": "\u0902",
    }
)  # fmt: skip
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|&#(?:[xX][0-9a-fA-F]{2,6}|[0-9]{3,7});")
# Letters of LaTeX: in braces, and \" inside a word, which elsewhere begins and ends one; \' alone is as often an apostrophe.
# A sign that begins with one character is found much faster.
_SIGN_OF_TEX = re.compile(
    r"""\\(?:["'`^~=.cvHk]\{|"[AEIOUYaeiouy]|["'`^~=.]\\?[A-Za-z]\}|[cvHk] [A-Za-z]\}|(?:ss|ae|oe|aa|AE|OE|AA|[ijloLO])\})"""
)
_OF_TEX = re.compile(
    r"""\{\\(?:["'`^~=.]|[cvHk] )\{?\\?([A-Za-z])\}?\}|\\["'`^~=.cvHk]\{\\?([A-Za-z])\}|\{\\(ss|ae|oe|aa|AE|OE|AA|[ijloLO])\}"""
    r"""|(?<=[^\W\d_])(?<!\\[A-Za-z])(?<![(=,\[{][bfru])\\"([AEIOUYaeiouy])"""
)
# a whole word of one term, its stem
_PLAIN = re.compile(rf"[A-Za-z][a-z]{{0,{LONGEST_TERM - 1}}}|[A-Z]{{1,{LONGEST_TERM}}}")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?$")
# of an identifier in letters of any alphabet: Han, kana and Hangul stand beside a name without a blank
NAME_BEGIN, NAME_LETTER = rf"(?:[^\W\d{_UNSPACED}]|\$)", rf"(?:[^\W{_UNSPACED}]|[$\u0300-\u036f])"
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")

_STOP_WORDS = """a about above after again against all am an and any are as at be because been before being
below between both but by can could did do does doing down during each few for from further had has have
having he her here hers herself him himself his how i if in into is it its itself just me more most my myself
no nor not now of off on once only or other our ours ourselves out over own same she should so some such than
that the their theirs them themselves then there these they this those through to too under until up very was
we were what when where which while who whom why will with would you your yours yourself yourselves"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english", 0)


@lru_cache(_CACHED_PARTS)
def _stem(part: str) -> str:
    stemmed: str = _stemmer().stemWord(part)
    return stemmed


def _fold(word: str) -> str:
    """Case, width, ligature, accents and points folded away."""
    return unicodedata.normalize("NFC", _plain(word)).casefold()


def _plain(word: str) -> str:
    """The word in its case, folded otherwise."""
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", word)).translate(_PLAINER)
    if plain.isascii() or plain.isalpha():
        return plain
    return "".join(str(unicodedata.decimal(letter, letter)) for letter in plain)


def folded_words(text: str) -> dict[str, str]:
    """Index term → the word of a text that it comes from, folded, for words of one term."""
    return {terms[0]: _fold(word) for word in words(text) if len(terms := ANALYZER[word]) == 1}


@cache
def _beyond_ascii() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """(a word, a run without spaces, a separator). They take 3 ms, and many commands match no text."""
    return re.compile(rf"[\w{_MARKS}]+"), re.compile(f"[{_UNSPACED}]+"), re.compile(rf"[^\w{_MARKS}]")


def _unspaced(run: str) -> list[str]:
    return [*run, *(run[i : i + 2] for i in range(len(run) - 1))]


def expand(word: str) -> tuple[str, ...]:
    """The index terms of one word as matched in the text."""
    if not word.isascii():
        plain = unicodedata.normalize("NFC", _plain(word))
        _, unspaced, _ = _beyond_ascii()
        if unspaced.search(plain):
            terms: list[str] = []
            end = 0
            for run in unspaced.finditer(plain):
                if run.start() > end:
                    terms.extend(expand(plain[end : run.start()]))
                terms.extend(_unspaced(run.group()))
                end = run.end()
            if end < len(plain):
                terms.extend(expand(plain[end:]))
            return tuple(terms)
        folded = plain.casefold()
        if not folded.isascii():
            return (folded[:LONGEST_TERM],) if folded else ()
        # case separates identifiers
        word = folded if word.islower() or word[1:].islower() else _plain(word)
    if len(word) > LONGEST_TERM:
        return (word[:LONGEST_TERM].lower(),)
    if _PLAIN.fullmatch(word):
        return (_stem(word.lower()),)
    if word.isdigit():
        return (word,)
    named = parts(word)
    if len(named) <= 1:
        return tuple(map(_stem, named))
    whole = "".join(named)
    return (whole, *(_stem(part) for part in named if len(part) > 1 or part.isdigit()))


def parts(word: str) -> list[str]:
    """The words in a name, in lower case: `retryBudget_2` has retry, budget and 2."""
    return [part.lower() for part in _PART.findall(word)]


class Analyzer(dict[str, tuple[str, ...]]):
    """Remembers the expansion of each word; words repeat, and expanding is the slow part."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        terms = expand(word)
        if len(word) <= LONGEST_TERM:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = terms
        return terms

    def learn(self, words: Iterable[str]) -> None:
        """Expand all new plain words at once: stemmed together they take a third of the time."""
        plain = [*filter(_PLAIN.fullmatch, filterfalse(self.__contains__, words))]
        if len(self) + len(plain) >= _CACHED_WORDS:
            self.clear()
        self.update(
            zip(plain, zip(_stemmer().stemWords([word.lower() for word in plain]), strict=True), strict=True)
        )


ANALYZER = Analyzer()


def blanked(text: str) -> str:
    """The text with a blank for each character between words: its words are what `split` gives."""
    # A table is twice as fast as an expression, and most text is ASCII.
    return (
        text.encode().translate(_BLANKED).decode("ascii")
        if text.isascii()
        else _beyond_ascii()[2].sub(" ", text)
    )


def words(text: str) -> list[str]:
    """The words of a text as written, in order, with letters in place of their numbers."""
    if "\\u" in text or "&#" in text:
        text = _ESCAPES.sub(_letters, text)
    if "\\" in text and _SIGN_OF_TEX.search(text):
        text = _OF_TEX.sub(lambda found: found[found.lastindex or 0], text)
    return blanked(text).split() if text.isascii() else _beyond_ascii()[0].findall(text)


def _letters(escape: re.Match[str]) -> str:
    """The letters that escapes in a row stand for, with the marks between them; the escapes as they are when none is a letter."""
    written = escape[0]
    if written.startswith("&"):
        letters = html.unescape(written)
    else:  # two numbers make one letter beyond the first plane
        letters = bytes.fromhex(written.replace("\\u", "")).decode("utf-16-be", "replace")
    says = "\ufffd" not in letters and any(one.isalpha() for one in letters)
    return letters if says else written


def terms(text: str) -> list[str]:
    """The index terms of a text, in order, with repeats."""
    return list(chain.from_iterable(map(ANALYZER.__getitem__, words(text))))


STOP_TERMS = STOP_WORDS | {
    "doe",
    "dure",
    "befor",
    "becaus",
    "onc",
    "onli",
    "veri",
    "ani",
    "whi",
    "abov",
    "themselv",
    "ourselv",
    "yourselv",
    "s",
    "t",
}


def content_terms(items: Iterable[str]) -> list[str]:
    """Terms without stop words; all terms where nothing else would be left."""
    items = list(items)
    return [term for term in items if term not in STOP_TERMS] or items


_CODE_PART = r"(?:[A-Za-z]|[A-Z]{2,5}|\d{1,6}[A-Za-z]?)"
_CODE = re.compile(rf"(?<![\w-]){_CODE_PART}(?:[{HYPHENS}]{_CODE_PART})+(?![\w-])")


def codes(text: str) -> list[str]:
    """Codes of letters and numbers as a text writes them, with hyphens: A-1, S-400, L-1A. Letters that are a word elsewhere,
    as `a` and `IS`, belong to a code; of other words in capitals, as in ISO-9001, the index has the letters anyway.
    """
    found = (match[0] for match in _CODE.finditer(text))
    return [code for code in found if _is_code(re.split(f"[{HYPHENS}]", code))]


def _is_code(named: list[str]) -> bool:
    lettered = [part.lower() for part in named if part.isalpha()]
    return 0 < len(lettered) < len(named) and all(
        len(letters) == 1 or letters in STOP_WORDS for letters in lettered
    )


def is_identifier(word: str) -> bool:
    """True when a word is written as code: snake_case, camelCase, dotted.name, call(), CONSTANT_NAME."""
    if not (_IDENTIFIER if word.isascii() else _name_beyond_ascii()).match(word):
        return False
    bare = word.strip("_")
    return (
        "_" in bare
        # "getan.Dann" lacks a blank more often than it is code
        or ("." in bare and word.isascii())
        or "::" in bare
        or "->" in bare
        or word.endswith("()")
        or bool(_CAMEL.search(bare))
        or "$" in bare
    )


@cache
def _name_beyond_ascii() -> re.Pattern[str]:
    name = rf"{NAME_BEGIN}{NAME_LETTER}*"
    return re.compile(rf"{name}(?:(?:\.|::|#|->){name})*(?:\(\))?$")
