"""Processes that write to one store and are killed or get in each other's way. Run by the tests, in a process
without threads.

    python storm.py kill STORE ROUNDS SEED      children are killed at random moments; one JSON object a round
    python storm.py folds STORE ROUNDS SEED     folds are killed, and every other round the writer, beside readers
    python storm.py crowd STORE PROCESSES OPS   everybody at once; one JSON object a process
    python storm.py backup STORE WRITERS OPS    … while a process backs up into the folder `b` beside STORE

Everything is imported once and the children are forks, so that a round costs milliseconds. Each child opens
the store anew.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from daypack import Daypack
from daypack.index.folded import folding, marks
from daypack.types import Candidate, Record
from support import WORDS, ills, indexed

TOPICS = ["retry", "payment", "kettle", "boiler", "tea", "refund", "order", "queue", "samovar", "invoice"]


def text_of(chance: random.Random, word: str) -> str:
    return f"{word} " + "\n\n".join(
        " ".join(chance.choices(TOPICS, k=chance.randint(5, 40))) for _ in range(chance.randint(1, 4))
    )


def forked(work: Callable[[Callable[[object], None]], None]) -> tuple[int, int]:
    """(pid, pipe) of a child that does this work and says things, one JSON line each."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    try:
        work(lambda said: os.write(writing, json.dumps(said).encode() + b"\n") and None)
        os._exit(0)
    except BaseException:
        os.write(writing, json.dumps({"error": traceback.format_exc()}).encode() + b"\n")
        os._exit(1)


def heard(pipe: int, data: bytes = b"") -> list[object]:
    """What a child said, once it is gone, after `data` that was read before. A line that its death cut off is none."""
    while block := os.read(pipe, 65_536):
        data += block
    os.close(pipe)
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def heard_until(pipe: int, word: bytes) -> bytes:
    """What a child said up to this word, or until it was gone."""
    data = b""
    while word not in data and (block := os.read(pipe, 65_536)):
        data += block
    return data


# ---------------------------------------------------------------- killed


def writes(folder: str, number: int, seed: int) -> Callable[[Callable[[object], None]], None]:
    """A child that adds, replaces, deletes and embeds, and acknowledges what has been acknowledged to it."""

    def work(say: Callable[[object], None]) -> None:
        chance = random.Random(seed)
        with Daypack.open(folder, settings=WORDS) as daypack:
            step = 0
            while True:
                step += 1
                kind = chance.choices(["add", "delete", "embed"], [8, 1, 1])[0]
                names = [f"r{chance.randrange(60)}" for _ in range(chance.randint(1, 4))]
                versions = dict.fromkeys(names, f"v{number}x{step}")
                say(["try", kind, versions])
                if kind == "add":
                    daypack.records.add(
                        [{"id": name, "text": text_of(chance, word)} for name, word in versions.items()]
                    )
                elif kind == "delete":
                    daypack.records.delete(names)
                else:
                    daypack.pack(" ".join(chance.choices(TOPICS, k=2)))
                say(["done"])

    return work


