"""The views of the page: each reads the store on the store's thread, and passes nouns to a template. Actions are forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from daypack.api import Daypack
from daypack.errors import DaypackError, InputError
from daypack.guard.paths import contained
from daypack.ports import Progress
from daypack.shapes.wording import counted, minute
from daypack.surfaces.host import Host
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web import documents, evaluations, memories, questions, sessions, settings, sources
from daypack.surfaces.web.code import texts
from daypack.surfaces.web.code import views as code_views
from daypack.surfaces.web.figures.plots import Plot, plot, rounded_up
from daypack.surfaces.web.frame import Facts, Frame
from daypack.surfaces.web.shell import HEADERS, error_page, form_fields, html, static
from daypack.surfaces.web.skips import mend
from daypack.surfaces.web.visitors import Visitors
from daypack.system import path_named

DAY = 86_400


def routes(host: Host | Seats, visitors: Visitors, own_cookie: str) -> list[Route]:
    """The routes of all views; `own_cookie` is the name of the cookie that an admitted browser gets."""
    frame = Frame(host)
    return [
        Route("/enter", Entrance(host, visitors, own_cookie).enter, methods=["GET", "POST"]),
        Route("/static/{name}", static),
        *questions.routes(frame),
        frame.page("/get", partial(_get, host)),
        *code_views.routes(frame),
        *sources.routes(frame),
        *settings.routes(frame, visitors, own_cookie),
        frame.reading_page("/store", "store.html", _store, local=("why", "doctor")),
        frame.reading_page("/sessions", "sessions.html", sessions.read_facts),
        *memories.routes(frame),
        *documents.routes(frame),
        frame.reading_page(
            "/evaluations",
            "evaluations.html",
            lambda daypack, given: evaluations.read_facts(daypack.engine.store.folder, given),
        ),
        frame.form("/store/add", _add, local=True),
    ]


class Entrance:
    """The page with a one-time link, and a form for the token, which admit a further browser."""

    def __init__(self, host: Host | Seats, visitors: Visitors, own_cookie: str) -> None:
        self._host, self._visitors, self._own_cookie = host, visitors, own_cookie

    async def enter(self, request: Request) -> Response:
        try:
            cookie, refused = await self._admitted(request)
        except DaypackError as error:
            return error_page(error, "/enter")
        if cookie is not None:
            response = RedirectResponse("/", 303, headers=HEADERS)
            response.set_cookie(self._own_cookie, cookie, httponly=True, samesite="strict")
            return response
        if refused and request.cookies.get(self._own_cookie) in self._visitors.cookies:
            return RedirectResponse("/", 303, headers=HEADERS)  # it followed its own link again
        facts = {"error": refused, "file": self._visitors.token_file, "team": not self._host.local}
        page = html("enter.html", "/enter", facts, code=403 if refused else 200)
        # the address may hold a key, which the form does not repeat
        page.headers["Referrer-Policy"] = "origin"
        return page

    async def _admitted(self, request: Request) -> tuple[str | None, str]:
        """(the cookie of an admitted browser, None for another; the reason to refuse one that asked)."""
        name = settings.browser_name(request.headers.get("user-agent", ""))
        if request.method == "POST":
            given = {field: value.strip() for field, value in (await form_fields(request)).items()}
            cookie = await self._visitors.admit_by_token(
                given.get("token", ""), given.get("name", "") or name, given.get("project", "")
            )
            return cookie, "That is not the token of this server."
        asked = "key" in request.query_params
        used = "This link was used already, or belongs to another run." if asked else ""
        return self._visitors.admit(request.query_params.get("key", ""), name), used


async def _get(host: Host | Seats, request: Request) -> tuple[str, Facts]:
    given = dict(request.query_params)
    if not given.get("ref", "").strip():
        problem = "name a text as ref, such as src/pay/retry.py:20-30"
        return "get.html", {"error": problem, "missing": True}
    try:
        facts = await host.of(request.scope).run(lambda daypack, _: texts.read_facts(daypack, given))
    except DaypackError as error:
        return "get.html", {"ref": given.get("ref", ""), "error": str(error), "missing": True}
    return "get.html", facts


def _add(daypack: Daypack, fields: Mapping[str, str], step: Progress) -> str:
    name = fields.get("file", "")
    daypack.files.add(contained(daypack.root, _place(daypack, name)), progress=step)
    return f"/store?{urlencode({'why': name})}#why"


def _store(daypack: Daypack, given: Mapping[str, str]) -> Facts:
    path, grown = given.get("why", ""), daypack.growth()
    return {
        "status": daypack.status(),
        "checks": daypack.doctor() if given.get("doctor") else None,
        "why": path,
        "growth": _growth(grown) if grown else None,
        "verdict": _verdict(daypack, path) if path.strip() else None,
    }


def _growth(grown: list[tuple[float, int]]) -> Plot:
    (first, _), (last, most) = grown[0], grown[-1]
    clock = slice(11, None) if last - first < DAY else slice(10)
    return plot(
        {"records": grown},
        top=rounded_up(most),
        about=f"{counted(most, 'record')}, the first of {minute(first)}, the last of {minute(last)}",
        across=lambda at: minute(at)[clock],
        up=lambda count: f"{count:,.0f}",
        steps=True,
        marked=False,
    )


def _place(daypack: Daypack, path: str) -> Path:
    """A path from the page, which is relative to the project's root, not to the folder in which the server was started."""
    return daypack.root / path_named(path)


def _below(daypack: Daypack, path: str) -> str:
    """The numbers of stored files and skipped entries in a folder, in words; "" for a file, and for a folder without either."""
    place = _place(daypack, path)
    if not place.is_dir():
        return ""
    files, skipped = daypack.files.below(place)
    kinds = Counter(issue.reason.words for issue in skipped)
    left = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    return (
        f"{path} is a folder: {counted(files, 'file')} of it in the store; skipped: {left or 'none'}."
        if files or left
        else ""
    )


def _verdict(daypack: Daypack, path: str) -> Facts:
    """The reason why a file is or is not in the store, and the remedy."""
    try:
        place = _place(daypack, path)
        issue = daypack.files.why(place)
    except InputError as error:  # the file does not exist, or is elsewhere
        return {"text": str(error), "mend": "Write paths relative to the project's root."}
    if issue is None and daypack.engine.store.find_records(daypack.files.name_of(place)):
        return {
            "text": f"{path} is in the store; a pack leaves it out when other texts are worth more "
            f"for the question, or duplicate it.",
            "mend": "Ask for it by its name, raise the budget, or limit the question to it under "
            "“Only files”.",
        }
    if issue is None and (counts := _below(daypack, path)):
        return {"text": counts, "mend": "Write the path of one of its files to see the reason."}
    if issue is None:
        return {"text": f"{path} is not in the store yet, but can be added.", "mend": "", "can_add": True}
    return {
        "text": f"{path} is skipped ({issue.why}).",
        "mend": mend(issue._replace(uri=daypack.files.name_of(place) + "/" * place.is_dir())),
    }
