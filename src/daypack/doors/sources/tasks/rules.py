"""The intent of a request: workflow, target and constraints, by the rows of rules.toml.

    declared in the intent data  >  what the request begins with  >  a word anywhere  >  a guess

A request begins where its courtesies end ("could you please …"); its object ("write a short summary") tells
more than its verb. Pure, linear in the request but for constants, and without errors: any text is a request.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from daypack.doors.sources.tasks.types import Constraint, RequestIntent
from daypack.doors.sources.types import AssemblyMode
from daypack.errors import InputError
from daypack.guard.fences import one_line

LONGEST_REQUEST = 8_192  # characters that are looked at; a query may not have more bytes
LONGEST_CONSTRAINT = 200
MOST_CONSTRAINTS = 20
# members of intent data that the search ignores
DECLARED = ("workflow", "output_type", "target_type", "constraints")
_BETWEEN = r"(?:[\w'-]+ ){0,3}?"  # words between a maker and its object: "a short client"


class _Row(NamedTuple):
    """A workflow as it is matched."""

    facts: Mapping[str, Any]
    leading: re.Pattern[str]
    words: re.Pattern[str]
    made: re.Pattern[str] | None
    own: re.Pattern[str] | None  # begins of requests about its own target
    questions: re.Pattern[str] | None  # begins of questions that nothing else classifies


@cache
def rules() -> Mapping[str, Any]:
    """The tables of rules.toml."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))


def phrases(found: Collection[str]) -> str:
    """An expression for any of the phrases as whole words, longest first; `*` takes an ending."""
    longest = sorted(found, key=lambda phrase: (-len(phrase), phrase))
    return (
        r"(?<!\w)(?:" + "|".join(re.escape(phrase).replace(r"\*", r"\w*") for phrase in longest) + r")(?!\w)"
    )


@cache
def _rows() -> tuple[_Row, ...]:
    makers = phrases(rules()["makers"])
    return tuple(
        _Row(
            row,
            re.compile(phrases(row["leading"])),
            re.compile(phrases(row["words"])),
            re.compile(rf"{makers} {_BETWEEN}{phrases(row['objects'])}") if "objects" in row else None,
            re.compile(phrases(row["target_leading"])) if "target_leading" in row else None,
            re.compile(phrases(row["questions"])) if "questions" in row else None,
        )
        for row in rules()["workflow"]
    )


@cache
def _expressions() -> tuple[
    re.Pattern[str], tuple[tuple[str, re.Pattern[str]], ...], tuple[tuple[str, re.Pattern[str]], ...]
]:
    """(courtesies, targets, constraints)"""
    return (
        re.compile(rf"(?:{phrases(rules()['courtesies'])}[\s,.:!]*)+"),
        tuple((row["name"], re.compile(phrases(row["words"]))) for row in rules()["target"]),
        tuple(
            (row["kind"], re.compile(rf"(?<!\w){row['pattern']}", re.IGNORECASE))
            for row in rules()["constraint"]
        ),
    )


def workflows() -> tuple[str, ...]:
    return tuple(row.facts["name"] for row in _rows())


def checked_workflow(name: str) -> str:
    """The name of a workflow, or "" for all. Raises InputError with the list."""
    if name and name not in workflows():
        raise InputError(
            f"{one_line(repr(name), 60)} is not a workflow; choose from {', '.join(workflows())}"
        )
    return name


