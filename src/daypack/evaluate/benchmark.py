"""A suite of questions about a set of records, both from files, under the names that context stores have for their fields.

hit         one of the expected keys, whole, is among the retrieved ones
share       of the expected keys that are
prefix      a retrieved key begins with the domain of an expected one: the rule of an older benchmark, for its figures alone
assembled   one of the expected terms stands in the assembled text (or in the retrieved ones, where a case says so)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from daypack.engine.limits import check_limits
from daypack.errors import BadBudget, BadSuite, QueryTooLong
from daypack.evaluate.cases import TermsScope
from daypack.evaluate.judge import normal
from daypack.guard.inputs import NotReadable, read_file
from daypack.settings import LARGEST_BUDGET
from daypack.types import Budget


@dataclass(frozen=True, slots=True)
class BenchCase:
    """A question of a run. `keys` are whole source keys, `terms` strings of their records; any of each makes
    a hit.
    """

    name: str
    tier: str
    query: str
    keys: tuple[str, ...]
    terms: tuple[str, ...]
    terms_scope: TermsScope
    budget: int
    user: str = ""
    session: str = ""
    include_user: bool = True
    include_global: bool = True


@dataclass(frozen=True, slots=True)
class BenchSuite:
    """One run."""

    name: str
    cases: tuple[BenchCase, ...]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """A set from a file with a JSON object a line. Raises BadSuite."""
    found = []
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadSuite(path.name, f"line {number}", f"is not JSON ({error})") from None
        if not isinstance(row, dict) or not isinstance(row.get("source_key"), str) or not row["source_key"]:
            raise BadSuite(path.name, f"line {number}", "must be an object with a source_key")
        found.append(row)
    if not found:
        raise BadSuite(path.name, "", "holds no record; a set has a JSON object a line")
    return found


def read_cases(path: Path, *, token_budget: int) -> BenchSuite:
    """A suite from a file. Raises BadSuite."""
    return read_suite(_text(path), path.name, token_budget=token_budget)


def _text(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8-sig")
    except NotReadable as error:
        raise BadSuite(path.name, "", f"cannot be read ({error.why})") from None
    except UnicodeDecodeError:
        raise BadSuite(path.name, "", "is not UTF-8 text") from None


_TYPES: Mapping[str, type] = {
    "name": str, "category": str, "query_text": str, "expected_source_keys": list, "expected_terms": list, "expected_terms_scope": str, "token_budget": int,
    "include_user_scope": bool, "include_global_scope": bool, "session_id": str, "user_id": str,
}  # fmt: skip


def read_suite(text: str, name: str, *, token_budget: int) -> BenchSuite:
    """A suite from a file of cases; those without a budget get `token_budget`.

    Raises BadSuite with the case and the field.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSuite(name, "", f"is not JSON ({error})") from error
    value = value if isinstance(value, dict) else {"cases": value}
    cases = value.get("cases")
    if not isinstance(cases, list) or not cases:
        example = '{"cases": [{"name": …, "query_text": …, "expected_source_keys": […]}]}'
        raise BadSuite(name, "cases", f"must be a list of cases, as in {example}")
    found = [
        _case(row, partial(BadSuite, name), f"case {number}", token_budget)
        for number, row in enumerate(cases, 1)
    ]
    return BenchSuite(str(value.get("name") or name), tuple(found))


def _case(row: Any, bad: Callable[[str, str], BadSuite], where: str, token_budget: int) -> BenchCase:
    if not isinstance(row, dict):
        raise bad(where, "must be an object with name, query_text and expected source keys or terms")
    for field, given in row.items():
        if problem := _problem_of(field, given):
            raise bad(f"{where}, field {field}", problem)
    if not row.get("name") or not row.get("query_text"):
        raise bad(where, "must have name and query_text")
    budget = row.get("token_budget", token_budget)
    if "token_budget" in row and budget > LARGEST_BUDGET:
        raise bad(f"{where}, field token_budget", f"{budget} is more than {LARGEST_BUDGET:,} tokens")
    try:
        check_limits(row["query_text"], Budget(budget))
    except (QueryTooLong, BadBudget) as error:
        raise bad(f"{where}:", str(error)) from error
    scope = row.get("expected_terms_scope", TermsScope.ASSEMBLED_CONTEXT.value)
    if scope not in set(TermsScope):
        raise bad(f"{where}, field expected_terms_scope", f"{scope!r} is not one of {', '.join(TermsScope)}")
    return BenchCase(
        name=row["name"],
        tier=row.get("category", ""),
        query=row["query_text"],
        keys=tuple(row.get("expected_source_keys", ())),
        terms=tuple(row.get("expected_terms", ())),
        terms_scope=TermsScope(scope),
        budget=budget,
        user=row.get("user_id", ""),
        session=row.get("session_id", ""),
        include_user=row.get("include_user_scope", True),
        include_global=row.get("include_global_scope", True),
    )


def _problem_of(field: str, given: object) -> str:
    """The fault of a field of a case, "" for none."""
    wanted = _TYPES.get(field)
    if wanted is None:
        return f"is not known; fields are {', '.join(_TYPES)}"
    is_mistyped = not isinstance(given, wanted) or isinstance(given, bool) != (wanted is bool)
    if is_mistyped or (isinstance(given, int) and given < 0):
        return f"{given!r} is not a valid {wanted.__name__}"
    if isinstance(given, list) and not all(isinstance(one, str) and one for one in given):
        return "must be a list of strings that are not empty"
    return ""


# ---------------------------------------------------------------- judging


@dataclass(frozen=True, slots=True)
class Judged:
    """One system's answer to a case, judged; None for each mark that the case does not expect."""

    hit: bool | None
    share: float | None
    assembled: bool | None


def searched_text(case: BenchCase, items: Iterable[str], text: str) -> str:
    """The text in which the terms of a case are looked for."""
    return text if case.terms_scope is TermsScope.ASSEMBLED_CONTEXT else "\n".join(items)


def judged(case: BenchCase, retrieved: Sequence[str], text: str) -> Judged:
    """`retrieved` keys and the text that terms are looked for in, against what the case expects."""
    found = [key in retrieved for key in case.keys]
    shown = normal(text)
    return Judged(
        hit=any(found) if found else None,
        share=sum(found) / len(found) if found else None,
        assembled=any(normal(term) in shown for term in case.terms) if case.terms else None,
    )


def prefix_hit(case: BenchCase, retrieved: Sequence[str]) -> bool | None:
    """Tell whether anything of an expected domain was retrieved, right or wrong."""
    wanted = {_domain(key) for key in case.keys}
    return any(_domain(key) in wanted for key in retrieved) if wanted else None


def _domain(key: str) -> str:
    return key.partition(":")[0]
