"""Every public method refuses values of a wrong kind with a typed error, whatever the argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack, DaypackError
from daypack.aio import _DOORS
from support import WORDS

LONG = "x" * 3000
WRONG: dict[str, tuple[Any, ...]] = {
    "str": (None, b"x", 5, ["x"], object(), "\ud800", "\0", LONG, ""),
    "int": (None, "3", 1.5, True, -1, 0, 10**30, float("nan")),
    "float": (None, "3", True, b"x", float("nan"), float("inf"), -1, 10**400),
    "bool": (None, "yes", 1.5),
    "Path": (None, b"x", 5, "\0", LONG, "\ud800"),
    "Sequence": (None, "abc", b"abc", 5, [None], [5], ["\ud800"], {"a": 1}),
}
LIKELY = {
    "str": "x", "int": 1, "float": 1.0, "bool": False, "Path": ".", "Sequence": ["x"], "Mapping": {}, "Callable": lambda *_: None
}  # fmt: skip
OTHER_NOUNS = "a value of another noun, which the method checks"
# They end the store, wait for the disk, use the network, or open another store.
LEFT_OUT = {
    "close",
    "fit_to_budget",
    "close_doors",
    "watch",
    "add_page",
    "add_pages",
    "open_in",
    "embed_in_background",
}
MOMENTS = {"as_of", "known_at", "since", "before", "valid_from", "valid_to"}


def kind_of(annotation: str) -> str:
    parts = [part.strip() for part in annotation.split("|")]
    for kind in ("Path", "Sequence", "Mapping", "Callable", "str", "int", "float", "bool"):
        if any(part == kind or part.startswith(f"{kind}[") for part in parts):
            return kind
    return OTHER_NOUNS


def methods(owner: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in sorted(dir(type(owner))):
        found = inspect.getattr_static(type(owner), name)
        if (
            name.startswith("_")
            or name in LEFT_OUT
            or not (callable(found) or isinstance(found, (classmethod, staticmethod)))
        ):
            continue
        method = getattr(owner, name)
        if inspect.isroutine(method):
            yield name, method


def calls(method: Callable[..., Any]) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Calls with one wrong value each."""
    parameters = [
        one for one in inspect.signature(method).parameters.values() if one.kind is not one.VAR_KEYWORD
    ]
    kinds = {one.name: kind_of(str(one.annotation)) for one in parameters}
    needed = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_POSITIONAL]
    if any(kinds[one.name] == OTHER_NOUNS for one in needed):
        return
    for wrong in parameters:
        for value in WRONG.get(kinds[wrong.name], ()):
            given: list[Any] = []
            named: dict[str, Any] = {}
            for one in parameters:
                if one is not wrong and (one.default is not one.empty or one.kind is one.VAR_POSITIONAL):
                    continue
                chosen = value if one is wrong else LIKELY[kinds[one.name]]
                if one.kind is one.KEYWORD_ONLY:
                    named[one.name] = chosen
                elif one.kind is one.VAR_POSITIONAL or one.default is one.empty:
                    given.append(chosen)
                else:
                    named[one.name] = chosen
            yield wrong.name, tuple(given), named


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daypack]:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with Daypack.open(tmp_path / "store", settings=WORDS, root=tmp_path / "work") as opened:
        opened.records.add([{"id": "a", "text": "The total is forty."}])
        opened.memories.remember("tea", "It is green.")
        opened.documents.collection("x").insert({"_id": "1", "x": "tea"})
        yield opened


def owner_of(store: Daypack, name: str) -> object:
    match name:
        case "daypack":
            return store
        case "collection":
            return store.documents.collection("x")
    return getattr(store, name)


@pytest.mark.parametrize("name", ["daypack", "collection", *sorted(_DOORS)])
def test_a_value_of_a_wrong_kind_is_refused_with_a_typed_error(store: Daypack, name: str) -> None:
    faults: list[str] = []
    for method_name, method in methods(owner_of(store, name)):
        for argument, given, named in calls(method):
            try:
                found = method(*given, **named)
                if inspect.isgenerator(found):
                    list(found)
            except DaypackError as error:
                if len(str(error)) > 1200:
                    faults.append(f"{name}.{method_name}({argument}=…) quotes the whole of a long argument")
            except Exception as error:
                faults.append(
                    f"{name}.{method_name}(*{given!r:.80}, **{named!r:.80}) {argument}: {error!r:.150}"
                )
    assert not faults, "\n".join(faults)
