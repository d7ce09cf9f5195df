"""The store against a dictionary: whatever is put, replaced, deleted and reopened, it holds and finds what
the dictionary does.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from daypack import Daypack
from daypack.engine.engine import Engine
from daypack.errors import NotFound
from daypack.index.postings.lexical import merge_segments
from support import WORDS, ills, indexed, merge_all

SCOPES = ("", "ana", "ben")
uids = st.sampled_from([f"r{n}" for n in range(8)])
scopes = st.sampled_from(SCOPES)
bodies = st.lists(
    st.sampled_from(["tea", "kettle", "retry payment", "\n\n", "# Heading\n\n", "日本", "x" * 200]),
    max_size=8,
).map(" ".join)


class Model(RuleBasedStateMachine):
    """Each text holds a word that no other text ever held, by which it must be found."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.texts: dict[tuple[str, str], tuple[str, str]] = {}
        self.number = 0
        self.open()

    def open(self) -> None:
        self.daypack = Daypack.open(self.folder / "s", settings=WORDS)

    def teardown(self) -> None:
        if hasattr(self, "daypack"):
            assert ills(self.daypack) == []
            before = indexed(self.daypack.engine.store)
            self.daypack.reindex()
            assert indexed(self.daypack.engine.store) == before
            self.daypack.close()
            shutil.rmtree(self.folder)

    def word(self) -> str:
        self.number += 1
        return "zq" + "".join("abcdefghij"[int(digit)] for digit in f"{self.number:05}")

    @rule(items=st.lists(st.tuples(uids, scopes, bodies, st.booleans()), min_size=1, max_size=4))
    def put(self, items: list[tuple[str, str, str, bool]]) -> None:
        records: list[dict[str, Any]] = []
        for uid, scope, body, in_session in items:
            word = self.word()
            text = f"{body} {word} {body}"
            records.append(
                {"id": uid, "scope": scope, "text": text, **({"session": "one"} if in_session else {})}
            )
            self.texts[uid, scope] = (text, word)
        report = self.daypack.records.add(records)
        assert report.added + report.updated == len({(record["id"], record["scope"]) for record in records})

    @rule(uid=uids, scope=scopes)
    def put_again(self, uid: str, scope: str) -> None:
        if (uid, scope) in self.texts:
            sequences = self.daypack.engine.store.sequences()
            with self.daypack.engine.store.reading() as db:
                session = db.execute(
                    "SELECT session FROM record WHERE uid = ? AND scope = ?", (uid, scope)
                ).fetchone()[0]
            self.daypack.records.add(
                [{"id": uid, "scope": scope, "text": self.texts[uid, scope][0], "session": session}]
            )
            assert self.daypack.engine.store.sequences() == sequences

    @rule(uid=uids, scope=scopes)
    def delete(self, uid: str, scope: str) -> None:
        assert self.daypack.records.delete([uid], scope=scope) == ((uid, scope) in self.texts)
        self.texts.pop((uid, scope), None)

    @rule()
    def reopen(self) -> None:
        self.daypack.close()
        self.open()

    @rule(everything=st.booleans())
    def merge(self, everything: bool) -> None:
        with self.daypack.engine.store.writing() as db:
            (merge_all if everything else merge_segments)(db)

    @rule()
    def rebuild(self) -> None:
        self.daypack.reindex()

    @rule(words=st.sampled_from(["tea", "kettle 日本", "retry payment"]))
    def ask(self, words: str) -> None:
        self.daypack.pack(words)

    @rule(uid=uids, scope=scopes, body=bodies)
    def another_process_puts(self, uid: str, scope: str, body: str) -> None:
        word = self.word()
        with Daypack.open(self.folder / "s", settings=WORDS) as other:
            other.records.add([{"id": uid, "scope": scope, "text": f"{body} {word}"}])
        self.texts[uid, scope] = (f"{body} {word}", word)

    @rule()
    def a_write_is_given_up(self) -> None:
        """An exception inside a transaction undoes all of it."""
        sequences = self.daypack.engine.store.sequences()
        with pytest.raises(ZeroDivisionError), self.daypack.engine.store.writing() as db:
            self.daypack.engine.store.remove_records(db, "records", "", [f"r{n}" for n in range(8)])
            _ = 1 / 0
        assert self.daypack.engine.store.sequences() == sequences

    @invariant()
    def the_store_holds_what_the_dictionary_does(self) -> None:
        if not hasattr(self, "daypack"):
            return
        with self.daypack.engine.store.reading() as db:
            stored = {
                (uid, scope): text for uid, scope, text in db.execute("SELECT uid, scope, text FROM record")
            }
        assert stored == {key: text for key, (text, _) in self.texts.items()}

    @rule(scope=scopes)
    def every_text_is_found_by_its_word_and_by_nobody_elses(self, scope: str) -> None:
        for (uid, owner), (_, word) in self.texts.items():
            found = [
                (candidate.chunk.uri, candidate.chunk.scope)
                for candidate in self.daypack.search(word, vectors="none").candidates
            ]
            assert (uid, owner) in found
            inside = self.daypack.search(word, vectors="none", scope=scope).candidates
            assert {candidate.chunk.scope for candidate in inside} <= {scope}
            assert bool(inside) >= (owner == scope)
        for word in ("tea", "kettle", "日本"):
            pack = self.daypack.pack(word, scope=scope)
            assert {candidate.chunk.scope for candidate in pack.candidates} <= {scope}
            own = [text for (_, owner), (text, _) in self.texts.items() if owner == scope]
            assert all(any(excerpt.text in text for text in own) for excerpt in pack.excerpts)

    @rule()
    def what_is_gone_is_not_found(self) -> None:
        with pytest.raises(NotFound):
            self.daypack.get("r99")
        for uid in {f"r{n}" for n in range(8)} - {uid for uid, _ in self.texts}:
            with pytest.raises(NotFound):
                self.daypack.get(uid)


