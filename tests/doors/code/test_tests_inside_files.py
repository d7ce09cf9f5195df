"""Tests that stand in the file of the code that they test."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from tests.doors.code.code_support import opened

CART = """\
pub struct Cart {
    lines: Vec<u32>,
}

impl Cart {
    pub fn add(&mut self, count: u32) {
        self.lines.push(count);
    }

    pub fn total(&self, price: u32) -> u32 {
        let mut sum = 0;
        for count in &self.lines {
            sum += count * price;
        }
        sum
    }

    pub fn discount(&self, price: u32) -> u32 {
        self.total(price) * 9 / 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Cart {
        let mut cart = Cart { lines: Vec::new() };
        cart.add(3);
        cart
    }

    #[test]
    fn a_total_counts_each_line() {
        assert_eq!(filled().total(2), 6);
    }

    #[test]
    fn a_discount_is_a_tenth() {
        assert_eq!(filled().discount(10), 27);
    }
}
"""
SHIP = "use crate::cart::Cart;\n\npub fn cost(cart: &Cart) -> u32 {\n    cart.total(1) + 5\n}\n"
DIFF = """\
--- a/src/cart.rs
+++ b/src/cart.rs
@@ -10,6 +10,6 @@
     pub fn total(&self, price: u32) -> u32 {
         let mut sum = 0;
         for count in &self.lines {
-            sum += price;
+            sum += count * price;
         }
"""


def first_lines(dp: Daypack, task: str) -> list[tuple[str, bool]]:
    """(file, is inside its tests) of each candidate, best first."""
    border = CART.split("\n").index("#[cfg(test)]")
    found = dp.pack(DIFF, budget=300, vectors="none", task=task).candidates
    return [
        (one.chunk.uri, one.chunk.uri == "src/cart.rs" and one.chunk.span.start_line > border)
        for one in found
    ]


def test_the_tests_inside_a_changed_file_come_before_the_changed_code(tmp_path: Path) -> None:
    with opened(tmp_path / "cart", {"src/cart.rs": CART, "src/ship.rs": SHIP}) as dp:
        ranked = first_lines(dp, "tests")
        text = dp.pack(DIFF, budget=120, vectors="none", task="tests").text
        impact = first_lines(dp, "impact")
    assert [inside for _, inside in ranked[:3]] == [True] * 3
    assert "fn a_total_counts_each_line" in text
    assert not impact[0][1]


@pytest.mark.parametrize(
    "attribute", ["#[cfg(not(test))]", "#[cfg_attr(test, derive(Debug))]", "#[cfg(unix)]"]
)
def test_code_for_other_builds_is_no_test(tmp_path: Path, attribute: str) -> None:
    files = {
        "src/cart.rs": CART.replace("#[cfg(test)]", attribute).replace("    #[test]\n", ""),
        "src/ship.rs": SHIP,
    }
    with opened(tmp_path / "cart", files) as dp:
        assert first_lines(dp, "tests") == []
