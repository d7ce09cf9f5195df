"""Who sees what: nothing of anybody else's is in an answer, in a count or behind a number, whatever is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support_sources import opened

from daypack import Daypack
from daypack.doors.sources import serialize as source_data
from daypack.doors.sources.tasks import serialize as task_data
from daypack.doors.sources.types import (
    AssembleRequest,
    RetrieveRequest,
    SourceAction,
    SourceDraft,
    SourcePolicy,
)
from daypack.errors import DaypackError, NotFound
from support import Clock

WORDS = [
    "kettle",
    "kettles",
    "ledger",
    "budget",
    "magnetometer",
    "Fahrenheit",
    "recieve",
    "receive",
    "oolong",
]
USERS = ["ana", "ben"]
SESSIONS = ["", "s1", "s2"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
# of one thing, and of several
questions = st.one_of(texts, st.lists(texts, min_size=2, max_size=4).map(", ".join))
drafts = st.builds(
    SourceDraft,
    texts,
    st.sampled_from(["user_prompt", "research_finding"]),
    st.sampled_from(["session", "user", "global"]),
    user_id=st.sampled_from(USERS),
    session_id=st.sampled_from(SESSIONS),
    source_key=st.sampled_from(["", "k1", "k2"]),
    tags=st.sampled_from([(), ("hot",)]),
    policy=st.builds(
        SourcePolicy,
        st.sampled_from([None, "private", "restricted", "shareable"]),
        st.sampled_from([(), ("ana",), ("ben",)]),
        st.sampled_from([(), ("s1",)]),
        allow_remote_model_egress=st.booleans(),
    ),
)


def may_see(draft: SourceDraft, user: str, session: str) -> bool:
    """The rule, said a second time."""
    policy, scope = draft.policy, draft.scope
    theirs = draft.user_id == user
    if scope == "session":
        seen = (draft.session_id or "") == session and theirs
    elif scope == "user":
        seen = theirs
    else:
        listed = user in policy.allowed_user_ids or session in policy.allowed_session_ids
        seen = policy.confidentiality in (None, "shareable") or theirs or listed
    users = not policy.allowed_user_ids or theirs or user in policy.allowed_user_ids
    return seen and users and (not policy.allowed_session_ids or session in policy.allowed_session_ids)


def said(dp: Daypack, user: str, session: str) -> list[str]:
    """Everything that somebody can learn.

    Ids and numbers of the log only say how much was ever written, by anybody.
    """
    door = dp.sources
    who = {"user_id": user, "session_id": session}
    calls: list[Callable[[], object]] = [
        lambda: door.stats(**who),
        lambda: [source_data.source_to_dict(item) for item in door.list(status=None, **who)],
    ]
    for query in (
        "kettle",
        "ketle",
        '"oolong kettle"',
        "magnetomter Fahrenheit",
        "k1",
        "kettle ledger, oolong budget and a ketle",
    ):
        for ranking in ("common", "weighted"):
            for vectors in ("all", "none"):
                asked = RetrieveRequest(query, ranking=ranking, vectors=vectors, **who)
                calls.append(lambda asked=asked: source_data.retrieval_to_dict(door.retrieve(asked)))
        asked = RetrieveRequest(
            query, vectors="none", tags=("hot",), kinds=("user_prompt",), model_target="hosted", **who
        )
        calls.append(lambda asked=asked: source_data.retrieval_to_dict(door.retrieve(asked)))
        calls.append(
            lambda query=query: source_data.selection_to_dict(
                door.assemble(AssembleRequest(query, vectors="none", **who))
            )
        )
        calls.append(
            lambda query=query: task_data.envelope_to_dict(
                dp.tasks.envelope(AssembleRequest(query, vectors="none", **who))
            )
        )
        if not session:  # what the owner of a store sees: words, vectors, typos and what was meant, counts
            for vectors in ("all", "none"):
                calls.append(lambda query=query, vectors=vectors: searched(dp, query, vectors))
                calls.append(
                    lambda query=query, vectors=vectors: dp.pack(query, budget=300, vectors=vectors).text
                )
    if not session:
        calls.append(lambda: {name: dp.status()[name] for name in ("records", "chunks", "kinds")})
    found = []
    for call in calls:
        try:
            answer = json.dumps(call())
        except DaypackError as error:
            answer = f"{type(error).__name__}: {error}"
        answer = re.sub(r'"(audit_id|chunk_id)": (\d+|null)|"last_used_at": [^,}]*', "", answer)
        found.append(re.sub(r"src-[0-9a-f]{16}", "src", answer))
    return found


def searched(dp: Daypack, query: str, vectors: str) -> list[object]:
    found = dp.search(query, vectors=vectors)
    texts = [
        [
            one.chunk.text,
            round(one.score, 9),
            [[part.signal, round(part.share, 9)] for part in one.contributions],
        ]
        for one in found.candidates
    ]
    return [texts, dict(found.stats.corrections), found.empty_reason]


@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    written=st.lists(drafts, min_size=1, max_size=10),
    user=st.sampled_from(USERS),
    session=st.sampled_from(SESSIONS),
)
def test_somebody_sees_what_they_would_see_if_nothing_else_were_there(
    tmp_path_factory: pytest.TempPathFactory, written: list[SourceDraft], user: str, session: str
) -> None:
    # Keys apart for each writer of global records: who may not see what stands under a key writes beside it,
    # not over it.
    written = [
        replace(one, source_key=one.source_key and f"{one.source_key}-{number}")
        for number, one in enumerate(written)
    ]
    answers = []
    for alone in (True, False):
        clock = Clock()
        with opened(tmp_path_factory.mktemp("store"), clock, owner=user) as dp:
            others = []
            for draft in written:
                clock.passes(60)
                if may_see(draft, user, session):
                    dp.sources.ingest(draft)
                elif not alone:
                    others.append(dp.sources.ingest(draft).record)
            clock.passes(60)
            answers.append(said(dp, user, session))
            who = {"user_id": user, "session_id": session}
            # and whoever has learned an id or a key of somebody else's is told that there is nothing
            for record in others:
                with pytest.raises(NotFound):
                    dp.sources.get(record.id, **who)
                with pytest.raises(NotFound):
                    dp.sources.delete(record.id, scope=record.scope, **who)
                if not session:
                    with pytest.raises(NotFound):
                        dp.get(f"source:{record.source_key or record.id}")
    for alone_, together in zip(*answers, strict=True):
        assert together == alone_


@settings(max_examples=30)
@given(
    written=st.lists(drafts, min_size=1, max_size=8),
    user=st.sampled_from(USERS),
    session=st.sampled_from(SESSIONS),
    query=questions,
)
def test_a_hosted_model_gets_nothing_whose_policy_forbids_it(
    tmp_path_factory: pytest.TempPathFactory, written: list[SourceDraft], user: str, session: str, query: str
) -> None:
    with opened(tmp_path_factory.mktemp("store"), Clock()) as dp:
        for draft in written:
            dp.sources.ingest(draft)
        for ranking in ("common", "weighted"):
            asked = RetrieveRequest(
                query, user_id=user, session_id=session, model_target="hosted", limit=100, ranking=ranking
            )
            assert all(
                item.record.policy.allow_remote_model_egress for item in dp.sources.retrieve(asked).items
            )


def keep(dp: Daypack, text: str, scope: str, **facts: object) -> str:
    return dp.sources.ingest(SourceDraft(text, scope=scope, **facts)).record.id  # type: ignore[arg-type]


def test_filters_are_counted_by_reason(dp: Daypack) -> None:
    keep(
        dp,
        "the kettle is mine",
        "user",
        user_id="ana",
        kind="user_prompt",
        policy=SourcePolicy(allow_remote_model_egress=True),
    )
    keep(dp, "the kettle is here", "session", user_id="ana", session_id="s1")
    keep(dp, "the kettle is everybody's", "global", user_id="ben")
    keep(dp, "the kettle is ben's", "user", user_id="ben")
    ana = RetrieveRequest("kettle", user_id="ana", session_id="s1")
    assert (dp.sources.retrieve(ana).visible, dp.sources.retrieve(ana).excluded) == (3, {})
    for changes, excluded in (
        ({"include_user_scope": False}, {"user_scope": 1}),
        ({"include_global_scope": False}, {"global_scope": 1}),
        ({"model_target": "hosted"}, {"remote_egress_denied": 2}),
        ({"kinds": ("user_prompt",)}, {"kind": 2}),
        ({"session_id": "s2"}, {}),
        ({"max_age_days": 0.0}, {}),
        ({"confidentialities": ("private",)}, {"confidentiality": 1}),
        ({"tags": ("hot",)}, {"tag": 3}),
        ({"source_keys": ("k",)}, {"source_key": 3}),
    ):
        assert dp.sources.retrieve(replace(ana, **changes)).excluded == excluded, changes


def test_global_records_are_everybodys_unless_their_policy_says_otherwise(dp: Daypack) -> None:
    keep(dp, "kettles boil at 100 degrees", "global", user_id="ben")
    private = keep(
        dp, "the kettle key is under the mat", "global", user_id="ben", policy=SourcePolicy("private")
    )
    listed = keep(
        dp,
        "the kettle is in the lab",
        "global",
        user_id="ben",
        policy=SourcePolicy("restricted", allowed_user_ids=("ana",)),
    )
    assert {item.text for item in dp.sources.list(user_id="ana")} == {
        "kettles boil at 100 degrees",
        "the kettle is in the lab",
    }
    assert {item.text for item in dp.sources.list(user_id="eve")} == {"kettles boil at 100 degrees"}
    assert len(dp.sources.list(user_id="ben")) == 3
    for user, record in (("ana", private), ("eve", listed)):
        with pytest.raises(NotFound):
            dp.sources.get(record, user_id=user)
        with pytest.raises(NotFound):
            dp.sources.delete(record, scope="global", user_id=user)


def test_what_is_not_for_the_owner_of_the_store_is_in_no_other_answer_of_it_either(tmp_path: Path) -> None:
    with opened(tmp_path, Clock()) as dp:
        keep(dp, "the magnetometer is broken", "user", user_id="ana")
        mine = keep(dp, "the kettle is descaled", "user")
        (hidden,) = [chunk for chunk, _ in dp.engine.store.chunk_hashes()][:1]
        assert not dp.search("magnetometer", vectors="none").candidates
        assert not dp.search("magnetomter", vectors="none").stats.corrections
        assert "magnetometer" not in dp.pack("what is broken", budget=2000, vectors="none").text
        assert dp.status()["records"] == 1
        for reference in (f"#{hidden}", f"source:{dp.sources.list(user_id='ana')[0].id}"):
            with pytest.raises(NotFound):
                dp.get(reference)
        assert dp.get(f"source:{mine}").text == "the kettle is descaled"
        assert [
            found.chunk.text for found in dp.search("kettle", door="sources", vectors="none").candidates
        ] == ["the kettle is descaled"]


def test_nobody_replaces_deletes_or_prunes_what_somebody_else_gave_to_all(dp: Daypack) -> None:
    anas = keep(
        dp,
        "kettles boil at 100 degrees",
        "global",
        user_id="ana",
        source_key="boiling",
        policy=SourcePolicy(retention_days=0.001),
    )
    bens = dp.sources.upsert(
        "boiling", SourceDraft("kettles boil at 90 degrees up here", scope="global", user_id="ben")
    )
    assert (bens.action, bens.record.source_version, bens.record.previous_record_id) == (
        SourceAction.CREATED,
        1,
        "",
    )
    dp.engine.clock.passes(3600)  # type: ignore[attr-defined]  # the clock of these tests
    dp.sources.prune(user_id="ben", max_records=1)
    for reference in (anas, "boiling"):
        with pytest.raises(NotFound):
            dp.sources.delete(reference, scope="global", user_id="eve")
    assert {item.user_id for item in dp.sources.list(user_id="eve")} == {"ana", "ben"}
    assert len(dp.sources.delete("boiling", scope="global", user_id="ben").records) == 1
    assert [item.id for item in dp.sources.list(user_id="eve")] == [anas]
    assert [receipt.records for receipt in dp.sources.prune(user_id="ana")] == [(anas,)]


def test_everybody_in_a_session_replaces_and_deletes_what_is_the_sessions(dp: Daypack) -> None:
    shared = keep(dp, "the kettle is on", "session", session_id="s1")
    with pytest.raises(NotFound):
        dp.sources.delete(shared, user_id="ben", session_id="s2")
    assert dp.sources.delete(shared, user_id="ben", session_id="s1").records == (shared,)
