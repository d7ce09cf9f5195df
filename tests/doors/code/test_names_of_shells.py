"""Names of shells: files that a script reads, and functions that another script only stubs."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

from support import in_the_end


def test_a_script_calls_the_functions_of_the_file_that_it_reads(tmp_path: Path) -> None:
    files = {
        "tide.sh": "tide() {\n  echo 1\n}\n",
        "test/stub.sh": "\\. ../tide.sh\ntide() {\n  echo 2\n}\ntide\n",
        "test/line.sh": "set +e\n\\. ../tide.sh\ntide\n",
        "test/behind.sh": 'set +e\n[ -s ../tide.sh ] && \\. "../tide.sh"\ntide\n',
        "test/folder.sh": '. "$(dirname "${BASH_SOURCE[0]}")/../tide.sh"\ntide\n',
        "test/variable.sh": ". ${ROOT}/tide.sh\ntide\n",
    }
    with opened(tmp_path / "app", files) as dp:
        found = {file: [edge for edge in dp.code.edges(file) if edge.relation == "calls"] for file in files}
        assert {
            file: [(edge.line, edge.target.file, edge.ambiguous) for edge in edges]
            for file, edges in found.items()
        } == {
            "tide.sh": [],
            "test/stub.sh": [(5, "test/stub.sh", False)],
            "test/line.sh": [(3, "tide.sh", False)],
            "test/behind.sh": [(3, "tide.sh", False)],
            "test/folder.sh": [(2, "tide.sh", False)],
            "test/variable.sh": [(2, "tide.sh", False)],
        }


def test_a_path_of_thousands_of_variables_is_read_soon(tmp_path: Path) -> None:
    lines = "".join(f'. "{"$" * 3_900}{number}"\n' for number in range(6))
    with (
        opened(tmp_path / "app", {"tide.sh": "tide() {\n  echo 1\n}\n", "use.sh": f"{lines}tide\n"}) as dp,
        in_the_end(),
    ):
        assert [row.at for row in dp.code.callers("tide")] == ["use.sh:7"]
