"""The routes of views and forms: they read the store on its own thread, pass nouns to a template, and explain failures.

A form that changes the store answers with a redirection, so that a reload does not repeat the change.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from daypack.errors import DaypackError
from daypack.ports import Progress
from daypack.surfaces.host import Host
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web.shell import HEADERS, error_page, form_fields, html
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack

RECEIPTS_KEPT = 32
PATIENCE = 0.5  # seconds to wait for a slow reading before another view is shown
Facts = dict[str, Any]
ReadFacts = Callable[["Daypack", Mapping[str, str]], Facts]
Meanwhile = Callable[[Mapping[str, str]], "Mapping[str, str] | None"]
Action = Callable[["Daypack", Mapping[str, str], Progress], str]


class Frame:
    """The routes of views and forms on one host."""

    def __init__(self, host: Host | Seats) -> None:
        self.host = host
        self._receipts: dict[str, Any] = {}

    def page(
        self, path: str, view: Callable[[Request], Awaitable[tuple[str, Facts]]], here: str = ""
    ) -> Route:
        """The route of a view; `here` is the path of its entry in the navigation, if it differs from `path`."""

        async def answer(request: Request) -> Response:
            try:
                async with self.host.of(request.scope).act(path, Access.READ):
                    template, facts = await view(request)
                status = 404 if facts.get("missing") else 200
                host = self.host.of(request.scope)
                common = {
                    "writes": host.admits(Access.WRITE),
                    "removes": host.admits(Access.DANGEROUS),
                    "team": not host.local,
                }
                return html(template, here or path, {**common, **facts}, code=status)
            except Exception as error:
                return error_page(error, path)

        return Route(path, answer)

    def reading_page(
        self,
        path: str,
        template: str,
        read_facts: ReadFacts,
        here: str = "",
        meanwhile: Meanwhile | None = None,
        local: tuple[str, ...] = (),
    ) -> Route:
        """The route of a view that reads the store once; a faulty request is explained above the view. Arguments named in
        `local` ask about the server's machine, and are dropped for callers who may not ask.

        `meanwhile` returns other arguments for a slow reading, None for a quick one: until a slow reading is done, the view
        is shown with these arguments and `waits`.
        """

        async def view(request: Request) -> tuple[str, Facts]:
            host = self.host.of(request.scope)
            given = {
                name: value for name, value in request.query_params.items() if host.local or name not in local
            }
            other = meanwhile(given) if meanwhile else None
            try:
                facts: Facts | None
                if other is None:
                    facts = await host.run(lambda daypack, _: read_facts(daypack, given))
                else:
                    name = f"{path}?{urlencode(given)}"
                    facts = await host.aside(name, lambda daypack: read_facts(daypack, given), PATIENCE)
                    if facts is None:
                        facts = await host.run(lambda daypack, _: read_facts(daypack, other))
                        facts["waits"] = name
            except DaypackError as error:
                facts = {**await host.run(lambda daypack, _: read_facts(daypack, {})), "error": str(error)}
            return template, {**facts, "receipt": self._receipts.pop(given.get("done", ""), None)}

        return self.page(path, view, here)

    def form(self, path: str, action: Action, access: Access = Access.WRITE, *, local: bool = False) -> Route:
        """The route of a form, which redirects to the address that `action` returns. A `local` form reads files of the server's
        machine.
        """

        async def answer(request: Request) -> Response:
            host = self.host.of(request.scope)
            if not host.admits(access) or (local and not host.local):
                return html("error.html", path, {"error": "You may not change this here."}, code=403)
            try:
                fields = await form_fields(request)
                async with host.act(path, access, removes=access is Access.DANGEROUS):
                    seen = await host.run(lambda daypack, step: action(daypack, fields, step))
                return RedirectResponse(seen, 303, headers=HEADERS)
            except Exception as error:
                return error_page(error, path)

        return Route(path, answer, methods=["POST"])

    def noted(self, receipt: Any) -> str:
        """The number by which a view shows a receipt once. It is not stored, because it names removed texts."""
        number = secrets.token_urlsafe(8)
        self._receipts[number] = receipt
        while len(self._receipts) > RECEIPTS_KEPT:
            del self._receipts[next(iter(self._receipts))]
        return number
