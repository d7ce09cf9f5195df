"""Callers and tests of constructors, which run when their class is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

FILES = {
    "cart.py": "def checked(x):\n    return x\n\n\nclass Cart:\n    def __init__(self, x):\n        self.x = checked(x)\n\n    def copy(self):\n        return Cart(self.x)\n\n\nclass Gift(Cart):\n    def __init__(self, x):\n        super().__init__(x)\n",
    "test_cart.py": "from cart import Cart\n\n\ndef test_cart():\n    assert Cart(1).x == 1\n",
    "box.ts": "export class Box {\n  constructor(x: number) {}\n}\nexport function pack() {\n  return new Box(1);\n}\n",
    "Till.java": "class Till {\n  Till(int x) {}\n}\nclass Shop {\n  Till open() {\n    return new Till(2);\n  }\n}\n",
    "pier.cpp": "class Pier {\npublic:\n  Pier(int x);\n  int y;\n};\nPier::Pier(int x) {\n  y = x;\n}\nint moor() {\n  return (new Pier(3))->y;\n}\n",
    "kiosk.php": "<?php\nclass Kiosk {\n  public function __construct($x) { $this->x = $x; }\n}\nfunction sell() {\n  return new Kiosk(1);\n}\n",
    "Ferry.cs": "class Ferry {\n  public Ferry(int x) { }\n}\nclass Dock {\n  Ferry Call() {\n    return new Ferry(1);\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("reference", "called_at"),
    [
        ("Cart.__init__", {"cart.py:10", "cart.py:15", "test_cart.py:5"}),
        ("Gift.__init__", set()),
        ("Box.constructor", {"box.ts:5"}),
        ("Till.Till", {"Till.java:6"}),
        ("Pier.Pier", {"pier.cpp:10"}),
        ("Kiosk.__construct", {"kiosk.php:6"}),
        ("Ferry.Ferry", {"Ferry.cs:6"}),
    ],
)
def test_the_calls_of_a_class_are_those_of_its_constructor(
    tmp_path: Path, reference: str, called_at: set[str]
) -> None:
    with opened(tmp_path, FILES) as dp:
        assert {row.at for row in dp.code.callers(reference)} == called_at


def test_what_only_a_constructor_calls_has_the_tests_of_its_class(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        assert [row.symbol.name for row in dp.code.tests_for("checked")] == ["test_cart"]
        assert [row.symbol.name for row in dp.code.tests_for("Cart.__init__")] == ["test_cart"]
