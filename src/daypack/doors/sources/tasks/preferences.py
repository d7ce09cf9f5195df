"""Preferences of a user, learned from texts that the user approved: lessons in, preferences out.

A lesson is one found phrase (or one edit), and only lessons are stored; preferences follow from them, so that
each can be explained by its lessons, and removing lessons removes their effect. Set preferences win over
learned ones, those of a workflow over general ones; among votes for a level the greater number wins, among
styles the most frequent and of those the last.

Phrases are rows of rules.toml. Pure: times are given.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from daypack.doors.sources.tasks.rules import checked_workflow, phrases, rules, sentences
from daypack.doors.sources.tasks.types import Lesson, Origin, Preference, Preferences
from daypack.doors.sources.types import AssemblyMode, Source
from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.shapes.loose_json import objects_of
from daypack.shapes.plain import plain

KEY = "workflow_preferences"  # the source key of the record that holds the lessons
MOST_LESSONS = 500  # the latest are kept
LONGEST_TEXT = 100_000  # characters of an approved text that are read
LONGEST_NOTE = 300
LEVEL_VALUES = ("high", "balanced", "low")
NOTE = "note"
DEFAULTS = ("assembly_mode", "output_type")  # the start values of a workflow
_TURNED = {"high": "low", "low": "high"}


@cache
def level_names() -> tuple[str, ...]:
    return tuple(row["name"] for row in rules()["level"])


@cache
def style_names() -> tuple[str, ...]:
    return tuple(row["name"] for row in rules()["style"])


@cache
def _levels() -> tuple[tuple[str, re.Pattern[str], Mapping[str, str]], ...]:
    """(level, expression, phrase → the value that it votes for)"""
    negated = rf"(?P<negated>{phrases(rules()['negators'])} )?"
    return tuple(
        (
            row["name"],
            re.compile(rf"{negated}(?P<phrase>{phrases([*row['high'], *row['low']])})"),
            {phrase: value for value in ("high", "low") for phrase in row[value]},
        )
        for row in rules()["level"]
    )


@cache
def _styles() -> tuple[tuple[str, re.Pattern[str]], ...]:
    def begins(phrases: Sequence[str]) -> re.Pattern[str]:
        longest = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
        return re.compile(rf"^[ \t]*({longest})(?=[\s,.!]|$)", re.MULTILINE | re.IGNORECASE)

    return tuple((row["name"], begins(row["phrases"])) for row in rules()["style"])


# ---------------------------------------------------------------- learn


def mark_of(text: str) -> str:
    """A hash that tells an approved text from others without keeping it."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()[:16]


def lessons_of(text: str, workflow: str, *, at: float) -> tuple[Lesson, ...]:
    """The lessons of an approved text: each phrase once, in the order of the tables."""
    text = text[:LONGEST_TEXT].replace("’", "'")
    mark = mark_of(text)
    votes = dict.fromkeys([*_level_votes(text), *_style_votes(text), *_notes(text)])
    return tuple(
        Lesson(name, value, Origin.LEARNED, workflow, phrase, mark, at) for name, value, phrase in votes
    )


def _level_votes(text: str) -> Iterator[tuple[str, str, str]]:
    lowered = " ".join(text.lower().split())
    for name, expression, values in _levels():
        for match in expression.finditer(lowered):
            value = values[match["phrase"]]
            yield name, _TURNED[value] if match["negated"] else value, match[0]


def _style_votes(text: str) -> Iterator[tuple[str, str, str]]:
    for name, expression in _styles():
        for match in expression.finditer(text):
            yield name, match[1], match[1]


def _notes(text: str) -> Iterator[tuple[str, str, str]]:
    begins = sorted(rules()["notes"]["begins"], key=len, reverse=True)
    for sentence in sentences(text):
        begun = next(
            (begin for begin in begins if re.match(rf"{re.escape(begin)}\b", sentence, re.IGNORECASE)), None
        )
        if begun is not None and len(sentence) <= LONGEST_NOTE:
            yield NOTE, sentence, begun


