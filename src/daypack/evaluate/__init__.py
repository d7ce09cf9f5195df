"""Suites of questions with the expected content of their answers: judged, compared and held to a rate.

    suite.json ─► Suite ─► (search and pack each case) ─► judge ─► Run ─► compare, gate ─► text, page
    chunks of the store ─► known-item questions ─► rank of each in every arm ─► SelfCheck
    nDCG@10 of every case under every setting of the weights ─► held out, chosen ─► RankerFit

`suite_runner`, `self_check` and `tuning` ask a store; the other modules are pure.
"""

from daypack.evaluate.arms import SelfCheck
from daypack.evaluate.cases import (
    Case,
    Expected,
    Expects,
    Require,
    Suite,
    TermsScope,
    parse_suite,
    read_suite,
)
from daypack.evaluate.compare import Check, Comparison, compare, gate
from daypack.evaluate.judge import Answer, CaseResult, Finding, Miss, Passage, judge
from daypack.evaluate.runs import Options, Run, StoreState, from_json, to_json
from daypack.evaluate.weights import KindFit, RankerFit

__all__ = [
    "Answer",
    "Case",
    "CaseResult",
    "Check",
    "Comparison",
    "Expected",
    "Expects",
    "Finding",
    "KindFit",
    "Miss",
    "Options",
    "Passage",
    "RankerFit",
    "Require",
    "Run",
    "SelfCheck",
    "StoreState",
    "Suite",
    "TermsScope",
    "compare",
    "from_json",
    "gate",
    "judge",
    "parse_suite",
    "read_suite",
    "to_json",
]