def intent_of(request: str, data: Any = None) -> RequestIntent:
    """The intent of a request; `data` may declare parts. Raises InputError for an unknown workflow."""
    declared = data if isinstance(data, Mapping) else {}
    shown = " ".join(request[:LONGEST_REQUEST].split())
    text = shown.lower().replace("’", "'")
    courtesies, targets, _ = _expressions()
    target = next((name for name, words in targets if words.search(text)), "context")
    target = _said(declared, "target_type") or target
    begun = courtesies.match(text)
    start = begun.end() if begun else 0
    row, matched, degree = _told(text, start, target)
    constraints = _constraints(shown)
    asked = start + len(matched) if degree == "leading" else start
    if named := checked_workflow(_said(declared, "workflow")):
        row, matched, degree = next(row for row in _rows() if row.facts["name"] == named), named, "declared"
    facts = row.facts
    return RequestIntent(
        workflow=facts["name"],
        action=facts["action"],
        output_type=_said(declared, "output_type") or facts["output_type"],
        goal=_said(declared, "goal") or facts["goal"],
        confidence=rules()["confidence"][degree],
        target_type=target,
        subject=_subject(shown, asked, [(begin, end) for begin, end, _ in constraints]),
        constraints=(*_declared(declared.get("constraints")), *(one for _, _, one in constraints))[
            :MOST_CONSTRAINTS
        ],
        matched=matched,
        mode=AssemblyMode(facts["mode"]),
        must_include=tuple(facts["must_include"]),
        must_avoid=tuple(facts["must_avoid"]),
    )


def _told(text: str, start: int, target: str) -> tuple[_Row, str, str]:
    """(workflow, the telling text, the way of telling)"""
    rows = [row for row in _rows() if target not in row.facts.get("not_for", ())]
    for row in rows:
        if row.made is not None and (found := row.made.match(text, start)):
            return row, found[0], "leading"
    begun = [(row, found[0]) for row in rows if (found := row.leading.match(text, start))]
    begun += [
        (row, found[0])
        for row in rows
        if row.own is not None and row.facts["target"] == target and (found := row.own.match(text, start))
    ]
    if begun:
        return *max(begun, key=lambda one: len(one[1])), "leading"
    for row in rows:
        if found := row.words.search(text):
            return row, found[0], "word" if target == "context" else "target"
    for row in rows:
        if row.questions is not None and (found := row.questions.match(text, start)):
            return row, found[0], "word" if target == "context" else "target"
    return next(row for row in _rows() if row.facts["name"] == rules()["default"]["workflow"]), "", "guess"


def _said(declared: Mapping[str, Any], name: str) -> str:
    value = declared.get(name)
    return one_line(value, LONGEST_CONSTRAINT).strip() if isinstance(value, str) else ""


def _declared(said: Any) -> list[Constraint]:
    texts = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    return [
        Constraint("declared", one_line(text, LONGEST_CONSTRAINT))
        for text in texts
        if isinstance(text, str) and text.strip()
    ]


def _constraints(text: str) -> list[tuple[int, int, Constraint]]:
    """(begin, end, constraint) in the order of the text; of two that overlap the first in the table."""
    taken: list[tuple[int, int, Constraint]] = []
    for start, end, constraint in _places(text):
        if all(end <= begin or start >= stop for begin, stop, _ in taken):
            taken.append((start, end, constraint))
    return sorted(taken)


def _subject(text: str, start: int, without: Sequence[tuple[int, int]]) -> str:
    """The subject of a request: its text without its start and its constraints, or the whole text where
    nothing else is left.
    """
    kept = "".join(
        character if all(not begin <= i < end for begin, end in without) else " "
        for i, character in enumerate(text)
        if i >= start
    )
    found = re.sub(r"(?:\s*,)+", ",", " ".join(kept.split())).strip(" ,.;:!?")
    return found if re.search(r"\w{3}", found) else text


def _places(text: str) -> Iterator[tuple[int, int, Constraint]]:
    for kind, expression in _expressions()[2]:
        for match in expression.finditer(text):
            yield match.start(), match.end(), Constraint(kind, match[0])


def sentences(text: str) -> Sequence[str]:
    """Sentences and lines of a text, without bullets."""
    return [
        found
        for part in re.split(r"(?<=[.!?])\s+|\n+", text)
        if (found := part.strip().lstrip("-*•– ").strip())
    ]
