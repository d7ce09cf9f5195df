"""Names of R: a dot is a letter of a name, and a variable is no function."""

from __future__ import annotations

from pathlib import Path

from code_support import opened


def test_a_name_with_dots_is_the_whole_name_of_a_function(tmp_path: Path) -> None:
    files = {
        "R/tide.R": "read.tide <- function(path) {\n  as.tide(path)\n}\n\nas.tide <- function(x) x\n\nprint.tide <- function(x, ...) {\n  cat(1)\n}\n",
        "R/use.R": "go <- function(x) {\n  read.tide(x)\n}\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [row.name for row in dp.code.symbols(path="R/tide.R")] == [
            "read.tide",
            "as.tide",
            "print.tide",
        ]
        assert [row.at for row in dp.code.callers("read.tide")] == ["R/use.R:2"]
        assert [row.at for row in dp.code.callers("R/tide.R:as.tide")] == ["R/tide.R:2"]
        assert dp.search("print.tide")[0].chunk.name == "print.tide"


def test_a_variable_outside_of_functions_is_no_function_of_its_name(tmp_path: Path) -> None:
    files = {
        "R/tide.R": "count <- function(x) x\n\nlow <- function(x) x\n",
        "tests/test_tide.R": 'test_that("a", {\n  if (is.null(count <- 1)) 2\n  lapply(1:3, function(low) low + count)\n  rise <- high(2)\n  high(rise)\n  lapply(1:3, high)\n  count(count)\n})\n',
        "R/high.R": "high <- function(x) x\n\nrise <- function(x) x\n",
    }
    with opened(tmp_path / "app", files) as dp:
        edges = dp.code.edges("tests/test_tide.R")
        found = {
            (edge.relation, edge.line, edge.target.name)
            for edge in edges
            if edge.relation in ("calls", "uses")
        }
    assert found == {("calls", 4, "high"), ("calls", 5, "high"), ("uses", 6, "high"), ("calls", 7, "count")}
