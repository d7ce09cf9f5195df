"""The views of a question: its pack, the reasons for it, two packs side by side, and files to share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daypack.doors.registry import door_names
from daypack.errors import DaypackError
from daypack.shapes.wording import empty_sentence
from daypack.surfaces.host import Host
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web import bars, sessions
from daypack.surfaces.web.code.lines import coloured_pack
from daypack.surfaces.web.compare import difference
from daypack.surfaces.web.frame import Facts, Frame
from daypack.surfaces.web.question_form import QuestionForm
from daypack.surfaces.web.shell import HEADERS, error_page, exported
from daypack.types import Pack, RecordKind
from daypack.verbs import Access

REASONS = {"budget": "no room", "duplicate": "a duplicate of another", "low_score": "not relevant enough", "no_content": "without content"}  # fmt: skip
COUNTED = {
    "budget": ("had no room", "had no room"), "duplicate": ("duplicates another", "duplicate others"),
    "low_score": ("is not relevant enough", "are not relevant enough"), "no_content": ("has no content", "have no content"),
    "sent": ("was sent before", "were sent before"),
}  # fmt: skip
"""Reason → the words after the number 1, and after others."""
CANDIDATES_SHOWN = 40


def routes(frame: Frame) -> list[Route]:
    views = _Views(frame.host)
    exports = (
        Route(f"/export/{what}", partial(views.export, what=what)) for what in ("pack", "compare", "session")
    )
    return [
        frame.page("/", views.pack),
        frame.page("/why", views.why),
        frame.page("/compare", views.compare),
        Route("/pack.json", views.pack_json),
        *exports,
    ]


class _Views:
    """The views of a question: its pack, the reasons, a comparison, and each as a file."""

    def __init__(self, host: Host | Seats) -> None:
        self._host = host

    async def pack(self, request: Request) -> tuple[str, Facts]:
        question = QuestionForm(request)
        facts = _question(question) | {"reasons": REASONS}
        if not question.form["q"] or question.error:
            # this view does not read the store, so that the first page appears at once for stores of any size
            return "pack.html", facts
        host = self._host.of(request.scope)
        try:
            pack = await host.run(partial(question.packed, host))
        except DaypackError as error:
            return "pack.html", facts | {"error": str(error)}
        return "pack.html", facts | _pack_facts(pack, question) | {
            "empty": empty_sentence(pack.empty_reason, pack.stats) if not pack.excerpts else "",
            "left_out": ", ".join(_counted(pack)),
            "next_url": question.url("/", page=pack.next_page or 1),
            "json_url": question.url("/pack.json", page=question.page),
            "why_url": question.url("/why"),
            "beside_url": question.url("/compare"),
            "export_url": question.url("/export/pack", page=question.page),
        }

    async def pack_json(self, request: Request) -> Response:
        """The pack of the first view as JSON; loaded separately, because it is as long as the view and rarely needed."""
        host = self._host.of(request.scope)
        try:
            async with host.act("/pack.json", Access.READ):
                pack = await host.run(partial(QuestionForm(request).packed, host))
        except DaypackError as error:
            return error_page(error, "/")
        return Response(pack.to("json"), media_type="application/json", headers=HEADERS)

    async def why(self, request: Request) -> tuple[str, Facts]:
        question = QuestionForm(request)
        facts = _question(question) | {"sides": []}
        if not question.form["q"] or question.error:
            return "why.html", facts
        host, form = self._host.of(request.scope), question.form
        wanted = [(form["q"], form["packing"])]
        if form["q2"] or form["packing2"]:
            wanted.append((form["q2"] or form["q"], form["packing2"] or form["packing"]))
        try:
            for query, packing in wanted:
                pack = await host.run(partial(question.packed, host, query=query, packing=packing))
                rows = bars.score_rows(pack, CANDIDATES_SHOWN)
                facts["sides"].append(
                    {
                        "title": f"{query} · {packing}",
                        "pack": pack,
                        "rows": rows,
                        "signals": bars.signals_of(pack.candidates),
                        "takes": any(part.look for row in rows for part in row.segments),
                        "empty": empty_sentence(pack.empty_reason, pack.stats),
                    }
                )
        except DaypackError as error:
            facts["error"] = str(error)
        return "why.html", facts

    async def _compared(self, host: Host, question: QuestionForm) -> Facts:
        before, after = await host.run(partial(question.both, host))
        nothing = not before.excerpts and not after.excerpts
        return {
            "found": difference(before, after),
            "sides": [
                # the items of a pack stand on its own page
                (title, side, [replace(part, link="") for part in bars.budget_bar(side)])
                for title, side in zip(question.titles(), (before, after), strict=True)
            ],
            "empty": empty_sentence(after.empty_reason, after.stats) if nothing else "",
            "export_url": question.url("/export/compare"),
        }

    async def compare(self, request: Request) -> tuple[str, Facts]:
        question = QuestionForm(request)
        if not question.form["q"] or question.error:
            return "compare.html", _question(question)
        try:
            facts = await self._compared(self._host.of(request.scope), question)
        except DaypackError as error:
            facts = {"error": str(error)}
        return "compare.html", _question(question) | facts

    async def export(self, request: Request, what: str) -> Response:
        """A pack, a comparison or a session as one file."""
        host = self._host.of(request.scope)
        async with host.act("/export", Access.READ):
            return await self._exported_page(host, QuestionForm(request), what)

    async def _exported_page(self, host: Host, question: QuestionForm, page: str) -> Response:
        try:
            if page == "session":
                query = {"session": question.session, "what": "sessions"}
                facts = await host.run(lambda daypack, _: sessions.read_facts(daypack, query))
                name = query["session"]
            elif page == "compare":
                facts = await self._compared(host, question) | {"coloured": coloured_pack}
                name = question.form["q"]
            else:
                pack = await host.run(partial(question.packed, host))
                facts, name = _question(question) | _pack_facts(pack, question), question.form["q"]
            made = await host.run(lambda daypack, _: daypack.engine.clock(), reads=True)
        except DaypackError as error:
            return error_page(error, "/")
        bare = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60]
        return exported(f"exports/{page}.html", {**facts, "made": made}, f"{page}-{bare}.html")


def _counted(pack: Pack) -> Iterator[str]:
    for reason, left in pack.omitted.by_reason().items():
        if left:
            yield f"{len(left):,} {COUNTED[reason.value][len(left) != 1]}"


def _question(question: QuestionForm) -> Facts:
    return {
        "form": question.form,
        "special": question.is_special,
        "doors": [*door_names()],
        "kinds": [kind.value for kind in RecordKind],
        "error": question.error,
    }


def _pack_facts(pack: Pack, question: QuestionForm) -> dict[str, Any]:
    return {
        "pack": pack,
        "segments": bars.budget_bar(pack),
        "why": bars.reasons(pack),
        "best": bars.best_score(pack),
        "command": question.command(),
        "text": coloured_pack(pack.text, question.form["q"]),
    }
