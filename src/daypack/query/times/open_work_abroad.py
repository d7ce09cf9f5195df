"""Questions for open work in other languages.

"Was ist noch zu tun?"     "zu tun" asks for open work, and no other word names a subject
"Was ist zu tun, wenn …"   about a rule: other words than those of such questions name a subject
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from daypack.query.times import abroad
from daypack.query.times.dates import without_times
from daypack.text.languages import Language

# Of a language: expressions for work that is open = other words of such a question.
_ASKED = {
    Language.GERMAN: r"""zu (?:tun|machen|erledigen)|noch (?:tun|machen)|erledigen|(?:noch )?nicht erledigt|(?:offen|unerledigt|ausstehend|(?:über)?fällig)(?:e[nrs]?)?|steh(?:t|en)(?: noch| jetzt| als nächstes)* (?:an|aus)
        |nächste[nrs]? schritte?|übrig|to-?dos?=was welche welches wer ist sind gibt es hab habe haben hat muss müssen soll sollen ich wir uns mir mein meine meinen meiner unser unsere unseren die das alle alles
        etwas noch jetzt aktuell derzeit als nächstes aufgabe aufgaben arbeit arbeiten punkt punkte sachen dinge nicht nenne zeig zeige bitte""",
    Language.FRENCH: r"""[àa] (?:faire|finir|terminer)|encore faire|(?:non|pas) (?:terminé|fini|fait)e?s?|en (?:attente|suspens)|ouverte?s?|prochaines étapes|inachevée?s?|restante?s?=que qu quoi quel quelle quelles
        quels qui est sont ce il y a t on je nous dois devons doit reste restent ai avons encore toujours mes nos les le la des de tâche tâches taches actions points travail choses liste""",
    Language.SPANISH: r"""por (?:hacer|terminar)|pendientes?|sin (?:hacer|terminar)|aún hacer|todavía hacer|abiert[oa]s|próximos pasos=qué que cuáles cuales es son hay queda quedan falta faltan tengo tenemos está están
        aún aun todavía todavia mis nuestras nuestros las los la lo tarea tareas puntos trabajo cosas asuntos me nos""",
    Language.PORTUGUESE: r"""(?:por|a|falta|faltam|resta) fazer|ainda .*fazer|pendentes?|em aberto|abert[oa]s|próximos passos=o que quais qual é são há falta faltam resta restam tenho temos está estão ainda as os a
        minhas meus nossas tarefa tarefas pontos trabalho coisas me nos""",
    Language.ITALIAN: r"""da (?:fare|finire|completare)|ancora fare|apert[eio]|in sospeso|prossimi passi=cosa che quali è sono c ci resta restano rimane manca ho abbiamo devo dobbiamo ancora le i gli la il mie miei nostre
        attività compito compiti cose punti lavoro""",
    Language.DUTCH: r"""te doen|nog doen|nog gebeuren|niet af|open(?:staande?)?|volgende stappen|to-?dos?=wat welke wie is er zijn nog moet moeten ik we wij mijn onze de het taak taken punten werk dingen staat staan
        hebben heb""",
    Language.POLISH: r"""do (?:zrobienia|wykonania)|(?:trzeba|zostało) zrobić|otwart[ey]\w*|nie(?:wykonan|ukończon|zrobion)\w*|zaległe|następne kroki=co jakie jest są jeszcze zostało pozostało nam mi mam mamy moje
        nasze zadanie zadania sprawy rzeczy""",
    Language.RUSSIAN: r"""(?:осталось|нужно|надо|предстоит) (?:ещё |еще )?сделать|не (?:сделан|закрыт|выполнен)\w*|открыт\w*|невыполненн\w*|незакрыт\w*|следующие шаги=что какие какая есть ли у меня нас нам мне ещё еще
        задача задачи дела мои наши""",
    Language.TURKISH: r"""yapılacak(?:lar)?|açık|bekleyen|kalan|tamamlanmamış|bitmemiş=ne neler nelerdir hangi var mı iş işler işleri görev görevler kaldı henüz hâlâ hala daha""",
    Language.JAPANESE: r"""残って\w*|残りの|未完了\w*|未対応\w*|(?:やる|する)べきこと|すべきこと|やること=タスク 作業 仕事 課題 何 まだ です ます あり ある は が を の か""",
    Language.CHINESE: r"""要做|待办|待处理|剩下|(?:未|没有?)(?:做|处理)?完成?|未处理=还有 什么 哪些 任务 事项 事情 工作 需要 我们 我 有 是 的 事 吗 呢 还""",
    Language.KOREAN: r"""남은|남아 ?있는|(?:해야 ?)?할 ?일|미완료|열린|끝나지 않은=무엇 뭐 어떤 아직 우리 작업 업무 일 것 있나요 있어 인가요 인가 이 가 은 는 의""",
}  # fmt: skip
FEW_WORDS = 3
_BOUNDS = "until since in on and"  # that are left of a time
_SPACED = r"(?<!\w)(?:{})(?!\w)"
_UNSPACED = (Language.JAPANESE, Language.CHINESE, Language.KOREAN)


def asks_for_open_work(text: str, now: datetime, language: Language | None) -> bool:
    """True for a question without another subject; a few words do not show their language, which may be any of those with spaces."""
    if language is None and len(text.split()) <= FEW_WORDS:
        return any(_asks(text, now, one) for one in _ASKED if one not in _UNSPACED)
    return language in _ASKED and _asks(text, now, language)


def _asks(text: str, now: datetime, language: Language) -> bool:
    asked, plain = _words_of(language)
    rest, times = re.subn(asked, " ", text.lower())
    if not times or (language not in _UNSPACED and len(text.split()) == 1):  # a word alone is looked for
        return False
    said = without_times(abroad.times(language, rest), now)
    return re.search(r"\w", re.sub(plain, " ", said)) is None


@cache
def _words_of(language: Language) -> tuple[str, str]:
    asked, plain = " ".join(_ASKED[language].split()).replace(" |", "|").split("=")
    form = "(?:{})" if language in _UNSPACED else _SPACED
    return form.format(asked), form.format("|".join((*plain.split(), *_BOUNDS.split())))
