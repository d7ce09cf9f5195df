"""The natural language of a text, found without a model: by its script, and among Latin scripts by its function words.

    language_of("¿Cuál es el plazo de entrega?")  →  Language.SPANISH
    stems(Language.SPANISH, ["plazo", "plazos"])  →  ["plaz", "plaz"]

English, code and texts too short to tell have no language here: everything else in Daypack is made for them. The index
holds the same terms in every language; a question in one of these looks for all terms that share a stem with its words.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import chain, repeat
from typing import Any

from daypack.text import analysis, unspaced
from daypack.text.name_sets import name_set


class Language(enum.StrEnum):
    """Languages other than English; the value is the name of the Snowball stemmer, where there is one."""

    ARABIC = "arabic"
    ARMENIAN = "armenian"
    CHINESE = "chinese"
    CZECH = "czech"
    DANISH = "danish"
    DUTCH = "dutch"
    FINNISH = "finnish"
    FRENCH = "french"
    GERMAN = "german"
    GREEK = "greek"
    HEBREW = "hebrew"
    HINDI = "hindi"
    HUNGARIAN = "hungarian"
    INDONESIAN = "indonesian"
    ITALIAN = "italian"
    JAPANESE = "japanese"
    KOREAN = "korean"
    NORWEGIAN = "norwegian"
    POLISH = "polish"
    PORTUGUESE = "portuguese"
    ROMANIAN = "romanian"
    RUSSIAN = "russian"
    SPANISH = "spanish"
    SWEDISH = "swedish"
    TAMIL = "tamil"
    THAI = "thai"
    TURKISH = "turkish"
    VIETNAMESE = "vietnamese"


CODES = {
    "ar": Language.ARABIC, "cs": Language.CZECH, "da": Language.DANISH, "de": Language.GERMAN, "el": Language.GREEK, "es": Language.SPANISH, "fi": Language.FINNISH,
    "fr": Language.FRENCH, "he": Language.HEBREW, "hi": Language.HINDI, "hu": Language.HUNGARIAN, "hy": Language.ARMENIAN, "id": Language.INDONESIAN,
    "it": Language.ITALIAN, "ja": Language.JAPANESE, "ko": Language.KOREAN, "nl": Language.DUTCH, "no": Language.NORWEGIAN, "pl": Language.POLISH,
    "pt": Language.PORTUGUESE,
    "ro": Language.ROMANIAN, "ru": Language.RUSSIAN, "sv": Language.SWEDISH, "ta": Language.TAMIL, "th": Language.THAI, "tr": Language.TURKISH,
    "vi": Language.VIETNAMESE, "zh": Language.CHINESE,
}  # fmt: skip
"""The languages by the codes that paths name them by."""

_SCRIPTS = {
    Language.GREEK: "\u0370-\u03ff\u1f00-\u1fff",
    Language.RUSSIAN: "\u0400-\u052f",
    Language.ARMENIAN: "\u0531-\u058f",
    Language.HEBREW: "\u05d0-\u05ea",
    Language.ARABIC: "\u0620-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    Language.HINDI: "\u0900-\u097f",
    Language.TAMIL: "\u0b80-\u0bff",
    Language.THAI: "\u0e01-\u0e5b",
    Language.KOREAN: "\u1100-\u11ff\uac00-\ud7af",
    Language.JAPANESE: "\u3041-\u30ff",
    Language.CHINESE: "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f",
}
"""The characters by which a language is known. Japanese stands before Chinese: it is written in both."""

# their words differ by nothing but marks, which the index folds
_TONAL = frozenset({Language.VIETNAMESE})
# written without blanks: their terms are characters and pairs of them
_UNSPACED = frozenset({Language.THAI, Language.KOREAN, Language.JAPANESE, Language.CHINESE})
_NO_STEMMER = _UNSPACED | {Language.HEBREW, Language.VIETNAMESE}

# Words that carry a sentence and no topic, written as people write them.
_FUNCTION_WORDS = {
    Language.ARABIC: "أو أي أين إلى التي الذي الذين إن أن أنه ثم حول خلال ذلك عن عند على في قبل كان كانت كم كيف كل لا لم لماذا ما ماذا متى مع من منذ هذا هذه هل هو هي و وما ومن",
    Language.DANISH: "af at blev da de den der det du efter eller en er et for fra fik hans har havde hvad hvem hvilke hvilken hvilket hvor hvordan hvorfor hvornår i ikke kan med og om på sig som til var ved",
    Language.DUTCH: "aan als bij dat de deze die door een en er het hoe hoeveel hun in is met naar niet of om onder ook op te tot uit van voor waar waarom wanneer wat was welk welke werd wie wordt zijn heb ik mijn ons onze we wij hebben gisteren vandaag vorige geleden",
    Language.FINNISH: "että hän ja jos joka kuin kuinka kuka kun mihin mikä miksi milloin millä missä mistä miten mitä mutta myös ne niin oli olla on ovat se sekä tai tämä",
    Language.FRENCH: "à au aux avec ce cette comment combien dans de des du elle en est et été il la le les leur lors ne où par pas pour pourquoi quand que quel quelle quelles quels qui sa se ses son sont sur un une était avez avons je mes nos notre nous on peux vos votre ai as avait avoir ont être fait faut peut peuvent doit dois quoi laquelle lequel cet ces mon ma ton ta tes vous ils elles si comme donc sans",
    Language.GERMAN: "als am an auf aus bei bis das dass dem den der des die durch ein eine einem einen einer eines er es für gab hat hatte im in ist mit nach nicht oder sich sie sind über um und unter vom von wann war waren warum was welche welchem welchen welcher welches wer werden wie wird wo worin wurde wurden zu zum zur dein deine dich dir du euch habe haben hast ich ihr kann mein meine mich mir muss uns unser unsere wenn wir wen wem wessen womit wodurch wofür worauf woran woraus wohin woher wieso weshalb wieviel viele gibt kannst können könnte soll sollen sollte darf dürfen müssen man kein keine sein seine seiner ihre ihrer ihren damit dort nur noch dann fürs ins beim",
    Language.GREEK: "από για δεν είναι ένα ένας εκ και κατά με μετά μια μία να ο οι όταν ότι πόσα πόσες πόση πόσο πόσοι που πού ποια ποιες ποιο ποιοι ποιον ποιος ποιους πότε πριν προς πως πώς σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως ή η ήταν",
    Language.HEBREW: "אבל או אותו אותה אחרי איך אילו איפה איזה איזו אין אך אל אם אנחנו אני את אתה אתם באיזה בין גם האם הוא היא היה היו היתה הייתה הזה הזאת הם הן זאת זה זו יש כאן כאשר כדי כי כל כמה כמו לא לאן לו לה להם לי לך לכם לנו לפני למה ליד מאיפה מאין מה מהו מהי מי מתי מדוע משום עד על עם עוד עכשיו צריך רק של שלא שלו שלה שלהם שלי שלך שלכם שלנו שם תחת",
    Language.HINDI: "अपने अपनी एक और का कब कहाँ कहां कि किन किस किसके किसने किसी की कितना कितनी कितने के को कौन कौनसा कौनसी क्या क्यों कैसे गया गई गए जब जिस जो तक था थी थे द्वारा ने पर में या यह लिए वह से हुआ हुई हुए है हैं होता होती होते हो",
    Language.HUNGARIAN: "a az egy el és ez hány hogy hogyan hol ki kik lett meg mely melyik mi miért mikor milyen mint nem vagy van volt voltak",
    Language.INDONESIAN: "ada adalah apa atau bagaimana berapa dalam dan dapat dari dengan di ini itu kapan ke mana mengapa oleh pada saat siapa tidak untuk yang",
    Language.ITALIAN: "al alla anche che chi come con da dal dalla dei del della delle di dove e è era gli i il in la le lo nel nella non per perché qual quale quali quando quanti quanto si sono su stato suo tra un una abbiamo noi nostra nostro posso cosa ieri oggi hanno ho questo questa",
    Language.NORWEGIAN: "av at ble da de den der det du eller en er et etter for fra han har hadde hva hvem hvilke hvilken hvilket hvor hvordan hvorfor i ikke kan med når og om på seg som til var ved",
    Language.PORTUGUESE: "a ao aos as com como da das de do dos e é em era foi mais na não nas no nos o onde os ou para pela pelo por porque qual quais quando quantos que quem se são seu sua um uma eu meu minha nossa nosso nós posso temos você",
    Language.ROMANIAN: "a al ale au care când câte câți ce cel cine cu cum de despre din după este fi fost în la lui mai nu o pe pentru prin sa sau se să sunt și un unde unei unui",
    Language.RUSSIAN: "а без был была были было быть в во для до если за и из или их как какая какие каким какими каких какова каково каковы какого какое какой какую ко когда которая которого которое которой которые который кто куда ли между мы на не о об он она они от по под почему после при с сколько со так также то у чего чей чем через что чтобы это этого мой нам нас наш наша наши я зачем можно нужно надо нет есть бы вы вас ваш ты мне меня его её ему им себя уже ещё только такой такое эти эта этот том те откуда",
    Language.SPANISH: "a al como cómo con cuál cuáles cuando cuándo cuánto cuántos cuántas cuya de del desde donde dónde e el ella en entre era es esta este fue ha la las lo los más no o para pero por porque que qué quién quiénes se según ser sobre son su sus un una y hay hemos nuestra nuestro puedo tenemos yo puede pueden fueron había han muy sin también hasta cada esa ese eso estos estas nos le les mi mis tu tus",
    Language.SWEDISH: "att av blev de den det du där efter eller en ett fick för från han har hade hos hur i inte kan med många men när och om på sig som till under var varför vad vem vid vilka vilken vilket är",
    Language.TURKISH: "ama ancak bir bu çok da daha de değil en gibi hangi hangisi her için ile kaç kadar kim kimdir ne neden nedir nerede nasıl o olan olarak sonra ve veya ya zaman dün bugün geçen önce neler",
    # last, because their short words are also those of other languages, which win where as many fit
    Language.VIETNAMESE: "ai bị các cái có của đã đang đâu đến đó được gì hoặc khi không là làm mà một nào này người nhiêu như những ở sẽ tại thế thì trong từ và vào về vì với",
    Language.POLISH: "a aby albo ale ani bez bo być był była było były będzie będą być chce chcę ci co czego czemu czy czyj dla dlaczego do go gdy gdzie i ich ile ilu im inne iż ja jak jaka jaki jakie jakich jakim jako je jego jej jest jestem jeszcze jeśli już kiedy kto kogo komu która którą które którego której który których którym którzy lub ma mają mam mamy masz mi mnie mogę mój moja może można my na nad nam nas nasz nasza nie niż o od on ona oni ono oraz po pod podczas przed przez przy są się skąd ta tak także tam te tego tej ten też to trzeba tu tutaj twój ty tych tylko tym u w we więc wczoraj wy dzisiaj temu z za ze że",
    Language.CZECH: "a aby ale ani ano asi až bez bude budou by byl byla bylo byly být co což či do ho i já jak jaká jaké jaký jako je jeho jejich jen ještě ji jsem jsi jsme jsou jste k kam kde kdo kdy kolik která které který kteří ke má máme mám máte mají mezi mi mít mě můj může mohu na nad nám nás náš nebo není než o od pak po pod podle pro proč proto před při s se si svůj ta tak také takže tam té ten tento této tím to toho tom tomu tu ty u už v vám vás ve více vy z za ze že",
}  # fmt: skip

# what is left of a function word before an apostrophe; by themselves they are letters of other languages
_ELIDED = {
    Language.FRENCH: "c d j l m n qu s t jusqu lorsqu puisqu",
    Language.ITALIAN: "c d l un all dall dell nell sull",
}

# Letters that no other language of these writes as often: a word with one counts as a function word.
_LETTERS = {
    Language.GERMAN: "ß",
    Language.SPANISH: "ñ",
    Language.POLISH: "ąęłńśźż",
    Language.CZECH: "ěřů",
    Language.ROMANIAN: "ășțşţ",
    Language.TURKISH: "ğış",
    Language.VIETNAMESE: "ăđơư\u1ea0-\u1ef9",
}
_ENOUGH = 2  # words
_LOOKED_AT = 2_000  # characters
_SHORTEST = 3  # characters of a term that has relatives
_SHARED = 3  # characters at its begin that no inflection changes
_SHORTEST_WITH_PARTICLE = 4  # characters, without that of the particle; with 3 fewer answers were right
_PARTICLES = "הבלמשוכ"
# words begin with articles and particles; between these terms lie all of the language
_ANY_BEGIN = {Language.ARABIC: ("\u0620", "\u0700"), Language.HEBREW: ("\u05d0", "\u05eb")}

_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+")  # without an ending behind an apostrophe, as in Ali'in
# in German an umlaut may be spelled out, as it must be on other keyboards; Snowball knows both spellings
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_UMLAUT = re.compile("(?<=[aou])e")
# Of a language: an end of an index term, and the end of its word, by which a stemmer knows it: English stems cut the s of personal
# forms and write i for y, and the index folds accents.
_ENDS = {
    Language.CZECH: (("i", "y"),),
    Language.FRENCH: (("on", "ons"),),
    Language.POLISH: (("i", "y"), ("ow", "ów"), ("c", "ć")),
    Language.PORTUGUESE: (("mo", "mos"),),
    Language.SPANISH: (("mo", "mos"),),
}
# they are often typed without accents
_TYPED_PLAIN = (Language.CZECH, Language.POLISH)
# … and many of their short words are names and words of English: "why does the pod go down?", "Tom has a NAS"
_ALSO_ENGLISH = name_set("ale az bez co go ho im jen jest ma mam mi mit nas on pod po pro si te ten tom za")
_TURKISH_DOTLESS_I = re.compile("[aıou][^aeıioöuü]*i(?:[^aeıioöuü]*i)*")
_RUSSIAN_SHORT_I = re.compile("(?<=[аеиоуыэюя])и$")


def language_of(text: str) -> Language | None:
    """The language of a text; None for English, for code, and where too little says another one."""
    head = text[:_LOOKED_AT]
    if head.isascii():
        return _of_latin_script(head)
    letters = sum(map(len, _WORD.findall(head)))
    found = {language: len(known.findall(head)) for language, known in _known_characters()}
    if found[Language.JAPANESE]:  # which is written in Chinese characters, too
        found[Language.JAPANESE] += found[Language.CHINESE]
    best = max(found, key=found.__getitem__)
    if 2 * found[best] > letters:
        return best
    # a question about an identifier, which may be longer than the rest: "DOMContentLoaded 是什么?"
    if best in _UNSPACED and found[best] >= _ENOUGH and not _words_counted(head)[2]:
        return best
    return _of_latin_script(head)


def is_english(text: str) -> bool:
    """True when a text has more function words of English than of any other language."""
    _, count, english = _words_counted(text[:_LOOKED_AT])
    return english > count


def _of_latin_script(text: str) -> Language | None:
    best, count, english = _words_counted(text)
    return best if count >= _ENOUGH and count > english else None


def _words_counted(text: str) -> tuple[Language, int, int]:
    """The language with the most function words in a text, their number, and that of English ones."""
    words = _WORD.findall(text.replace("İ", "i").lower())
    counts = dict.fromkeys(_telling_words(), 0)
    for language in chain.from_iterable(map(_languages_of().get, words, repeat(()))):
        counts[language] += 1
    if not text.isascii():
        for language, letters in _known_letters():
            counts[language] = sum(
                word in _telling_words().get(language, ()) or letters.search(word) is not None
                for word in words
            )
    if "'" in text or "’" in text:
        for language, elided in _elided_words():
            counts[language] += len(elided.findall(text))
    counts[Language.SPANISH] += "¿" in text or "¡" in text
    best = max(counts, key=counts.__getitem__)
    return best, counts[best], sum(word in analysis.STOP_WORDS for word in words)


@cache
def _known_characters() -> list[tuple[Language, re.Pattern[str]]]:
    return [(language, re.compile(f"[{characters}]")) for language, characters in _SCRIPTS.items()]


@cache
def _known_letters() -> list[tuple[Language, re.Pattern[str]]]:
    return [(language, re.compile(f"[{letters}]")) for language, letters in _LETTERS.items()]


@cache
def _elided_words() -> list[tuple[Language, re.Pattern[str]]]:
    return [
        (language, re.compile(rf"(?i)(?<![\w'’])(?:{'|'.join(words.split())})['’](?=\w)"))
        for language, words in _ELIDED.items()
    ]


@cache
def _function_words() -> dict[Language, frozenset[str]]:
    found = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}
    for language in _TYPED_PLAIN:
        found[language] |= {*analysis.folded_words(" ".join(found[language])).values()}
    found[Language.GERMAN] |= {word.translate(_SPELLED_OUT) for word in found[Language.GERMAN]}
    return found


@cache
def _telling_words() -> dict[Language, frozenset[str]]:
    """Function words by which a language is known."""
    plain = {
        language: frozenset(word for word in words if len(word) > 1) - _ALSO_ENGLISH
        for language, words in _function_words().items()
        if language in _TYPED_PLAIN
    }
    return _function_words() | plain


@cache
def _languages_of() -> dict[str, tuple[Language, ...]]:
    """Function word → its languages, in the order of the table."""
    found: dict[str, tuple[Language, ...]] = {}
    for language, words in _telling_words().items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found


def untelling_terms(language: Language | None, text: str) -> frozenset[str]:
    """Index terms of a text that carry no topic: function words of its language, None for English; in a language whose
    terms are pairs of characters the pairs in such words, and single characters.
    """
    if language is None:
        return analysis.STOP_TERMS
    if language in _UNSPACED:
        return _untelling_pairs(language, text)
    if language in _TONAL:
        own = _function_words()[language]
        written = _written(text)
        return frozenset(term for term, _ in written) - {term for term, word in written if word not in own}
    return stop_terms(language)


def _untelling_pairs(language: Language, text: str) -> frozenset[str]:
    """The characters of a text, and the pairs of them that a topic does not hold; a topic of one character tells."""
    topics = unspaced.topics(language.value, text)
    telling = {term for term in analysis.terms(topics) if len(term) > 1}
    telling.update(word for word in analysis.words(topics) if len(word) == 1)
    pairs = {term for term in analysis.terms(text) if not term.isascii()}
    return frozenset(pairs - telling if telling else {term for term in pairs if len(term) == 1})


@cache
def stop_terms(language: Language) -> frozenset[str]:
    """The index terms of the function words of a language."""
    return frozenset(
        analysis.terms(" ".join((*_function_words().get(language, ()), _ELIDED.get(language, ""))))
    )


def words_as_written(language: Language, text: str) -> dict[str, str]:
    """Index term → the word of a text, in lower case, where marks that the index folds tell words of the language apart."""
    return dict(_written(text)) if language in _TONAL else {}


def _written(text: str) -> list[tuple[str, str]]:
    """(index term, word in lower case) of the words of a text that have one term."""
    words = analysis.words(unicodedata.normalize("NFC", text).lower())
    return [(terms[0], word) for word in words if len(terms := analysis.expand(word)) == 1]


def stems(language: Language, terms: Sequence[str]) -> list[str]:
    """The stems of index terms of a language; the terms themselves for a language without a stemmer."""
    if language in _NO_STEMMER:
        return [*terms]
    if language is Language.RUSSIAN:  # the index folds й, by which Snowball knows its endings
        terms = [_RUSSIAN_SHORT_I.sub("й", term) for term in terms]
    if language is Language.TURKISH:  # … and ı, which follows a, ı, o and u
        terms = [_TURKISH_DOTLESS_I.sub(lambda found: found[0].replace("i", "ı"), term) for term in terms]
    found: list[str] = _stemmer(language).stemWords([*terms])
    return found


def restored(language: Language, term: str) -> list[str]:
    """The words of a language that an index term may come from: "pagaremo" is "pagaremos", and "umowi" is "umowy". Of a word of
    Hebrew, the word without an article or particle, which is written as its first letter.
    """
    if language is Language.HEBREW:
        return [term[1:]] if len(term) > _SHORTEST_WITH_PARTICLE and term[0] in _PARTICLES else []
    return [term.removesuffix(end) + whole for end, whole in _ENDS.get(language, ()) if term.endswith(end)]


@cache
def _stemmer(language: Language) -> Any:
    import Stemmer

    return Stemmer.Stemmer(language.value, 0)


def relatives_between(language: Language, term: str) -> tuple[str, str] | None:
    """The first term, and the one behind the last, between which terms of the same stem lie; None where there are none."""
    if len(term) < _SHORTEST or (language in _NO_STEMMER and language not in _ANY_BEGIN):
        return None
    if language in _ANY_BEGIN:
        return _ANY_BEGIN[language]
    heads = [term[:_SHARED]]
    if language is Language.GERMAN:  # u may have been ü, which others spell ue, and ue may stand for it
        heads += [_UMLAUT.sub("", term)[:_SHARED]]
        heads += [f"{term[: at + 1]}e{term[at + 1 :]}"[:_SHARED] for at in (0, 1) if term[at] in "aou"]
    last = max(heads)
    return min(heads), last[:-1] + chr(ord(last[-1]) + 1)
