"""A name that no code here defines, as that of a package: the lines that say it are listed instead of an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack.errors import NotFound
from tests.doors.code.code_support import opened

FILES = {
    "src/cart.js": "const onFinished = require('on-finished')\n\nfunction pay (res) {\n  onFinished(res, () => {})\n"
    "  res.body = 1\n}\n\nmodule.exports = { pay }\n",
    "test/cart.test.js": "const request = require('supertest')\n\ntest('pays', () => {\n  request(1).get('/')\n})\n",
    "docs/cart.md": "# Cart\n\nIt calls onFinished.\n",
}


def test_the_lines_that_say_the_name_of_a_package_are_listed(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        listings = [
            dp.code.related("onFinished"),
            dp.code.callers("onFinished"),
            dp.code.callers("on-finished"),
        ]
        of_member = dp.code.callers("res.body")
    assert [row.at for row in listings[0]] == ["src/cart.js:1", "src/cart.js:4"]
    assert [row.at for row in listings[1]] == ["src/cart.js:1", "src/cart.js:4"]
    assert [row.at for row in listings[2]] == ["src/cart.js:1"]
    assert [row.at for row in of_member] == ["src/cart.js:5"]
    for rows in (*listings, of_member):
        assert {row.relationship for row in rows} == {("mentioned_by",)}
        assert rows.seen.hints[-1][1].endswith("these lines say it")
    assert listings[0].seen.hints[-1][1] == "no symbol named 'onFinished'; these lines say it"


def test_tests_of_a_name_that_no_code_defines_are_those_that_say_it(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        assert [row.at for row in dp.code.tests_for("supertest")] == ["test/cart.test.js:1"]
        with pytest.raises(NotFound, match="onFinished"):
            dp.code.tests_for("onFinished")  # no test says it


@pytest.mark.parametrize("name", ["net/http", "github.com/on/finished/v2", "@ferry/on-finished", "node:http"])
def test_the_lines_that_import_a_package_by_its_path_are_listed(tmp_path: Path, name: str) -> None:
    files = {"shop/main.go": f'package shop\n\nimport (\n\t"fmt"\n\t"{name}"\n\t"{name}x"\n)\n'}
    with opened(tmp_path, files) as dp:
        rows = dp.code.related(name)
    assert [row.at for row in rows] == ["shop/main.go:5"]
    assert rows.seen.hints[-1][1].endswith(f" named {name!r}; these lines say it")


def test_a_path_in_a_folder_that_is_here_leads_to_its_file(tmp_path: Path) -> None:
    use = {"src/pay.js": "const cart = require('../src/cart')\n"}
    with opened(tmp_path, FILES | use) as dp, pytest.raises(NotFound, match=r"did you mean src/cart\.js"):
        dp.code.related("src/cart")


def test_the_lines_that_still_say_a_file_that_is_gone_are_listed(tmp_path: Path) -> None:
    with opened(tmp_path, FILES | {"src/pay.js": "const gone = require('../src/gone.js')\n"}) as dp:
        assert [row.at for row in dp.code.related("src/gone.js")] == ["src/pay.js:1"]


@pytest.mark.parametrize("name", ["noSuchThing", "src", "src/none.js", "none-such", "pay.none"])
def test_what_no_line_says_is_not_found(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, FILES) as dp:
        for ask in (dp.code.related, dp.code.callers, dp.code.tests_for):
            with pytest.raises(NotFound):
                ask(name)
