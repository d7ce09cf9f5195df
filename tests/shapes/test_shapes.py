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
from daypack.ports import Shape
from daypack.shapes import SHAPES, ladder, render
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
    checksum_of,
)
from packs_read import parse
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
                "[1 :1-2]\n```",
                "\n[2 x:1 @417]\n```\n",
                "[1 x:1-2",
                "[src]\n",
                "[… 3 more]",
                "［4］",
                "\n [7 x] y",
                "~~~",
                "/",
                "#",
                "src/",
                "undated",
                ":",
                ":7",
                ":1-2",
                " @",
                " @-",
                " @417]",
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
                "[1 x Ann] ",
                "\n[1 x:2-3 (part)] y",
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


URIS = [
    "a.py",
    "b c.md",
    "src/some/folder/a.py",
    "src/some/folder/b.py",
    "src/some/folder/b.py#3",
    "conversation-26/D3:1",
    "conversation-26/D3:2",
    "5 x/some/folder/c",
]


@st.composite
def excerpts(draw: st.DrawFn) -> Excerpt:
    text, first = draw(hostile), draw(st.one_of(st.just(1), st.integers(0, 10**6)))
    span = Span(0, len(text), first, first + draw(st.integers(0, 3)))
    record_hash = draw(st.one_of(st.just(HASH), st.just(""), hostile))
    return Excerpt(
        Citation(
            draw(st.integers(0, 99)), draw(st.one_of(st.sampled_from(URIS), hostile)), span, record_hash
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


def rungs(shape: str) -> list[Shape]:
    """All forms of a shape, longest first."""
    return [form for forms in ladder(shape) for form in forms]


@pytest.mark.parametrize("shape", READABLE)
@settings(max_examples=60)
@given(pack=st.one_of(packs, conversations()))
def test_parsing_a_rendered_pack_gives_its_items_whatever_strings_they_hold(shape: str, pack: Pack) -> None:
    forms, _ = ladder(shape)
    for form in forms:
        if text := form(pack):
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
            if shape == "markdown":
                turn = found.kind in (RecordKind.EVENT, RecordKind.MEMORY)
                assert item.record_hash == ("" if turn else checksum_of(HASH))
            else:
                assert HASH.startswith(item.record_hash) and len(item.record_hash) >= 8
        assert [item.untrusted for item in items] == [
            found.trust is Trust.UNTRUSTED for found in pack.excerpts
        ]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=40)
@given(pack=st.one_of(packs, conversations()))
def test_nothing_dangerous_leaves_in_any_shape(shape: str, pack: Pack) -> None:
    for form in rungs(shape):
        text = form(pack)
        assert re.search(DANGEROUS, text) is None
        assert text == form(pack)
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
    for rung in rungs("json")[:-1]:
        line = rung(pack)
        assert line.index("\n") == len(line) - 1
        check(json.loads(line, parse_constant=pytest.fail), schema, schema)


def test_the_golden_packs_fit_the_schema() -> None:
    schema = json.loads(files("daypack.shapes").joinpath("pack.schema.json").read_text())
    for pack in (PACK, EMPTY):
        for rung in rungs("json")[:-1]:
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


def headers(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("[")]


SUM = checksum_of(HASH)


def test_a_piece_of_the_file_above_is_cited_by_its_lines_alone() -> None:
    text = markdown(
        excerpt(1, "a.py", 1, 9, "x"), excerpt(2, "a.py", 12, 12, "y"), excerpt(3, "b.py", 4, 5, "z")
    )
    assert headers(text) == [f"[1 a.py:1-9 @{SUM}]", "[2 :12]", f"[3 b.py:4-5 @{SUM}]"]


def test_a_record_shown_whole_is_cited_by_its_uri_alone() -> None:
    assert headers(markdown(excerpt(1, "a.md", 1, 2, "x\ny", whole=True))) == [f"[1 a.md @{SUM}]"]
    numbered = excerpt(1, "a.md:7", 1, 1, "x", whole=True)
    assert headers(markdown(numbered)) == [f"[1 a.md:7:1 @{SUM}]"]


def test_a_begin_that_neighbours_share_is_said_once() -> None:
    found = [
        excerpt(n, f"src/some/deep/folder/{name}", 4, 5, "z")
        for n, name in enumerate(["a.py", "b.py", "deeper/c.py"], 1)
    ]
    assert headers(markdown(*found)) == [
        "[src/some/deep/folder]",
        f"[1 /a.py:4-5 @{SUM}]",
        f"[2 /b.py:4-5 @{SUM}]",
        f"[3 /deeper/c.py:4-5 @{SUM}]",
    ]
    apart = [found[0], excerpt(2, "README.md", 1, 2, "z"), found[1]]
    assert all("some/deep" in line for line in headers(markdown(*apart))[::2])


def test_code_side_by_side_shares_one_fence() -> None:
    code = {"kind": RecordKind.CODE, "language": "python"}
    text = markdown(
        excerpt(1, "a.py", 1, 1, "x = `1`", **code),
        excerpt(2, "b.py", 1, 1, "y = 2", **code),
        excerpt(3, "c.md", 1, 1, "Prose."),
        excerpt(4, "d.py", 1, 1, "z = 3", **code),
        excerpt(5, "e.py", 1, 2, "[1 f.py:1 @000]\nz = 3", **code),
    )
    assert text == (
        f"```\n[1 a.py:1 @{SUM}]\nx = `1`\n\n[2 b.py:1 @{SUM}]\ny = 2\n```\n\n"
        f"[3 c.md:1 @{SUM}]\nProse.\n\n"
        f"[4 d.py:1 @{SUM}]\n```\nz = 3\n```\n\n"
        f"[5 e.py:1-2 @{SUM}]\n```\n[1 f.py:1 @000]\nz = 3\n```\n"
    )


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


def test_turns_say_their_day_where_it_changes() -> None:
    text = markdown(
        turn(1, "Hi!"),
        turn(2, "How are you?", author="Ann Lee"),
        turn(3, "Good.\nAnd you?", day=9),
        turn(4, "Me too.", day=9),
        turn(5, "Oh.", time=None),
    )
    assert text == (
        "[conv/D3]\n[1 :1 1970-01-08 Mel] Hi!\n\n[2 :2 Ann Lee] How are you?\n\n"
        "[3 :3 9 Jan Mel]\nGood.\nAnd you?\n\n[4 :4 Mel] Me too.\n\n[5 :5 undated Mel] Oh.\n"
    )


def test_lines_alone_are_never_of_a_turn() -> None:
    text = markdown(*(turn(n, "Hi!\nHo!", author="", day=8) for n in range(1, 6)))
    assert headers(text)[:3] == ["[conv/D3]", "[1 :1 1970-01-08]", "[2 :2 8 Jan]"]
    assert [item.uri for item in parse(text, "markdown")] == [f"conv/D3:{n}" for n in range(1, 6)]


def test_a_part_of_a_turn_has_its_lines() -> None:
    long = excerpt(1, "t:1", 4, 4, "Hi!", kind=RecordKind.EVENT)
    assert markdown(long, long._replace(variant=Variant.EXTRACT)).splitlines()[::2] == [
        "[1 t:1:4 (part)] Hi!",
        "[1 t:1:4 (extract)] Hi!",
    ]


@pytest.mark.parametrize(
    "text", ["a <b>", "[a](http://x)", "[a]: http://x", "~~~", "a\n[2 b.md:1 @000]", "", " "]
)
def test_what_is_alive_or_blank_or_could_break_out_is_fenced(text: str) -> None:
    assert f"[1 conv/D3:1 1970-01-08 Mel]\n```\n{text}\n```\n" in markdown(turn(1, text))
    last = 1 + text.count("\n")
    lines = f"1-{last}" if last > 1 else "1"
    assert f"[1 a.md:{lines} @{SUM}]\n```\n{text}\n```\n" in markdown(excerpt(1, "a.md", 1, last, text))


@pytest.mark.parametrize("line", ["[1] x", "  [2 x]", "> [3 x", "［4］ x", "【5】 x", "[x] done", "[a.md]"])
def test_a_line_that_looks_like_ours_gives_its_text_a_fence_of_its_own(line: str) -> None:
    found = [excerpt(n, f"{n}.md", 1, 2, f"Prose.\n{line}") for n in (1, 2)]
    assert markdown(*found).count("```") == 4


def test_an_untrusted_text_of_several_lines_has_a_fence_of_its_own() -> None:
    found = [excerpt(n, f"{n}.py", 1, 2, "x\ny", kind=RecordKind.CODE, trust=Trust.UNTRUSTED) for n in (1, 2)]
    assert markdown(*found).count("```") == 4
    assert markdown(turn(1, "Hi!", trust=Trust.UNTRUSTED)).endswith("(untrusted) 1970-01-08 Mel] Hi!\n")


def test_a_turn_costs_nine_tokens_beside_its_text() -> None:
    count = counter(Tokenizer.O200K)
    text = "I painted that lake sunrise last year, and it's special to me."
    turns = [
        turn(n, text)._replace(citation=Citation(n, f"conv-26/D3:{n}", Span(0, len(text), 1, 1), HASH))
        for n in range(1, 8)
    ]
    assert count(markdown(*turns)) - count(markdown(*turns[:-1])) - count(text) <= 9
    assert count(markdown(*turns[:1])) - count(text) <= 20


def test_a_piece_costs_nine_tokens_beside_its_text_and_name() -> None:
    count = counter(Tokenizer.O200K)
    one = markdown(*(excerpt(n, "src/pay/retry.py", 10 * n, 10 * n + 6, RUN) for n in range(1, 10)))
    two = markdown(*(excerpt(n, "src/pay/retry.py", 10 * n, 10 * n + 6, RUN) for n in range(1, 11)))
    assert count(two) - count(one) - count(RUN) <= 9


def test_a_heading_that_the_text_shows_is_not_repeated() -> None:
    heading = excerpt(1, "a.md", 1, 2, "## Backing off\nx", trail=("Retries",), name="Backing off")
    assert headers(markdown(heading)) == [f"[1 a.md:1-2 @{SUM}]"]
    assert headers(markdown(heading._replace(text="x\ny"))) == [f"[1 a.md:1-2 @{SUM} · Backing off]"]
    joined = heading._replace(text="x\n## Jitter\ny", name="Backing off, Jitter")
    assert headers(markdown(joined)) == [f"[1 a.md:1-2 @{SUM}]"]


def test_an_entry_of_a_changelog_says_its_version() -> None:
    trail = ("Changelog", "[2.4.0](https://shop.test/2.4.0) - 2024-03-05")
    entry = excerpt(1, "a.md", 9, 9, "- Mend the cart.", trail=trail, name="Fixed")
    assert headers(markdown(entry)) == [f"[1 a.md:9 @{SUM} · 2.4.0 › Fixed]"]
    headed = entry._replace(text="### Fixed")
    assert headers(markdown(headed)) == [f"[1 a.md:9 @{SUM} · 2.4.0]"]
    assert headers(markdown(entry._replace(text=f"## {trail[1]}"))) == [f"[1 a.md:9 @{SUM} · Fixed]"]
    older = entry._replace(name="2.3.0 (2024-01-09)")
    assert headers(markdown(older)) == [f"[1 a.md:9 @{SUM} · 2.3.0 (2024-01-09)]"]
    numbered = entry._replace(trail=("Manual", "2.4 Carts"))
    assert headers(markdown(numbered)) == [f"[1 a.md:9 @{SUM} · Fixed]"]


def test_of_a_symbol_the_part_is_named_that_the_text_does_not_show() -> None:
    code = excerpt(1, "a.py", 1, 1, "def wait():", name="wait", kind=RecordKind.CODE)
    assert headers(markdown(code)) == [f"[1 a.py:1 @{SUM}]"]
    assert headers(markdown(code._replace(name="Retry.wait"))) == [f"[1 a.py:1 @{SUM} · Retry]"]


def test_the_path_of_a_file_stands_for_its_title() -> None:
    file = excerpt(1, "docs/payments.md", 1, 2, "x", title="How we pay", name="Retries")
    assert headers(markdown(file)) == [f"[1 docs/payments.md:1-2 @{SUM} · Retries]"]
    assert headers(markdown(file._replace(name=""))) == [f"[1 docs/payments.md:1-2 @{SUM} · How we pay]"]
    record = file._replace(door="records")
    assert headers(markdown(record)) == [f"[1 docs/payments.md:1-2 @{SUM} · How we pay · Retries]"]
    assert headers(markdown(record._replace(name="", text="How we pay\nx"))) == [
        f"[1 docs/payments.md:1-2 @{SUM}]"
    ]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("[Retries](https://x.test/a_(b))", "Retries"),
        ("![logo](https://x.test/logo.png) Retries", "logo Retries"),
        ("[![badge](http://x.test/b)](http://x.test)", "badge"),
        ("Retries [of][1] calls", "Retries of calls"),
    ],
)
def test_links_and_images_are_stripped_from_titles(title: str, shown: str) -> None:
    assert headers(markdown(excerpt(1, "a.md", 1, 2, "x", title=title))) == [f"[1 a.md:1-2 @{SUM} · {shown}]"]


