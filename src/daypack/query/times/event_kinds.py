"""Kinds of event that a question names.

"which files did we change yesterday?"      file
"which tests failed?"                       test, error
"what did we decide about the fares?"       decision, and a subject
"why did we revert the cache?"              rejected: reasons are words, not deeds
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from daypack.text import analysis
from daypack.types import EventKind


class _Words(NamedTuple):
    """The words for a kind of event, the tags of such events, and further tags or words of those that are meant."""

    words: str
    tags: str
    meant: str = ""


KINDS = (
    _Words("ask request question", "prompt"),
    _Words("decide decision agree agreement chose choose chosen choice settle", "decision"),
    _Words("constraint requirement limit rule", "constraint"),
    _Words("task todo", "task"),
    _Words("plan step", "plan"),
    _Words("reject abandon try attempt", "rejected"),
    _Words("block blocker waiting", "blocker"),
    _Words("error fail failure problem issue wrong break broke broken", "error"),
    _Words("fix solve", "fix"),
    _Words("change edit modify touch", "file"),
    _Words("create write wrote written", "file", "created"),
    _Words("delete remove", "file", "deleted"),
    _Words("rename", "file git command", "rename renamed mv"),
    _Words("commit", "git", "commit"),
    _Words("push", "git", "push"),
    _Words("merge", "git", "merge"),
    _Words("revert", "git rejected", "revert"),
    _Words("install setup", "environment"),
    _Words("test", "test"),
    _Words("answer", "answer"),
    _Words("delegate sub subagent", "delegation"),
    _Words("read search", "read"),
)
# Words beside which another one tells the kind: in "which files failed?", or "which tests did we run?".
WIDE = (
    _Words("file", "file"),
    _Words("command run ran", "command test git environment"),
    _Words("tool", "tool"),
)
# Kinds that a question with a subject may ask for. An answer describes a change of a file better than the change itself, and reasons
# are words, not deeds.
_SAID = "prompt answer decision constraint plan rejected blocker fix error"
_TOLD = f"{_SAID} delegation environment git"
_WE = r"(?:I|we|you|the (?:sub-?agent|agent|assistant))"
_DID = rf"(?i)\b(?:did|have|had|has|was|were)(?:n['’]t| not)? {_WE} (?:\w+ly |already |ever |just )?(\w+)"
# In the passive only verbs that are of work alone: "why were hooks rejected?" is about hooks.
_DONE = r"(?i)\b(?:what|which|why)\b.{0,60}?\b(?:was|were|been|got) (?:[\w./-]+ ){0,4}?(decided|agreed|chosen|settled|reverted)\b"
_MADE = rf"(?i)\b(?:what|which) (?!problem|issue)(\w+) (?:did|have|had|were) {_WE}\b"
_SUBAGENT = r"(?i)\bsub-?agents?\b"
_GIVEN_UP = r"(?i)\b(?:rul(?:e|ed|ing) out|g[ia]ven? up(?: on)?|roll(?:ed)? back)\b"
_WHY = r"(?i)\b(?:why|how)\b"


def words_for_kinds() -> frozenset[str]:
    """The index terms of all words for kinds of event."""
    return frozenset({*_by_word(KINDS), *_by_word(WIDE)})


def kinds_of(text: str) -> tuple[EventKind, ...]:
    """The kinds that the words of a question name, each once."""
    terms = analysis.terms(re.sub(_GIVEN_UP, "reject", text))
    return tuple(_kinds_by(_by_word(KINDS), terms) or _kinds_by(_by_word(WIDE), terms))


def kinds_asked(text: str) -> tuple[EventKind, ...]:
    """The kinds of event that a question with a subject asks for by its verb, or by the noun before it."""
    text = re.sub(_GIVEN_UP, "reject", text)
    said = [found[1] for form in (_DID, _DONE, _MADE) if (found := re.search(form, text))]
    tags = analysis.terms(_SAID if re.search(_WHY, text) else _TOLD)
    kinds = (
        kind._replace(tags=tuple(tag for tag in kind.tags if tag in tags))
        for kind in kinds_of(" ".join((*said, *re.findall(_SUBAGENT, text))))
    )
    return tuple(kind for kind in kinds if kind.tags)


def _kinds_by(known: Mapping[str, _Words], terms: Iterable[str]) -> list[EventKind]:
    words: dict[_Words, list[str]] = {}
    for term in terms:
        if term in known:
            words.setdefault(known[term], []).append(term)
    # Memories may have the word itself as a tag.
    return [
        EventKind(
            tuple(dict.fromkeys((*analysis.terms(kind.tags), *said))),
            tuple(said),
            tuple(analysis.terms(kind.meant)),
        )
        for kind, said in words.items()
    ]


@cache
def _by_word(kinds: tuple[_Words, ...]) -> Mapping[str, _Words]:
    return {term: kind for kind in kinds for term in analysis.terms(kind.words)}
