"""A pack for a change shows the places of the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.pack.occurrences import _pattern
from daypack.pack.variants import lines_around
from support import WORDS, project

FORMATS = ["json", "xml", "html", "csv", "yaml", "ini", "plist", "avro"]


def writer(name: str) -> str:
    steps = "".join(
        f"    out.write(encode_part(report, {turn}))  # part {turn} of the report\n" for turn in range(40)
    )
    return f'def write_{name}(report, out):\n    """Write a report to a stream of {name}."""\n{steps}    return out\n'


LISTS = {
    "src/media.py": "\n".join(f'MEDIA_{name.upper()} = "application/{name}"' for name in FORMATS) + "\n",
    "src/cli.py": "def choices():\n"
    + "".join(f'    yield "--no-colour-{n}"\n' for n in range(30))
    + '    yield "--as-yaml"\n'
    + "".join(f'    yield "--no-border-{n}"\n' for n in range(30)),
    "src/offers.py": "def offered(header):\n"
    + "".join(f'    if header == "x-{n}":\n        return {n}\n' for n in range(30))
    + '    if header == "text/x-yaml":\n        return MEDIA_YAML\n',
}
PROGRAM = {f"src/{name}.py": writer(name) for name in FORMATS} | LISTS
CHANGE = "We want to write a report as TOML. Build it the same way YAML is written."


@pytest.fixture
def program(tmp_path: Path) -> Path:
    project(tmp_path, PROGRAM | {"tests/test_yaml.py": "def test_yaml():\n    assert write_yaml(1, 2)\n"})
    return tmp_path


def text_of(root: Path, request: str, budget: int) -> str:
    with Daypack.open(root / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(root)
        pack = daypack.pack(request, budget=budget)
        assert pack.tokens_used <= budget
        return pack.text


@pytest.mark.parametrize("line", ['yield "--as-yaml"', "MEDIA_YAML = ", "return MEDIA_YAML"])
def test_every_place_of_the_known_name_is_shown(program: Path, line: str) -> None:
    assert line in text_of(program, CHANGE, 3000)


def test_a_conversation_shows_a_place_once(program: Path) -> None:
    with Daypack.open(program / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(program)
        first = daypack.pack(CHANGE, budget=3000, after="")
        second = daypack.pack(CHANGE, budget=3000, after=first.id)
    assert 'yield "--as-yaml"' in first.text
    assert 'yield "--as-yaml"' not in second.text


def test_what_a_pack_shows_is_not_counted_as_left_out(program: Path) -> None:
    with Daypack.open(program / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(program)
        pack = daypack.pack(CHANGE, budget=3000)
    left = [one.chunk for omitted in pack.omitted.by_reason().values() for one in omitted]
    shown = [excerpt.citation for excerpt in pack.excerpts]
    assert len({chunk.id for chunk in left}) == len(left)
    assert not [
        chunk.reference
        for chunk in left
        for citation in shown
        if citation.uri == chunk.uri
        and chunk.span.start_line <= citation.span.start_line <= chunk.span.end_line
    ]


def test_filling_the_budget_keeps_every_place(program: Path) -> None:
    for budget in range(3000, 5000, 250):
        shown = text_of(program, CHANGE, budget)
        assert all(line in shown for line in ('yield "--as-yaml"', "MEDIA_YAML = ", "return MEDIA_YAML"))


def test_a_long_function_that_was_sent_in_part_is_not_sent_again(dp: Daypack, tmp_path: Path) -> None:
    steps = "".join(
        f"    step_{n} = read_step({n}, report)\n" + ("    use_yaml(step)\n" if n % 9 == 0 else "")
        for n in range(60)
    )
    project(tmp_path, {f"src/{name}.py": f"def read_{name}(report):\n{steps}" for name in FORMATS})
    dp.files.add(tmp_path)
    pack, shown = dp.pack(CHANGE, budget=3000, after=""), set[tuple[str, int]]()
    for _ in range(4):
        lines = {
            (excerpt.citation.uri, line)
            for excerpt in pack.excerpts
            for line in range(excerpt.citation.span.start_line, excerpt.citation.span.end_line + 1)
        }
        assert shown.isdisjoint(lines)
        shown |= lines
        pack = dp.pack(CHANGE, budget=3000, after=pack.id)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("YAML", "MIMEYAML", True),
        ("YAML", "loadYaml()", True),
        ("YAML", "register('YAML', load_yaml)\n" * 41, True),
        ("strictCommands", "strict_commands", True),
        ("API", "capital", False),
        ("--filter", "filtered", False),
        ("größe_x", "größe_x = 1", True),
    ],
)
def test_a_name_is_found_however_it_is_written(name: str, text: str, *, found: bool) -> None:
    pattern = _pattern([name], [text])
    assert (pattern is not None and pattern.search(text) is not None) is found


def test_lines_around_places_join_where_they_touch() -> None:
    text = "\n".join(f"line {n}" for n in range(20))
    places = [text.index("line 3"), text.index("line 7"), text.index("line 15")]
    assert [text[start:end] for start, end in lines_around(text, places)] == [
        "\n".join(f"line {n}" for n in range(1, 10)),
        "\n".join(f"line {n}" for n in range(13, 18)),
    ]
