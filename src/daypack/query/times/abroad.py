"""Times of other languages in English, for the rooms that read dates and questions about what happened.

    times("german", "was haben wir letzte Woche entschieden?")   →  "was haben wir last week entschieden?"
    times("japanese", "先月の3日前")                              →  " last month の 3 days ago "
    happenings("german", "was haben wir letzte Woche entschieden?")  →  "last week decide", ["entschieden"]

Only the words of a time are translated. The rest of the text stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from daypack.text import analysis, unspaced
from daypack.text.languages import Language, stop_terms
from daypack.text.prose import months

# Of a language: an expression and what it means; `\\1` is a number, as digits or as a word of _NUMBERS. The first that fits counts.
_TIMES = {
    Language.GERMAN: r"""
        vor (\w+) (?:tag|tagen)=\1 days ago; vor (\w+) wochen?=\1 weeks ago; vor (\w+) monat(?:en)?=\1 months ago; vor (\w+) jahr(?:en)?=\1 years ago
        vor (\w+) stunden?=\1 hours ago; die letzten (\d+) tage=last \1 days; in den letzten (\d+) tagen=last \1 days
        vorgestern=the day before yesterday; gestern abend=yesterday evening; gestern=yesterday; heute (?:früh|frueh|morgen)=this morning; heute=today
        (?:letzte|vorige|vergangene)[nrs]? (\w+)=last \1; diese[nrsm]? (woche|monat|jahr)=this \1; wochenende=weekend; woche=week; monat=month; jahr=year
        am (\d{1,2})\. ?(\d{1,2})\.(?! ?\d)=on \1 %\2; (\d{1,2})\. ([a-zä]+)=\1 \2; seit=since; bis zu[mr]=until; bis=until; zwischen=between; und=and; am=on; im=in
        übermorgen=the day after tomorrow; (?:nächste|kommende)[nrs]? (\w+)=next \1; ende ([a-zä]+)=end of \1""",
    Language.FRENCH: r"""
        il y a (\w+) jours?=\1 days ago; il y a (\w+) semaines?=\1 weeks ago; il y a (\w+) mois=\1 months ago; il y a (\w+) ans?=\1 years ago; il y a (\w+) heures?=\1 hours ago
        (?:les |des |ces )?(\d+) derniers jours=last \1 days; avant-hier=the day before yesterday; hier soir=yesterday evening; hier=yesterday; aujourd['’]hui=today; ce matin=this morning
        semaine (?:dernière|derniere|passée|passee|précédente)=last week; mois (?:dernier|passé|passe|précédent)=last month; (?:année|annee|an) (?:dernière|derniere|dernier|passée)=last year
        cette semaine=this week; ce mois(?:-ci)?=this month; cette année=this year; (lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dernier=last \1
        le (lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)=on \1; 1er ([a-zéû]+)=1 \1; depuis=since; jusqu['’](?:à|en|au)=until; entre=between; et=and; en=in""",
    Language.SPANISH: r"""
        hace (\w+) días?=\1 days ago; hace (\w+) dias?=\1 days ago; hace (\w+) semanas?=\1 weeks ago; hace (\w+) mes(?:es)?=\1 months ago; hace (\w+) años?=\1 years ago
        anteayer=the day before yesterday; ayer=yesterday; esta mañana=this morning; hoy=today; semana pasada=last week; mes pasado=last month; año pasado=last year
        esta semana=this week; este mes=this month; este año=this year; (lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado=last \1
        el (lunes|martes|miércoles|jueves|viernes|sábado|domingo)=on \1; (\d{1,2}) de ([a-z]+)=\1 \2; desde=since; hasta=until; entre=between; y=and; en=in; de ([a-z]+) de (\d{4})=\1 \2; de (\d{4})=\1""",
    Language.RUSSIAN: r"""
        (\w+) (?:день|дня|дней) назад=\1 days ago; (\w+) недел[юиь] назад=\1 weeks ago; (\w+) месяц(?:а|ев)? назад=\1 months ago; (\w+) (?:год|года|лет) назад=\1 years ago
        недел[юи] назад=1 week ago; месяц назад=1 month ago; позавчера=the day before yesterday; вчера вечером=yesterday evening; вчера=yesterday; сегодня утром=this morning; сегодня=today
        (?:на )?прошл(?:ой|ую) недел[еюи]=last week; (?:в )?прошл(?:ом|ый|ого) месяц[еа]?=last month; (?:в )?прошл(?:ом|ый|ого) год[уа]?=last year
        (?:на )?эт(?:ой|у) недел[еюи]=this week; (?:в )?этом месяце=this month; (?:в )?этом году=this year; (?:в )?прошл(?:ый|ую|ое) (понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)=last \1
        (?:в|во) (понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)=on \1; (?:в|во)=in; с=since; до=until; между=between; и=and""",
    Language.PORTUGUESE: r"""
        h[áa] (\w+) dias?=\1 days ago; h[áa] (\w+) semanas?=\1 weeks ago; h[áa] (\w+) m[êe]s(?:es)?=\1 months ago; h[áa] (\w+) anos?=\1 years ago; (\d+) dias atrás=\1 days ago
        anteontem=the day before yesterday; ontem à noite=yesterday evening; ontem=yesterday; hoje de manhã=this morning; hoje=today; semana passada=last week; m[êe]s passado=last month; ano passado=last year
        esta semana=this week; este m[êe]s=this month; este ano=this year; (segunda|terça|quarta|quinta|sexta)(?:-feira)? passada=last \1; n?[ao] (segunda|terça|quarta|quinta|sexta)(?:-feira)?=on \1
        (\d{1,2}) de ([a-zç]+)=\1 \2; desde=since; até=until; entre=between; e=and; em=in; de ([a-zç]+) de (\d{4})=\1 \2; de (\d{4})=\1""",
    Language.ITALIAN: r"""
        (\w+) giorn[oi] fa=\1 days ago; (\w+) settiman[ae] fa=\1 weeks ago; (\w+) mes[ei] fa=\1 months ago; (\w+) ann[oi] fa=\1 years ago; (\w+) or[ae] fa=\1 hours ago
        l['’]altro ieri|altroieri=the day before yesterday; ieri sera=yesterday evening; ieri=yesterday; stamattina=this morning; oggi=today; settimana (?:scorsa|passata)=last week; mese (?:scorso|passato)=last month
        anno (?:scorso|passato)=last year; scorsa settimana=last week; scorso mese=last month; questa settimana=this week; questo mese=this month; quest['’]anno=this year
        (lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica) scors[oa]=last \1; da(?:l|lla)?=since; fino a(?:l)?=until; tra=between; e=and; a ([a-z]+ \d{4})=in \1; in=in; il (\d{1,2})=on \1""",
    Language.DUTCH: r"""
        (\w+) dag(?:en)? geleden=\1 days ago; (\w+) we(?:ek|ken) geleden=\1 weeks ago; (\w+) maand(?:en)? geleden=\1 months ago; (\w+) ja(?:ar|ren) geleden=\1 years ago; (\w+) uur geleden=\1 hours ago
        eergisteren=the day before yesterday; gisteravond=yesterday evening; gisteren=yesterday; vanochtend|vanmorgen=this morning; vandaag=today; (?:vorige|afgelopen) week=last week; (?:vorige|afgelopen) maand=last month
        (?:vorig|afgelopen) jaar=last year; deze week=this week; deze maand=this month; dit jaar=this year; (?:vorige|afgelopen) (maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)=last \1
        sinds=since; tot=until; tussen=between; en=and; op=on; in=in""",
    Language.POLISH: r"""
        (\w+) dni temu=\1 days ago; dzień temu=1 day ago; (\w+) tygodni(?:e)? temu=\1 weeks ago; tydzień temu=1 week ago; (\w+) miesi(?:ące|ęcy) temu=\1 months ago; miesiąc temu=1 month ago; (\w+) lat(?:a)? temu=\1 years ago
        rok temu=1 year ago; przedwczoraj=the day before yesterday; wczoraj wieczorem=yesterday evening; wczoraj=yesterday; dziś rano|dzisiaj rano=this morning; dziś|dzisiaj=today
        (?:w )?(?:zeszłym|ubiegłym|poprzednim) tygodniu=last week; (?:w )?(?:zeszłym|ubiegłym|poprzednim) miesiącu=last month; (?:w )?(?:zeszłym|ubiegłym|poprzednim) roku=last year
        (?:w )?tym tygodniu=this week; (?:w )?tym miesiącu=this month; (?:w )?tym roku=this year; w zeszł(?:y|ą) (poniedziałek|wtorek|środę|czwartek|piątek|sobotę|niedzielę)=last \1; we?=in; od=since; do=until; między=between; i=and""",
    Language.TURKISH: r"""
        (\w+) gün önce=\1 days ago; (\w+) hafta önce=\1 weeks ago; (\w+) ay önce=\1 months ago; (\w+) (?:yıl|sene) önce=\1 years ago; (\w+) saat önce=\1 hours ago
        evvelsi gün|önceki gün=the day before yesterday; dün (?:akşam|gece)=yesterday evening; dün=yesterday; bu sabah=this morning; bugün=today; geçen hafta=last week; geçen ay=last month; geçen (?:yıl|sene)=last year
        bu hafta=this week; bu ay=this month; bu (?:yıl|sene)=this year; geçen (pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)=last \1; (pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)(?:den|dan|ten|tan) beri=since \1
        (\d{4})['’]?[td][ea](?!\w)=\1; ve=and""",
    Language.JAPANESE: r"""
        (\d{4})年(\d{1,2})月(\d{1,2})日=\1-\2-\3; (\d{4})年(\d{1,2})月=in %\2 \1; (\d{1,2})月(\d{1,2})日=\2 %\1; (?<!\d)(\d{1,2})月(?!間)=in %\1; (\d{4})年=in \1
        (\d+)日前=\1 days ago; (\d+)週間前=\1 weeks ago; (\d+)(?:か月|ヶ月|カ月|ヵ月)前=\1 months ago; (\d+)年前=\1 years ago; (\d+)時間前=\1 hours ago
        一昨日|おととい=the day before yesterday; 昨日の夜|昨夜|昨晩=last night; 昨日|きのう=yesterday; 今朝=this morning; 今日|本日|きょう=today; 先週の(.)曜日?=last %\1; 先週末=last weekend
        先週=last week; 先月=last month; 去年|昨年=last year; 今週=this week; 今月=this month; 今年=this year; ([月火水木金土日])曜日?=on %\1""",
    Language.CHINESE: r"""
        (\d{4})年(\d{1,2})月(\d{1,2})[日号]=\1-\2-\3; (\d{4})年(\d{1,2})月=in %\2 \1; (\d{1,2})月(\d{1,2})[日号]=\2 %\1; (?<!\d)(\d{1,2})月=in %\1; (\d{4})年=in \1
        (\d+|[一两三四五六七八九十])天前=\1 days ago; (\d+|[一两三四五六七八九十])(?:周|个?星期)前=\1 weeks ago; (\d+|[一两三四五六七八九十])个?月前=\1 months ago; (\d+|[一两三四五六七八九十])年前=\1 years ago
        前天=the day before yesterday; 昨晚|昨天晚上=last night; 昨天|昨日=yesterday; 今早|今天早上=this morning; 今天|今日=today; 上(?:周|个?星期)([一二三四五六日天])=last %\1; 上个?周末=last weekend
        上周|上个?星期|上个礼拜=last week; 上个?月=last month; 去年=last year; 这周|本周|这个?星期=this week; 这个月|本月=this month; 今年=this year; (?:周|星期|礼拜)([一二三四五六日天])=on %\1""",
    Language.KOREAN: r"""
        (\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일=\1-\2-\3; (\d{4})년 ?(\d{1,2})월=in %\2 \1; (\d{1,2})월 ?(\d{1,2})일=\2 %\1; (?<!\d)(\d{1,2})월=in %\1; (\d{4})년=in \1
        (\d+)일 ?전=\1 days ago; (\d+)주(?:일)? ?전=\1 weeks ago; (\d+)(?:개월|달) ?전=\1 months ago; (\d+)년 ?전=\1 years ago; (\d+)시간 ?전=\1 hours ago
        그저께|그제=the day before yesterday; 어젯밤=last night; 어제=yesterday; 오늘 아침=this morning; 오늘=today; 지난주 ?([월화수목금토일])요일=last %\1; 지난 ?주말=last weekend
        지난 ?주=last week; 지난 ?달=last month; 작년|지난해=last year; 이번 ?주=this week; 이번 ?달=this month; 올해=this year; ([월화수목금토일])요일=on %\1""",
}  # fmt: skip
_NUMBERS = {
    Language.GERMAN: "einem=1 einer=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 zehn=10",
    Language.FRENCH: "un=1 une=1 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 dix=10",
    Language.SPANISH: "un=1 una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 diez=10",
    Language.RUSSIAN: "один=1 одну=1 два=2 две=2 три=3 четыре=4 пять=5 шесть=6 семь=7 десять=10",
    Language.PORTUGUESE: "um=1 uma=1 dois=2 duas=2 três=3 quatro=4 cinco=5 seis=6 sete=7 oito=8 dez=10",
    Language.ITALIAN: "un=1 una=1 due=2 tre=3 quattro=4 cinque=5 sei=6 sette=7 otto=8 dieci=10",
    Language.DUTCH: "een=1 twee=2 drie=3 vier=4 vijf=5 zes=6 zeven=7 acht=8 tien=10",
    Language.POLISH: "dwa=2 dwie=2 trzy=3 cztery=4 pięć=5 sześć=6 siedem=7 osiem=8 dziesięć=10",
    Language.TURKISH: "bir=1 iki=2 üç=3 dört=4 beş=5 altı=6 yedi=7 sekiz=8 on=10",
    Language.CHINESE: "一=1 两=2 三=3 四=4 五=5 六=6 七=7 八=8 九=9 十=10",
}
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
# their names, in the order of the week; of several forms each is written out
_DAYS_ABROAD = {
    Language.GERMAN: "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    Language.FRENCH: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    Language.SPANISH: "lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo",
    Language.PORTUGUESE: "segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta sábado domingo",
    Language.ITALIAN: "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    Language.DUTCH: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    Language.POLISH: "poniedziałek|poniedziałku wtorek|wtorku środę|środa|środy czwartek|czwartku piątek|piątku sobotę|sobota|soboty niedzielę|niedziela|niedzieli",
    Language.TURKISH: "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
    Language.RUSSIAN: "понедельник вторник среду|среда четверг пятницу|пятница субботу|суббота воскресенье",
}
_ALSO_ENGLISH = ("mars", "mart")  # "How did Mars 2020 land?"
_TOKEN = re.compile(r"\d+(?:-\d+)*|\w+")
_DAY_SIGNS = ("月火水木金土日", "一二三四五六日", "월화수목금토일")  # 天 is Sunday in Chinese as well

# Words of a question about what happened, beside those of time; an expression behind each English word.
_HAPPENED = {
    Language.GERMAN: "decide=entschieden|beschlossen|entscheidungen|entschied; do=gemacht|getan|gearbeitet|erledigt|geschafft|los; happen=passiert|geschehen; discuss=besprochen|gesprochen|geredet; change=geändert|geaendert",
    Language.FRENCH: "decide=décidé|decide|choisi|décisions; do=fait|travaillé|fini|terminé; happen=passé|passe|arrivé; discuss=discuté|parlé; change=changé|modifié",
    Language.SPANISH: "decide=decidimos|decidido|decidió|decidí|decisiones; do=hicimos|hecho|hice|hizo|trabajamos; happen=pasó|ocurrió|sucedió; discuss=hablamos|discutimos; change=cambiamos|cambió",
    Language.RUSSIAN: "decide=решили|решил|решила|решено|решения; do=делали|сделали|делал|сделал|сделано; happen=было|произошло|случилось; discuss=обсуждали|говорили; change=изменили|поменяли",
    Language.PORTUGUESE: "decide=decidimos|decidido|decidiu|decidi|decisões|decisoes; do=fizemos|feito|fiz|fez|trabalhamos; happen=aconteceu|ocorreu; discuss=discutimos|falamos|conversamos; change=mudamos|mudou|alteramos",
    Language.ITALIAN: "decide=deciso|decidemmo|decisioni|scelto; do=fatto|lavorato|finito; happen=successo|accaduto; discuss=discusso|parlato; change=cambiato|modificato",
    Language.DUTCH: "decide=besloten|besluiten|gekozen; do=gedaan|gewerkt|gemaakt; happen=gebeurd; discuss=besproken|gepraat; change=veranderd|gewijzigd|aangepast",
    Language.POLISH: "decide=zdecydowaliśmy|postanowiliśmy|ustaliliśmy|decyzje; do=robiliśmy|zrobiliśmy|zrobiłem|zrobiono; happen=stało|działo|wydarzyło; discuss=omawialiśmy|omówiliśmy|rozmawialiśmy; change=zmieniliśmy|zmieniło",
    Language.TURKISH: "decide=karar|verdik|verildi|kararlaştırdık; do=yaptık|yaptım|yapıldı|çalıştık; happen=oldu; discuss=konuştuk|tartıştık; change=değişti|değiştirdik",
    Language.JAPANESE: "decide=決め\\w*|決ま\\w*|決定\\w*; do=行い\\w*|行っ\\w*|作業\\w*; happen=起き\\w*|あった; discuss=話し\\w*|相談\\w*|議論\\w*; change=変え\\w*|変更\\w*",
    Language.CHINESE: "decide=决定|决策|定下; do=做|完成|干; happen=发生; discuss=讨论|谈|聊; change=改变|修改|更改|改",
    Language.KOREAN: "decide=결정\\w*|정했\\w*|정한; do=했\\w*|한|작업\\w*; happen=있었\\w*|일어났\\w*; discuss=논의\\w*|얘기\\w*|이야기\\w*; change=바꿨\\w*|변경\\w*|바뀌\\w*",
}  # fmt: skip
# words beside those of `unspaced`
_ALSO_PLAIN = {
    Language.JAPANESE: "(?!)",
    Language.CHINESE: "了|过|都|把|事|一些",
    Language.KOREAN: r"(?<!\w)(?:우리\w*|내가|제가|일|것|다|에|에는|은|는|의|부터|까지)(?!\w)",
}


def times(language: str, text: str) -> str:
    """A text with its times in English, in lower case."""
    found = text.lower()
    for expression, meaning in _times_of(language):
        found = expression.sub(meaning, found)
    return found


def happenings(language: str, text: str) -> tuple[str, list[str]] | None:
    """(the time and the kind of event of a question about what happened, the words that named the kind); None when the
    question is about something else, or names no time.
    """
    if language not in _HAPPENED:
        return None
    known = Language(language)
    said = times(language, text)
    if said == text.lower():
        return None
    own = []
    for expression, meaning in _happened_of(known):
        own += expression.findall(said)
        said = expression.sub(f" {meaning} ", said)
    if known in _ALSO_PLAIN:
        words = _TOKEN.findall(re.sub(_ALSO_PLAIN[known], " ", unspaced.topics(language, said)))
    else:
        stop = stop_terms(known)
        words = [word for word in _TOKEN.findall(said) if not stop.issuperset(analysis.terms(word))]
    ours = {*analysis.words(" ".join(meaning for _, meaning in _happened_of(known)))}
    told = all(word in ours or word[0].isdigit() or word.lower() in _english_times() for word in words)
    return (" ".join(words), own) if told else None


def language_of_date(text: str) -> Language | None:
    """The language of a date such as "23. Januar" or "maju 2025" in a text that is too short to show its own; None for an English date."""
    if not any(map(str.isdigit, text)):
        return None
    for language, known in months.ABROAD.items():
        named = [name for name in known.replace("|", " ").split() if name not in _english_times()]
        either, of_year = "|".join(named), "|".join(name for name in named if name not in _ALSO_ENGLISH)
        if re.search(
            rf"(?i)(?<!\w)(?:\d{{1,2}}(?:\.|er)? (?:de )?(?:{either})(?!\w)|(?:{of_year}) (?:de )?(?:19|20)\d\d(?!\d))",
            text,
        ):
            return language
    return None


@cache
def _english_times() -> frozenset[str]:
    names = " ".join((*months.ENGLISH, *_DAYS)).lower()
    return frozenset(
        f"{names} the day before yesterday today last this night evening morning weekend days weeks months years hours week month year ago "
        "in on since until between and".split()
    )


@cache
def _happened_of(language: Language) -> list[tuple[re.Pattern[str], str]]:
    spaced = language not in _ALSO_PLAIN
    found = []
    for entry in _HAPPENED[language].split("; "):
        meaning, words = entry.split("=")
        found.append((_words(words) if spaced or language is Language.KOREAN else re.compile(words), meaning))
    return found


@cache
def _times_of(language: str) -> list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]:
    if language not in _TIMES:
        return []
    known = Language(language)
    numbers = dict(pair.split("=") for pair in _NUMBERS.get(known, "").split())
    spaced = known not in _ALSO_PLAIN

    def in_english(meaning: str) -> Callable[[re.Match[str]], str]:
        def said(match: re.Match[str]) -> str:
            text = re.sub(
                r"(%?)\\(\d)",
                lambda group: _named(match[int(group[2])], numbers, sign=bool(group[1])),
                meaning,
            )
            return text if spaced else f" {text} "

        return said

    found: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = []
    for line in _TIMES[known].strip().splitlines():
        for entry in line.strip().split("; "):
            expression, meaning = entry.rsplit("=", 1)
            found.append((_words(expression) if spaced else re.compile(expression), in_english(meaning)))
    if known in months.ABROAD:
        for names, meanings in ((months.ABROAD, months.ENGLISH), (_DAYS_ABROAD, _DAYS)):
            found += zip(map(_words, names[known].split()), meanings, strict=True)
    return found


def _words(expression: str) -> re.Pattern[str]:
    """An expression for whole words."""
    return re.compile(rf"(?<!\w)(?:{expression})(?!\w)")


def _named(group: str, numbers: dict[str, str], *, sign: bool) -> str:
    """A number as digits; with `sign` the name of a month by its number, or of a day by its sign."""
    if not sign:
        return numbers.get(group, group)
    if group.isdigit():
        return months.ENGLISH[int(group) - 1] if 1 <= int(group) <= len(months.ENGLISH) else group
    return next((_DAYS[signs.index(group)] for signs in _DAY_SIGNS if group in signs), "Sunday")
