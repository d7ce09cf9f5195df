"""The corpus of the fuzzer passes, and so do some thousands of inputs made from it, the same ones every time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzz.targets import TARGETS, run

CORPUS = Path(__file__).parents[2] / "fuzz" / "corpus"
MUTATIONS = 300  # for each target
TOKENS = [b"\0", b"\r\n", b"```", b"{", b"[", b'"', b"\\", b"$", b"\xed\xa0\x80", b"\xf0\x9f\x92\xa5", b"\xe2\x80\xae", b"#", b"9" * 30, b"<", b"\t"]  # fmt: skip


def inputs(name: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def mutated(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        at, end = sorted(chance.randint(0, len(data)) for _ in range(2))
        match chance.randrange(5):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:at] + chance.choice(TOKENS) * chance.choice([1, 1, 2, 40]) + data[at:]
            case 2:
                data = data[:at] + chance.randbytes(chance.randint(1, 4)) + data[end:]
            case 3:
                data = data[:end] + data[at:end] * chance.randint(1, 3) + data[end:]
            case 4:
                data = data[:at] + chance.choice(others)[:500] + data[end:]
    return data[:4096]


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_and_its_neighbours_pass(name: str) -> None:
    known, chance = inputs(name), random.Random(name)
    assert len(known) >= 3, f"fuzz/corpus/{name} says too little"
    for data in [b"", *known, *(mutated(chance.choice(known), known, chance) for _ in range(MUTATIONS))]:
        try:
            run(name, data)
        except Exception as error:
            raise AssertionError(f"{name} fails on {data!r}") from error


def test_every_corpus_belongs_to_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
