"""Sources: the added folders, labels and scoped records, large and skipped files, and the number of vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.routing import Route

from daypack.errors import InputError
from daypack.guard.paths import contained
from daypack.ports import Progress
from daypack.surfaces.web.frame import Frame
from daypack.surfaces.web.skips import mend
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack

LARGEST = 12
SKIPPED = 40  # files that are shown for each reason
LISTED = 100


def routes(frame: Frame) -> list[Route]:
    return [
        frame.reading_page("/sources", "sources.html", read_facts),
        frame.form("/sources/add", _add, local=True),
        frame.form("/sources/refresh", _refresh, local=True),
        frame.form("/sources/remove", _remove, Access.DANGEROUS),
        frame.form("/sources/label", _label),
    ]


def read_facts(daypack: Daypack, parameters: Mapping[str, str]) -> dict[str, Any]:
    """`parameters` may tell what was `said` of the last action. Raises DaypackError."""
    status, files, roots = daypack.status(), daypack.files.listing(), daypack.files.roots()
    folders: Counter[str] = Counter()
    for entry in files:
        names = entry.uri.split("/")
        for depth in range(1, min(len(names), 4)):
            folders["/".join(names[:depth])] += entry.tokens
    skipped: dict[str, list[Any]] = {}
    for issue in daypack.files.skipped():
        skipped.setdefault(issue.reason.words, []).append(issue)
    files_of = [(root, [entry for entry in files if _is_in(entry.uri, root)]) for root in roots]
    records = daypack.sources.list(limit=LISTED)
    counts = Counter(entry.kind.value for entry in records)
    return {
        "said": SAID.get(parameters.get("said", ""), ""), "count": _number(parameters.get("count", "")),
        "roots": [
            {"name": root, "files": len(own), "tokens": sum(entry.tokens for entry in own),
             "last": max((entry.changed_at for entry in own), default=None)}
            for root, own in files_of
        ],
        "status": status, "vectors": status["vectors"], "labels": daypack.knowledge.labels(),
        "records": records, "kinds": dict(counts), "tokens": sum(entry.tokens for entry in files) or 1,
        "largest": sorted(files, key=lambda entry: -entry.tokens)[:LARGEST],
        "folders": folders.most_common(LARGEST),
        "skipped": [
            (reason, len(issues), [(entry, mend(entry)) for entry in issues[:SKIPPED]])
            for reason, issues in sorted(skipped.items(), key=lambda item: -len(item[1]))
        ],
    }  # fmt: skip


SAID = {
    "added": "files were added.", "refreshed": "files were read again.", "removed": "records were removed.",
    "kept": "label was kept.",
}  # fmt: skip


def _is_in(uri: str, root: str) -> bool:
    return (root == "." and not uri.startswith("/")) or uri == root or uri.startswith(f"{root.rstrip('/')}/")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _said(what: str, count: int) -> str:
    return f"/sources?{urlencode({'said': what, 'count': count})}"


def _add(daypack: Daypack, fields: Mapping[str, str], step: Progress) -> str:
    """Raises OutsideRoot: no caller of a server, a browser included, lets it read beyond its project."""
    path = fields.get("path", "").strip()
    if not path:
        raise InputError("name a folder or a file; . is the project")
    report = daypack.files.add(contained(daypack.root, path), progress=step)
    return _said("added", report.added + report.updated)


def _refresh(daypack: Daypack, fields: Mapping[str, str], step: Progress) -> str:  # noqa: ARG001
    report = daypack.files.refresh(progress=step)
    changed = daypack.knowledge.refresh()
    return _said("refreshed", report.added + report.updated + len(changed))


def _remove(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    name = fields.get("name", "")
    if fields.get("what") == "root":
        return _said("removed", daypack.files.remove(name))
    if fields.get("what") == "record":
        daypack.sources.delete(name)
        return _said("removed", 1)
    return _said("removed", daypack.knowledge.remove(name))


def _label(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
    text = fields.get("text", "").replace("\r\n", "\n")
    daypack.knowledge.add_text(fields.get("label", "").strip(), text)
    return _said("kept", 1)
