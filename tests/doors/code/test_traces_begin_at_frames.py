"""The answer to a trace begins with the function of its deepest frame, and with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doors.code.code_support import opened

ABOVE = "\n\n".join(
    f"/** Part {n} of the cart. */\nCart.prototype.part{n} = function (lines) {{\n  return lines.length + {n}\n}}"
    for n in range(30)
)
CART = (
    f"const Cart = function () {{}}\n\n{ABOVE}\n\nfunction totalOf (lines) {{\n  const sum = lines.length\n  return sum * 2\n}}\n\n"
    "function checkout (lines) {\n  return totalOf(lines) + 1\n}\n\nmodule.exports = { totalOf, checkout }\n"
)
LINE = CART.split("\n").index("  const sum = lines.length") + 1
CALL = CART.split("\n").index("  return totalOf(lines) + 1") + 1
FILES = {
    "src/cart.js": CART,
    "src/errors.js": "// Cannot read properties of undefined: reading length\nfunction length (properties) {\n"
    "  throw new TypeError('Cannot read properties of undefined (reading length)')\n}\n",
}
MESSAGE = "TypeError: Cannot read properties of undefined (reading 'length')"


@pytest.mark.parametrize("budget", [200, 1000, 2000])
@pytest.mark.parametrize(
    "frames",
    [
        f"    at totalOf (/home/ci/shop/src/cart.js:{LINE}:21)",
        f"    at totalOf (file:///home/ci/shop/src/cart.js:{LINE}:21)\n    at checkout (file:///home/ci/shop/src/cart.js:{CALL}:10)",
        f"    at totalOf (webpack-internal:///(app-pages-browser)/./src/cart.js:{LINE}:21)",
        f"    at totalOf (/srv/app/node_modules/shop/src/cart.js:{LINE}:21",  # cut off
    ],
)
def test_the_first_excerpt_begins_with_the_function_of_the_frame(
    tmp_path: Path, frames: str, budget: int
) -> None:
    with opened(tmp_path, FILES) as dp:
        pack = dp.pack(f"{MESSAGE}\n{frames}\n", budget=budget, task="trace")
    first = pack.excerpts[0]
    assert first.text.startswith("function totalOf")
    assert "const sum = lines.length" in first.text


def test_a_trace_of_another_program_says_so(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        pack = dp.pack(f"{MESSAGE}\n    at run (/srv/other/lib/run.js:3:1)\n", budget=500, task="trace")
        of_message = dp.pack(MESSAGE, budget=500, task="trace")
    assert "no frame of the trace is in a stored file" in pack.text
    assert "no frame" not in of_message.text


def test_a_pack_for_nothing_but_a_trace_begins_with_the_function_of_its_frame(tmp_path: Path) -> None:
    like = "// Cannot read what is undefined, nor the length of its properties.\nfunction reading (length) {\n  return length.properties\n}\n"
    trace = f"{MESSAGE}\n    at totalOf (/home/ci/shop/src/cart.js:{LINE}:21)\n"
    with opened(tmp_path, FILES | {"src/errors.js": like}) as dp:
        pack = dp.pack(trace, budget=500)
    assert "const sum = lines.length" in pack.excerpts[0].text