def edit(name: str, value: str, workflow: str, *, at: float) -> Lesson:
    """A lesson that was set by hand. Raises InputError for a name or value that does not exist."""
    checked_workflow(workflow)
    allowed: Sequence[str] | None = None
    if name in level_names():
        allowed = LEVEL_VALUES
    elif name == "assembly_mode":
        allowed = [mode.value for mode in AssemblyMode]
    elif name not in (NOTE, *style_names(), *DEFAULTS):
        raise InputError(f"unknown preference {one_line(repr(name), 60)}; choose from {', '.join(names())}")
    if allowed is not None and value not in allowed:
        raise InputError(f"{name} may be {', '.join(allowed)}, not {one_line(repr(value), 60)}")
    if not value.strip() or len(value) > LONGEST_NOTE:
        raise InputError(f"{name} needs a text of at most {LONGEST_NOTE} characters")
    return Lesson(name, " ".join(value.split()), Origin.SET, workflow, at=at)


def names() -> tuple[str, ...]:
    return (*level_names(), *style_names(), *DEFAULTS, NOTE)


# ---------------------------------------------------------------- hold


def preferences_of(
    lessons: Sequence[Lesson], workflow: str = "", record: Source | None = None
) -> Preferences:
    """The preferences that hold for a workflow, or with "" for all workflows."""
    by_name: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        if lesson.workflow in ("", workflow):
            by_name.setdefault(lesson.name, []).append(lesson)
    preferences = {
        name: _preference(name, by_name[name])
        for name in (*level_names(), *style_names(), *DEFAULTS)
        if name in by_name
    }
    notes: dict[str, list[Lesson]] = {}
    for lesson in by_name.get(NOTE, []):
        notes.setdefault(lesson.value, []).append(lesson)
    return Preferences(
        levels={name: preferences[name] for name in level_names() if name in preferences},
        style={name: preferences[name] for name in style_names() if name in preferences},
        defaults={name: preferences[name] for name in DEFAULTS if name in preferences},
        notes=tuple(
            Preference(NOTE, value, said[-1].origin, said[-1].workflow, tuple(said))
            for value, said in notes.items()
        ),
        evidence_count=sum(lesson.origin is Origin.LEARNED for said in by_name.values() for lesson in said),
        record=record,
    )


def _preference(name: str, lessons: Sequence[Lesson]) -> Preference:
    origin = Origin.SET if any(lesson.origin is Origin.SET for lesson in lessons) else Origin.LEARNED
    evidence = [lesson for lesson in lessons if lesson.origin is origin]
    evidence = [lesson for lesson in evidence if lesson.workflow] or evidence
    if origin is Origin.SET:
        value = evidence[-1].value
    elif name in level_names():
        balance = sum(1 if lesson.value == "high" else -1 for lesson in evidence)
        value = "high" if balance > 0 else "low" if balance < 0 else "balanced"
    else:
        counted = Counter(lesson.value for lesson in evidence)
        value = max(reversed(evidence), key=lambda lesson: counted[lesson.value]).value
    return Preference(name, value, origin, evidence[-1].workflow, tuple(evidence))


# ---------------------------------------------------------------- keep


def described(lessons: Sequence[Lesson]) -> str:
    """The text of the record: the preferences in words."""
    lines = []
    for workflow in ("", *dict.fromkeys(lesson.workflow for lesson in lessons if lesson.workflow)):
        preferences = preferences_of([lesson for lesson in lessons if lesson.workflow == workflow], workflow)
        statements = [
            f"{preference.name} {preference.value}"
            for part in (preferences.levels, preferences.style, preferences.defaults)
            for preference in part.values()
        ]
        statements += [preference.value for preference in preferences.notes]
        if statements:
            lines.append(
                f"Preferences{f' for the workflow {workflow}' if workflow else ''}: {'; '.join(statements)}"
            )
    return "\n".join(lines) or "No preferences."


def to_data(lessons: Sequence[Lesson]) -> list[dict[str, Any]]:
    """The lessons as JSON."""
    return [plain(lesson) for lesson in lessons]


def from_data(data: Any) -> tuple[Lesson, ...]:
    """Lessons of a record; other data under its key is passed over."""
    lessons = []
    for item in objects_of(data):
        if item.get("name") in names() and item.get("origin") in ("learned", "set"):
            texts = [item.get(name) for name in ("value", "workflow", "phrase", "text")]
            if all(isinstance(text, str) for text in texts) and isinstance(item.get("at"), (int, float)):
                value, workflow, phrase, text = (str(text) for text in texts)
                lessons.append(
                    Lesson(
                        item["name"], value, Origin(item["origin"]), workflow, phrase, text, float(item["at"])
                    )
                )
    return tuple(lessons)
