"""Months by their names, in English and other languages."""

from __future__ import annotations

import re
from functools import cache

from daypack.text.languages import Language

ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
# in the order of the calendar; of several forms each is written out
ABROAD = {
    Language.GERMAN: "januar|jänner februar märz|maerz april mai juni juli august september oktober november dezember",
    Language.FRENCH: "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre",
    Language.SPANISH: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    Language.PORTUGUESE: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    Language.ITALIAN: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    Language.DUTCH: "januari februari maart april mei juni juli augustus september oktober november december",
    Language.POLISH: "styczni[au] luty|lutego|lutym marc[au] kwietni[au] maj[au] czerwc[au] lipc[au] sierpni[au] wrześni[au] październik[au] listopad[au]|listopadzie grudni[au]",
    Language.TURKISH: "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    Language.RUSSIAN: "январ[еья] феврал[еья] март[еа]? апрел[еья] ма[йея] июн[еья] июл[еья] август[еа]? сентябр[еья] октябр[еья] ноябр[еья] декабр[еья]",
}  # fmt: skip
_SHORT = 3  # letters


def month_names() -> list[tuple[str, int]]:
    """(name in small letters, number) of each month, in English and other languages."""
    english = [
        (form.lower(), number) for number, name in enumerate(ENGLISH, 1) for form in (name, name[:_SHORT])
    ]
    abroad = [
        (form, number)
        for months in ABROAD.values()
        for number, forms in enumerate(months.split(), 1)
        for written in forms.split("|")
        for form in _spelt_out(written)
    ]
    return [*dict.fromkeys((*english, ("sept", 9), *abroad))]


def _spelt_out(expression: str) -> list[str]:
    """The words that an expression with one class of letters stands for: "март[еа]?" is март, марте and марта."""
    match = re.fullmatch(r"(\w+)\[(\w+)\](\??)(\w*)", expression)
    if match is None:
        return [expression]
    return [f"{match[1]}{letter}{match[4]}" for letter in ([*match[2], ""] if match[3] else match[2])]


def is_month(word: str) -> bool:
    """True for the name of a month, and for a short form of it."""
    return word.lower() in _known() or is_short_month(word)


def is_short_month(word: str) -> bool:
    """True for the first letters of a month, which have a point: Jan., Okt., Sept."""
    return word.lower() in _short()


@cache
def _known() -> frozenset[str]:
    return frozenset(name for name, _ in month_names())


@cache
def _short() -> frozenset[str]:
    return frozenset(name[:_SHORT] for name in _known()) | {"sept"}
