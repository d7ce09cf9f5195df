"""Questions in languages whose terms are pairs of characters: their topic ranks, not the words that ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack, Settings
from daypack.text import analysis
from daypack.text.languages import Language, language_of, untelling_terms
from daypack.text.unspaced import topics

ASKED = [
    (Language.JAPANESE, "返金の上限はいくらですか？", {"返金", "上限"}),
    (Language.JAPANESE, "猫は何を食べますか", {"猫", "食べ"}),
    (Language.JAPANESE, "キャッシュを止めるにはどうすればいい？", {"キャ", "ャッ", "ッシ", "シュ", "止め"}),
    (Language.CHINESE, "退款的上限是多少？", {"退款", "上限", "限是"}),
    (Language.CHINESE, "怎么取消请求？", {"取消", "消请", "请求"}),
    (Language.KOREAN, "환불 한도는 얼마인가요?", {"환불", "한도"}),
    (Language.KOREAN, "왜곡은 어떻게 고치나요", {"왜곡", "고치"}),
    (Language.THAI, "วงเงินคืนคือเท่าไร", {"วง", "งเ", "เง", "งิ", "ิน", "นค", "คื", "ืน", "ือ"}),
]


@pytest.mark.parametrize(("language", "question", "telling"), ASKED)
def test_the_words_that_ask_are_no_topic(language: Language, question: str, telling: set[str]) -> None:
    assert {*analysis.terms(question)} - untelling_terms(language, question) == telling


@pytest.mark.parametrize(
    ("language", "question"),
    [(Language.JAPANESE, "どうですか"), (Language.CHINESE, "为什么"), (Language.KOREAN, "왜")],
)
def test_of_a_question_without_a_topic_all_pairs_are_looked_for(language: Language, question: str) -> None:
    left = {*analysis.terms(question)} - untelling_terms(language, question)
    assert left == {term for term in analysis.terms(question) if len(term) > 1}


@given(st.text(alphabet="返金の上限はを何いくら退款多少환불는얼마왜 aB?"), st.sampled_from(Language))
def test_a_topic_is_made_of_the_text(text: str, language: Language) -> None:
    assert len(topics(language.value, text)) <= len(text)
    assert untelling_terms(language, text) is not None


ARCHIVE = {
    "ja": ("この箱には何がありますか？誰が何をどんなふうに使いますか？", "書庫は平日の九時に開きます。", "書庫はどんなふうに、いつ開きますか？"),
    "zh": ("盒子里有什么？谁在什么时候用它？", "档案室早上九点开门。", "档案室什么时候开门？"),
    "ko": ("상자에는 무엇이 언제 들어 있나요? 누가 언제 쓰나요?", "기록실은 평일 아홉 시에 엽니다.", "기록실은 언제 여나요?"),
}  # fmt: skip


@pytest.mark.parametrize("code", ARCHIVE)
def test_a_text_that_asks_as_the_question_does_is_no_answer(tmp_path: Path, code: str) -> None:
    asks, tells, question = ARCHIVE[code]
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.records.add([{"id": "asks", "text": asks}, {"id": "tells", "text": tells}])
        assert [one.chunk.uri for one in daypack.search(question).candidates] == ["tells"]


@pytest.mark.parametrize(
    "question",
    [
        "DOMContentLoadedとは何ですか",
        "DOMContentLoaded는 뭔가요?",
        "addEventListener 是什么？",
        "変数名に使える文字は何ですか？",
    ],
)
def test_a_question_about_a_long_identifier_has_the_language_of_its_other_words(question: str) -> None:
    assert language_of(question) in (Language.JAPANESE, Language.KOREAN, Language.CHINESE)
    assert language_of(f"what does it mean: {question}") is None
