"""Code that a project ships to those who test, in packages called `mock` or `test`, is no test of its own."""

from __future__ import annotations

from pathlib import Path

from tests.doors.code.code_support import opened

BANK = """\
package shop.mock;

/** A bank that fails on demand. */
public final class FakeBank {
  private int percent = 3;

  /** Sets the share of payments that fail. */
  public void setFailurePercent(int percent) {
    this.percent = percent;
  }

  public boolean fails(int dice) {
    return dice < percent;
  }
}
"""
CALL = """\
package shop.mock;

public final class FakeCall {
  public boolean run(FakeBank bank) {
    return bank.fails(7);
  }
}
"""
TEST = """\
package shop.mock;

public final class FakeBankTest {
  public void failsBelowItsShareOfPayments() {
    assertTrue(new FakeBank().fails(2));
  }
}
"""
PAYMENTS = """\
package shop.bank;

public final class Payments {
  /** Counts the payments that fail in a row. */
  public int failuresInRow(boolean[] payments) {
    int row = 0;
    for (boolean payment : payments) {
      row = payment ? 0 : row + 1;
    }
    return row;
  }
}
"""
FILES = {
    "src/main/java/shop/mock/FakeBank.java": BANK,
    "src/main/java/shop/mock/FakeCall.java": CALL,
    "src/main/java/shop/bank/Payments.java": PAYMENTS,
    "src/test/java/shop/mock/FakeBankTest.java": TEST,
}


def test_the_tests_of_a_fake_are_not_the_fakes_that_call_it(tmp_path: Path) -> None:
    with opened(tmp_path / "shop", FILES) as dp:
        found = [row.symbol.file for row in dp.code.tests_for("FakeBank.fails")]
    assert found == ["src/test/java/shop/mock/FakeBankTest.java"]


def test_a_question_about_a_fake_finds_it_before_other_code(tmp_path: Path) -> None:
    with opened(tmp_path / "shop", FILES) as dp:
        found = dp.search("set the share of payments that fail", limit=3).candidates
    assert found[0].chunk.uri == "src/main/java/shop/mock/FakeBank.java"
