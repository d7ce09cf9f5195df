"""Sentences that introduce, and text inside list items: they stand with what they belong to."""

from __future__ import annotations

import pytest
from chunk_checks import cut_text, texts

from daypack.types import PieceKind

PARAGRAPH = "Every call is made again when it fails, and the time between two calls doubles each time. " * 4
LEAD = "A file with two limits looks like this, whatever its name is and wherever it lies:"
CODE = "```toml\n" + "".join(f"limit_{n} = {n}\n" for n in range(12)) + "```"
ITEMS = "\n".join(f"- the limit number {n} holds for all calls of a day" for n in range(10))


@pytest.mark.parametrize("body", [CODE, ITEMS, "| Name | Limit |\n|---|---|\n| day | 100 |"])
def test_a_sentence_that_ends_in_a_colon_stands_with_what_it_introduces(body: str) -> None:
    text = f"{PARAGRAPH}\n\n{LEAD}\n\n{body}\n"
    before, after = texts(text, cut_text(text, "markdown"))
    assert before == PARAGRAPH.strip()
    assert after == f"{LEAD}\n\n{body}"


def test_a_sentence_in_chinese_ends_in_a_wide_colon() -> None:
    paragraph = "调用失败时会重试，两次调用之间的间隔每次加倍。" * 12
    lead = "不论文件叫什么名字、放在哪里，有两个上限的文件都写成下面这样："
    text = f"{paragraph}{lead}\n\n{CODE}\n"
    before, after = texts(text, cut_text(text, "markdown"))
    assert before == paragraph
    assert after == f"{lead}\n\n{CODE}"


def test_only_the_last_sentence_of_a_long_paragraph_goes_with_the_code() -> None:
    code = CODE.replace("limit_", "the_long_name_of_limit_")
    text = f"{PARAGRAPH * 2}{LEAD}\n\n{code}\n\nText goes on.\n"
    before, after, *_ = texts(text, cut_text(text, "markdown"))
    assert before == (PARAGRAPH * 2).strip()
    assert after.startswith(LEAD)
    assert code in after


def test_the_name_of_a_file_may_stand_between_a_sentence_and_its_code() -> None:
    text = f'{PARAGRAPH}{LEAD}\n\n<span class="filename">limits.toml</span>\n\n{CODE}\n'
    assert LEAD in next(part for part in texts(text, cut_text(text, "markdown")) if CODE in part)


def test_a_list_with_blank_lines_stays_with_the_sentence_above_it() -> None:
    steps = "\n\n".join(f"{n}. Turn the wheel number {n} until it clicks twice." for n in range(1, 12))
    text = f"{PARAGRAPH}\n\nTo open the door:\n\n{steps}\n"
    assert f"To open the door:\n\n{steps}" in texts(text, cut_text(text, "markdown"))


@pytest.mark.parametrize("indent", ["   ", "    "])
def test_code_inside_a_step_stays_with_the_step(indent: str) -> None:
    step = "{}. Open the file that keeps the limits of a day, and write these lines at its end\n\n"
    code = "".join(f"{indent}{line}\n" for line in CODE.split("\n"))
    text = "# Limits\n\n" + "\n".join(step.format(n) + code for n in range(1, 4))
    parts = texts(text, cut_text(text, "markdown"))
    for n in range(1, 4):
        assert any(f"{n}. Open the file" in part and part.count("limit_11 = 11") == 1 for part in parts)


def test_an_option_of_restructured_text_stands_with_its_description() -> None:
    option = ".. option:: --limit-{0}\n\n   Sets the limit number {0} of a day, which holds for all calls together.\n\n   .. versionadded:: {0}.1\n"
    text = "Options\n=======\n\n" + "\n".join(option.format(n) for n in range(1, 9))
    for part in texts(text, cut_text(text, "rst")):
        for n in range(1, 9):
            assert (
                (f"--limit-{n}" in part)
                == (f"the limit number {n}" in part)
                == (f"versionadded:: {n}.1" in part)
            )


def test_the_mark_of_a_setting_stands_with_the_heading_below_it() -> None:
    text = f"{PARAGRAPH}\n\n.. setting:: limit\n\n``limit``\n~~~~~~~~~\n\nDefault: 100.\n"
    _, after = texts(text, cut_text(text, "rst"))
    assert after.startswith(".. setting:: limit\n\n``limit``")


def test_the_code_inside_a_restructured_step_stays_with_it() -> None:
    step = "{0}. Write the limit number {0} into the file of the limits.\n\n   .. code-block:: toml\n\n      limit_{0} = 100\n"
    text = "Limits\n======\n\n" + "\n".join(step.format(n) for n in range(1, 6))
    for part in texts(text, cut_text(text, "rst")):
        for n in range(1, 6):
            assert (f"the limit number {n}" in part) == (f"limit_{n} = 100" in part)


def test_code_attached_to_an_item_of_asciidoc_stays_with_it() -> None:
    item = "* The limit number {0} of a day holds for all calls that are made on it, however many callers there are\n+\n----\nlimit_{0} = 100\n----\n"
    text = "= Limits\n\n" + "".join(item.format(n) for n in range(1, 6))
    for part in texts(text, cut_text(text, "asciidoc")):
        for n in range(1, 6):
            assert (f"limit number {n}" in part) == (f"limit_{n} = 100" in part)


@pytest.mark.parametrize(
    ("language", "head", "row", "end"),
    [
        ("asciidoc", "|===\n|Message |Help\n\n", "|message number {0} of the log\n|Help for {0}.\nIt takes a while.\n\n", "|===\n"),
        ("rst", "+-----+------+\n| Key | Help |\n+=====+======+\n", "| key number {0} | Help for {0}. |\n|  | It takes a while. |\n+-----+------+\n", ""),
        ("rst", ".. list-table::\n\n", "   * - key number {0} of the page\n     - Help for {0}.\n       It takes a while.\n", ""),
    ],
)  # fmt: skip
def test_rows_of_several_lines_are_not_cut(language: str, head: str, row: str, end: str) -> None:
    text = head + "".join(row.format(n) for n in range(10, 60)) + end
    result = cut_text(text, language)
    assert len(result.pieces) > 1
    assert {piece.kind for piece in result.pieces} == {PieceKind.TABLE}
    for part in texts(text, result):
        assert all((f"number {n} " in part) == (f"Help for {n}." in part) for n in range(10, 60))
        assert part.count("Help for") == part.count("It takes a while.")


def test_a_line_in_bold_stands_with_the_text_below_it() -> None:
    answer = "Every call is made again when it fails, until the limit of a day is reached."
    text = f"# FAQ\n\n**Are calls repeated?**\n\n{answer}\n\n**Who sets the limit?**\n\n{answer}\n"
    first, second = texts(text, cut_text(text, "markdown"))
    assert first.endswith(answer)
    assert second == f"**Who sets the limit?**\n\n{answer}"


def test_a_long_paragraph_is_not_cut_behind_an_abbreviation() -> None:
    text = "The calls of Mary S. Harbour (approx. a dozen, cf. the almanac) are kept for a year. " * 30
    assert all(part.startswith("The calls") for part in texts(text, cut_text(text, "markdown")))
