"""Forgotten is forgotten: no byte of it stays in the store, and nothing brings it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support_memory import DAY, opened

from daypack import Daypack
from daypack.doors.memories.types import Gone, GoneState
from daypack.errors import InputError, MemoryRedacted, NotFound
from daypack.index.store import Store
from support import Clock, bytes_of, ills

CANARY = "quetzalcoatlus"
OTHERS = [
    f"The {name} service listens on port {7000 + n} and is owned by team {name}."
    for n, name in enumerate(("pay", "ship", "tax", "mail"))
]


def places(dp: Daypack, clock: Clock) -> None:
    """The canary, everywhere where somebody can put it under one key."""
    m = dp.memories
    m.remember("bird/old", f"It was the {CANARY}, in a version that was replaced.")  # 1 history
    clock.passes(DAY)
    m.remember("bird/old", "It is something else.", tags=[f"tag-{CANARY}"])  # 2 a tag of an older version
    clock.passes(DAY)
    m.remember(
        "bird/old",
        f"It flies: {CANARY}. See [[{CANARY}/wings]].",  # 3 value, 4 link
        tags=[CANARY],  # 5 tag
        source=f"tool:{CANARY}",  # 6 source
        author=f"{CANARY} fan",  # 7 author
        session=f"session-{CANARY}",  # 8 session
        trust="user",
    )
    # 9 a version of the future
    m.remember("bird/old", f"Not yet: {CANARY} next week.", valid_from=clock.now + 7 * DAY)
    m.remember("bird/old", f"Somebody says {CANARY}.", source="web:birds")  # 10 one that waits for a review
    m.remember("bird/old", f"{CANARY} for an hour.", ttl_seconds=3600)  # 11 one that expires
    clock.passes(DAY)
    m.refresh()
    m.remember("bird/old", f"And again {CANARY}, which everything below reads.")  # 12 what holds
    m.pack(CANARY)
    m.search(CANARY)
    m.related("bird/old")
    dp.pack(CANARY, vectors="all")
    dp.embed()


@pytest.mark.parametrize("way", ["forget", "redact", "tag", "everything"])
def test_what_was_forgotten_is_in_no_byte_of_the_store(tmp_path: Path, clock: Clock, way: str) -> None:
    with opened(tmp_path, clock) as dp:
        for number, text in enumerate(OTHERS):
            dp.memories.remember(f"service/{number}", text)
        places(dp, clock)
        assert CANARY.encode() in bytes_of(tmp_path)
        match way:
            case "forget":
                receipt = dp.memories.forget("bird/old")
            case "redact":
                receipt = dp.memories.redact("bird/old", reason="it is extinct")
            case "tag":
                receipt = dp.memories.forget(tag=CANARY)
            case _:
                receipt = dp.memories.forget(everything=True)
        assert receipt.log_emptied
        assert receipt.versions >= 6
        assert receipt.chunks >= 1
        assert receipt.vectors >= 1
        assert receipt.postings > 10
        assert CANARY.encode() not in bytes_of(tmp_path)
        assert b"etzalcoat" not in bytes_of(tmp_path)
        found = dp.memories.recall("bird/old")
        assert isinstance(found, Gone)
        assert found.at == clock.now
        assert CANARY not in dp.memories.pack(CANARY).text.split("\n", 1)[-1]
    assert CANARY.encode() not in bytes_of(tmp_path)


def test_what_a_reader_kept_from_being_removed_goes_with_the_next_look(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as dp:
        dp.memories.remember("bird", f"It was the {CANARY}.")
        with Store.open(dp.engine.store.folder) as other, other.reading() as db:
            db.execute("SELECT count(*) FROM record").fetchall()
            assert not dp.memories.forget("bird").log_emptied
            assert CANARY.encode() in bytes_of(tmp_path)
        assert dp.memories.list().memories == ()
        assert CANARY.encode() not in bytes_of(tmp_path)


def test_an_owner_who_forgets_everything_leaves_not_even_a_name(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock, owner="quetzal") as dp:
        dp.memories.remember("a", "one text to remember")
        dp.memories.forget(everything=True)
        assert b"quetzal" not in bytes_of(tmp_path)
        assert isinstance(dp.memories.recall("a"), Gone)


@settings(max_examples=15)
@given(
    history=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["short", "long", "embed", "end", "reopen"])),
        min_size=4,
        max_size=40,
    ),
    victim=st.integers(0, 5),
)
@example(history=[(0, "long"), (0, "short"), (0, "embed"), (0, "long")], victim=1)
@example(history=[(0, "embed"), (0, "long"), (0, "long"), (0, "embed")], victim=1)
def test_nothing_stays_after_any_history_of_writes(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[int, str]], victim: int
) -> None:
    """Pages are split, merged and freed on the way; what they held must not stay behind in them."""
    folder, clock = tmp_path_factory.mktemp("history"), Clock()
    dp = None
    try:
        for step, (number, what) in enumerate(history):
            if dp is None:
                manager = opened(folder, clock)
                dp = manager.__enter__()
            clock.passes(60)
            key, word = f"key/{number}", f"canary{number}x"
            match what:
                case "short":
                    dp.memories.remember(key, f"{word} at step {step}")
                case "long":
                    dp.memories.remember(key, " ".join(f"{word}q{i} at step{step}w{i}" for i in range(700)))
                case "embed":
                    dp.embed()
                case "end":
                    dp.memories.remember(key, f"{word} for a minute at {step}", ttl_seconds=60)
                case _:
                    manager.__exit__(None, None, None)
                    dp = None
        if dp is None:
            manager = opened(folder, clock)
            dp = manager.__enter__()
        dp.memories.remember(f"key/{victim}", f"canary{victim}x is the last")
        dp.memories.forget(f"key/{victim}")
        assert f"canary{victim}x".encode() not in bytes_of(folder)
    finally:
        if dp is not None:
            manager.__exit__(None, None, None)


def test_the_others_are_as_they_were(dp: Daypack) -> None:
    for number, text in enumerate(OTHERS):
        dp.memories.remember(f"service/{number}", text)
    dp.memories.remember("secret", "the tax team sings at noon")
    before = [
        (hit.memory.key, hit.memory.value)
        for hit in dp.memories.search("tax team port").hits
        if hit.memory.key != "secret"
    ]
    dp.memories.forget("secret")
    after = [(hit.memory.key, hit.memory.value) for hit in dp.memories.search("tax team port").hits]
    assert sorted(after) == sorted(before)
    assert [check.detail for check in dp.check(deep=True) if check.verdict.value == "damage"] == []


def test_a_purge_by_source_takes_all_that_came_from_it_and_nothing_else(dp: Daypack) -> None:
    dp.memories.remember("a", "said by a page", source="web:example")
    dp.memories.remember("b", "said by another page", source="web:other")
    dp.memories.remember("c", "mine")
    receipt = dp.memories.forget(source="web:example")
    assert receipt.keys == ("a",)
    assert [memory.key for memory in dp.memories.list().memories] == ["b", "c"]


def test_a_redacted_key_is_refused_until_it_is_reopened(dp: Daypack) -> None:
    dp.memories.remember("db/password", "it is on the note below the keyboard")
    dp.memories.redact("db/password", reason="leaked")
    with pytest.raises(MemoryRedacted, match="leaked"):
        dp.memories.remember("db/password", "another")
    with pytest.raises(MemoryRedacted):
        dp.memories.restore("db/password", "0" * 16)
    assert dp.memories.remember("db/password", "in the vault", reopen=True).written
    history = dp.memories.history("db/password")
    assert not isinstance(history, Gone)
    assert [line.version.value for line in history] == ["in the vault"]


def test_a_forgotten_key_may_be_used_again_and_its_past_stays_gone(dp: Daypack) -> None:
    token = dp.memories.remember("k", "the first").token
    dp.memories.forget("k")
    found = dp.memories.recall("k")
    assert isinstance(found, Gone)
    assert found.state is GoneState.FORGOTTEN
    dp.memories.remember("k", "the second")
    assert dp.memories.recall("k").value == "the second"
    with pytest.raises(NotFound):
        dp.memories.restore("k", token)


def test_forgetting_nothing_says_so(dp: Daypack) -> None:
    with pytest.raises(NotFound):
        dp.memories.forget("unknown")
    with pytest.raises(InputError):
        dp.memories.forget()
    with pytest.raises(InputError):
        dp.memories.forget("a", tag="b")


def test_a_receipt_names_the_backups_that_may_still_hold_it(dp: Daypack) -> None:
    dp.memories.remember("k", "value")
    taken = dp.engine.store.snapshot(1_000_000.0).backup
    assert dp.memories.forget("k").may_still_hold == (f"backup/backups/{taken.name}.json",)


def test_a_vector_that_is_made_while_its_text_is_forgotten_is_not_kept(dp: Daypack) -> None:
    """Another process embeds what this one forgets: between its reading the text and its keeping the vector."""
    from daypack.index import vectors

    dp.memories.remember("k", "a text that is about to go")
    with dp.engine.store.reading() as db:
        (hash_,) = [row[0] for row in db.execute("SELECT embed_hash FROM chunk")]
    dp.memories.forget("k")
    with dp.engine.store.writing("vec_seq") as db:
        vectors.put_vectors(db, "m", 2, [(hash_, 1.0, b"\1\2")])
        assert db.execute("SELECT count(*) FROM vec").get == 0


def test_forgetting_an_unknown_key_names_the_likely_one_and_removes_nothing(
    tmp_path: Path, clock: Clock
) -> None:
    with opened(tmp_path, clock) as dp:
        dp.memories.remember("release/cadence", "We release on Thursdays.")
        with pytest.raises(NotFound, match=r"nothing was removed; did you mean release/cadence\?"):
            dp.memories.forget("release/cadance")
        with pytest.raises(NotFound, match=r"nothing was removed$"):
            dp.memories.forget(tag="nobody")
        assert len(dp.memories) == 1


def test_a_key_of_the_other_space_is_told_from_an_unknown_one(dp: Daypack) -> None:
    dp.memories.remember("release/day", "Thursday", shared=True)
    with pytest.raises(NotFound, match="is shared by the project: say so with --shared"):
        dp.memories.forget("release/day")
    dp.memories.remember("release/hour", "nine")
    with pytest.raises(NotFound, match="is your own: leave --shared out"):
        dp.memories.forget("release/hour", shared=True)


def test_a_purge_by_source_keeps_what_others_said_under_the_same_key(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as dp:
        for text in ("The bank pays 2 percent", "The bank pays 3 percent"):
            dp.memories.remember("bank/rate", text)
            clock.passes(DAY)
        dp.memories.remember("bank/rate", f"The {CANARY} pays 9 percent", source="web:birds")
        dp.memories.remember("bird", f"It was the {CANARY}", source="web:birds")
        dp.embed()
        receipt = dp.memories.forget(source="web:birds")
        assert (receipt.keys, receipt.kept, receipt.versions) == (("bird",), ("bank/rate",), 2)
        assert (receipt.chunks, receipt.vectors) == (1, 1)  # a proposal is not searched
        assert dp.memories.recall("bank/rate").value == "The bank pays 3 percent"
        assert len(dp.memories.history("bank/rate")) == 2  # type: ignore[arg-type]
        assert isinstance(dp.memories.recall("bird"), Gone)
        assert CANARY.encode() not in bytes_of(tmp_path)
        assert ills(dp) == []


def test_a_purge_by_source_brings_back_the_value_below(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as dp:
        dp.memories.remember("bank/rate", "The bank pays 2 percent")
        clock.passes(DAY)
        token = dp.memories.remember("bank/rate", f"The {CANARY} pays 9 percent", source="web:birds").token
        dp.memories.accept("bank/rate", token)
        clock.passes(DAY)
        dp.memories.remember("bank/rate", f"The {CANARY} pays 8 percent", source="web:birds", trust="user")
        dp.embed()
        receipt = dp.memories.forget(source="web:birds")
        assert (receipt.kept, receipt.versions, receipt.chunks) == (("bank/rate",), 3, 2)
        assert [hit.memory.value for hit in dp.memories.search("what does the bank pay?").hits] == [
            "The bank pays 2 percent"
        ]
        assert [hit.memory.value for hit in dp.memories.search("what did the bank pay last week?").hits] == [
            "The bank pays 2 percent"
        ]
        assert CANARY.encode() not in bytes_of(tmp_path)
        assert ills(dp) == []


def test_no_import_restores_a_version_that_a_purge_by_source_removed(dp: Daypack, tmp_path: Path) -> None:
    m = dp.memories
    m.remember("bank/rate", "The bank pays 2 percent", shared=True)
    m.remember("bank/rate", "The bank pays 9 percent", source="web:birds", shared=True)
    lines = [*m.files.export(shared=True)]
    with opened(tmp_path / "other", Clock()) as other:
        other.memories.files.import_lines(lines, shared=True)
        folder = m.files.share()
        m.forget(source="web:birds", shared=True)
        assert "9 percent" not in (folder / "bank.jsonl").read_text()
        assert m.files.import_lines(lines, shared=True).refused == 1
        assert len(m.history("bank/rate")) == 1  # type: ignore[arg-type]
        other.memories.files.import_lines(m.files.export(shared=True), shared=True)
        assert [entry.version.value for entry in other.memories.history("bank/rate")] == [  # type: ignore[union-attr]
            "The bank pays 2 percent"
        ]


def test_no_import_brings_back_what_was_forgotten_before_its_key_was_used_again(
    dp: Daypack, tmp_path: Path, clock: Clock
) -> None:
    m = dp.memories
    m.remember("health", "takes a pill against worries")
    before = [*m.files.export()]
    with opened(tmp_path / "other", clock) as other:
        other.memories.files.import_lines(before)
        clock.passes(1)
        m.forget("health")
        clock.passes(1)
        m.remember("health", "takes nothing")
        assert m.files.import_lines(before).refused == 1
        other.memories.files.import_lines(m.files.export())  # a merge forgets it there as well
        for store in (m, other.memories):
            assert [entry.version.value for entry in store.history("health")] == ["takes nothing"]  # type: ignore[union-attr]
    assert b"worries" not in bytes_of(tmp_path)


@pytest.mark.parametrize("passes", [1, 0, -DAY])
def test_a_key_that_is_used_again_is_newer_than_its_past_whatever_the_clock_says(
    dp: Daypack, tmp_path: Path, clock: Clock, passes: float
) -> None:
    dp.memories.remember("k", "the first")
    dp.memories.forget("k")
    clock.passes(passes)
    dp.memories.remember("k", "the second")
    assert dp.memories.recall("k").value == "the second"
    assert dp.memories.recall("k", as_of=clock.now).value == "the second"
    with opened(tmp_path / "other", clock) as other:
        other.memories.files.import_lines(dp.memories.files.export())
        assert other.memories.recall("k").value == "the second"


def test_an_export_from_before_a_key_was_reopened_removes_nothing_written_since(
    dp: Daypack, clock: Clock
) -> None:
    dp.memories.remember("db/password", "it is on the note below the keyboard")
    lines = [*dp.memories.files.export()]
    dp.memories.redact("db/password", reason="leaked")
    lines += dp.memories.files.export()
    clock.passes(1)
    dp.memories.remember("db/password", "in the vault", reopen=True)
    dp.memories.files.import_lines(lines)
    history = dp.memories.history("db/password")
    assert not isinstance(history, Gone)
    assert [line.version.value for line in history] == ["in the vault"]


def test_a_clock_that_was_set_back_lets_no_import_bring_back_what_was_forgotten(
    dp: Daypack, clock: Clock
) -> None:
    dp.memories.remember("health", "takes a pill against worries")
    before = [*dp.memories.files.export()]
    clock.passes(-DAY)
    dp.memories.forget("health")
    assert dp.memories.files.import_lines(before).refused == 1
    assert isinstance(dp.memories.recall("health"), Gone)


@pytest.mark.parametrize("is_later", [True, False])
def test_a_key_that_is_reopened_here_stays_without_the_values_that_were_forgotten_elsewhere(
    dp: Daypack, tmp_path: Path, clock: Clock, is_later: bool
) -> None:
    """A deletion after the redaction, or a redaction that took a later value, was forgotten with the reopening."""
    m = dp.memories
    m.remember("k", "the first")
    with opened(tmp_path / "other", clock) as other:
        if is_later:
            m.redact("k")
            other.memories.files.import_lines(m.files.export())
            clock.passes(1)
            m.remember("k", "the second", reopen=True)
            old = [*m.files.export()]
            clock.passes(1)
            m.forget("k")
        else:
            other.memories.files.import_lines(m.files.export())
            m.redact("k")
            clock.passes(1)
            other.memories.remember("k", "the second")
            old = [*other.memories.files.export()]
        clock.passes(1)
        other.memories.files.import_lines(m.files.export())
        other.memories.remember("k", "the third", reopen=True)
        other.memories.files.import_lines(old)
        history = other.memories.history("k")
        assert [entry.version.value for entry in history] == ["the third"]  # type: ignore[union-attr]
