"""Points that end no sentence: of a date or another ordinal number, of an initial, of an abbreviation.

    on 9. June        im 2. Stock        9. 6. 2026        S. Smith        Dr. Osei        No. 5        z. B. Boote

Few abbreviations end sentences as well, so most are known by the text behind them: a small letter, a name or a number.
A sentence that goes on for too long costs tokens; one that stops before its fact answers nothing.
"""

from __future__ import annotations

import re
from functools import cache

from daypack.text.prose.months import is_month, is_short_month

_DIGITS = tuple("0123456789(+#")  # with which a number begins
_LONGEST = 16  # characters before a point that are looked at
_NUMBER = re.compile(r"(?<!\w)(?<!\d[.,:])\d{1,4}\Z")
# 9. 6. 2026
_DAY = re.compile(r"\d{1,2}\.(?!\d)")
_DAY_AND_MONTH = re.compile(r"(?<![\d.])\d{1,2}\. ?\d{1,2}\Z")
# the next item of a list
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|[A-Za-z][.)])\s")
_NEXT_WORD = re.compile(r"[^\W\d_]+")
# behind these words a number with a point is an ordinal
_ORDINAL = re.compile(r"(?i)(?<!\w)(?:am|beim|das|dem|den|der|des|die|im|vom|zum|zur) \d{1,2}\Z")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]+\.)*[^\W\d_]+\Z")
# "z. B. Boote", but "at 9 a.m. The boat …"
_LETTERS = re.compile(r"(?i)(?<!\w)(?!am\Z|[ap]\. ?m\Z)[^\W\d_]\. ?[^\W\d_]\Z")
_NEXT_LETTER = re.compile(r"[^\W\d_]\.")

_BEFORE_NAME = """al asst av avda avd bd blvd capt dipl dott dr dra fr frl hon hr ing lt mlle mme mr mrs ms mx pl prof rev sgt sr sra srta st ste
ul гр пер пл пр просп ул"""
_BEFORE_NUMBER = """abb abs approx art arts bd ca cap cca ch cl ed eq fig figs fol kap lib núm nn no nos nr nro num p par pag pág pp pt rn rz sec sect tab tel tél tlf
vol vols ziff č гл д кв п рис стр тел"""
_WITHIN = """bijv bspw bzw bzgl cf dvs eig esp evtl gegr geb ggf ggü inkl incl jfr lat mj resp sog spec tj tzv tzn ung ungef vgl viz vs zzgl e.g i.e
p.ej p.ex z.b d.h u.a o.ä m.e s.o s.u f.eks t.ex напр т.е т.к т.н"""


_UNITS = ("ms", "hr")  # behind a number


def goes_on(text: str, at: int, after: int) -> bool:
    """True when the point text[at] ends no sentence, before text that goes on at `after`."""
    if text[after : after + 1].islower():
        return True
    gap = text[at:after]
    if "\n" in gap and (gap.count("\n") > 1 or _ITEM.match(text, after)):
        return False
    lead = text[max(0, at - _LONGEST) : at]
    last = lead[-1:]
    if last.isdigit():
        return _NUMBER.search(lead) is not None and _number_goes_on(text, lead, after)
    if not last.isalpha():
        return False
    if last.isupper() and not lead[-2:-1].isalnum():  # an initial
        return True
    if _LETTERS.search(lead) or (not lead[-2:-1].isalnum() and _NEXT_LETTER.match(text, after)):
        return True
    found = _ABBREVIATION.search(lead)
    word = found[0].lower() if found else ""
    if text[after : after + 1] in _DIGITS and (word in _of(_BEFORE_NUMBER) or is_short_month(word)):
        return True
    if word in _UNITS and lead[: len(lead) - len(word)].rstrip()[-1:].isdigit():
        return False
    is_street = found is not None and found[0][:1].isupper() and word.endswith(("str", "straat"))
    return is_street or word in _of(_BEFORE_NAME) or word in _of(_WITHIN)


def _number_goes_on(text: str, lead: str, after: int) -> bool:
    """True for a number before the rest of its date, and for an ordinal behind its article."""
    if _ORDINAL.search(lead) or _DAY.match(text, after):
        return True
    if _DAY_AND_MONTH.search(lead) and text[after : after + 1].isdigit():
        return True
    word = _NEXT_WORD.match(text, after)
    return word is not None and is_month(word[0])


@cache
def _of(words: str) -> frozenset[str]:
    return frozenset(words.split())
