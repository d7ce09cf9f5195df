"""Sources: the added folders, labels and scoped records, large and skipped files, and the number of vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from starlette.routing import Route

from daypack.doors.sources.rules import searched_record
from daypack.errors import InputError
from daypack.guard.paths import contained
from daypack.ports import Progress
from daypack.shapes.wording import counted
from daypack.surfaces.web.frame import Frame
from daypack.surfaces.web.skips import mend
from daypack.text.storable import text_hash
from daypack.types import Record, with_hash
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.knowledge.types import Label

LARGEST = 12
SKIPPED = 40  # files that are shown for each reason
LISTED = 100  # labels and records on a page, which then has at most 300 KB


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
    part = parameters.get("part", "").strip()
    labels = _Page.of([*daypack.knowledge.labels(part)], parameters, "labels")
    records = _records(daypack, parameters)
    return {
        "said": _sentence(parameters.get("said", ""), _number(parameters.get("count", ""))),
        "roots": [
            {"name": root, "files": len(own), "tokens": sum(entry.tokens for entry in own),
             "last": max((entry.changed_at for entry in own), default=None)}
            for root, own in files_of
        ],
        "status": status, "vectors": status["vectors"], "labels": labels, "part": part, "label_address": label_address,
        "records": records, "kinds": daypack.sources.stats()["records_by_kind"], "tokens": sum(entry.tokens for entry in files) or 1,
        "largest": sorted(files, key=lambda entry: -entry.tokens)[:LARGEST],
        "folders": folders.most_common(LARGEST),
        "skipped": [
            (reason, len(issues), [(entry, mend(entry)) for entry in issues[:SKIPPED]])
            for reason, issues in sorted(skipped.items(), key=lambda item: -len(item[1]))
        ],
    }  # fmt: skip


class _Page(NamedTuple):
    """A part of a long list. `earlier` and `further` are the addresses of its neighbours, "" without one."""

    shown: Sequence[Any]
    first: int  # from 1
    total: int
    earlier: str
    further: str

    @classmethod
    def beside(cls, shown: Sequence[Any], total: int, given: Mapping[str, str], name: str) -> _Page:
        """Page number `given[name]` of a list of `total` items, which shows these."""
        number = max(1, _number(given.get(name, "")))

        def address(other: int) -> str:
            kept = {key: given[key] for key in ("part", "labels", "records") if given.get(key)}
            return f"/sources?{urlencode({**kept, name: other})}#{name}"

        first, more = (number - 1) * LISTED + 1, number * LISTED < total
        return cls(
            shown,
            first,
            total,
            address(number - 1) if number > 1 else "",
            address(number + 1) if more else "",
        )

    @classmethod
    def of(cls, every: Sequence[Any], given: Mapping[str, str], name: str) -> _Page:
        begin = (max(1, _number(given.get(name, ""))) - 1) * LISTED
        return cls.beside(every[begin : begin + LISTED], len(every), given, name)


def _records(daypack: Daypack, given: Mapping[str, str]) -> _Page:
    """A page of the scoped records, each with the address of its text."""
    begin = (max(1, _number(given.get("records", ""))) - 1) * LISTED
    found, total = daypack.sources.listed(limit=LISTED, offset=begin)
    rows = [(one, _text_of(searched_record(one, ""))) for one in found]
    return _Page.beside(rows, total, given, "records")


def _text_of(record: Record) -> str:
    """The address of a record's text, also where another record has its name."""
    return f"/get?{urlencode({'ref': record.uri + with_hash(text_hash(record.text))})}"


def label_address(label: Label) -> str:
    """The text of a label; of a folder the question form, narrowed to its texts."""
    uri = f"source:{label.name}"
    if label.kind == "folder":
        return f"/?{urlencode({'in': 'knowledge', 'source': f'{uri}/**'})}"
    return f"/get?{urlencode({'ref': uri})}"


SAID = {
    "added": ("file", "added"), "refreshed": ("file", "read again"), "removed": ("record", "removed"),
    "kept": ("label", "kept"),
}  # fmt: skip


def _is_in(uri: str, root: str) -> bool:
    return (root == "." and not uri.startswith("/")) or uri == root or uri.startswith(f"{root.rstrip('/')}/")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _sentence(what: str, count: int) -> str:
    """The result of the last action; "" for none that is known."""
    if what not in SAID:
        return ""
    noun, done = SAID[what]
    return f"{counted(count, noun)} {'was' if count == 1 else 'were'} {done}."


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
