"""Dates of documents in answers: a model reads days, not milliseconds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.documents import verbs
from daypack.doors.documents.model.values import cleaned, with_dates
from daypack.shapes.strict_json import canonical

TOOLS = {verb.name: verb for verb in verbs.VERBS}

MOMENTS = st.integers(-(2**53), 2**53) | st.integers(0, 253_402_300_800_000)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers(-5, 5) | st.text(max_size=3) | st.builds(lambda at: {"$date": at}, MOMENTS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_a_readable_date_is_the_same_date(value: Any) -> None:
    assert canonical(cleaned(with_dates(value))) == canonical(value)


def test_the_tools_of_documents_answer_with_dates_and_take_them(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(
        [{"_id": 1, "name": "Sencha", "packed": {"$date": 1_790_812_800_000}, "log": [{"at": {"$date": 5}}]}]
    )
    shown = {"$date": "2026-10-01T00:00:00Z"}
    (found,) = verbs.find(dp, "teas", {"packed": shown})["documents"]
    assert (found["packed"], found["log"]) == (shown, [{"at": {"$date": "1970-01-01T00:00:00.005Z"}}])
    update = {"$set": {"packed": {"$date": "2026-10-02"}}}
    planned = TOOLS["plan_update"](dp, {"collection": "teas", "filter": {}, "update": update})
    (pair,) = planned["sampleBeforeAfter"]
    assert (pair["before"]["packed"], pair["after"]["packed"]) == (shown, {"$date": "2026-10-02T00:00:00Z"})
    assert '"packed":{"$date":"2026-10-01T00:00:00Z"}' in TOOLS["describe"](dp, {}).text
    assert teas.get(1)["packed"] == {"$date": 1_790_812_800_000}
