"""Jupyter notebooks as Markdown: prose unchanged, code in fences, and what a cell printed below its code.

    ```python cell 3            the info string names the cell
    scores.describe()
    ```

    ```text output 3            its beginning and its end, if it is long: a training run ends with its result
    mean     0.91
    …
    max      0.97
    ```

Left out are names of objects (`<Figure size 640x480 with 1 Axes>`), progress bars that were written over, and encoded data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from daypack.doors.reading.pages.rendering import render_html
from daypack.guard.fences import fence
from daypack.shapes.loose_json import objects_of, parsed
from daypack.text.terminal_text import last_shown

# Of the output of one cell. Of 2,600 outputs in 70 notebooks of courses and papers 98 % are whole.
MAX_OUTPUT_LINES, LAST_LINES = 60, 20
MAX_OUTPUT_CHARACTERS, LAST_CHARACTERS = 4_000, 1_500
ENCODED = 500  # characters of a line without a blank

# A line that only names an object, as `[<matplotlib.lines.Line2D at 0x7f1c>]`.
_OBJECT = re.compile(
    r"[ \t\[(]*<(?:Figure size [^<>\n]*|[\w.]+(?: object)? at 0x[0-9a-fA-F]+|IPython\.[\w.]+ object|Axes(?:Subplot)?:[^<>\n]*)>[\])]*,?[ \t]*"
)


class Notebook(NamedTuple):
    """The text of a notebook, and its places as metadata store `Pages`."""

    text: str
    pages: dict[str, Any]


def render_notebook(text: str) -> Notebook | None:
    """The notebook as Markdown; None for other files."""
    notebook = parsed(text, None)
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None:  # format 3 has them in worksheets
        sheets = notebook.get("worksheets")
        first = sheets[0] if isinstance(sheets, list) and sheets else None
        cells = first.get("cells") if isinstance(first, dict) else None
    if not isinstance(cells, list):
        return None
    language = _language(notebook)
    parts: list[str] = []
    lines, names, line = list[int](), list[str](), 1
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        before = len(parts)
        source = _joined(cell.get("source", cell.get("input"))).strip("\n")
        kind = cell.get("cell_type")
        if kind == "code":
            if source.strip():
                parts.append(_fence(source, f"{language} cell {number}"))
            output = _outputs(cell.get("outputs"))
            if output:
                parts.append(_fence(output, f"text output {number}"))
        elif kind == "heading" and isinstance(cell.get("level"), int):
            parts.append(f"{'#' * min(6, max(1, cell['level']))} {source}")
        elif source.strip():
            parts.append(source)
        if said := parts[before:]:
            lines.append(line)
            names.append(str(number))
            line += sum(part.count("\n") + 2 for part in said)
    shown = "\n\n".join(parts) + "\n" if parts else ""
    return Notebook(shown, {"unit": "cell", "lines": lines, "names": names})


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    if isinstance(metadata, dict):
        for key, field in (("language_info", "name"), ("kernelspec", "language")):
            info = metadata.get(key)
            if (
                isinstance(info, dict)
                and isinstance(info.get(field), str)
                and re.fullmatch(r"[A-Za-z0-9+#_-]{1,30}", info[field])
            ):
                return str(info[field]).lower()
    return "python"


def _joined(value: object) -> str:
    """The text of a field, which nbformat writes as a string or as a list of lines."""
    if isinstance(value, str):
        return value
    return "".join(line for line in value if isinstance(line, str)) if isinstance(value, list) else ""


def _outputs(outputs: object) -> str:
    """The text that a cell printed, showed and raised; "" for none that a person reads."""
    said = last_shown("\n".join(part.strip("\n") for part in _texts(outputs) if part.strip()))
    lines = [line for line in said.split("\n") if not _OBJECT.fullmatch(line)]
    if any(len(line) > ENCODED and " " not in line for line in lines):
        return ""
    return _shortened("\n".join(lines).strip("\n"))


def _texts(outputs: object) -> Iterator[str]:
    for output in objects_of(outputs):
        kind, data = output.get("output_type"), output.get("data")
        if kind in ("error", "pyerr"):
            yield f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
        elif kind == "stream":
            yield _joined(output.get("text"))
        elif isinstance(data, dict):
            yield _shown(_joined(data.get("text/plain")), data)
        elif kind in ("pyout", "display_data"):  # format 3
            yield _joined(output.get("text"))


def _shown(plain: str, data: Mapping[str, Any]) -> str:
    """The text of an object that a cell showed: in place of its bare name its Markdown or its page."""
    if plain.strip() and not _OBJECT.fullmatch(plain.strip()):
        return plain
    if markdown := _joined(data.get("text/markdown")):
        return markdown
    page = _joined(data.get("text/html"))
    return (render_html(page) or "") if page and "<script" not in page else plain


def _shortened(text: str) -> str:
    """The text, or its beginning and its end."""
    lines = text.split("\n")
    if len(lines) <= MAX_OUTPUT_LINES and len(text) <= MAX_OUTPUT_CHARACTERS:
        return text
    last = "\n".join(lines[-LAST_LINES:])[-LAST_CHARACTERS:]
    first = "\n".join(lines[: MAX_OUTPUT_LINES - LAST_LINES])[: MAX_OUTPUT_CHARACTERS - LAST_CHARACTERS]
    return f"{first}\n…\n{last}"


def _fence(text: str, info: str) -> str:
    mark = fence(text)
    return f"{mark}{info}\n{text}\n{mark}"
