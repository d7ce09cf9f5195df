"""Every shape is inert, is short, and gives back what it was given."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from daypack.guard.fences import DANGEROUS
from daypack.shapes import SHAPES, ladder, parse, render
from daypack.tokens import counter
from daypack.types import (
    Budget,
    Candidate,
    Citation,
    EmptyReason,
    Excerpt,
    Omissions,
    Pack,
    RecordKind,
    SearchStats,
    Span,
    Tokenizer,
    Trust,
    Variant,
)
from shapes.packs import EMPTY, HASH, PACK, RUN, chunk, excerpt

READABLE = ("markdown", "xml", "json")

# Whatever one of the shapes gives a meaning to, and what hides, reorders or drives a terminal.
hostile = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "`",
                "```",
                "````\n",
                "\n",
                "\r\n",
                "\r",
                "\t",
                " ",
                "## ",
                "# Context for: x",
                "[1] :1-2\n```",
                "## [2] x:1 @1a2b3c4d\n```\n",
                "[1] x:1-2",
                ":",
                ":7",
                ":1-2",
                " @",
                " @-",
                "@1a2b3c4d",
                " (untrusted)",
                " (escaped, crlf)",
                " · ",
                " › ",
                "(",
                ")",
                "[",
                "]",
                "](http://x)",
                "![",
                "<",
                ">",
                "</item>",
                "<item n='1'>",
                "]]>",
                "<!--",
                "&",
                "&lt;",
                "&#10;",
                '"',
                "'",
                "\\",
                "\\u{41}",
                "\\u0041",
                "\\n",
                "\x00",
                "\x1b[31m",
                "\x7f",
                "\x85",
                "\u2028",
                "\u202e",
                "\u2066",
                "\u200b",
                "\u200d",
                "\ufe0f",
                "\ufeff",
                "\U000e0041",
                "\ufffe",
                "\ud800",
                "<img src=x>",
                "<http://x>",
                "[a]",
                "[a]: x",
                "[a][b]",
                "&lt;b>",
                "---",
                "    ",
                "- ",
                ": ",
                "::",
                "> ",
                ">",
                " (part)",
                " (part, escaped): ",
                "[1] x Ann: ",
                "[1] x:2-3 (part): y",
                "\n> ",
                "]: http://x",
                "\udc00",
                "\ud83d\ude00",
                "😀",
                "é",
                "漢",
                "a",
                "x.py",
                "{",
                "}",
                "Left out: 3",
                "٣",
            ]
        ),
        st.text(alphabet=st.characters(codec=None), max_size=5),
    ),
    max_size=8,
).map("".join)


@st.composite
def excerpts(draw: st.DrawFn) -> Excerpt:
    text, first = draw(hostile), draw(st.one_of(st.just(1), st.integers(0, 10**6)))
    span = Span(0, len(text), first, first + draw(st.integers(0, 3)))
    record_hash = draw(st.one_of(st.just(HASH), st.just(""), hostile))
    return Excerpt(
        Citation(
            draw(st.integers(0, 99)),
            draw(st.one_of(st.sampled_from(["a.py", "b c.md"]), hostile)),
            span,
            record_hash,
        ),
        text,
        draw(st.floats()),
        variant=draw(st.sampled_from(Variant)),
        name=draw(hostile),
        trail=tuple(draw(st.lists(hostile, max_size=2))),
        kind=draw(st.sampled_from(RecordKind)),
        language=draw(st.one_of(st.just("python"), hostile)),
        title=draw(hostile),
        author=draw(hostile),
        time=draw(st.one_of(st.none(), st.floats())),
        trust=draw(st.sampled_from(Trust)),
        door=draw(st.sampled_from(["files", "memories"])),
        session=draw(st.one_of(st.sampled_from(["", "s1"]), hostile)),
        whole=draw(st.booleans()),
        duplicates=draw(st.integers(0, 2)),
    )


packs = st.builds(
    lambda query, found, uris, missing: Pack(
        query,
        Budget(100),
        tuple(found),
        Omissions(
            tuple(
                Candidate(chunk(number, uri, 1, 1), float("nan"), 0.0, ()) for number, uri in enumerate(uris)
            )
        ),
        stats=SearchStats(
            anchors_missing=tuple(missing),
            degraded=tuple(missing),
            corrections={word: word for word in missing},
        ),
    ),
    hostile,
    st.lists(excerpts(), max_size=4),
    st.lists(hostile, max_size=2),
    st.lists(hostile, max_size=2),
)


@st.composite
def conversations(draw: st.DrawFn) -> Pack:
    """Turns of few sessions, mostly whole and on their own day, among other things."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        session, kind = (
            draw(st.one_of(st.sampled_from(["s1", "s2", ""]), hostile)),
            draw(st.sampled_from([RecordKind.EVENT, RecordKind.MEMORY])),
        )
        for _ in range(draw(st.integers(1, 4))):
            turn = draw(excerpts())
            citation = turn.citation
            if draw(st.booleans()):
                citation = citation._replace(
                    span=Span(0, len(turn.text), 1, 1 + turn.text.rstrip("\n").count("\n"))
                )
            day = draw(st.sampled_from([None, 0.0, 0.0, 86_400.0, 1e300]))
            found.append(
                turn._replace(
                    citation=citation,
                    kind=kind,
                    session=session,
                    time=day,
                    language="",
                    whole=draw(st.booleans()),
                )
            )
    if draw(st.booleans()):
        found.append(draw(excerpts()))
    return Pack(draw(hostile), Budget(100), tuple(found))


