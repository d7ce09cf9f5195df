"""Tests in the file of the code that they test are tests for the ranking, as those in files of their own are."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.chunk import cut
from daypack.types import Record, RecordKind
from support import WORDS, project

SIZES = """\
/// Parses a human readable size, such as 10K.
pub fn parse(text: &str) -> Result<u64, ParseError> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let value = digits.parse::<u64>()?;
    Ok(value << shift(&text[digits.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(text: &str) -> u64 {
        parse(text).unwrap()
    }

    #[test]
    fn human_readable_sizes_are_parsed() {
        assert_eq!(size("10K"), 10 << 10);
    }

    #[test]
    fn a_human_readable_size_without_digits_is_not_parsed() {
        assert!(parse("K").is_err());
    }
}
"""
FILES = {
    "src/sizes.rs": SIZES,
    **{f"src/part{n}.rs": f"pub fn step{n}(size: u64) -> u64 {{\n    size + {n}\n}}\n" for n in range(5)},
}
BORDER = SIZES.split("\n").index("#[cfg(test)]") + 1


@pytest.mark.parametrize(
    ("question", "is_test"),
    [
        ("where are human readable sizes parsed?", False),
        ("which tests check that human readable sizes are parsed?", True),
    ],
)
def test_tests_below_the_code_come_first_for_those_who_ask_for_tests(
    tmp_path: Path, question: str, is_test: bool
) -> None:
    sizes = project(tmp_path / "sizes", FILES)
    with Daypack.open(tmp_path / "s", root=sizes, settings=WORDS) as daypack:
        daypack.files.add(sizes)
        best = daypack.search(question)[0].chunk
    assert best.uri == "src/sizes.rs"
    assert (best.span.start_line >= BORDER) == is_test


def test_a_module_of_tests_is_marked_from_its_attribute_to_its_end() -> None:
    text = f"{SIZES}\n#[test]\nfn alone() {{}}\n\n#[cfg(not(test))]\nfn built() {{}}\n"
    pieces = cut(Record("src/sizes.rs", text, RecordKind.CODE, language="rust")).pieces
    marked = {piece.name: piece.is_test for piece in pieces}
    assert marked.pop("parse") is marked.pop("built") is False
    assert set(marked.values()) == {True}
    assert marked.keys() >= {"tests", "tests.size", "alone"}
