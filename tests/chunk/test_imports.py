"""The first lines of a file in many languages: they name its place and its imports, and say nothing of what it does."""

from __future__ import annotations

import pytest

from daypack import chunk
from daypack.chunk.imports import only_imports, only_link_targets
from daypack.testing import make_record
from daypack.types import PieceKind, RecordKind
from support import in_the_end

HEADS = {
    "go": """// Copyright 2026 The Harbour Authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.

package harbour

import (
\t"fmt"
\t"os"

\tferry "example.org/ferry/v2"
)

""",
    "java": """/*
 * Copyright 2026 The Harbour Authors. Licensed under the Apache License, Version 2.0.
 */
package org.example.harbour;

import java.util.List;
import java.util.Map;

""",
    "php": """<?php declare(strict_types=1);

/*
 * This file is part of Harbour. See the LICENSE file that came with it.
 */

namespace Harbour\\Berth;

use Harbour\\Ferry;

""",
    "scala": """/*
 * Copyright (c) 2026 Harbour
 */

package harbour
package berth

import scala.annotation.tailrec

""",
    "python": """# Copyright 2026 Harbour
from __future__ import annotations

import os
from ferry import (
    Berth,
    Quay,
)

""",
    "typescript": """import { Berth } from './berth'
import type { Quay } from './quay'

""",
}
NOTICE = (
    "Copyright 2021 The Harbour Company and its contributors.",
    "Licensed under the Harbour License; you may not sail with this file except in compliance with it.",
    "It is lent on an as is basis, without warranties of any kind, be they of wind, of tide or of weather.",
)
BODIES = {
    "go": "func Moor() string {\n\treturn fmt.Sprint(os.Args, ferry.Name)\n}\n",
    "java": "class Harbour {\n    List<String> berths() {\n        return null;\n    }\n}\n",
    "php": "class Harbour\n{\n    public function moor(): string\n    {\n        return 'moored';\n    }\n}\n",
    "scala": "object Harbour {\n  def moor(name: String): String = name\n}\n",
    "python": "def moor(name):\n    return Berth(os.getcwd(), Quay(name))\n",
    "typescript": "export function moor(quay: Quay): Berth {\n  return new Berth(quay)\n}\n",
}


def imports_found(language: str, text: str) -> list[bool]:
    cut = chunk.cut(make_record(text, "harbour", kind=RecordKind.CODE, language=language))
    return [only_imports(text[piece.span.start : piece.span.end], cut.imports) for piece in cut.pieces]


@pytest.mark.parametrize("language", HEADS)
def test_the_head_of_a_file_is_told_from_its_body(language: str) -> None:
    found = imports_found(language, HEADS[language] + BODIES[language])
    assert found[0]
    assert not any(found[1:])
    assert len(found) > 1


def test_a_comment_that_says_what_a_file_does_is_more_than_imports() -> None:
    about = (
        "// Package harbour moors ferries at the first free berth, by the tide and the length of the ferry.\n"
    )
    assert not imports_found("go", about + HEADS["go"].split("\n\n", 1)[1] + BODIES["go"])[0]


BARRELS = (
    "export * from './berth'\nexport type { Tide } from './tide'\n",
    "'use client';\nexport {\n  Berth,\n  //\n  Quay as Root,\n} from './berth';\n",
    "import { Berth } from './berth'\nimport { Quay } from './quay'\n\nexport { Berth, Quay }\nexport type { Tide } from './tide'\n",
)


@pytest.mark.parametrize("text", BARRELS)
@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_a_file_that_exports_what_others_define_is_imports(language: str, text: str) -> None:
    if language == "javascript":
        text = text.replace("export type {", "export {")
    assert all(imports_found(language, text))


def test_a_long_list_of_exports_is_imports_to_its_end() -> None:
    names = "".join(f"  BerthOfTheFerryNumber{number},\n" for number in range(120))
    assert all(imports_found("typescript", f"export {{\n{names}}} from './berths'\n"))


@pytest.mark.parametrize(
    "text",
    ["export const depth = 4\n", "export default { depth: 4 }\n", "export { moor }\n" + BODIES["typescript"]],
)
def test_an_export_with_a_value_is_more_than_imports(text: str) -> None:
    assert not all(imports_found("typescript", text))


def test_constants_beside_imports_are_more_than_imports() -> None:
    assert not only_imports('import os\n\nBERTHS = {"north": 12, "south": 7}\n', ["import os"])


def test_a_text_without_a_line_is_no_import() -> None:
    assert not only_imports("", ["import os"])


@pytest.mark.parametrize("language", ["java", "scala", "typescript"])
def test_a_notice_of_copyright_is_a_piece_of_its_own(language: str) -> None:
    about = "/*\n" + "".join(f" * {line}\n" for line in NOTICE) + " */\n\n"
    text = about + HEADS[language] + BODIES[language]
    pieces = chunk.cut(make_record(text, "harbour", kind=RecordKind.CODE, language=language)).pieces
    assert pieces[0].kind is PieceKind.FRONT_MATTER
    assert text[pieces[0].span.start : pieces[0].span.end].rstrip().endswith("*/")
    assert not any("Copyright" in text[piece.span.start : piece.span.end] for piece in pieces[1:])


def test_a_notice_of_one_line_stays_with_the_imports() -> None:
    text = "# Copyright 2021 The Harbour Company\n" + HEADS["python"] + BODIES["python"]
    pieces = chunk.cut(make_record(text, "harbour", kind=RecordKind.CODE, language="python")).pieces
    assert pieces[0].kind is PieceKind.BLOCK


def test_lines_for_the_preprocessor_are_no_notice() -> None:
    text = (
        '#ifndef HARBOUR_LICENSE_H\n#define HARBOUR_LICENSE_H\n#define HARBOUR_COPYRIGHT "the harbour and its contributors"\n'
        + "".join(f'#define HARBOUR_PIER_{n} "the pier of number {n}"\n' for n in range(5))
        + "\nint moor(int berth) {\n    return berth;\n}\n"
    )
    pieces = chunk.cut(make_record(text, "harbour.h", kind=RecordKind.CODE, language="c")).pieces
    assert PieceKind.FRONT_MATTER not in [piece.kind for piece in pieces]


@pytest.mark.parametrize(
    "text",
    [
        "[#12]: https://shop.test/12\n[#13]: https://shop.test/13\n",
        "[guide]: ../docs/guide.md\n\n[carts]: <https://shop.test/carts> 'Carts'\n",
        ".. _shop: https://shop.test\n.. _carts: https://shop.test/carts\n",
    ],
)
def test_the_targets_of_links_say_nothing(text: str) -> None:
    assert only_link_targets(text)


@pytest.mark.parametrize(
    "text",
    [
        "[^1]: The cart is empty.\n",
        "[total]: the sum of all parts\n",
        "- Fixed the cart. [#12]\n\n[#12]: https://shop.test/12\n",
        ".. note:: https://shop.test\n",
        "[cart]\nsize = 3\n",
    ],
)
def test_this_text_is_more_than_targets_of_links(text: str) -> None:
    assert not only_link_targets(text)


def test_many_targets_above_other_text_are_told_soon() -> None:
    with in_the_end():
        assert not only_link_targets("[#12]: https://shop.test/carts/totals.of-one#12\n" * 100 + "Fixed.\n")
