"""A run: a suite judged on one state of a store, and as JSON, to be compared with another one later."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from daypack.errors import BadRun
from daypack.evaluate.cases import Expected, Expects, Require, Suite
from daypack.evaluate.judge import CaseResult, Finding, Miss
from daypack.evaluate.measures import mean, wilson
from daypack.shapes.plain import pick, plain
from daypack.types import EmptyReason, Packing, Tokenizer, VectorMode

SCHEMA = 1
LAST_RANK = 1_000_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""Valid names of runs."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options that a suite was asked with. `limit` results of a search count as retrieved; `budget` is for
    cases without one.
    """

    limit: int = 10
    budget: int = 4000
    tokenizer: Tokenizer = Tokenizer.O200K
    packing: Packing = Packing.AUTO
    vectors: VectorMode = VectorMode.AUTO


@dataclass(frozen=True, slots=True)
class StoreState:
    """The store that answered. Equal `sequence` and `vector_sequence`: equal texts and vectors."""

    records: int
    chunks: int
    sequence: int
    vector_sequence: int
    vectors_missing: int
    embedder: str  # "" when none was used
    weights: str = ""  # ranking weights that were fitted for it; "" when the defaults ranked


@dataclass(frozen=True, slots=True)
class Rate:
    """Number of found cases among the judged ones."""

    hits: int
    judged: int

    @property
    def value(self) -> float:
        """In [0, 1]; 0 without judged cases."""
        return self.hits / self.judged if self.judged else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, by Wilson."""
        return wilson(self.hits, self.judged)


@dataclass(frozen=True, slots=True)
class Totals:
    """A run in a few numbers. Means are over the judged cases, misses counted as zero."""

    cases: int
    retrieval: Rate
    reciprocal_rank: float
    recall: float  # R@limit
    pack: Rate
    pack_recall: float
    tokens_used: int
    token_budget: int


@dataclass(frozen=True, slots=True)
class Run:
    """A suite with a store's answers. `created` is Unix seconds."""

    id: str
    created: float
    suite: str
    suite_digest: str
    options: Options
    store: StoreState
    versions: Mapping[str, str]
    cases: tuple[CaseResult, ...]

    @property
    def totals(self) -> Totals:
        return totals(self.cases)

    def categories(self) -> dict[str, Totals]:
        """Totals of each category, in the order of the suite; empty when no case names one."""
        names = dict.fromkeys(case.category for case in self.cases)
        if set(names) <= {""}:
            return {}
        return {name: totals([case for case in self.cases if case.category == name]) for name in names}


def totals(cases: Sequence[CaseResult]) -> Totals:
    retrieval = [case for case in cases if case.retrieved is not None]
    packs = [case for case in cases if case.packed is not None]
    return Totals(
        cases=len(cases),
        retrieval=Rate(sum(case.retrieved is True for case in retrieval), len(retrieval)),
        reciprocal_rank=mean([case.reciprocal_rank for case in retrieval]),
        recall=mean([case.recall for case in retrieval]),
        pack=Rate(sum(case.packed is True for case in packs), len(packs)),
        pack_recall=mean([case.pack_recall for case in packs]),
        tokens_used=sum(case.tokens_used for case in cases),
        token_budget=sum(case.token_budget for case in cases),
    )


def made_run(
    suite: Suite,
    cases: Sequence[CaseResult],
    options: Options,
    store: StoreState,
    versions: Mapping[str, str],
    created: float,
) -> Run:
    """A run with an id that sorts by time and tells runs of one second apart."""
    run = Run("", created, suite.name, suite.digest, options, store, dict(versions), tuple(cases))

    when = datetime.fromtimestamp(created, UTC).strftime("%Y%m%d-%H%M%S")
    return replace(run, id=f"{when}-{hashlib.sha256(to_json(run).encode()).hexdigest()[:6]}")


# ---------------------------------------------------------------- JSON


def to_json(run: Run) -> str:
    """A run as indented JSON; `from_json` gives it back."""
    sums = run.totals
    value = {
        "daypack_eval_run": SCHEMA,
        **pick(run, "id created"),
        "suite": {"name": run.suite, "digest": run.suite_digest},
        "options": plain(run.options),
        "store": plain(run.store),
        "versions": dict(run.versions),
        "totals": {
            "cases": sums.cases, "retrieval_rate": _rounded(sums.retrieval, sums.retrieval.value), "retrieval_judged": sums.retrieval.judged,
            "rr": _rounded(sums.retrieval, sums.reciprocal_rank), f"r@{run.options.limit}": _rounded(sums.retrieval, sums.recall),
            "pack_rate": _rounded(sums.pack, sums.pack.value), "pack_judged": sums.pack.judged,
            "pack_recall": _rounded(sums.pack, sums.pack_recall), "tokens_used": sums.tokens_used, "token_budget": sums.token_budget,
        },
        "cases": [_case(case) for case in run.cases],
    }  # fmt: skip
    return json.dumps(value, ensure_ascii=True, indent=1) + "\n"


