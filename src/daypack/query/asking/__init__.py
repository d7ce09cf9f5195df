"""The question in a text: without the words that address another, and apart from the sentences beside it.

    layout.py        "Hi, … Best, Ann", a list             →  the lines between, one line
    addressing.py    "Can you tell me …, please?"          →  …
    exclusions.py    "…, excluding the tests"              →  …
    tasks.py         "I want you to fix …"                 →  "fix …"
    pasted.py        code, logs ⏎ a question               →  the question, code, logs
    told.py          "We use Go. How are flags parsed?"    →  the question, the sentences beside it
    turns.py         "And who calls it?"                   →  the question, the turns before it
    overviews.py     "What is this project?"               →  the side of the whole
    project_facts.py "Which licence?"                      →  the fact about it
    tongues.py       "Sous quelle licence ?"               →  "under which licence"
    several.py       "1. How …? 2. Where …?"               →  two questions

Any other text stays as it is.
"""

from daypack.query.asking.addressing import question_of
from daypack.query.asking.overviews import maybe_project, overview_of
from daypack.query.asking.pasted import pasted_in
from daypack.query.asking.several import questions_in
from daypack.query.asking.told import Told, told_in
from daypack.query.asking.turns import Before, before_question, turns_of

__all__ = [
    "Before",
    "Told",
    "before_question",
    "maybe_project",
    "overview_of",
    "pasted_in",
    "question_of",
    "questions_in",
    "told_in",
    "turns_of",
]