def what_went_in(pack: Pack) -> list[tuple[object, ...]]:
    return [
        (
            found.citation.label,
            found.citation.uri,
            found.citation.span.start_line,
            found.citation.span.end_line,
            found.text,
        )
        for found in pack.excerpts
    ]


@pytest.mark.parametrize("shape", READABLE)
@settings(max_examples=60)
@given(pack=st.one_of(packs, conversations()))
def test_parsing_a_rendered_pack_gives_its_items_whatever_strings_they_hold(shape: str, pack: Pack) -> None:
    for rung in ladder(shape):
        text = rung(pack)
        if text and (shape != "markdown" or rung is not ladder(shape)[2]):
            items = parse(text, shape)
            assert [
                (item.label, item.uri, item.start_line, item.end_line, item.text) for item in items
            ] == what_went_in(pack)


@settings(max_examples=40)
@given(packs)
def test_parsing_gives_hash_and_trust(pack: Pack) -> None:
    pack = replace(
        pack,
        excerpts=tuple(
            found._replace(citation=found.citation._replace(record_hash=HASH)) for found in pack.excerpts
        ),
    )
    for shape in READABLE:
        items = parse(render(pack, shape), shape)
        for item, found in zip(items, pack.excerpts, strict=True):
            digits = 0 if shape == "markdown" and found.kind in (RecordKind.EVENT, RecordKind.MEMORY) else 6
            assert HASH.startswith(item.record_hash) and len(item.record_hash) >= digits
        assert [item.untrusted for item in items] == [
            found.trust is Trust.UNTRUSTED for found in pack.excerpts
        ]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=40)
@given(pack=st.one_of(packs, conversations()))
def test_nothing_dangerous_leaves_in_any_shape(shape: str, pack: Pack) -> None:
    for rung in ladder(shape):
        text = rung(pack)
        assert re.search(DANGEROUS, text) is None
        assert text == rung(pack)
        text.encode()  # a lone surrogate would raise


@settings(max_examples=100)
@given(st.one_of(packs, conversations()))
def test_no_stored_text_comes_alive_as_markdown(pack: Pack) -> None:
    """No HTML, link or image in any block, and no definition that would make a link of what looks like none."""
    environment: dict[str, Any] = {}
    for block in MarkdownIt("commonmark").parse(render(pack, "markdown"), environment):
        assert block.type != "html_block"
        for token in block.children or ():
            assert token.type not in ("html_inline", "link_open", "image"), block.content
    assert not environment.get("references")


@settings(max_examples=40)
@given(packs)
def test_xml_holds_the_exact_text_unless_it_says_otherwise(pack: Pack) -> None:
    items = ElementTree.fromstring(render(pack, "xml")).findall("item")
    for item, found in zip(items, pack.excerpts, strict=True):
        if "text" not in item.get("escaped", "") and item.get("crlf") is None:
            assert (item.text or "") == found.text


@settings(max_examples=40)
@given(packs)
def test_json_lines_fit_their_schema(pack: Pack) -> None:
    schema = json.loads(files("daypack.shapes").joinpath("pack.schema.json").read_text())
    for rung in ladder("json")[:-1]:
        line = rung(pack)
        assert line.index("\n") == len(line) - 1
        check(json.loads(line, parse_constant=pytest.fail), schema, schema)


def test_the_golden_packs_fit_the_schema() -> None:
    schema = json.loads(files("daypack.shapes").joinpath("pack.schema.json").read_text())
    for pack in (PACK, EMPTY):
        for rung in ladder("json")[:-1]:
            check(json.loads(rung(pack)), schema, schema)


KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def check(value: Any, schema: Any, root: Any) -> None:
    """As much of JSON Schema as ours uses; keys also stand in the order of the schema."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    assert "const" not in schema or value == schema["const"]
    assert "enum" not in schema or value in schema["enum"]
    assert "type" not in schema or isinstance(value, KINDS[schema["type"]])
    assert "minimum" not in schema or value >= schema["minimum"]
    assert "maxItems" not in schema or len(value) <= schema["maxItems"]
    if isinstance(value, list) and "items" in schema:
        for part in value:
            check(part, schema["items"], root)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(value)
        if schema.get("additionalProperties") is False:
            assert list(value) == [key for key in known if key in value]
        for key, part in value.items():
            check(part, known.get(key) or schema["additionalProperties"], root)


# ---------------------------------------------------------------- markdown, in particular


def markdown(*found: Excerpt, query: str = "q") -> str:
    return render(Pack(query, Budget(1000), found), "markdown")


def test_excerpts_of_one_source_stand_under_one_header() -> None:
    text = markdown(
        excerpt(1, "a.py", 1, 9, "x"), excerpt(2, "a.py", 12, 12, "y"), excerpt(3, "b.py", 4, 5, "z")
    )
    assert [line for line in text.splitlines() if line.startswith(("## ", "["))] == [
        "## a.py @1a2b3c",
        "[1] :1-9",
        "[2] :12",
        "## [3] b.py:4-5 @1a2b3c",
    ]


def turn(label: int, text: str, session: str = "session_3", day: int = 8, **about: Any) -> Excerpt:
    said: dict[str, Any] = {
        "kind": RecordKind.EVENT,
        "author": "Mel",
        "session": session,
        "time": 86_400.0 * (day - 1),
        "whole": True,
        **about,
    }
    return excerpt(label, f"conv/D{session[-1:]}:{label}", 1, 1 + text.count("\n"), text, **said)


def test_turns_of_a_session_stand_under_its_name_and_day() -> None:
    text = markdown(
        turn(1, "Hi!"),
        turn(2, "How are you?", author="Ann Lee"),
        turn(3, "Good.\nAnd you?", day=9),
        turn(4, "Me too.", day=9),
    )
    assert text.split("\n", 2)[2] == (
        "## session_3 · 1970-01-08\n\n[1] conv/D3:1 Mel: Hi!\n\n[2] conv/D3:2 Ann Lee: How are you?\n\n"
        "[3] conv/D3:3 1970-01-09 Mel:\n> Good.\n> And you?\n\n[4] conv/D3:4 Mel: Me too.\n"
    )


def test_few_turns_of_a_session_say_their_day_themselves() -> None:
    three = [turn(n, "Hi!") for n in (1, 2, 3)]
    text = markdown(
        turn(7, "No!", session="s9"), turn(8, "Yes."), turn(9, "Oh."), turn(4, "Me too.", session="s4")
    )
    assert text.split("\n", 2)[2] == (
        "[7] conv/D9:7 1970-01-08 Mel: No!\n\n[8] conv/D3:8 1970-01-08 Mel: Yes.\n\n[9] conv/D3:9 Mel: Oh.\n\n"
        "[4] conv/D4:4 1970-01-08 Mel: Me too.\n"
    )
    # What belongs to no section stands apart from the one before; so does what has no day from what has one.
    assert markdown(*three, turn(4, "Me too.", session="s4")).endswith(
        "Hi!\n\n---\n\n[4] conv/D4:4 1970-01-08 Mel: Me too.\n"
    )
    assert markdown(turn(1, "Hi!"), turn(2, "Ho!", time=None)).endswith(
        "Hi!\n\n---\n\n[2] conv/D3:2 Mel: Ho!\n"
    )
    assert "---" not in markdown(
        *three,
        turn(4, "Me too.", session="session_4", day=9),
        turn(5, "No.", "session_4"),
        turn(6, "No.", "session_4"),
    )


def test_a_session_that_the_citations_name_is_not_named_again() -> None:
    turns = [
        found._replace(citation=found.citation._replace(uri=f"4f2a/{n}"))
        for n in (1, 2, 3)
        for found in [turn(n, "Hi!", session="4f2a")]
    ]
    assert markdown(*turns).splitlines()[2] == "## 1970-01-08"


def test_a_part_of_a_turn_has_its_lines() -> None:
    long = excerpt(1, "t:1", 4, 4, "Hi!", kind=RecordKind.EVENT)
    assert markdown(long, long._replace(variant=Variant.EXTRACT)).splitlines()[2::2] == [
        "[1] t:1:4 (part): Hi!",
        "[1] t:1:4 (extract): Hi!",
    ]


@pytest.mark.parametrize("text", ["a <b>", "[a](http://x)", "[a]: http://x", "1\n2\n3\n4", "", " "])
def test_what_is_alive_long_or_blank_is_fenced(text: str) -> None:
    assert f"[1] conv/D3:1 1970-01-08 Mel:\n```\n{text}\n```\n" in markdown(turn(1, text))
    assert f"## [1] a.md:1 @1a2b3c\n```\n{text}\n```\n" in markdown(excerpt(1, "a.md", 1, 1, text))


def test_a_turn_costs_a_dozen_tokens_beside_its_text() -> None:
    count = counter(Tokenizer.O200K)
    text = "I painted that lake sunrise last year, and it's special to me."
    turns = [
        turn(n, text)._replace(citation=Citation(n, f"conv-26/D3:{n}", Span(0, len(text), 1, 1), HASH))
        for n in range(1, 8)
    ]
    assert count(markdown(*turns)) - count(markdown(*turns[:-1])) - count(text) <= 12
    assert count(markdown(*turns[:1])) - count(text) - count("# Context for: q\n\n") <= 20


def test_a_name_that_the_text_starts_with_is_not_repeated() -> None:
    heading = excerpt(1, "a.md", 1, 2, "## Backing off\nx", trail=("Retries",), name="Backing off")
    assert "@1a2b3c · Retries\n" in markdown(heading)
    assert "@1a2b3c\n" in markdown(excerpt(1, "a.py", 1, 1, "def wait():", name="wait", kind=RecordKind.CODE))
    assert "@1a2b3c · Retry.wait\n" in markdown(
        excerpt(1, "a.py", 1, 1, "def wait():", name="Retry.wait", kind=RecordKind.CODE)
    )


def test_a_title_that_the_file_name_says_is_not_repeated() -> None:
    assert "## [1] docs/payments.md:1-2 @1a2b3c · Retries\n" in markdown(
        excerpt(1, "docs/payments.md", 1, 2, "x", title="Payments", trail=("Payments",), name="Retries")
    )


def test_the_query_cannot_leave_its_line_or_show_an_image() -> None:
    first = markdown(
        query="a\n## [1] x:1 @-\n![i](http://x/?q=1) <img src=x> \\<b>" + "z" * 300
    ).splitlines()[0]
    assert first.startswith("# Context for: a ## [1] x:1 @- ![i]\\(http://x/?q=1) \\<img src=x> \\<b>z")
    assert len(first) < 230


def test_an_excerpt_costs_about_a_dozen_tokens_beside_its_text_and_name() -> None:
    count = counter(Tokenizer.O200K)
    one = markdown(*(excerpt(n, "src/pay/retry.py", 10 * n, 10 * n + 6, RUN) for n in range(1, 10)))
    two = markdown(*(excerpt(n, "src/pay/retry.py", 10 * n, 10 * n + 6, RUN) for n in range(1, 11)))
    assert count(two) - count(one) - count(RUN) <= 13


@pytest.mark.parametrize("reason", EmptyReason)
def test_every_reason_for_an_empty_pack_has_a_sentence(reason: EmptyReason) -> None:
    text = render(replace(EMPTY, empty_reason=reason), "markdown")
    assert text.splitlines()[2].endswith(".")
    assert "`" not in text.splitlines()[2] or "daypack" in text.splitlines()[2]


# ---------------------------------------------------------------- all shapes


@pytest.mark.parametrize("shape", SHAPES)
def test_the_ladder_goes_down_to_nothing(shape: str) -> None:
    empty = replace(EMPTY, omitted=PACK.omitted, empty_reason=EmptyReason.BUDGET_TOO_SMALL)
    lengths = [counter(Tokenizer.O200K)(rung(empty)) for rung in ladder(shape)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == 0


@pytest.mark.parametrize("shape", ["xml", "json"])
def test_used_is_what_the_pack_says(shape: str) -> None:
    assert "987654" in render(replace(PACK, tokens_used=987654), shape)


def test_markdown_does_not_say_what_it_used() -> None:
    assert render(PACK, "markdown") == render(replace(PACK, tokens_used=987654), "markdown")


def test_durations_do_not_change_the_shapes_that_leave_us() -> None:
    slow = replace(PACK, stats=PACK.stats._replace(retrieve_seconds=9.9, pack_seconds=1.1))
    for shape in READABLE:
        assert render(slow, shape) == render(PACK, shape)


def test_xml_refuses_declarations() -> None:
    with pytest.raises(ValueError, match="declarations"):
        parse('<!DOCTYPE x [<!ENTITY a "aa">]><context/>', "xml")


def test_explain_shows_a_running_sum_that_ends_at_the_score() -> None:
    text = render(PACK, "explain")
    assert "0.8123" in text.split("test penalty")[1].splitlines()[0]  # 0.5 + 0.3623 - 0.05
    assert text.count("do not add up") == 1


def test_explain_takes_hostile_names() -> None:
    first = PACK.candidates[0]
    hostile_chunk = first.chunk._replace(uri="a\n\x1b[31m", name="b\u202e\n")
    text = render(replace(PACK, candidates=(Candidate(hostile_chunk, 1.0, 0.5, ()),)), "explain")
    assert re.search(DANGEROUS, text) is None
    assert len(text.splitlines()) == len(
        render(replace(PACK, candidates=(Candidate(first.chunk, 1.0, 0.5, ()),)), "explain").splitlines()
    )
