"""The smaller forms of a chunk of code: which of its lines stand for it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.pack.variants import EXTRACT_MOST, Choice, choices
from daypack.pack.weigher import Weigher
from daypack.testing import make_chunk
from daypack.types import Candidate, Chunk, RecordKind, SymbolKind, Variant
from support import WORDS, project

REPORT = "A parcel is refunded twice\n\nI settled an order twice, and the parcel was refunded again. It should fail."
BODY = "\n".join(
    f"        {chr(97 + n)}step(order);" if n != 20 else "        audit(order);" for n in range(26)
)
JAVADOC = "/**\n" + "\n".join(f" * Line {n} of a long comment." for n in range(45)) + "\n */\n"


def code(text: str, signature: str) -> Chunk:
    return make_chunk(text, 1, tokens=len(text) // 4, record_kind=RecordKind.CODE)._replace(
        name="Payments.settle", signature=signature, symbol=SymbolKind.METHOD
    )


def shown(chunk: Chunk, variant: Variant, **terms: float) -> list[str]:
    """The parts of a chunk that its smallest variant of a kind shows; [] where it has none."""
    found = [choice for choice in variants(chunk, **terms) if choice.variant is variant]
    return [chunk.text[start:end] for start, end in found[0].parts] if found else []


def variants(chunk: Chunk, *, alone: bool = False, question: bool = False, **terms: float) -> list[Choice]:
    candidate = Candidate(chunk, 1.0, 1.0, ())
    return choices(
        candidate, Weigher(terms), whole=chunk.tokens, overhead=10, further=5, alone=alone, question=question
    )


def test_a_later_part_of_a_long_function_has_no_signature() -> None:
    later = code(BODY, "void settle(Order order)")
    assert shown(later, Variant.SIGNATURE) == []
    assert "audit(" in shown(later, Variant.EXTRACT, audit=1.0)[0]


def test_the_definition_under_a_long_comment_is_shown_without_the_comment() -> None:
    method = code(f"{JAVADOC}@Override\nvoid settle(Order order) {{\n{BODY}\n}}", "void settle(Order order)")
    assert shown(method, Variant.SIGNATURE) == ["@Override\nvoid settle(Order order) {"]
    head, lines = shown(method, Variant.EXTRACT, audit=1.0)
    assert head == "@Override\nvoid settle(Order order) {"
    assert "audit(" in lines


def test_a_short_comment_stays_with_its_definition() -> None:
    method = code(
        f"// Settles an order.\nvoid settle(Order order) {{\n{BODY}\n}}", "void settle(Order order)"
    )
    assert shown(method, Variant.SIGNATURE) == ["// Settles an order.\nvoid settle(Order order) {"]


def test_lines_of_the_comment_above_come_before_the_definition() -> None:
    method = code(
        f"{JAVADOC}void settle(Order order) {{\n    pay(order);\n}}".replace("Line 5 of", "Refund 5 of"),
        "void settle(Order order)",
    )
    comment, head = shown(method, Variant.EXTRACT, refund=1.0)
    assert "Refund 5" in comment
    assert head == "void settle(Order order) {"


def test_lines_of_a_class_are_shown_without_the_bare_line_that_opens_it() -> None:
    body = "\n".join(f"    step_{n} = {n}" if n != 20 else "    audit = True" for n in range(26))
    holder = code(f"class Settlement(Base):\n{body}", "class Settlement(Base):")
    (lines,) = shown(holder, Variant.EXTRACT, audit=1.0)
    assert "audit = True" in lines
    assert "class Settlement" not in lines


def test_a_mark_that_opens_the_next_comment_is_no_docstring() -> None:
    opened = code(
        f"export class Payments {{\n  /**\n   * Settles.\n   */\n{BODY}\n}}", "export class Payments"
    )
    assert shown(opened, Variant.SIGNATURE) == []
    told = code(f'def settle(order):\n    """Settle an order."""\n{BODY}\n', "def settle(order)")
    assert shown(told, Variant.SIGNATURE) == ['def settle(order):\n    """Settle an order."""']


def test_the_lines_of_a_small_pack_may_stand_without_the_definition() -> None:
    method = code(f"void settle(Order order) {{\n{BODY}\n{BODY}\n}}", "void settle(Order order)")
    found = variants(method, alone=True, audit=1.0)
    lines, with_definition = [choice.parts for choice in found if choice.variant is Variant.EXTRACT][:2]
    assert len(lines) == 1
    assert with_definition[1:] == lines


@pytest.mark.parametrize(("text", "defined"), [(REPORT, False), ("How is a parcel refunded?", True)])
def test_a_small_pack_shows_a_report_lines_and_a_question_their_definition(
    text: str, defined: bool, tmp_path: Path
) -> None:
    steps = [f"    ledger.step_{n}(order, accounts[{n}])" for n in range(50)]
    steps[30:30] = ["    if order.parcel.refunded:", "        parcel.refund(order)"]
    project(tmp_path, {"settle.py": "\n".join(["def settle(order, ledger):", *steps, ""])})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        shown = [excerpt.text for excerpt in dp.pack(text, budget=180).excerpts]
    assert any("parcel.refund(order)" in lines for lines in shown)
    assert any("def settle" in lines for lines in shown) == defined


def test_a_larger_extract_costs_more_and_is_worth_more() -> None:
    method = code(f"void settle(Order order) {{\n{BODY}\n{BODY}\n}}", "void settle(Order order)")
    extracts = [choice for choice in variants(method, audit=1.0) if choice.variant is Variant.EXTRACT]
    assert len(extracts) > 1
    assert all(less.cost < more.cost and less.value < more.value for less, more in pairwise(extracts))
    assert extracts[-1].value <= EXTRACT_MOST


def test_lines_chosen_without_a_word_of_the_question_are_worth_less() -> None:
    method = code(f"void settle(Order order) {{\n{BODY}\n}}", "void settle(Order order)")

    def worth(*, question: bool, **terms: float) -> list[float]:
        found = variants(method, question=question, **terms)
        return [choice.value for choice in found if choice.variant is Variant.EXTRACT]

    assert worth(question=True, audit=1.0) == worth(question=False, audit=1.0)  # it tells which line
    assert worth(question=True, audit=1.0, walrus=1.0) == worth(question=False, audit=1.0, walrus=1.0)
    blind = worth(question=True, walrus=1.0)
    assert all(less < more for less, more in zip(blind, worth(question=False, walrus=1.0), strict=True))


@pytest.mark.parametrize("alone", [False, True])
def test_every_extract_holds_the_line_with_the_word_of_the_question(alone: bool) -> None:
    method = code(f"void settle(Order order) {{\n{BODY}\n{BODY}\n}}", "void settle(Order order)")
    for choice in variants(method, alone=alone, audit=1.0):
        if choice.variant is Variant.EXTRACT:
            assert any("audit(" in method.text[start:end] for start, end in choice.parts)


def test_the_forms_of_a_chunk_come_cheapest_first() -> None:
    body = "\n".join(f"    step_{n} = {n}" if n != 20 else "    audit = True" for n in range(60))
    told = f'class Settlement(Base):\n    """{"Settles an order. " * 20}"""\n{body}'
    costs = [choice.cost for choice in variants(code(told, "class Settlement(Base):"), audit=1.0)]
    assert costs == sorted(costs)
