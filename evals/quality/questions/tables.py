"""Means of records as tables, differences of two runs, and the worst questions of the half that is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from evals.quality.questions.asked import QuestionSet
from evals.quality.questions.runs import Record
from evals.quality.statistics import by_measure, differences

LOOKED_AT = "a"
RANKING = ("Acc@1", "Acc@5", "Acc@10")
PACK = ("Gold", "First", "Kind", "FirstPage", "Lines", "Whole", "FirstLines", "Pages", "Outside", "Largest")
COST = ("Used", "Items", "Frame", "Content", "Away")
SHORT = ("Acc@1", "Acc@5", "Acc@10", "Gold@500", "Gold@1000", "Gold@4000", "First@1000", "FirstPage@1000")
MORE = (
    "Kind@1000",
    "Pages@1000",
    "Outside@1000",
    "Largest@1000",
    "Used@1000",
    "Frame@1000",
    "Content@1000",
    "Away@1000",
)
BY_LANGUAGE = ("Acc@1", "Acc@5", "Gold@1000", "First@1000", "FirstPage@1000")
OF_DOCS = ("Lines@1000", "Whole@1000", "FirstLines@1000", "Kind@1000")


def report(records: Sequence[Record], budgets: Sequence[int]) -> str:
    """Every table: each set by half, then by language."""
    parts = []
    for of in QuestionSet:
        rows = [record for record in records if record["set"] == of.value]
        if not rows:
            continue
        for half in sorted({record["half"] for record in rows}):
            some = [record for record in rows if record["half"] == half]
            parts.append(_section(of, f"half {half}", some, budgets))
        if len({record["half"] for record in rows}) > 1:
            parts.append(_section(of, "both halves", rows, budgets))
        if of is not QuestionSet.AWAY:
            parts.append(_by_language(of, rows))
    return "\n".join(parts)


def brief(records: Sequence[Record]) -> str:
    """Two short tables a set and half, of the measures that goals are set for."""
    parts = []
    for of in QuestionSet:
        rows = [record for record in records if record["set"] == of.value]
        for half in sorted({record["half"] for record in rows}):
            some = [record for record in rows if record["half"] == half]
            parts.append(f"### {of.value}, half {half}: {len({record['id'] for record in some})} questions\n")
            for names in (SHORT, MORE) if of is QuestionSet.CODE else (SHORT, MORE, OF_DOCS):
                parts += _table(some, names)
    return "\n".join(parts)


def _section(of: QuestionSet, title: str, rows: Sequence[Record], budgets: Sequence[int]) -> str:
    questions = len({record["id"] for record in rows})
    lines = [f"### {of.value}, {title}: {questions} questions", ""]
    if of is QuestionSet.AWAY:
        lines += _table(
            rows, [f"{name}@{budget}" for budget in budgets for name in ("Away", "Used", "Items")]
        )
    else:
        lines += _table(rows, RANKING)
        for budget in budgets:
            lines += _table(rows, [f"{name}@{budget}" for name in PACK])
            lines += _table(rows, [f"{name}@{budget}" for name in COST])
    return "\n".join(lines)


def _by_language(of: QuestionSet, rows: Sequence[Record]) -> str:
    """A table a measure, with a row a language and a column an arm."""
    arms = _arms(rows)
    lines = [f"### {of.value}, by language", ""]
    # Only few questions about code name lines.
    for name in (*BY_LANGUAGE, *(OF_DOCS if of is QuestionSet.DOCS else ())):
        groups: dict[str, dict[str, list[float]]] = {}
        for record in rows:
            if name in record["measures"]:
                language = groups.setdefault(f"{record['language']} ({record['half']})", {})
                language.setdefault(record["arm"], []).append(record["measures"][name])
        if groups:
            lines += [f"| {name} | {' | '.join(arms)} |", f"|---|{'---:|' * len(arms)}"]
            for title, found in sorted(groups.items()):
                cells = (_number(name, float(np.mean(found[arm]))) for arm in arms)
                lines.append(f"| {title} | {' | '.join(cells)} |")
            lines.append("")
    return "\n".join(lines)


def _table(rows: Sequence[Record], names: Sequence[str]) -> list[str]:
    """Means by arm, the arms in the order of the records; a measure that no record has is left out."""
    groups: dict[str, list[Mapping[str, float]]] = {}
    for record in rows:
        groups.setdefault(record["arm"], []).append(record["measures"])
    means = {
        group: {name: float(np.mean(found)) for name, found in by_measure(own).items()}
        for group, own in groups.items()
    }
    shown = [name for name in names if any(name in values for values in means.values())]
    if not shown:
        return []
    return [
        f"| arm | {' | '.join(shown)} |",
        f"|---|{'---:|' * len(shown)}",
        *(
            f"| {group} | {' | '.join(_number(name, values.get(name)) for name in shown)} |"
            for group, values in means.items()
        ),
        "",
    ]


def _number(name: str, value: float | None) -> str:
    if value is None:
        return ""
    if name.startswith(("Used", "Items", "Frame")):
        return f"{value:.0f}" if name.startswith("Used") else f"{value:.1f}"
    return f"{value:.3f}".removeprefix("0") if value < 1 else "1.000"


def compared(first: Iterable[Record], second: Iterable[Record], names: Sequence[str]) -> Iterator[str]:
    """Paired differences of two runs, second minus first: an arm, a set and a half at a time.

    An interval that does not hold zero is marked.
    """
    one, other = _grouped(first), _grouped(second)
    for key in one:
        if key not in other:
            continue
        rows, later = one[key], other[key]
        yield f"{', '.join(part for part in key[:2] if part)}, half {key[2]}: {len(rows.keys() & later.keys())} questions"
        for name, found in differences(later, rows).items():
            if names and name not in names:
                continue
            before = np.mean([values[name] for values in rows.values() if name in values])
            e = found.estimate
            mark = "" if e.low <= 0 <= e.high else "  *"
            yield f"  {name:<16} {before:9.3f} → {before + e.mean:9.3f}  {e.mean:+.3f} [{e.low:+.3f}, {e.high:+.3f}]  p {found.p:.3f}{mark}"


def of_arm(records: Iterable[Record], arm: str) -> list[Record]:
    """The records of one arm under the name "", so that two arms can be compared."""
    return [{**record, "arm": ""} for record in records if record["arm"] == arm]


def _grouped(records: Iterable[Record]) -> dict[tuple[str, str, str], dict[str, dict[str, float]]]:
    found: dict[tuple[str, str, str], dict[str, dict[str, float]]] = {}
    for record in records:
        key = (str(record["arm"]), str(record["set"]), str(record["half"]))
        found.setdefault(key, {})[str(record["id"])] = record["measures"]
    return found


def misses(
    records: Sequence[Record], texts: Mapping[str, tuple[str, Sequence[str]]], budget: int
) -> Iterator[str]:
    """Questions of the looked-at half whose gold is not in the pack, or not first, worst first.

    `texts` maps a question to its text and gold files. Questions of the other half are never shown.
    """
    name = f"Gold@{budget}"
    own = [record for record in records if record["half"] == LOOKED_AT and name in record["measures"]]
    for record in sorted(
        own,
        key=lambda record: (
            record["measures"][name],
            record["measures"]["Acc@10"],
            record["measures"]["Acc@1"],
        ),
    ):
        values, pack = record["measures"], record["packs"][str(budget)]
        if values[name] == 1 and values[f"First@{budget}"] == 1:
            continue
        text, gold = texts[record["id"]]
        verdict = "missing" if values[name] == 0 else "in part" if values[name] < 1 else "not first"
        rank = next((at for at, path in enumerate(record["files"], 1) if path in gold), None)
        yield f"{verdict:<9} {record['arm']} {record['id']} “{text}” gold {', '.join(gold)}, file rank {rank or '> 10'}"
        for path, begin, end, tokens, kind, score in pack[:5]:
            yield f"            {path}:{begin}-{end} {tokens} tokens {kind} {score}"


def _arms(rows: Iterable[Record]) -> list[str]:
    return [*dict.fromkeys(str(record["arm"]) for record in rows)]
