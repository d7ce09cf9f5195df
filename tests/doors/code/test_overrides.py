"""Callers and tests of methods that are called through a base of their class."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack import Daypack
from daypack.doors.code.serialize import listing

GO = 'package s\n\ntype Saver interface {\n\tSave(k string)\n\tClose()\n}\n\ntype Disk struct{}\n\nfunc (d *Disk) Save(k string) {}\nfunc (d *Disk) Close()        {}\n\ntype Half struct{}\n\nfunc (h *Half) Save(k string) {}\n\nfunc use(s Saver) {\n\ts.Save("x")\n}\n'
TS = "export interface Store {\n  put(k: string): void;\n}\nexport class Disk implements Store {\n  put(k: string): void {}\n}\nexport function use(s: Store): void {\n  s.put('x');\n}\n"
JAVA = 'interface Store {\n  void put(String k);\n}\nclass Disk implements Store {\n  public void put(String k) {}\n}\nclass Client {\n  void use(Store s) {\n    s.put("x");\n  }\n}\n'
RUST = 'pub trait Store {\n    fn put(&self, k: &str);\n}\npub struct Disk;\nimpl Store for Disk {\n    fn put(&self, k: &str) {}\n}\npub fn take(s: &dyn Store) {\n    s.put("x");\n}\n'
PYTHON = """class Base:
    def put(self, x):
        raise NotImplementedError

    def twice(self, x):
        self.put(x)


class Disk(Base):
    def put(self, x):
        return x


class Tape(Base):
    def put(self, x):
        return super().put(x)


def use(store: Base):
    store.put(1)


class Client:
    def put(self, store: Base):
        store.put(2)
"""


def _callers(dp: Daypack, reference: str) -> list[tuple[str, str, str]]:
    return [(row.symbol.name, row.at, row.through) for row in dp.code.callers(reference)]


@pytest.mark.parametrize(
    ("file", "text", "reference", "callers"),
    [
        ("s.go", GO, "Disk.Save", [("use", "s.go:18", "Saver.Save")]),
        ("s.ts", TS, "Disk.put", [("use", "s.ts:8", "Store.put")]),
        ("S.java", JAVA, "Disk.put", [("Client.use", "S.java:9", "Store.put")]),
        ("s.rs", RUST, "Disk.put", [("take", "s.rs:9", "Store.put")]),
        (
            "s.py",
            PYTHON,
            "Disk.put",
            [
                ("Base.twice", "s.py:6", "Base.put"),
                ("use", "s.py:20", "Base.put"),
                ("Client.put", "s.py:25", "Base.put"),
            ],
        ),
    ],
)
def test_calls_through_an_interface_are_callers_of_its_implementation(
    tmp_path: Path, file: str, text: str, reference: str, callers: list[tuple[str, str, str]]
) -> None:
    with opened(tmp_path, {file: text}) as dp:
        assert _callers(dp, reference) == callers
        assert f"called_by through {callers[0][2]} at {file}:" in listing(dp.code.callers(reference))


def test_a_type_without_all_methods_of_an_interface_does_not_implement_it(tmp_path: Path) -> None:
    with opened(tmp_path, {"s.go": GO}) as dp:
        assert _callers(dp, "Half.Save") == []


def test_a_base_that_calls_what_only_its_subclasses_define_is_their_caller(tmp_path: Path) -> None:
    text = "class Follows:\n    def follow(self):\n        return self.send(1)\n\n\nclass Session(Follows):\n    def send(self, x):\n        return x\n\n\ndef go():\n    Session().send(2)\n"
    with opened(tmp_path, {"s.py": text}) as dp:
        assert _callers(dp, "Session.send") == [
            ("go", "s.py:12", ""),
            ("Follows.follow", "s.py:3", "Follows"),
        ]


def test_a_test_that_calls_the_base_alone_may_test_the_override(tmp_path: Path) -> None:
    test = "from s import Base, Disk\n\n\ndef test_put():\n    store: Base = Disk()\n    assert store.put(1) == 1\n"
    with opened(tmp_path, {"s.py": PYTHON, "tests/test_s.py": test}) as dp:
        (row,) = dp.code.tests_for("Disk.put")
        assert (row.symbol.name, row.ambiguous) == ("test_put", True)
