"""Messages: the runs of words that a pasted message has from the code that raised it.

    Value to be set with --quiet had already been set with --verbose
    └── a run ─────────┘ (value) └── a run ──────────────┘ (value)

Code holds a message letter for letter, with gaps where it fills in values. A value is seldom a plain word: it is
quoted, a number, a path, an option or a name. Punctuation ends a run as well.
"""

from __future__ import annotations

import re

from daypack.query.frames import LONGEST_LINE
from daypack.query.kinds import asks
from daypack.query.sections import ERROR_LINE, Sections
from daypack.text import analysis

LEAST_WORDS, LEAST_TELLING, LONG = 3, 2, 5  # words of a run
MOST_LINES, MOST_RUNS = 5, 20
_WORD = r"(?:[A-Z]?[a-z]+|[A-Z]{2,8})(?:['-][a-z]+)*"
_RUN = rf"(?<![^\s(\[:]){_WORD}(?: {_WORD})+(?![\w/\\.:=@<>()-]*\w)"
_SENTENCE = re.compile(r"[^.?!]*[.?!]*")


def message_runs(sections: Sections) -> tuple[str, ...]:
    """The runs in the title and in lines of errors, in order; none of a sentence that asks."""
    errors = [line.strip() for line in sections.code.split("\n") if ERROR_LINE.match(line.strip())]
    found: dict[str, None] = {}
    for line in [sections.title, *errors[-MOST_LINES:]]:
        for sentence in _SENTENCE.findall(line[:LONGEST_LINE]):
            if not asks(sentence.strip()):
                for run in re.findall(_RUN, sentence):
                    if _tells(run):
                        found[run] = None
    return tuple(found)[:MOST_RUNS]


def _tells(run: str) -> bool:
    words = run.lower().split()
    telling = [word for word in words if word not in analysis.STOP_WORDS]
    return len(words) >= LONG or (len(words) >= LEAST_WORDS and len(telling) >= LEAST_TELLING)
