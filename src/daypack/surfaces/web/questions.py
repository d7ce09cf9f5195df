"""The views of a question: its pack, the reasons for it, two packs side by side, and files to share."""

from __future__ import annotations

import re
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

REASONS = {"budget": "no room", "duplicate": "a duplicate of another", "low_score": "not relevant enough"}
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
        asked = QuestionForm(request)
        facts = _question(asked) | {"reasons": REASONS}
        if not asked.form["q"] or asked.error:
            # this view does not read the store, so that the first page appears at once for stores of any size
            return "pack.html", facts
        host = self._host.of(request.scope)
        try:
            found = await host.run(partial(asked.packed, host))
        except DaypackError as error:
            return "pack.html", facts | {"error": str(error)}
        return "pack.html", facts | _pack_facts(found, asked) | {
            "empty": empty_sentence(found.empty_reason, found.stats) if not found.excerpts else "",
            "next_url": asked.url("/", page=found.next_page or 1),
            "json_url": asked.url("/pack.json", page=asked.page),
            "why_url": asked.url("/why"),
            "beside_url": asked.url("/compare"),
            "export_url": asked.url("/export/pack", page=asked.page),
        }

    async def pack_json(self, request: Request) -> Response:
        """The pack of the first view as JSON; loaded separately, because it is as long as the view and rarely needed."""
        host = self._host.of(request.scope)
        try:
            async with host.act("/pack.json", Access.READ):
                found = await host.run(partial(QuestionForm(request).packed, host))
        except DaypackError as error:
            return error_page(error, "/")
        return Response(found.to("json"), media_type="application/json", headers=HEADERS)

    async def why(self, request: Request) -> tuple[str, Facts]:
        asked = QuestionForm(request)
        facts = _question(asked) | {"sides": []}
        if not asked.form["q"] or asked.error:
            return "why.html", facts
        host = self._host.of(request.scope)
        wanted = [(asked.form["q"], asked.form["packing"])]
        if asked.form["q2"] or asked.form["packing2"]:
            wanted.append(
                (asked.form["q2"] or asked.form["q"], asked.form["packing2"] or asked.form["packing"])
            )
        try:
            for query, packing in wanted:
                found = await host.run(partial(asked.packed, host, query=query, packing=packing))
                facts["sides"].append(
                    {
                        "title": f"{query} · {packing}",
                        "pack": found,
                        "rows": bars.score_rows(found, CANDIDATES_SHOWN),
                        "signals": bars.signals_of(found.candidates),
                        "empty": empty_sentence(found.empty_reason, found.stats),
                    }
                )
        except DaypackError as error:
            facts["error"] = str(error)
        return "why.html", facts

    async def _compared(self, host: Host, asked: QuestionForm) -> Facts:
        before, after = await host.run(partial(asked.both, host))
        return {
            "found": difference(before, after),
            "sides": [
                (title, side, bars.budget_bar(side))
                for title, side in zip(asked.titles(), (before, after), strict=True)
            ],
            "empty": ""
            if before.excerpts or after.excerpts
            else empty_sentence(after.empty_reason, after.stats),
            "export_url": asked.url("/export/compare"),
        }

    async def compare(self, request: Request) -> tuple[str, Facts]:
        asked = QuestionForm(request)
        if not asked.form["q"] or asked.error:
            return "compare.html", _question(asked)
        try:
            facts = await self._compared(self._host.of(request.scope), asked)
        except DaypackError as error:
            facts = {"error": str(error)}
        return "compare.html", _question(asked) | facts

    async def export(self, request: Request, what: str) -> Response:
        """A pack, a comparison or a session as one file."""
        host = self._host.of(request.scope)
        async with host.act("/export", Access.READ):
            return await self._exported_page(host, QuestionForm(request), what)

    async def _exported_page(self, host: Host, asked: QuestionForm, what: str) -> Response:
        try:
            if what == "session":
                given = {"session": asked.session, "what": "sessions"}
                facts = await host.run(lambda daypack, _: sessions.read_facts(daypack, given))
                name = given["session"]
            elif what == "compare":
                facts, name = (
                    {**await self._compared(host, asked), "coloured": coloured_pack},
                    asked.form["q"],
                )
            else:
                found = await host.run(partial(asked.packed, host))
                facts, name = _question(asked) | _pack_facts(found, asked), asked.form["q"]
            made = await host.run(lambda daypack, _: daypack.engine.clock(), reads=True)
        except DaypackError as error:
            return error_page(error, "/")
        bare = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60]
        return exported(f"exports/{what}.html", {**facts, "made": made}, f"{what}-{bare}.html")


def _question(asked: QuestionForm) -> Facts:
    return {
        "form": asked.form,
        "special": asked.is_special,
        "doors": [*door_names()],
        "kinds": [kind.value for kind in RecordKind],
        "error": asked.error,
    }


def _pack_facts(found: Pack, asked: QuestionForm) -> dict[str, Any]:
    return {
        "pack": found,
        "segments": bars.budget_bar(found),
        "why": bars.reasons(found),
        "best": bars.best_score(found),
        "command": asked.command(),
        "text": coloured_pack(found.text, asked.form["q"]),
    }
