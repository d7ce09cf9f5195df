"""The language of a question, and the words that share its stems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack, Settings
from daypack.text import analysis
from daypack.text.languages import (
    Language,
    is_english,
    language_of,
    relatives_between,
    stems,
    stop_terms,
    untelling_terms,
)

ASKED = {
    Language.ARABIC: "متى يفتح المتحف أبوابه؟",
    Language.CZECH: "Kdy se otevírá muzeum ve městě?",
    Language.CHINESE: "博物馆什么时候开门?",
    Language.DUTCH: "Wanneer gaat het museum in de stad open?",
    Language.FRENCH: "Quand est-ce que le musée ouvre ses portes ?",
    Language.GERMAN: "Wann werden die Türen des Museums geöffnet?",
    Language.GREEK: "Πότε ανοίγει το μουσείο;",
    Language.HINDI: "संग्रहालय कब खुलता है?",
    Language.JAPANESE: "博物館はいつ開きますか?",
    Language.HEBREW: "מתי נפתח המוזיאון?",
    Language.POLISH: "O której otwiera się muzeum w mieście?",
    Language.PORTUGUESE: "Quando é que o museu abre as suas portas?",
    Language.ROMANIAN: "Când se deschide muzeul din oraș?",
    Language.RUSSIAN: "Когда открывается музей?",
    Language.SPANISH: "¿Cuándo abre el museo de la ciudad?",
    Language.THAI: "พิพิธภัณฑ์เปิดกี่โมง",
    Language.TURKISH: "Müze ne zaman ve nerede açılıyor?",
    Language.VIETNAMESE: "Bảo tàng mở cửa lúc mấy giờ?",
}
ENGLISH = [
    "When does the museum in the city open?",
    "retry",
    "",
    "What is the Zürich office's Wi-Fi password?",
    "for i in range(10): print(i)",
    "Who wrote El Niño de la Mancha and what was it about?",
    "SELECT a, b FROM t WHERE de = 1",
    "why does µTorrent fail?",
    "What's Thomas's job?",
    "Which proclamation aided Temüjin's rise?",
    "what did Nguyễn Trọng decide in the meeting?",
    "go pod to a node",
    "Tom has a NAS, mit licence",
    "map k v to s z",
]


@pytest.mark.parametrize("language", ASKED)
def test_a_question_tells_its_language(language: Language) -> None:
    assert language_of(ASKED[language]) is language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Öğrenciler kütüphaneye başvurdu mu?", Language.TURKISH),
        ("Câtă apă bea fiecare pisică neagră?", Language.ROMANIAN),
        ("Căn nhà ở đâu?", Language.VIETNAMESE),
        ("DECnet là gì?", Language.VIETNAMESE),
        ("İlahi kitabın İngilizce adı nedir?", Language.TURKISH),
        ("Luther'in hangi eseri daha popüler oldu?", Language.TURKISH),
        ("Wie heißt die Verwaltung in Polen?", Language.GERMAN),
        ("¿Cómo se llama el niño?", Language.SPANISH),
        ("o ktorej laduje moj samolot", Language.POLISH),
        ("Kde je klic od sklepa?", Language.CZECH),
        ("o carro do pai na loja", Language.PORTUGUESE),
    ],
)
def test_letters_tell_a_language_beside_few_function_words(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Soll man Tabs oder Leerzeichen fürs Einrücken nehmen?", Language.GERMAN),
        ("Fuer welche Tueren gibt es Schluessel?", Language.GERMAN),
        ("Faut-il une clé ?", Language.FRENCH),
    ],
)
def test_a_question_asks_in_words_of_its_language(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize("text", ENGLISH)
def test_english_code_and_single_words_have_no_language(text: str) -> None:
    assert language_of(text) is None


def test_only_english_words_say_english() -> None:
    assert is_english("Who was in the city?")
    assert not is_english("Wer schrieb Faust?")
    assert not is_english("error in main")  # "in" is a word of five languages


def test_a_function_word_of_vietnamese_is_known_by_its_marks() -> None:
    untelling = untelling_terms(Language.VIETNAMESE, "Một đồ thị được mã hóa là gì?")
    assert {"la", "gi", "mot"} <= untelling
    assert untelling.isdisjoint({"ma", "thi"})  # mà and thì are function words, mã and thị are not


@given(st.text(), st.sampled_from(Language))
def test_any_text_is_looked_at_and_any_term_has_a_stem(text: str, language: Language) -> None:
    language_of(text)
    assert len(stems(language, [text, "x"])) == 2
    assert isinstance(stop_terms(language), frozenset)
    if (bounds := relatives_between(language, text)) is not None and language not in (
        Language.ARABIC,
        Language.HEBREW,
    ):
        assert bounds[0] <= text < bounds[1]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Kündigungsfristen der Verträge betragen drei Monate.", "Wie lang ist die Kündigungsfrist?"),
        ("Новые музеи открываются в десять часов.", "Когда открывается новый музей?"),
        ("Los plazos de entrega son de dos semanas.", "¿Cuál es el plazo de la entrega?"),
        ("El chico estaba interesado en la ciencia.", "¿Por qué y cómo interesarse?"),
        ("Nous partirons à midi de la gare.", "Quand part-on de la maison et où veut-on partir ?"),
        ("Le pagaremos el lunes por la tarde.", "¿Cuándo hay que pagar?"),
        ("Llegamos a las diez a la casa.", "¿A qué hora llegan?"),
        ("Chegamos no sábado de manhã.", "Quando você chega?"),
        ("Pagate la rata entro lunedì.", "Quando si deve pagare la somma?"),
        ("Koszty remontów dachów wynoszą 134 500 zł.", "Ile kosztuje remont dachu i kto go robi?"),
        ("Umowy podpisano we wtorek.", "Kiedy podpisano umowę?"),
        ("Opravy střechy začínají v červnu.", "Kdy začíná oprava střech a kdo ji platí?"),
        ("המעלית בתיקון ביום שני.", "מתי מעלית לא עובדת?"),
        ("עזבנו את הדירה במרץ.", "מי גר בדירה?"),
        ("عزفوا النشيد في الملعب.", "أين نشيد؟"),  # one other form, too far for a typo
        ("Der Schlüssel passt in alle Türen.", "Wo liegen die Schluessel fuer die Tueren?"),
        ("Die Uebersicht haengt im Flur.", "Wo ist die Übersicht?"),
    ],
)
def test_a_question_finds_words_in_other_forms_without_the_model(
    tmp_path: Path, text: str, question: str
) -> None:
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.records.add([{"id": "a", "text": text}, {"id": "b", "text": "The kettle is on the stove."}])
        pack = daypack.pack(question, budget=300)
        assert text in pack.text
        assert pack.stats.embedded == 0
        assert not pack.stats.degraded


def test_the_tones_of_vietnamese_tell_words_apart(tmp_path: Path) -> None:
    friend = "Bạn của tôi sống ở Huế cùng gia đình và hai con mèo đen."
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.records.add(
            [{"id": "tables", "text": "Bàn gỗ, bàn đá, bàn sắt."}, {"id": "friend", "text": friend}]
        )
        assert daypack.search("Bạn đâu?").candidates[0].chunk.text == friend
        assert {one.chunk.uri for one in daypack.search("ban").candidates} == {"tables", "friend"}


FAUST = [
    "Goethe schrieb den Faust in Weimar, und das Drama wurde dort auch gespielt.",
    "Der Faust ist ein Drama, das Goethe nach einer alten Sage schrieb.",
]


def test_the_texts_tell_the_language_of_a_question_that_does_not(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.records.add({"id": str(number), "text": text} for number, text in enumerate(FAUST))
        assert not daypack.search("Goethe schrieb Faust").stats.embedder  # read by words alone
        assert daypack.search("who wrote Faust and where?").stats.embedder
        daypack.records.add([{"id": "en", "text": "Goethe's Faust is a play. Goethe wrote it in Weimar."}])
        assert daypack.search("Goethe Faust").stats.embedder


@pytest.mark.parametrize(
    ("asked", "language", "telling"),
    [
        ("Wo haben wir unsere Schlüssel, wenn ich sie suche?", Language.GERMAN, {"schlussel", "such"}),
        ("Quelles clés avons-nous, et où puis-je les poser ?", Language.FRENCH, {"cle", "poser"}),
        ("¿Qué llaves tenemos, y dónde puedo dejar la mía?", Language.SPANISH, {"llave"}),
        ("Где у нас лежит наш ключ?", Language.RUSSIAN, {"ключ"}),
    ],
)
def test_what_people_say_of_themselves_is_no_topic(asked: str, language: Language, telling: set[str]) -> None:
    assert language_of(asked) is language
    untelling = untelling_terms(language, asked)
    own = {
        "hab",
        "haben",
        "wir",
        "wenn",
        "ich",
        "avon",
        "avons",
        "nous",
        "je",
        "tenemo",
        "puedo",
        "мы",
        "наш",
    }
    asked_of = {*analysis.terms(asked)}
    assert asked_of & own <= untelling
    assert not untelling & telling
