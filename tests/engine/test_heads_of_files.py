"""The head of a file, its namespace and licence, repeats words of its path and answers nothing, with imports or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

PHP = """\
<?php

/**
 * Harbour (https://harbour.test)
 *
 * @license https://harbour.test/LICENSE (MIT License)
 */

declare(strict_types=1);

namespace Harbour\\Berth\\Mooring;

interface Mooring
{
    /** Ties up to the harbour. */
    public function atFirstFreePlace(int $length): string;
}
"""
STRICT = "'use strict';\n\n/**\n * Ropes.\n */\nmodule.exports = function rope(length) {\n  return first(length);\n};\n"


@pytest.mark.parametrize(("name", "text"), [("src/Berth/Mooring.php", PHP), ("berth/mooring.js", STRICT)])
def test_the_head_of_a_file_without_imports_does_not_come_before_its_code(
    tmp_path: Path, name: str, text: str
) -> None:
    others = {f"other/part{n}.go": f"package part{n}\n\nfunc Step{n}() {{}}\n" for n in range(5)}
    root = project(tmp_path / "harbour", {name: text, **others})
    with Daypack.open(root / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(root)
        found = daypack.search("what is a mooring of the harbour?", limit=4).candidates
    assert "irst" in next(one.chunk.text for one in found if one.chunk.uri == name)
