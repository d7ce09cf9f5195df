"""Requests for a change to code, and the names in them: of the model that the change follows, or of the thing that it changes.

add strictOptions() besides strictCommands()                  strictOptions, strictCommands
We want to read TOML. Build it the same way YAML is read.     YAML
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from daypack.query.keys import keys_of
from daypack.query.kinds import CHANGE
from daypack.query.sections import Sections
from daypack.query.sentences import CHANGES, asks
from daypack.query.stories import Story

MOST_NAMES = 6
LONGEST = 600  # characters that are read for a wish
_LEAST_WEIGHT = 1.0  # of a mention outside pasted code
_BEGINS = rf"{CHANGE}|(?i:support)\b"
_NOUN = (
    r"(?:annotation|argument|attribute|builtin|class|command|completion|component|converter|cop|decorator|encoder|endpoint|event|field|filter|flag|format|formatter"
    r"|function|generator|handler|hook|instance|keyword|linter|macro|method|middleware|migration|module|option|operator|parameter|parser|plugin"
    r"|property|route|rule|script|selector|serializer|setting|strategy|subcommand|switch|tag|test|type|validator|widget)s?"
)
# a later sentence that begins with the change: "… Add hide_env_values for that", "… let op.drop_constraint take it too"
_LATER = (
    rf"(?i:(?:^|[.!;]\s+|\n)(?:please |then |so |also )?(?!(?:ensure|fix|handle|make)\b)(?:{CHANGES}|build it|wire|offer|provide"
    rf"|give \S+ (?:an? )?[-.`]{{0,2}}\w+|let (?!me\b|us\b)\S+ \w+|(?:create|generate|write) (?:\S+ ){{0,4}}{_NOUN})\b)"
)
# "I also need cross_lateral_join", "schemas should have a :bits type", "bodies need their own limit: maxBody"
_NAME = r"(?:--?\w|:\w|\w_\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w\()"
_WISH = (
    r"\b(?:I|[Ww]e)(?: (?:also|still|now))?(?: need| want|'d like| would like)"
    rf"(?:(?: (?:a|an|another|further))? [`'\"]?(?=\S*{_NAME})| to (?:accept|add|allow|be able|support|return)\b)"
    r"|\bshould (?:also )?(?:accept|allow|be able to|be possible|handle|offer|support|understand|leave out)\b"
    rf"|\b(?:should (?:also )?(?:get|have|take|tell)|needs? (?:its|their|an?) own)\b(?=[\s\S]*[\s`'\"(]\S*{_NAME})"
)
# a name in capitals that the change is compared with: "the same way YAML is read", "like the PowerShell one"
_LIKE = (
    r"(?i:\b(?:like|way|manner|as|beside|besides|next to|alongside|after|on|to|of|following|everywhere|for)) (?i:that |the |an? |our |we do |it is )*"
    r"[`'\"@:]?([A-Z][a-z]*[A-Z][A-Za-z0-9]*|[A-Z]{2,}[0-9]*)\b"
)
# "add a --json flag to …", "a request option max_body_size": the name of a thing that is to be made. A name before another
# noun most often exists: "add a UserModel serializer".
_MAKES = (
    r"(?i:(?:add|create|expose|have|implement|introduce|need|offer|provide|want|write)(?:s|es|ed|d|ing)?"
    r" (?:an?|another|one more)(?: (?:new|further|global|optional))?)"
)
_NEW_NAME = r"[`'\"]?(--?\w[\w-]*|\w*(?:\w_\w|[a-z][A-Z])\w*)[`'\"]?(?![\w-]|\.\w)"
_SETTING = r"(?:argument|command|flag|keyword|option|parameter|setting|subcommand|switch)"
_RELATES = r"(?:about|and|before|for|from|if|in|into|like|of|on|or|that|to|when|where|which|with|without)"
_NEW = (
    rf"\b{_MAKES} {_NEW_NAME}(?: [a-z]+){{0,2}} {_SETTING}s?\b",
    rf"\b{_MAKES}(?: (?!{_RELATES}\b)[\w-]+){{0,3}} {_NOUN}(?: called| named)? {_NEW_NAME}",
)
_MARKED = r"(?<![\w`])[:@](\w{3,})\b"  # :binary, @FieldMap


def asks_for_change(sections: Sections, story: Story) -> bool:
    """True of a task: what is to be added, changed or removed."""
    if story is Story.CHANGE:
        return True
    if asks(sections.title):
        return False
    text = _beginning(sections).strip()
    return re.match(_BEGINS, sections.title) is not None or (
        not asks(text) and re.search(f"{_LATER}|{_WISH}", text) is not None
    )


def names_made(sections: Sections) -> tuple[str, ...]:
    """The names that a request for a change gives to things that are to be made, as it writes them: "add a --json flag"."""
    text = _beginning(sections)
    return tuple(dict.fromkeys(name for pattern in _NEW for name in re.findall(pattern, text)))


def names_changed(sections: Sections, mentions: Mapping[str, float], made: Sequence[str]) -> tuple[str, ...]:
    """The names in a request for a change but those that it makes, at most MOST_NAMES."""
    text = _beginning(sections)
    named = [name for name, weight in mentions.items() if weight >= _LEAST_WEIGHT]
    found = [*named, *keys_of(sections), *re.findall(_LIKE, text), *re.findall(_MARKED, text)]
    return tuple(dict.fromkeys(name for name in found if name not in made))[:MOST_NAMES]


def _beginning(sections: Sections) -> str:
    return sections.words[:LONGEST]
