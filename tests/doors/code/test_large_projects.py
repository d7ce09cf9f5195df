"""The work for a map grows with the files of a project: no file is read again and again, no manifest looked at for each name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.code import project as stored
from daypack.doors.code import table
from daypack.doors.code.graph import project_names
from daypack.doors.code.graph.languages import language_of
from daypack.doors.code.graph.modules import ProjectFiles, files_of_module
from daypack.doors.code.graph.remembered import MISSING, Recent
from support import WORDS, project

MANIFESTS = [(f"crate-{n}", f"crates/{n}") for n in range(50)]


def test_a_map_of_more_files_than_are_kept_reads_few_of_them_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hubs = {f"a{n}.py": f"class Hub{n}:\n    def turn_{n}(self):\n        return {n}\n" for n in range(8)}
    calls = "".join(f"    x.turn_{n}()\n" for n in range(8))
    users = {f"b{n:03}.py": f"def use_{n}(x):\n{calls}" for n in range(120)}
    root = project(tmp_path / "shop", hubs | users)
    for module, name in ((stored, "KEPT_FACTS"), (project_names, "KEPT_FILES")):
        monkeypatch.setattr(module, name, 40)
    monkeypatch.setattr(project_names, "KEPT_METHODS", 4)  # so that the files of the methods are asked for
    read = table.read_facts
    asked: list[int] = []

    def counted(db: object, ids: Sequence[int]) -> object:
        asked.extend(ids)
        return read(db, ids)  # type: ignore[arg-type]

    monkeypatch.setattr(table, "read_facts", counted)
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        dp.files.add(root)
        dp.code.symbols("use_1")
        asked.clear()
        assert dp.code.map(budget=20).shown  # it looks at 20 symbols
    assert len(asked) <= len(hubs) + len(users) + 20


def test_a_cache_keeps_the_values_that_were_used_last() -> None:
    cache: Recent[int, str] = Recent(10)
    for number in range(100):
        cache.keep(number, str(number))
        assert cache.get(0) or cache.again(0) == "0"
    assert cache.get(99) == "99"
    assert cache.get(50) is None
    assert cache.again(50) is MISSING


class Unread(dict[str, str]):
    """Manifests that answer for a name, and are not looked through."""

    def items(self):  # type: ignore[no-untyped-def]
        raise AssertionError("all manifests were looked through")


@pytest.mark.parametrize(
    ("language", "module", "uri", "found"),
    [
        ("rust", "crate_7.fast", "crates/1/src/lib.rs", "crates/7/src/fast.rs"),
        ("rust", "serde.de", "crates/1/src/lib.rs", "crates/1/src/lib.rs"),
        ("typescript", "crate-7/fast", "crates/1/src/lib.ts", "crates/7/src/fast.ts"),
        ("typescript", "@org/none", "crates/1/src/lib.ts", ""),
        ("go", "crate-7/fast", "crates/1/lib.go", "crates/7/fast/a.go"),
    ],
)
def test_a_name_finds_its_manifest_without_a_look_at_all_of_them(
    language: str, module: str, uri: str, found: str
) -> None:
    uris = [uri, "crates/7/src/fast.rs", "crates/7/src/fast.ts", "crates/7/fast/a.go"]
    files = ProjectFiles(uris, MANIFESTS)
    files.manifests = Unread(files.manifests)
    spec = language_of(language)
    assert spec is not None
    assert files_of_module(module, uri, spec, files)[:1] == ([found] if found else [])


def test_the_longest_name_of_a_module_counts_in_go() -> None:
    files = ProjectFiles(["deep/x/a.go", "top/b/x/a.go"], [("org/a", "top"), ("org/a/b", "deep")])
    spec = language_of("go")
    assert spec is not None
    assert files_of_module("org/a/b/x", "m.go", spec, files) == ["deep/x/a.go"]