def _rounded(rate: Rate, value: float) -> float | None:
    """A mean over the cases that a rate judges, None without any."""
    return round(value, 6) if rate.judged else None


def _case(case: CaseResult) -> dict[str, Any]:
    return {
        **pick(
            case, "name query digest category require retrieved packed first_rank tokens_used token_budget"
        ),
        **pick(case, "empty_search empty_pack degraded vectors_pending seconds"),
        "filters": dict(case.filters),
        "findings": [
            pick(one, "kind=expected.kind expected=expected.text rank retrieved packed")
            | pick(one, "retrieval_miss pack_miss nearest lines")
            for one in case.findings
        ],
    }


def is_run(value: object) -> bool:
    """True when JSON is a run, of any version."""
    return isinstance(value, Mapping) and "daypack_eval_run" in value


def from_json(text: str, name: str) -> Run:
    """A run that `to_json` wrote. Errors call it by `name`. Raises BadRun."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRun(
            name, f"is not JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadRun(name, f"is not JSON ({error})") from None
    if not is_run(value):
        raise BadRun(
            name, "is not a saved run; `daypack eval run SUITE` makes one, `daypack eval runs` lists them"
        )
    if value["daypack_eval_run"] != SCHEMA:
        raise BadRun(
            name,
            f"is of version {value['daypack_eval_run']!r}, this program reads {SCHEMA}; run the suite again",
        )
    try:
        options, store = value["options"], value["store"]
        limit = _counted(options["limit"])
        names = [case["name"] for case in value["cases"]]
        if not names or len({*names}) < len(names):
            raise ValueError("no case, or two of one name")
        return Run(
            id=str(value["id"]),
            created=float(value["created"]),
            suite=str(value["suite"]["name"]),
            suite_digest=str(value["suite"]["digest"]),
            options=Options(
                limit,
                int(options["budget"]),
                Tokenizer(options["tokenizer"]),
                Packing(options["packing"]),
                VectorMode(options["vectors"]),
            ),
            store=StoreState(
                int(store["records"]),
                int(store["chunks"]),
                int(store["sequence"]),
                int(store["vector_sequence"]),
                int(store["vectors_missing"]),
                str(store["embedder"]),
                str(store.get("weights", "")),
            ),
            versions={str(key): str(version) for key, version in value["versions"].items()},
            cases=tuple(_read_case(case, limit) for case in value["cases"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise BadRun(name, f"cannot be read ({type(error).__name__}: {error}); run the suite again") from None


def _read_case(value: Mapping[str, Any], limit: int) -> CaseResult:
    return CaseResult(
        name=str(value["name"]),
        query=str(value["query"]),
        digest=str(value["digest"]),
        category=str(value["category"]),
        findings=tuple(_read_finding(finding) for finding in value["findings"]),
        limit=limit,
        require=Require(value["require"]),
        tokens_used=int(value["tokens_used"]),
        token_budget=int(value["token_budget"]),
        empty_search=_optional(EmptyReason, value["empty_search"]),
        empty_pack=_optional(EmptyReason, value["empty_pack"]),
        degraded=tuple(map(str, value["degraded"])),
        vectors_pending=int(value["vectors_pending"]),
        seconds=float(value["seconds"]),
        filters=dict(value.get("filters", {})),  # runs of earlier versions lack them
    )


def _read_finding(value: Mapping[str, Any]) -> Finding:
    retrieved, packed = value["retrieved"], value["packed"]
    if not {type(retrieved), type(packed)} <= {bool, type(None)}:
        raise TypeError("retrieved and packed are true, false or null")
    return Finding(
        Expected(Expects(value["kind"]), str(value["expected"])),
        _optional(_counted, value["rank"]),
        retrieved,
        packed,
        _optional(Miss, value["retrieval_miss"]),
        _optional(Miss, value["pack_miss"]),
        str(value["nearest"]),
        _optional(int, value.get("lines")),  # runs of earlier versions lack it
    )


def _counted(value: Any) -> int:
    """A limit or a rank: a number from 1 on that a search can have."""
    number = int(value)
    if not 1 <= number <= LAST_RANK:
        raise ValueError(f"a limit or a rank is not from 1 to {LAST_RANK:,}")
    return number


def _optional(kind: Any, value: Any) -> Any:
    return None if value is None else kind(value)
