"""Chinese, Japanese and Korean files that were written before Unicode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.doors.reading.decoding import Decoded, decode
from daypack.doors.reading.east_asian import east_asian
from daypack.types import SkipReason

CHINESE = (
    "潮水每天涨落两次,中午的时候最高。请在天黑之前给灯加油,不然它会熄灭。这是港口的规定,所有的人都要遵守。"
)
TAIWANESE = (
    "潮水每天漲落兩次,中午的時候最高。請在天黑之前給燈加油,不然它會熄滅。這是港口的規定,所有的人都要遵守。"
)
JAPANESE = "潮は一日に二回満ちて、正午にいちばん高くなります。暗くなる前にランプに油を差してください。"
KOREAN = "조수는 하루에 두 번 들어오고 정오에 가장 높습니다. 어두워지기 전에 등불에 기름을 넣어 주세요."
RUSSIAN = "Прилив бывает два раза в день и выше всего в полдень. Налейте масло в лампу до темноты, иначе она погаснет."


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (CHINESE, "gbk", "gb18030"),
        (TAIWANESE, "big5", "big5"),
        (JAPANESE, "cp932", "cp932"),
        (JAPANESE, "euc_jp", "euc_jp"),
        (KOREAN, "cp949", "cp949"),
        (f"def tide():  # {CHINESE}\n" + "    return 1\n" * 40, "gbk", "gb18030"),  # most bytes are ASCII
    ],
)
def test_a_text_is_read_in_the_encoding_that_its_characters_show(text: str, encoding: str, name: str) -> None:
    assert decode(text.encode(encoding)) == Decoded(text, name)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), ("東京", "cp932"), ("潮水", "gbk")],
    ids=["Russian", "Russian of Unix", "two characters", "two others"],
)
def test_a_text_of_another_script_or_of_few_characters_is_refused(text: str, encoding: str) -> None:
    found = decode(text.encode(encoding))
    assert isinstance(found, tuple)
    assert found[0] is SkipReason.UNREADABLE


@given(st.binary(max_size=400))
def test_what_is_read_is_what_the_bytes_are_in_that_encoding(data: bytes) -> None:
    if found := east_asian(data):
        text, encoding = found
        assert data.decode(encoding) == text
