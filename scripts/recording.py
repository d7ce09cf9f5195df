"""Record real commands in a pseudo-terminal and draw them as an animated SVG: docs/images/terminal.svg.

`scripts/docs.py` records again when the program prints something else. The commands run in a copy of examples/pay. The drawing needs no font, script or image from another machine. Where
animation is off or unknown, the whole session is shown at once.
"""

from __future__ import annotations

import html
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = "docs/images/terminal.svg"
COMMANDS = (
    "daypack add . --vectors all",
    'daypack pack "why is a refund not paid twice?" --budget 200',
    "daypack get docs/refunds.md:24-25",
    "daypack code callers call_with_retry",
    'daypack remember retries/limit "Five attempts, then page on-call."',
    'daypack pack "how many attempts are made?" --in memories --budget 60',
)
COLUMNS, ROWS = 118, 60

LETTER, LINE, MARGIN, BAR = 7.22, 17, 16, 30  # pixels
TYPING, PAUSE = 0.03, 1.6  # seconds: for each letter of a command, and after what it prints
PAPER, INK, PROMPT, QUIET = "#11161d", "#d7dde5", "#7ee2a8", "#8b97a5"
PALETTE = ("#5c6773", "#ff7b72", "#7ee2a8", "#e6c26a", "#79b8ff", "#d2a8ff", "#76d9e6", "#d7dde5")

Style = tuple[str, bool]  # colour and whether it is bold
Line = list[tuple[str, Style]]  # runs of equal style
_ESCAPE = re.compile(r"\x1b\[(?P<numbers>[\d;?]*)(?P<final>[A-Za-z])|\x1b\][^\x07]*\x07|\x1b[=>]")


def recorded(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Everything that a terminal would receive from a command, escape sequences included."""
    ours, theirs = pty.openpty()
    words = shlex.split(command)
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**environment, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        pieces = []
        while piece := _read(ours):
            pieces.append(piece)
        os.close(ours)
    if process.returncode:
        raise RuntimeError(f"{command} ended with status {process.returncode}: {b''.join(pieces).decode()}")
    return b"".join(pieces).decode("utf-8")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux reports the end of a pseudo-terminal so
        return b""


def screen(text: str) -> list[Line]:
    """The lines on the terminal at the end: progress that was overwritten is gone."""
    rows: list[list[tuple[str, Style]]] = [[]]
    row, column, style = 0, 0, (INK, False)
    at = 0
    while at < len(text):
        if escape := _ESCAPE.match(text, at):
            at = escape.end()
            if escape["final"] == "m":
                style = _style(style, escape["numbers"])
            elif escape["final"] == "K":
                del rows[row][0 if escape["numbers"] == "2" else column :]
            elif escape["final"] == "A":
                row = max(0, row - int(escape["numbers"] or 1))
            continue
        letter, at = text[at], at + 1
        if letter == "\r":
            column = 0
        elif letter == "\n":
            row, column = row + 1, 0
            if row == len(rows):
                rows.append([])
        elif letter.isprintable():
            if column == COLUMNS:  # a terminal goes on in the next line
                row, column = row + 1, 0
                if row == len(rows):
                    rows.append([])
            cells = rows[row]
            cells += [(" ", (INK, False))] * (column + 1 - len(cells))
            cells[column] = (letter, style)
            column += 1
    lines = [_runs(cells) for cells in rows]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _style(style: Style, numbers: str) -> Style:
    for number in map(int, filter(None, (numbers or "0").split(";"))):
        if number == 0:
            style = (INK, False)
        elif number == 1:
            style = (style[0], True)
        elif number == 2:
            style = (QUIET, style[1])
        elif number == 22:
            style = (INK if style[0] == QUIET else style[0], False)
        elif number == 39:
            style = (INK, style[1])
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style = (PALETTE[number % 10], style[1])
    return style


def _runs(cells: Sequence[tuple[str, Style]]) -> Line:
    runs: Line = []
    for letter, style in cells:
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + letter, style)
        else:
            runs.append((letter, style))
    if runs and not runs[-1][0].strip():
        runs.pop()
    return runs


def drawing(session: Sequence[tuple[str, list[Line]]], note: str = "") -> str:
    """The SVG of commands with the lines that each printed; `note` becomes a comment in it."""
    parts, second, y = [], 0.6, BAR + LINE
    for command, lines in session:
        typed = f'<tspan fill="{PROMPT}">$ </tspan><tspan font-weight="600">{html.escape(command)}</tspan>'
        parts.append(f'<g style="animation-delay:{second:.1f}s"><text y="{y}">{typed}</text></g>')
        second += 0.4 + TYPING * len(command)
        y += LINE
        parts.append(f'<g style="animation-delay:{second:.1f}s">')
        for line in lines:
            if line:
                parts.append(f'<text y="{y}">{"".join(map(_span, line))}</text>')
            y += LINE
        parts.append("</g>")
        second += PAUSE
        y += LINE // 2
    width, height = round(2 * MARGIN + COLUMNS * LETTER), y + MARGIN - LINE // 2
    dots = "".join(
        f'<circle cx="{MARGIN + 4 + 16 * n}" cy="15" r="5" fill="{colour}"/>'
        for n, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="A terminal: daypack indexes a project, packs an answer and follows a citation">\n'
        f"{note}<style>text{{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:{INK};white-space:pre}}"
        "@media (prefers-reduced-motion:no-preference){g{animation:show .2s both}}"
        "@keyframes show{from{opacity:0}}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>{dots}\n'
        f'<svg x="{MARGIN}" overflow="visible">\n' + "\n".join(parts) + "\n</svg>\n</svg>\n"
    )


def _span(run: tuple[str, Style]) -> str:
    text, (colour, bold) = run
    shown = html.escape(text, quote=False)
    facts = (f' fill="{colour}"' if colour != INK else "") + (' font-weight="600"' if bold else "")
    return f"<tspan{facts}>{shown}</tspan>" if facts else shown


def made(folder: Path, environment: dict[str, str], note: str = "") -> str:
    """Run the commands in a folder and draw them."""
    session = []
    for command in COMMANDS:
        text = recorded(command, folder, environment).replace(str(folder.parent), "~")
        session.append((command, screen(text)))
    return drawing(session, note)


def masked(svg: str) -> str:
    """A drawing in which dates and random tokens are all alike."""
    return re.sub(r"\b20\d\d-\d\d-\d\d\b|(?<= )\d{1,2} [A-Z][a-z]{2}(?=\])|\b[0-9a-f]{16}\b", "0", svg)
