"""Material pasted around one sentence: code, logs, traces, quotations, lists. The sentence comes first, as in a report.

    ```python                     2026-11-27T08:14:09Z ERROR gateway returned 502
    app = Flask(__name__)
    ```                           How are failed payments retried?
    How are cookies signed?

A text with more sentences is a report, and stays as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.query.sections import ERROR_LINE, code_lines
from daypack.query.traces.frames import read_trace
from daypack.text import analysis

_HEADINGS = "[Qq]uestion|[Qq]uery|[Rr]equest|[Tt]ask|[Cc]ontext|[Pp]roblem|[Bb]ackground|[Hh]elp"
# the beginning of a line that the asker did not write here
_ELSEWHERE = (
    rf"    |\t|\s*(?:>|\$ |%|#+ *(?:{_HEADINGS})s?\W*$|[-*+•] |\d{{1,3}}[.)] |\[|\||--|at |File \"|\d{{4}}-\d\d-\d\d|\d\d:\d\d:\d\d"
    r"|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b|(?:\w+(?:\.|::))+\w+: |(?:[A-Z][a-z\d]+){2,}: )"
)
_ENDS = (":", ";", "{", "}")  # of a line of code, and of one that only says what follows
_LEAST_WORDS, _LEAST_GRAMMAR = 4, 0.2  # of a sentence: words, and the share of function words among them


class Pasted(NamedTuple):
    """The one line that the asker wrote, and the lines around it."""

    said: str
    rest: str

    def said_first(self, text: str) -> str:
        """The text with the asker's line at its beginning."""
        return text if text.lstrip().startswith(self.said) else f"{self.said}\n\n{self.rest}"


def pasted_in(text: str) -> Pasted | None:
    """The parts of a text that has one sentence, or one line that is not pasted; None for any other text."""
    if "\n" not in text.strip():
        return None
    own = _own_lines(text.split("\n"))
    said = [line for line in own if _is_sentence(line)] or own
    if len(said) != 1 or said[0] is not own[0]:  # an own line before a sentence is the title of a report
        return None
    return Pasted(said[0].strip(), text.replace(said[0], "", 1).strip())


def _own_lines(lines: list[str]) -> list[str]:
    """The lines that the asker wrote: of a paragraph that begins with a pasted line only the sentences."""
    code = code_lines(lines, read_trace(lines).lines)
    own = []
    is_pasted = False
    before = ""
    for number, line in enumerate(lines):
        if not before.strip():
            is_pasted = False
        before = line
        is_pasted = is_pasted or number in code
        if number in code or not line.strip():
            continue
        if _is_from_elsewhere(line):
            is_pasted = True
        elif not is_pasted or _is_sentence(line):
            own.append(line)
    return own


def _is_from_elsewhere(line: str) -> bool:
    starts = re.match(_ELSEWHERE, line) or ERROR_LINE.match(line.strip())
    return bool(starts) or line.rstrip().endswith(_ENDS)


def _is_sentence(line: str) -> bool:
    words = line.lower().replace("’", "'").split()
    grammar = sum(word.strip("?.,!") in analysis.STOP_WORDS for word in words)
    return len(words) >= _LEAST_WORDS and grammar >= _LEAST_GRAMMAR * len(words)
