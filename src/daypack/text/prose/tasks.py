"""Tasks in notes: lines that say what is still to be done, or was, with the indented lines that go on.

- [ ] Call Ann         an empty box; `[x]` and `[-]` are closed, and so is a line that ends with DONE
TODO: call Ann         a word for it, as in `** TODO Call Ann` and `Action: Ann calls`
Action items           a line below such a heading, or in a file of such a name, to the end of its list
Ben: order the boxes
due: 2026-12-15        in the front matter of a note that is one task, without `status: done`
## Paint               a task of a calendar, as its reader writes it
Due: Saturday …
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]+")
_BOX = re.compile(r"[ \t]*(?:>[ \t]*)?(?:[-*+•]|\d+[.)])[ \t]+\[(?P<mark>.)\][ \t]+(?=\S*\w)")
_WORD = re.compile(
    rf"(?:{_ITEM.pattern})?(?:\*+[ \t]+)?\**(?:TODO|FIXME)\b(?:\([^()\n]*\))?\**:?[ \t]+(?=\S*\w)"
    rf"|\*+[ \t]+(?:NEXT|WAITING|STARTED)[ \t]+(?=\S*\w)"
    rf"|(?:{_ITEM.pattern})?\**(?i:action(?: item| point)?|to-?do)\b[^:\n]{{0,20}}:\**[ \t]*(?=\S*\w)"
)
_LIST = re.compile(
    r"(?i)\W*(?:(?:my|our|open|next) )?(?:action (?:items?|points?)|actions|to-?dos?(?: list)?|to do|open (?:tasks|items|points))\W*"
    r"|\W*(?:aufgaben(?:liste)?|(?:offene|unsere|nächste) (?:aufgaben|punkte|todos)|(?:noch )?zu (?:erledigen|tun)|à faire|(?:tâches|points) (?:à faire|ouverte?s)"
    r"|(?:tareas|asuntos) pendientes|pendientes|por hacer|(?:tarefas|assuntos) pendentes|pendências|a fazer|da fare|(?:attività|punti) apert[ei]"
    r"|actiepunten|te doen|open(?:staande)? (?:taken|punten)|do zrobienia|(?:что |надо |нужно )сделать|открытые (?:задачи|вопросы)|待办(?:事项)?|やること|未完了|할 ?일(?: 목록)?)\W*"
)
_ACTIONS = re.compile(r"(?i)\W*actions\W*")  # may be those of a program, which paragraphs explain
_NAMED = re.compile(r"[ \t]*[^\W\d_][^:.]{0,30}:[ \t]|[ \t]*\|")  # "Ben: order the boxes"
_HEADING = re.compile(r"#{1,6}[ \t]|\*+[ \t]")
_CLOSED = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:~~.*~~[ \t]*$|x[ \t]|(?:\*+[ \t]+)?(?:DONE|CANCELL?ED)\b|(?i:done|cancell?ed):)|.*(?:\bDONE|\((?i:done|cancell?ed|erledigt|fait|hecho|feito|fatto|gedaan|zrobione|сделано|完成|済|완료)\)|[✅✔☑])\W*$"
    r"|[ \t]*\|.*\|[ \t]*(?i:done|closed|completed?|finished|cancell?ed)[ \t]*\||\W*(?i:none|nothing|n/a)\W*$"
)
_DONE = re.compile(r"\*+[ \t]+(?:DONE|CANCELL?ED)[ \t]")
_FRONT = re.compile(r"---[ \t]*\r?\n(\w[\w -]*:.*?\n)---", re.DOTALL)
_DUE = re.compile(r"(?im)^(?:due|deadline)(?:[_ -]?date)?:[ \t]*\d.*?(?=\r?$)")
_SETTLED = re.compile(r"(?im)^(?:status|state):[ \t]*[\"']?(?:done|closed|completed?|finished|cancell?ed)\b")
_SAYS = re.compile(r"\w")
# A task of a calendar, as its reader writes it, and the lines that tell a task from an event and a closed one from an open one.
_CARD = re.compile(r"(?m)^## .+((?:\n(?:When|Due|Completed|Instead of|Where|Status): .+)+)")
_OF_TASK = re.compile(r"(?m)^(?:Due|Completed): |^Status: (?:needs-action|in-process)")
_OVER = re.compile(r"(?m)^Completed: |^Status: (?:completed|cancelled)")
_OPEN_MARKS = " /"  # begun, as Obsidian writes it


class Task(NamedTuple):
    """A task: whole lines of a text, without the end of the last."""

    start: int
    end: int
    is_open: bool


def tasks_in(text: str, *around: str) -> list[Task]:
    """The tasks of a text; `around` are the headings and the name of the file around it."""
    front = _FRONT.match(text)
    found = [*_due(text, front)]
    listed = any(_LIST.fullmatch(name) for name in around)
    of_actions = any(_ACTIONS.fullmatch(name) for name in around)
    deeper = -1  # the indentation that a further line of a task goes beyond
    fenced = blank = begun = False
    mark = ""  # that the heading of a list of tasks begins with
    for start, end in _lines(text, front.end() if front else 0):
        line = text[start:end]
        fenced ^= (is_fence := _FENCE.match(line) is not None)
        if fenced or is_fence or not line.strip():
            deeper, blank = -1, True
            continue
        indent = len(line) - len(line.lstrip())
        is_open = _is_open(line)
        if is_open is None and -1 < deeper < indent:
            found[-1] = found[-1]._replace(end=end)
            continue
        deeper = -1
        if not _SAYS.search(line):  # it underlines a heading, or the head of a table
            if line.lstrip().startswith("|") and found and text[found[-1].end : start].isspace():
                found.pop()
            continue
        is_name = _LIST.fullmatch(line) is not None
        is_item = _ITEM.match(line) is not None
        is_star = line[0] == "*" and listed and mark != "*"  # of a list, not of a heading of Org
        if is_name or (is_open is None and _HEADING.match(line) and not is_star):
            listed, begun, mark = is_name, False, line[0]
            of_actions = _ACTIONS.fullmatch(line) is not None
            continue
        listed = listed and (is_item or not (blank and begun))
        begun, blank = True, False
        if is_open is None and listed and (is_item or not of_actions or _NAMED.match(line)):
            is_open = not _CLOSED.match(line)
        if is_open is not None:
            found.append(Task(start, end, is_open))
            deeper = indent
    return found


def _due(text: str, front: re.Match[str] | None) -> Iterator[Task]:
    """The line of the front matter that says when the note is due, and the tasks of a calendar."""
    if front and (due := _DUE.search(text, 0, front.end())):
        yield Task(*due.span(), is_open=not _SETTLED.search(front[1]))
    for card in _CARD.finditer(text):
        if _OF_TASK.search(card[1]):
            yield Task(*card.span(), is_open=not _OVER.search(card[1]))


def _is_open(line: str) -> bool | None:
    """True for a line that is an open task by itself, False for a closed one, None for another."""
    if box := _BOX.match(line):
        return box["mark"] in _OPEN_MARKS and not _CLOSED.match(line[box.end() :])
    if not _WORD.match(line):
        return False if _DONE.match(line) else None
    return not _CLOSED.match(line)


def _lines(text: str, at: int) -> Iterator[tuple[int, int]]:
    for line in text[at:].split("\n"):
        yield at, at + len(line.rstrip("\r"))
        at += len(line) + 1