Model.TestCase.settings = settings(
    max_examples=30, stateful_step_count=25, suppress_health_check=list(HealthCheck)
)
TestModel = pytest.mark.slow(Model.TestCase)


def test_a_citation_of_one_scope_does_not_open_the_text_of_another(dp: Daypack) -> None:
    dp.records.add(
        [{"id": "note", "scope": scope, "text": f"the kettle of {scope}"} for scope in ("ana", "ben")]
    )
    for scope in ("ana", "ben"):
        [excerpt] = dp.pack("kettle", scope=scope).excerpts
        found = dp.get(f"{excerpt.citation.reference}@{excerpt.citation.record_hash[:8]}")
        assert (found.text, found.state) == (f"the kettle of {scope}", "current")


def test_a_filtered_question_never_shows_more_than_the_filter_lets_through(dp: Daypack) -> None:
    """Neighbours, copies, typos and names are all ways to another scope."""
    for scope in ("ana", "ben"):
        dp.records.add(
            [
                {"id": f"{scope}{n}", "scope": scope, "session": "s", "time": n, "text": text}
                for n, text in enumerate(["the kettle", "def brew_tea(): pass", "a samovar", "the kettle"])
            ]
        )
    for query in ("kettle", "brew_tea", '"a samovar"', "samovra", "ben1", "ben0:1"):
        for candidate in dp.pack(query, scope="ana", vectors="all").candidates:
            assert candidate.chunk.scope == "ana"


def test_engines_of_one_process_share_a_store(tmp_path: Path) -> None:
    with (
        Daypack.open(tmp_path / "s", settings=WORDS) as one,
        Daypack.open(tmp_path / "s", settings=WORDS) as two,
    ):
        assert isinstance(one.engine, Engine)
        one.records.add([{"id": "a", "text": "kettle"}])
        assert two.search("kettle").candidates
        two.records.delete(["a"])
        assert not one.search("kettle").candidates
