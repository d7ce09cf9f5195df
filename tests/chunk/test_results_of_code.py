"""What code printed stays with the code."""

from __future__ import annotations

from chunk_checks import cut_text, texts


def cell(number: int, source: str, output: str = "") -> str:
    code = f"```python cell {number}\n{source}\n```\n\n"
    return code + (f"```text output {number}\n{output}\n```\n\n" if output else "")


def pieces(text: str) -> list[str]:
    return texts(text, cut_text(text, "markdown"))


def test_an_output_is_in_the_piece_of_its_cell() -> None:
    text = "# Scores\n\n" + "".join(
        cell(n, f"score({n})\n# {'why ' * 40}", f"result {n}") for n in range(1, 9)
    )
    for piece in pieces(text):
        for n in range(1, 9):
            assert (f"score({n})" in piece) == (f"result {n}" in piece)


def test_code_moves_to_the_piece_of_its_output_where_both_do_not_fit_with_the_text_above() -> None:
    text = (
        "The model is fitted to all rows:\n\n"
        + cell(1, "# " + "x " * 300)
        + cell(2, "fit(rows)", "mean " * 80)
    )
    (of_fit,) = [piece for piece in pieces(text) if "fit(rows)" in piece]
    assert "mean mean" in of_fit


def test_an_output_that_is_too_long_for_its_code_is_a_piece_of_its_own() -> None:
    text = cell(1, "fit(rows)", "\n".join(f"row {n} has the value {n * n}" for n in range(80)))
    assert all(len(piece) < 2_000 for piece in pieces(text))


def test_outputs_of_lessons_are_results_too() -> None:
    for mark in ("```output", "~~~ {.output}"):
        closing = mark[:3]
        code = "".join(
            f"```r\nmean(x{n}) # {'a long remark ' * 12}\n```\n\n{mark}\n[1] {n}.5\n{closing}\n\n"
            for n in range(6)
        )
        for piece in pieces(code):
            for n in range(6):
                assert (f"mean(x{n})" in piece) == (f"[1] {n}.5" in piece)
