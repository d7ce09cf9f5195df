"""Notebooks: what a cell printed is read as a person sees it, whole or with its beginning and its end."""

from __future__ import annotations

import json

from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.pages import notebooks
from daypack.types import Record


def rendered(*outputs: dict[str, object]) -> str:
    """The text of a notebook with one cell, below the cell."""
    cell = {"cell_type": "code", "source": "train()", "outputs": [*outputs]}
    record = record_from_bytes(json.dumps({"cells": [cell]}).encode(), uid="a.ipynb")
    assert isinstance(record, Record)
    return record.text.removeprefix("```python cell 1\ntrain()\n```\n").strip("\n")


def printed(text: str) -> dict[str, object]:
    return {"output_type": "stream", "text": text}


def shown(**data: str) -> dict[str, object]:
    return {
        "output_type": "execute_result",
        "data": {name.replace("_", "/", 1): value for name, value in data.items()},
    }


def test_a_long_training_run_ends_with_its_result() -> None:
    text = rendered(printed("".join(f"Epoch {n}: loss {1 / n:.4f}\n" for n in range(1, 301))))
    assert "Epoch 1: loss 1.0000" in text
    assert "Epoch 300: loss 0.0033" in text
    assert "\n…\n" in text
    assert text.count("\n") < notebooks.MAX_OUTPUT_LINES + 3


def test_long_lines_are_shortened_between_beginning_and_end() -> None:
    text = rendered(printed("first " + "word " * 3_000 + "last"))
    assert "first word" in text
    assert "word last" in text
    assert len(text) < notebooks.MAX_OUTPUT_CHARACTERS + 50


def test_a_summary_of_forty_lines_is_whole() -> None:
    lines = [f"coefficient {n}" for n in range(40)]
    assert "\n".join(lines) in rendered(printed("\n".join(lines)))


def test_names_of_objects_are_not_outputs() -> None:
    assert rendered(shown(text_plain="<Figure size 640x480 with 1 Axes>")) == ""
    assert (
        rendered(shown(text_plain="[<matplotlib.lines.Line2D at 0x7f1c0a>,\n <a.b.Bar object at 0x0>]")) == ""
    )
    assert rendered(printed("accuracy 0.9\n"), shown(text_plain="<Axes: xlabel='t'>")) == (
        "```text output 1\naccuracy 0.9\n```"
    )


def test_a_tensor_is_an_output() -> None:
    assert "<tf.Tensor: shape=(), numpy=3>" in rendered(shown(text_plain="<tf.Tensor: shape=(), numpy=3>"))


def test_a_progress_bar_is_read_as_it_ends() -> None:
    text = rendered(printed("10%\r50%\r100% done\nsaved\r\n"))
    assert text == "```text output 1\n100% done\nsaved\n```"


def test_links_and_colours_of_a_terminal_leave_their_words() -> None:
    text = rendered(printed("\x1b[32mdone\x1b[0m: \x1b]8;;https://runs.example/7\x1b\\run 7\x1b]8;;\x1b\\\n"))
    assert text == "```text output 1\ndone: run 7\n```"


def test_shown_markdown_and_pages_stand_in_place_of_their_objects() -> None:
    text = rendered(
        shown(text_plain="<IPython.core.display.Markdown object>", text_markdown="**The mean is 3.**")
    )
    assert "**The mean is 3.**" in text
    page = "<table><tr><th>age</th></tr><tr><td>41</td></tr></table>"
    text = rendered(shown(text_plain="<IPython.core.display.HTML object>", text_html=page))
    assert "age" in text
    assert "41" in text
    assert "<td>" not in text


def test_values_of_notebooks_of_format_3_are_read() -> None:
    cell = {
        "cell_type": "code",
        "input": "6 * 7",
        "outputs": [{"output_type": "pyout", "text": ["42"]}, {"output_type": "pyerr", "ename": "E"}],
    }
    data = json.dumps({"worksheets": [{"cells": [cell]}]}).encode()
    record = record_from_bytes(data, uid="a.ipynb")
    assert isinstance(record, Record)
    assert "42\nE:" in record.text
