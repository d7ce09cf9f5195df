"""`code impact` and `tests` for a name show the code that has to do with it, and nothing that only reads like it."""

from __future__ import annotations

from pathlib import Path

from tests.doors.code.code_support import opened

LIKE = "\n\n".join(
    f"def berth_total_{n}(berth):\n    total = berth.total({n})\n    return total" for n in range(40)
)


def shown(tmp_path: Path, name: str, files: dict[str, str]) -> str:
    with opened(tmp_path, files) as dp:
        return dp.pack(name, budget=2000, task="impact").text


def test_a_name_that_is_used_once_shows_its_use_and_fills_no_budget(tmp_path: Path) -> None:
    files = {
        "src/harbour.py": "def total_of_berth(berth):\n    return berth.days * berth.price\n",
        "src/bill.py": "from harbour import total_of_berth\n\n\ndef bill(berth):\n    return total_of_berth(berth) + 1\n",
        "src/berths.py": LIKE,
        "docs/bills.md": "# Bills\n\nThe total of a berth is on the bill.\n",
        "docs/api.md": "# Interface\n\nCall `total_of_berth` for the total.\n",
    }
    text = shown(tmp_path, "total_of_berth", files)
    assert "return total_of_berth(berth) + 1" in text
    assert "Call `total_of_berth`" in text
    assert "berth_total_" not in text
    assert "is on the bill" not in text


def test_a_name_with_a_mark_is_found_in_pages(tmp_path: Path) -> None:
    files = {
        "lib/bill.rb": "class Bill\n  def settled?\n    true\n  end\nend\n",
        "docs/api.md": "# Interface\n\n`settled?` is true of a bill without a rest.\n",
    }
    assert "without a rest" in shown(tmp_path, "Bill#settled?", files)


def test_a_file_still_shows_what_its_words_lead_to(tmp_path: Path) -> None:
    files = {
        "src/harbour.py": "DAYS = 3\n\n\ndef total_of_berth(berth):\n    return berth.days * berth.price\n",
        "src/bill.py": "import harbour\n\n\ndef bill(berth):\n    return harbour.total_of_berth(berth)\n",
    }
    assert "src/bill.py" in shown(tmp_path, "src/harbour.py", files)


def test_the_tests_of_a_name_are_those_that_have_to_do_with_it(tmp_path: Path) -> None:
    others = "\n\n".join(
        f"def test_total_of_a_berth_{n}():\n    assert berth_total({n}) == {n}" for n in range(40)
    )
    files = {
        "src/harbour.py": "def total_of_berth(berth):\n    return berth\n\n\ndef berth_total(n):\n    return n\n",
        "tests/test_harbour.py": "from src.harbour import total_of_berth\n\n\ndef test_it():\n    assert total_of_berth(1) == 1\n",
        "tests/test_totals.py": f"from src.harbour import berth_total\n\n\n{others}\n",
    }
    with opened(tmp_path, files) as dp:
        text = dp.pack("total_of_berth", budget=2000, task="tests").text
    assert "assert total_of_berth(1) == 1" in text
    assert "berth_total(" not in text


def test_the_definition_of_a_plain_word_comes_first_then_its_call(tmp_path: Path) -> None:
    tests = "\n".join(
        f"describe('ctx.respond {number}', () => {{\n  it('should respond', () => respond === {number})\n}})\n"
        for number in range(30)
    )
    files = {
        "lib/application.js": "class Application {\n  handle (ctx) {\n    const end = () => respond(ctx)\n    return end()\n  }\n}\n\n"
        "function respond (ctx) {\n  return ctx.res.end(ctx.body)\n}\n",
        "tests/respond.test.js": f"'use strict'\n\n{tests}",
        "docs/respond.md": "# respond\n\nSet `ctx.respond` to respond yourself: respond, respond.\n",
    }
    with opened(tmp_path, files) as dp:
        pack = dp.pack("respond", budget=400, task="impact")
        best = [one.chunk.uri for one in pack.candidates[:2]]
    assert "function respond" in pack.excerpts[0].text
    assert best == ["lib/application.js", "lib/application.js"]
    assert "respond(ctx)" in pack.text


def test_of_a_long_function_the_lines_that_call_the_name_are_shown(tmp_path: Path) -> None:
    steps = "\n\n".join(
        f"  const step{n} = server.prepare({n})\n  server.route(step{n}, '/{n}')" for n in range(200)
    )
    files = {
        "lib/reply.js": "function buildReply (R) {\n  return R.props.slice()\n}\n\nmodule.exports = { buildReply }\n",
        "server.js": "const { buildReply } = require('./lib/reply')\n\n"
        f"function server (options) {{\n  const reply = buildReply(options)\n{steps}\n  return reply\n}}\n",
    }
    text = shown(tmp_path, "buildReply", files)
    assert "reply = buildReply(options)" in text
    assert "step150" not in text