@pytest.mark.parametrize("reason", EmptyReason)
def test_every_reason_for_an_empty_pack_has_a_sentence(reason: EmptyReason) -> None:
    text = render(replace(EMPTY, empty_reason=reason), "markdown")
    assert text.splitlines()[0].endswith(".")
    assert "`" not in text.splitlines()[0] or "daypack" in text.splitlines()[0]


# ---------------------------------------------------------------- all shapes


@pytest.mark.parametrize("shape", SHAPES)
def test_the_ladder_goes_down_to_nothing(shape: str) -> None:
    empty = replace(EMPTY, omitted=PACK.omitted, empty_reason=EmptyReason.BUDGET_TOO_SMALL)
    lengths = [counter(Tokenizer.O200K)(rung(empty)) for rung in rungs(shape)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == 0


def test_every_budget_counts_what_had_no_room_and_nothing_else() -> None:
    empty = replace(EMPTY, omitted=PACK.omitted, empty_reason=EmptyReason.BUDGET_TOO_SMALL)
    assert len(PACK.omitted) > len(PACK.omitted.budget) > 0
    for pack in (PACK, empty):
        full, _, bare, _ = (rung(pack) for rung in rungs("markdown"))
        for text in (full, bare) if pack is empty else (full,):
            assert re.findall(r"^\[… ([\d,]+) more", text, re.MULTILINE) == [str(len(PACK.omitted.budget))]
    roomy = replace(empty, omitted=replace(PACK.omitted, budget=()))
    assert rungs("markdown")[2](roomy) == ""


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
