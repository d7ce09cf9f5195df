"""A suite: questions with the expected content of their answers.

    {"name": "refunds", "cases": [
        {"name": "paid-once", "query": "why is a refund not paid twice?", "expected_paths": ["docs/refunds.md:20-25"],
         "expected_terms": ["idempotency key"], "token_budget": 400}]}

A list of cases alone is a suite as well. A fault in a suite is a BadSuite that names case and field: a
misread case would judge the wrong thing for months.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NoReturn

from daypack.errors import BadJson, BadSuite
from daypack.settings import LARGEST_BUDGET
from daypack.shapes.strict_json import read_json
from daypack.text.checks import did_you_mean, in_utc
from daypack.types import EMPTY, RecordKind


class Expects(enum.StrEnum):
    """Marks by which an expected thing is recognised in an answer."""

    ID = "id"  # a record's id; a file's is its path
    SOURCE_KEY = "source_key"  # `source_key` of a record's metadata, or its id
    PATH = "path"  # a record's uri, with or without lines
    SYMBOL = "symbol"  # a qualified name, or the end of one
    TERM = "term"  # a string of the text


class TermsScope(enum.StrEnum):
    """Texts that must contain the expected terms."""

    ASSEMBLED_CONTEXT = "assembled_context"  # in the pack
    RETRIEVED_RECORDS = "retrieved_records"  # in one of the first results of a search


class Require(enum.StrEnum):
    """Share of the expected things that makes a case found."""

    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Expected:
    """One thing that an answer must hold."""

    kind: Expects
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question. `filters` limit it to scope, kind, source, language, session, author, tag, since or
    before, as `Daypack.pack` does.

    `token_budget` None: the budget of the run. `category` groups cases in reports.
    """

    name: str
    query: str
    expected: tuple[Expected, ...]
    terms_scope: TermsScope = TermsScope.ASSEMBLED_CONTEXT
    require: Require = Require.ANY
    token_budget: int | None = None
    category: str = ""
    filters: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    @property
    def digest(self) -> str:
        """Hash of everything that decides the verdict: cases of one name and another digest are not compared."""
        asked = (
            self.query,
            [(e.kind, e.text) for e in self.expected],
            self.terms_scope,
            self.require,
            self.token_budget,
            sorted(self.filters.items()),
        )
        return hashlib.sha256(json.dumps(asked).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases in the order of their file; names are unique. `file` is the path of the suite, "" without one."""

    name: str
    cases: tuple[Case, ...]
    file: str = ""

    @property
    def digest(self) -> str:
        """Hash of the cases, not of the layout of their file."""
        return hashlib.sha256(
            "\n".join(f"{case.name}\0{case.digest}" for case in self.cases).encode("utf-8", "surrogatepass")
        ).hexdigest()[:16]


EXPECTED_FIELDS = {
    "expected_ids": Expects.ID,
    "expected_source_keys": Expects.SOURCE_KEY,
    "expected_paths": Expects.PATH,
    "expected_symbols": Expects.SYMBOL,
    "expected_terms": Expects.TERM,
}
FILTER_FIELDS = ("scope", "kind", "source", "language", "session", "author", "tag", "since", "before")
FIELDS = (
    "name",
    "query",
    "category",
    *EXPECTED_FIELDS,
    "expected_terms_scope",
    "require",
    "token_budget",
    *FILTER_FIELDS,
)
SUITE_FIELDS = ("schema_version", "name", "cases")
OTHER_NAMES = {"id": "name", "query_text": "query", "intent": "category"}
"""Names of these fields in suites made for other programs."""
LARGEST_SUITE = 10_000  # cases


# ---------------------------------------------------------------- reading


def parse_suite(text: str, name: str) -> Suite:
    """A suite from JSON, called `name` where it does not name itself, as in errors. Raises BadSuite."""
    try:
        value = read_json(text, what=name)
    except BadJson as error:
        where = f"line {error.line}, column {error.column}:"
        lines = "; a suite is one list of cases" if error.problem == "extra data" else ""
        raise BadSuite(name, where, f"is not JSON ({error.problem}){lines}") from None
    return read_suite(value, name)


def read_suite(value: object, name: str) -> Suite:
    """A suite from its parsed JSON: a list of cases, or an object with `cases`. Raises BadSuite."""
    title, bad = name, partial(BadSuite, name)
    if isinstance(value, Mapping):
        _known(name, "", value, SUITE_FIELDS, {})
        if value.get("schema_version", 1) != 1:
            raise bad("schema_version", f"is {value['schema_version']!r}; this program reads version 1")
        title = value.get("name", name)
        if not _is_line(title):
            raise bad("name", "must be one line of text")
        value = value.get("cases")
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        example = '{"cases": [{"name": …, "query": …, "expected_paths": […]}]}'
        raise bad("cases", f"must be a list of cases, as in {example}")
    if not value:
        raise bad("cases", "is empty; a suite needs one case or more")
    if len(value) > LARGEST_SUITE:
        most = f"at most {LARGEST_SUITE:,} are read; split the suite"
        raise bad("cases", f"holds {len(value):,} cases, {most}")
    cases: dict[str, Case] = {}
    for number, item in enumerate(value, 1):
        case = _Reader(name, number, item).case()
        if case.name in cases:
            first = [*cases].index(case.name) + 1
            problem = f"{case.name!r} is the name of case {first} as well; names tell cases apart"
            raise bad(f"case {number}, name", problem)
        cases[case.name] = case
    return Suite(str(title), tuple(cases.values()))


def _known(
    suite: str, where: str, value: Mapping[Any, Any], fields: Sequence[str], others: Mapping[str, str]
) -> None:
    for key in value:
        if key in fields or key in others:
            continue
        hint = did_you_mean(str(key), [*fields, *others], f"fields are {', '.join(fields)}")
        raise BadSuite(suite, f"{where}, field {key}" if where else f"field {key}", f"is not known; {hint}")


def _is_line(value: object) -> bool:
    return (
        isinstance(value, str)
        and bool(value.strip())
        and "\n" not in value
        and "\r" not in value
        and "\0" not in value
    )


class _Reader:
    """One case of a suite, read field by field."""

    def __init__(self, suite: str, number: int, item: object) -> None:
        self._suite, self._where = suite, f"case {number}"
        if not isinstance(item, Mapping):
            raise BadSuite(suite, self._where, "must be an object with name, query and expectations")
        name = item.get("name", item.get("id"))
        if _is_line(name):
            self._where += f" {str(name)!r}"
        _known(suite, self._where, item, FIELDS, OTHER_NAMES)
        for other, ours in OTHER_NAMES.items():
            if other in item and ours in item:
                self._bad(other, f"and {ours} say the same; keep {ours}")
        self._item = {OTHER_NAMES.get(key, key): value for key, value in item.items()}

    def _bad(self, field: str, problem: str) -> NoReturn:
        raise BadSuite(self._suite, f"{self._where}, field {field}", problem)

    def case(self) -> Case:
        item = self._item
        if not _is_line(item.get("name")):
            self._bad("name", "must be one line of text that tells this case from the others")
        query = item.get("query")
        if not isinstance(query, str) or not query.strip():
            self._bad("query", "must be the question, as text")
        expected = tuple(dict.fromkeys(self._expected()))
        if not expected:
            problem = f"says nothing about the answer; give one of {', '.join(EXPECTED_FIELDS)}"
            raise BadSuite(self._suite, self._where, problem)
        scope = self._member("expected_terms_scope", TermsScope, TermsScope.ASSEMBLED_CONTEXT)
        if "expected_terms_scope" in item and not item.get("expected_terms"):
            self._bad("expected_terms_scope", "says where terms must stand, but there are no expected_terms")
        category = item.get("category", "")
        if category != "" and not _is_line(category):
            self._bad("category", "must be one line of text")
        return Case(
            name=item["name"],
            query=query,
            expected=expected,
            terms_scope=scope,
            require=self._member("require", Require, Require.ANY),
            token_budget=self._budget(),
            category=category,
            filters=dict(self._filters()),
        )

    def _expected(self) -> Iterator[Expected]:
        for field_, kind in EXPECTED_FIELDS.items():
            for text in self._strings(field_):
                # A path is written as in a citation; completion in a shell begins it with "./".
                yield Expected(kind, text.removeprefix("./") if kind is Expects.PATH else text)

    def _strings(self, field_: str) -> list[str]:
        value = self._item.get(field_, [])
        if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
            self._bad(
                field_,
                "must be a list of strings that are not empty"
                + (f", as [{value!r}]" if isinstance(value, str) else ""),
            )
        return list(value)

    def _member(self, field_: str, kind: Any, default: Any) -> Any:
        value = self._item.get(field_, default)
        choices = [member.value for member in kind]
        if not isinstance(value, str) or value not in choices:
            allowed = ", ".join(choices)
            self._bad(
                field_,
                f"{value!r} is not one of {allowed}; {did_you_mean(str(value), choices, 'write one of them')}",
            )
        return kind(value)

    def _budget(self) -> int | None:
        value = self._item.get("token_budget")
        if value is None and "token_budget" not in self._item:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_BUDGET:
            self._bad(
                "token_budget", f"{value!r} is not a whole number of tokens from 0 to {LARGEST_BUDGET:,}"
            )
        return value

    def _filters(self) -> Iterator[tuple[str, Any]]:
        for field_ in FILTER_FIELDS:
            if field_ not in self._item:
                continue
            value = self._item[field_]
            if field_ in ("since", "before"):
                yield field_, self._moment(field_, value)
            elif field_ in ("kind", "source", "tag"):
                values = [value] if isinstance(value, str) else value
                is_list = isinstance(values, list) and bool(values)
                if not is_list or not all(isinstance(text, str) and text for text in values):
                    self._bad(field_, "must be a string, or a list of strings")
                unknown = [text for text in values if text not in set(RecordKind)]
                if field_ == "kind" and unknown:
                    self._bad(field_, f"{unknown[0]!r} is not one of {', '.join(RecordKind)}")
                yield field_, values
            elif not isinstance(value, str):
                self._bad(field_, "must be a string")
            else:
                yield field_, value

    def _moment(self, field_: str, value: object) -> float:
        """Unix seconds, from a number or an ISO 8601 date, which is UTC where it names no zone."""
        try:
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return datetime.fromtimestamp(value, UTC).timestamp()
            moment = datetime.fromisoformat(value if isinstance(value, str) else "")
            return in_utc(moment).timestamp()
        except (ValueError, OverflowError, OSError):
            return self._bad(
                field_, f'{value!r} is not a valid date; write "2026-10-01" or "2026-10-01T14:00"'
            )
