"""Every command, with every argument and option given what nobody should give it: it ends with an answer, or with
one line that says what is wrong and what to do next.
"""

from __future__ import annotations

import io
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from daypack import Daypack
from daypack.surfaces.cli.build import Group
from daypack.surfaces.cli.main import cli, main
from daypack.surfaces.cli.reading import FilePath, Json
from support import WORDS, project

TEXTS = ["", " ", "\udcff", "\ud800x", "a\0b", "--", "-1", "a\nb\u202e", "9" * 40, "x" * 120_000, "["]
NUMBERS = ["", "-1", "0", "9" * 40, "1e400", "nan", "inf", "x" * 120_000, "\udcff", "1" * 5000]
PATHS = [
    "", "\udcff", "\ud800x", "a\0b", "missing/file.md", "folder", "/dev/zero", "~nobody/x", "x" * 300, "y/" * 3000, "kettle.md/x", "new\nline",
]  # fmt: skip
JSONS = [
    "", "[]", "null", "1", '"x"', "{", '{"a":"\\ud800"}', '{"\\ud800":1}', '{"a\\u0000":1}', '{"a":1,"a":2}', '{"a":1e999}', '{"a":NaN}',
    '{"a":123456789012345678901234567890}', '{"$where":"1"}', '{"$set":{"a":"\\ud800"}}', '{"a":{"$regex":"\\ud800"}}', "[" * 5000, '{"a":' * 200 + "1" + "}" * 200,
]  # fmt: skip
AT_FILES = ["@missing", "@folder", "@/dev/zero", "@\udcff", "@", "@binary.dat"]
GOOD = {
    "words": "kettle", "reference": "kettle.md", "key": "k", "value": "v", "collection": "c", "document": '{"b":1}', "file": "folder", "filter": "{}",
    "field": "t", "query": "kettle", "update": '{"$set":{"x":1}}', "paths": "kettle.md", "path": "kettle.md", "version": "v1", "topic": "kettle",
    "token": "t", "change_id": "t", "identity": "1", "kind": "evidence_summary", "text": "hello", "source_key": "s", "record_id": "r",
    "suite": "suite.json", "before": "a", "after": "b", "what": "suite.json", "names": "a", "audit_id": "1",
    "client": "claude-code", "shell": "bash", "label": "l", "reason": "because", "arguments": "true", "dataset": "folder", "cases": "suite.json",
    "data_root": "folder", "output_dir": "out", "dest": "../kept", "src": "../kept",
}  # fmt: skip
SUITE = '{"name": "s", "cases": [{"name": "a", "query": "kettle", "expected_paths": ["kettle.md"]}]}'
LONGEST_LINE = 1_100  # characters of a message
NEXT_STEP = re.compile(r"[;:(,]|see `|must be|takes|choose|write|is needed|range|not from|deeper than")
OWN_STATUS = ("run",)  # ends with the status of the command that it runs
JSON_ERRORS = ("code", "context-pack")  # report errors as JSON on standard output, as their seed does


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Every command that help lists, with its words."""

    def below(group: Group, words: list[str]) -> Iterator[tuple[list[str], click.Command]]:
        for name in group.list_commands(click.Context(cli)):
            found = group.get_command(click.Context(cli), name)
            if isinstance(found, Group):
                yield from below(found, [*words, name])
            elif found is not None:
                yield [*words, name], found

    yield from below(cli, [])


def hostile(one: click.Parameter) -> list[str]:
    """Values that this parameter should not be given."""
    match one.type:
        case click.Choice():
            return ["", "\udcff", "a\0b"]
        case click.types.IntParamType() | click.types.FloatParamType():
            return NUMBERS
        case Json():
            return [*JSONS, *AT_FILES]
        case FilePath():
            return PATHS
    if one.type.name == "tokens":
        return NUMBERS
    if one.name in ("document", "filter", "projection", "sort", "update"):
        return [*TEXTS, *JSONS, *AT_FILES]
    shown = (getattr(one, "metavar", "") or "").lower()
    if (
        one.name in ("path", "paths", "store", "roots", "out", "output")
        or "file" in shown
        or "folder" in shown
    ):
        return PATHS
    return TEXTS


def calls() -> Iterator[tuple[str, list[str]]]:
    """(words of the command, arguments) for each hostile value; an option that commands share is tried once."""
    tried = set()
    for words, command in commands():
        for one in command.params:
            shared = (one.name, getattr(one, "help", None), words[0] == "source")
            if (isinstance(one, click.Option) and one.is_flag) or (
                isinstance(one, click.Option) and shared in tried
            ):
                continue
            tried.add(shared)
            for value in hostile(one):
                yield " ".join(words), [*words, *with_value(command, one, value)]


def with_value(command: click.Command, one: click.Parameter, value: str) -> list[str]:
    options: list[str] = []
    arguments: list[str] = []
    for other in command.params:
        given = value if other is one else GOOD.get(str(other.name))
        if isinstance(other, click.Argument):
            if other is one or other.required or other.name == "words":
                arguments.append(str(given))
        elif other is one or other.required:
            long = [name for name in other.opts if name.startswith("--")]
            options += [f"{long[0]}={given}"] if long else [other.opts[0], str(given)]
    return [*options, *([] if command.name == "run" else ["--"]), *arguments]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a store of every kind of content, and servers that end at once."""
    folder = project(
        tmp_path / "shop",
        {
            "kettle.md": "# Kettle\n\nThe kettle boils.\n",
            "brew.py": "def brew():\n    return 1\n",
            "suite.json": SUITE,
            "binary.dat": b"\xff\xfe\0",
            "folder/note.md": "# Note\n",
        },
    )
    with Daypack.open(folder / ".daypack", settings=WORDS, root=folder) as dp:
        dp.files.add(folder)
        dp.memories.remember("k", "v")
        dp.documents.collection("c").insert({"a": 1, "t": "hello"})

    async def served(*_: Any) -> None:
        pass

    monkeypatch.setattr("daypack.surfaces.http.listen.run", lambda app, sock, ready: sock.close())
    monkeypatch.setattr("daypack.surfaces.mcp.stdio.serve", served)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")
    monkeypatch.chdir(folder)
    return folder


def ended(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """(exit status, standard error) of the command line in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit) as end:
            main(arguments)
        err.flush()
    code = end.value.code
    assert isinstance(code, int), code
    return code, err.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Three GiB at most: a file without end that is read as a whole shows, and harms nothing else."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


ALL: dict[str, list[list[str]]] = {}
for _words, _arguments in calls():
    ALL.setdefault(_words.partition(" ")[0], []).append(_arguments)


@pytest.mark.slow
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("group", ALL)
def test_no_value_of_any_argument_makes_a_traceback(
    group: str, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in ALL[group]:
        said = [one if len(one) < 80 else f"{one[:60]}…{len(one)}" for one in arguments]
        try:
            status, err = ended(arguments, monkeypatch)
        except Exception as error:
            raise AssertionError(said) from error
        assert status in (0, 1, 2, 3), (said, status, err)
        assert "Traceback" not in err, (said, err)
        assert "memory ran out" not in err, said
        assert all(len(line) <= LONGEST_LINE for line in err.split("\n")), (said, err[:300])
        if status in (2, 3) and group not in (*OWN_STATUS, *JSON_ERRORS):
            message = err.rstrip("\n").rpartition("\n")[2]
            assert message.startswith("daypack: "), (said, err)
            assert NEXT_STEP.search(message.removeprefix("daypack: ")), (said, err)
