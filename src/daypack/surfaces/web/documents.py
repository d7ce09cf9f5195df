"""Collections of JSON documents, with a filter. Faults in the filter are explained."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.routing import Route

from daypack.doors.documents.model.values import with_dates
from daypack.errors import DaypackError, NotFound
from daypack.ports import Progress
from daypack.shapes.strict_json import canonical, read_json
from daypack.surfaces.web.frame import Frame

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.documents.collection import Collection

MOST = 200  # documents on a page
PLANS = 30  # plans shown
COLUMNS = 4  # fields shown next to the whole document


def routes(frame: Frame) -> list[Route]:
    return [
        frame.reading_page("/documents", "documents.html", read_facts),
        frame.form("/documents/plan", _plan),
        frame.form("/documents/apply", _apply),
    ]


def _plan(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    name, condition = fields.get("collection", ""), fields.get("filter", "").strip()
    filter = read_json(condition, what="The filter") if condition else {}
    update = read_json(fields.get("update", ""), what="The update")
    daypack.documents.collection(name).plan_update(filter, update)
    return f"/documents?{urlencode({'collection': name, 'filter': condition})}#plans"


def _apply(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    """Apply a plan, or roll an applied one back."""
    door = daypack.documents
    done = (door.rollback if "back" in fields else door.apply)(fields.get("token", ""))
    return f"/documents?{urlencode({'collection': done.collection})}#plans"


def read_facts(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` may name a `collection`, a `filter` of JSON, the field to `sort` by and a `direction`, a
    `limit` and a number to `skip`.

    Raises NotFound for an unknown collection; other faults are in the fact `error`.
    """
    door = daypack.documents
    chosen = given.get("collection", "")
    form = {name: given.get(name, "").strip() for name in ("filter", "sort", "direction", "limit", "skip")}
    facts: dict[str, Any] = {
        "collections": door.inspect()["collections"], "chosen": chosen, "form": form,
        "plans": [plan for plan in door.plans() if not chosen or plan["collection"] == chosen][:PLANS],
    }  # fmt: skip
    if not chosen:
        return facts
    target = door.collection(chosen)
    (described,) = door.describe(chosen)
    facts |= {
        "described": described,
        "sample": _pretty(described["sample"]) if described["sample"] is not None else "",
    }
    try:
        return facts | _found(target, form, [field["path"] for field in described["fields"]])
    except NotFound:
        raise
    except DaypackError as error:
        return facts | {"error": str(error)}


def _found(target: Collection, form: Mapping[str, str], paths: list[str]) -> dict[str, Any]:
    condition = read_json(form["filter"], what="The filter") if form["filter"] else {}
    order = {form["sort"]: -1 if form["direction"] == "down" else 1} if form["sort"] else None
    limit, skip = _number(form["limit"], 20, MOST), _number(form["skip"], 0, 10**9)
    found = target.find(condition, sort=order, limit=limit + 1, skip=skip)
    columns = [path for path in paths if path != "_id" and "." not in path and "[]" not in path][:COLUMNS]
    facts: dict[str, Any] = {
        "columns": columns, "more": len(found) > limit, "skip": skip, "limit": limit,
        "documents": [_shown(document, columns) for document in found[:limit]], "command": _command(target.name, form, order, limit, skip),
        "explained": target.explain(condition),
        "next_url": f"/documents?{urlencode({'collection': target.name, **form, 'skip': skip + limit})}#found",
        "previous_url": f"/documents?{urlencode({'collection': target.name, **form, 'skip': max(0, skip - limit)})}#found",
    }  # fmt: skip
    if not found and condition:
        facts |= {"predicates": target.diagnose(condition), "hint": target.misspelt(condition)}
    return facts


def _number(text: str, usual: int, most: int) -> int:
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 12 else usual


def _shown(document: Mapping[str, Any], columns: list[str]) -> dict[str, Any]:
    cells = [(name, _written(document[name]) if name in document else "") for name in columns]
    return {"id": _written(document.get("_id")), "cells": cells, "whole": _pretty(document)}


def _written(value: Any) -> str:
    return value if isinstance(value, str) else canonical(with_dates(value))


def _pretty(document: Any) -> str:
    """JSON with one field per line, because canonical JSON is a single line, too long to read."""
    document = with_dates(document)
    if not isinstance(document, dict):
        return canonical(document)
    return (
        "{\n"
        + ",\n".join(f"  {canonical(name)}: {canonical(value)}" for name, value in document.items())
        + "\n}"
    )


def _command(
    name: str, form: Mapping[str, str], order: Mapping[str, int] | None, limit: int, skip: int
) -> str:
    words = ["daypack", "docs", "find", name, *([form["filter"]] if form["filter"] else [])]
    words += ["--sort", canonical(order)] if order else []
    return shlex.join([*words, "--limit", str(limit), *(["--skip", str(skip)] if skip else [])])
