"""Words that carry no topic in languages whose index terms are characters and pairs of characters.

    返金の上限はいくらですか      →  返金, 上限                not 金の の上 限は はい いく くら らで です すか
    子类能继承父类的私有属性吗    →  子类能继承父类, 私有属性    not 类的 的私 性吗

Few texts ask, so the pairs of letters that only make a question are rare, and would outweigh its topic. A blank for each such
word leaves out its pairs, and those that reach into it.
"""

from __future__ import annotations

import re
from functools import cache

_KANJI = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_HANGUL = "\uac00-\ud7a3"

_CHINESE = """什么时候 什么样 什么 为什么 为何 怎么样 怎么办 怎么 怎样 如何 何时 何地 何处 谁 哪个 哪些 哪里 哪儿 哪种 哪一 哪 多少 多久 多长 几个 几种
是否 有没有 是不是 能不能 可不可以 能否 可否 可以 应该 还是 请问 吗 呢 吧 的 我 我们 你 你们 他们"""
_THAI = """อะไร ที่ไหน ไหน เมื่อไร เมื่อไหร่ เมื่อใด ใคร อย่างไร ยังไง ทำไม เพราะเหตุใด กี่ เท่าไร เท่าไหร่ เท่าใด ใด หรือไม่ หรือเปล่า บ้าง ไหม ครับ ค่ะ คะ"""
# Hiragana is grammar but for the first letter behind a Chinese character, which ends its word, unless it is a particle.
_JAPANESE = "何 誰 教えて 私たち 我々"
_JAPANESE_PARTICLES = "をはがのにでともへや"
_KOREAN = "무엇 누구 언제 어디 어떤 어떻게 어느 얼마 무슨 어때"
_KOREAN_ALONE = "뭐 뭘 왜 몇"  # other words begin with these syllables
_KOREAN_ENDINGS = """은 는 이 가 을 를 에 에서 의 로 으로 와 과 도 만 까지 부터 에게 에게서 보다 처럼 란 이란 라는 이라는 인 인가 인가요 인지 일까 일까요
입니까 습니까 까요 나요 죠 지요 한 하는 하나 하나요 하는가 했나 했나요 했는가 하였는가 된 되는 되나 되나요 되는가 였나 였는가 이었나 이었나요 이었는가 있나
있나요 있는가 있어 있어요"""


def extent(text: str) -> int:
    """The length of a text in letters: a character of Chinese, Japanese or Korean says as much as two."""
    return len(text) if text.isascii() else len(text) + sum(map(len, _wide().findall(text)))


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(f"[\u3041-\u30ff{_KANJI}{_HANGUL}\U00020000-\U0003ffff]+")


def topics(language: str, text: str) -> str:
    """A text with a blank for each word that carries no topic in a language (the value of a `Language`)."""
    return _without_topic(language).sub(" ", text)


@cache
def _without_topic(language: str) -> re.Pattern[str]:
    match language:
        case "chinese":
            return re.compile(_one_of(_CHINESE))
        case "thai":
            return re.compile(_one_of(_THAI))
        case "japanese":
            return re.compile(
                rf"{_one_of(_JAPANESE)}|[{_JAPANESE_PARTICLES}][{_HIRAGANA}]*"
                rf"|(?<![{_KANJI}])[{_HIRAGANA}]+|(?<=[{_KANJI}][{_HIRAGANA}])[{_HIRAGANA}]+"
            )
        case "korean":
            return re.compile(
                rf"(?<!\w)(?:(?:{_one_of(_KOREAN)})\w*|(?:{_one_of(_KOREAN_ALONE)})(?!\w))|(?<=[{_HANGUL}])(?:{_one_of(_KOREAN_ENDINGS)})(?![{_HANGUL}])"
            )
        case _:
            return re.compile("(?!)")


def _one_of(words: str) -> str:
    """An expression for the longest of some words."""
    return "|".join(sorted(words.split(), key=len, reverse=True))