def kill(folder: str, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    expected: dict[str, str] = {}
    for number in range(rounds):
        pid, pipe = forked(writes(folder, number, seed * 1000 + number))
        lines = b""
        for _ in range(
            chance.randint(0, 24)
        ):  # steps: however slow the machine is, it is killed amid its writes
            lines += os.read(pipe, 65_536)
        time.sleep(chance.uniform(0, 0.01))
        os.kill(pid, signal.SIGKILL)
        said = heard(pipe, lines)
        os.waitpid(pid, 0)
        open_attempt: tuple[str, dict[str, str]] | None = None
        acknowledged = 0
        for event in said:
            assert isinstance(event, list), event
            if event[0] == "try":
                open_attempt = (event[1], event[2])
            elif open_attempt is not None:
                expected = after(expected, *open_attempt)
                acknowledged += open_attempt[0] != "embed"
                open_attempt = None
        attempted = expected if open_attempt is None else after(expected, *open_attempt)

        def look(say: Callable[[object], None], number: int = number) -> None:
            with Daypack.open(folder, settings=WORDS) as daypack:
                with daypack.engine.store.reading() as db:
                    found = [
                        (uid, text.split(" ", 1)[0])
                        for uid, text in db.execute("SELECT uid, text FROM record")
                    ]
                damaged = ills(daypack)
                if number % 20 == 19:  # the index, against one that is built anew from the texts
                    before = indexed(daypack.engine.store)
                    daypack.reindex()
                    if indexed(daypack.engine.store) != before:
                        damaged.append("the index is not that of the texts")
                say([found, damaged])

        pid, pipe = forked(look)
        answers = heard(pipe)
        os.waitpid(pid, 0)
        assert isinstance(answers[0], list), answers
        found, damaged = answers[0]
        outcome = {
            "acknowledged": acknowledged,
            "verdict": verdict(found, expected, attempted),
            "damaged": damaged,
        }
        sys.stdout.write(json.dumps(outcome) + "\n")
        expected = dict(found)


def verdict(found: list[tuple[str, str]], before: dict[str, str], attempted: dict[str, str]) -> str:
    """ "kept" when a store has exactly the acknowledged writes, or these and the whole of the attempted one; else "doubled",
    "half" for a part of the attempted one, or "lost".
    """
    state = dict(found)
    if len(state) != len(found):
        return "doubled"
    if state in (before, attempted):
        return "kept"
    names = before.keys() | attempted.keys() | state.keys()
    return "half" if all(state.get(one) in (before.get(one), attempted.get(one)) for one in names) else "lost"


def after(state: dict[str, str], kind: str, versions: dict[str, str]) -> dict[str, str]:
    if kind == "add":
        return state | versions
    return {name: word for name, word in state.items() if kind != "delete" or name not in versions}


# ---------------------------------------------------------------- folds


def folds(folder: str, rounds: int, seed: int) -> None:
    """Rounds in which a writer, two readers and two that fold or rebuild share a store; those that fold are killed."""
    folding.SMALLEST, folding.MERGED_FROM = 1, 0
    chance = random.Random(seed)
    expected: dict[str, str] = {}
    for number in range(rounds):
        writer, told = forked(writes(folder, number, seed * 1000 + number))
        others = [forked(folder_of(folder, seed + n, rebuilds=n == 1)) for n in range(2)]
        readers = [forked(reads(folder, seed + n)) for n in range(2)]
        lines = b""
        for _ in range(chance.randint(6, 24)):
            lines += os.read(told, 65_536)
        # Every other round lasts until a fold is done, however slow the machine; the others may die within their first.
        folded = b"" if number % 2 else heard_until(others[0][1], b"DONE")
        time.sleep(chance.uniform(0, 0.05))
        for pid, _ in [*others, *readers, (writer, told)]:  # in this order: folds die beside a writer
            os.kill(pid, signal.SIGKILL)
            if pid in [one for one, _ in others] and number % 2:
                time.sleep(chance.uniform(0, 0.02))
        attempted = expected
        said = heard(told, lines)
        attempt: tuple[str, dict[str, str]] | None = None
        for event in said:
            assert isinstance(event, list), event
            if event[0] == "try":
                attempt = (event[1], event[2])
            elif attempt is not None:
                expected, attempt = after(expected, *attempt), None
        attempted = expected if attempt is None else after(expected, *attempt)
        folds = [
            line for (_, pipe), data in zip(others, [folded, b""], strict=True) for line in heard(pipe, data)
        ]
        answers = [line for _, pipe in readers for line in heard(pipe)]
        for pid, _ in [*others, *readers, (writer, told)]:
            os.waitpid(pid, 0)
        pid, pipe = forked(lambda say: say(looked(folder)))
        answer = heard(pipe)
        os.waitpid(pid, 0)
        assert isinstance(answer[0], list), answer
        found, damaged, wrong = answer[0]
        outcome = {
            "verdict": verdict([(uid, word) for uid, word in found], expected, attempted),
            "damaged": damaged,
            "wrong": wrong + sum(line != "done" for line in answers),
            "folds": folds.count("DONE"),
            "tries": len(folds),
            "errors": [line for line in folds if isinstance(line, dict)],
        }
        sys.stdout.write(json.dumps(outcome) + "\n")
        expected = dict(found)


def opened_when_made(folder: str) -> Daypack:
    """The store in `folder`, once another child has made it."""
    while not (Path(folder) / "daypack.db").exists():
        time.sleep(0.01)
    return Daypack.open(folder, settings=WORDS)


def folder_of(folder: str, seed: int, *, rebuilds: bool) -> Callable[[Callable[[object], None]], None]:
    """A child that folds again and again, and now and then cuts and indexes everything anew."""

    def work(say: Callable[[object], None]) -> None:
        chance = random.Random(seed)
        with opened_when_made(folder) as daypack:
            while True:
                if rebuilds and chance.random() < 0.1:
                    daypack.reindex()
                say(folding.fold(daypack.engine.store).name)
                time.sleep(chance.uniform(0, 0.01))  # else the writer hardly gets its turn

    return work


def reads(folder: str, seed: int) -> Callable[[Callable[[object], None]], None]:
    """A child that asks for a word, and says "done" where each text that the index says to hold it does. Of few texts one may
    be found by its neighbours or its meaning alone, and a word that no text holds yet may be taken for another.
    """

    def work(say: Callable[[object], None]) -> None:
        chance = random.Random(seed)
        with opened_when_made(folder) as daypack:
            while True:
                word = chance.choice(TOPICS)
                answer = daypack.search(word, limit=5)
                word = answer.stats.corrections.get(word, word)
                odd = [one.chunk.uri for one in answer if holds(one) and word not in one.chunk.text]
                say(odd or "done")

    return work


def holds(one: Candidate) -> bool:
    return any(part.signal == "bm25" and part.raw > 0 for part in one.contributions)


def looked(folder: str) -> list[object]:
    """[(uid, first word) of every record, the damage, the number of questions whose answer is another without the fold]."""
    with Daypack.open(folder, settings=WORDS) as daypack:
        store = daypack.engine.store
        folding.fold(store)
        with store.reading() as db:
            found = [[uid, text.split(" ", 1)[0]] for uid, text in db.execute("SELECT uid, text FROM record")]
        damaged = ills(daypack)
        folded = [repr(daypack.search(topic).candidates) for topic in TOPICS]
    with Daypack.open(folder, settings=WORDS) as daypack:
        with daypack.engine.store.writing("folds") as db:
            marks.forget(db)
        bare = [repr(daypack.search(topic).candidates) for topic in TOPICS]
    return [found, damaged, sum(one != other for one, other in zip(folded, bare, strict=True))]


# ---------------------------------------------------------------- crowded


def crowd(folder: str, processes: int, operations: int) -> None:
    def member(number: int) -> Callable[[Callable[[object], None]], None]:
        def work(say: Callable[[object], None]) -> None:
            chance = random.Random(number)
            mine: dict[str, str] = {}
            with Daypack.open(folder, settings=WORDS) as daypack:
                for step in range(operations):
                    kind = chance.choices(["look", "write", "delete"], [60, 30, 10])[0]
                    if kind == "write":
                        # Mostly new, sometimes once more; "shared" is written by everybody.
                        uid = (
                            f"p{number}-{step}"
                            if not mine or chance.random() < 0.8
                            else chance.choice(sorted(mine))
                        )
                        word = f"w{number}x{step}z"
                        daypack.records.add(
                            [
                                {"id": uid, "text": text_of(chance, word)},
                                {"id": "shared", "text": text_of(chance, word)},
                            ]
                        )
                        mine[uid] = word
                    elif kind == "delete" and mine:
                        uid = chance.choice(sorted(mine))
                        del mine[uid]
                        assert daypack.records.delete([uid]) == 1
                    elif mine:
                        uid = chance.choice(sorted(mine))
                        if step % 2:
                            assert daypack.get(uid).text.split(" ", 1)[0] == mine[uid]
                        else:
                            found = daypack.search(
                                mine[uid], vectors="auto" if step % 8 == 0 else "none"
                            ).candidates
                            assert uid in {candidate.chunk.uri for candidate in found}, (
                                f"{uid} is not found by {mine[uid]}"
                            )
            say({"mine": mine})

        return work

    children = [forked(member(number)) for number in range(processes)]
    for pid, pipe in children:
        for said in heard(pipe):
            sys.stdout.write(json.dumps(said) + "\n")
        os.waitpid(pid, 0)


# ---------------------------------------------------------------- backed up meanwhile


def backup(folder: str, writers: int, operations: int) -> None:
    def writer(number: int) -> Callable[[Callable[[object], None]], None]:
        """Each commit adds a record whose uid is the commit's number."""

        def work(say: Callable[[object], None]) -> None:
            chance = random.Random(number)
            committed = []
            with Daypack.open(folder, settings=WORDS) as daypack:
                for _ in range(operations):
                    with daypack.engine.store.writing() as db:
                        next_one = db.execute("SELECT value + 1 FROM meta WHERE key = 'seq'").get
                        record = Record(
                            str(next_one), text_of(chance, "w"), door="records", uri=str(next_one)
                        )
                        daypack.engine.ingestion.put(db, [daypack.engine.ingestion.prepared(record)])
                    committed.append(next_one)
            say({"committed": committed})

        return work

    def copier(say: Callable[[object], None]) -> None:
        with Daypack.open(folder, settings=WORDS) as daypack:
            while not Path(f"{folder}-done").exists():
                daypack.backup(Path(folder).with_name("b"))
        say({"copied": True})

    with Daypack.open(folder, settings=WORDS) as daypack, daypack.engine.store.writing():
        pass
    copying, copied = forked(copier)
    children = [forked(writer(number)) for number in range(writers)]
    for pid, pipe in children:
        for said in heard(pipe):
            sys.stdout.write(json.dumps(said) + "\n")
        os.waitpid(pid, 0)
    Path(f"{folder}-done").touch()
    for said in heard(copied):
        sys.stdout.write(json.dumps(said) + "\n")
    os.waitpid(copying, 0)


if __name__ == "__main__":
    what, folder, first, second = sys.argv[1:]
    # Whatever is imported late is imported here, once.
    with Daypack.open(f"{folder}-warm", settings=WORDS) as warm:
        warm.records.add([{"id": "a", "text": "tea time"}])
        warm.pack("tea"), warm.search("tea"), warm.get("a"), ills(warm), indexed(warm.engine.store)
    {"kill": kill, "folds": folds, "crowd": crowd, "backup": backup}[what](folder, int(first), int(second))
