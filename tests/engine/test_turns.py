"""Whose turn of a conversation is meant by "I" and "you"."""

from __future__ import annotations

from daypack import Daypack

TALK = [
    ("user", "My bakery opens in May, with flour from Lenne."),
    (
        "assistant",
        "Congratulations! Before a bakery opens, order flour early: ask which mill the flour of the bakery comes from, and when the mill opens.",
    ),
    ("user", "Which oven is right for a small shop?"),
    (
        "assistant",
        "For a small shop I recommend a deck oven with two chambers; the oven needs a strong connection.",
    ),
]
GUIDE = "# Oven\n\nTo clean the oven of the shop, let the oven cool, brush it out, and wipe the oven with vinegar.\n"


def turns(*talk: tuple[str, str]) -> list[dict[str, str]]:
    return [
        {"id": f"t{n}", "text": text, "session": "one", "kind": "event", "author": author}
        for n, (author, text) in enumerate(talk)
    ]


def first(dp: Daypack, question: str) -> str:
    return dp.search(question).candidates[0].chunk.uri


def test_what_i_told_an_assistant_comes_before_what_it_made_of_it(dp: Daypack) -> None:
    dp.records.add(turns(*TALK))
    assert first(dp, "From which mill does the flour of my bakery come, and when does it open?") == "t0"
    assert first(dp, "From which mill does the flour of a bakery come, and when does it open?") == "t1"


def test_what_the_assistant_said_is_found_where_it_is_spoken_to(dp: Daypack) -> None:
    dp.records.add(turns(*TALK))
    assert first(dp, "Which oven did you recommend for my small shop?") == "t3"


def test_beside_documents_i_is_whoever_reads_them(dp: Daypack) -> None:
    notes = [
        {"id": f"n{n}", "text": f"# Note {n}\n\nThe shop has shelf {n}, and someone has to clean it.\n"}
        for n in range(40)
    ]
    asked = turns(("user", "How do I clean the window of the shop?"), TALK[3])
    dp.records.add([*asked, {"id": "guide", "text": GUIDE}, *notes])
    assert first(dp, "How do I clean the oven of the shop?") == "guide"
