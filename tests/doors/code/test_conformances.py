"""A type has the bases that other files give it: extensions of Swift, `impl` blocks of Rust."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

SWIFT = {
    "App.swift": "final class App {\n    var all: [String] = []\n}\n",
    "Conform.swift": "extension App: Routes {\n    func add(_ name: String) { all.append(name) }\n}\n",
    "Routes.swift": "protocol Routes {\n    func add(_ name: String)\n}\nextension Routes {\n    func get(_ path: String) {\n        add(path)\n    }\n}\n",
    "start.swift": 'func start(_ app: App) {\n    app.get("/hello")\n}\n',
    "More.swift": 'extension App {\n    func more() {\n        get("/more")\n        self.get("/most")\n    }\n}\n',
}
RUST = {
    "src/main.rs": 'mod app;\nmod cache;\nmod routes;\nuse app::App;\nuse routes::Routes;\n\nfn start(app: &mut App) {\n    app.get("/hello");\n}\n',
    "src/app.rs": "pub struct App {\n    pub all: Vec<String>,\n}\n",
    "src/routes.rs": "use crate::app::App;\n\npub trait Routes {\n    fn add(&mut self, name: &str);\n    fn get(&mut self, path: &str) {\n        self.add(path);\n    }\n}\n\nimpl Routes for App {\n    fn add(&mut self, name: &str) {}\n}\n",
    "src/cache.rs": "pub struct Cache;\nimpl Cache {\n    pub fn get(&self, key: &str) {}\n}\n",
    "src/more.rs": 'use crate::app::App;\nuse crate::routes::Routes;\n\nimpl App {\n    fn more(&mut self) {\n        self.get("/more");\n    }\n}\n',
}


@pytest.mark.parametrize(
    ("files", "at"),
    [(SWIFT, ["More.swift:3", "More.swift:4", "start.swift:2"]), (RUST, ["src/main.rs:8", "src/more.rs:6"])],
    ids=["swift", "rust"],
)
def test_a_conformance_in_another_file_than_the_type_leads_its_calls_to_the_base(
    tmp_path: Path, files: dict[str, str], at: list[str]
) -> None:
    with opened(tmp_path / "app", files) as dp:
        callers = dp.code.callers("Routes.get")
        assert sorted(row.at for row in callers) == at
        assert not any(row.ambiguous for row in callers)


def test_a_type_of_the_same_name_keeps_its_own_bases(tmp_path: Path) -> None:
    other = {
        "other/src/lib.rs": "pub trait Loud {\n    fn shout(&self) {}\n}\npub struct App;\nimpl Loud for App {}\n",
        "src/use.rs": "use crate::app::App;\n\nfn call(app: &App) {\n    app.shout();\n}\n",
    }
    with opened(tmp_path / "app", RUST | other) as dp:
        assert [row.at for row in dp.code.callers("Loud.shout") if not row.ambiguous] == []


CRATES = {
    "a/src/lib.rs": "pub enum Error {}\nfn go(e: Error) { e.code(); }\n",
    "a/src/other.rs": "use b::Error;\nfn other(e: Error) { e.code(); }\n",
    "a/Cargo.toml": '[package]\nname = "a"\n',
    "b/Cargo.toml": '[package]\nname = "b"\n',
    "b/src/lib.rs": "mod code;\nmod error;\npub use error::Error;\n",
    "b/src/error.rs": "pub enum Error {}\n",
    "b/src/code.rs": "use crate::error::Error;\npub trait Code {\n    fn code(&self) {}\n}\nimpl Code for Error {}\nfn own(e: Error) { e.code(); }\n",
}
PACKAGES = {
    "a/Config.swift": "struct Config {}\nfunc go(_ c: Config) {\n    c.show()\n}\n",
    "b/Config.swift": "struct Config {}\n",
    "b/Show.swift": "protocol Show {}\nextension Show {\n    func show() {}\n}\nextension Config: Show {}\nfunc own(_ c: Config) {\n    c.show()\n}\n",
}
NAMED = {
    "src/lib.rs": "pub mod code;\npub mod file;\npub mod net;\n",
    "src/file/mod.rs": "pub enum Error {}\nfn go(e: Error) { e.code(); }\n",
    "src/net/mod.rs": "pub enum Error {}\nfn go(e: Error) { e.code(); }\n",
    "src/code.rs": "use crate::net::Error;\npub trait Code {\n    fn code(&self) {}\n}\nimpl Code for Error {}\n",
}


@pytest.mark.parametrize(
    ("files", "name", "at"),
    [
        (CRATES, "Code.code", ["a/src/other.rs:2", "b/src/code.rs:6"]),
        (PACKAGES, "Show.show", ["b/Show.swift:7"]),
        (NAMED, "Code.code", ["src/net/mod.rs:2"]),
    ],
    ids=["rust", "swift", "rust with an import"],
)
def test_a_conformance_belongs_to_one_of_the_types_of_its_name(
    tmp_path: Path, files: dict[str, str], name: str, at: list[str]
) -> None:
    with opened(tmp_path / "app", files) as dp:
        assert sorted(row.at for row in dp.code.callers(name) if not row.ambiguous) == at
