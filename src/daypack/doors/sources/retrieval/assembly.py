"""The sections of an assembly, their kinds and scopes in each mode, and its text.

    ## drafting_instructions

    [1 profile · Prefers short e-mails]
    The client prefers short e-mails with bullet points.

A header has the key of the record, (untrusted) where it is, and its title and summary where the text does not say
them. Kinds, scopes,
scores and their reasons are in the JSON. Stored text cannot begin a line with `[` outside a fence of its own,
begins no section, and holds no live HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daypack.doors.sources.types import (
    AssembledSection,
    Assembly,
    AssemblyMode,
    LeftOut,
    RetrievedSource,
    Source,
    SourceKind,
    SourceScope,
)
from daypack.shapes.markdown import entry
from daypack.tokens import counter
from daypack.types import EmptyReason, Tokenizer, Trust

_ASKED = frozenset({SourceKind.USER_PROMPT, SourceKind.NORMALIZED_QUERY})
_PLANNED = frozenset({SourceKind.RESEARCH_PLAN, SourceKind.ROUTING_DECISION})
_DECIDED = frozenset({SourceKind.DECISION_OUTCOME, SourceKind.DECISION_TRACE})
_FOUND = frozenset({SourceKind.EVIDENCE_SUMMARY, SourceKind.RESEARCH_FINDING, SourceKind.RESEARCH_REPORT})
_PROFILE = frozenset({SourceKind.USER_PROFILE_NOTE})
_ALL_KINDS = frozenset(SourceKind)
_ALL_SCOPES = frozenset(SourceScope)
_NEAR = frozenset({SourceScope.SESSION, SourceScope.USER})

SECTIONS: Mapping[AssemblyMode, tuple[tuple[str, frozenset[SourceKind], frozenset[SourceScope]], ...]] = {
    AssemblyMode.ASSISTANT: (
        ("priority_context", _ASKED | _DECIDED | _PROFILE, _NEAR),
        ("supporting_context", _FOUND | _PLANNED | _DECIDED, _ALL_SCOPES),
        ("background_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.PLANNER: (
        ("objective_context", _ASKED | _PLANNED, _ALL_SCOPES),
        ("active_constraints", _DECIDED | _PROFILE, _ALL_SCOPES),
        ("reference_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.RESEARCH: (
        ("key_evidence", _FOUND, _ALL_SCOPES),
        (
            "supporting_context",
            _PLANNED | _DECIDED | frozenset({SourceKind.SEARCH_QUERY, SourceKind.TOPIC_PATTERN}),
            _ALL_SCOPES,
        ),
        ("background_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.DRAFTING: (
        ("drafting_instructions", _ASKED | _PROFILE | frozenset({SourceKind.DECISION_OUTCOME}), _ALL_SCOPES),
        ("matter_context", _FOUND | _PLANNED | _DECIDED, _NEAR),
        ("reference_material", _ALL_KINDS, _ALL_SCOPES),
    ),
}
"""Sections of each mode, most needed first; an item belongs to the first one that takes its kind and scope.
"""


def section_of(mode: AssemblyMode, record: Source) -> str:
    return next(
        name for name, kinds, scopes in SECTIONS[mode] if record.kind in kinds and record.scope in scopes
    )


def in_sections(mode: AssemblyMode, items: Sequence[RetrievedSource]) -> tuple[AssembledSection, ...]:
    """Items in the sections of a mode, most needed first; sections without items are left out."""
    by_name: dict[str, list[RetrievedSource]] = {name: [] for name, _, _ in SECTIONS[mode]}
    for item in items:
        by_name[section_of(mode, item.record)].append(item)
    return tuple(AssembledSection(name, tuple(found)) for name, found in by_name.items() if found)


# ---------------------------------------------------------------- the text


def reason(parts: Mapping[str, float]) -> str:
    """The two parts that added most to a score; "least" where none did."""
    best = sorted(((name, share) for name, share in parts.items() if share > 0), key=lambda part: -part[1])[
        :2
    ]
    return ", ".join(f"{name} {share:.2f}" for name, share in best) or "least"


MOST_LOW = 20  # items of low score that a list has; `omitted_items` counts all


def listed(assembly: Assembly) -> tuple[tuple[RetrievedSource, LeftOut], ...]:
    """The items that an assembly leaves out, of those with a low score the best."""
    return assembly.left_out[: len(assembly.left_out) - max(0, len(assembly.retrieval.low) - MOST_LOW)]


def assembly_text(sections: Sequence[AssembledSection]) -> str:
    """The whole text; "" without items. Entries are numbered through all sections."""
    lines: list[str] = []
    number = 0
    for section in sections:
        lines += ["", f"## {section.name}"] if lines else [f"## {section.name}"]
        for item in section.items:
            number += 1
            lines += ["", _entry(number, item)]
    return "\n".join(lines)


_EMPTY = {
    EmptyReason.EMPTY_STORE: "No record is stored for this user and session; store one first, or name another user_id.",
    EmptyReason.FILTERED_OUT: "No record passed the filters; remove one.",
    EmptyReason.BUDGET_TOO_SMALL: "No record fits the budget; ask again with a larger one.",
    EmptyReason.NOTHING_RELEVANT: "No record is about this; try other words.",
}


def empty_text(done: Assembly) -> str:
    """The sentence for an assembly without a text, with the next step; "" where the budget has no room for it."""
    reason = EmptyReason.BUDGET_TOO_SMALL if done.retrieval.items else done.retrieval.empty_reason
    said = _EMPTY.get(reason or EmptyReason.NOTHING_RELEVANT, _EMPTY[EmptyReason.NOTHING_RELEVANT])
    fits = counter(Tokenizer(done.request.tokenizer))(said) <= done.request.token_budget
    return f"{said}\n" if fits else ""


def _entry(number: int, item: RetrievedSource) -> str:
    record = item.record
    said = item.text.casefold()
    about = [part for part in (record.title, record.summary) if part and part.casefold() not in said]
    trusted = record.trust is not Trust.UNTRUSTED
    return entry(number, (record.source_key, *about), item.text, trusted=trusted)
