"""A symbol under a further name: `const sum = total` in its file, `cost = price` in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack.doors.code.graph.facts import CodePlace
from daypack.doors.code.graph.users import users_by_any_name
from tests.doors.code.code_support import opened

TYPESCRIPT = {
    "src/money.ts": "export function total(items: number[]) {\n  return items.length;\n}\n\nconst sum = total;\nexport { sum };\nexport const made = total([]);\n",
    "src/cart.ts": 'import { sum } from "./money";\n\nexport function checkout(items: number[]) {\n  return sum(items) * 2;\n}\n',
    "src/report.ts": 'import { made } from "./money";\n\nexport function report() {\n  return made * 2;\n}\n',
}
PYTHON = {
    "money.py": "def total(items):\n    return len(items)\n\n\nsum_of = total\nmade = total([])\n",
    "cart.py": "from money import sum_of\n\n\ndef checkout(items):\n    return sum_of(items) * 2\n",
    "report.py": "from money import made\n\n\ndef report():\n    return made * 2\n",
}
PYTHON_ELSEWHERE = {
    "money.py": "def total(items):\n    return len(items)\n",
    "names.py": "from money import total\n\nsum_of = total\nmade = total([])\n",
    "cart.py": "from names import sum_of\n\n\ndef checkout(items):\n    return sum_of(items) * 2\n",
    "report.py": "from names import made\n\n\ndef report():\n    return made * 2\n",
}


@pytest.mark.parametrize("files", [TYPESCRIPT, PYTHON, PYTHON_ELSEWHERE])
def test_a_call_by_a_further_name_is_a_use_of_the_function(tmp_path: Path, files: dict[str, str]) -> None:
    with opened(tmp_path, files) as dp:
        graph = dp.code.graph()
        (uri,) = [uri for uri in files if "money" in uri]
        with dp.engine.store.reading():
            users = {edge.source.uri for edge in users_by_any_name(graph, CodePlace(uri, 0))}
    assert any("cart" in user for user in users)
    assert not any("report" in user for user in users)  # it uses a result, which has no further name


@pytest.mark.parametrize("files", [TYPESCRIPT, PYTHON])
def test_impact_shows_the_callers_by_a_further_name(tmp_path: Path, files: dict[str, str]) -> None:
    with opened(tmp_path, files) as dp:
        pack = dp.pack("total", budget=2000, task="impact")
    found = {part.signal for one in pack.candidates if "cart" in one.chunk.uri for part in one.contributions}
    assert "calls" in found
